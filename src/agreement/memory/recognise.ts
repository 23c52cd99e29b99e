/**
 * Which claims of a run continue claims that are known: judged by the wordings, through the same port that forms claims,
 * and by the place. One to one, the strongest first, whatever the order of the lists.
 */
import type { Claim } from '../../core/words/claim.ts';
import { contradict, mustStayApart, nameOtherNumbers, standApart } from '../guards.ts';
import { readWording } from '../wording/words.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { rankOf } from '../../core/words/severity.ts';
import { findFingerprint, type Snapshot } from './code-fingerprint.ts';
import type { KnownClaim } from '../../core/words/known-claim.ts';

interface RecogniseRequest {
  readonly claims: readonly Claim[];
  readonly known: readonly KnownClaim[];
  readonly snapshot: Snapshot;
  readonly matcher: Matcher;
}

export interface Recognised {
  readonly known: KnownClaim;
  /** In words, for whoever asks why. */
  readonly reason: string;
}

/** By the id of the claim in this run. A claim in another file, unless that was renamed, is another claim. */
export async function recogniseClaims({
  claims,
  known,
  snapshot,
  matcher,
}: RecogniseRequest): Promise<ReadonlyMap<string, Recognised>> {
  const recognised = new Map<string, Recognised>();
  const placed = known
    .map(claim => placeAgain(claim, snapshot))
    .filter(placedClaim => placedClaim !== null)
    .toSorted((one, other) => compare(one.known.id, other.known.id));
  const link = (tie: Tie): void => {
    if (recognised.has(tie.claim.id) || taken.has(tie.placed.known.id)) return;
    taken.add(tie.placed.known.id);
    recognised.set(tie.claim.id, { known: tie.placed.known, reason: tie.reason });
  };
  const taken = new Set<string>();
  for (const tie of sameWords(claims, placed)) link(tie);
  const openClaims = claims.filter(claim => !recognised.has(claim.id));
  const openKnown = placed.filter(each => !taken.has(each.known.id));
  const ties = await tiesBetween(openClaims, openKnown, matcher);
  const holding = ties.filter(
    tie =>
      tie.strength >= 0 || (tie.strength >= -worthOfBeingAlone && isAlone(tie, claims, placed)),
  );
  for (const tie of holding.sort(byStrength)) link(tie);
  return recognised;
}

/**
 * Word for word the same about the same file: nothing is to be weighed. Where two are, the nearer line goes first, and where
 * both stand on one line today (a blank line has no code of its own), the line of then decides.
 */
function sameWords(claims: readonly Claim[], placed: readonly PlacedClaim[]): Tie[] {
  const twins = new Map<string, PlacedClaim[]>();
  for (const each of placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))) {
    const key = keyOf(each.known.text, each.path);
    const list = twins.get(key);
    if (list === undefined) twins.set(key, [each]);
    else list.push(each);
  }
  const ties = claims.flatMap(claim =>
    nearestTwins(claim, twins.get(keyOf(claim.text, claim.location?.path ?? null)) ?? [])
      .filter(each => mayBeOne(claim, each))
      .map(each => ({
        claim,
        placed: each,
        strength: -linesApart(claim, each) - linesApart(claim, each.known) / 1e7,
        reason: 'The same words about the same file.',
      })),
  );
  return ties.sort(byStrength);
}

/** Known claims of one wording that a claim is compared with, on either side of its line. */
const mostTwins = 25;

function nearestTwins({ location }: Claim, twins: readonly PlacedClaim[]): readonly PlacedClaim[] {
  if (twins.length <= mostTwins) return twins;
  const at = twins.findIndex(({ line }) => (line ?? 0) >= (location?.line ?? 0));
  const middle = at === -1 ? twins.length : at;
  return twins.slice(Math.max(0, middle - mostTwins), middle + mostTwins);
}

function keyOf(text: string, path: string | null): string {
  return `${path ?? ''}\n${text.trim().toLowerCase()}`;
}

/** Where one of the two names no line, further than any. */
function linesApart({ location }: Claim, { line }: Pick<PlacedClaim, 'line'>): number {
  const own = location?.line ?? null;
  return own === null || line === null ? 1_000_000 : Math.abs(own - line);
}

/** Ties are settled by the ids, so that no order of the lists matters. */
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

/** Log-odds. */
const worthOfBeingAlone = 0.5;

