/**
 * Which claims of a run continue claims that are known: judged by the wordings, through the same port that forms claims,
 * and by the place. One to one, the strongest first, whatever the order of the lists.
 */
import { findFingerprint } from '../../core/change/code-fingerprint.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { KnownClaim } from '../../core/words/known-claim.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { logOddsOf } from '../../core/words/odds.ts';
import { rankOf } from '../../core/words/severity.ts';
import { mustStayApart } from '../guards.ts';
import { compare as comparePolarity, polarityOf } from '../polarity.ts';
import { readWording } from '../wording/words.ts';
import type { Snapshot } from '../../core/change/snapshot.ts';

interface RecogniseRequest {
  readonly claims: readonly Claim[];
  readonly known: readonly KnownClaim[];
  readonly snapshot: Snapshot;
  readonly matcher: Matcher;
}

/** By the id of the claim in this run. A claim in another file, unless that was renamed, is another claim. */
export async function recogniseClaims({
  claims,
  known,
  snapshot,
  matcher,
}: RecogniseRequest): Promise<ReadonlyMap<string, KnownClaim>> {
  const recognised = new Map<string, KnownClaim>();
  const taken = new Set<string>();
  const link = (ties: readonly Tie[]): void => {
    for (const { claim, placed } of ties.toSorted(byStrength)) {
      if (recognised.has(claim.id) || taken.has(placed.known.id)) continue;
      taken.add(placed.known.id);
      recognised.set(claim.id, placed.known);
    }
  };
  const placed = known.flatMap(claim => placeAgain(claim, snapshot) ?? []);
  link(sameWords(claims, placed));
  const open = claims.filter(({ id }) => !recognised.has(id));
  const ties = await tiesBetween(
    open,
    placed.filter(each => !taken.has(each.known.id)),
    matcher,
  );
  const isLone = createLoneTest(claims, placed);
  link(ties.filter(tie => tie.strength >= (isLone(tie) ? -worthOfBeingAlone : 0)));
  return recognised;
}

/** A known claim at the place it has today. */
interface PlacedClaim {
  readonly known: KnownClaim;
  /** Null when it never named a file. */
  readonly path: string | null;
  readonly line: number | null;
  /** The code of the place stands where `line` says. */
  readonly isStanding: boolean;
}

/** Null when its file is not in the change: nothing of this run can be it. */
function placeAgain(known: KnownClaim, snapshot: Snapshot): PlacedClaim | null {
  const { path: then, code, line } = known;
  const path = then === null ? null : snapshot.currentPath(then, code);
  if (path === null)
    return then === null || line === null
      ? { known, path: then, line: null, isStanding: false }
      : null;
  const fingerprint = code === null ? null : snapshot.fingerprint(path);
  const standing =
    fingerprint === null || code === null ? null : findFingerprint(fingerprint, code, line);
  return { known, path, line: standing?.line ?? line, isStanding: standing !== null };
}

/** A claim and a known one that it may continue. */
interface Tie {
  readonly claim: Claim;
  readonly placed: PlacedClaim;
  /** Log-odds that the one continues the other. */
  readonly strength: number;
}

