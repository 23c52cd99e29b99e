/** The hooks of git: what they do (review what is about to be committed, or pushed, and tell it piece by piece), and how they get there. */
import path from 'node:path';
import { createSecretScanner, severityOfSecret } from '../checks/index.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { excludeFrom } from '../core/change/unshown.ts';
import { ifUserError, UserError } from '../core/errors.ts';
import {
  HookName,
  type HookStep,
  readPushed,
  shortRef,
  type ChangedHook,
  forShell,
  hookNames,
  type HookState,
  keeperOf,
  linesToAdd,
  ownerOf,
  renderHook,
} from '../core/hooks/hook.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { ChangedFile } from '../core/words/change.ts';
import { type Call, withRepository, temporaryFolderOf } from './call.ts';
import { readPlan, stateOf } from './own-state.ts';
import { builtinPanel, defaultQuorum } from '../core/panel.ts';
import type { Request } from '../core/process.ts';
import type { Run } from '../core/words/run.ts';
import { runRequest } from './run-request.ts';
import { indexOf } from './subjects.ts';
import {
  findHooksFolder,
  type HookFile,
  type HooksFolder,
  readHook,
  removeHook,
  writeHook,
} from '../adapters/git/hook-files.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { shellQuote } from '../core/text.ts';
import { isReader } from '../core/words/runner.ts';
import { configure } from './trust.ts';

export interface HookCall {
  readonly name: HookName;
  /** Of a push: name and address of the remote, as git hands them over. */
  readonly remote?: string | null;
  /** Of a push: what git writes to standard input. */
  readonly pushed?: string;
  /** Are checks alone enough where no reader is seated? */
  readonly checks?: boolean;
}

/** `onStep` is told each as soon as it is done. Throws `UserError` as `run` of the library does. */
export async function runHook(
  { name, remote = null, pushed = '', checks = false }: HookCall,
  call: Call,
  onStep: (step: HookStep) => void = () => {},
) {
  // A commit must not find files in the project that were not there when it began.
  const quiet: Call = { ...call, copies: false };
  const steps: HookStep[] = [];
  const add = (step: HookStep) => {
    steps.push(step);
    onStep(step);
  };
  if (parseRequest(HookName, name) === 'pre-commit') {
    add(await reviewStaged(quiet));
    return steps;
  }
  const seen = new Set<string>();
  for (const ref of readPushed(pushed)) {
    if (call.signal.aborted) break;
    const { step, range } = await rangeOf(ref, remote, quiet);
    if (!range) add(step);
    // A branch and a tag on the same commit are one thing to review.
    else if (!seen.has(`${range.from}..${range.head}`)) {
      seen.add(`${range.from}..${range.head}`);
      const reviewed = await reviewRange(range, { step, checks }, quiet);
      add(reviewed);
      const passing = await lookBetween(range, reviewed, quiet);
      if (passing) add(passing);
    }
  }
  return steps;
}

/** In seconds, without a model and without the network, whatever else the configuration says of the panel. */
const builtIn = {
  rules: 'gates',
  reader: 'any',
  reviewers: builtinPanel.map(({ id }) => id),
  quorum: defaultQuorum(builtinPanel.length),
  strategy: 'calibrated',
} as const;

async function reviewStaged(call: Call) {
  const step: HookStep = { about: 'what is staged', run: null, said: [], isReadable: true };
  const own = await withRepository(call, repository => ownPathsOfMerge(repository, call));
  if (own?.length === 0)
    return { ...step, said: ['The merge changes nothing that neither side had.'] };
  return review(
    {
      process: 'review',
      staged: true,
      ...builtIn,
      // Git knows no file by a name that is escaped: then all is looked at that is staged.
      ...(own?.every(name => !name.includes('\\')) && {
        paths: own.map(name => `:(top,literal)${name}`),
      }),
    },
    step,
    call,
  );
}

/**
 * Of a merge that a person finishes: what is as neither side had it, since what came with the other side was reviewed, or is to be, where
 * it came from. Null: no merge is under way.
 */
