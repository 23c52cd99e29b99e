/** Which change a person means by a revision, by paths, or by both: told apart as git tells them apart. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { ifUserError, usageError, UserError } from '../core/errors.ts';
import type { ChangeRequest } from '../core/ports/repository.ts';
import { makeVisible } from '../core/safety/visible-text.ts';

/** Words of a caller that may be a revision, paths, or a revision and the paths it is limited to. */
interface Words {
  /** Null: none, the last commit is meant. */
  readonly range: string | null;
  readonly paths: readonly string[];
  /** `range` is a revision and `paths` are paths, as behind `--`: nothing is guessed, and paths need not be there any more. */
  readonly separated: boolean;
}

interface Place {
  readonly repository: Pick<GitRepository, 'resolve'>;
  /** Absolute folder the caller stands in. */
  readonly cwd: string;
  /** How the command begins, for hints. */
  readonly command: string;
}

/** Throws `UserError` where a word may be either, and where one is neither. */
export async function changeMeantBy(
  { range, paths, separated }: Words,
  place: Place,
): Promise<ChangeRequest> {
  if (range === null)
    return paths.length === 0
      ? { source: 'revision', revision: 'HEAD' }
      : { source: 'files', patterns: paths };
  if (separated) return { source: 'revision', revision: range, ...limitedTo(paths) };
  const isRevision = await namesRevision(range, place);
  if (isRevision && (await isThere(range, place))) throw ambiguous(range, paths, place);
  if (paths.length === 0) return { source: 'revision', revision: range };
  if (!isRevision) return { source: 'files', patterns: [range, ...paths] };
  for (const [index, word] of paths.entries()) await checkPath(word, { index, range, place });
  return { source: 'revision', revision: range, ...limitedTo(paths) };
}

/** For a request that is limited to some paths. */
export function limitedTo(paths: readonly string[]): { readonly paths?: readonly string[] } {
  return paths.length === 0 ? {} : { paths };
}

/** Could the word be a path: one that is there, or a pattern? */
export async function mayBePath(word: string, cwd: string): Promise<boolean> {
  return isPattern(word) || (await exists(word, cwd));
}

/** As git takes them without `--`: what follows the revision is there, and the first of them is no revision besides. */
async function checkPath(
  word: string,
  {
    index,
    range,
    place,
  }: { readonly index: number; readonly range: string; readonly place: Place },
): Promise<void> {
  const isFound = await mayBePath(word, place.cwd);
  const isRevision = index === 0 && !isPattern(word) && (await namesRevision(word, place));
  if (isFound && !isRevision) return;
  const shown = makeVisible(word);
  if (isRevision && !isFound)
    throw usageError(
      `"${makeVisible(range)}" and "${shown}" are two revisions.`,
      `To compare them: ${place.command} ${range}..${word}`,
    );
  throw new UserError(
    isRevision
      ? `"${shown}" is a revision and a path.`
      : `"${shown}" is neither a revision nor a path that is there.`,
    {
      kind: isRevision ? 'usage' : 'input',
      hint: `Put -- before paths: ${place.command} ${range} -- ${word}`,
    },
  );
}

function ambiguous(word: string, paths: readonly string[], { command }: Place): UserError {
  const rest = paths.map(other => ` ${other}`).join('');
  return usageError(
    `"${makeVisible(word)}" is a revision and a path.`,
    `Say which with --: ${command} ${word} --${rest} for the revision, ${command} -- ${word}${rest} for the path.`,
  );
}

async function namesRevision(word: string, { repository }: Place): Promise<boolean> {
  if (word.includes('..'))
    return !word.includes('/../') && !word.startsWith('../') && word !== '..';
  return (await repository.resolve(word).catch(ifUserError(null))) !== null;
}

async function isThere(word: string, { cwd }: Place): Promise<boolean> {
  return !word.includes('..') && (await exists(word, cwd));
}

async function exists(word: string, cwd: string): Promise<boolean> {
  return (await lstat(path.resolve(cwd, word)).catch(() => null)) !== null;
}

/** A glob, or what git calls magic. */
function isPattern(word: string): boolean {
  return word.startsWith(':') || /[*?[]/.test(word);
}
