/**
 * Two short remarks, judged by what they complain of. Few words leave little to share, so that paraphrases look like
 * strangers: a weakness that both speak of, each in words of its own, speaks for one trouble. It only ever speaks for; long
 * wordings are judged by their words alone.
 */
import type { Finding } from '../core/words/finding.ts';
import { clamp } from '../core/words/odds.ts';
import type { Pair } from './matching.ts';
import { shareOf, sizeOf, type WeighedStatement } from './wording/run-wording.ts';
import { shortWeights } from './short-weights.ts';
import {
  compareWeaknesses,
  type Kinship,
  type Reading,
  readWeaknesses,
  spokenOf,
} from './weaknesses/weaknesses.ts';
import type { Statement } from './wording/words.ts';

export interface Remark {
  readonly finding: Pick<Finding, 'text' | 'location'>;
  readonly statement: Statement;
  readonly weighed: Pick<WeighedStatement, 'stems'>;
  /** Does it stand in a panel of more than `smallPanel`? */
  readonly isOneOfMany?: boolean;
}

/** Statements of a panel whose short ones are judged by what they complain of, at most: a larger one tells enough itself. */
export const smallPanel = 128;

/** Stems of the shorter side: up to `brief` a remark is short, from `full` on it is not. */
const inCompany = { brief: 6, full: 9 };

/** The same of two that nothing else comes near: longer ones may tell one trouble in words of their own, too. */
const withoutRivals = { brief: 12, full: 18 };

/** Stems of the longer side, likewise: a whole paragraph names many things in passing. */
const plain = 24;
const crammed = 28;

/** 0 to 1; 0 for long ones, and in large panels. Symmetric. */
export function shortnessOf(one: Remark, other: Remark, isLone = false): number {
  if (one.isOneOfMany === true || other.isOneOfMany === true) return 0;
  const { brief, full } = isLone ? withoutRivals : inCompany;
  const [left, right] = [sizeOf(one.weighed.stems), sizeOf(other.weighed.stems)];
  return (
    clamp((full - Math.min(left, right)) / (full - brief), 0, 1) *
    clamp((crammed - Math.max(left, right)) / (crammed - plain), 0, 1)
  );
}

/**
 * For the statements of a panel: log-odds that two wordings say the same, weaknesses considered, which are those of the
 * words, or more. The more of the panel speak of a weakness, the less it tells that two do: it is shared
 * out among the pairs of those who do. Symmetric.
 */
export function createShortJudge(
  statements: readonly Remark[],
): (one: Remark, other: Remark, wording: number, isLone?: boolean) => number {
  let speakers: ReadonlyMap<string, number> | undefined;
  return (one, other, wording, isLone = false) => {
    const shortness = shortnessOf(one, other, isLone);
    if (shortness === 0) return wording;
    const { likeness, weakness } = kinshipOf(one, other);
    if (weakness === null) return wording;
    speakers ??= countSpeakers(statements);
    const crowd = countPairs(Math.max(2, speakers.get(weakness) ?? 0));
    const { intercept, wording: kept, kinship } = shortWeights;
    const judged =
      intercept + kept * wording + kinship * likeness * whereabouts(one, other) - Math.log(crowd);
    return wording + shortness * Math.max(0, judged - wording);
  };
}

/** Lines apart, at most, of two remarks about one hunk. */
const sameHunk = 12;

function isSameHunk(
  { location: one }: Remark['finding'],
  { location: other }: Remark['finding'],
): boolean {
  if (one === null || other === null || one.path !== other.path || one.side !== other.side)
    return false;
  return one.line === null || other.line === null || Math.abs(one.line - other.line) <= sameHunk;
}

/** Share of the words that must be the same, for the two to be about one thing wherever they stand. */
const oneSubject = 0.2;

/** 0 to 1: two of one weakness are one trouble only where they are about one place or one thing. */
function whereabouts(one: Remark, other: Remark): number {
  if (isSameHunk(one.finding, other.finding)) return 1;
  return clamp(shareOf(one.weighed.stems, other.weighed.stems).containment / oneSubject, 0, 1);
}

function countPairs(count: number): number {
  return (count * (count - 1)) / 2;
}

/** By weakness: statements that speak of it. */
function countSpeakers(statements: readonly Remark[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const weakness of statements.flatMap(statement => spokenOf(readingOf(statement))))
    counts.set(weakness, (counts.get(weakness) ?? 0) + 1);
  return counts;
}

/** How far two remarks speak of one weakness. Symmetric. */
export function kinshipOf(one: Remark, other: Remark): Kinship {
  return compareWeaknesses(readingOf(one), readingOf(other));
}

const readings = new WeakMap<Statement, Reading>();

function readingOf({ finding, statement }: Remark): Reading {
  const known = readings.get(statement);
  if (known !== undefined) return known;
  const reading = readWeaknesses(finding.text);
  readings.set(statement, reading);
  return reading;
}

/** Does each name something that weaknesses are told in? Where one does not, nothing follows from their sharing none. */
export function speakOfWeaknesses(one: Remark, other: Remark): boolean {
  return readingOf(one).leanings.size > 0 && readingOf(other).leanings.size > 0;
}

/** Kinship at which two speak of one trouble, and one place counts in full. */
const kindred = 0.3;

/** 0 to 1: how far two short remarks speak of one trouble. Symmetric. */
export function troubleShared(one: Remark, other: Remark): number {
  return clamp(kinshipOf(one, other).likeness / kindred, 0, 1);
}

/** Of what two must share to be worth comparing without a word in common. */
const likely = 0.6;

/** Positions of short remarks about one hunk that speak of one trouble, in words of their own; none in a large panel. */
export function kindredPairs(remarks: readonly Remark[]): Pair[] {
  if (remarks.length > smallPanel) return [];
  return remarks.flatMap((one, left) =>
    remarks.slice(left + 1).flatMap((other, offset): Pair[] => {
      const isKindred =
        isSameHunk(one.finding, other.finding) &&
        shortnessOf(one, other, true) > 0 &&
        troubleShared(one, other) > likely;
      return isKindred ? [[left, left + 1 + offset]] : [];
    }),
  );
}
