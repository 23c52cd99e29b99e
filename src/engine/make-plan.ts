/** Settles everything before the first reviewer is asked. */
import type { Change, Subject } from '../core/words/change.ts';
import { type Config, judgeOf, type Seat } from '../core/words/config.ts';
import { openGuidelines } from '../core/context/guidelines.ts';
import { selectFiles } from '../core/context/pack.ts';
import { packCap } from '../core/context/scope-class.ts';
import { engineRules } from '../core/safety/engine-finding.ts';
import { defaultRulesOf, processOf } from '../core/process.ts';
import { guardsOf, voicesOf } from '../core/words/reader.ts';
import { defaultQuorum } from '../core/panel.ts';
import type {
  MatcherIdentity,
  PackRules,
  PanelChoice,
  Plan,
  SpendingRules,
  SubjectRequest,
} from '../core/words/plan.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { LabelScale } from '../core/words/severity.ts';
import type { Reason } from '../core/verdict/record.ts';
import { parseFailRules } from '../core/verdict/rule-set.ts';

interface PlanRequest extends Pick<
  Plan,
  | 'version'
  | 'command'
  | 'mode'
  | 'cwd'
  | 'description'
  | 'requirements'
  | 'prompt'
  | 'context'
  | 'seats'
  | 'threshold'
  | 'stages'
  | 'allStages'
  | 'rules'
  | 'deliberation'
  | 'guidelines'
  | 'learnt'
> {
  readonly verify?: Plan['verify'];
  readonly subject: Subject;
  readonly subjectRequest: SubjectRequest;
  readonly panel: PanelChoice;
  /** What keeps the run from being proof whatever its reviewers say. */
  readonly gaps: readonly Reason[];
  /** The subject with what is excluded of it. */
  readonly whole: Subject;
  /** What each seat's runner says decides its answers besides the turn; null where that cannot be told. */
  readonly fingerprints: readonly (string | null)[];
  readonly scale: LabelScale;
  readonly config: Config;
  /** Quorum when neither the request nor the configuration sets one; default: more than half of the panel. */
  readonly quorum?: number;
  /** Must a security reviewer read any file of it? */
  readonly isSensitive?: boolean;
  /** Absent: nobody has a budget. */
  readonly spending?: SpendingRules;
  /** The caller's own matcher, in place of the strategy. */
  readonly matcher?: MatcherIdentity | undefined;
  /** Which files may go to whom; absent where everything may go to all. */
  readonly egress?: Plan['egress'] | undefined;
  /** What people's decisions about claims come to. */
  readonly decisions: string;
}

interface PlanWorld {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: (text: string) => string;
}

export function makePlan(request: PlanRequest, { clock, ids, hash }: PlanWorld): Plan {
  const {
    version,
    command,
    mode,
    cwd,
    subject,
    description,
    requirements,
    prompt,
    context,
    seats,
    config,
    threshold,
  } = request;
  const now = clock.now();
  const settled = {
    version,
    command,
    mode,
    description,
    requirements,
    prompt,
    context,
    seats,
    threshold,
    labels: [...request.scale],
    policy: {
      failOn: parseFailRules(config.failOn),
      quorum:
        config.quorum ?? request.quorum ?? defaultQuorum(voicesOf(firstAsked(request)).length),
      unverifiedBlocker: config.unverifiedBlocker,
      ...(config.checksOnly && { checksOnly: true }),
    },
    strategy: config.strategy,
    ...(request.matcher && { matcher: request.matcher }),
    embedding: config.strategy === 'embedding' ? (config.embedding ?? null) : null,
    judge: request.matcher === undefined ? judgeOf(config) : null,
    trust: config.trust,
    exclude: config.exclude,
    ...(config.accept.length > 0 && { accept: config.accept }),
    stages: request.stages ?? null,
    allStages: request.allStages ?? false,
    protectedPaths: config.protectedPaths,
    // Only where there are any: what was decided without them is answered again as it was.
    ...(request.gaps.length > 0 && { gaps: request.gaps }),
    ...(request.egress && { egress: request.egress }),
    rules: request.rules,
    spending: request.spending ?? null,
    limits: {
      maxCalls: config.maxCalls ?? null,
      maxTokens: config.maxTokens ?? null,
      maxCost: config.maxCost ?? null,
    },
  };
  const { guidelines = [], learnt = [] } = request;
  const told = guidelinesTold(request, guidelines);
  const subjectHash = hash(JSON.stringify(identityOf(subject)));
  const questions = questionsOf({ ...request, told }, settled, text =>
    hash(JSON.stringify([text, subjectHash])),
  );
  const asking = askingOf(request, settled, text => hash(JSON.stringify(text)));
  const isShareable = request.fingerprints.every(fingerprint => fingerprint !== null);
  return {
    ...settled,
    schema: 'jury.plan/1',
    run: ids.run(now),
    startedAt: now.toISOString(),
    cwd,
    subject: request.subjectRequest,
    act: config.act,
    panel: request.panel,
    concurrency: config.concurrency,
    ...(config.maxCostPerMonth !== undefined && { maxCostPerMonth: config.maxCostPerMonth }),
    // Not part of what reviewers are asked: a review that was held is put to the vote later without asking it again.
    deliberation: request.deliberation ?? null,
    ...(request.verify && { verify: request.verify }),
    ...(guidelines.length > 0 && { guidelines }),
    ...(learnt.length > 0 && { learnt }),
    packs: subject.kind === 'change' && mode === 'code-review' ? packRulesOf(config, seats) : null,
    fence: ids.nonce(),
    nonces: Object.fromEntries(seats.map(({ id }) => [id, ids.nonce()])),
    configurationHash: isShareable
      ? hash(
          JSON.stringify([
            settled,
            request.fingerprints,
            subjectHash,
            engineRules,
            // Only where somebody set it: what was decided without it is answered again as it was.
            ...(config.act === 'best' ? [] : [config.act]),
            ...(told.every(own => own.length === 0) ? [] : [{ told }]),
          ]),
        )
      : null,
    ...(questions !== null && { questions }),
    ...(asking !== null && { asking }),
    subjectHash,
    changeHash: hash(JSON.stringify(identityOf(request.whole))),
    decisions: hash(request.decisions),
  };
}

