/** What the history of a repository says of a change: who wrote it, who touched its lines last, what used to change together. */
import type { PastChange } from '../../core/context/packing/co-change.ts';
import type { Commit } from '../../core/context/packing/rungs.ts';
import { compareTexts } from '../../core/text.ts';
import type { Change } from '../../core/words/change.ts';
import { askGit, type GitPerson, runGit } from './git-process.ts';
import type { OpenedGit } from './object-reader.ts';
import { findCommit, short } from './revision.ts';

/** Null where the history cannot be followed, or not in a short time: it is a hint, no outcome depends on it. */
async function readLog({ shadow: { program } }: OpenedGit, words: readonly string[]) {
  const output = await runGit({ ...program, timeoutMs: 5_000 }, [
    '-c',
    'core.quotePath=false',
    'log',
    '--no-color',
    ...words,
  ]).catch(() => null);
  return output?.code === 0 ? output.stdout.toString('utf8') : null;
}

/** Of a change with more commits nothing is said. */
const mostAuthored = 1_000;

/** Addresses of those who wrote its commits, none where it has no commits yet; null where that is not known. */
export async function listAuthors(
  git: OpenedGit,
  { source, base, head }: Pick<Change, 'source' | 'base' | 'head'>,
) {
  if (source === 'staged' || source === 'worktree') return [];
  if (source !== 'range' || base === null || head === null) return null;
  const words = ['--format=%ae', `--max-count=${mostAuthored}`, head, `^${base}`, '--'];
  const authors = ((await readLog(git, words)) ?? '').split('\n').filter(Boolean);
  return authors.length === 0 || authors.length === mostAuthored ? null : [...new Set(authors)];
}

/** The address that commits of this person would carry; null where git knows none. */
export async function ownAddress({ shadow }: OpenedGit, person: GitPerson) {
  const { code, stdout } = await runGit(shadow.program, ['var', 'GIT_AUTHOR_IDENT'], {
    as: person,
  });
  return code === 0 ? (/<([^<>]+)>/.exec(stdout.toString('utf8'))?.[1] ?? null) : null;
}

/** How far back is looked, along the first parents: a long history is not walked to its end. */
const mostGenerations = 3_000;
const mostCommits = 200;
const mostPaths = 100;
/** Larger commits move things about: they say nothing of what belongs together. */
const mostFiles = 40;

/** Latest first, merges left out; empty when the history cannot be read. `before`: a commit; null: the current one. */
export async function listPastChanges(
  git: OpenedGit,
  before: string | null,
  paths: readonly string[],
): Promise<readonly PastChange[]> {
  const named = before ?? git.shadow.references.head;
  const commit = named === null ? null : await findCommit(git, named);
  if (commit === null || paths.length === 0) return [];
  const text = await readLog(git, [
    `--max-count=${mostCommits}`,
    '--min-parents=1',
    '--max-parents=1',
    '--no-renames',
    '--name-only',
    '--full-diff',
    '--format=%x01',
    // A shorter history has no such commit.
    '--ignore-missing',
    commit,
    `^${commit}~${mostGenerations}`,
    '--',
    ...paths.slice(0, mostPaths),
  ]);
  // Git puts a name with a line break or a quote into quotes: nobody points at those.
  return (text ?? '')
    .split('\u0001')
    .slice(1)
    .map(record => ({ files: record.split('\n').filter(line => /^[^"]/.test(line)) }))
    .filter(({ files }) => files.length > 0 && files.length <= mostFiles);
}

export interface TouchedLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Following lines through a long history takes its time: only so many places are followed. */
const mostPlaces = 3;

/** Who touched some lines last. Empty when the history cannot be followed. The commit itself is left out. */
export async function listLastCommits(
  git: OpenedGit,
  commit: string,
  ranges: readonly TouchedLines[],
  most: number,
): Promise<readonly Commit[]> {
  const found = new Map<string, Commit>();
  for (const { path, start, end } of ranges.slice(0, mostPlaces)) {
    // A path with a colon or a line break cannot be written in this option.
    if (/[:\n]/.test(path)) continue;
    const text = await readLog(git, [
      `--max-count=${most + 1}`,
      '-s',
      '--date=short',
      '--format=%x01%H%x00%cd%x00%s%x00%b%x02',
      `-L${start},${end}:${path}`,
      commit,
    ]);
    for (const past of parseCommits(text ?? '')) if (past.id !== commit) found.set(past.id, past);
  }
  return [...found.values()]
    .toSorted((one, other) => compareTexts(other.date, one.date))
    .slice(0, most);
}

function parseCommits(text: string): Commit[] {
  // oxlint-disable-next-line no-control-regex -- what git puts around records here cannot stand in a message
  return [...text.matchAll(/\u0001([0-9a-f]+)\0([^\0]*)\0([^\0]*)\0([^\u0002]*)\u0002/g)].map(
    ([, id = '', date = '', title = '', body = '']) => {
      const start = body.trim().replace(/\s+/g, ' ').slice(0, 300);
      const sentence = (/^.*?[.!?](?=\s|$)/s.exec(start)?.[0] ?? '').slice(0, 120);
      return { id, date, title: title.slice(0, 120), sentence };
    },
  );
}

/** Merges hold what their sides hold, and what a person made of both is seen where the end is looked at. */
export async function commitsSince(
  { shadow }: OpenedGit,
  base: string | null,
  head: string,
  most: number,
) {
  const behind = base === null ? [] : [`^${base}`];
  const listed = await askGit(
    shadow.program,
    ['rev-list', '--no-merges', `--max-count=${most}`, '--end-of-options', head, ...behind],
    `The commits before ${short(head)} cannot be read`,
  );
  return listed.toString('utf8').split('\n').filter(Boolean);
}
