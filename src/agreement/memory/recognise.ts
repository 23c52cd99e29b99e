/**
 * Which claims of a run continue claims that are known: judged by the wordings, through the same port that forms claims,
 * and by the place. One to one, the strongest first, whatever the order of the lists.
 */
import type { Snapshot } from '../../core/change/snapshot.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { type Claim, logOddsOf } from '../../core/words/claim.ts';
import { type Finding, rankOf } from '../../core/words/finding.ts';
import type { KnownClaim } from '../../core/words/run.ts';
import { mostTelling } from '../explaining/explain.ts';
import { mustStayApart } from '../claims.ts';
import { areReverse } from '../polarity.ts';
import { by, groupsBy } from '../../core/groups.ts';
import { createSearch } from '../linkage.ts';
import { categoryOf, findCode, pathToday } from './decision.ts';

/** By the id of the claim in this run. A claim in another file, unless that was renamed, is another claim. Prepares the matcher. */
export async function recogniseClaims(
  claims: readonly Claim[],
  known: readonly KnownClaim[],
  snapshot: Snapshot,
  matcher: Matcher,
): Promise<ReadonlyMap<string, KnownClaim>> {
  const recognised = new Map<string, KnownClaim>();
  const taken = new Set<PlacedClaim>();
  const link = (ties: readonly Tie[]) => {
    for (const { claim, placed } of ties.toSorted(byStrength)) {
      if (recognised.has(claim.id) || taken.has(placed)) continue;
      taken.add(placed);
      recognised.set(claim.id, placed.known);
    }
  };
  const placed = known.flatMap(claim => placeAgain(claim, snapshot) ?? []);
  link(sameWords(claims, placed));
  const open = claims.filter(({ id }) => !recognised.has(id));
  const left = placed.filter(each => !taken.has(each));
  link(await tiesBetween(open, left, matcher));
  return recognised;
}

/** A known claim at the place it has today. */
interface PlacedClaim {
  known: KnownClaim;
  /** Null when it never named a file. */
  path: string | null;
  line: number | null;
  /** The code of the place stands where `line` says. */
  isStanding: boolean;
}

/** Null when its file is not in the change: nothing of this run can be it. */
function placeAgain(known: KnownClaim, snapshot: Snapshot): PlacedClaim | null {
  const path = pathToday(known, snapshot);
  if (path === null)
    return known.path === null || known.line === null
      ? { known, path: known.path, line: null, isStanding: false }
      : null;
  const standing = findCode(snapshot, path, known.code, known.line);
  return { known, path, line: standing?.line ?? known.line, isStanding: standing !== null };
}

/** A claim and a known one that it may continue. */
interface Tie {
  claim: Claim;
  placed: PlacedClaim;
  /** Log-odds that the one continues the other. */
  strength: number;
}

/** Ties of one strength are settled by the ids, so that no order of the lists matters. */
const byStrength = by<Tie>(
  ({ strength }) => -strength,
  ({ claim }) => claim.id,
  ({ placed }) => placed.known.id,
);

/** Known claims of one wording that a claim is compared with, on either side of its line. */
const mostTwins = 25;

/**
 * Word for word the same about the same file: nothing is to be weighed. Where two are, the nearer line goes first, and where
 * both stand on one line today (a blank line has no code of its own), the line of then decides.
 */
function sameWords(claims: readonly Claim[], placed: readonly PlacedClaim[]) {
  const byLine = placed.toSorted(by(({ line }) => line ?? 0));
  const keyOfKnown = ({ known, path }: PlacedClaim) => keyOf(known.text, path ?? '');
  const twins = new Map(groupsBy(byLine, keyOfKnown).map(list => [keyOfKnown(list[0]), list]));
  return claims.flatMap(claim => {
    const { text, location } = claim;
    const list = twins.get(keyOf(text, location?.path)) ?? [];
    const before = list.filter(({ line }) => (line ?? 0) < (location?.line ?? 0)).length;
    return list
      .slice(Math.max(0, before - mostTwins), before + mostTwins)
      .filter(each => mayBeOne(claim, each))
      .map(each => ({
        claim,
        placed: each,
        strength: -(linesApart(claim, each) ?? 1e6) - (linesApart(claim, each.known) ?? 1e6) / 1e7,
      }));
  });
}

