/**
 * The uncertain band: the claims about which one more answer can change a decision, what asking is worth, and how answers move
 * the odds. Pure, and the same for the product and its benchmark.
 */
import type { ReviewerReliability } from '../../agreement/index.ts';
import type { BandSettings } from './band-settings.ts';
import { clamp, logOddsOf, probabilityOf } from '../words/odds.ts';

/** How sure an answer makes, by whom. */
export interface Verifier {
  readonly id: string;
  /** Vendor family; null when nobody knows. */
  readonly family: string | null;
  /** Log-odds that one answer of it moves, never below 0. */
  readonly worth: number;
}

/** What one of them answered; `side` null: it abstained. */
export interface VerifierAnswer extends Verifier {
  readonly side: 'for' | 'against' | null;
}

/** Decided cases that the expectation about somebody unknown outweighs. */
const priorStrength = 10;
/** The best record there is promises no more than nine right answers of ten. */
const mostReliable = 0.9;
/** Log-odds: however many answer, they take .5 to .95 or to .05 and no further. */
const mostMoved = Math.log(0.95 / 0.05);

/** Who answered, without which nothing is known of how it answers. */
type AnswerRecord = Pick<ReviewerReliability, 'confirmed' | 'rejected'> &
  Partial<Pick<ReviewerReliability, 'right' | 'wrong'>>;

/**
 * Expected share of right answers: the mean of a Beta distribution over the answers that people's decisions bore out or
 * contradicted (Beta-Binomial, strength 10). Where it starts is the stated default; a reviewer whose own findings were dismissed
 * more often than those of `others` starts lower, by that difference in log-odds. One whose findings were right more often does
 * not start higher: to find is not to judge.
 */
export function reliabilityOfAnswers(
  record: AnswerRecord | undefined,
  others: readonly AnswerRecord[],
  { reliability }: Pick<BandSettings, 'reliability'>,
): number {
  if (record === undefined) return reliability;
  const usual = shareOf(sum(others, 'confirmed'), sum(others, 'rejected'), 0.5);
  const trust = logOddsOf(shareOf(record.confirmed, record.rejected, usual)) - logOddsOf(usual);
  const start = probabilityOf(logOddsOf(reliability) + Math.min(0, trust));
  return shareOf(record.right ?? 0, record.wrong ?? 0, start);
}

function shareOf(right: number, wrong: number, expected: number): number {
  return (right + expected * priorStrength) / (right + wrong + priorStrength);
}

function sum(records: readonly AnswerRecord[], key: 'confirmed' | 'rejected'): number {
  return records.reduce((total, record) => total + record[key], 0);
}

/**
 * Log-likelihood ratio of one answer, ln(r / (1 − r)), for somebody who is as often right about true claims as about false ones
 * (the one-coin model of Dawid and Skene, 1979; "weight of evidence" in Good, 1950). Who is wrong more often than right moves
 * nothing: that it will stay wrong is no more certain than its answers, and whoever knew of it could use it.
 */
export function worthOfAnswer(reliability: number): number {
  return Math.max(0, logOddsOf(Math.min(reliability, mostReliable)));
}

/**
 * Confidence after the answers, in whatever order they came. Within one vendor family each further answer counts half of the one
 * before, and the first one half where a supporter of the claim is of that family. An abstention moves nothing.
 */
export function moveConfidence(
  confidence: number,
  answers: readonly VerifierAnswer[],
  familiesOfSupporters: ReadonlySet<string> = new Set(),
): number {
  const moved = discounted(answers, familiesOfSupporters).reduce(
    (total, { side, worth }) => total + (side === 'for' ? worth : -worth),
    0,
  );
  if (moved === 0) return confidence;
  return probabilityOf(logOddsOf(confidence) + clamp(moved, -mostMoved, mostMoved));
}

/** What each answer counts, abstentions left out. */
export function discounted(
  answers: readonly VerifierAnswer[],
  familiesOfSupporters: ReadonlySet<string>,
): VerifierAnswer[] {
  const families = new Map<string, VerifierAnswer[]>();
  for (const answer of answers.filter(({ side }) => side !== null)) {
    const family = answer.family ?? `\n${answer.id}`;
    families.set(family, [...(families.get(family) ?? []), answer]);
  }
  return [...families].flatMap(([family, own]) =>
    own.map(answer => ({
      ...answer,
      worth: answer.worth * shareInFamily(answer, own, Number(familiesOfSupporters.has(family))),
    })),
  );
}

/** The weightiest counts whole; those of the same weight share alike, so that two that contradict each other cancel. */
function shareInFamily(
  { worth }: VerifierAnswer,
  family: readonly VerifierAnswer[],
  before: number,
): number {
  const weightier = before + family.filter(other => other.worth > worth).length;
  const alike = family.filter(other => other.worth === worth).length;
  // The mean of alike halvings in a row, from the first that is theirs.
  return (2 * (1 - 0.5 ** alike) * 0.5 ** weightier) / alike;
}

/**
 * Wrong decisions that one answer saves on average: the expected value of sample information (Raiffa and Schlaifer, 1961; Howard,
 * "Information value theory", 1966) for deciding at `cut` with the costs for which that is the best cut: a false claim that is
 * taken costs 2·cut, a true one that is left 2·(1 − cut), so that at .5 each wrong decision counts one. It is 0 exactly where no
 * answer of this worth carries the confidence across the cut: that is the band.
 */
export function valueOfAsking(confidence: number, worth: number, cut: number): number {
  const right = probabilityOf(worth);
  const inFavour = confidence * right + (1 - confidence) * (1 - right);
  const after = (odds: number): number => lossAt(probabilityOf(logOddsOf(confidence) + odds), cut);
  const saved = lossAt(confidence, cut) - inFavour * after(worth) - (1 - inFavour) * after(-worth);
  return isInBand(confidence, worth, cut) ? Math.max(0, saved) : 0;
}

/** Can one answer of this worth carry the confidence across the cut? */
export function isInBand(confidence: number, worth: number, cut: number): boolean {
  return worth > 0 && Math.abs(logOddsOf(confidence) - logOddsOf(cut)) < worth;
}

function lossAt(confidence: number, cut: number): number {
  return 2 * Math.min(cut * (1 - confidence), (1 - cut) * confidence);
}
