/** Whose work a change is, as far as git tells. */
import type { Change } from '../../core/words/change.ts';
import { type GitPerson, runBareGit, runGit } from './git-process.ts';
import type { OpenedGit } from './object-reader.ts';

/** Of a change with more commits nothing is said. */
const mostCommits = 1_000;

/** Addresses of those who wrote its commits, none where it has no commits yet; null where that is not known. */
export async function listAuthors(
  { shadow }: OpenedGit,
  { source, base, head }: Pick<Change, 'source' | 'base' | 'head'>,
): Promise<readonly string[] | null> {
  if (source === 'staged' || source === 'worktree') return [];
  if (source !== 'range' || base === null || head === null) return null;
  const { code, stdout } = await runGit(shadow.program, [
    'log',
    '--format=%ae',
    `--max-count=${mostCommits}`,
    head,
    `^${base}`,
    '--',
  ]);
  const authors = stdout.toString('utf8').split('\n').filter(Boolean);
  return code !== 0 || authors.length === 0 || authors.length === mostCommits
    ? null
    : [...new Set(authors)];
}

/** The address that commits of this person would carry; null where git knows none. */
export async function ownAddress({ shadow }: OpenedGit, person: GitPerson): Promise<string | null> {
  const { code, stdout } = await runBareGit(shadow.program, ['var', 'GIT_AUTHOR_IDENT'], {
    as: person,
  });
  return code === 0 ? (/<([^<>]+)>/.exec(stdout.toString('utf8'))?.[1] ?? null) : null;
}