/** Somebody who said one thing about these lines then, and says one thing about them now, has most likely found other words for it. */
function isAlone(
  { claim, placed }: Tie,
  claims: readonly Claim[],
  all: readonly PlacedClaim[],
): boolean {
  const line = placed.line ?? 0;
  const own = claim.location;
  if (!placed.isStanding || own === null || own.line === null || linesFrom(own, line) > nearby)
    return false;
  const here = (path: string | null, other: number | null): boolean =>
    path === placed.path && other !== null && Math.abs(other - line) <= nearby;
  const isLone = (reviewer: string): boolean =>
    placed.known.supporters.some(supporter => supporter.reviewer === reviewer) &&
    claims.filter(
      each =>
        each.supporters.includes(reviewer) &&
        here(each.location?.path ?? null, each.location?.line ?? null),
    ).length === 1 &&
    all.filter(
      each =>
        here(each.path, each.line) &&
        each.known.supporters.some(supporter => supporter.reviewer === reviewer),
    ).length === 1;
  return claim.supporters.some(isLone);
}

/** How much a claim and a known one resemble each other: their wordings through the matcher's eyes, and their places. */
interface Tie {
  readonly claim: Claim;
  readonly placed: PlacedClaim;
  /** Log-odds that the claim continues the known one. */
  readonly strength: number;
  readonly reason: string;
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
): Promise<Tie[]> {
  const voices = claims
    .toSorted(bySeverity)
    .slice(0, capacity)
    .map(claim => ({ claim, findings: voicesOf(claim) }));
  const echoes = placed
    .toSorted((one, other) => bySeverity(one.known, other.known))
    .slice(0, capacity)
    .map(each => ({ placed: each, findings: echoesOf(each) }));
  if (voices.length === 0 || echoes.length === 0) return [];
  await matcher.prepare([...voices, ...echoes].flatMap(({ findings }) => findings));
  const candidatesFor = createCandidates(echoes);
  return voices.flatMap(voice =>
    candidatesFor(voice)
      .map(echo => strongestTie(voice, echo, matcher))
      .filter(tie => tie !== null),
  );
}

interface Voice {
  readonly claim: Claim;
  readonly findings: readonly Finding[];
}

interface Echo {
  readonly placed: PlacedClaim;
  readonly findings: readonly Finding[];
}

/** The known claims that share most words with a claim, rare words first; what shares none says something else. */
function createCandidates(echoes: readonly Echo[]): (voice: Voice) => Echo[] {
  const holders = new Map<string, Echo[]>();
  for (const echo of echoes)
    for (const word of wordsOf(echo.findings))
      holders.set(word, [...(holders.get(word) ?? []), echo]);
  return ({ claim, findings }) => {
    const shared = new Map<Echo, number>();
    for (const word of wordsOf(findings)) {
      const list = holders.get(word) ?? [];
      for (const echo of list)
        if (mayBeOne(claim, echo.placed))
          shared.set(echo, (shared.get(echo) ?? 0) + 1 / list.length);
    }
    return [...shared]
      .sort(
        ([one, few], [other, many]) =>
          many - few || compare(one.placed.known.id, other.placed.known.id),
      )
      .slice(0, mostCandidates)
      .map(([echo]) => echo);
  };
}

function wordsOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}

function bySeverity(
  one: Pick<Claim, 'id' | 'severity'>,
  other: Pick<Claim, 'id' | 'severity'>,
): number {
  return rankOf(one.severity) - rankOf(other.severity) || compare(one.id, other.id);
}

function voicesOf({ findings }: Claim): Finding[] {
  const distinct = new Map(
    findings.toReversed().map(finding => [finding.text.trim().toLowerCase(), finding] as const),
  );
  return [...distinct.values()].toReversed().slice(0, mostWordings);
}

/**
 * What was said earlier, as findings at the place of today. Voices of their own: that somebody says a thing again must not count
 * against it.
 */
function echoesOf({ known, path, line }: PlacedClaim): Finding[] {
  const distinct = new Map(
    [
      { reviewer: '', text: known.text, category: known.category },
      ...known.wordings.toReversed(),
    ].map(wording => [wording.text.trim().toLowerCase(), wording] as const),
  );
  return [...distinct.values()]
    .slice(0, mostWordings)
    .map(({ reviewer, text, category }, index) => ({
      id: `${known.id}/${index + 1}`,
      reviewer: `earlier ${reviewer}`,
      originalId: String(index + 1),
      label: known.severity,
      severity: known.severity,
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
    }));
}

