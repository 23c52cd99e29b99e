/**
 * Turns what reviewers said into claims. A merge keeps every finding and the worst severity; support counts distinct
 * reviewers. No reviewer can take another's finding away, and none can crowd the others out.
 */
import { type Agreement, agreementOf, type Claim, countSupport } from '../core/words/claim.ts';
import type { Finding } from '../core/words/finding.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { isReader } from '../core/words/reader.ts';
import type { Review } from '../core/words/review.ts';
import { rankOf, type Severity } from '../core/words/severity.ts';
import { type Electorate, electorateOf } from '../core/verdict/coverage.ts';
import { type ConfidenceModel, createAssessor, type PanelRecord } from './confidence/confidence.ts';
import { isWordless } from './confidence/matters.ts';
import { groupFindings } from './grouping.ts';
import { isGrouping } from './matching.ts';
import { findOpposites, polarityOf } from './polarity.ts';
import { describeUncompared, groupBy, roomForAll, selectForMatching } from './selection.ts';

interface ClaimRequest {
  /** Those of one reviewer in the order it gave them; the reviewers in any order. */
  readonly findings: readonly Finding[];
  readonly matcher: Matcher;
  /** Reviewer ids in display order; any others follow by name. */
  readonly panel: readonly string[];
  /** They decide whose findings count and who is in the electorate. */
  readonly reviews: readonly Review[];
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
  /** How the confidence of each claim is computed; left out, it stays null. */
  readonly confidence?: ConfidenceSettings;
  /** Hears a sentence when there was too much to compare everything. */
  readonly warn?: (sentence: string) => void;
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
  hash,
  confidence,
  warn,
}: ClaimRequest): Promise<Claim[]> {
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
  const uncompared = apart.flat().length + (grouping.apart ?? 0);
  const sentence = describeUncompared(uncompared, ordered.length, capacity);
  if (sentence !== null) warn?.(sentence);

  const position = new Map(ordered.map((finding, index) => [finding, index]));
  const byAppearance = (one: Finding, other: Finding): number =>
    (position.get(one) ?? 0) - (position.get(other) ?? 0);
  const electorate = electorateOf(reviews);
  const checks = checksIn(reviews);
  const draft = (list: readonly Finding[], sureness = 1): Claim =>
    draftClaim(list.toSorted(byAppearance), { electorate, checks, rank, sureness });
  const drafts = [
    ...grouping.groups.flatMap((group, index) =>
      withoutPraise(group.flatMap(at => matched[at] ?? [])).map(list =>
        draft(list, grouping.sureness?.[index]),
      ),
    ),
    ...apart.map(list => draft(list)),
    ...repeatedShouts(ordered).map(list => draft(list)),
  ].sort(
    (one, other) =>
      compareClaims(one, other) ||
      byAppearance(one.findings[0] as Finding, other.findings[0] as Finding),
  );
  const opposites = [...grouping.contradictions, ...findOpposites(participants)]
    .map(([one, other]) => [participants[one], participants[other]] as const)
    .filter(pair => !pair.some(finding => finding && checks.has(finding.reviewer)));
  const nameOf = createNames(hash);
  const named = drafts.map(claim => ({ ...claim, id: nameOf(claim) }));
  const claims = linkOpposites(named, opposites);
  return confidence === undefined ? claims : rateClaims(claims, ordered, reviews, confidence);
}

/** Who says that all is well has no vote in what others call a trouble, however alike the words. */
function withoutPraise(findings: readonly Finding[]): (readonly Finding[])[] {
  const praise = findings.filter(finding => polarityOf(finding).says === 'fine');
  const rest = findings.filter(finding => !praise.includes(finding));
  return [rest, praise].filter(list => list.length > 0);
}

function idsOf(reviews: readonly Review[]): ReadonlySet<string> {
  return new Set(reviews.map(({ reviewer }) => reviewer));
}

/** What holds no word is listed and agrees with nothing; what one reviewer repeats about a place is one. */
function repeatedShouts(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  return groupBy(findings.filter(isWordless), ({ reviewer, text, location }) =>
    JSON.stringify([reviewer, text, location?.path, location?.line]),
  );
}

