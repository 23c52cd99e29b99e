/** Takes the vote on every motion of a session, again on those accepted with amendments, and again from counts that are on file. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import type { Aggregation } from './aggregation.ts';
import { isConstitutional } from './motion.ts';
import { MotionsSettings } from './motions-settings.ts';
import type { PanelRecord, ReviewResponse } from './records.ts';
import {
  type Counts,
  decideMotion,
  nobodyVoted,
  type RatificationRow,
  simulatedTally,
  tallyOf,
  toRows,
  votesCast,
} from './ratification.ts';
import { roundedUp, type RuleSet } from './rule-set.ts';
import { statedTexts } from './session-input.ts';
import { type RiskTier, riskTierOf } from './triage.ts';

export interface Ballot {
  readonly sessionId: string;
  readonly rosterSize: number;
  readonly aggregations: readonly Aggregation[];
  readonly responses: readonly ReviewResponse[];
  readonly panels: readonly PanelRecord[];
  /** True: votes come from a table, nobody cast them. */
  readonly simulated: boolean;
  readonly uuid: (name: string) => string;
}

export interface Ratified {
  /** All first passes, then all second ones. */
  readonly history: readonly RatificationRow[];
  /** The last row of each motion, in the order of the session. */
  readonly results: readonly RatificationRow[];
}

/** `at`: ISO 8601, UTC. */
export function ratify(ballot: Ballot, rules: RuleSet, at: string): Ratified {
  const recommendations = new Map(
    ballot.panels.map(panel => [panel.mega_motion_id, panel.recommendation]),
  );
  const responses = byMotion(ballot.responses);
  const rows = ballot.aggregations.map(aggregation => {
    const { mega_motion_id: motionId, mega_motion_title: title } = aggregation;
    const recommendation = recommendations.get(motionId) ?? null;
    const tally = ballot.simulated
      ? simulatedTally(aggregation.consensus_reached, recommendation, ballot.rosterSize, rules)
      : tallyOf(aggregation, rules);
    const missing = ballot.simulated ? 0 : aggregation.no_response;
    const decisions = decideMotion(
      {
        title,
        riskTier: aggregation.risk_tier,
        amendmentTexts: aggregation.amendment_texts,
        tally,
        missing,
      },
      ballot.rosterSize,
      rules,
    );
    return toRows(decisions, {
      motionId,
      title,
      rosterSize: ballot.rosterSize,
      recommendation,
      missing,
      at,
      cast: ballot.simulated
        ? nobodyVoted
        : votesCast(aggregation, responses.get(motionId) ?? [], rules),
      voteId: pass => ballot.uuid(`${ballot.sessionId}|vote|${motionId}|${pass}`),
    });
  });
  return {
    history: [
      ...rows.flatMap(([first]) => first ?? []),
      ...rows.flatMap(([, second]) => second ?? []),
    ],
    results: rows.flatMap(passes => passes.at(-1) ?? []),
  };
}

/** The counts as they are kept: where the vote is open, so is their status, whatever the answers that came say. */
export function markOpen(
  aggregations: readonly Aggregation[],
  results: Ratified['results'],
): Aggregation[] {
  const open = new Set(
    results.flatMap(({ outcome, mega_motion_id }) =>
      outcome === 'incomplete' ? mega_motion_id : [],
    ),
  );
  return aggregations.map(row =>
    open.has(row.mega_motion_id) ? { ...row, status: 'incomplete' } : row,
  );
}

/** Motions that cannot reach the quorum even if everybody who is asked answers and votes. */
export function findBeyondQuorum(
  reach: readonly Reach[],
  rosterSize: number,
  { parameters: { quorum, yeas } }: RuleSet,
): Reach[] {
  if (quorum === null) return [];
  return reach.filter(({ title, implicit, assigned }) => {
    const required = roundedUp(
      rosterSize,
      isConstitutional(title) ? quorum.constitutional : quorum.simple,
    );
    return (yeas === 'explicit' ? 0 : implicit) + assigned < required;
  });
}

interface Reach {
  readonly title: string;
  /** Contributors without conflict. */
  readonly implicit: number;
  readonly assigned: number;
}

function byMotion(responses: readonly ReviewResponse[]): Map<string, ReviewResponse[]> {
  const grouped = new Map<string, ReviewResponse[]>();
  for (const response of responses) {
    const own = grouped.get(response.mega_motion_id);
    if (own) own.push(response);
    else grouped.set(response.mega_motion_id, [response]);
  }
  return grouped;
}

const Count = z.int().nonnegative();

