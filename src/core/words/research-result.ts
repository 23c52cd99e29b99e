/** What several researchers come to together: sources by rank, the answer most of them give, the conflicts by name, the gaps. */
import { z } from 'zod';
import { groupsBy } from '../groups.ts';
import type { Claim } from './claim.ts';
import {
  Confidence,
  ResearchStatus,
  type Research,
  type Review,
  Source,
  sourceRanks,
} from './review.ts';
import { NullableText, Rows, Text, Texts } from './fields.ts';

export const ResearchResult = z.object({
  status: ResearchStatus,
  /** Why it is not COMPLETE, in words; empty when it is. */
  why: Text,
  /** The lowest any usable researcher states; null when none states any. */
  confidence: Confidence.nullable(),
  /** Best rank first; each address once. */
  sources: z.array(Source.extend({ agents: Texts })),
  /** Ids of the claims in order of weight: support, then the rank of the sources. */
  answer: Texts,
  /** Pairs of claims that say the opposite; `preferred` rests on the higher rank, null where both rest on the same. */
  conflicts: Rows({
    claims: z.tuple([Text, Text]),
    preferred: NullableText,
    why: Text,
  }),
  gaps: Texts,
});
export type ResearchResult = z.infer<typeof ResearchResult>;

type Claimed = Pick<Claim, 'id' | 'supporters' | 'findings' | 'contradicts' | 'text'>;

export function synthesiseResearch(
  reviews: readonly Review[],
  claims: readonly Claimed[],
): ResearchResult {
  const usable = reviews.filter(
    ({ status, research }) => status !== 'failed' && research !== undefined,
  );
  const ranked = claims
    .map(claim => ({ claim, rank: rankOfClaim(claim, usable) }))
    .toSorted(
      (one, other) =>
        other.claim.supporters.length - one.claim.supporters.length || one.rank - other.rank,
    );
  const confidence = lowest(usable.map(({ research }) => research?.confidence ?? null));
  const gaps = [...new Set(usable.flatMap(({ research }) => research?.gaps ?? []))];
  return {
    ...judge(usable, gaps.length, claims.length),
    confidence,
    sources: mergeSources(usable),
    answer: ranked.map(({ claim }) => claim.id),
    conflicts: nameConflicts(ranked),
    gaps,
  };
}

/** One complete answer is one: another reviewer's gaps do not undo it. */
function judge(
  usable: readonly Review[],
  gaps: number,
  findings: number,
): Pick<ResearchResult, 'status' | 'why'> {
  if (usable.length === 0)
    return { status: 'FAILED', why: 'no researcher returned a usable answer with a source' };
  if (usable.some(({ status }) => status === 'complete')) return { status: 'COMPLETE', why: '' };
  if (gaps >= findings)
    return { status: 'PARTIAL', why: `${gaps} gaps stand against ${findings} findings` };
  return { status: 'PARTIAL', why: 'no answer has all its blocks and a confidence above low' };
}

function rankOfClaim({ findings }: Claimed, reviews: readonly Review[]) {
  return Math.min(
    sourceRanks.length,
    ...findings.map(({ reviewer, evidence }) =>
      rankOfSources(
        (evidence ?? '').split(', '),
        reviews.find(review => review.reviewer === reviewer)?.research?.sources ?? [],
      ),
    ),
  );
}

/** 0 is the best; a finding without a source that is known ranks behind all. */
function rankOfSources(ids: readonly string[], sources: Research['sources']) {
  const cited = sources
    .filter(({ id }) => ids.includes(id))
    .map(({ rank }) => sourceRanks.indexOf(rank));
  return cited.length === 0 ? sourceRanks.length : Math.min(...cited);
}

function lowest(stated: readonly (Confidence | null)[]) {
  return (['low', 'medium', 'high'] as const).find(word => stated.includes(word)) ?? null;
}

function mergeSources(reviews: readonly Review[]) {
  const named = reviews.flatMap(({ reviewer, research }) =>
    (research?.sources ?? []).map(source => ({ source, reviewer })),
  );
  const keyOf = ({ source: { address, title } }: (typeof named)[number]) =>
    (address || title).toLowerCase().replace(/\/$/, '');
  const merged = groupsBy(named, keyOf).map(those => {
    const [{ source }] = those;
    const ranks = new Set(those.map(each => each.source.rank));
    const rank = sourceRanks.find(one => ranks.has(one)) ?? source.rank;
    return { ...source, rank, agents: [...new Set(those.map(({ reviewer }) => reviewer))] };
  });
  return merged.toSorted(
    (one, other) =>
      sourceRanks.indexOf(one.rank) - sourceRanks.indexOf(other.rank) ||
      other.agents.length - one.agents.length,
  );
}

function nameConflicts(ranked: readonly { readonly claim: Claimed; readonly rank: number }[]) {
  const byId = new Map(ranked.map(each => [each.claim.id, each]));
  return ranked.flatMap(({ claim, rank }) =>
    claim.contradicts
      .filter(id => id > claim.id)
      .flatMap(id => {
        const other = byId.get(id);
        if (other === undefined) return [];
        const preferred = rank === other.rank ? null : rank < other.rank ? claim.id : id;
        const why =
          preferred === null
            ? 'both rest on sources of one rank'
            : `it rests on ${sourceRanks[Math.min(rank, other.rank)] ?? 'known'} sources`;
        return [{ claims: [claim.id, id] as [string, string], preferred, why }];
      }),
  );
}
