/**
 * Turns what reviewers said into claims. A merge keeps every finding and the worst severity; support counts distinct
 * reviewers. No reviewer can take another's finding away, and none can crowd the others out.
 */
import { sha256 } from '../core/hash.ts';
import { by, groupsBy } from '../core/groups.ts';
import { Agreement, agreementOf, type Claim, countSupport } from '../core/words/claim.ts';
import { type Finding, rankOf } from '../core/words/finding.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { isReader, voicesOf } from '../core/words/runner.ts';
import { type Review, idsOf } from '../core/words/review.ts';
import { electorateOf } from '../core/verdict/coverage.ts';
import {
  type Assessor,
  type ConfidenceModel,
  createAssessor,
  type PanelRecord,
} from './confidence/confidence.ts';
import { isWordless } from './confidence/matters.ts';
import { type Pair, inOrder, isGrouping, pairsFor } from './linkage.ts';
import { areReverse, findOpposites, polarityOf } from './polarity.ts';
import { describeUncompared, roomForAll, selectForMatching } from './statements.ts';

interface ClaimRequest {
  /** Those of one reviewer in the order it gave them; the reviewers in any order. */
  findings: readonly Finding[];
  matcher: Matcher;
  /** Reviewer ids in display order; any others follow by name. */
  panel: readonly string[];
  /** They decide whose findings count and who is in the electorate. */
  reviews: readonly Review[];
  /** How the confidence of each claim is computed; left out, it stays null. */
  confidence?: ConfidenceSettings;
  /** Hears a sentence when there was too much to compare everything. */
  warn?: (sentence: string) => void;
}

export interface ConfidenceSettings extends Pick<
  PanelRecord,
  'reliability' | 'families' | 'recalibration'
> {
  readonly model: ConfidenceModel;
}

/**
 * Strongest agreement first, then severity, support and first appearance. Findings of failed reviews and improvements
 * form no claims; every other finding is in exactly one, those that hold no word each in its own.
 */
export async function formClaims({
  findings,
  matcher,
  panel,
  reviews,
  confidence,
  warn,
}: ClaimRequest) {
  const failed = idsOf(reviews.filter(({ status }) => status === 'failed'));
  const rank = panelRank(panel);
  const ordered = findings
    .filter(finding => !finding.isImprovement && !failed.has(finding.reviewer))
    .toSorted((one, other) => rank(one.reviewer, other.reviewer));
  const capacity = isGrouping(matcher) ? matcher.capacity : roomForAll;
  const { matched, apart } = selectForMatching(
    ordered.filter(finding => !isWordless(finding)),
    capacity,
  );
  const participants = matched.map(([first]) => first);
  await matcher.prepare(participants);
  const grouping = groupFindings(participants, matcher);
  const sentence = describeUncompared(
    apart.flat().length + (grouping.apart ?? 0),
    ordered.length,
    capacity,
  );
  if (sentence !== null) warn?.(sentence);

  const position = new Map(ordered.map((finding, index) => [finding, index]));
  const byAppearance = (one: Finding, other: Finding) =>
    (position.get(one) ?? 0) - (position.get(other) ?? 0);
  const electorate = electorateOf(reviews);
  const voices = voicesOf(reviews);
  // Their voice makes no agreement.
  const checks = idsOf(reviews.filter(review => !voices.includes(review)));
  const electorsOf = (supporters: readonly string[], path: string | null) =>
    [...new Set([...supporters, ...electorate(path)])]
      .filter(reviewer => !checks.has(reviewer))
      .sort(rank);
  const draft = (list: readonly Finding[], sureness = 1): Claim =>
    draftClaim(list.toSorted(byAppearance), electorsOf, sureness);
  const drafts = [
    ...grouping.groups.flatMap((group, index) =>
      // Who says that all is well has no vote in what others call a trouble, however alike the words.
      groupsBy(
        group.flatMap(at => matched[at] ?? []),
        finding => String(polarityOf(finding).says === 'fine'),
      ).map(list => draft(list, grouping.sureness?.[index])),
    ),
    ...[...apart, ...repeatedShouts(ordered)].map(list => draft(list)),
  ].sort(
    (one, other) =>
      compareClaims(one, other) ||
      byAppearance(one.findings[0] as Finding, other.findings[0] as Finding),
  );
  const opposites = [...grouping.contradictions, ...findOpposites(participants)].map(pair =>
    pair.flatMap(at => participants[at] ?? []).filter(({ reviewer }) => !checks.has(reviewer)),
  );
  const nameOf = createNames();
  const claims = linkOpposites(
    drafts.map(claim => ({ ...claim, id: nameOf(claim) })),
    opposites,
  );
  if (!confidence || !voices.every(isReader)) return claims;
  const assess = createAssessor(confidence.model, { ...confidence, findings: ordered, reviews });
  return rateClaims(claims, assess);
}

