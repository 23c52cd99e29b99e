/** The formal vote, phase by phase. Who answers for the members comes in through a port. */
import {
  accountForMotions,
  type MotionsRun,
  type VoteSpending,
  countOutcomes,
  countResponses,
  secondPassWords,
  summariseTriage,
} from '../motions-run.ts';
import { aggregate, inOrder, labelOf, toResponse } from '../aggregation.ts';
import { longestAmended } from '../answers.ts';
import {
  type AskedBy,
  createAuditTrail,
  hashParts,
  type Recording,
  recordInputs,
} from '../recorded-inputs.ts';
import { gatherConflicts, buildPackets, triage } from '../triage.ts';
import { lengthBeyond } from '../../core/prompt/answer-form.ts';
import { describeSecondPass } from '../../core/spending/forecast.ts';
import { isContrary, type PanelSeating, seatPanels } from '../panels.ts';
import {
  type AmendedMotion,
  countBallots,
  type HeldSecondPass,
  isAmended,
  ratify,
  type VotedMotion,
} from '../ratify.ts';
import type { Answer, ConflictsNamed, PanelRecord, Position } from '../records.ts';
import { simulateReviews } from '../artifacts.ts';
import type { Clock } from '../../core/ports/runner.ts';

export interface VoteRequest extends Recording {
  /** The session folder, as the person named it. */
  readonly source: string;
  /** Triage alone: no packets either. */
  readonly triageOnly: boolean;
}

export interface VoteWorld {
  readonly clock: Clock;
  /** Null: no member is asked. Unless it is simulated the vote then ends with the packets. */
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
  /** Id of the run that holds the vote; null: no run does. */
  readonly run: string | null;
  /** What members are told and where. */
  readonly asked?: AskedBy;
  /** Looks for contradictions by asking a model; missing where there is none to ask. */
  findContradictions?(positions: readonly Position[]): Promise<ConflictsNamed>;
  /** One for each assignment, in any order. */
  collectReviews(drawn: DrawnVote): Promise<readonly Answer[]>;
  /** One record for each panel, in any order. */
  holdPanels(panels: readonly PanelSeating[]): Promise<readonly PanelRecord[]>;
  /** Puts amended texts to those who amended or opposed. Null: nobody is asked again, the second pass is assumed. */
  readonly holdSecondPass: ((amended: readonly AmendedMotion[]) => Promise<HeldSecondPass>) | null;
  /** So far; absent where nobody is paid. */
  readonly spent?: () => Promise<VoteSpending>;
}

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
    { rule_set: labelOf(request.rules), simulated: request.isSimulated },
    clock,
  );
  const vote = { ...request, ...world, audit };
  const drawing = draw(vote).then(drawn => {
    signal.throwIfAborted();
    return request.triageOnly || drawn.mode === 'packets' ? drawn : ask(drawn, vote);
  });
  const decided = await drawing.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return null;
  });
  if (decided === null) return null;
  const completedAt = audit.time();
  const spent = (await deliberators?.spent?.()) ?? nothingPaid;
  const run = { ...decided, completedAt, spent };
  const seconds = Math.round((clock.monotonicMs() - startedMs) * 1000) / 1e6;
  const kept = keepResults && { artifacts_sha256: await keepResults(run) };
  audit.record('pipeline_completed', [], { duration_seconds: seconds, ...kept });
  return { ...run, audit: { events: audit.events, head: audit.head } };
}

const nothingPaid: VoteSpending = { calls: 0, tokens: 0, cost: null };

interface OpenVote extends VoteRequest, VoteWorld {
  audit: AuditTrail;
}

