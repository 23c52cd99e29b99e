/**
 * Why a claim is what it is: why its findings are one, why its nearest neighbours are others, how sure that is, and what is
 * remembered of it.
 */
import type { Claim } from '../../core/words/claim.ts';
import type { Finding } from '../../core/words/finding.ts';
import { type Disposition, isDismissal, type KnownClaim } from '../../core/words/known-claim.ts';
import type { Comparison, Matcher } from '../../core/ports/matcher.ts';
import type { ClaimExplanation } from '../../core/printed/reports.ts';
import type { RunRecord } from '../../core/words/run.ts';
import type { Assessor } from '../confidence/confidence.ts';
import { wordsAlone } from '../confidence/voices.ts';
import { selectForMatching } from '../grouping.ts';
import { polarityOf } from '../polarity.ts';
import { isGrouping } from '../matching.ts';
import { type Dismissal, openingOf, type Moved } from './tell-claim.ts';
import type { Contribution } from './tell-pair.ts';
import { readWording } from '../wording/words.ts';

export type PairReasons = ClaimExplanation['joined'][number];
export type Neighbour = ClaimExplanation['apart'][number];
export type Recorded = ClaimExplanation['recorded'][number];
type Opposition = ClaimExplanation['against'][number];
type Denied = ClaimExplanation['denies'][number];

/** What was formed, be it by a run or of findings that were handed over. */
interface Formed extends Pick<RunRecord, 'claims' | 'strategy' | 'dismissed'> {
  readonly run: string | null;
  /** ISO time; null for findings that were handed over. */
  readonly completedAt: string | null;
}

interface ExplainRequest {
  readonly formed: Formed;
  /** Ids of findings as they are printed. */
  readonly printed: ReadonlyMap<string, string>;
  readonly claim: Claim;
  /** That which formed them; it is prepared here. */
  readonly matcher: Matcher;
  /** Null where no confidence is computed. */
  readonly assess: Assessor | null;
  readonly recorded: readonly Recorded[];
  readonly known: KnownClaim | null;
  readonly decisions: readonly Disposition[];
}

/** Findings of one claim that are looked at. */
const mostFindings = 12;
const mostNeighbours = 3;