/** Ties of one strength are settled by the ids, so that no order of the lists matters. */
function byStrength(one: Tie, other: Tie): number {
  return (
    other.strength - one.strength ||
    compare(one.claim.id, other.claim.id) ||
    compare(one.placed.known.id, other.placed.known.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Known claims of one wording that a claim is compared with, on either side of its line. */
const mostTwins = 25;

/**
 * Word for word the same about the same file: nothing is to be weighed. Where two are, the nearer line goes first, and where
 * both stand on one line today (a blank line has no code of its own), the line of then decides.
 */
function sameWords(claims: readonly Claim[], placed: readonly PlacedClaim[]): Tie[] {
  const twins = new Map<string, PlacedClaim[]>();
  for (const each of placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))) {
    const list = twins.get(keyOf(each.known.text, each.path)) ?? [];
    list.push(each);
    twins.set(keyOf(each.known.text, each.path), list);
  }
  return claims.flatMap(claim => {
    const { text, location } = claim;
    const list = twins.get(keyOf(text, location?.path)) ?? [];
    const at = list.findIndex(({ line }) => (line ?? 0) >= (location?.line ?? 0));
    const middle = at === -1 ? list.length : at;
    return list
      .slice(Math.max(0, middle - mostTwins), middle + mostTwins)
      .filter(each => mayBeOne(claim, each))
      .map(each => ({
        claim,
        placed: each,
        strength: -(linesApart(claim, each) ?? 1e6) - (linesApart(claim, each.known) ?? 1e6) / 1e7,
      }));
  });
}

function keyOf(text: string, path: string | null | undefined): string {
  return `${path ?? ''}\n${text.trim().toLowerCase()}`;
}

/** Between a claim and a line, 0 within its place; null where one of them names no line. */
function linesApart({ location }: Claim, { line }: Pick<PlacedClaim, 'line'>): number | null {
  const first = location?.line ?? null;
  if (first === null || line === null) return null;
  return Math.max(first - line, line - Math.max(first, location?.endLine ?? first), 0);
}

/** The same words about a far place, while the code of the first one stands where it was, are another claim. */
function mayBeOne(claim: Claim, placed: PlacedClaim): boolean {
  if (claim.location === null || placed.path === null) return true;
  const isFar = placed.isStanding && (linesApart(claim, placed) ?? 0) >= faraway;
  return claim.location.path === placed.path && !isFar;
}

/** Log-odds. */
const worthOfBeingAlone = 0.5;

/**
 * A reviewer that said one thing about these lines then, and says one thing about them now, has most likely found other words for
 * it.
 */
function createLoneTest(
  claims: readonly Claim[],
  all: readonly PlacedClaim[],
): (tie: Tie) => boolean {
  return ({ claim, placed }) => {
    if (!placed.isStanding || (linesApart(claim, placed) ?? nearby + 1) > nearby) return false;
    const isHere = (path: string | null | undefined, line: number | null | undefined): boolean =>
      path === placed.path && Math.abs((line ?? Infinity) - (placed.line ?? 0)) <= nearby;
    const now = claims.filter(({ location }) => isHere(location?.path, location?.line));
    const then = all.filter(({ path, line }) => isHere(path, line));
    return claim.supporters.some(reviewer => {
      const says = ({ known }: PlacedClaim): boolean =>
        known.supporters.some(supporter => supporter.reviewer === reviewer);
      return (
        says(placed) &&
        then.filter(says).length === 1 &&
        now.filter(({ supporters }) => supporters.includes(reviewer)).length === 1
      );
    });
  };
}

/** Claims and known claims that are compared, each side at most; wordings of each; and known claims that one claim is compared with. */
const capacity = 500;
const mostWordings = 3;
const mostCandidates = 8;

interface Worded<Thing> {
  readonly thing: Thing;
  readonly findings: readonly Finding[];
}

/** Of each claim with the known ones that share most of its words. Prepares the matcher. */
async function tiesBetween(
  claims: readonly Claim[],
  placed: readonly PlacedClaim[],
  matcher: Matcher,
): Promise<Tie[]> {
  const now = claims
    .toSorted(bySeverity)
    .slice(0, capacity)
    .map(thing => ({ thing, findings: distinct(thing.findings) }));
  const then = placed
    .toSorted((one, other) => bySeverity(one.known, other.known))
    .slice(0, capacity)
    .map(thing => ({ thing, findings: distinct(earlierFindings(thing)) }));
  await matcher.prepare([...now, ...then].flatMap(({ findings }) => findings));
  const candidatesFor = createSearch(then);
  return now.flatMap(one =>
    candidatesFor(one).flatMap(other => {
      const odds = one.findings.flatMap(mine =>
        other.findings.map(theirs => oddsBetween(mine, theirs, matcher)),
      );
      const strength = Math.max(...odds) + worthBeside(one.thing, other.thing);
      return Number.isFinite(strength) ? [{ claim: one.thing, placed: other.thing, strength }] : [];
    }),
  );
}

function bySeverity(
  one: Pick<Claim, 'id' | 'severity'>,
  other: Pick<Claim, 'id' | 'severity'>,
): number {
  return rankOf(one.severity) - rankOf(other.severity) || compare(one.id, other.id);
}

function distinct(findings: readonly Finding[]): Finding[] {
  const texts = new Set<string>();
  return findings
    .filter(({ text }) => {
      const key = text.trim().toLowerCase();
      return !texts.has(key) && texts.add(key);
    })
    .slice(0, mostWordings);
}

/**
 * What was said earlier, the latest first, as findings at the place of today. Voices of their own: that a reviewer says a thing
 * again must not count against it.
 */
function earlierFindings({ known, path, line }: PlacedClaim): Finding[] {
  const { id, text: latest, category: own, severity, wordings } = known;
  return [{ reviewer: '', text: latest, category: own }, ...wordings.toReversed()].map(
    ({ reviewer, text, category }, index) => ({
      id: `${id}/${index + 1}`,
      reviewer: `earlier ${reviewer}`,
      originalId: String(index + 1),
      label: severity,
      severity,
      text,
      section: null,
      category,
      evidence: null,
      recommendation: null,
      raw: text,
      notes: [],
      isImprovement: false,
      location:
        path === null
          ? null
          : {
              path,
              line,
              endLine: null,
              side: 'new',
              anchoring: 'exact',
              checked: true,
              note: null,
            },
    }),
  );
}

/** The known claims that share most words with a claim, rare words first; what shares none says something else. */
function createSearch(
  known: readonly Worded<PlacedClaim>[],
): (worded: Worded<Claim>) => Worded<PlacedClaim>[] {
  const holders = new Map<string, Worded<PlacedClaim>[]>();
  for (const each of known) {
    for (const word of wordsOf(each.findings)) {
      const list = holders.get(word) ?? [];
      list.push(each);
      holders.set(word, list);
    }
  }
  return ({ thing, findings }) => {
    const shared = new Map<Worded<PlacedClaim>, number>();
    for (const word of wordsOf(findings)) {
      const list = holders.get(word) ?? [];
      for (const each of list)
        if (mayBeOne(thing, each.thing))
          shared.set(each, (shared.get(each) ?? 0) + 1 / list.length);
    }
    return [...shared]
      .sort(
        ([one, few], [other, many]) =>
          many - few || compare(one.thing.known.id, other.thing.known.id),
      )
      .slice(0, mostCandidates)
      .map(([each]) => each);
  };
}

function wordsOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}

