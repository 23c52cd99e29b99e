/** Finds the index of a compiler that lies in a project. It is data of the project: it is read where it lies in it, and by no link. */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { openScipSymbols, type ReviewedFiles } from '../../adapters/precise/scip-symbols.ts';
import type { PreciseSymbols } from '../../core/ports/precise-symbols.ts';
import type { PreciseSource } from '../../core/words/code-index.ts';

export interface WantedIndex {
  /** Absolute path of the top of the repository. */
  readonly root: string;
  /** What the configuration says; absent: what lies at the top. */
  readonly named?: string | false;
  /** Paths of the change under review: who wrote it does not say what its names mean. */
  readonly touched: readonly string[];
}

const usualName = 'index.scip';

/** Null: there is none, or none is wanted. One that cannot be used says why. */
export async function openPreciseIndex(
  { root, named, touched }: WantedIndex,
  files: ReviewedFiles,
): Promise<PreciseSymbols | null> {
  if (named === false) return null;
  const place = path.posix.normalize((named ?? usualName).replaceAll('\\', '/'));
  const problem = await whyNot(root, place, touched);
  if (problem === 'it is not there' && named === undefined) return null;
  return problem === null
    ? openScipSymbols({ file: path.join(root, place), path: place }, files)
    : silent({ path: place, madeBy: null, files: 0, problem: `${place} is not read: ${problem}.` });
}

async function whyNot(
  root: string,
  place: string,
  touched: readonly string[],
): Promise<string | null> {
  if (path.posix.isAbsolute(place) || /^\.\.(?:\/|$)|^[A-Za-z]:/.test(place))
    return 'it lies outside of the project';
  if (touched.includes(place)) return 'the change under review brings it';
  const file = path.join(root, place);
  const found = await lstat(file).catch(() => null);
  if (found === null) return 'it is not there';
  const top = await realpath(root);
  return (await realpath(file)) === path.join(top, place)
    ? null
    : 'it is a link, or lies behind one';
}

function silent(source: PreciseSource): PreciseSymbols {
  return {
    meaningsOf: () => Promise.resolve([]),
    usesOf: () => Promise.resolve(null),
    knows: () => Promise.resolve(false),
    describe: () => Promise.resolve(source),
  };
}