/** By the two wordings that are most alike; null when none may be compared. */
function strongestTie(
  { claim, findings }: Voice,
  { placed, findings: earlier }: Echo,
  matcher: Matcher,
): Tie | null {
  const beside = besideWording(claim, placed);
  let best: Tie | null = null;
  for (const one of findings) {
    for (const other of earlier) {
      const judged = judgeWordings(one, other, matcher);
      if (judged !== null && (best === null || judged.odds + beside > best.strength))
        best = { claim, placed, strength: judged.odds + beside, reason: judged.reason };
    }
  }
  return best;
}

function judgeWordings(
  one: Finding,
  other: Finding,
  matcher: Matcher,
): { readonly odds: number; readonly reason: string } | null {
  if (areBarred(one, other)) return null;
  const { same, score, contradicts, reason } = matcher.compare(one, other);
  const cut = matcher.threshold ?? 50;
  // Alike enough, and yet not the same: a guard of the matcher holds them apart.
  if (contradicts === true || (!same && score >= cut)) return null;
  const odds = oddsOf(score, cut);
  return { odds: same ? Math.max(0, odds) : odds, reason };
}

function areBarred(one: Finding, other: Finding): boolean {
  const [left, right] = [readWording(one.text), readWording(other.text)];
  return (
    mustStayApart(one, other) ||
    contradict(one, other) ||
    standApart(one, other) ||
    nameOtherNumbers(left, right)
  );
}

/** Log-odds of a score, 0 where the matcher itself would call two findings the same. */
function oddsOf(score: number, cut: number): number {
  const share =
    score < cut ? (0.5 * score) / cut : 0.5 + (0.5 * (score - cut)) / Math.max(1, 100 - cut);
  return Math.log((share + 0.01) / (1.01 - share));
}

/** A known claim at the place it has today, and what that place says about its being one with a claim of the run. */
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
  if (known.path === null) return { known, path: null, line: null, isStanding: false };
  const path = snapshot.currentPath(known.path, known.code);
  if (path === null)
    return known.line === null ? { known, path: known.path, line: null, isStanding: false } : null;
  const fingerprint = known.code === null ? null : snapshot.fingerprint(path);
  const standing =
    fingerprint === null || known.code === null
      ? null
      : findFingerprint(fingerprint, known.code, known.line);
  return { known, path, line: standing?.line ?? known.line, isStanding: standing !== null };
}

/** Lines that count as one spot, and as another one. */
const nearby = 3;
const faraway = 40;

/** The same words about a far place, while the code of the first one stands where it was, are another claim. */
function mayBeOne({ location }: Claim, { path, line, isStanding }: PlacedClaim): boolean {
  if (location === null || path === null) return true;
  const isElsewhere =
    isStanding && line !== null && location.line !== null && linesFrom(location, line) >= faraway;
  return location.path === path && !isElsewhere;
}

/** Lines between a place and a line; 0 within it. */
function linesFrom({ line, endLine }: NonNullable<Claim['location']>, other: number): number {
  const first = line ?? other;
  return other < first ? first - other : Math.max(0, other - Math.max(first, endLine ?? first));
}

const worth = {
  sameCode: 0.6,
  near: 0.3,
  elsewhere: -0.6,
  sameSeverity: 0.1,
  farSeverity: -0.3,
  sameCategory: 0.3,
} as const;

/** Set by hand, in log-odds: the place counts for less than the words, because two issues may stand on one line. */
function besideWording(claim: Claim, { known, path, line, isStanding }: PlacedClaim): number {
  const apart =
    path === null || claim.location?.path !== path || claim.location.line === null || line === null
      ? null
      : linesFrom(claim.location, line);
  const ranks = Math.abs(rankOf(claim.severity) - rankOf(known.severity));
  const severity = ranks === 0 ? worth.sameSeverity : ranks >= 2 ? worth.farSeverity : 0;
  const isSameCategory =
    known.category !== null &&
    claim.findings.some(
      ({ category }) => category?.trim().toLowerCase() === known.category?.trim().toLowerCase(),
    );
  return worthOfPlace(apart, isStanding) + severity + (isSameCategory ? worth.sameCategory : 0);
}

/** `apart`: lines between the two; null when one names none. */
function worthOfPlace(apart: number | null, isStanding: boolean): number {
  if (apart === null) return 0;
  if (apart <= 1 && isStanding) return worth.sameCode;
  if (apart <= nearby) return worth.near;
  return apart >= faraway ? worth.elsewhere : 0;
}
