/**
 * A claim: the findings of different reviewers that say the same thing, with the support they give it; and the order in
 * which claims are read.
 */
import { z } from 'zod';
import { by, groupsBy } from '../groups.ts';
import {
  Count,
  Flag,
  NullableText,
  Rows,
  Share,
  Text,
  Texts,
  Whole,
  orNull,
  Amount,
} from './fields.ts';
import { Finding, Location, Severity, isAtLeast, rankOf } from './finding.ts';
import { Confidence, type Research, type Review, Source, sourceRanks } from './review.ts';

// What is said in a vote: stances, what a panel recommends, and what a vote about a claim came to.

export const Stance = z.enum(['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN']);
export type Stance = z.infer<typeof Stance>;

export const Recommendation = z.enum(['pass', 'fail', 'amend', 'defer']);
export type Recommendation = z.infer<typeof Recommendation>;

// What a vote about a claim came to: who was asked, what they said, what the panel did, and every dissent word for word.

/**
 * - `passed`: well supported, no member was asked.
 * - `confirmed`, `voted_down`: more stand for it, or against it.
 * - `contested`: as many on either side, also after the panel, or the panel failed or was skipped.
 * - `undecided`: those who were asked did not answer, or abstained.
 */
const ClaimOutcome = z.enum(['passed', 'confirmed', 'voted_down', 'contested', 'undecided']);

const ClaimVote = z.object({
  reviewer: Text,
  /** Of AMEND: the claim is real, but its wording or severity is not right. */
  stance: Stance,
  reasoning: Text,
  concerns: Texts,
  /** 0 to 1, as the reviewer states it; it weighs nothing. */
  confidence: Share,
});
export type ClaimVote = z.infer<typeof ClaimVote>;

const ClaimPanel = z.object({
  status: z.enum(['concluded', 'failed']),
  error: NullableText,
  supporters: Texts,
  critics: Texts,
  neutrals: Texts,
  /** Advice: votes decide. Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  votes: z.record(Text, Recommendation),
});
export type ClaimPanel = z.infer<typeof ClaimPanel>;

const ClaimDeliberation = z.object({
  risk: z.enum(['low', 'medium', 'high']),
  outcome: ClaimOutcome,
  /** Reviewers that stand for the claim in the end, its supporters among them, and those that stand against it. */
  for: Texts,
  against: Texts,
  votes: z.array(ClaimVote),
  /** Who was asked and did not answer, and why: no vote, never an abstention. */
  noResponse: Rows({ reviewer: Text, error: Text }),
  panel: ClaimPanel.nullable(),
  /** Why a contested claim went to no panel; null when one was held, or nothing asked for one. */
  panelSkipped: NullableText.default(null),
  /** Own words of those whom the outcome goes against. */
  dissent: Rows({ reviewer: Text, opinion: Text }),
  /** Before the vote; what it is now is on the claim. */
  confidenceBefore: Share.nullable(),
  /** Why the vote could not be held as planned; null when it was. */
  error: NullableText,
});
export type ClaimDeliberation = z.infer<typeof ClaimDeliberation>;

/** `incomplete`: answers that were asked for and never came could change what the others come to. */
export type Outcome = 'ratified' | 'rejected' | 'deferred' | 'incomplete';

export type FirstOutcome = Outcome | 'accepted_with_amendments';

/** The stance in words, with the concerns behind it. */
export function wordsOf({ reasoning, concerns }: Pick<ClaimVote, 'reasoning' | 'concerns'>) {
  return [reasoning, ...concerns].filter(text => text.trim() !== '').join(' ');
}

export const Agreement = z.enum(['all', 'majority', 'single']);
export type Agreement = z.infer<typeof Agreement>;

export const strength = { all: 2, majority: 1, single: 0 };

/** A finding that stands against a claim. */
const Denial = z.object({
  reviewer: Text,
  /** Id of the finding. */
  finding: Text,
  /** Its wording. Untrusted. */
  statement: Text,
});

