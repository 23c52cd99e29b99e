/** The formal vote, phase by phase. Whoever answers for the members comes in through two ports. */
import { accountForMotions } from '../../core/vote/account-for-motions.ts';
import { aggregate, type Aggregation, inOrder } from '../../core/vote/aggregation.ts';
import { describeSecondPass } from '../../core/vote/forecast.ts';
import {
  countResponses,
  type MotionsRun,
  nothingPaid,
  thresholdsOf,
} from '../../core/vote/motions-run.ts';
import { speakersOf } from '../../core/vote/panel-record.ts';
import { type Seated, seatPanels } from '../../core/vote/panels.ts';
import {
  type Ballot,
  findAmended,
  type HeldSecondPass,
  markOpen,
  type Ratified,
  ratify,
} from '../../core/vote/ratify.ts';
import type { PanelRecord, ReviewResponse } from '../../core/vote/records.ts';
import { defaultSampleRisk } from '../../core/vote/motions-settings.ts';
import { labelOf } from '../../core/vote/rule-set.ts';
import type { Packet } from '../../core/vote/triage.ts';
import { auditRatification } from './audit-ratification.ts';
import type { Deliberators } from './deliberators.ts';
import { type Opening, openVote, type VoteRequest, type VoteWorld } from './open-vote.ts';

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
  const { packets } = opened;
  const collected = await deliberators.collectReviews(
    { session, motions: triaged, packets, signal, note },
    opened.time,
  );
  const responses = deliberators.simulated ? collected : inOrder(session, collected);
  if (signal.aborted) return null;
  const opening = opened;
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
    drawn: deliberators.simulated ? new Map() : drawnIn(packets),
    sampleRisk: request.settings.sample_risk ?? defaultSampleRisk,
    textOf: id => texts.get(id) ?? '',
    simulated: deliberators.simulated,
    uuid: world.uuid,
  };
  const again = await holdSecondPass(opening, ballot, deliberators);
  if (signal.aborted) return null;
  const ratified = ratify(ballot, again, request.rules, opening.time());
  auditRatification({ ...ballot, ...ratified }, again, opening.audit);
  return close(opening, {
    responses,
    secondResponses: again?.responses ?? [],
    aggregations: markOpen(aggregations, ratified.results),
    panels,
    skippedPanels: seated.skipped,
    ...ratified,
  });
}

function runIdOf({ request: { input } }: Opening, { run }: Deliberators): string {
  return run ?? input.session.id;
}

/** By motion of which others were drawn than could be asked: names of those who were. */
function drawnIn(packets: readonly Packet[]): Map<string, Set<string>> {
  const drawn = new Map(
    packets.flatMap(({ notDrawn = [] }) => notDrawn.map(id => [id, new Set<string>()])),
  );
  for (const { member, assigned } of packets)
    for (const { motionId, reason } of assigned)
      if (reason === 'gap_archon') drawn.get(motionId)?.add(member.name);
  return drawn;
}

function auditReviews(
  { audit, time, mode, packets }: Opening,
  responses: Iterable<ReviewResponse>,
  aggregations: readonly Aggregation[],
): void {
  audit.record({
    event_type: 'reviews_aggregated',
    occurred_at: time(),
    attributed_to: mode === 'simulated' ? [] : answeringIn(responses),
    details: {
      response_count: countResponses({ packets, responses }).answered,
      consensus_count: aggregations.filter(row => row.consensus_reached).length,
      contested_count: aggregations.filter(row => row.contested).length,
    },
  });
}

function answeringIn(responses: Iterable<ReviewResponse>): string[] {
  const names = new Set<string>();
  for (const { status, archon_name } of responses) if (status === 'ok') names.add(archon_name);
  return [...names];
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
      : await deliberators.holdPanels(
          { session, panels: seatings, signal: world.signal, note: world.note },
          time,
        );
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
  const { assigned } = countResponses({ packets, responses: [] });
  if (request.rules.parameters.second_pass === null || assigned === 0) return;
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