/** What holds no word is listed and agrees with nothing; what one reviewer repeats about a place is one. */
function repeatedShouts(findings: readonly Finding[]) {
  return groupsBy(findings.filter(isWordless), ({ reviewer, text, location }) =>
    JSON.stringify([reviewer, text, location?.path, location?.line]),
  );
}

/** What only checks say keeps no figure: those were measured on readers. */
function rateClaims(claims: readonly Claim[], assess: Assessor) {
  return claims.map(claim => {
    if (countSupport(claim) === 0) return claim;
    const { probability, matters, worth, cases } = assess(claim);
    return { ...claim, confidence: probability, cases, matters: matters.probability, worth };
  });
}

function panelRank(panel: readonly string[]) {
  const places = new Map(panel.map((reviewer, index) => [reviewer, index]));
  return by<string>(reviewer => places.get(reviewer) ?? panel.length, String);
}

function draftClaim(
  findings: readonly Finding[],
  electorsOf: (supporters: readonly string[], path: string | null) => string[],
  sureness: number,
): Claim {
  const worstOfEach = groupsBy(findings, ({ reviewer }) => reviewer).map(worstOf);
  const worst = worstOf(worstOfEach);
  const supporters = worstOfEach.map(({ reviewer }) => reviewer);
  const electors = electorsOf(supporters, worst.location?.path ?? null);
  return {
    id: '',
    severity: worst.severity,
    label: worst.label,
    agreement: agreementOf(countSupport({ supporters, electors }), electors.length),
    supporters,
    electors,
    electorate: electors.length,
    ...(sureness < 1 && { sureness }),
    confidence: null,
    matters: null,
    worth: null,
    act: null,
    against: [],
    text: worst.text,
    location: worst.location,
    findings: [...findings],
    severityConflict:
      new Set(worstOfEach.map(({ severity }) => severity)).size > 1
        ? Object.fromEntries(worstOfEach.map(({ reviewer, severity }) => [reviewer, severity]))
        : null,
    contradicts: [],
    state: 'new',
  };
}

function worstOf(findings: readonly Finding[]) {
  return findings.reduce((leader, next) =>
    rankOf(next.severity) < rankOf(leader.severity) ? next : leader,
  );
}

function compareClaims(one: Claim, other: Claim) {
  return (
    Agreement.options.indexOf(one.agreement) - Agreement.options.indexOf(other.agreement) ||
    (one.agreement === 'majority'
      ? countSupport(other) * one.electorate - countSupport(one) * other.electorate
      : 0) ||
    rankOf(one.severity) - rankOf(other.severity) ||
    other.supporters.length - one.supporters.length
  );
}

/**
 * Gives ids, made of the lower-cased text and the file, so that later runs find the same claim again. Further claims that share
 * both, and those whose id is `taken`, are numbered.
 */
export function createNames(taken = new Set<string>()): (claim: Claim) => string {
  const counts = new Map<string, number>();
  return ({ text, location }) => {
    const content = `${text.toLowerCase()}\n${location?.path ?? ''}`;
    // By its hash: contents are as long as texts are.
    const first = sha256(content);
    for (let count = counts.get(first) ?? 1; ; count += 1) {
      const id = `c-${(count === 1 ? first : sha256(`${content}\n${count}`)).slice(0, 10)}`;
      if (taken.has(id)) continue;
      taken.add(id);
      counts.set(first, count);
      return id;
    }
  };
}

