/**
 * Takes runs that were made elsewhere into the state of the project, to be looked at: a `.jury` of version 0.1, a CI artifact. They lie
 * apart from this machine's own, so that nothing is gone on with, answered or decided by them.
 */
import path from 'node:path';
import { answerLimit } from '../adapters/runners/executable.ts';
import { collectedAnswerOf, createCollectedRunner } from '../adapters/runners/replay.ts';
import { readLeftFiles } from '../adapters/store/agent-folder.ts';
import { makeFolders, writeAtomically } from '../adapters/store/atomic-write.ts';
import { makeProjectFolders } from '../adapters/store/resources.ts';
import {
  type ForeignRun,
  type Refused,
  createRunFolder,
  namesIn,
  readForeignRun,
  whyNoFolder,
} from '../adapters/store/run-folder.ts';
import { listRuns, removeImport } from '../adapters/store/runs.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import { readFindingsIndex } from '../answers/index.ts';
import { ifUserError, inputError, usageError } from '../core/errors.ts';
import { toJsonText } from '../core/json.ts';
import type { Imported } from '../core/printed/checks.ts';
import type { Settings } from '../core/process.ts';
import { renderOutputContract } from '../core/prompt/prompt.ts';
import { type ImportRequest, VerdictRequest } from '../core/request.ts';
import { renderVerdictFile } from '../core/run-files/review-file.ts';
import { runIdPattern } from '../core/run-files/run-record.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { ReviewerId } from '../core/settings.ts';
import { toOneLine } from '../core/text.ts';
import { decide } from '../core/verdict/outcome.ts';
import { leavesOpen, type Reason } from '../core/verdict/record.ts';
import type { LeftFile } from '../core/ports/runner.ts';
import { ReviewerConfig } from '../core/words/config.ts';
import type { Persona } from '../core/words/persona.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { formats, renderers } from '../render/formats.ts';
import type { Call } from './call.ts';
import { type OwnState, readRecords, stateOf } from './own-state.ts';
import {
  type ReadSubject,
  type SubjectSource,
  changeMeantBy,
  mayBePath,
  titleOf,
} from './read-subject.ts';

export type Importable = Omit<Imported, 'imported'>;

/** More than anybody keeps: the rest is named as skipped. */
const mostRuns = 500;

/**
 * `agree` is told what there is before anything is written; false: nothing is. Throws `UserError` for a folder that holds no run. Where
 * it is not named, `.jury` of the project.
 */
export async function importRuns(
  { dir }: ImportRequest,
  agree: (found: Importable) => Promise<boolean> | boolean,
  call: Call,
): Promise<Imported> {
  const state = await stateOf(call);
  const folder =
    dir === undefined ? path.join(state.project, '.jury') : path.resolve(call.cwd, dir);
  const place = await placeOf(folder);
  const seen = await lookThrough(place, state);
  const importable: Importable = {
    folder,
    found: seen.found.map(({ record: { run, command, subject, startedAt, outcome } }) => ({
      run,
      command,
      title: subject.title,
      startedAt,
      said: outcome,
    })),
    skipped: seen.skipped,
    left: await leftIn(place.beside),
  };
  if (importable.found.length === 0 || !(await agree(importable)))
    return { ...importable, imported: [] };
  const at = call.clock.now().toISOString();
  const imported = [];
  for (const { record, from } of seen.found) {
    // Read again: hundreds of runs are not kept in memory while a person thinks.
    const run = await readForeignRun(systemStorage, from);
    if ('why' in run || run.record.run !== record.run) continue;
    await keep(markAsImported(run, { from, at }), state);
    imported.push(record.run);
  }
  return { ...importable, imported };
}

/** A run by itself; a folder with `runs/`, as `.jury` was; a project that has one; a folder of runs. */
async function placeOf(folder: string) {
  const problem = await whyNoFolder(systemStorage, folder);
  if (problem !== null) throw nothingIn(folder, problem);
  const names = new Set(await namesIn(systemStorage.disk, folder));
  if (names.has('report.json'))
    return { folders: new Map([[path.basename(folder), folder]]), beside: null };
  for (const beside of [folder, ...(names.has('.jury') ? [path.join(folder, '.jury')] : [])]) {
    const runs = path.join(beside, 'runs');
    if ((await whyNoFolder(systemStorage, beside)) !== null) continue;
    if ((await whyNoFolder(systemStorage, runs)) === null)
      return { folders: await foldersIn(runs), beside };
  }
  const folders = await foldersIn(folder);
  if (![...folders.keys()].some(name => runIdPattern.test(name)))
    throw nothingIn(folder, 'there is no run in it');
  return { folders, beside: null };
}

function nothingIn(folder: string, why: string) {
  return inputError(
    `There is nothing to import from ${folder}: ${why}.`,
    'Name a run folder, a folder of runs, or the .jury of an earlier version.',
  );
}

async function foldersIn(folder: string) {
  const names = await namesIn(systemStorage.disk, folder);
  return new Map(
    names
      // Packs that somebody only looked at are no runs.
      .filter(name => !name.startsWith('ctx-'))
      .toSorted()
      .toReversed()
      .map(name => [name, path.join(folder, name)]),
  );
}

async function lookThrough({ folders }: Awaited<ReturnType<typeof placeOf>>, state: OwnState) {
  const [own, before] = [await state.listRuns(), await readRecords(state, 'imported')];
  const taken = new Set([...own, ...before.map(({ run }) => run)]);
  const found: { record: RunRecord; from: string }[] = [];
  const skipped: Imported['skipped'][number][] = [];
  for (const [name, from] of folders) {
    const why = found.length >= mostRuns ? `more than ${mostRuns} runs at once` : null;
    const run: ForeignRun | Refused =
      why === null ? await lookAt({ name, from, isOnly: folders.size === 1 }) : { why };
    if ('why' in run) skipped.push({ name, why: run.why, isHere: false });
    else if (taken.has(run.record.run))
      skipped.push({ name, why: 'it is here already', isHere: true });
    else {
      taken.add(run.record.run);
      found.push({ record: run.record, from });
    }
  }
  return { found, skipped };
}