async function ownPathsOfMerge(repository: GitRepository, call: Call) {
  const other = await repository.resolve('MERGE_HEAD').catch(ifUserError(null));
  if (other === null) return null;
  const staged = await repository
    .change({ source: 'staged', ...indexOf(call) })
    .catch(ifUserError(null, 'unchanged'));
  const own = [];
  for (const { path: name, newId, newMode } of staged?.files ?? []) {
    const there = await repository.entryAt(other, name);
    const isTheirs = there ? there.id === newId && there.mode === newMode : !/[^0]/.test(newId);
    if (!isTheirs) own.push(name);
  }
  return own;
}

interface Range {
  /** Null: all that is behind the head is new. */
  base: string | null;
  head: string;
  /** The base, else the empty tree. */
  from: string;
}

type PushedRef = ReturnType<typeof readPushed>[number];

async function rangeOf(ref: PushedRef, remote: string | null, call: Call) {
  const there = `${remote === null ? '' : `${remote}/`}${shortRef(ref.remote)}`;
  const about = `${shortRef(ref.local)} to ${there}`;
  const step: HookStep = { about, run: null, said: [], isReadable: true };
  const without = (said: string, other: Partial<HookStep> = {}) => ({
    step: { ...step, said: [said], ...other },
    range: null,
  });
  const { id } = ref;
  if (id === null) return without('It is removed there; nothing to review.', { about: there });
  return withRepository(call, async repository => {
    const head = await repository.resolve(id).catch(ifUserError(null));
    if (head === null)
      return without('It names no commit, so that nobody can review it.', { isReadable: false });
    const base = await baseOf(ref, head, { remote, repository });
    if (base === head) return without('Everything of it is there already.');
    return { step, range: { base, head, from: base ?? (await repository.emptyTree()) } };
  });
}

/**
 * Where what is pushed left what the remote has: what the reference stands on there, where that is known here, else its default branch
 * as it was last fetched. Null: nothing of it is known.
 */
async function baseOf(
  { remoteId }: PushedRef,
  head: string,
  { remote, repository }: { remote: string | null; repository: GitRepository },
) {
  const name = remote ?? 'origin';
  const known = [
    ...(remoteId === null ? [] : [remoteId]),
    ...['HEAD', 'main', 'master'].map(branch => `refs/remotes/${name}/${branch}`),
  ];
  for (const revision of known) {
    const commit = await repository.resolve(revision).catch(ifUserError(null));
    const base =
      commit === null ? null : await repository.mergeBase(commit, head).catch(ifUserError(null));
    if (base !== null) return base;
  }
  return null;
}

/** By the panel of the configuration; by the built-in one where nobody has allowed that, and where a whole history is new. */
async function reviewRange(
  { base, head, from }: Range,
  { step, checks }: { step: HookStep; checks: boolean },
  call: Call,
) {
  const reader = checks ? 'any' : 'needed';
  const range = { process: 'review', base: from, head, rules: 'gates', reader } as const;
  if (base === null)
    return review(
      { ...builtIn, ...range },
      {
        ...step,
        said: [
          'Nothing is known here of what the remote has, so the built-in checks alone look at the whole history.',
        ],
      },
      call,
    );
  try {
    return await review(range, step, call);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'not-allowed') throw error;
    // Who is configured is seated, whatever was allowed: here nobody of them is heard.
    return review(
      { ...builtIn, ...range, reader: 'needed' },
      {
        ...step,
        said: [`The built-in checks alone look at it: ${error.message} ${error.hint ?? ''}`.trim()],
      },
      call,
    );
  }
}

async function review(request: Request, step: HookStep, call: Call) {
  const run = await runRequest(request, call).catch(ifUserError(null, 'unchanged'));
  const why = run
    ? isLeftOut(run)
      ? 'Nothing to review: the configuration leaves out every file of it.'
      : null
    : 'Nothing to review.';
  return why === null ? { ...step, run } : { ...step, said: [...step.said, why] };
}

/** Whoever configured it has said that nobody is to look: a picture alone must not stop a commit. What the engine found still does. */
function isLeftOut({ record: { outcome, reasons, coverage } }: Run) {
  return (
    outcome === 'INCOMPLETE' &&
    coverage.files.length === 0 &&
    coverage.excluded.length > 0 &&
    reasons.every(({ rule }) => rule === 'unread')
  );
}

