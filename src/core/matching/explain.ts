/** Why a claim is what it is: why its findings are one, why its nearest neighbours are others, how sure that is, and what is remembered of it. */
import type { Claim } from '../words/claim.ts';
import type { Finding } from '../words/finding.ts';
import type { Disposition, KnownClaim } from '../memory/known-claim.ts';
import type { Comparison, Matcher } from '../ports.ts';
import type { RunRecord } from '../words/run.ts';
import type { Assessment, Assessor } from './confidence.ts';
import { readWording } from './words.ts';

/** A part of a judgement: what speaks for or against it, in half a sentence. */
interface Contribution {
  readonly words: string;
  /** Log-odds; below 0 it speaks against. */
  readonly worth: number;
}

export interface PairReasons {
  /** Ids of the two findings. */
  readonly one: string;
  readonly other: string;
  /** 0 to 100. */
  readonly score: number;
  readonly same: boolean;
  readonly reason: string;
  /** Log-odds before anything is known; with it the contributions add up to those of the score. Null when the matcher does not take its judgement apart. */
  readonly start: number | null;
  /** Largest first; empty when the matcher does not take its judgement apart. */
  readonly contributions: readonly Contribution[];
}

export interface Neighbour {
  readonly claim: string;
  readonly text: string;
  readonly supporters: readonly string[];
  /** The two findings that come nearest. */
  readonly nearest: PairReasons;
  /** Two that are further apart, when the nearest ones alone would have joined the claims; else null. */
  readonly divided: PairReasons | null;
}

/** The probability that a claim is real, worked out with what is known today. With `start` the contributions add up to its log-odds. */
export type ConfidenceReasons = Pick<Assessment, 'probability' | 'start'> & {
  readonly contributions: readonly Contribution[];
};

export interface ClaimExplanation {
  readonly schema: 'jury.explanation/1';
  readonly run: string;
  readonly claim: Claim;
  readonly strategy: RunRecord['strategy'];
  /** Each finding with the one it is most like; nothing for a claim of one finding. */
  readonly joined: readonly PairReasons[];
  /** What the findings named here are called for people, by their ids. */
  readonly names: Readonly<Record<string, string>>;
  /** At most three, the nearest first. */
  readonly apart: readonly Neighbour[];
  /** Null when none was computed. */
  readonly confidence: ConfidenceReasons | null;
  /** Null when the memory of the project does not hold the claim. */
  readonly remembered: Pick<KnownClaim, 'history' | 'wordings' | 'supporters'> | null;
  /** Decisions of people about it, or that take it along, the latest first. */
  readonly decisions: readonly Disposition[];
}

interface ExplainRequest {
  readonly record: RunRecord;
  /** Ids of findings as they are printed. */
  readonly printed: ReadonlyMap<string, string>;
  readonly claim: Claim;
  /** That of the run; it is prepared here. */
  readonly matcher: Matcher;
  /** Null for a run without confidence. */
  readonly assess: Assessor | null;
  readonly known: KnownClaim | null;
  readonly decisions: readonly Disposition[];
}

/** Findings of one claim that are looked at: those of the first reviewers say enough. */
const mostFindings = 12;
const mostNeighbours = 3;