export const Claim = z.object({
  /** `c-` and ten hex digits; the same claim keeps its id in later runs. */
  id: Text.regex(/^c-[0-9a-f]{10}$/),
  severity: Severity,
  /** The own label of the most severe finding. */
  label: Text,
  agreement: Agreement,
  /** Distinct reviewers, in panel order. */
  supporters: Texts,
  /** Readers that say it, or completed and read the claim's file, in panel order; of a panel without readers its checks. */
  electors: Texts,
  /** Number of electors. */
  electorate: Count,
  /** Probability that its findings are one thing, 0 to 1; absent where it holds one, or the matcher does not tell. */
  sureness: Share.exactOptional(),
  /** Probability that it is true, 0 to 1; null until a calibrated model computes it. */
  confidence: Share.nullable(),
  /** Judged claims like it that the confidence comes from; absent where none is counted. See `likelihood`. */
  cases: Count.exactOptional(),
  /** Probability that somebody who maintains the code would act on it were it true, 0 to 1; null until a model computes it. */
  matters: orNull(Share),
  /** Probability that it is both, 0 to 1; null until a model computes it. */
  worth: orNull(Share),
  /** Is it worth a person's time? See `markAct`; null where nobody knows. */
  act: orNull(Flag),
  /** What reviewers said that is the opposite of it: counted neither in its support nor among its findings. */
  against: z.array(Denial).default([]),
  /** Wording of the most severe finding. */
  text: Text,
  location: Location.nullable(),
  /** Every finding said about it, in panel order; nothing is ever removed by merging. */
  findings: z.array(Finding),
  /** Reviewers with their severities when they differ; null when they agree. */
  severityConflict: z.record(Text, Severity).nullable(),
  /** Ids of claims that say the opposite. */
  contradicts: Texts,
  state: z.enum(['new', 'persisting', 'fixed', 'reopened', 'dismissed']),
  /** The vote about it; absent when none was asked for. */
  deliberation: ClaimDeliberation.optional(),
});
export type Claim = z.infer<typeof Claim>;

/**
 * `all` needs an electorate of two: a reviewer alone agrees with nobody.
 */
export function agreementOf(support: number, electorate: number) {
  if (electorate >= 2 && support === electorate) return 'all';
  return support >= 2 ? 'majority' : 'single';
}

/** So many of the electors say it: a check that does so beside readers is named and not counted. */
export function countSupport({ supporters, electors }: Pick<Claim, 'supporters' | 'electors'>) {
  return supporters.filter(reviewer => electors.includes(reviewer)).length;
}

/** Where it is: its own place, else the first that one of its reviewers names. */
export function placeOfClaim({ location, findings }: Pick<Claim, 'location' | 'findings'>) {
  return location ?? findings.find(finding => finding.location !== null)?.location ?? null;
}

/** Judged claims from which on their share of true ones is a figure: its standard error is then at most .05. */
const fewestCases = 100;

/** A probability in per cent where that is earned, else in words. */
export function likelihood(probability: number, cases = 0) {
  if (cases >= fewestCases) return `${Math.round(100 * probability)}%`;
  if (probability >= 0.6) return 'likely';
  return probability > 0.4 ? 'about even' : 'unlikely';
}

interface ActRules {
  /** Ids of the claims that fail the gate; none where there is no gate. */
  readonly blocking?: readonly string[];
  /** Least worth; above 1 nothing reaches it. */
  readonly cut: number;
}

/** Fills `act` in. */
export function markAct(claims: readonly Claim[], { blocking = [], cut }: ActRules): Claim[] {
  const blockers = new Set(blocking);
  return claims.map(claim => ({
    ...claim,
    act: blockers.has(claim.id) || isWorthActing(claim, cut),
  }));
}

/** More likely true than not. */
const leastConfidence = 0.5;

/**
 * What was dismissed or is fixed needs nobody. A claim whose worth nobody computed is worth acting on when it is at least of
 * high severity and more likely true than not; null where nobody knows that either.
 */
function isWorthActing(claim: Claim, cut: number) {
  const { severity, confidence, worth } = claim;
  if (isClosed(claim)) return false;
  if (worth !== null) return worth >= cut;
  if (!isAtLeast(severity, 'high')) return false;
  return confidence === null ? null : confidence >= leastConfidence;
}

/** The order in which the claims of a run are read. The number of a claim, as people type it, is its place in this order. */
interface Ordered {
  readonly claims: readonly Claim[];
  /** Ids of the claims that fail the run. */
  readonly blocking: readonly string[];
}

