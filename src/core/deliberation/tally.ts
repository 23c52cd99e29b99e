/** Votes on one motion, counted from stances by the terms of a rule set. */
import type { Aggregation } from './aggregation.ts';
import type { ReviewResponse, Stance } from './review-response.ts';
import type { RuleSet } from './rule-set.ts';

export interface Tally {
  readonly yeas: number;
  readonly nays: number;
  readonly amends: number;
  readonly abstentions: number;
}

export const votes = ['yea', 'nay', 'amend', 'abstain'] as const;
export type Vote = (typeof votes)[number];

/** The figures that decide, as a row of aggregations has them. */
export type Counts = Pick<Aggregation, 'implicit_endorsements' | 'explicit_endorsements' | 'oppositions' | 'amendments_proposed' | 'abstentions'>;

export function tallyOf(counts: Counts, { parameters: { yeas, amends } }: RuleSet): Tally {
  const abstaining = amends === 'abstention' ? counts.amendments_proposed : 0;
  return {
    yeas: counts.explicit_endorsements + (yeas === 'implicit_and_explicit' ? counts.implicit_endorsements : 0),
    nays: counts.oppositions,
    amends: counts.amendments_proposed - abstaining,
    abstentions: counts.abstentions + abstaining,
  };
}

/** Names by what they voted. Lists, because a large roster casts a million votes. */
export type CastVotes = Readonly<Record<Vote, readonly string[]>>;

export const nobodyVoted: CastVotes = { yea: [], nay: [], amend: [], abstain: [] };

/** Who voted how: the members behind the figures of `tallyOf`. A failed review is no vote. */
export function votesCast(aggregation: Aggregation, responses: readonly ReviewResponse[], { parameters }: RuleSet): CastVotes {
  const voteOf: Record<Stance, Vote> = { ENDORSE: 'yea', OPPOSE: 'nay', AMEND: parameters.amends === 'counted' ? 'amend' : 'abstain', ABSTAIN: 'abstain' };
  const implicit = parameters.yeas === 'explicit' ? [] : aggregation.endorsing_archons.slice(0, aggregation.implicit_endorsements);
  const cast: Record<Vote, string[]> = { yea: implicit, nay: [], amend: [], abstain: [] };
  for (const { archon_name, stance } of responses) if (stance !== null) cast[voteOf[stance]].push(archon_name);
  return cast;
}

/** Votes when nobody was asked, for rosters of 72: yeas, nays, amends. */
const simulated = { consensus: [55, 10, 5], pass: [45, 20, 6], fail: [25, 40, 4], otherwise: [38, 28, 6] } as const;

export function simulatedTally(consensus: boolean, recommendation: string | null, rosterSize: number, { parameters }: RuleSet): Tally {
  const outcome = consensus ? 'consensus' : recommendation === 'pass' || recommendation === 'fail' ? recommendation : 'otherwise';
  const [yeas, nays, third] = simulated[outcome].map(votes => Math.floor((votes * rosterSize) / 72)) as [number, number, number];
  const amends = parameters.amends === 'counted' ? third : 0;
  return { yeas, nays, amends, abstentions: rosterSize - yeas - nays - amends };
}