export async function explainClaim({
  record,
  printed,
  claim,
  matcher,
  assess,
  known,
  decisions,
}: ExplainRequest): Promise<ClaimExplanation> {
  await matcher.prepare(record.claims.flatMap(({ findings }) => findings));
  const judge = (one: Finding, other: Finding): PairReasons => reasonsOf(one, other, matcher);
  const neighbours = rareWordsFirst(claim, record.claims).map(other =>
    neighbourOf(claim, other, judge),
  );
  const joined = joinedPairs(claim.findings.slice(0, mostFindings), judge);
  const apart = neighbours
    .sort(
      (one, other) => other.nearest.score - one.nearest.score || (one.claim < other.claim ? -1 : 1),
    )
    .slice(0, mostNeighbours);
  return {
    schema: 'jury.explanation/1',
    run: record.run,
    claim,
    strategy: record.strategy,
    joined,
    apart,
    names: Object.fromEntries(
      idsIn(claim, joined, apart).flatMap(id => {
        const name = printed.get(id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    ),
    confidence: assess === null || claim.confidence === null ? null : assess(claim),
    remembered:
      known === null
        ? null
        : { history: known.history, wordings: known.wordings, supporters: known.supporters },
    decisions: decisions.toSorted((one, other) => (one.at > other.at ? -1 : 1)),
  };
}

function idsIn(
  { findings }: Claim,
  joined: readonly PairReasons[],
  apart: readonly Neighbour[],
): string[] {
  const pairs = [
    ...joined,
    ...apart.flatMap(({ nearest, divided }) => (divided === null ? [nearest] : [nearest, divided])),
  ];
  return [...findings.map(({ id }) => id), ...pairs.flatMap(({ one, other }) => [one, other])];
}

type Judge = (one: Finding, other: Finding) => PairReasons;

/** Every finding but the first, with whatever finding it is most like. */
function joinedPairs(findings: readonly Finding[], judge: Judge): PairReasons[] {
  return findings
    .slice(1)
    .map(finding =>
      best(findings.filter(other => other !== finding).map(other => judge(other, finding))),
    )
    .filter(pair => pair !== null);
}

function neighbourOf(claim: Claim, other: Claim, judge: Judge): Neighbour {
  const pairs = claim.findings
    .slice(0, mostFindings)
    .flatMap(one => other.findings.slice(0, mostFindings).map(finding => judge(one, finding)));
  const nearest = best(pairs);
  if (nearest === null) throw new Error(`The claim ${other.id} has no finding.`);
  const furthest = pairs.reduce((least, next) => (next.score < least.score ? next : least));
  return {
    claim: other.id,
    text: other.text,
    supporters: other.supporters,
    nearest,
    divided: nearest.same && !furthest.same ? furthest : null,
  };
}

function best(pairs: readonly PairReasons[]): PairReasons | null {
  return pairs.reduce<PairReasons | null>(
    (most, next) => (most === null || next.score > most.score ? next : most),
    null,
  );
}

/** Matchers that can say what a judgement is made of. */
interface ExplainingMatcher extends Matcher {
  explain(
    one: Finding,
    other: Finding,
  ): { readonly start: number; readonly contributions: readonly Contribution[] };
}

function reasonsOf(one: Finding, other: Finding, matcher: Matcher): PairReasons {
  const { score, same, reason }: Comparison = matcher.compare(one, other);
  const apart = isExplaining(matcher) ? matcher.explain(one, other) : null;
  return {
    one: one.id,
    other: other.id,
    score,
    same,
    reason,
    start: apart?.start ?? null,
    contributions: (apart?.contributions ?? []).map(({ words, worth }) => ({ words, worth })),
  };
}

function isExplaining(matcher: Matcher): matcher is ExplainingMatcher {
  return 'explain' in matcher;
}

/** The claims of a run that are worth holding against one of them: those that share most of its words, rare ones first. */
const most = 24;

/** The most alike first; claims that contradict it are always among them. */
function rareWordsFirst(claim: Claim, claims: readonly Claim[]): Claim[] {
  const others = claims
    .filter(({ id }) => id !== claim.id)
    .map(other => ({ other, words: wordsOf(other) }));
  const counts = new Map<string, number>();
  for (const { words } of others)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const own = wordsOf(claim);
  const weigh = (words: ReadonlySet<string>): number =>
    [...words]
      .filter(word => own.has(word))
      .reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0);
  const weighed = others.map(({ other, words }) => ({
    other,
    weight: claim.contradicts.includes(other.id) ? Number.POSITIVE_INFINITY : weigh(words),
  }));
  return weighed
    .filter(({ weight }) => weight > 0)
    .sort((one, two) => two.weight - one.weight || (one.other.id < two.other.id ? -1 : 1))
    .slice(0, most)
    .map(({ other }) => other);
}

function wordsOf({ findings }: Claim): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}
