/** Reads the files of the agents in any folder of reviews, Jury's own or that of another tool, without those of other runs. */
import { join } from 'node:path';
import { z } from 'zod';
import { inputError } from '../../core/errors.ts';
import type { Disk, LeftFile } from '../../core/ports/runner.ts';
import { completionSignal, hasSignal } from '../../core/run-files/review-file.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { toOneLine } from '../../core/text.ts';
import { ReviewerId } from '../../core/settings.ts';
import { sha256 } from '../../core/hash.ts';
import { readOrWhy, readPlainText, renameAnew, writeAtomically } from './atomic-write.ts';
import { listNamed } from './run-folder.ts';
import { readRecord } from './runs.ts';
import type { Storage } from './storage.ts';

/** No answer is larger than 4 MiB; a file that is, is none. */
const mostBytes = 16 << 20;

const RunOfAgents = z.object({ run_id: z.string() });

/**
 * Files of this run, by name, one in progress as far as it goes; `foreign`: files of other runs. `environmentRun`: the run id that the
 * environment names, if it does. Throws `UserError` (kind `input`) for a folder that cannot be read.
 */
export async function readAgentFolder(disk: Disk, folder: string, environmentRun: string | null) {
  const names = await listAgents(disk, folder);
  const stated =
    (await readRecord(disk, join(folder, 'run.json'), RunOfAgents, mostBytes)) ??
    (await readRecord(disk, join(folder, '..', 'run.json'), RunOfAgents, mostBytes));
  const agents: { agent: string; text: string }[] = [];
  const foreign: string[] = [];
  for (const agent of names) {
    const text = (await readEither(disk, pathsOf(folder, agent))) ?? '';
    if (isForeign(text, stated?.run_id ?? null, environmentRun)) foreign.push(agent);
    else agents.push({ agent, text });
  }
  return { agents, foreign };
}

/** A file that names no run belongs here, unless only the environment says which run this is. */
function isForeign(text: string, stated: string | null, environmentRun: string | null) {
  const wanted = stated ?? environmentRun;
  if (wanted === null) return false;
  const named = /^\uFEFF?<!-- run-uuid: (\S{1,200}) -->/.exec(text.slice(0, 400))?.[1] ?? null;
  return named === null ? stated === null : named !== wanted;
}

/** The text of a plain file; null when there is none. Links are not followed: the folder may be somebody else's. */
export function readPlainFile(disk: Disk, path: string) {
  return readPlainText(disk, path, mostBytes);
}

// The output file of an agent, as any process writes it: `<agent>.md.partial` while it works, the completion signal as last
// line, then a rename to `<agent>.md` that never overwrites.

/** Adds the signal where it is missing. False, and nothing is changed, when the agent has a finished file already. */
export async function writeAgentFile(
  storage: Storage,
  folder: string,
  agent: string,
  text: string,
) {
  const { partial, finished } = pathsOf(folder, agent);
  if ((await readPlainFile(storage.disk, finished)) !== null) return false;
  await writeAtomically(
    storage,
    partial,
    hasSignal(text) ? text : `${text.trimEnd()}\n${completionSignal}\n`,
  );
  return renameAnew(storage.disk, partial, finished);
}

/** The text an agent wrote, finished or cut off, and away with the file; null when there is none that holds anything. */
export async function takeAgentFile(disk: Disk, folder: string, agent: string) {
  const paths = pathsOf(folder, agent);
  const text = await readEither(disk, paths);
  await Promise.all([disk.remove(paths.partial), disk.remove(paths.finished)]);
  return text === null || text.trim() === '' ? null : text;
}

/** Is it what a synthesis writes beside the files of the agents? */
function isOfSynthesis(name: string) {
  return (
    ['synthesis.md', 'summary.md', 'findings.md'].includes(name) ||
    /\.reactions(?:\.error)?\.md$/.test(name)
  );
}