/** What only checks say keeps no figure: those were measured on readers. */
function rateClaims(
  claims: readonly Claim[],
  findings: readonly Finding[],
  reviews: readonly Review[],
  { model, ...record }: ConfidenceSettings,
): Claim[] {
  const checks = idsOf(reviews.filter(review => !isReader(review)));
  const assess = createAssessor(model, { ...record, findings, reviews });
  return claims.map(claim => {
    if (claim.supporters.every(reviewer => checks.has(reviewer))) return claim;
    const { probability, matters, worth, cases } = assess(claim);
    return { ...claim, confidence: probability, cases, matters: matters.probability, worth };
  });
}

type Rank = (one: string, other: string) => number;

function panelRank(panel: readonly string[]): Rank {
  const places = new Map(panel.map((reviewer, index) => [reviewer, index]));
  const placeOf = (reviewer: string): number => places.get(reviewer) ?? panel.length;
  return (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : Number(one > other));
}

interface Drafting {
  readonly electorate: Electorate;
  /** Those whose voice makes no agreement. */
  readonly checks: ReadonlySet<string>;
  readonly rank: Rank;
  readonly sureness: number;
}

function draftClaim(
  findings: readonly Finding[],
  { electorate, checks, rank, sureness }: Drafting,
): Claim {
  const worst = findings.reduce((leader, next) =>
    rankOf(next.severity) < rankOf(leader.severity) ? next : leader,
  );
  const supporters = [...new Set(findings.map(finding => finding.reviewer))];
  const electors = [...new Set([...supporters, ...electorate(worst.location?.path ?? null)])]
    .filter(reviewer => !checks.has(reviewer))
    .sort(rank);
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
    severityConflict: conflictOf(findings),
    contradicts: [],
    state: 'new',
  };
}

/** Each reviewer with the worst severity it gave; null when these are all the same. */
function conflictOf(findings: readonly Finding[]): Record<string, Severity> | null {
  const worst = new Map<string, Severity>();
  for (const { reviewer, severity } of findings) {
    const known = worst.get(reviewer);
    if (known === undefined || rankOf(severity) < rankOf(known)) worst.set(reviewer, severity);
  }
  return new Set(worst.values()).size > 1 ? Object.fromEntries(worst) : null;
}

const strength: Record<Agreement, number> = { all: 2, majority: 1, single: 0 };

function compareClaims(one: Claim, other: Claim): number {
  const share =
    one.agreement === 'majority'
      ? countSupport(other) * one.electorate - countSupport(one) * other.electorate
      : 0;
  return (
    strength[other.agreement] - strength[one.agreement] ||
    share ||
    rankOf(one.severity) - rankOf(other.severity) ||
    other.supporters.length - one.supporters.length
  );
}

/**
 * Gives ids, made of the lower-cased text and the file, so that later runs find the same claim again. Further claims that share
 * both, and those whose id is `taken`, are numbered.
 */
export function createNames(
  hash: (text: string) => string,
  taken = new Set<string>(),
): (claim: Pick<Claim, 'text' | 'location'>) => string {
  const counts = new Map<string, number>();
  return ({ text, location }) => {
    const content = `${text.toLowerCase()}\n${location?.path ?? ''}`;
    // By its hash: contents are as long as texts are.
    const first = hash(content);
    let count = counts.get(first) ?? 0;
    let id = '';
    do {
      count += 1;
      id = `c-${(count === 1 ? first : hash(`${content}\n${count}`)).slice(0, 10)}`;
    } while (taken.has(id));
    counts.set(first, count);
    taken.add(id);
    return id;
  };
}

function linkOpposites(
  claims: readonly Claim[],
  opposites: readonly (readonly [Finding | undefined, Finding | undefined])[],
): Claim[] {
  const idOf = new Map(
    claims.flatMap(({ id, findings }) => findings.map(each => [each, id] as const)),
  );
  const against = new Map<string, Set<Finding>>();
  for (const [one, other] of opposites) {
    const [left, right] = [one && idOf.get(one), other && idOf.get(other)];
    if (!one || !other || !left || !right || left === right) continue;
    if (one.reviewer === other.reviewer) continue;
    against.set(left, (against.get(left) ?? new Set()).add(other));
    against.set(right, (against.get(right) ?? new Set()).add(one));
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

/** Checks beside readers: where none reads, they are the panel. */
function checksIn(reviews: readonly Review[]): ReadonlySet<string> {
  return idsOf(reviews.some(isReader) ? reviews.filter(review => !isReader(review)) : []);
}