/** Log-odds, 0 where the matcher itself would just call two findings the same; minus infinity where something keeps them apart. */
function oddsBetween(one: Finding, other: Finding, matcher: Matcher): number {
  const { same, score, contradicts } = matcher.compare(one, other);
  const cut = matcher.threshold ?? 50;
  if (
    contradicts === true ||
    (!same && score >= cut) ||
    mustStayApart(one, other) ||
    comparePolarity(one, other) === 'opposite' ||
    (polarityOf(one).says === 'fine') !== (polarityOf(other).says === 'fine') ||
    nameOtherNumbers(one, other)
  )
    return Number.NEGATIVE_INFINITY;
  const share = score < cut ? score / cut / 2 : 1 - (100 - score) / Math.max(1, 100 - cut) / 2;
  const odds = logOddsOf((share + 0.01) / 1.02);
  return same ? Math.max(0, odds) : odds;
}

/** Do both name numbers, and none that the other names? */
function nameOtherNumbers(one: Finding, other: Finding): boolean {
  const [left, right] = [readWording(one.text).numbers, readWording(other.text).numbers];
  return left.size > 0 && right.size > 0 && ![...left].some(number => right.has(number));
}

/** Lines that count as one spot, and as another one. */
const nearby = 3;
const faraway = 40;

/** Set by hand, in log-odds: the place counts for less than the words, because two issues may stand on one line. */
const worth = {
  sameCode: 0.6,
  near: 0.3,
  elsewhere: -0.6,
  sameSeverity: 0.1,
  farSeverity: -0.3,
  sameCategory: 0.3,
} as const;

/** What speaks for the two being one beside their words. */
function worthBeside(claim: Claim, placed: PlacedClaim): number {
  const { known, path, isStanding } = placed;
  const apart = claim.location?.path === path ? linesApart(claim, placed) : null;
  const ranks = Math.abs(rankOf(claim.severity) - rankOf(known.severity));
  const category = known.category?.trim().toLowerCase();
  const isSameCategory =
    category !== undefined &&
    claim.findings.some(finding => finding.category?.trim().toLowerCase() === category);
  let sum = isSameCategory ? worth.sameCategory : 0;
  if (ranks === 0) sum += worth.sameSeverity;
  if (ranks >= 2) sum += worth.farSeverity;
  if (apart === null) return sum;
  if (apart <= 1 && isStanding) return sum + worth.sameCode;
  if (apart <= nearby) return sum + worth.near;
  return apart >= faraway ? sum + worth.elsewhere : sum;
}
