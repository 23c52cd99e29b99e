/** Whom the rules of egress are held against in one run, and what they forbid before anybody is asked. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type EgressPlan,
  openEgress,
  type Recipient,
  recipientOf,
} from '../core/context/egress.ts';
import { usageError } from '../core/errors.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Isolation } from '../core/words/isolation.ts';
import type { Subject } from '../core/words/change.ts';
import { type Config, type EmbeddingConfig, judgeOf, type Seat } from '../core/words/config.ts';
import { startsProgram } from '../core/words/runner.ts';
import type { SubjectRequest } from '../core/words/plan.ts';
import { type Call, temporaryFolderOf } from './call.ts';
import { placeIn } from './tree-view.ts';

interface EgressQuestion {
  config: Config;
  seats: readonly Seat[];
  subject: Subject;
  planned: SubjectRequest;
  /** Top of the repository; null outside of one. */
  root: string | null;
  /** Files that the caller named, whose text goes to everybody, by the flag that names them. */
  named?: Record<string, string | undefined>;
}

/** Undefined where everything may go to all. Throws `UserError` (kind `usage`) for what would go where no rule lets it. */
export async function egressOf(
  { config, seats, subject, planned, root, named = {} }: EgressQuestion,
  call: Call,
) {
  if (config.egress.length === 0) return undefined;
  const strategy = call.matcher ? null : strategyRecipient(config);
  const under = planned.kind === 'document' ? await folderOf(planned.path, subject, root) : '';
  const own = await recipientsOf(seats, call);
  const egress: EgressPlan = {
    rules: config.egress,
    recipients: { ...own, ...(strategy !== null && { [matching]: strategy }) },
    ...(under !== '' && { under }),
    ...(subject.kind === 'document' && subject.folder !== undefined && { named: subject.folder }),
  };
  if (strategy) refuseMatching(config.strategy, { egress, subject, seats });
  const files = Object.entries(named).flatMap(([flag, file = '-']) =>
    file === '-' ? [] : [[flag, path.resolve(call.cwd, file)] as const],
  );
  await refuseToSend({ config, files, root }, own);
  return egress;
}

/** Where what each reviewer is shown goes on this machine, by id. */
export async function recipientsOf(
  seats: readonly Seat[],
  call: Call,
): Promise<Record<string, Recipient>> {
  const levels = await levelsOf(seats, call);
  return Object.fromEntries(seats.map(seat => [seat.id, recipientAt(seat, levels.get(seat.id))]));
}

/** `level`: as `levelsOf` has it. */
export function recipientAt(seat: Seat, level: Isolation | string | undefined) {
  return recipientOf(seat, { network: typeof level !== 'object' || level.network });
}

/**
 * What seats that are programs run at on this machine, by id; a sentence for one that is not asked. The sandbox is loaded for
 * them alone.
 */
export async function levelsOf(
  seats: readonly Seat[],
  call: Call,
): Promise<ReadonlyMap<string, Isolation | string>> {
  const programs = seats.filter(({ runner }) => startsProgram(runner));
  if (programs.length === 0) return new Map();
  const { openSandbox, isolationOn } = await import('../adapters/runners/enclose.ts');
  const { mechanism } = await openSandbox({ temporaryFolder: temporaryFolderOf(call) });
  return new Map(programs.map(seat => [seat.id, isolationOn(mechanism, seat)]));
}

/** No reviewer has such an id. */
const matching = '(strategy)';

/** A model that is told the findings and sits on no panel; null where there is none. */
export function askedByMatching({ strategy, embedding, judge }: Matching) {
  const asked = strategy === 'embedding' ? (embedding ?? null) : judgeOf({ strategy, judge });
  return asked === 'auto' ? null : asked;
}

interface Matching extends Pick<Config, 'strategy'> {
  embedding?: EmbeddingConfig | null | undefined;
  judge?: Config['judge'] | null;
}

/** Null where no such model is asked. */
export function strategyRecipient(settings: Matching) {
  const asked = askedByMatching(settings);
  return (
    asked &&
    recipientOf({ runner: 'api', model: asked.model, baseUrl: asked.baseUrl }, { network: true })
  );
}

/** What a reviewer says may quote what it was shown. */
function refuseMatching(
  strategy: Config['strategy'],
  { egress, subject, seats }: { egress: EgressPlan } & Pick<EgressQuestion, 'subject' | 'seats'>,
) {
  const { mayRead, refusalFor } = openEgress(egress);
  const file = (subject.kind === 'question' ? [] : subject.files).find(
    each => !mayRead(matching, each) && seats.some(({ id }) => mayRead(id, each)),
  );
  if (!file) return;
  const to = egress.recipients[matching]?.host ?? 'its endpoint';
  throw usageError(
    `${strategy === 'embedding' ? 'Strategy embedding' : 'The judge'} would tell ${to} ` +
      `what is said about ${makeVisible(file.path)}: ${refusalFor(matching, file) ?? ''}.`,
    'Use strategy calibrated with judge: off or judge: auto, which tell no other model.',
  );
}

interface SentFiles {
  config: Config;
  /** Absolute paths of files whose text is sent, by what they are to the person who named them. */
  files: readonly (readonly [what: string, file: string])[];
  /** Paths from the top of the repository that what is sent may quote. */
  quoted?: readonly string[];
  /** Top of the repository; null outside of one. */
  root: string | null;
}

/** Throws `UserError` (kind `usage`) where a rule keeps one of the files from one of these recipients, by their names. */
export async function refuseToSend(
  { config, files, quoted = [], root }: SentFiles,
  recipients: Readonly<Record<string, Recipient>>,
) {
  if (config.egress.length === 0) return;
  const { refusalFor } = openEgress({ rules: config.egress, recipients });
  const refuse = (path: string, lead: string, nameOf = (name: string) => name) => {
    for (const name of Object.keys(recipients)) {
      const why = refusalFor(name, { path });
      if (why !== null)
        throw usageError(`${lead}${makeVisible(path)} would go to ${nameOf(name)}: ${why}.`);
    }
  };
  for (const [flag, file] of files)
    for (const each of new Set([file, await realpath(file).catch(() => file)])) {
      const place = await placeIn(root, each);
      if (place !== null) refuse(place, `${flag}: `);
    }
  for (const place of quoted)
    refuse(place, 'What is said about ', name => recipients[name]?.host ?? name);
}

/** From the top of the repository, with slashes; empty at its top and outside of it. */
async function folderOf(file: string, subject: Subject, root: string | null) {
  const place = await placeIn(root, await realpath(file).catch(() => file));
  if (place === null) return '';
  const isFolder = subject.kind === 'document' && subject.source === 'directory';
  const folder = isFolder ? place : path.posix.dirname(place);
  return folder === '.' ? '' : folder;
}
