/** What a researcher brings home: sources by rank, findings that name them, how sure it is, and what it could not find. */
import { z } from 'zod';
import { Text, Texts } from './fields.ts';

/** Best first: on conflict the higher rank is preferred, and the conflict is named. */
export const sourceRanks = ['internal', 'official', 'community', 'code'] as const;
export const SourceRank = z.enum(sourceRanks);
export type SourceRank = z.infer<typeof SourceRank>;

export const Source = z.object({
  rank: SourceRank,
  id: Text,
  title: Text,
  /** As the researcher wrote it: an address, a path, or nothing. Untrusted; nobody opened it. */
  address: Text,
});
export type Source = z.infer<typeof Source>;

export const Confidence = z.enum(['high', 'medium', 'low']);
export type Confidence = z.infer<typeof Confidence>;

/** COMPLETE, PARTIAL and FAILED as the verdict files of researchers say it. */
export const ResearchStatus = z.enum(['COMPLETE', 'PARTIAL', 'FAILED']);
export type ResearchStatus = z.infer<typeof ResearchStatus>;

export const researchBlocks = ['Sources', 'Findings', 'Confidence', 'Gaps'] as const;

export const Research = z.object({
  sources: z.array(Source),
  /** Null when it is not stated in words anybody knows. */
  confidence: Confidence.nullable(),
  gaps: Texts,
  /** Blocks the answer does not hold. */
  missing: z.array(z.enum(researchBlocks)),
});
export type Research = z.infer<typeof Research>;

/** FAILED: no source. PARTIAL: a block is missing, the confidence is low or not stated, or the gaps are as many as the findings. */
export function researchStatus(
  { sources, confidence, gaps, missing }: Research,
  findings: number,
): ResearchStatus {
  if (sources.length === 0) return 'FAILED';
  return missing.length > 0 ||
    confidence === null ||
    confidence === 'low' ||
    gaps.length >= findings
    ? 'PARTIAL'
    : 'COMPLETE';
}

/** 0 is the best; a finding without a source that is known ranks behind all. */
export function rankOfSources(ids: readonly string[], sources: readonly Source[]) {
  const cited = sources
    .filter(({ id }) => ids.includes(id))
    .map(({ rank }) => sourceRanks.indexOf(rank));
  return cited.length === 0 ? sourceRanks.length : Math.min(...cited);
}