/** Phases 0 to 2: no member is asked yet. */
async function draw(vote: OpenVote) {
  const { input, rules, settings, sample, triageOnly, deliberators, note, audit } = vote;
  const { session, positions } = input;
  const { record, time } = audit;
  const recorded = recordInputs(vote, deliberators);
  const startedAt = time();
  record('pipeline_started', [], {
    consolidator_path: vote.source,
    mega_motions: input.megaMotions,
    novel_proposals: input.novelProposals,
    ...hashParts(recorded),
  });
  for (const warning of input.warnings) note(`Warning: ${warning}`);
  // Texts are compared where a model can be asked; what members stated counts in any case.
  const named =
    settings.conflicts.detector === 'off'
      ? null
      : ((await deliberators?.findContradictions?.(positions)) ?? null);
  if (named?.is_finished === false)
    note(
      'Warning: not every text was compared with every other; the search for conflicts was not finished.',
    );
  const conflicts = gatherConflicts(session, positions, named?.contradictions ?? []);
  const triaged = triage(session, conflicts, settings);
  const triagedAt = time();
  const packets = triageOnly ? [] : buildPackets(session, triaged, sample);
  const run: MotionsRun = {
    input,
    inputs: { ...recorded, conflicts_named: named },
    mode: triageOnly ? 'triage' : recorded.mode,
    rules: labelOf(rules),
    spent: nothingPaid,
    startedAt,
    triagedAt,
    completedAt: triagedAt,
    triaged,
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
  const { low_risk, medium_risk, high_risk } = summariseTriage(run);
  record('triage_completed', [], { low_risk, medium_risk, high_risk });
  if (triageOnly) return run;
  const { assigned } = countResponses(run);
  record('packets_generated', [], {
    total_assignments: assigned,
    avg_per_archon: assigned / packets.length,
  });
  if (run.mode === 'real') warnOfAsking(triaged, assigned, vote);
  return run;
}

/** What nobody is asked about, and what nobody is shown. */
function warnOfAsking(
  triaged: MotionsRun['triaged'],
  assigned: number,
  { settings: { limits }, note }: OpenVote,
) {
  if (assigned === 0) note('Nobody is asked: no motion is of a risk at which it is reviewed.');
  const most = limits.motion_text;
  const cut = triaged.flatMap(({ motion: { text }, riskTier }, index) => {
    const length = riskTier === 'low' ? null : lengthBeyond(text, most);
    return length === null ? [] : [`${index + 1} (${length})`];
  });
  if (cut.length === 0) return;
  const rest = cut.length - mostListed;
  const listed = `${cut.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  note(
    `Warning: members are shown only the first ${most} characters of ` +
      `${cut.length === 1 ? 'a motion that is longer' : `${cut.length} motions that are longer`}: ${listed}. "limits: ` +
      '{ motion_text: … }" of the motions settings shows more.',
  );
}

const mostListed = 10;

/** Phases 3 to 6: reviews, panels, the second pass, and the decision. */
async function ask(drawn: MotionsRun, vote: OpenVote) {
  const { audit, deliberators, signal, note } = vote;
  const { record, time } = audit;
  const { triaged, packets, inputs } = drawn;
  const { session } = drawn.input;
  const { assigned } = countResponses(drawn);
  // Part of the plan: how many will amend or oppose is not known before they are asked.
  const isRepeated = inputs.settings.second_pass === 'ask' && inputs.rules.parameters.second_pass;
  if (isRepeated && assigned > 0) note(describeSecondPass({ reviews: assigned }));
  const collected = (await deliberators?.collectReviews(drawn)) ?? null;
  signal.throwIfAborted();
  const said = collected && inOrder(collected, session);
  const responses = said ?? simulateReviews(packets, time());
  const counting = { session, triaged, packets, responses, isSimulated: said === null };
  const counted = aggregate({ ...counting, thresholds: inputs.settings, at: time() });
  const aggregations = counted.map(({ counts }) => counts);
  record('reviews_aggregated', namesOf(said ?? []), {
    response_count: countResponses({ ...drawn, aggregations }).answered,
    consensus_count: aggregations.filter(row => row.consensus_reached).length,
    contested_count: aggregations.filter(row => row.contested).length,
  });
  const { panels: seatings, skipped } = seatPanels(counted, session, inputs.run_id ?? session.id);
  // Of a simulation, in which nobody opposes anything, there is none.
  const held = seatings.length === 0 ? [] : ((await deliberators?.holdPanels(seatings)) ?? []);
  signal.throwIfAborted();
  const byId = new Map(held.map(panel => [panel.panel_id, panel]));
  const panels = seatings.flatMap(({ panelId }) => byId.get(panelId) ?? []);
  record('panels_concluded', [...new Set(panels.flatMap(speakersOf))], {
    panels_convened: panels.length,
    panels_skipped: skipped.length,
  });
  const argued = { ...drawn, responses, panels, skippedPanels: skipped };
  const ballots = countBallots(counted, argued);
  const amended = ballots.filter(isAmended);
  const again = await holdAgain(amended, vote);
  signal.throwIfAborted();
  const { motions, ...rows } = ratify(ballots, argued, { again, at: time() });
  auditRatification(motions, again, record);
  return {
    ...argued,
    ...rows,
    secondResponses: again?.secondResponses ?? [],
    accounts: accountForMotions(motions, argued),
  };
}

