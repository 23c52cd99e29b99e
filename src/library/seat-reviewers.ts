/** Gives each chosen reviewer its persona and its limits: the seats of the panel. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type ConfigurationFile,
  checkConfiguration,
  configurationCandidates,
  findConfiguration,
  lackedKey,
  lacks,
  linkedOut,
  parseConfiguration,
  parsePersona,
  personaFile,
  readPersona,
} from '../adapters/configuration/read-configuration.ts';
import { gitFolderAt } from '../adapters/git/git-folder.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import type { Change } from '../core/words/change.ts';
import { type Seat, Config, defaultTimeout, ReviewerConfig } from '../core/words/config.ts';
import { asksModel, runnerNames } from '../core/words/runner.ts';
import { ifUserError, usageError } from '../core/errors.ts';
import type { Call } from './call.ts';
import { isInside } from './tree-view.ts';
import { leastIsolation, requireAtLeast, type Situation } from '../core/words/isolation.ts';
import type { Demand } from '../core/safety/demands.ts';
import { substituteFor } from './manifest.ts';
import {
  allowedAsItStands,
  broughtByChange,
  refuseUnlessAllowed,
  type TrustingCall,
  type TrustQuestion,
} from './trust.ts';
import {
  createTrustedBase,
  isIgnored,
  isThatOfTheBase,
  noteTouched,
  readTrusted,
  type TrustedBase,
} from './trusted-base.ts';

export interface Configured {
  readonly config: Config;
  /** Folder relative paths of the configuration refer to. */
  readonly home: string;
  /** What the person should know about where the configuration came from. */
  readonly notes: readonly string[];
  /** What of the files that the configuration names is that of the base. */
  readonly ground: TrustedBase;
}

interface ConfigurationRequest {
  named?: string | null | undefined;
  /** Under review; default: none is. */
  change?: Change | null;
  repository?: GitRepository | null;
  /** What this call would make of a configuration: refused where it was found and nobody has allowed it. Default: nothing. */
  wants?: (config: Config) => readonly Demand[];
}

/**
 * The configuration of the caller. One that was merely found and that the change under review touches is that of the base of the
 * change, which must not choose its own judges: what it brings is not there, and what it takes away still is.
 */
export async function configure(
  call: Pick<Call, 'config' | 'runners' | 'signal'> & TrustingCall,
  { named: asked, change = null, repository = null, wants = () => [] }: ConfigurationRequest = {},
): Promise<Configured> {
  const ground = createTrustedBase(change, repository);
  const runners = ownRunners(call);
  const named = asked ?? (typeof call.config === 'string' ? call.config : null);
  if (named === null && typeof call.config === 'object')
    return { config: checkConfiguration(call.config, runners), home: call.cwd, notes: [], ground };
  const finding = { ground, runners, call };
  const found =
    named === null
      ? await findTrusted(configurationCandidates(call.cwd), finding, () =>
          findConfiguration(call.cwd, null),
        )
      : await findTrustedNamed(path.resolve(call.cwd, named), finding, call.signal);
  const notes = [...ground.gaps.keys()].map(
    sentence => `${sentence} To use it as it stands, look at it and allow it with "jury trust".`,
  );
  const config = found ? await parseConfiguration(found, runners) : Config.parse({});
  const demands = !found || named !== null ? [] : wants(config);
  if (found && demands.length > 0) await refuseUnlessAllowed({ ...finding, found }, demands);
  return { config, home: found ? path.dirname(found.file) : call.cwd, notes, ground };
}

/** Their names. Throws `UserError` for one that would hide a built-in runner, whose answers are judged by what they are. */
function ownRunners({ runners = {} }: Call) {
  const names = Object.keys(runners);
  const taken = names.find(name => runnerNames.some(known => known === name));
  if (taken !== undefined)
    throw usageError(`runners: "${taken}" is a built-in runner.`, 'Give yours another name.');
  return names;
}

type Finding = Omit<TrustQuestion, 'found'>;

/** Every place is looked at, also behind the one that counts: whatever the change touches is named. */
async function findTrusted(
  files: readonly string[],
  finding: Finding,
  onDisk: () => Promise<ConfigurationFile | null>,
) {
  const { ground } = finding;
  const before = await lookAt(files, ground);
  const displaces = before.some(({ text }) => text !== null);
  const isAccepted = await acceptAllowed(onDisk, displaces, finding);
  const candidates = isAccepted ? await lookAt(files, ground) : before;
  const decides = candidates.findIndex(({ text }) => text !== null);
  for (const [index, { touched }] of candidates.entries())
    if (touched)
      noteTouched(
        ground,
        touched,
        index === decides
          ? isThatOfTheBase
          : decides === -1 || index < decides
            ? isIgnored
            : 'another one is used',
      );
  const { file, text = null } = candidates[decides] ?? { file: '' };
  return text === null ? null : { file, text };
}

