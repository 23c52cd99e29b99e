/** Reads the files of the agents in any folder of reviews, Jury's own or that of another tool, without those of other runs. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { listAgents } from './agent-files.ts';
import { codeOf } from './disk-failure.ts';

export interface AgentText {
  readonly agent: string;
  readonly text: string;
}

export interface AgentFolder {
  /** Files of this run, by name. One in progress is read as far as it goes. */
  readonly agents: readonly AgentText[];
  /** Files of other runs. */
  readonly foreign: readonly string[];
}

/** No answer is larger than 4 MiB; a file that is, is none. */
const mostBytes = 16 << 20;

/** `environmentRun`: the run id that the environment names, if it does. Throws `UserError` (kind `input`) for a folder that cannot be read. */
export async function readAgentFolder(folder: string, environmentRun: string | null): Promise<AgentFolder> {
  const names = await listAgents(folder).catch((error: unknown) => Promise.reject(unreadable(folder, error)));
  const stated = (await runIn(join(folder, 'run.json'))) ?? (await runIn(join(folder, '..', 'run.json')));
  const agents: AgentText[] = [];
  const foreign: string[] = [];
  for (const agent of names) {
    const text = (await readText(join(folder, `${agent}.md`))) ?? (await readText(join(folder, `${agent}.md.partial`))) ?? '';
    if (isForeign(text, stated, environmentRun)) foreign.push(agent);
    else agents.push({ agent, text });
  }
  return { agents, foreign };
}

/** The text of a plain file; null when there is none. Links are not followed: the folder may be somebody else's. */
export async function readPlainFile(path: string): Promise<string | null> {
  return readText(path);
}

/** A file that names no run belongs here, unless only the environment says which run this is. */
function isForeign(text: string, stated: string | null, environmentRun: string | null): boolean {
  const wanted = stated ?? environmentRun;
  if (wanted === null) return false;
  const named = /^\uFEFF?<!-- run-uuid: (\S{1,200}) -->/.exec(text.slice(0, 400))?.[1] ?? null;
  return named === null ? stated === null : named !== wanted;
}

async function runIn(path: string): Promise<string | null> {
  const text = await readText(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'run_id' in value && typeof value.run_id === 'string' ? value.run_id : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    try {
      const stat = await handle.stat();
      return stat.isFile() && stat.size <= mostBytes ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}

function unreadable(folder: string, error: unknown): UserError {
  const reason = { ENOENT: 'there is no such folder', ENOTDIR: 'it is a file', EACCES: 'permission denied' }[codeOf(error) ?? ''] ?? String(codeOf(error));
  return new UserError(`The folder ${folder} cannot be read: ${reason}.`, { kind: 'input', hint: 'Name the folder that holds findings.json and the files of the agents.', cause: error });
}
