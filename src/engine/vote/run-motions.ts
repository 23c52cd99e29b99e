/** The formal vote, phase by phase. Whoever answers for the members comes in through two ports. */
import type { Clock } from '../../core/ports/clock.ts';
import {
  aggregate,
  type Aggregation,
  inOrder,
  type PanelSeating,
  seatPanel,
} from '../../core/vote/aggregation.ts';
import { type AuditTrail, createAuditTrail } from '../../core/vote/audit-trail.ts';
import { findConflicts } from '../../core/vote/conflicts.ts';
import type { Session } from '../../core/vote/motion.ts';
import {
  countOutcomes,
  countResponses,
  type MotionsMode,
  type MotionsRun,
  nothingPaid,
  summariseTriage,
  thresholdsOf,
  type VoteSpending,
} from '../../core/vote/motions-run.ts';
import type { MotionsSettings } from '../../core/vote/motions-settings.ts';
import { buildPackets, type Packet, triage, type TriagedMotion } from '../../core/vote/triage.ts';
import {
  type FirstOutcome,
  nobodyVoted,
  type RatificationRow,
} from '../../core/vote/ratification.ts';
import {
  type Ballot,
  findBeyondQuorum,
  markOpen,
  type Ratified,
  ratify,
} from '../../core/vote/ratify.ts';
import type { PanelRecord, Recommendation, ReviewResponse } from '../../core/vote/records.ts';
import { labelOf, type RuleSet } from '../../core/vote/rule-set.ts';
import type { SessionInput } from '../../core/vote/session-input.ts';

export interface ReviewsWanted {
  readonly session: Session;
  readonly motions: readonly TriagedMotion[];
  /** In roster order; empty ones too. */
  readonly packets: readonly Packet[];
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

/** Answers for the members. Failures of members are rows; a rejection is a fault in Jury, or `UserError` for what a person can put right. */
export interface Deliberators {
  /** True: nobody was asked, and every artifact says so. */
  readonly simulated: boolean;
  /** One row for each assignment, in any order. */
  collectReviews(wanted: ReviewsWanted): Promise<readonly ReviewResponse[]>;
  /** One record for each panel, in any order. */
  holdPanels(wanted: PanelsWanted): Promise<readonly PanelRecord[]>;
  /** So far; absent where nobody is paid. */
  readonly spent?: () => VoteSpending;
}

export interface VoteRequest {
  readonly input: SessionInput;
  /** The session folder, as the person named it. */
  readonly source: string;
  readonly rules: RuleSet;
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
  const opening = openVote(request, world);
  const { deliberators, signal, note } = world;
  if (deliberators === null || request.triageOnly) return close(opening, nothingDecided);
  const { session } = request.input;
  const { triaged, packets } = opening;
  const responses = inOrder(
    session,
    await deliberators.collectReviews({ session, motions: triaged, packets, signal, note }),
  );
  if (signal.aborted) return null;
  const aggregations = aggregate({
    session,
    triaged,
    packets,
    responses,
    thresholds: request.settings,
    at: opening.time(),
  });
  auditReviews(opening, responses, aggregations);
  const panels = await holdPanels(opening, aggregations, deliberators);
  if (signal.aborted) return null;
  const ballot = {
    sessionId: session.id,
    rosterSize: session.roster.length,
    aggregations,
    responses,
    panels,
    simulated: deliberators.simulated,
    uuid: world.uuid,
  };
  const ratified = ratify(ballot, request.rules, opening.time());
  auditRatification({ ...ballot, ...ratified }, opening.audit, opening.time);
  return close(opening, {
    responses,
    aggregations: markOpen(aggregations, ratified.results),
    panels,
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
  readonly packets: readonly Packet[];
}

/** Phases 0 to 2: nobody is asked yet. */
function openVote(request: VoteRequest, world: VoteWorld): Opening {
  const { input, rules, settings, source } = request;
  const { deliberators, clock, hash, note } = world;
  const time = (): string => clock.now().toISOString();
  const [startedAt, startedMs] = [time(), clock.monotonicMs()];
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
    },
  });
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  const { conflicts, isComplete } = findConflicts(input.session, input.positions);
  if (!isComplete)
    note(
      'Warning: the texts hold too many similar clauses; the search for conflicts was not finished.',
    );
  const {
    low,
    medium,
    max_conflicts: maxConflicts,
    triage: { low_from_tier: lowFromTier },
  } = settings;
  const triaged = triage(input.session, conflicts, { low, medium, maxConflicts, lowFromTier });
  const { low_risk, medium_risk, high_risk } = summariseTriage(triaged);
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
    packets,
  };
  if (!request.triageOnly) announcePackets(opening);
  return opening;
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

