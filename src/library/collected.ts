/** What a caller's own agents wrote into a folder, as a panel that has spoken already: nobody is asked. */
import path from 'node:path';
import { makeFolders, writeAtomically } from '../adapters/store/atomic-write.ts';
import { makeProjectFolders } from '../adapters/store/copies.ts';
import { ifUserError, inputError, usageError } from '../core/errors.ts';
import { renderOutputContract } from '../core/prompt/prompt.ts';
import { VerdictRequest } from '../core/request.ts';
import { renderVerdictFile } from '../core/run-files/verdict-file.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { ReviewerId } from '../core/settings.ts';
import { ReviewerConfig } from '../core/words/config.ts';
import { type Call, clockOf, idsOf, storageOf } from './call.ts';
import { stateOf } from './own-state.ts';
import { collectedAnswerOf, createCollectedRunner } from '../adapters/runners/replay.ts';
import { answerLimit } from '../adapters/runners/runner-world.ts';
import { readLeftFiles } from '../adapters/store/agent-folder.ts';
import { readFindingsIndex } from '../answers/index.ts';
import type { Settings } from '../core/process.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { toOneLine } from '../core/text.ts';
import type { LeftFile } from '../core/words/answer.ts';
import type { Persona } from '../core/words/persona.ts';
import {
  changeMeantBy,
  mayBePath,
  type ReadSubject,
  type SubjectSource,
  titleOf,
} from './read-subject.ts';

/** The seats are the agents with a file and those that were expected. Throws `UserError` for a folder that holds nobody's file. */
export async function readCollected(
  { dir = '', expect = [], require = [], subject }: Settings,
  source: SubjectSource,
): Promise<ReadSubject> {
  const { call } = source;
  const folder = path.resolve(call.cwd, dir);
  const { disk } = storageOf(call);
  const { files, others } = await readLeftFiles(disk, folder, answerLimit);
  if (files.length === 0)
    throw inputError(
      `DIR: ${makeVisible(folder)} holds no file <agent>.md.`,
      'Name the folder that the agents wrote to.',
    );
  const names = [...files.map(({ agent }) => agent), ...[...expect, ...require].map(checkName)];
  const agents = names.filter((name, index) => names.indexOf(name) === index);
  refuseOtherCase(agents);
  const unread = new Set(files.filter(mustBeRead).map(({ agent }) => agent));
  const prompt = subject?.join(' ') ?? dir;
  const question = { kind: 'question', title: titleOf(prompt) } as const;
  const about = await treesOf(subject ?? [], source);
  return {
    planned: { subject: question, prompt, context: null },
    subject: { ...question, prompt, context: null, ...(about && { about }) },
    spoken: {
      reviewers: agents.map(id => ({
        ...ReviewerConfig.parse({ id, runner: 'replay', required: unread.has(id) }),
        runner: spokenRunner,
      })),
      persona: callersAgent,
      runner: createCollectedRunner(spokenRunner, folder, files),
      notes: describeNames(files, others),
    },
  };
}

/** Where the places that they name are looked up: in the range, else in the working tree; null where there is neither. */
async function treesOf(words: readonly string[], { repository, call }: SubjectSource) {
  const [first, ...paths] = words;
  if (first !== undefined) {
    const place = { repository, cwd: call.cwd, command: 'jury collect' };
    const request = await changeMeantBy({ range: first, paths, separated: false }, place);
    if (request.source === 'revision' && !(await mayBePath(first, call.cwd))) {
      const { base, head } = await repository.change(request);
      return head === null ? null : { base, head };
    }
  }
  // Outside of git, and in a bare repository, there are no files to look into.
  const tree = await repository.tree(null).catch(ifUserError(null));
  return tree && { base: null, head: tree.id };
}

/** Nobody can configure it. */
const spokenRunner = 'collected';

/** What it was told, its caller knows. */
const callersAgent: Persona = {
  name: 'callers-agent',
  role: 'general',
  focus: 'what its caller told it to look for',
  veto: false,
  budget: 6144,
  capability: 'review',
  files: [],
  instructions: 'An agent of the caller. Jury asked it nothing and does not know what it was told.',
};

/**
 * What an agent left and nobody can read to its end may hold anything: a pass over it would be no proof. An empty file, and one that
 * says that its agent failed, is like none.
 */
function mustBeRead(file: LeftFile) {
  const answer = collectedAnswerOf(file);
  if (answer.status === 'failed') return answer.failure.cause !== 'empty';
  const { state, claimed } = readFindingsIndex(answer.text.replace(/^\uFEFF/, ''));
  return state === 'malformed' || (state === 'valid' && (file.isPartial || claimed === null));
}

function describeNames(files: readonly LeftFile[], others: readonly string[]) {
  const renamed = files
    .filter(({ name, agent }) => !name.startsWith(`${agent}.`))
    .map(({ name, agent }) => `${toOneLine(name)} is read as the file of ${agent}.`);
  const more = others.length > 5 ? ` and ${others.length - 5} more` : '';
  return others.length === 0
    ? renamed
    : [
        ...renamed,
        `No agent's file, and not read: ${others.slice(0, 5).map(toOneLine).join(', ')}${more}.`,
      ];
}

function checkName(name: string) {
  const checked = ReviewerId.safeParse(name);
  if (checked.success && !name.endsWith('.md')) return checked.data;
  throw usageError(
    `--expect: "${makeVisible(name)}" is no name of an agent.`,
    'A name starts with a letter or digit and holds only letters, digits, ".", "_" and "-"; the .md of its file is no part of it.',
  );
}

/** Their verdict files would be one on many machines, and one agent would speak twice. */
function refuseOtherCase(agents: readonly string[]) {
  const twin = agents.find((name, index) =>
    agents.slice(0, index).some(other => other.toLowerCase() === name.toLowerCase()),
  );
  if (twin !== undefined)
    throw usageError(
      `--expect: "${twin}" and the name of its file differ in letter case.`,
      'Write both alike.',
    );
}

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

async function folderInProject(names: readonly string[], call: Call) {
  const state = await stateOf(call);
  await makeProjectFolders(state, names);
  return path.join(state.project, '.jury', ...names);
}