/** A person named it, but not what a change makes of it: inside the repository it is that of the base, as one that is found. */
async function findTrustedNamed(file: string, finding: Finding, signal: AbortSignal | undefined) {
  const { ground } = finding;
  const onDisk = () => findConfiguration('/', file, signal);
  const isInside = (await ground.placeOf(file)) !== null;
  const found = isInside ? await findTrusted([file], finding, onDisk) : null;
  const { touched } = await ground.trustedFileOf(file);
  if (!touched) return onDisk();
  if (!found) throw broughtByChange(file);
  return found;
}

/** True: what lies on disk is what somebody allowed, and counts although the change touches it. */
async function acceptAllowed(
  onDisk: () => Promise<ConfigurationFile | null>,
  displaces: boolean,
  finding: Finding,
) {
  const { ground } = finding;
  if (ground.touched.length === 0) return false;
  const found = await onDisk().catch(ifUserError(null));
  const files = found && (await allowedAsItStands({ ...finding, found }, { displaces }));
  if (files) await ground.accept(files);
  return files !== null;
}

/** Of those behind the first that is there no text is read; null where one is not there. */
async function lookAt(files: readonly string[], ground: TrustedBase) {
  const candidates = [];
  let isDecided = false;
  for (const file of files) {
    const { touched, base } = await ground.trustedFileOf(file);
    const text: string | null = isDecided ? null : await readTrusted(file, base);
    candidates.push({ file, touched, text });
    isDecided ||= text !== null;
  }
  return candidates;
}

export function seatReviewers(
  panel: readonly ReviewerConfig[],
  configured: Configured,
  timeout: number | undefined,
  situation: Situation,
): Promise<Seat[]> {
  return Promise.all(panel.map(reviewer => seatReviewer(reviewer, configured, timeout, situation)));
}

/** `timeout`: in place of what is configured. */
export async function seatReviewer(
  reviewer: ReviewerConfig,
  configured: Configured,
  timeout: number | undefined,
  situation: Situation,
): Promise<Seat> {
  checkRunner(reviewer);
  const { home, config } = configured;
  const persona = await readTrustedPersona(reviewer, configured);
  const isKnown = typeof persona !== 'string';
  const withheld = isKnown ? await substitute(reviewer, configured) : persona;
  return {
    ...reviewer,
    ...(reviewer.runner === 'sarif' && ({ runner: 'builtin', analyser: 'sarif' } as const)),
    home,
    persona: isKnown ? persona : await readPersona(usualPersona, home),
    isolation: requireAtLeast(
      reviewer.isolation,
      config.isolation?.require,
      leastIsolation(situation),
    ),
    timeout: timeout ?? reviewer.timeout ?? config.timeout ?? defaultTimeout,
    ...(withheld !== null && { withheld }),
  };
}

const usualPersona = ReviewerConfig.shape.persona.parse(undefined);

/** A sentence: the reviewer cannot be asked as this persona, which comes with the change. */
async function readTrustedPersona(
  { id, persona: name }: ReviewerConfig,
  { home, ground }: Configured,
) {
  const file = personaFile(name, home);
  if (file === null) return readPersona(name, home);
  const { touched, base } = await ground.trustedFileOf(file);
  const target = touched ? (base.kind === 'outside' ? base.path : null) : await leadsOut(file);
  if (target !== null) throw linkedOut(name, id, target);
  if (!touched) return readPersona(name, home);
  const text = base.kind === 'unknown' ? null : await readTrusted(file, base);
  const sentence = noteTouched(
    ground,
    touched,
    text === null
      ? `it is the persona of reviewer ${id}, who is not asked`
      : `it is the persona of reviewer ${id}, whose version at the base is used`,
  );
  return text === null ? sentence : { ...(await parsePersona(file, text)), isOwn: true };
}

/** Where the links of a repository lead with a file that lies in it by its name; null when it stays there. */
async function leadsOut(file: string) {
  const real = await realpath(file).catch(() => null);
  if (real === null) return null;
  for (
    let folder = path.dirname(file);
    folder !== path.dirname(folder);
    folder = path.dirname(folder)
  ) {
    // A folder may itself be a link, to another repository or from where its user stands.
    const top = (await gitFolderAt(folder)) ? await realpath(folder) : null;
    if (top !== null && !isInside(top, real)) return real;
  }
  return null;
}

/** Null: the reviewer can be asked, where need be through what stands in for its files. */
async function substitute(reviewer: ReviewerConfig, { home, ground }: Configured) {
  const { touched, standIn } = await substituteFor(reviewer, home, ground);
  if (touched.length === 0) return null;
  const become = standIn ? 'asked as it was at the base' : 'not asked';
  const sentence = noteTouched(
    ground,
    touched,
    `reviewer ${reviewer.id} is made of it, and is ${become}`,
  );
  if (!standIn) return sentence;
  ground.standIns.set(reviewer.id, standIn);
  return null;
}

function checkRunner(reviewer: ReviewerConfig) {
  if (reviewer.tools && !asksModel(reviewer.runner)) {
    throw usageError(
      `Reviewer "${reviewer.id}": runner ${reviewer.runner} has no tools to offer.`,
      `Leave out "tools", or use one of ${runnerNames.filter(asksModel).join(', ')}.`,
    );
  }
  if (lackedKey(reviewer) !== null) throw lacks(reviewer);
}