export async function explainClaim({
  formed,
  printed,
  claim,
  matcher,
  assess,
  recorded,
  known,
  decisions,
}: ExplainRequest): Promise<ClaimExplanation> {
  await prepareFor(formed.claims, claim, matcher);
  const judge = (one: Finding, other: Finding): PairReasons => reasonsOf(one, other, matcher);
  const against = oppositionTo(claim, formed.claims);
  const denies = deniedBy(claim, formed.claims, against);
  const opposed = new Set([...against.map(each => each.claim), ...denies.map(({ id }) => id)]);
  const joined = joinedPairs(mostTelling(claim.findings, mostFindings), judge);
  const apart = rareWordsFirst(
    claim,
    formed.claims.filter(({ id }) => !opposed.has(id)),
  )
    .map(other => neighbourOf(claim, other, judge))
    .sort(
      (one, other) => other.nearest.score - one.nearest.score || (one.claim < other.claim ? -1 : 1),
    )
    .slice(0, mostNeighbours);
  const confidence = assess === null || claim.confidence === null ? null : assess(claim);
  const alone: Claim = { ...claim, against: [] };
  return {
    schema: 'jury.explanation/1',
    run: formed.run,
    sentence: openingOf({
      claim,
      joined,
      against,
      denies,
      confidence,
      moved: movedSince(claim),
      dismissal: dismissalOf(claim, formed, decisions),
    }),
    claim,
    strategy: formed.strategy,
    joined,
    apart,
    against,
    unopposed:
      assess === null || confidence === null || against.length === 0
        ? null
        : assess(alone).probability,
    denies,
    names: Object.fromEntries(
      idsIn({ claim, joined, apart, against }).flatMap(id => {
        const name = printed.get(id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    ),
    confidence,
    recorded,
    remembered:
      known === null
        ? null
        : { history: known.history, wordings: known.wordings, supporters: known.supporters },
    decisions: decisions.toSorted(latestFirst),
  };
}

/** At most so many, in their order: of each reviewer something that nobody else says so, then further wordings, then copies. */
export function mostTelling(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings;
  const [wordings, reviewers] = [new Set<string>(), new Set<string>()];
  const chosen = new Set<Finding>();
  const choose = (isWanted: (isNewWording: boolean, isNewReviewer: boolean) => boolean): void => {
    for (const finding of findings) {
      if (chosen.size === most) return;
      const words = wordsAlone(finding.text);
      if (chosen.has(finding) || !isWanted(!wordings.has(words), !reviewers.has(finding.reviewer)))
        continue;
      chosen.add(finding);
      wordings.add(words);
      reviewers.add(finding.reviewer);
    }
  };
  choose((isNewWording, isNewReviewer) => isNewWording && isNewReviewer);
  choose(isNewWording => isNewWording);
  choose((_, isNewReviewer) => isNewReviewer);
  choose(() => true);
  return findings.filter(finding => chosen.has(finding));
}

/** What the run computed before anything was looked up or asked; null where it computed nothing. */
export function confidenceBefore({
  confidence,
  verified,
  deliberation,
}: Pick<Claim, 'confidence' | 'verified' | 'deliberation'>): number | null {
  return verified?.confidenceBefore ?? deliberation?.confidenceBefore ?? confidence;
}

/** Null where the confidence is what was computed, to the percent. */
function movedSince(claim: Claim): Moved | null {
  const [before, after] = [confidenceBefore(claim), claim.confidence];
  return before === null || after === null || Math.round(100 * before) === Math.round(100 * after)
    ? null
    : { before, after };
}

/** What the run went by, else what was decided since; of findings that were handed over the latest decision. */
function dismissalOf(
  { id }: Claim,
  { dismissed, completedAt }: Formed,
  decisions: readonly Disposition[],
): Dismissal | null {
  const [latest] = decisions.toSorted(latestFirst);
  const later =
    latest !== undefined && (completedAt === null || latest.at > completedAt) ? latest : null;
  if (later !== null && !isDismissal(later)) return null;
  const taken = dismissed.find(each => each.id === id);
  if (taken !== undefined) {
    const isGiven = ({ claim, reason }: Disposition): boolean =>
      claim === taken.by && reason === taken.reason;
    return { ...taken, at: decisions.find(isGiven)?.at ?? null, isLater: false };
  }
  return later === null ? null : { ...later, by: later.claim, isLater: completedAt !== null };
}

function latestFirst(one: Disposition, other: Disposition): number {
  return one.at > other.at ? -1 : 1;
}

/** As many as the matcher takes, and those of the claim in any case. */
async function prepareFor(claims: readonly Claim[], claim: Claim, matcher: Matcher): Promise<void> {
  const others = claims.filter(other => other !== claim).flatMap(({ findings }) => findings);
  const { matched } = selectForMatching(
    [...claim.findings, ...others],
    isGrouping(matcher) ? matcher.capacity : undefined,
  );
  await matcher.prepare([
    ...new Set([...mostTelling(claim.findings, mostFindings), ...matched.map(([first]) => first)]),
  ]);
}

/** What is kept as against it; of runs that kept none, the claims that contradict it. Of a denial, what it denies is not against it. */
function oppositionTo(claim: Claim, claims: readonly Claim[]): Opposition[] {
  const holders = new Map(
    claims.flatMap(each => each.findings.map(({ id }) => [id, each] as const)),
  );
  const isOld = claims.every(({ against }) => against.length === 0);
  const said = isOld
    ? claims
        .filter(({ id }) => claim.contradicts.includes(id))
        .flatMap(({ findings }) => findings.slice(0, 1))
        .map(({ reviewer, id, text }) => ({ reviewer, finding: id, statement: text }))
    : claim.against;
  return said.flatMap(denial => {
    const holder = holders.get(denial.finding);
    return holder !== undefined && isDenialOf(claim, holder)
      ? []
      : [
          {
            ...denial,
            claim: holder?.id ?? null,
            supporters: holder?.supporters ?? [denial.reviewer],
          },
        ];
  });
}

/** Of two that say the opposite, the one that tells of no trouble denies the other. */
function isDenialOf(claim: Claim, other: Claim): boolean {
  return !tellsOfTrouble(claim) && tellsOfTrouble(other);
}

function tellsOfTrouble({ findings }: Claim): boolean {
  return findings.some(finding => polarityOf(finding).says === 'trouble');
}

/** Claims that a finding of this one stands against, and that do not stand against it themselves. */
function deniedBy(
  claim: Claim,
  claims: readonly Claim[],
  against: readonly Opposition[],
): Denied[] {
  const own = new Set(claim.findings.map(({ id }) => id));
  return claims
    .filter(
      other =>
        other !== claim &&
        other.against.some(({ finding }) => own.has(finding)) &&
        !against.some(each => each.claim === other.id),
    )
    .map(({ id, text, supporters }) => ({ id, text, supporters }));
}

function idsIn({
  claim: { findings },
  joined,
  apart,
  against,
}: Pick<ClaimExplanation, 'claim' | 'joined' | 'apart' | 'against'>): string[] {
  const pairs = [
    ...joined,
    ...apart.flatMap(({ nearest, divided }) => (divided === null ? [nearest] : [nearest, divided])),
  ];
  return [
    ...findings.map(({ id }) => id),
    ...against.map(({ finding }) => finding),
    ...pairs.flatMap(({ one, other }) => [one, other]),
  ];
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
  const pairs = mostTelling(claim.findings, mostFindings).flatMap(one =>
    other.findings.slice(0, mostFindings).map(finding => judge(one, finding)),
  );
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
  ): { readonly start: number; readonly contributions: Contribution[] };
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
    contributions: apart?.contributions ?? [],
  };
}

function isExplaining(matcher: Matcher): matcher is ExplainingMatcher {
  return 'explain' in matcher;
}

const mostHeldAgainst = 24;

/** The claims of a run that are worth holding against one of them: those that share most of its words, rare ones first. */
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
  return others
    .map(({ other, words }) => ({ other, weight: weigh(words) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, two) => two.weight - one.weight || (one.other.id < two.other.id ? -1 : 1))
    .slice(0, mostHeldAgainst)
    .map(({ other }) => other);
}

function wordsOf({ findings }: Claim): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}