interface Candidate {
  name: string;
  from: string;
  /** A folder that was named by itself may be called anything. */
  isOnly: boolean;
}

async function lookAt({ name, from, isOnly }: Candidate) {
  if (!isOnly && !runIdPattern.test(name)) return { why: 'its name is not the id of a run' };
  const run = await readForeignRun(systemStorage, from);
  if ('why' in run) return run;
  if (runIdPattern.test(name) && run.record.run !== name)
    return { why: 'report.json names another run' };
  return canBeShown(markAsImported(run, { from, at: '' })) ? run : { why: 'it cannot be shown' };
}

/** Schemas do not tell whether every id that a record names is there. */
function canBeShown(run: MarkedRun) {
  try {
    for (const format of formats)
      renderers[format]({ ...run, folder: '', copies: null }, { color: false, width: 80 });
    return true;
  } catch {
    return false;
  }
}

type MarkedRun = Pick<Run, 'record' | 'reviews' | 'subject'> & Pick<ForeignRun, 'written'>;

/** The outcome is that of its reasons, with one more: nobody here has seen it reviewed, so it is no pass. */
function markAsImported(
  { record, ...run }: ForeignRun,
  { from, at }: { from: string; at: string },
): MarkedRun {
  const { outcome: said, run: id } = record;
  const sentence =
    `It was imported from ${from}: ${said === null ? 'it was answered' : `it said ${said}`} there, ` +
    'and nothing of it was reviewed here.';
  const open = leavesOpen('imported', id, sentence);
  const reason: Reason = said === 'FAIL' ? { ...open, effect: 'FAIL' } : open;
  return {
    ...run,
    record: decide({ ...record, imported: { from, at, said }, reused: false }, [
      reason,
      ...record.reasons,
    ]),
  };
}

async function keep({ record, reviews, subject, written }: MarkedRun, state: OwnState) {
  // The rest of an import that was cut off.
  if ((await listRuns(state, 'imported')).includes(record.run))
    await removeImport(state, record.run);
  const store = await createRunFolder(state, record.run, 'imported');
  const run: Run = { record, reviews, subject, folder: store.folder, copies: null };
  for (const review of reviews)
    await store.write(`raw/${review.reviewer}.json`, toJsonText(review));
  for (const [id, text] of written) await store.write(`reviews/${id}.md`, text);
  await store.write('subject.json', toJsonText(subject));
  await store.write('report.md', renderers.markdown(run, { color: false, width: 100 }));
  // Last: a folder without it is none that is shown.
  await store.write('report.json', toJsonText(record));
}

const notImported: readonly (readonly [name: string, sentence: string])[] = [
  [
    'memory.sqlite',
    'Decisions and what was remembered about claims (memory.sqlite) are not imported, because they ' +
      'would decide: dismiss again what still holds, or commit a baseline.',
  ],
  [
    'index.sqlite',
    'The code index (index.sqlite) is not imported: it is built again when it is needed.',
  ],
  [
    'reviews',
    'Reports by scope (reviews/) are not imported: "jury report" prints those of imported runs.',
  ],
];

/** Only looked at by name. */
async function leftIn(beside: string | null) {
  if (beside === null) return [];
  const names = new Set(await namesIn(systemStorage.disk, beside));
  return notImported.flatMap(([name, sentence]) => (names.has(name) ? [sentence] : []));
}

// What a caller's own agents wrote into a folder, as a panel that has spoken already: nobody is asked.

/** The seats are the agents with a file and those that were expected. Throws `UserError` for a folder that holds nobody's file. */
export async function readCollected(
  { dir = '', expect = [], require = [], subject }: Settings,
  source: SubjectSource,
): Promise<ReadSubject> {
  const { call } = source;
  const folder = path.resolve(call.cwd, dir);
  const { files, others } = await readLeftFiles(call.disk, folder, answerLimit);
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
  return (
    state === 'malformed' || (state === 'valid' && (answer.stop !== 'end' || claimed === null))
  );
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
  const inbox = name ?? call.ids.run(call.clock.now());
  if (!ReviewerId.safeParse(inbox).success)
    throw usageError(
      'DIR: With --prepare it is a name, of letters, digits, ".", "_" and "-".',
      'For example: jury collect --prepare design-review',
    );
  const folder = await folderInProject(['inbox', inbox], call);
  const [left] = await namesIn(systemStorage.disk, folder);
  if (left !== undefined)
    throw usageError(
      `DIR: ${inbox} holds ${makeVisible(left)}, which would count as an answer of this round.`,
      'Take another name, or empty the folder.',
    );
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
    timestamp: `${call.clock.now().toISOString().slice(0, 19)}Z`,
    session_id: given.session,
    ...(given.phase !== undefined && { phase: given.phase }),
  });
  const folder =
    dir === undefined ? await folderInProject(['verdicts'], call) : path.resolve(call.cwd, dir);
  const file = path.join(folder, `${agent}.json`);
  if (dir !== undefined)
    await makeFolders(call.disk, path.dirname(folder), [path.basename(folder)]);
  await writeAtomically(call, file, text);
  return { file };
}

async function folderInProject(names: readonly string[], call: Call) {
  const state = await stateOf(call);
  await makeProjectFolders(state, names);
  return path.join(state.project, '.jury', ...names);
}
