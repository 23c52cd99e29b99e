/** The formal vote, phase by phase. Whoever answers for the members comes in through two ports. */
import type { Clock } from '../../core/ports/clock.ts';
import { accountForMotions } from '../../core/vote/account-for-motions.ts';
import { aggregate, type Aggregation, inOrder } from '../../core/vote/aggregation.ts';
import { type AuditTrail, createAuditTrail } from '../../core/vote/audit-trail.ts';
import {
  type ConflictSearch,
  findConflicts,
  type FoundConflicts,
  gatherConflicts,
} from '../../core/vote/conflicts.ts';
import { describeSecondPass } from '../../core/vote/forecast.ts';
import { type SampleWanted, settleSamples, wantSample } from './ask-in-looks.ts';
import type { ConflictsFound, ConflictsWanted } from './search-conflicts.ts';
import type { Session } from '../../core/vote/motion.ts';
import {
  countResponses,
  type MotionsMode,
  type MotionsRun,
  nothingPaid,
  summariseSampling,
  summariseTriage,
  thresholdsOf,
  type VoteSampling,
  type VoteSpending,
} from '../../core/vote/motions-run.ts';
import type { ConflictDetector, MotionsSettings } from '../../core/vote/motions-settings.ts';
import { speakersOf } from '../../core/vote/panel-record.ts';
import { type PanelSeating, type Seated, seatPanels } from '../../core/vote/panels.ts';
import {
  type AskedBy,
  hashParts,
  nobodyAsked,
  recordConflicts,
  type RecordedInputs,
  recordInputs,
} from '../../core/vote/recorded-inputs.ts';
import { buildPackets, type Packet, triage, type TriagedMotion } from '../../core/vote/triage.ts';
import {
  type AmendedMotion,
  type Ballot,
  findAmended,
  findBeyondQuorum,
  type HeldSecondPass,
  markOpen,
  type Ratified,
  ratify,
} from '../../core/vote/ratify.ts';
import type { PanelRecord, ReviewResponse } from '../../core/vote/records.ts';
import { labelOf, type RuleSet } from '../../core/vote/rule-set.ts';
import type { SessionInput } from '../../core/vote/session-input.ts';
import { auditRatification } from './audit-ratification.ts';