function firstAsked({ seats, stages }: Pick<PlanRequest, 'seats' | 'stages'>): readonly Seat[] {
  const first = stages?.[0];
  return first === undefined ? seats : seats.filter(({ id }) => first.includes(id));
}

type Settled = Pick<Plan, 'command' | 'seats' | 'rules' | 'spending' | 'policy'>;

/**
 * Null where no other process asks the same. What a process settles by itself (its name, its rules, how large it takes the change
 * to be, how many of its panel must complete) is no part of what a seat is asked; all that a person may settle is.
 */
function questionsOf(
  request: PlanRequest & { readonly told: Told },
  { command, rules, spending, policy, ...settled }: Settled,
  hash: (text: unknown) => string,
): NonNullable<Plan['questions']> | null {
  const { mode, subject, config, seats, fingerprints, told } = request;
  const { contract, sizing, subject: kind } = processOf(command);
  if (subject.kind !== 'change' || sizing === 'none') return null;
  const same = [
    { ...settled, seats: [] },
    [contract, kind, rules.name === defaultRulesOf(command, mode) ? 'usual' : rules],
    { ...policy, quorum: config.quorum ?? null },
    { ...spending, complexity: null },
    packRulesOf(config, seats),
    engineRules,
    isUnguarded(request),
  ];
  return bySeat(seats, (seat, index) => {
    const fingerprint = fingerprints[index] ?? null;
    const own = told[index] ?? [];
    return fingerprint === null
      ? null
      : hash([same, seat, fingerprint, ...(own.length === 0 ? [] : [own])]);
  });
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

/** Null where what was read does not outlive a push. Whatever is added to a plan is part of what is asked, until it is named above. */
function askingOf(
  request: PlanRequest,
  settled: Settled,
  hash: (text: unknown) => string,
): NonNullable<Plan['asking']> | null {
  const { mode, subject, config, seats, fingerprints, guidelines = [] } = request;
  const { contract, sizing } = processOf(settled.command);
  if (subject.kind !== 'change' || sizing === 'none' || mode !== 'code-review') return null;
  const same = [
    Object.entries(settled).filter(([key]) => !noPartOfAsking.has(key)),
    contract,
    settled.spending?.thresholds,
    packRulesOf(config, seats),
    engineRules,
    isUnguarded(request),
    // All of them: which concern a later state of the change nobody knows.
    guidelines.map(({ paths, file, text }) => [paths, file, text]),
  ];
  return bySeat(seats, (seat, index) => {
    const fingerprint = fingerprints[index] ?? null;
    const { timeout: _, required: __, ...asked } = seat;
    return fingerprint === null ? null : hash([same, asked, fingerprint]);
  });
}

/** Then all are asked about security. */
function isUnguarded({ isSensitive = false, seats }: PlanRequest): boolean {
  return isSensitive && guardsOf(seats).length === 0;
}

function bySeat(
  seats: readonly Seat[],
  tell: (seat: Seat, index: number) => string | null,
): Record<string, string | null> {
  return Object.fromEntries(seats.map((seat, index) => [seat.id, tell(seat, index)]));
}

/** By seat: what its prompts say of the guidelines. One that concerns none of its files, or only others, decides no answer. */
type Told = readonly (readonly unknown[])[];

function guidelinesTold(
  { seats, subject, egress, mode }: Pick<PlanRequest, 'seats' | 'subject' | 'egress' | 'mode'>,
  guidelines: NonNullable<Plan['guidelines']>,
): Told {
  if (subject.kind !== 'change' || guidelines.length === 0) return [];
  const guidelinesFor = openGuidelines({ guidelines, mode, ...(egress && { egress }) });
  return seats.map(seat =>
    guidelinesFor(
      seat,
      selectFiles(subject, seat.persona).readable.map(({ path }) => path),
    ).map(({ paths, file, text }) => [paths, file, text]),
  );
}

/** One pack serves all reviewers: it is sized for the one that takes least. */
function packRulesOf({ packs }: Config, seats: readonly Seat[]): PackRules {
  const caps = { plannerCaps: packs?.caps, multipliers: packs?.multipliers };
  const tagged = seats.flatMap(({ model }) =>
    model === undefined || packs === undefined ? [] : (packs.capabilities[model] ?? []),
  );
  const [least = 'reasoning_high'] = tagged.toSorted(
    (one, other) =>
      packCap('Large', 'reviewer', one, caps) - packCap('Large', 'reviewer', other, caps),
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
  return subject.files.map(fileIdentity);
}

function fileIdentity(file: Change['files'][number]): unknown {
  return [
    file.path,
    file.oldPath,
    file.status,
    file.oldMode,
    file.newMode,
    file.content,
    file.oldId,
    file.newId,
    file.hunks,
  ];
}