const RecordedRow = z.object({
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  implicit_endorsements: Count,
  explicit_endorsements: Count,
  oppositions: Count,
  amendments_proposed: Count,
  abstentions: Count,
  no_response: Count,
  engaged_count: Count,
  not_assigned: Count.nullish(),
  risk_tier: z.enum(['low', 'medium', 'high']).nullish(),
  amendment_texts: z.unknown().optional().transform(statedTexts),
});
type RecordedRow = z.infer<typeof RecordedRow>;

const RecordedTriage = z.object({
  session_id: z.string().nullish(),
  motions: z.array(
    z.object({ mega_motion_id: z.string(), risk_tier: z.enum(['low', 'medium', 'high']) }),
  ),
});

/** Reads the counts of an earlier vote, so that any rule set can decide again from them alone. */
export interface RecordedCounts {
  /** Null when only the counts are there. */
  readonly sessionId: string | null;
  readonly rosterSize: number;
  readonly motions: readonly (Counts & {
    readonly id: string;
    readonly title: string;
    readonly riskTier: RiskTier;
    readonly amendmentTexts: readonly string[];
    readonly missing: number;
  })[];
}

/** `triage`: the triage recorded beside the counts; undefined when there is none. Throws `UserError` (kind `input`) naming row and key. */
export function readRecordedCounts(file: string, value: unknown, triage: unknown): RecordedCounts {
  const rows = readRows(file, value);
  const rosterSize = rosterSizeOf(file, rows);
  const recorded = readTriage(triage);
  const tiers = new Map(
    recorded?.motions.map(({ mega_motion_id, risk_tier }) => [mega_motion_id, risk_tier]),
  );
  return {
    rosterSize,
    sessionId: recorded?.session_id ?? null,
    motions: rows.map(row => ({
      ...row,
      id: row.mega_motion_id,
      title: row.mega_motion_title,
      amendmentTexts: row.amendment_texts,
      missing: missingOf(row),
      riskTier: row.risk_tier ?? tiers.get(row.mega_motion_id) ?? guessTier(row, rosterSize),
    })),
  };
}

function readRows(file: string, value: unknown): RecordedRow[] {
  if (!Array.isArray(value))
    throw new UserError(`Error: ${file}: must be an array of counts`, { kind: 'input' });
  return value.map((item: unknown, index) => {
    const checked = RecordedRow.safeParse(item);
    if (checked.success) return checked.data;
    const issue = checked.error.issues[0];
    const [name, ...below] = issue?.path ?? [];
    const key = [name ?? '', ...below].map(String).join('.');
    const isMissing =
      typeof item === 'object' &&
      item !== null &&
      name !== undefined &&
      below.length === 0 &&
      !Object.hasOwn(item, name);
    throw new UserError(
      `Error: ${file}: row ${index}: ${key === '' ? '' : `${key}: `}${isMissing ? 'the key is missing' : (issue?.message ?? 'Invalid value')}`,
      { kind: 'input' },
    );
  });
}

/** Only where `not_assigned` is told apart is `no_response` surely somebody who was asked; older records count both in one. */
function missingOf({ no_response, not_assigned }: RecordedRow): number {
  return typeof not_assigned === 'number' ? no_response : 0;
}

function rosterSizeOf(file: string, rows: readonly RecordedRow[]): number {
  const sizes = rows.map(
    ({ engaged_count, no_response, not_assigned }) =>
      engaged_count + no_response + (not_assigned ?? 0),
  );
  const [size = 0] = sizes;
  const odd = sizes.findIndex(other => other !== size);
  if (odd >= 0)
    throw new UserError(
      `Error: ${file}: row ${odd}: engaged_count, no_response and not_assigned make a roster of ${sizes[odd] ?? 0}, but ${size} in row 0`,
      { kind: 'input' },
    );
  return size;
}

function readTriage(value: unknown): z.infer<typeof RecordedTriage> | null {
  if (value === undefined) return null;
  const checked = RecordedTriage.safeParse(value);
  if (checked.success) return checked.data;
  throw new UserError('Error: triage_results.json: it holds no risk tiers', {
    kind: 'input',
    cause: checked.error,
  });
}

/** What the counts and the title let one see: contributors without conflict, and whether the motion is a novel proposal. */
function guessTier(
  { implicit_endorsements, mega_motion_title }: RecordedRow,
  rosterSize: number,
): RiskTier {
  const { low, medium, max_conflicts: maxConflicts } = MotionsSettings.parse({});
  const motion = {
    isNovel: mega_motion_title.startsWith('Novel: '),
    consensusTier: 'low' as const,
    supporters: [],
  };
  return riskTierOf(
    motion,
    { support: rosterSize === 0 ? 0 : implicit_endorsements / rosterSize, conflicts: 0 },
    { low, medium, maxConflicts, lowFromTier: false },
  );
}