/** `opposites`: lists of two, or of less where one of them counts for nothing. */
function linkOpposites(claims: readonly Claim[], opposites: readonly (readonly Finding[])[]) {
  const idOf = new Map(
    claims.flatMap(({ id, findings }) => findings.map(each => [each, id] as const)),
  );
  const against = new Map<string | undefined, Set<Finding>>();
  for (const [one, other] of opposites.flatMap(pair => [pair, pair.toReversed()])) {
    const id = one && idOf.get(one);
    if (!other || one?.reviewer === other.reviewer || id === idOf.get(other)) continue;
    against.set(id, (against.get(id) ?? new Set()).add(other));
  }
  return claims.map(claim => {
    const said = [...(against.get(claim.id) ?? [])];
    return {
      ...claim,
      contradicts: [...new Set(said.flatMap(finding => idOf.get(finding) ?? []))].sort(),
      against: said.map(({ reviewer, id, text }) => ({ reviewer, finding: id, statement: text })),
    };
  });
}

// Complete-link grouping: two groups join only when every finding of one is the same as every finding of the other. The result
// depends on the order of the list given, never on when an answer arrived. Findings that cannot differ are one participant.

/**
 * The matcher must be prepared. One that groups by itself does so; for the others space and time grow with the square of
 * the list: bound it before.
 */
export function groupFindings(findings: readonly Finding[], matcher: Matcher) {
  if (isGrouping(matcher)) return matcher.group(findings);
  const links = [];
  const contradictions: Pair[] = [];
  for (const [one, other] of pairsFor(matcher, findings)) {
    const [first, second] = [findings[one], findings[other]];
    if (!first || !second) continue;
    if (mustStayApart(first, second)) continue;
    const { same, score, contradicts } = matcher.compare(first, second);
    if (areReverse(first, second)) continue;
    if (same) links.push({ one, other, score });
    else if (contradicts) contradictions.push([one, other]);
  }
  links.sort((a, b) => b.score - a.score || a.one - b.one || a.other - b.other);
  return { groups: joinCompletely(findings.length, links), contradictions };
}

/**
 * Counts the links between every two groups instead of looking them up again for each pair: two groups are completely
 * linked when the count is the product of their sizes. A join adds up two rows.
 */
function joinCompletely(
  count: number,
  links: readonly { one: number; other: number; score: number }[],
) {
  const linkCounts = new Uint32Array(count * count);
  for (const { one, other } of links) {
    linkCounts[one * count + other] = 1;
    linkCounts[other * count + one] = 1;
  }
  const groupOf = Array.from({ length: count }, (_, index) => index);
  const groups = groupOf.map(index => [index]);
  for (const link of links) {
    const kept = groupOf[link.one] ?? 0;
    const joined = groupOf[link.other] ?? 0;
    const [into, from] = [groups[kept] ?? [], groups[joined] ?? []];
    if (kept === joined || linkCounts[kept * count + joined] !== into.length * from.length)
      continue;
    for (let group = 0; group < count; group += 1) {
      const sum =
        (linkCounts[kept * count + group] ?? 0) + (linkCounts[joined * count + group] ?? 0);
      linkCounts[kept * count + group] = sum;
      linkCounts[group * count + kept] = sum;
    }
    for (const index of from) groupOf[index] = kept;
    groups[kept] = [...into, ...from];
    groups[joined] = [];
  }
  return inOrder(groups);
}

// What keeps two findings apart under every strategy: two categories in one file are two issues, at one line or at two.

export function mustStayApart(one: Finding, other: Finding) {
  return (
    one.location !== null &&
    one.location.path === other.location?.path &&
    one.category !== null &&
    other.category !== null &&
    normalise(one.category) !== normalise(other.category)
  );
}

function normalise(category: string) {
  return category.trim().toLowerCase();
}
