/**
 * The output file of an agent, as any process writes it: `<agent>.md.partial` while it works, the completion signal as last
 * line, then a rename to `<agent>.md` that never overwrites.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewerId } from '../../core/config.ts';
import { completionSignal, hasSignal } from '../../core/write-behind/completion.ts';
import { renameAnew, writeAtomically } from './atomic-write.ts';
import { codeOf } from './disk-failure.ts';

export type AgentFile =
  /** Finished. Without the signal it may have been cut off: `no-completion-signal` is worth a warning. */
  | { readonly state: 'complete'; readonly text: string; readonly warning: 'no-completion-signal' | null }
  /** What there was at the deadline: parsed, but not counted among those that answered. */
  | { readonly state: 'partial'; readonly text: string }
  /** Nothing was written. */
  | { readonly state: 'error' };

/** Adds the signal where it is missing. False, and nothing is changed, when the agent has a finished file already. */
export async function writeAgentFile(folder: string, agent: string, text: string): Promise<boolean> {
  const { partial, finished } = pathsOf(folder, agent);
  if ((await readText(finished)) !== null) return false;
  await writeAtomically(partial, hasSignal(text) ? text : `${text.trimEnd()}\n${completionSignal}\n`);
  return renameAnew(partial, finished);
}

/** Reads the state at the deadline. A rename that a crash prevented is finished first. */
export async function readAgentFile(folder: string, agent: string): Promise<AgentFile> {
  const { partial, finished } = pathsOf(folder, agent);
  const text = await readText(finished);
  if (text !== null) return { state: 'complete', text, warning: hasSignal(text) ? null : 'no-completion-signal' };
  const begun = await readText(partial);
  if (begun === null || begun.trim() === '') return { state: 'error' };
  if (!hasSignal(begun)) return { state: 'partial', text: begun };
  await renameAnew(partial, finished);
  return { state: 'complete', text: begun, warning: null };
}

/** The text an agent wrote, finished or cut off, and away with the file; null when there is none that holds anything. */
export async function takeAgentFile(folder: string, agent: string): Promise<string | null> {
  const { partial, finished } = pathsOf(folder, agent);
  const file = await readAgentFile(folder, agent);
  await Promise.all([rm(partial, { force: true }), rm(finished, { force: true })]);
  return file.state === 'error' ? null : file.text;
}

/** What a synthesis writes beside the files of the agents. */
const others: ReadonlySet<string> = new Set(['synthesis.md', 'summary.md', 'findings.md']);

/** Agents with a finished file or one in progress, sorted. Works on the folder of any tool. */
export async function listAgents(folder: string): Promise<readonly string[]> {
  const finished = (await readdir(folder)).map(name => name.replace(/\.partial$/, '')).filter(name => name.endsWith('.md') && !others.has(name) && !/\.reactions(?:\.error)?\.md$/.test(name));
  return [...new Set(finished.map(name => name.slice(0, -'.md'.length)))].filter(name => ReviewerId.safeParse(name).success).sort();
}

/** Throws for a name that is none: it would be a path. Names of reviewers are checked when the configuration is read. */
function pathsOf(folder: string, agent: string): { readonly partial: string; readonly finished: string } {
  const finished = join(folder, `${ReviewerId.parse(agent)}.md`);
  return { partial: `${finished}.partial`, finished };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
