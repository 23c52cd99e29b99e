/** Who touched some lines last, from the history of the repository. */
import { runGit, type GitOutput } from './git-process.ts';
import { verify } from './revision.ts';
import type { OpenedGit } from './session.ts';

export interface TouchedLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface PastCommit {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly title: string;
  readonly sentence: string;
}

/** Following lines through a long history takes its time: only so many places are followed. */
const mostPlaces = 3;

/** Empty when the history cannot be followed: it is a hint, nothing depends on it. The commit itself is left out. */
export async function listLastCommits(
  { shadow }: OpenedGit,
  revision: string | null,
  ranges: readonly TouchedLines[],
  most: number,
): Promise<readonly PastCommit[]> {
  const commit =
    revision === null
      ? (shadow.references.head ?? null)
      : await verify(shadow, `${revision}^{commit}`);
  if (commit === null) return [];
  const found = new Map<string, PastCommit>();
  for (const { path, start, end } of ranges.slice(0, mostPlaces)) {
    // A path with a colon or a line break cannot be written in this option.
    if (/[:\n]/.test(path)) continue;
    const output: GitOutput | null = await runGit({ ...shadow.program, timeoutMs: 5_000 }, [
      'log',
      `--max-count=${most + 1}`,
      '-s',
      '--no-color',
      '--date=short',
      '--format=%x01%H%x00%cd%x00%s%x00%b%x02',
      `-L${start},${end}:${path}`,
      commit,
    ]).catch(() => null);
    if (output?.code !== 0) continue;
    for (const past of parse(output.stdout.toString('utf8')))
      if (past.id !== commit) found.set(past.id, past);
  }
  return [...found.values()]
    .toSorted((one, other) => (one.date < other.date ? 1 : Number(one.date > other.date) * -1))
    .slice(0, most);
}

function parse(text: string): PastCommit[] {
  // oxlint-disable-next-line no-control-regex -- what git puts around records here cannot stand in a message
  return [...text.matchAll(/\u0001([0-9a-f]+)\0([^\0]*)\0([^\0]*)\0([^\u0002]*)\u0002/g)].map(
    ([, id = '', date = '', title = '', body = '']) => ({
      id,
      date,
      title: title.slice(0, 120),
      sentence: (
        /^.*?[.!?](?=\s|$)/s.exec(body.trim().replace(/\s+/g, ' ').slice(0, 300))?.[0] ?? ''
      ).slice(0, 120),
    }),
  );
}