export interface ReviewsWanted {
  readonly session: Session;
  readonly motions: readonly TriagedMotion[];
  /** In roster order; empty ones too. */
  readonly packets: readonly Packet[];
  /** Null: everybody is asked at once. */
  readonly sampling: SampleWanted | null;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface PanelsWanted {
  readonly session: Session;
  /** In motion order. */
  readonly panels: readonly PanelSeating[];
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface SecondPassWanted {
  readonly session: Session;
  /** In the order of the session; never empty. */
  readonly motions: readonly AmendedMotion[];
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Answers for the members. Failures of members are rows; a rejection is a fault in Jury, or `UserError` for what a person can put right. */
export interface Deliberators {
  /** True: nobody was asked, and every artifact says so. */
  readonly simulated: boolean;
  /** What members are told and where; absent where nobody is asked. */
  readonly asked?: AskedBy;
  /** Looks for contradictions by asking a model; missing where there is none to ask. */
  findContradictions?(wanted: ConflictsWanted): Promise<ConflictsFound>;
  /** Id of the run that holds the vote; null: no run does, as in a simulation. */
  readonly run: string | null;
  /** One row for each assignment, in any order. Where motions are sampled: for each that was put to a member. */
  collectReviews(wanted: ReviewsWanted): Promise<readonly ReviewResponse[]>;
  /** One record for each panel, in any order. */
  holdPanels(wanted: PanelsWanted): Promise<readonly PanelRecord[]>;
  /** Puts amended texts to those who amended or opposed. Null: nobody is asked again, the second pass is assumed. */
  readonly holdSecondPass: ((wanted: SecondPassWanted) => Promise<HeldSecondPass>) | null;
  /** So far; absent where nobody is paid. */
  readonly spent?: () => VoteSpending;
}

export interface VoteRequest {
  readonly input: SessionInput;
  /** The session folder, as the person named it. */
  readonly source: string;
  readonly rules: RuleSet;
  /** All that ship with Jury: by which of them a motion would have ended otherwise is part of its account. */
  readonly shipped: readonly RuleSet[];
  readonly settings: MotionsSettings;
  /** Gap members to ask on each motion of medium risk; null: all. */
  readonly sample: number | null;
  /** Triage alone: no packets either. */
  readonly triageOnly: boolean;
}

export interface VoteWorld {
  readonly clock: Clock;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
  /** A UUID that is always the same for one name. */
  readonly uuid: (name: string) => string;
  /** Null: nobody answers; the vote ends with the packets. */
  readonly deliberators: Deliberators | null;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
  /** Keeps the results that need no audit trail; resolves with the SHA-256 of each artifact by its name, which the trail records. */
  readonly keepResults: (
    run: Omit<MotionsRun, 'audit'>,
  ) => Promise<Readonly<Record<string, string>>>;
}

/** Null when it was interrupted: then nothing is decided. */
export async function runMotions(
  request: VoteRequest,
  world: VoteWorld,
): Promise<MotionsRun | null> {
  const { deliberators, signal, note } = world;
  const opened = await openVote(request, world);
  if (signal.aborted) return null;
  if (deliberators === null || request.triageOnly) return close(opened, nothingDecided);
  const { session } = request.input;
  const { triaged } = opened;
  if (deliberators.holdSecondPass !== null) announceSecondPass(opened);
  const sampling = sampleFor(opened, deliberators);
  const responses = inOrder(
    session,
    await deliberators.collectReviews({
      session,
      motions: triaged,
      packets: opened.packets,
      sampling,
      signal,
      note,
    }),
  );
  if (signal.aborted) return null;
  const opening =
    sampling === null
      ? opened
      : { ...opened, ...settleSamples(opened, sampling, responses, request.settings) };
  const { packets } = opening;
  const aggregations = aggregate({
    session,
    triaged,
    packets,
    responses,
    thresholds: request.settings,
    at: opening.time(),
  });
  auditReviews(opening, responses, aggregations);
  const seated = seatPanels({
    session,
    triaged,
    packets,
    responses,
    aggregations,
    runId: runIdOf(opening, deliberators),
    hash: world.hash,
    uuid: world.uuid,
  });
  const panels = await holdPanels(opening, seated, deliberators);
  if (signal.aborted) return null;
  const texts = new Map(session.motions.map(({ id, text }) => [id, text]));
  const ballot: Ballot = {
    sessionId: session.id,
    rosterSize: session.roster.length,
    aggregations,
    responses,
    panels,
    sampled: new Map(
      opening.sampling?.motions.flatMap(({ motionId, decided }) =>
        decided === null ? [] : [[motionId, decided] as const],
      ),
    ),
    textOf: id => texts.get(id) ?? '',
    simulated: deliberators.simulated,
    uuid: world.uuid,
  };
  const again = await holdSecondPass(opening, ballot, deliberators);
  if (signal.aborted) return null;
  const ratified = ratify(ballot, again, request.rules, opening.time());
  auditRatification({ ...ballot, ...ratified }, again, opening.audit, opening.time);
  return close(opening, {
    responses,
    secondResponses: again?.responses ?? [],
    aggregations: markOpen(aggregations, ratified.results),
    panels,
    skippedPanels: seated.skipped,
    ...ratified,
  });
}

interface Opening {
  readonly request: VoteRequest;
  readonly world: VoteWorld;
  readonly mode: MotionsMode;
  readonly audit: AuditTrail;
  /** Now, as ISO 8601. */
  readonly time: () => string;
  readonly startedMs: number;
  readonly startedAt: string;
  readonly triagedAt: string;
  readonly triaged: readonly TriagedMotion[];
  readonly conflictSearch: ConflictSearch;
  /** All that could be asked; once that is done, what was put to each member. */
  readonly packets: readonly Packet[];
  /** Null: everybody is asked at once, or nobody was asked yet. */
  readonly sampling: VoteSampling | null;
  readonly inputs: RecordedInputs;
}

/** Phases 0 to 2: no member is asked yet. */
async function openVote(request: VoteRequest, world: VoteWorld): Promise<Opening> {
  const { input, rules, settings, source } = request;
  const { deliberators, clock, hash, note } = world;
  const time = (): string => clock.now().toISOString();
  const [startedAt, startedMs] = [time(), clock.monotonicMs()];
  const inputs = inputsOf(request, deliberators);
  const audit = createAuditTrail(
    input.session.id,
    { rule_set: labelOf(rules), simulated: deliberators?.simulated ?? false },
    hash,
  );
  audit.record({
    event_type: 'pipeline_started',
    occurred_at: startedAt,
    attributed_to: [],
    details: {
      consolidator_path: source,
      mega_motions: input.megaMotions,
      novel_proposals: input.novelProposals,
      ...hashParts(inputs, hash),
    },
  });
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  const { conflicts, search, named } = await searchConflicts(request, world);
  const {
    low,
    medium,
    max_conflicts: maxConflicts,
    triage: { low_from_tier: lowFromTier },
  } = settings;
  const triaged = triage(input.session, conflicts, { low, medium, maxConflicts, lowFromTier });
  const { low_risk, medium_risk, high_risk } = summariseTriage({ triaged, conflictSearch: search });
  const triagedAt = time();
  audit.record({
    event_type: 'triage_completed',
    occurred_at: triagedAt,
    attributed_to: [],
    details: { low_risk, medium_risk, high_risk },
  });
  const packets = request.triageOnly
    ? []
    : buildPackets(
        input.session,
        triaged,
        request.sample === null ? null : { size: request.sample, hash },
      );
  const opening: Opening = {
    request,
    world,
    mode: modeOf(request, deliberators),
    audit,
    time,
    startedAt,
    startedMs,
    triagedAt,
    triaged,
    conflictSearch: search,
    packets,
    sampling: null,
    inputs: named === undefined ? inputs : { ...inputs, conflicts_named: recordConflicts(named) },
  };
  if (!request.triageOnly) announcePackets(opening);
  return opening;
}

async function searchConflicts(
  { input: { session, positions }, settings }: VoteRequest,
  { deliberators, signal, note }: VoteWorld,
): Promise<FoundConflicts & { readonly named: ConflictsFound | undefined }> {
  const wantsModel = settings.conflicts.detector === 'model';
  const asked = wantsModel
    ? await deliberators?.findContradictions?.({ session, positions, signal, note })
    : undefined;
  if (wantsModel && asked === undefined)
    note('Warning: there is no model to ask about conflicts; clauses are compared instead.');
  const found =
    asked === undefined
      ? findConflicts(session, positions)
      : {
          conflicts: gatherConflicts(session, positions, asked.contradictions),
          search: {
            detector: 'model' as const,
            isFinished: asked.isFinished,
            dropped: asked.dropped,
          },
        };
  if (!found.search.isFinished) note(unfinished[found.search.detector]);
  return { ...found, named: asked };
}

const unfinished: Readonly<Record<ConflictDetector, string>> = {
  clauses:
    'Warning: the texts hold too many similar clauses; the search for conflicts was not finished.',
  model:
    'Warning: not every text was compared with every other; the search for conflicts was not finished.',
};

function inputsOf(
  { input, rules, shipped, settings, sample }: VoteRequest,
  deliberators: Deliberators | null,
): RecordedInputs {
  const isReal = deliberators !== null && !deliberators.simulated;
  return recordInputs({
    input,
    rules,
    shipped,
    settings,
    sample,
    mode: deliberators === null ? 'packets' : isReal ? 'real' : 'simulated',
    secondPass: deliberators && (deliberators.holdSecondPass === null ? 'assume' : 'ask'),
    runId: deliberators?.run ?? null,
    asked: deliberators?.asked ?? nobodyAsked,
  });
}

function modeOf({ triageOnly }: VoteRequest, deliberators: Deliberators | null): MotionsMode {
  if (triageOnly) return 'triage';
  if (deliberators === null) return 'packets';
  return deliberators.simulated ? 'simulated' : 'real';
}

function announcePackets({ request, world, audit, time, triaged, packets }: Opening): void {
  const { assigned } = countResponses({ packets, responses: [] });
  audit.record({
    event_type: 'packets_generated',
    occurred_at: time(),
    attributed_to: [],
    details: { total_assignments: assigned, avg_per_archon: assigned / packets.length },
  });
  const asked = new Map<string, number>();
  for (const packet of packets)
    for (const { motionId } of packet.assigned) asked.set(motionId, (asked.get(motionId) ?? 0) + 1);
  const reach = triaged.map(({ motion, contributing, conflicts }) => {
    const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
    return {
      title: motion.title,
      constitutional: motion.constitutional,
      implicit: contributing.filter(name => !conflicted.has(name)).length,
      assigned: asked.get(motion.id) ?? 0,
    };
  });
  const beyond = findBeyondQuorum(reach, request.input.session.roster.length, request.rules);
  if (beyond.length > 0)
    world.note(
      `Warning: even if everybody who is asked answers, the quorum of ${labelOf(request.rules)} cannot be reached by: ${beyond.map(({ title }) => title).join('; ')}`,
    );
}

function runIdOf({ request: { input } }: Opening, { run }: Deliberators): string {
  return run ?? input.session.id;
}

/** Null: everybody is asked at once. Where nobody is asked, there is nobody to spare. */
function sampleFor(opening: Opening, deliberators: Deliberators): SampleWanted | null {
  const {
    request: { input, rules, settings },
    world: { hash },
  } = opening;
  const risk = settings.sample_risk;
  if (risk === undefined || deliberators.simulated) return null;
  const runId = runIdOf(opening, deliberators);
  return wantSample(input.session, opening, { risk, rules, runId, hash });
}

function auditReviews(
  { audit, time, mode, packets, sampling }: Opening,
  responses: readonly ReviewResponse[],
  aggregations: readonly Aggregation[],
): void {
  audit.record({
    event_type: 'reviews_aggregated',
    occurred_at: time(),
    attributed_to:
      mode === 'simulated'
        ? []
        : [
            ...new Set(
              responses.flatMap(({ status, archon_name }) => (status === 'ok' ? archon_name : [])),
            ),
          ],
    details: {
      response_count: countResponses({ packets, responses }).answered,
      consensus_count: aggregations.filter(row => row.consensus_reached).length,
      contested_count: aggregations.filter(row => row.contested).length,
      ...(sampling === null ? {} : { sampling: summariseSampling({ sampling }) }),
    },
  });
}

async function holdPanels(
  { request, world, audit, time, mode }: Opening,
  { panels: seatings, skipped }: Seated,
  deliberators: Deliberators,
): Promise<PanelRecord[]> {
  const { session } = request.input;
  const held =
    seatings.length === 0
      ? []
      : await deliberators.holdPanels({
          session,
          panels: seatings,
          signal: world.signal,
          note: world.note,
        });
  const byId = new Map(held.map(panel => [panel.panel_id, panel]));
  const panels = seatings.flatMap(({ panelId }) => byId.get(panelId) ?? []);
  audit.record({
    event_type: 'panels_concluded',
    occurred_at: time(),
    attributed_to: mode === 'simulated' ? [] : [...new Set(panels.flatMap(speakersOf))],
    details: { panels_convened: panels.length, panels_skipped: skipped.length },
  });
  return panels;
}

/** Part of the plan: how many will amend or oppose is not known before they are asked. */
function announceSecondPass({ request, world, packets }: Opening): void {
  if (request.rules.parameters.second_pass === null) return;
  const { assigned } = countResponses({ packets, responses: [] });
  world.note(describeSecondPass({ reviews: assigned }));
}

/** Null: nobody is asked a second time, whatever the first pass came to. */
async function holdSecondPass(
  { request, world: { signal, note } }: Opening,
  ballot: Ballot,
  deliberators: Deliberators,
): Promise<HeldSecondPass | null> {
  if (deliberators.holdSecondPass === null) return null;
  const motions = findAmended(ballot, request.rules);
  const { session } = request.input;
  return motions.length === 0
    ? { texts: new Map(), responses: [] }
    : deliberators.holdSecondPass({ session, motions, signal, note });
}

type Decided = Pick<
  MotionsRun,
  'responses' | 'secondResponses' | 'aggregations' | 'panels' | 'skippedPanels'
> &
  Ratified;

const nothingDecided: Decided = {
  responses: [],
  secondResponses: [],
  aggregations: [],
  panels: [],
  skippedPanels: [],
  history: [],
  results: [],
};

async function close(
  {
    request,
    world,
    mode,
    audit,
    time,
    startedAt,
    startedMs,
    triagedAt,
    triaged,
    conflictSearch,
    packets,
    sampling,
    inputs,
  }: Opening,
  decided: Decided,
): Promise<MotionsRun> {
  const completedAt = time();
  const held = {
    input: request.input,
    inputs,
    mode,
    rules: labelOf(request.rules),
    thresholds: thresholdsOf(request.settings),
    spent: world.deliberators?.spent?.() ?? nothingPaid,
    startedAt,
    triagedAt,
    completedAt,
    triaged,
    conflictSearch,
    packets,
    sampling,
    ...decided,
  };
  const run = {
    ...held,
    accounts: accountForMotions(held, request, request.settings),
  };
  const duration = Math.round((world.clock.monotonicMs() - startedMs) * 1000) / 1e6;
  const details = {
    duration_seconds: duration,
    ...(mode === 'triage' ? {} : { artifacts_sha256: await world.keepResults(run) }),
  };
  audit.record({
    event_type: 'pipeline_completed',
    occurred_at: completedAt,
    attributed_to: [],
    details,
  });
  return { ...run, audit: { events: audit.events, head: audit.head } };
}