/** Null: no member is asked a second time, whatever the first pass came to. */
async function holdAgain(
  amended: readonly AmendedMotion[],
  { deliberators, input: { session } }: OpenVote,
) {
  const holdSecondPass = deliberators?.holdSecondPass ?? null;
  if (holdSecondPass === null) return null;
  if (amended.length === 0) return { texts: new Map(), secondResponses: [] };
  const { texts, answers } = await holdSecondPass(amended);
  return {
    texts,
    secondResponses: inOrder(answers, session).map(answer =>
      toResponse(answer, texts.get(answer.mega_motion_id)?.text ?? '', longestAmended),
    ),
  };
}

/** Of those who answered, each once. */
function namesOf(responses: readonly Answer[]) {
  const answers = responses.filter(({ stance }) => stance !== null);
  return [...new Set(answers.map(({ archon_name }) => archon_name))];
}

/** How the vote ended: the first pass, the amended motions, the second pass, and panels that advised otherwise. */
function auditRatification(
  motions: readonly VotedMotion[],
  again: Pick<MotionsRun, 'secondResponses'> | null,
  record: AuditTrail['record'],
) {
  const recordPass = (
    event: string,
    voters: readonly string[],
    pass: 'first' | 'second',
    details: object,
  ) => {
    const rows = motions.flatMap(motion => motion[pass] ?? []);
    record(event, voters, { ...countOutcomes(rows), ...details });
    for (const { [pass]: row, panel } of motions)
      if (row !== null && panel !== null && isContrary(row.panel_recommendation, row.outcome))
        record('panel_vote_mismatch', speakersOf(panel), {
          mega_motion_id: row.mega_motion_id,
          recommendation: row.panel_recommendation,
          outcome: row.outcome,
        });
  };
  const accepted = motions.filter(
    ({ first }) => first.outcome === 'accepted_with_amendments',
  ).length;
  const voters = motions.flatMap(({ cast }) => cast.map(([name]) => name));
  recordPass('ratification_completed', [...new Set(voters)], 'first', {
    ...(accepted > 0 && { accepted_with_amendments: accepted }),
  });
  const second = motions.flatMap(motion => motion.second ?? []);
  if (second.length === 0) return;
  // Rows that were deferred for revision had no second pass.
  for (const { cast, second: row } of motions)
    if (row !== null)
      record(
        'amendment_synthesis_completed',
        cast.flatMap(([name, vote]) => (vote === 'amend' ? name : [])),
        {
          mega_motion_id: row.mega_motion_id,
          vote_id: row.revision_of,
          revised_by: row.revised_by,
          second_pass: words(row.second_pass),
        },
      );
  const answering = again?.secondResponses.filter(({ status }) => status === 'ok') ?? [];
  recordPass('final_ratification_completed', namesOf(answering), 'second', {
    second_pass: words(second.find(row => row.second_pass !== null)?.second_pass ?? null),
    ...(again && { questions: again.secondResponses.length, response_count: answering.length }),
  });
}

function words(how: MotionsRun['history'][number]['second_pass']) {
  return how && secondPassWords[how];
}

type AuditTrail = ReturnType<typeof createAuditTrail>;

/** Whose words or votes are kept, also of a panel that failed. */
function speakersOf(panel: PanelRecord) {
  return panel.arguments.flatMap(({ archon_name, argument, vote }) =>
    argument === null && vote === null ? [] : archon_name,
  );
}