function keyOf(text: string, path = '') {
  return `${path}\n${text.trim().toLowerCase()}`;
}

/** Between a claim and a line, 0 within its place; null where one of them names no line. */
function linesApart({ location }: Claim, { line }: Pick<PlacedClaim, 'line'>) {
  const first = location?.line ?? null;
  if (first === null || line === null) return null;
  return Math.max(first - line, line - Math.max(first, location?.endLine ?? first), 0);
}

/** The same words about a far place, while the code of the first one stands where it was, are another claim. */
function mayBeOne(claim: Claim, placed: PlacedClaim) {
  if (!claim.location || placed.path === null) return true;
  const isFar = placed.isStanding && (linesApart(claim, placed) ?? 0) >= faraway;
  return claim.location.path === placed.path && !isFar;
}

/** Claims and known claims that are compared, each side at most; wordings of each; and known claims that one claim is compared with. */
const capacity = 500;
const mostWordings = 3;
const mostCandidates = 8;

/** Of each claim with the known ones that share most of its words. Prepares the matcher. */
async function tiesBetween(
  claims: readonly Claim[],
  placed: readonly PlacedClaim[],
  matcher: Matcher,
) {
  const now = claims
    .toSorted(
      by(
        ({ severity }) => rankOf(severity),
        ({ id }) => id,
      ),
    )
    .slice(0, capacity)
    .map(claim => ({ claim, said: mostTelling(claim.findings, mostWordings) }));
  const then = placed
    .toSorted(
      by(
        ({ known }) => rankOf(known.severity),
        ({ known }) => known.id,
      ),
    )
    .slice(0, capacity)
    .map(each => ({ placed: each, said: mostTelling(earlierFindings(each), mostWordings) }));
  await matcher.prepare([...now, ...then].flatMap(({ said }) => said));
  const search = createSearch(then, ({ said }) => said.map(({ text }) => text));
  return now.flatMap(({ claim, said }) =>
    search(said.map(({ text }) => text))
      .filter(each => mayBeOne(claim, each.placed))
      .slice(0, mostCandidates)
      .map(each => {
        const odds = said.flatMap(mine =>
          each.said.map(theirs => oddsBetween(mine, theirs, matcher)),
        );
        const strength = Math.max(...odds) + worthBeside(claim, each.placed);
        return { claim, placed: each.placed, strength };
      })
      .filter(({ strength }) => strength >= 0),
  );
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

/** Log-odds, 0 where the matcher itself would just call two findings the same; minus infinity where something keeps them apart. */
function oddsBetween(one: Finding, other: Finding, matcher: Matcher) {
  if (mustStayApart(one, other) || areReverse(one, other)) return -Infinity;
  const { same, score, contradicts } = matcher.compare(one, other);
  if (contradicts) return -Infinity;
  const odds = oddsOf(score) - oddsOf(matcher.threshold ?? 50);
  return same ? Math.max(0, odds) : odds;
}

/** Of whole percent. */
function oddsOf(score: number) {
  return logOddsOf((score + 1) / 102);
}

/** Lines that count as one spot, and as another one. */
const nearby = 3;
const faraway = 40;

/** Set by hand, in log-odds: the place counts for less than the words, because two issues may stand on one line. */
const worth = { sameCode: 0.7, near: 0.4, elsewhere: -0.5, rank: -0.15, sameCategory: 0.3 };

/** What speaks for the two being one beside their words. */
function worthBeside(claim: Claim, placed: PlacedClaim) {
  const { known, isStanding } = placed;
  const apart = linesApart(claim, placed) ?? nearby + 1;
  const isSameCategory = categoryOf(claim)?.toLowerCase() === (known.category ?? '').toLowerCase();
  const ranks = Math.abs(rankOf(claim.severity) - rankOf(known.severity));
  const place = apart <= 1 && isStanding ? worth.sameCode : worth.near;
  return (
    ranks * worth.rank +
    (isSameCategory ? worth.sameCategory : 0) +
    (apart <= nearby ? place : apart >= faraway ? worth.elsewhere : 0)
  );
}