function auditReviews(
  { audit, time, mode, packets }: Opening,
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
    },
  });
}

async function holdPanels(
  { request, world, triaged, audit, time, mode }: Opening,
  aggregations: readonly Aggregation[],
  deliberators: Deliberators,
): Promise<PanelRecord[]> {
  const { session } = request.input;
  const seatings = aggregations.flatMap((aggregation, index): PanelSeating[] => {
    const subject = triaged[index];
    return aggregation.contested && subject
      ? [
          seatPanel(
            subject,
            aggregation,
            session.roster,
            world.uuid(`${session.id}|panel|${aggregation.mega_motion_id}`),
          ),
        ]
      : [];
  });
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
  const heard = panels
    .filter(({ status }) => status === 'concluded')
    .flatMap(({ supporters, critics, neutrals }) => [...supporters, ...critics, ...neutrals]);
  audit.record({
    event_type: 'panels_concluded',
    occurred_at: time(),
    attributed_to: mode === 'simulated' ? [] : [...new Set(heard)],
    details: { panels_convened: panels.length },
  });
  return panels;
}

type Decided = Pick<MotionsRun, 'responses' | 'aggregations' | 'panels'> & Ratified;

const nothingDecided: Decided = {
  responses: [],
  aggregations: [],
  panels: [],
  history: [],
  results: [],
};

async function close(
  { request, world, mode, audit, time, startedAt, startedMs, triagedAt, triaged, packets }: Opening,
  decided: Decided,
): Promise<MotionsRun> {
  const completedAt = time();
  const run = {
    input: request.input,
    mode,
    rules: labelOf(request.rules),
    thresholds: thresholdsOf(request.settings),
    spent: world.deliberators?.spent?.() ?? nothingPaid,
    startedAt,
    triagedAt,
    completedAt,
    triaged,
    packets,
    ...decided,
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

// Records how the vote ended: the first pass, the amended motions, the second pass, and panels that advised otherwise.

export function auditRatification(
  vote: Ballot & Ratified,
  audit: AuditTrail,
  time: () => string,
): void {
  const firstPass = vote.history.filter(({ revision_of }) => revision_of === null);
  const secondPass = vote.history.filter(({ revision_of }) => revision_of !== null);
  const panels = new Map(vote.panels.map(panel => [panel.mega_motion_id, panel]));
  const record = (
    event_type: string,
    attributed_to: readonly string[],
    details: Readonly<Record<string, unknown>>,
  ): void =>
    audit.record({
      event_type,
      occurred_at: time(),
      attributed_to: vote.simulated ? [] : attributed_to,
      details,
    });
  const accepted = firstPass.filter(({ outcome }) => outcome === 'accepted_with_amendments').length;
  record('ratification_completed', voters(firstPass), {
    ...countOutcomes(firstPass),
    ...(accepted > 0 ? { accepted_with_amendments: accepted } : {}),
  });
  recordMismatches(firstPass, panels, record);
  if (secondPass.length === 0) return;
  const amended = new Map(firstPass.map(row => [row.vote_id, row]));
  for (const { mega_motion_id, revision_of: vote_id } of secondPass)
    record('amendment_synthesis_completed', amenders(amended.get(vote_id ?? '')), {
      mega_motion_id,
      vote_id,
    });
  record('final_ratification_completed', voters(secondPass), countOutcomes(secondPass));
  recordMismatches(secondPass, panels, record);
}

type Recorder = (
  event: string,
  attributedTo: readonly string[],
  details: Readonly<Record<string, unknown>>,
) => void;

function voters(rows: readonly RatificationRow[]): string[] {
  return [...new Set(rows.flatMap(({ cast }) => Object.values(cast ?? nobodyVoted).flat()))];
}

function amenders(row: RatificationRow | undefined): string[] {
  return [...(row?.cast?.amend ?? [])];
}

/** Outcomes that go against what a panel recommended. */
const contrary: Readonly<Record<Recommendation, readonly FirstOutcome[]>> = {
  pass: ['rejected'],
  fail: ['ratified'],
  amend: ['rejected'],
  defer: ['ratified', 'rejected'],
};

function recordMismatches(
  rows: readonly RatificationRow[],
  panels: ReadonlyMap<string, PanelRecord>,
  record: Recorder,
): void {
  for (const { mega_motion_id, panel_recommendation, outcome } of rows) {
    if (panel_recommendation === null || !contrary[panel_recommendation].includes(outcome))
      continue;
    const { supporters = [], critics = [], neutrals = [] } = panels.get(mega_motion_id) ?? {};
    record('panel_vote_mismatch', [...supporters, ...critics, ...neutrals], {
      mega_motion_id,
      recommendation: panel_recommendation,
      outcome,
    });
  }
}
