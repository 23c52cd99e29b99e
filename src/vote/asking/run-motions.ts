/** The formal vote, phase by phase. Who answers for the members comes in through a port. */
import { accountForMotions } from '../account-for-motions.ts';
import { aggregate, inOrder } from '../aggregation.ts';
import { type AuditTrail, createAuditTrail } from '../audit-trail.ts';
import { gatherConflicts, type Position } from '../conflicts.ts';
import { lengthBeyond } from '../../core/prompt/foreign-text.ts';
import { describeSecondPass } from '../../core/spending/forecast.ts';
import type { MotionsSettings } from '../../core/words/motions-settings.ts';
import {
  countResponses,
  type MotionsRun,
  nothingPaid,
  summariseTriage,
  type VoteSpending,
} from '../motions-run.ts';
import { speakersOf } from '../panel-record.ts';
import { type PanelSeating, seatPanels } from '../panels.ts';
import {
  type AmendedMotion,
  countBallots,
  type HeldSecondPass,
  isAmended,
  ratify,
} from '../ratify.ts';
import {
  type AskedBy,
  type ConflictsNamed,
  hashParts,
  nobodyAsked,
  recordConflicts,
  recordInputs,
} from '../recorded-inputs.ts';
import type { PanelRecord, ReviewResponse } from '../records.ts';
import { labelOf, type RuleSet } from '../rule-set.ts';
import type { SessionInput } from '../session-input.ts';
import { simulatePanels, simulateReviews } from '../simulation.ts';
import { buildPackets, triage } from '../triage.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { auditRatification } from './audit-ratification.ts';

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
  /**
   * Keeps the results before the audit trail ends, which records their hashes: resolves with the SHA-256 of each artifact by its
   * name. Null: nothing is kept.
   */
  readonly keepResults: ((run: MotionsRun) => Promise<Readonly<Record<string, string>>>) | null;
}

/**
 * Answers for the members. Failures of members are rows; a rejection is an interruption, a fault in Jury, or `UserError` for what a
 * person can put right.
 */
export interface Deliberators {
  /** True: nobody was asked, and every artifact says so. */
  readonly simulated: boolean;
  /** Id of the run that holds the vote; null: no run does, as in a simulation. */
  readonly run: string | null;
  /** What members are told and where; absent where nobody is asked. */
  readonly asked?: AskedBy;
  /** Looks for contradictions by asking a model; missing where there is none to ask. */
  findContradictions?(positions: readonly Position[]): Promise<ConflictsNamed>;
  /**
   * One row for each assignment, in any order; of a simulation in that of the packets, as they are read. `time`: the moment of
   * the event that this ends with, for answers that were never given.
   */
  collectReviews(drawn: DrawnVote, time: () => string): Promise<Iterable<ReviewResponse>>;
  /** One record for each panel, in any order. */
  holdPanels(panels: readonly PanelSeating[], time: () => string): Promise<readonly PanelRecord[]>;
  /** Puts amended texts to those who amended or opposed. Null: nobody is asked again, the second pass is assumed. */
  readonly holdSecondPass: ((amended: readonly AmendedMotion[]) => Promise<HeldSecondPass>) | null;
  /** So far; absent where nobody is paid. */
  readonly spent?: () => Promise<VoteSpending>;
}

/** A simulation: nobody is asked. */
export const simulatedMembers: Deliberators = {
  simulated: true,
  run: null,
  collectReviews: ({ packets, triaged }, time) =>
    Promise.resolve(simulateReviews(packets, triaged, time())),
  holdPanels: (panels, time) => Promise.resolve(simulatePanels(panels, time())),
  holdSecondPass: null,
};

/** Who is to be asked about what; packets are in roster order, empty ones too. */
export type DrawnVote = Pick<MotionsRun, 'triaged' | 'packets'>;

