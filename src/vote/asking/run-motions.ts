/** The formal vote, phase by phase. Who answers for the members comes in through a port. */
import { accountForMotions } from '../account-for-motions.ts';
import { aggregate, inOrder } from '../aggregation.ts';
import { describeSecondPass } from '../../core/spending/forecast.ts';
import { countResponses, type MotionsRun, nothingPaid } from '../motions-run.ts';
import { speakersOf } from '../panel-record.ts';
import { seatPanels } from '../panels.ts';
import { type Ballot, countBallots, type HeldSecondPass, isAmended, ratify } from '../ratify.ts';
import type { ReviewResponse } from '../records.ts';
import { auditRatification } from './audit-ratification.ts';
import type { Deliberators } from './deliberators.ts';
import { type OpenVote, openVote, type VoteRequest, type VoteWorld } from './open-vote.ts';

/** Null when it was interrupted: then nothing is decided. */
export async function runMotions(
  request: VoteRequest,
  world: VoteWorld,
): Promise<MotionsRun | null> {
  const { deliberators, signal } = world;
  const opened = await openVote(request, world);
  if (signal.aborted) return null;
  if (deliberators === null || request.triageOnly) return close(opened, opened.run, world);
  const asking = { ...opened, ...world, deliberators };
  const reviewed = { ...opened.run, ...(await review(opened.run, asking)) };
  if (signal.aborted) return null;
  const argued = { ...reviewed, ...(await argue(reviewed, asking)) };
  if (signal.aborted) return null;
  const ballots = countBallots(argued);
  const again = await voteAgain(argued, ballots, asking);
  if (signal.aborted) return null;
  const at = opened.time();
  const ratified = {
    ...argued,
    ...ratify(argued, ballots, { again, at, uuid: world.uuid }),
    secondResponses: again?.responses ?? [],
  };
  auditRatification(ratified, again, opened.record);
  return close(opened, ratified, world);
}

interface Asking extends VoteWorld, Pick<OpenVote, 'record' | 'time'> {
  readonly deliberators: Deliberators;
}

async function review(
  run: MotionsRun,
  { deliberators, record, time, signal, note }: Asking,
): Promise<Partial<MotionsRun>> {
  const { triaged, packets, thresholds, inputs } = run;
  const { session } = run.input;
  const { assigned } = countResponses(run);
  // Part of the plan: how many will amend or oppose is not known before they are asked.
  const isRepeated = inputs.settings.second_pass === 'ask' && inputs.rules.parameters.second_pass;
  if (isRepeated && assigned > 0) note(describeSecondPass({ reviews: assigned }));
  const wanted = { session, motions: triaged, packets, signal, note };
  const collected = await deliberators.collectReviews(wanted, time);
  const responses = deliberators.simulated ? collected : inOrder(session, collected);
  if (signal.aborted) return {};
  const at = time();
  const aggregations = aggregate({ session, triaged, packets, responses, thresholds, at });
  record('reviews_aggregated', deliberators.simulated ? [] : answeringIn(responses), {
    response_count: countResponses({ packets, aggregations }).answered,
    consensus_count: aggregations.filter(row => row.consensus_reached).length,
    contested_count: aggregations.filter(row => row.contested).length,
  });
  return { responses, aggregations };
}

function answeringIn(responses: Iterable<ReviewResponse>): string[] {
  const names = new Set<string>();
  for (const { status, archon_name } of responses) if (status === 'ok') names.add(archon_name);
  return [...names];
}

async function argue(
  run: MotionsRun,
  { deliberators, record, time, hash, uuid, signal, note }: Asking,
): Promise<Partial<MotionsRun>> {
  const { session } = run.input;
  const runId = deliberators.run ?? session.id;
  const { panels: seatings, skipped } = seatPanels({ ...run, session, runId, hash, uuid });
  const held =
    seatings.length === 0
      ? []
      : await deliberators.holdPanels({ session, panels: seatings, signal, note }, time);
  const byId = new Map(held.map(panel => [panel.panel_id, panel]));
  const panels = seatings.flatMap(({ panelId }) => byId.get(panelId) ?? []);
  record('panels_concluded', [...new Set(panels.flatMap(speakersOf))], {
    panels_convened: panels.length,
    panels_skipped: skipped.length,
  });
  return { panels, skippedPanels: skipped };
}

/** Null: no member is asked a second time, whatever the first pass came to. */
async function voteAgain(
  { input: { session } }: MotionsRun,
  ballots: readonly Ballot[],
  { deliberators: { holdSecondPass }, signal, note }: Asking,
): Promise<HeldSecondPass | null> {
  if (holdSecondPass === null) return null;
  const motions = ballots.filter(isAmended);
  return motions.length === 0
    ? { texts: new Map(), responses: [] }
    : holdSecondPass({ session, motions, signal, note });
}

async function close(
  { request, startedMs, record, time }: OpenVote,
  decided: MotionsRun,
  { clock, deliberators, keepResults }: VoteWorld,
): Promise<MotionsRun> {
  const completedAt = time();
  const ended = { ...decided, completedAt, spent: deliberators?.spent?.() ?? nothingPaid };
  const run = { ...ended, accounts: accountForMotions(ended) };
  const seconds = Math.round((clock.monotonicMs() - startedMs) * 1000) / 1e6;
  const kept = request.triageOnly ? {} : { artifacts_sha256: await keepResults(run) };
  record('pipeline_completed', [], { duration_seconds: seconds, ...kept });
  const { events, head } = run.audit;
  return { ...run, audit: { events, head } };
}
