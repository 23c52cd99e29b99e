/** What can be done with a request: run it, show what would be sent to whom, tell what it would take. One way for every process. */
import type { StateFolder } from '../adapters/store/storage.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { usageError } from '../core/errors.ts';
import type { RunEvent } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { EventEmitter, on } from 'node:events';
import { mkdtemp, readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { makeRepository } from '../adapters/git/git-folder.ts';
import { noteLastAnswer } from '../adapters/store/runs.ts';
import { makeTemporaryFolder } from '../adapters/system/temporary-folder.ts';
import { type Request, processOf } from '../core/process.ts';
import { Ceilings, ContinueRequest } from '../core/request.ts';
import { visibleName } from '../core/safety/visible-text.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { type Call, fillCall, temporaryFolderOf, watched, withRepository } from './call.ts';
import { judgeEndedRun } from './judge-ended.ts';
import { stateOf } from './own-state.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Onward } from './resume-run.ts';
import { startRun } from './start-run.ts';

/** Resolves with the run whatever the reviewers did. The gates of an existing run are judged again, and nobody is asked. */
export async function runRequest(request: Request, call: Call): Promise<RunResult> {
  requireObject(request);
  return watched({ process: request.process, call }, watching => run(request, watching), cameOf);
}

/** Programs without types give anything. */
function requireObject(request: unknown) {
  if (typeof request !== 'object' || !request)
    throw usageError('A request is an object that names its process.');
}

async function run(request: Request, call: Call) {
  if ('run' in request && request.run !== undefined) {
    givenBeside('run', [], request);
    return keepAnswer(await stateOf(call), await judgeEndedRun(request.run, call));
  }
  if (request.process === 'review' && request.continue !== undefined) {
    const given = givenBeside('continue', Object.keys(ContinueRequest.shape), request);
    return goOnWith(request.continue, { how: 'continue', given }, call);
  }
  return withPrepared(request, call, async prepared =>
    keepAnswer(prepared.state, await startRun(prepared, call)),
  );
}

function cameOf({ record }: Run) {
  const { run, outcome, claims } = record;
  return {
    run,
    outcome,
    claims: claims.map(({ severity, agreement }) => ({ severity, agreement })),
  };
}

/** Goes on with a run by id, unique prefix or `latest`: the run begun last that can be gone on with. */
export function goOnNamed(wanted: string, onward: Onward, call: Call): Promise<RunResult> {
  return watched(
    { process: onward.how, call },
    watching => goOnWith(wanted, onward, watching),
    cameOf,
  );
}

async function goOnWith(wanted: string, { how, given }: Onward, call: Call) {
  const { resumeRunIn } = await import('./resume-run.ts');
  const schema = how === 'resume' ? Ceilings : ContinueRequest;
  const onward = { how, given: parseRequest(schema, given) };
  const state = await stateOf(call);
  return keepAnswer(state, await resumeRunIn(state, wanted, onward, call));
}

/** Beside the run that `name` names. Throws `UserError` (kind `usage`) for all that would make it another review. */
function givenBeside(
  name: 'run' | 'continue',
  keys: readonly string[],
  { process, ...request }: Request,
) {
  const { request: schema } = processOf(process);
  const usual = new Map(Object.entries(schema.parse({})));
  const other = Object.entries(parseRequest(schema, request)).find(
    ([key, value]) =>
      key !== name &&
      !keys.includes(key) &&
      JSON.stringify(value) !== JSON.stringify(usual.get(key)),
  );
  if (other)
    throw usageError(
      `${nameOf(other)} would make it another review: --${name} keeps to the change and the panel of its run.`,
      `Leave it out, or leave --${name} out. What may be given: ${keys.map(flagOf).join(', ') || 'nothing'}.`,
    );
  return Object.fromEntries(Object.entries(request).filter(([key]) => keys.includes(key)));
}

function nameOf([key, value]: readonly [string, unknown]) {
  if (key === 'range') return `"${visibleName(String(value))}"`;
  return key === 'paths' ? 'A path' : flagOf(key);
}

function flagOf(key: string) {
  return `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** Whoever asks for the latest run next means this one, also when it answered from an earlier day. */
async function keepAnswer(state: StateFolder, run: Run) {
  await noteLastAnswer(state, run.record.run);
  return resultOf(run);
}

/** What `runRequest` would do with the request; nobody is asked. */
export async function withPrepared<Result>(
  request: Request,
  call: Call,
  use: (prepared: Prepared, call: Call) => Promise<Result>,
) {
  requireObject(request);
  if ('continue' in request && request.continue !== undefined)
    throw usageError(
      'A review that goes on has the plan of its run: there is no other to show.',
      `To see what is left: jury show ${request.continue}`,
    );
  return withRepository(call, async repository =>
    use(await prepare(request, repository, call), call),
  );
}

/** What is asked for most stands on top; `record` is the whole, the object that `--format json` prints. */
export interface RunResult extends Run {
  readonly outcome: Run['record']['outcome'];
  readonly reasons: Run['record']['reasons'];
  readonly claims: Run['record']['claims'];
}

/** An event of the run, or, once and last, what came of it. */
export type StreamEvent = RunEvent | { readonly type: 'result'; readonly run: RunResult };

export function resultOf(run: Run): RunResult {
  const { outcome, reasons, claims } = run.record;
  return { ...run, outcome, reasons, claims };
}

/**
 * Starts with the first `next()`. Events wait until they are taken: the run is never held up by a slow reader. Leaving the loop
 * early cancels the run, which keeps what it has. Rejects where `run` would.
 */
export async function* streamRun(
  request: Request,
  call: Call,
): AsyncGenerator<StreamEvent, void, undefined> {
  const left = new AbortController();
  const emitter = new EventEmitter();
  const told: AsyncIterable<readonly RunEvent[]> = on(emitter, 'event', { close: ['end'] });
  const running = runRequest(request, {
    ...call,
    signal: AbortSignal.any([left.signal, call.signal]),
    onEvent(event) {
      call.onEvent(event);
      emitter.emit('event', event);
    },
  });
  // However it ends.
  const over = running.catch(() => {}).then(() => emitter.emit('end'));
  try {
    for await (const events of told) yield* events;
    yield { type: 'result', run: await running };
  } finally {
    left.abort();
    await over;
  }
}

// The demonstration: a real review of a small bad commit, with recorded answers in place of models.

export interface DemoRequest {
  /** Leave the project that is reviewed where it was made, and the run in the state of this user, so that both can be looked at. */
  readonly keep?: boolean;
}

/**
 * Nothing of the caller has a part in it but its clock: neither where it stands, nor its configuration, nor, unless the demonstration is
 * kept, its state. Throws `UserError` where there is no room for it, and no git.
 */
export async function demonstrate({ keep = false }: DemoRequest, call: Call): Promise<RunResult> {
  const place = await makePlace(keep, call);
  try {
    const project = path.join(place.path, 'shop');
    await makeRepository(project, [
      { message: 'Sales', files: await filesIn('before') },
      { message: 'Search sales, refund a part of one', files: await filesIn('after') },
    ]);
    const { signal, onEvent, clock, ids } = call;
    const { SIMILARITY_THRESHOLD: _, ...others } = call.environment;
    // What was recorded once would be told of as if it happened now.
    const environment = { ...others, OTEL_SDK_DISABLED: 'true' };
    const state = keep ? call.state : path.join(place.path, 'state');
    const run = await runRequest(
      { process: 'review', config: path.join(shipped, 'jury.config.yaml') },
      fillCall({ cwd: project, state, environment, signal, onEvent, clock, ids }),
    );
    return { ...run, demo: { project: keep ? project : null } };
  } finally {
    await place.remove();
  }
}

const shipped = path.join(packageRoot, 'demo');

async function makePlace(keep: boolean, call: Call) {
  const parent = temporaryFolderOf(call);
  try {
    const base = await realpath(parent);
    if (!keep) return await makeTemporaryFolder(base, 'demo');
    return {
      path: await mkdtemp(path.join(base, 'jury-demo-')),
      remove: async () => {},
    };
  } catch (cause) {
    throw usageError(
      `No folder can be made in the temporary folder ${parent}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`,
      'Make it writable, or set TMPDIR to one that is.',
      cause,
    );
  }
}

/** Their names end in `.txt` where they lie, so that no tool takes them for code of this package. */
async function filesIn(name: 'before' | 'after') {
  const folder = path.join(shipped, name);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    found
      .filter(entry => entry.isFile())
      .map(async entry => {
        const file = path.join(entry.parentPath, entry.name);
        const shown = path
          .relative(folder, file)
          .split(path.sep)
          .join('/')
          .replace(/\.txt$/, '');
        return [shown, await readFile(file)] as const;
      }),
  );
  // Whoever keeps the project finds it clean.
  return new Map([['.gitignore', Buffer.from('.jury/\n')], ...files]);
}