/**
 * Blocking claims first, then what is worth a person's time, closed ones last; in each of these the most severe first, then
 * those that most reviewers support, then by place.
 */
export function orderClaims({ claims, blocking }: Ordered): readonly Claim[] {
  const blockers = new Set(blocking);
  const groupOf = (claim: Claim) => {
    if (isClosed(claim)) return 3;
    if (blockers.has(claim.id)) return 0;
    return claim.act === true ? 1 : 2;
  };
  return claims.toSorted(
    by(
      groupOf,
      ({ severity }) => rankOf(severity),
      ({ supporters }) => -supporters.length,
      // As an editor shows them; what names no place comes last.
      ({ location }) => location === null,
      ({ location }) => location?.path ?? '',
      ({ location }) => location?.line ?? 0,
    ),
  );
}

/** Claim id → its number, counted from 1. */
export function claimNumbers(record: Ordered): ReadonlyMap<string, number> {
  return new Map(orderClaims(record).map(({ id }, index) => [id, index + 1]));
}

/** What was dismissed or is fixed counts no more. */
export function isClosed({ state }: Claim) {
  return state === 'fixed' || state === 'dismissed';
}

// A logistic model as plain numbers: what evidence is worth in log-odds.

export interface Logistic {
  readonly intercept: number;
  /** One per piece of evidence, in the order of its names. */
  readonly weights: readonly number[];
}

export function logOdds({ intercept, weights }: Logistic, evidence: readonly number[]) {
  let sum = intercept;
  for (let index = 0; index < weights.length; index += 1)
    sum += (weights[index] ?? 0) * (evidence[index] ?? 0);
  return sum;
}

export function probabilityOf(odds: number) {
  return 1 / (1 + Math.exp(-odds));
}

/** The inverse of `probabilityOf`; the probability is kept a millionth away from 0 and 1. */
export function logOddsOf(probability: number) {
  const kept = clamp(probability, 1e-6, 1 - 1e-6);
  return Math.log(kept / (1 - kept));
}

export function clamp(value: number, least: number, most: number) {
  return Math.max(least, Math.min(most, value));
}

/** A probability, 0 to 1, with what it is made of: log-odds before anything is known, and what they are added to. */
export const Estimate = z.object({
  probability: Amount,
  start: Amount,
  /** With `start` they add up to the log-odds of the probability. Largest first. */
  contributions: Rows({
    /** Group of evidence: `words`, `panel`, `place`, `reviewer`. */
    evidence: Text,
    /** Half a sentence: "both name getUser". */
    words: Text,
    /** Log-odds; below 0 it speaks against. */
    worth: Amount,
  }),
});
export type Estimate = z.infer<typeof Estimate>;

/** Adds up; what is worth nothing is left out. */
export function estimate(start: number, parts: Estimate['contributions']): Estimate {
  const contributions = parts
    .filter(({ worth }) => worth !== 0)
    .sort(by(({ worth }) => -Math.abs(worth)));
  const odds = contributions.reduce((sum, { worth }) => sum + worth, start);
  return { probability: probabilityOf(odds), start, contributions };
}

// Whether every merged finding traces to what a reviewer wrote.

const Grounding = z.object({
  status: z.enum(['ok', 'warn', 'violation']),
  checked: Whole,
  /** `P0|F1`; `-` where an entry has no id. */
  ungrounded: Texts,
  /** `F1: P0, its index says P1`. */
  severity_mismatch: Texts,
  /** `F1: not in the index of alpha`. */
  wrong_agent: Texts,
  foreign_skipped: Whole,
  strict: Flag,
});
export type Grounding = z.infer<typeof Grounding>;

/** COMPLETE, PARTIAL and FAILED as the verdict files of researchers say it. */
const ResearchStatus = z.enum(['COMPLETE', 'PARTIAL', 'FAILED']);
type ResearchStatus = z.infer<typeof ResearchStatus>;

// What several researchers come to together: sources by rank, the answer most of them give, the conflicts by name, the gaps.

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
      by(
        ({ claim }) => -claim.supporters.length,
        ({ rank }) => rank,
      ),
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
    by(
      ({ rank }) => sourceRanks.indexOf(rank),
      ({ agents }) => -agents.length,
    ),
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
