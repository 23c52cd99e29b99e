/** Files that used to change together with those of a change, by the history before it. */

import { kindsOf } from '../../languages/path-kinds.ts';
import { compareTexts, folderOf } from '../../text.ts';
import { stemOf } from './test-names.ts';

/** All files that a commit touched, one of the changed files among them. */
export interface PastChange {
  readonly files: readonly string[];
}

export interface CoChanged {
  readonly path: string;
  /** Commits that touched it and one of the changed files. */
  readonly times: number;
  /** Commits that touched one of the changed files. */
  readonly of: number;
}

const mostPaths = 10;
/** After so many commits a memory counts half. */
const halfLife = 60;

/** What is read by people or written by programs changes with everything. */
const worthOfOther = 0.1;
/** A test and what it tests, a file and its neighbours: where the history says little, the name says the rest. */
const namedAlike = 3;
const beside = 1.3;

/** `past`: latest first. A file that seldom changes says more by changing with another; a commit shares one voice among all its files. */
export function rankCoChanged(
  past: readonly PastChange[],
  changed: ReadonlySet<string>,
  isKnown: (path: string) => boolean,
): CoChanged[] {
  const touched = new Map<string, number>();
  for (const path of past.flatMap(({ files }) => files.filter(file => changed.has(file))))
    touched.set(path, (touched.get(path) ?? 0) + 1);
  const scores = new Map<string, { score: number; times: number }>();
  for (const [index, { files }] of past.entries()) {
    const own = files.filter(file => changed.has(file));
    const weight =
      (own.reduce((sum, file) => sum + 1 / Math.sqrt(touched.get(file) ?? 1), 0) *
        0.5 ** (index / halfLife)) /
      files.length;
    for (const path of files.filter(file => !changed.has(file) && isKnown(file))) {
      const known = scores.get(path) ?? { score: 0, times: 0 };
      scores.set(path, { score: known.score + weight, times: known.times + 1 });
    }
  }
  const stems = new Set([...changed].map(stemOf));
  const folders = new Set([...changed].map(folderOf));
  return [...scores]
    .map(([path, { score, times }]) => ({
      path,
      times,
      score:
        score *
        (kindsOf({ path }).has('code') ? 1 : worthOfOther) *
        (stems.has(stemOf(path)) ? namedAlike : 1) *
        (folders.has(folderOf(path)) ? beside : 1),
    }))
    .toSorted((one, other) => other.score - one.score || compareTexts(one.path, other.path))
    .slice(0, mostPaths)
    .map(({ path, times }) => ({ path, times, of: past.length }));
}