/** Null when it was interrupted: then nothing is decided. */
export async function runMotions(
  request: VoteRequest,
  world: VoteWorld,
): Promise<MotionsRun | null> {
  const { clock, deliberators, signal, keepResults } = world;
  const startedMs = clock.monotonicMs();
  const audit = createAuditTrail(
    request.input.session.id,
    { rule_set: labelOf(request.rules), simulated: deliberators?.simulated ?? false },
    world.hash,
    clock,
  );
  const vote = { ...request, ...world, audit };
  const decided = await decide(vote).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return null;
  });
  if (decided === null) return null;
  const completedAt = audit.time();
  const spent = (await deliberators?.spent?.()) ?? nothingPaid;
  const ended = { ...decided, completedAt, spent };
  const run = { ...ended, accounts: accountForMotions(ended) };
  const seconds = Math.round((clock.monotonicMs() - startedMs) * 1000) / 1e6;
  const kept = keepResults && { artifacts_sha256: await keepResults(run) };
  audit.record('pipeline_completed', [], { duration_seconds: seconds, ...kept });
  return { ...run, audit: { events: audit.events, head: audit.head } };
}

interface OpenVote extends VoteRequest, VoteWorld {
  readonly audit: AuditTrail;
}

/** Rejects when it is interrupted. */
async function decide(vote: OpenVote): Promise<MotionsRun> {
  const { deliberators, signal } = vote;
  const drawn = await draw(vote);
  signal.throwIfAborted();
  return deliberators === null || vote.triageOnly ? drawn : ask(drawn, deliberators, vote);
}

/** Phases 0 to 2: no member is asked yet. */
async function draw(vote: OpenVote): Promise<MotionsRun> {
  const { input, rules, settings, sample, triageOnly, deliberators, hash, note, audit } = vote;
  const { session } = input;
  const { record, time } = audit;
  const answering =
    deliberators === null ? 'packets' : deliberators.simulated ? 'simulated' : 'real';
  const inputs = recordInputs({
    ...vote,
    mode: answering,
    secondPass: deliberators && (deliberators.holdSecondPass === null ? 'assume' : 'ask'),
    runId: deliberators?.run ?? null,
    asked: deliberators?.asked ?? nobodyAsked,
  });
  const startedAt = time();
  record('pipeline_started', [], {
    consolidator_path: vote.source,
    mega_motions: input.megaMotions,
    novel_proposals: input.novelProposals,
    ...hashParts(inputs, hash),
  });
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  const named = await searchConflicts(vote);
  const conflicts = gatherConflicts(session, input.positions, named?.contradictions ?? []);
  const triaged = triage(session, conflicts, settings);
  const conflictSearch = {
    state: named === null ? 'not_run' : named.isFinished ? 'finished' : 'not_finished',
    dropped: named?.dropped ?? 0,
  } as const;
  const { low_risk, medium_risk, high_risk } = summariseTriage({ triaged, conflictSearch });
  const triagedAt = time();
  record('triage_completed', [], { low_risk, medium_risk, high_risk });
  const sampling = sample === null ? null : { size: sample, hash };
  const packets = triageOnly ? [] : buildPackets(session, triaged, sampling);
  const { low, medium, max_conflicts, consensus, contested } = settings;
  const run: MotionsRun = {
    input,
    inputs: named === null ? inputs : { ...inputs, conflicts_named: recordConflicts(named) },
    mode: triageOnly ? 'triage' : answering,
    rules: labelOf(rules),
    thresholds: { low, medium, max_conflicts, consensus, contested },
    spent: nothingPaid,
    startedAt,
    triagedAt,
    completedAt: triagedAt,
    triaged,
    conflictSearch,
    packets,
    responses: [],
    secondResponses: [],
    aggregations: [],
    panels: [],
    skippedPanels: [],
    history: [],
    results: [],
    accounts: [],
    audit,
  };
  const { assigned } = countResponses(run);
  if (!triageOnly)
    record('packets_generated', [], {
      total_assignments: assigned,
      avg_per_archon: assigned / packets.length,
    });
  if (run.mode === 'real') warnOfAsking(run, vote);
  return run;
}