/** Commits that are looked into: of a push with more, the latest ones. */
const mostCommits = 200;

/** Null where nothing is to be told of what the end of a range does not show. */
async function lookBetween(
  range: Range,
  { about, run }: HookStep,
  call: Call,
): Promise<HookStep | null> {
  if (call.signal.aborted) return null;
  const step: HookStep = { about, run: null, said: [], isReadable: true };
  const state = await stateOf(call);
  // What is left out is what the run left out; where there was nothing to review, nothing is.
  const plan = run && (await readPlan(await openRunFolder(state, run.record.run)));
  try {
    const looked = await withRepository(call, repository =>
      findPassingSecrets(repository, range, plan?.exclude ?? []),
    );
    return tell(looked, step);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const said = [`A commit before its last one cannot be looked into: ${error.message}`];
    return { ...step, said, isReadable: false };
  }
}

function tell(
  { found, isWhole }: Awaited<ReturnType<typeof findPassingSecrets>>,
  step: HookStep,
): HookStep | null {
  const [first, ...others] = found;
  if (first !== undefined)
    return {
      ...step,
      said: [
        first,
        ...(others.length > 0 ? [`And ${others.length} more of the kind.`] : []),
        'Take it out of the history: git rebase -i.',
      ],
      isFail: true,
    };
  if (isWhole) return null;
  const said = [
    `Only its last ${mostCommits} commits were looked into for credentials that were taken away again.`,
  ];
  return { ...step, said };
}

/** `found`: one sentence each, without the credential. `isWhole` false: there are more commits than were looked into. */
async function findPassingSecrets(
  repository: GitRepository,
  { from, base, head }: Range,
  exclude: readonly string[],
) {
  const commits = await repository.commitsSince(base, head, mostCommits + 1);
  const passed = commits.slice(0, mostCommits).filter(commit => commit !== head);
  const isWhole = commits.length <= mostCommits;
  if (passed.length === 0) return { found: [], isWhole };
  const filesOf = async (from: string, to: string) => {
    // Null for an empty commit, and for a way back to where it began.
    const change = await repository
      .change({ source: 'range', base: from, head: to, title: `${from}..${to}` })
      .catch(ifUserError(null, 'unchanged'));
    if (!change) return [];
    const { subject } = excludeFrom(change, { exclude });
    return subject.kind === 'change' ? subject.files : [];
  };
  const scanner = createSecretScanner();
  const ended = await filesOf(from, head);
  const shown = new Set(ended.flatMap(addedLines));
  const found = new Set<string>();
  for (const commit of passed) {
    const before = await repository.resolve(`${commit}^`).catch(ifUserError(null));
    for (const file of await filesOf(before ?? (await repository.emptyTree()), commit)) {
      const text = addedLines(file)
        .filter(line => !shown.has(line))
        .join('\n');
      const spans = text === '' ? [] : await scanner.scan(text, file.path);
      for (const { start, end, kind, message } of spans) {
        if (
          severityOfSecret({ path: file.path, kind, value: text.slice(start, end) }) === 'critical'
        )
          found.add(
            `Commit ${commit.slice(0, 8)} adds to ${makeVisible(file.path)} what a later one takes away, ` +
              `and is pushed all the same. ${message}`,
          );
      }
    }
  }
  return { found: [...found], isWhole };
}

function addedLines({ hunks }: ChangedFile) {
  return hunks.flatMap(({ lines }) =>
    lines.filter(line => line.startsWith('+')).map(line => line.slice(1)),
  );
}

// Installs the hooks of git that call Jury, takes them away, tells what lies there. What somebody else has written is never touched.

export interface HookRequest {
  /** Default: both. */
  readonly names?: readonly HookName[];
  /** An INCOMPLETE run is told, and does not stop anything. */
  readonly allowIncomplete?: boolean;
}

/**
 * A person's act: nothing that acts for an agent may call it. Throws `UserError` outside of a repository, and for a folder that cannot
 * be written.
 */