/** Agents with a finished file or one in progress, sorted. Works on the folder of any tool. Throws as `listNamed`. */
async function listAgents(disk: Disk, folder: string) {
  const finished = (await listNamed(disk, folder, 'the files of the agents'))
    .map(name => name.replace(/\.partial$/, ''))
    .filter(name => name.endsWith('.md') && !isOfSynthesis(name));
  return [...new Set(finished.map(name => name.slice(0, -'.md'.length)))]
    .filter(name => ReviewerId.safeParse(name).success)
    .sort();
}

async function readEither(disk: Disk, { finished, partial }: ReturnType<typeof pathsOf>) {
  return (await readPlainFile(disk, finished)) ?? readPlainFile(disk, partial);
}

/** Throws for a name that is none: it would be a path. Names of reviewers are checked when the configuration is read. */
function pathsOf(folder: string, agent: string) {
  const finished = join(folder, `${ReviewerId.parse(agent)}.md`);
  return { partial: `${finished}.partial`, finished };
}

// What somebody's own agents left in a folder. It may be anybody's: links are not followed, and nothing in it is changed.

/**
 * One file for each agent, by name; `others`: names that are no agent's file, sorted. `mostBytes` of one file; a larger one is not read.
 * Throws `UserError` (kind `input`) for a folder that cannot be read or is a link, and where two files may be of one agent: it would
 * speak twice, or unheard.
 */
export async function readLeftFiles(disk: Disk, folder: string, mostBytes: number) {
  if ((await disk.status(folder))?.kind === 'link')
    throw inputError(`DIR: ${makeVisible(folder)} is a link.`, 'Name the folder that it leads to.');
  const names = await listNamed(disk, folder, 'the files of the agents');
  const found = names.flatMap(name => agentOf(name) ?? []);
  refuseTwins(found, folder);
  const files: LeftFile[] = [];
  for (const named of found) {
    const read = await readOrWhy(disk, join(folder, named.name), mostBytes);
    if (typeof read === 'string') files.push({ ...named, bytes: null, why: `it ${read}` });
    else {
      const isPartial = named.isPartial && !hasSignal(new TextDecoder().decode(read));
      files.push({ ...named, isPartial, bytes: read, why: null });
    }
  }
  return {
    files: files.sort((one, other) => (one.agent < other.agent ? -1 : 1)),
    others: names.filter(name => !agentOf(name)),
  };
}

type Named = Pick<LeftFile, 'name' | 'agent' | 'isPartial'>;

/** Null for what is no agent's file: other endings, what a synthesis writes, what tells people about a folder. */
function agentOf(name: string): Named | null {
  const stem = /^(.+?)(?:\.md)?\.partial$/s.exec(name)?.[1] ?? /^(.+)\.md$/s.exec(name)?.[1];
  if (stem === undefined || isOfSynthesis(`${stem}.md`) || /^readme$/i.test(stem)) return null;
  return { name, agent: idOf(stem), isPartial: name.endsWith('.partial') };
}

/** A name that no agent can have is still somebody's: it is made one that can be typed. */
function idOf(stem: string) {
  const plain = stem
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 100);
  return ReviewerId.safeParse(plain).success ? plain : `agent-${sha256(stem).slice(0, 8)}`;
}

/** `a.md` with `A.md`, `a.md.partial` or `a.findings.md`. */
function refuseTwins(found: readonly Named[], folder: string) {
  const seen = new Map<string, string>();
  const keys = new Set(found.map(({ agent }) => agent.toLowerCase()));
  for (const { agent, name } of found) {
    const lower = agent.toLowerCase();
    const stem = lower.replace(/\.(?:findings|review|report|result|output|index)$/, '');
    const key = keys.has(stem) ? stem : lower;
    const first = seen.get(key);
    if (first !== undefined)
      throw inputError(
        `DIR: ${makeVisible(folder)} holds two files of one agent: ${toOneLine(first)} and ${toOneLine(name)}.`,
        'Keep one of them, or give them names of two agents.',
      );
    seen.set(key, name);
  }
}
