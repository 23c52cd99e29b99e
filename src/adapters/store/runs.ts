/** The runs of a root: listing them, finding one by what a person typed, and removing those that are old. */
import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { didYouMean, UserError } from '../../core/errors.ts';
import { codeOf, makeFolders, writeAtomically } from './atomic-write.ts';
import { namesIn } from './file-names.ts';
import { runIdPattern, runsFolder } from './run-folder.ts';
import { isLocked } from './run-lock.ts';

const dayMs = 86_400_000;

/** Run ids, newest first; runs of one second by the birth of their folder. Empty when there is no folder of runs. */
export async function listRuns(root: string): Promise<readonly string[]> {
  const folder = runsFolder(root);
  const ids = (await namesIn(folder)).filter(name => runIdPattern.test(name));
  const aged = await Promise.all(
    ids.map(async id => ({ id, second: id.slice(0, 16), born: await bornAt(join(folder, id)) })),
  );
  return aged
    .sort(
      (one, other) =>
        compare(other.second, one.second) || other.born - one.born || compare(other.id, one.id),
    )
    .map(({ id }) => id);
}

/**
 * The run a person means: its whole id, the beginning of exactly one id, or `latest` for the one that began last. Throws `UserError` (kind `input`)
 * with the nearest ids when there is no such run, or with the candidates when there are several. `among`: the runs that may
 * be meant, newest first; default: all.
 */
export async function findRun(
  root: string,
  wanted: string,
  among?: readonly string[],
): Promise<string> {
  const ids = among ?? (await listRuns(root));
  if (ids.includes(wanted)) return wanted;
  if (ids[0] === undefined)
    throw new UserError(`There is no run under ${runsFolder(root)}.`, {
      kind: 'input',
      hint: 'Start one with "jury review".',
    });
  if (wanted === 'latest') return ids[0];
  const matches =
    wanted === ''
      ? []
      : ids.filter(id =>
          id.startsWith(wanted.toUpperCase().slice(0, 16) + wanted.slice(16).toLowerCase()),
        );
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  if (matches.length > 1)
    throw new UserError(`${quote(wanted)} is the beginning of ${matches.length} runs.`, {
      kind: 'input',
      hint: didYouMean(matches.slice(0, 5)),
    });
  throw new UserError(`There is no run ${quote(wanted)}.`, {
    kind: 'input',
    hint: didYouMean(nearest(wanted, ids)),
  });
}

/** The run whose answer a person means: as `findRun`, but `latest` is the one that answered last, which may have begun before others. */
export async function findAnsweredRun(
  root: string,
  wanted: string,
  among: readonly string[],
): Promise<string> {
  const answered = wanted === 'latest' ? await readLastAnswer(root) : null;
  return answered !== null && among.includes(answered) ? answered : findRun(root, wanted, among);
}

/** Removes runs that started more than `days` days before `now`; one that a process works on stays. Returns the removed ids. */
export async function removeOldRuns(
  root: string,
  days: number,
  now: Date,
): Promise<readonly string[]> {
  const old = new Set(runsBefore(await listRuns(root), days, now));
  return removeRuns(root, id => old.has(id));
}

/** Those of the ids whose run began more than `days` days before `now`, in their order. */
export function runsBefore(ids: readonly string[], days: number, now: Date): readonly string[] {
  const limit = now.getTime() - days * dayMs;
  return ids.filter(id => startOf(id) < limit);
}

/** Removes every run no process works on. Returns the removed ids. */
export async function removeAllRuns(root: string): Promise<readonly string[]> {
  return removeRuns(root, () => true);
}

async function removeRuns(
  root: string,
  isOld: (id: string) => boolean,
): Promise<readonly string[]> {
  const folder = runsFolder(root);
  const removed: string[] = [];
  for (const id of (await listRuns(root)).filter(isOld)) {
    if (await isLocked(join(folder, id))) continue;
    // Out of sight first: a kill in the middle must not leave half a run that still looks like one.
    await rename(
      join(folder, id),
      join(folder, `.removed-${id}-${randomBytes(3).toString('hex')}`),
    );
    removed.push(id);
  }
  const unseen = (await namesIn(folder)).filter(name => name.startsWith('.removed-'));
  await Promise.all(unseen.map(name => rm(join(folder, name), { recursive: true, force: true })));
  return removed;
}

/** Milliseconds since 1970 of the time in a run id. */
function startOf(id: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id) ?? [];
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function nearest(wanted: string, ids: readonly string[]): readonly string[] {
  const typed = wanted.slice(0, 40);
  return ids
    .map(id => ({ id, steps: distance(typed, id) }))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, 3)
    .map(({ id }) => id);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

async function bornAt(path: string): Promise<number> {
  try {
    return (await stat(path)).birthtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

// `.jury/last-answer.json`: the run that answered last, which is what a person means by `latest` after an answer from an earlier run.

const File = z.object({
  schema: z.literal('jury.last-answer/1'),
  run: z.string().regex(runIdPattern),
});

/** Far more than Jury writes; the repository under review may have put something else in this place. */
const sizeLimit = 4_096;

/** Id of the run; null when nobody noted one or what lies there is damaged. Whether that run is still there is not looked up. Never rejects. */
export async function readLastAnswer(root: string): Promise<string | null> {
  try {
    const path = pathIn(root);
    const found = await lstat(path);
    if (!found.isFile() || found.size > sizeLimit) return null;
    const parsed = File.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data.run : null;
  } catch {
    return null;
  }
}

/** `root` holds `.jury`. Of two runs at once the one that answers last stands there. Never rejects: no answer is lost over a note about it. */
export async function noteLastAnswer(root: string, run: string): Promise<void> {
  try {
    await makeFolders(root, ['.jury']);
    await writeAtomically(
      pathIn(root),
      `${JSON.stringify({ schema: 'jury.last-answer/1', run } satisfies z.infer<typeof File>)}\n`,
    );
  } catch {
    // Then `latest` is what it was before.
  }
}

function pathIn(root: string): string {
  return join(root, '.jury', 'last-answer.json');
}