/** Texts are compared where a model can be asked; what members stated counts in any case. */
async function searchConflicts({ input, settings, deliberators, note }: OpenVote) {
  if (settings.conflicts.detector === 'off') return null;
  const found = await deliberators?.findContradictions?.(input.positions);
  if (found?.isFinished === false)
    note(
      'Warning: not every text was compared with every other; the search for conflicts was not finished.',
    );
  return found ?? null;
}

/** What nobody is asked about, and what nobody is shown. */
function warnOfAsking(
  run: MotionsRun,
  { settings: { limits }, note }: Pick<OpenVote, 'settings' | 'note'>,
): void {
  if (countResponses(run).assigned === 0)
    note('Nobody is asked: no motion is of a risk at which it is reviewed.');
  const most = limits.motion_text;
  const cut = run.triaged.flatMap(({ motion: { text }, riskTier }, index) => {
    const length = riskTier === 'low' ? null : lengthBeyond(text, most);
    return length === null ? [] : [`${index + 1} (${length})`];
  });
  if (cut.length === 0) return;
  const rest = cut.length - mostListed;
  const listed = `${cut.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  note(
    `Warning: members are shown only the first ${most} characters of ${cut.length === 1 ? 'a motion that is longer' : `${cut.length} motions that are longer`}: ${listed}. "limits: { motion_text: … }" of the motions settings shows more.`,
  );
}

const mostListed = 10;

/** Phases 3 to 6: reviews, panels, the second pass, and the decision. */
async function ask(
  drawn: MotionsRun,
  deliberators: Deliberators,
  { audit, hash, uuid, signal, note }: OpenVote,
): Promise<MotionsRun> {
  const { record, time } = audit;
  const { triaged, packets, thresholds, inputs } = drawn;
  const { session } = drawn.input;
  const { assigned } = countResponses(drawn);
  // Part of the plan: how many will amend or oppose is not known before they are asked.
  const isRepeated = inputs.settings.second_pass === 'ask' && inputs.rules.parameters.second_pass;
  if (isRepeated && assigned > 0) note(describeSecondPass({ reviews: assigned }));
  const collected = await deliberators.collectReviews(drawn, time);
  signal.throwIfAborted();
  const responses = deliberators.simulated ? collected : inOrder(session, collected);
  const at = time();
  const aggregations = aggregate({ session, triaged, packets, responses, thresholds, at });
  const answering = Array.from(deliberators.simulated ? [] : responses, response =>
    response.status === 'ok' ? response.archon_name : [],
  );
  record('reviews_aggregated', [...new Set(answering.flat())], {
    response_count: countResponses({ packets, aggregations }).answered,
    consensus_count: aggregations.filter(row => row.consensus_reached).length,
    contested_count: aggregations.filter(row => row.contested).length,
  });
  const reviewed = { ...drawn, responses, aggregations };
  const runId = deliberators.run ?? session.id;
  const { panels: seatings, skipped } = seatPanels({ ...reviewed, session, runId, hash, uuid });
  const held = seatings.length === 0 ? [] : await deliberators.holdPanels(seatings, time);
  signal.throwIfAborted();
  const byId = new Map(held.map(panel => [panel.panel_id, panel]));
  const panels = seatings.flatMap(({ panelId }) => byId.get(panelId) ?? []);
  record('panels_concluded', [...new Set(panels.flatMap(speakersOf))], {
    panels_convened: panels.length,
    panels_skipped: skipped.length,
  });
  const argued = { ...reviewed, panels, skippedPanels: skipped };
  const ballots = countBallots(argued);
  const amended = ballots.filter(isAmended);
  const none: HeldSecondPass = { texts: new Map(), responses: [] };
  const { holdSecondPass } = deliberators;
  // Null: no member is asked a second time, whatever the first pass came to.
  const again = holdSecondPass && (amended.length === 0 ? none : await holdSecondPass(amended));
  signal.throwIfAborted();
  const ratified = {
    ...argued,
    ...ratify(argued, ballots, { again, at: time(), uuid }),
    secondResponses: again?.responses ?? [],
  };
  auditRatification(ratified, again, record);
  return ratified;
}