export async function installHooks(
  { names = hookNames, allowIncomplete = false }: HookRequest,
  call: Call,
) {
  return changeEach(names, allowIncomplete, call, async ({ before, file, text }, folder) => {
    const { name, state, keeper, isRun } = before;
    const isOurs = state === 'older' || (state === 'current' && !isRun);
    if (state === 'current' && !isOurs) return { done: 'as-it-was' };
    if (state !== 'none' && !isOurs)
      return { done: 'kept', lines: linesToAdd(name, keeper, commandFor(folder)) };
    await writeHook(file, text, { replaces: isOurs });
    return { done: isOurs ? 'renewed' : 'installed' };
  });
}

/** Those that are ours. */
export async function removeHooks({ names = hookNames }: HookRequest, call: Call) {
  return changeEach(names, false, call, async ({ before: { state }, file }) => {
    const isOurs = state === 'current' || state === 'older';
    if (isOurs) await removeHook(file);
    return { done: isOurs ? 'removed' : state === 'none' ? 'none' : 'kept' };
  });
}

async function changeEach(
  names: readonly HookName[],
  allowIncomplete: boolean,
  call: Call,
  change: (
    hook: Awaited<ReturnType<typeof look>>['hooks'][number],
    folder: HooksFolder,
  ) => Promise<Pick<ChangedHook, 'done'> & Partial<ChangedHook>>,
) {
  const { folder, hooks } = await look(names, allowIncomplete, call);
  const changed: ChangedHook[] = [];
  for (const hook of hooks)
    changed.push({ ...hook.before, lines: [], ...(await change(hook, folder)) });
  return changed;
}

export async function hookStates(call: Call) {
  return (await look(hookNames, null, call)).hooks.map(({ before }) => before);
}

async function look(
  names: readonly HookName[],
  /** Null: either is as good. */
  allowIncomplete: boolean | null,
  call: Call,
) {
  const folder = await findHooksFolder(call, temporaryFolderOf(call));
  const { config } = await configure(call);
  // Allowed or not.
  const seatsReader = (config.reviewers ?? []).some(isReader);
  const hooks = await Promise.all(
    [...new Set(names)].map(async name => {
      const file = await readHook(folder, name);
      const texts = (allowIncomplete === null ? [false, true] : [allowIncomplete]).map(
        allowsIncomplete =>
          renderHook({
            name,
            allowsIncomplete,
            checks: name === 'pre-commit' || !seatsReader,
            installed: folder.place === 'own' ? installed() : null,
          }),
      );
      const state = hookStateOf(folder, file, { name, texts });
      const before: HookState = {
        name,
        path: file.path,
        state,
        keeper: ['none', 'foreign'].includes(state) ? keeperOf(folder.folder, file.text) : null,
        isRun: file.isThere && (file.isExecutable || process.platform === 'win32'),
      };
      // Husky writes its folder anew: what is installed there is gone with the next installation of packages.
      const isKept = before.state === 'none' && before.keeper !== null;
      return {
        before: isKept ? { ...before, state: 'foreign' as const } : before,
        file,
        text: texts[0] ?? '',
      };
    }),
  );
  return { folder, hooks };
}

function hookStateOf(
  { place }: HooksFolder,
  { isThere, text }: HookFile,
  wanted: { name: HookName; texts: readonly string[] },
) {
  if (isThere) {
    const owner = text === null ? 'foreign' : ownerOf(text, wanted.name);
    if (owner !== 'ours') return owner;
    return wanted.texts.includes(text ?? '') ? 'current' : 'older';
  }
  return place === 'elsewhere' ? 'shared' : 'none';
}

function installed() {
  const { platform, execPath } = process;
  return {
    node: forShell(execPath, platform),
    program: forShell(path.join(packageRoot, 'dist', 'cli', 'main.js'), platform),
  };
}

/** What a line calls that a person adds: in a file that others get too, no path of this machine. */
function commandFor({ place }: HooksFolder) {
  if (place !== 'own') return 'jury';
  const { node, program } = installed();
  return `${shellQuote(node)} ${shellQuote(program)}`;
}
