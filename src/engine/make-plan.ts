/** Settles everything before the first reviewer is asked. */
import { sha256 } from '../core/hash.ts';
import type { Subject } from '../core/words/change.ts';
import type { Config, Seat } from '../core/words/config.ts';
import { openGuidelines } from '../core/context/egress.ts';
import { selectFiles } from '../core/context/pack.ts';
import { packCap } from '../core/context/scope.ts';
import { engineRules } from '../core/safety/engine-finding.ts';
import { defaultRulesOf, processOf } from '../core/process.ts';
import { guardsOf } from '../core/words/runner.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Clock, Ids } from '../core/ports/runner.ts';

/** What of a plan is no part of the answers: where it is asked from, what is made of them, what is told besides. */
const beside: ReadonlySet<string> = new Set<keyof Plan>([
  'cwd',
  'subject',
  'act',
  'panel',
  'concurrency',
  'maxCostPerMonth',
  'deliberation',
  'guidelines',
  'learnt',
  'packs',
]);

/** A plan before it has its names and keys. */
type Draft = Omit<
  Plan,
  | 'configurationHash'
  | 'questions'
  | 'asking'
  | 'schema'
  | 'run'
  | 'startedAt'
  | 'fence'
  | 'nonces'
  | 'subjectHash'
  | 'changeHash'
  | 'decisions'
  | 'fingerprints'
>;

/** What the keys of a plan are made of besides. */
interface Ground {
  subject: Subject;
  /** The subject with what is excluded of it. */
  whole: Subject;
  fingerprints: NonNullable<Plan['fingerprints']>;
  /** Must a security reviewer read any file of it? */
  isSensitive: boolean;
  /** What people's decisions about claims come to. */
  decisions: string;
  /** Where somebody has set one. */
  quorum: number | null;
}

export function makePlan(
  draft: Draft,
  ground: Ground,
  { clock, ids }: { clock: Clock; ids: Ids },
): Plan {
  const now = clock.now();
  const subjectHash = hashOf(identityOf(ground.subject));
  return {
    ...draft,
    schema: 'jury.plan/2',
    run: ids.run(now),
    startedAt: now.toISOString(),
    fence: ids.nonce(),
    nonces: Object.fromEntries(draft.seats.map(({ id }) => [id, ids.nonce()])),
    ...keysOf(draft, ground, subjectHash),
    subjectHash,
    changeHash: hashOf(identityOf(ground.whole)),
    decisions: sha256(ground.decisions),
    fingerprints: ground.fingerprints,
  };
}

function hashOf(value: unknown) {
  return sha256(JSON.stringify(value));
}

/** What comes of the change itself, how findings are matched and judged, and what may be spent. */
const noPartOfAsking: ReadonlySet<string> = new Set([
  'command',
  'seats',
  'policy',
  'rules',
  'gaps',
  'sensitive',
  'exclude',
  'accept',
  'protectedPaths',
  'limits',
  'stages',
  'allStages',
  'spending',
  'strategy',
  'matcher',
  'embedding',
  'judge',
  'threshold',
]);

const ofProcess: ReadonlySet<string> = new Set(['command', 'seats', 'spending', 'policy', 'rules']);

/**
 * The keys by which answers are found again. Of a question: what is asked of whom, whichever process asks. Of the asking: the same
 * whatever the change is. Whatever is added to a plan is part of what is asked, until it is named above.
 */
function keysOf(
  draft: Draft,
  { subject, fingerprints, isSensitive, quorum }: Ground,
  subjectHash: string,
) {
  const { command, mode, seats, spending, policy, rules, guidelines, act, packs } = draft;
  const settled = Object.entries(draft).filter(([key]) => !beside.has(key));
  const { contract, sizing } = processOf(command);
  const told = guidelinesTold(draft, subject);
  const configurationHash = Object.values(fingerprints).every(fingerprint => fingerprint !== null)
    ? hashOf([settled, fingerprints, subjectHash, engineRules, act, told])
    : null;
  if (subject.kind !== 'change' || sizing === 'none' || mode !== 'code-review')
    return { configurationHash };
  const same = [
    settled.filter(([key]) => !noPartOfAsking.has(key)),
    contract,
    spending?.thresholds,
    packs,
    engineRules,
    // Then all are asked about security.
    isSensitive && guardsOf(seats).length === 0,
  ];
  // What a person may settle makes another question of it; what a process settles by itself does not.
  const stated = [
    settled.filter(([key]) => !ofProcess.has(key)),
    rules.name === defaultRulesOf(command, mode) ? 'usual' : rules,
    { ...policy, quorum },
    { ...spending, complexity: null },
  ];
  const bySeat = (own: (index: number) => unknown) =>
    Object.fromEntries(
      seats.map((seat, index) => {
        const { timeout: _, required: __, ...asked } = seat;
        const fingerprint = fingerprints[seat.id] ?? null;
        return [
          asked.id,
          fingerprint === null ? null : hashOf([same, asked, fingerprint, own(index)]),
        ];
      }),
    );
  return {
    configurationHash,
    questions: bySeat(index => [
      subjectHash,
      told[index] ?? [],
      stated,
      seats[index]?.timeout,
      seats[index]?.required,
    ]),
    // All of them: which concern a later state of the change nobody knows.
    asking: bySeat(() => guidelines.map(({ paths, file, text }) => [paths, file, text])),
  };
}

/** By seat: what its prompts say of the guidelines. One that concerns none of its files, or only others, decides no answer. */
function guidelinesTold({ guidelines, mode, egress, seats }: Draft, subject: Subject) {
  if (subject.kind !== 'change' || guidelines.length === 0) return [];
  const guidelinesFor = openGuidelines({ guidelines, mode, ...(egress && { egress }) });
  return seats.map(seat => {
    const paths = selectFiles(subject, seat.persona).readable.map(({ path }) => path);
    return guidelinesFor(seat, paths).map(({ paths: own, file, text }) => [own, file, text]);
  });
}

/** One pack serves all reviewers: it is sized for the one that takes least. */
export function packRulesOf({ packs }: Config, seats: readonly Seat[]): Plan['packs'] {
  const caps = { plannerCaps: packs?.caps, multipliers: packs?.multipliers };
  const tagged = seats.flatMap(({ model }) =>
    model === undefined || !packs ? [] : (packs.capabilities[model] ?? []),
  );
  const [least = 'reasoning_high'] = tagged.toSorted(
    (one, other) =>
      packCap('Large', 'Reviewer', one, caps) - packCap('Large', 'Reviewer', other, caps),
  );
  return {
    capability: least,
    caps,
    programs: packs?.programs ?? false,
  };
}

/** What makes two subjects the same to a reviewer: contents, not the words in which they were asked for. */
export function identityOf(subject: Subject): unknown {
  if (subject.kind === 'question')
    return [subject.prompt, subject.context, ...(subject.about ? [subject.about] : [])];
  if (subject.kind === 'document') return subject.files.map(({ path, text }) => [path, text]);
  return subject.files.map(
    ({ path, oldPath, status, oldMode, newMode, content, oldId, newId, hunks }) => [
      path,
      oldPath,
      status,
      oldMode,
      newMode,
      content,
      oldId,
      newId,
      hunks,
    ],
  );
}
