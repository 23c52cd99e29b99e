/** How much a claim and a known one resemble each other: their wordings through the matcher's eyes, and their places. */
import type { Claim } from '../claim.ts';
import { mustStayApart, nameOtherNumbers, sayTheOpposite } from '../consensus/guards.ts';
import { readWording } from '../consensus/terms.ts';
import type { Finding } from '../finding.ts';
import type { Matcher } from '../ports.ts';
import { rankOf } from '../severity.ts';
import { besideWording, mayBeOne, type PlacedClaim } from './placed-claim.ts';

export interface Tie {
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
export async function tiesBetween(claims: readonly Claim[], placed: readonly PlacedClaim[], matcher: Matcher): Promise<Tie[]> {
  const voices = claims.toSorted(bySeverity).slice(0, capacity).map(claim => ({ claim, findings: voicesOf(claim) }));
  const echoes = placed.toSorted((one, other) => bySeverity(one.known, other.known)).slice(0, capacity).map(each => ({ placed: each, findings: echoesOf(each) }));
  if (voices.length === 0 || echoes.length === 0) return [];
  await matcher.prepare([...voices, ...echoes].flatMap(({ findings }) => findings));
  const candidatesFor = createCandidates(echoes);
  return voices.flatMap(voice => candidatesFor(voice).map(echo => strongestTie(voice, echo, matcher)).filter(tie => tie !== null));
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
  for (const echo of echoes) for (const word of wordsOf(echo.findings)) holders.set(word, [...(holders.get(word) ?? []), echo]);
  return ({ claim, findings }) => {
    const shared = new Map<Echo, number>();
    for (const word of wordsOf(findings)) {
      const list = holders.get(word) ?? [];
      for (const echo of list) if (mayBeOne(claim, echo.placed)) shared.set(echo, (shared.get(echo) ?? 0) + 1 / list.length);
    }
    return [...shared].sort(([one, few], [other, many]) => many - few || compare(one.placed.known.id, other.placed.known.id)).slice(0, mostCandidates).map(([echo]) => echo);
  };
}

function wordsOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function bySeverity(one: Pick<Claim, 'id' | 'severity'>, other: Pick<Claim, 'id' | 'severity'>): number {
  return rankOf(one.severity) - rankOf(other.severity) || compare(one.id, other.id);
}

function voicesOf({ findings }: Claim): Finding[] {
  const distinct = new Map(findings.toReversed().map(finding => [finding.text.trim().toLowerCase(), finding] as const));
  return [...distinct.values()].toReversed().slice(0, mostWordings);
}

/** What was said earlier, as findings at the place of today. Voices of their own: that somebody says a thing again must not count against it. */
function echoesOf({ known, path, line }: PlacedClaim): Finding[] {
  const distinct = new Map([{ reviewer: '', text: known.text, category: known.category }, ...known.wordings.toReversed()].map(wording => [wording.text.trim().toLowerCase(), wording] as const));
  return [...distinct.values()].slice(0, mostWordings).map(({ reviewer, text, category }, index) => ({
    id: `${known.id}/${index + 1}`, reviewer: `earlier ${reviewer}`, originalId: String(index + 1), label: known.severity, severity: known.severity, text, section: null, category,
    evidence: null, recommendation: null, raw: text, notes: [], isImprovement: false,
    location: path === null ? null : { path, line, endLine: null, side: 'new', anchoring: 'exact', checked: true, note: null },
  }));
}

/** By the two wordings that are most alike; null when none may be compared. */
function strongestTie({ claim, findings }: Voice, { placed, findings: earlier }: Echo, matcher: Matcher): Tie | null {
  const beside = besideWording(claim, placed);
  let best: Tie | null = null;
  for (const one of findings) {
    for (const other of earlier) {
      const judged = judgeWordings(one, other, matcher);
      if (judged !== null && (best === null || judged.odds + beside > best.strength)) best = { claim, placed, strength: judged.odds + beside, reason: judged.reason };
    }
  }
  return best;
}

function judgeWordings(one: Finding, other: Finding, matcher: Matcher): { readonly odds: number; readonly reason: string } | null {
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
  return mustStayApart(one, other) || nameOtherNumbers(left, right) || sayTheOpposite(left, right);
}

/** Log-odds of a score, 0 where the matcher itself would call two findings the same. */
function oddsOf(score: number, cut: number): number {
  const share = score < cut ? (0.5 * score) / cut : 0.5 + (0.5 * (score - cut)) / Math.max(1, 100 - cut);
  return Math.log((share + 0.01) / (1.01 - share));
}
