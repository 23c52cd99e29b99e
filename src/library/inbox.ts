/** What a caller's own agents write to, and what whoever keeps verdicts only may write: in the project, where their tools may look. */
import path from 'node:path';
import { makeFolders, writeAtomically } from '../adapters/store/atomic-write.ts';
import { makeProjectFolders } from '../adapters/store/project-folder.ts';
import { usageError } from '../core/errors.ts';
import { renderOutputContract } from '../core/prompt/prompt.ts';
import { VerdictRequest } from '../core/request.ts';
import { renderVerdictFile } from '../core/run-files/verdict-file.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { ReviewerId } from '../core/words/config.ts';
import { type Call, clockOf, idsOf, storageOf } from './call.ts';
import { stateOf } from './own-state.ts';

export interface Inbox {
  /** Absolute. It is there: an agent that is told to write to it can. */
  readonly folder: string;
  /** What to tell each agent; `{agent-name}` stands for its name. */
  readonly contract: string;
}

/** Makes `.jury/inbox/<name>` in the project; a name that is null is made up. Throws `UserError`. */
export async function prepareInbox(name: string | null, call: Call): Promise<Inbox> {
  const inbox = name ?? idsOf(call).run(clockOf(call).now());
  if (!ReviewerId.safeParse(inbox).success)
    throw usageError(
      'DIR: With --prepare it is a name, of letters, digits, ".", "_" and "-".',
      'For example: jury collect --prepare design-review',
    );
  const folder = await folderInProject(['inbox', inbox], call);
  return {
    folder,
    contract: renderOutputContract({
      contract: 'index',
      agent: '{agent-name}',
      outputFolder: folder,
      writesFiles: true,
    }),
  };
}

export interface WrittenVerdict {
  /** Absolute. */
  readonly file: string;
}

/** Writes one verdict file; a second one of the same agent replaces the first. Throws `UserError` that names what may not be written. */
export async function writeVerdict(request: VerdictRequest, call: Call): Promise<WrittenVerdict> {
  const { agent, dir, ...given } = parseRequest(VerdictRequest, request);
  const detail = given.detail === undefined ? null : path.resolve(call.cwd, given.detail);
  const text = renderVerdictFile({
    type: given.type,
    status: given.status,
    model: given.model,
    tokens_spent: given.tokens,
    files_changed: [...given.files],
    findings_count: given.findings,
    summary: given.summary,
    detail_path: detail,
    timestamp: `${clockOf(call).now().toISOString().slice(0, 19)}Z`,
    session_id: given.session,
    ...(given.phase !== undefined && { phase: given.phase }),
  });
  const folder =
    dir === undefined ? await folderInProject(['verdicts'], call) : path.resolve(call.cwd, dir);
  const file = path.join(folder, `${agent}.json`);
  const storage = storageOf(call);
  if (dir !== undefined)
    await makeFolders(storage.disk, path.dirname(folder), [path.basename(folder)]);
  await writeAtomically(storage, file, text);
  return { file };
}

async function folderInProject(names: readonly string[], call: Call): Promise<string> {
  const state = await stateOf(call);
  await makeProjectFolders(state, names);
  return path.join(state.project, '.jury', ...names);
}
