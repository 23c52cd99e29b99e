/**
 * What a tool of the entry point for agents is: static text, a checked input, an answer of a few facts and at most one field of
 * untrusted text.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { inputError, usageError } from '../core/errors.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { Text, optional } from '../core/words/fields.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { judgeEndedVote, type Reason } from '../core/verdict/record.ts';
import { decide, exitCodeOf } from '../core/verdict/outcome.ts';
import { mostTokensOf, piecesOf } from '../core/text.ts';
import { type Call, type KeptVote, type RunEvent, createJury } from '../index.ts';

export interface ToolCall {
  readonly queue: ReturnType<typeof createJobQueue>;
  readonly roots: Roots;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the caller takes the request back. Runs go on all the same. */
  readonly signal: AbortSignal;
  /** Shows the caller that work goes on; does nothing for one that did not ask to see it. */
  readonly onProgress: (message: string) => void;
}

/** Static text only: what a model reads about a tool must not depend on what anybody wrote. */
interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  description: string;
  /** True when it neither asks a reviewer nor changes anything. */
  readOnly: boolean;
  input: Input;
  answer: (input: z.output<Input>, call: ToolCall) => Promise<Answer>;
}

export function defineTool<Input extends z.ZodObject>({
  name,
  description,
  readOnly,
  input,
  answer,
}: ToolDefinition<Input>) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  const inputSchema: { readonly type: 'object'; readonly [key: string]: unknown } = {
    ...schema,
    type: 'object',
  };
  return {
    /** As `tools/list` gives it. */
    listing: { name, description, inputSchema, annotations: { readOnlyHint: readOnly } },
    /** Throws `UserError` for arguments the schema refuses and for what the caller can put right. */
    async call(given: unknown, call: ToolCall) {
      return answer(parseRequest(input, given ?? {}), call);
    },
  };
}

/** Inputs that several tools have in common. */
export const RootName = optional(Text.max(100), 'Name of an allowed root; default: the first');
export const RunName = Text.min(1).max(100).describe('Run id, a unique beginning, or latest');

interface Root {
  name: string;
  /** Absolute, with links resolved. */
  folder: string;
}

/** The first one is the default. */
type Roots = readonly [Root, ...Root[]];

/** Throws `UserError` (kind `usage`) with the names there are. */
export function rootNamed(roots: Roots, name: string | undefined) {
  const found = name === undefined ? roots[0] : roots.find(root => root.name === name);
  if (!found)
    throw usageError(
      'root: there is no root of this name.',
      `Known: ${roots.map(root => root.name).join(', ')}.`,
    );
  return found;
}

/** The run of that name that is under way in a root, or has ended lately; null: there is none. */
export function jobNamed({ queue, roots }: ToolCall, root: string | undefined, run: string) {
  return queue.find(rootNamed(roots, root).name, run);
}

/** The library in the folder of a root. */
export function juryAt(
  { roots, environment }: ToolCall,
  name: string | undefined,
  { signal }: Pick<Call, 'signal'> = {},
) {
  const { folder: cwd } = rootNamed(roots, name);
  return createJury({ cwd, environment, ...(signal && { signal }) });
}

/**
 * A file or folder below the root, as a relative path. Throws `UserError` for an absolute one, for one with `..`, and for
 * one that a link leads out of the root.
 */
export async function pathIn({ folder }: Root, given: string) {
  const names = given.split(/[\\/]/);
  if (
    path.isAbsolute(given) ||
    path.win32.isAbsolute(given) ||
    names.includes('..') ||
    given.includes('\0')
  )
    throw usageError('subject: it must be a path below the root, without "..".');
  const real = await realpath(path.join(folder, given)).catch(() => null);
  if (real === null) throw inputError('subject: there is no such file below the root.');
  if (real !== folder && !real.startsWith(folder + path.sep))
    throw inputError('subject: it leads out of the root.');
  return path.relative(folder, real) || '.';
}

// An answer is one line of JSON of at most 1,000 tokens. What others wrote stands in the one field `untrusted_text`, where no word of it
// can end the field; what does not fit is left out, and the answer says how to ask for it.

export interface Answer {
  /** Computed by Jury. */
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** Written by reviewers, or read from files of the repository. */
  readonly text?: string;
  /** Which piece of the text, from 1. */
  readonly part?: number;
  /** What to call for another piece. */
  readonly again?: string;
}

/** Tokens of a text in the encoding that the budget is stated in. */
type CountTokens = (text: string) => number;

/** How a report is laid for a program that reads it. */
export const plain = { color: false, width: 100 } as const;

const mostTokens = 1_000;
/** For the quotes and the names of the fields, and for what the sum over pieces may miss. */
const reserve = 30;
/** UTF-16 units: the most expensive piece of this length fits in an answer. */
const pieceLength = 200;

/** Throws `UserError` for a part that does not exist. `loadCounter` is asked only for a text that may be too long. */
export async function renderAnswer(
  { facts, text: said, part = 1, again }: Answer,
  loadCounter: () => Promise<CountTokens>,
) {
  if (said === undefined) return JSON.stringify(facts);
  // A model reads what a person would not see.
  const text = makeVisible(said);
  const cut =
    again === undefined
      ? 'The rest is in the run folder.'
      : `Cut here. The rest: ${again}, part ${part + 1}.`;
  const whole = JSON.stringify({ ...facts, untrusted_text: text });
  if (part === 1 && mostTokensOf(whole) <= mostTokens) return whole;
  const count = await loadCounter();
  if (part === 1 && count(whole) <= mostTokens) return whole;
  const room = mostTokens - reserve - count(JSON.stringify({ ...facts, cut }));
  const { piece, isLast } = takePart(text, part, room, count);
  return JSON.stringify({ ...facts, ...(isLast ? {} : { cut }), untrusted_text: piece });
}

/** Whole lines where they fit. Parts are the same whichever is asked for first. */
function takePart(text: string, part: number, room: number, count: CountTokens) {
  let current = 1;
  let taken = 0;
  let piece = '';
  for (const next of pieces(text)) {
    const cost = count(JSON.stringify(next).slice(1, -1));
    if (taken + cost > room && taken > 0) {
      if (current === part) return { piece, isLast: false };
      current += 1;
      taken = 0;
      piece = '';
    }
    taken += cost;
    if (current === part) piece += next;
  }
  if (current < part) throw usageError(`There is no part ${part}; the last one is ${current}.`);
  return { piece, isLast: true };
}

/** Lines, each with its end; longer ones in pieces, never cut inside a character. */
function* pieces(text: string): Generator<string> {
  for (const line of text.split(/(?<=\n)/)) yield* piecesOf(line, pieceLength);
}

/** Like a plain question a vote has no gate: one that came to a decision is no pass. */
export function endOfVote(reasons: readonly Reason[]) {
  const { outcome } = decide({}, reasons, { gate: false });
  return { status: 'ended', outcome, exit_code: exitCodeOf(outcome) };
}

/** A vote that was held before, as its run keeps it. Throws `UserError` for one that has not ended. */
export function briefOfKept({ run, ended, report }: KeptVote): Answer {
  if (!ended || report === null)
    throw inputError(
      `Run ${run} is a vote on motions that has not ended.`,
      'Start resume with it.',
    );
  const { counts } = ended;
  return { facts: { run, ...endOfVote(judgeEndedVote(counts)), ...counts }, text: report };
}

// The runs this server has under way. A run belongs to the server and not to the request that began it: it goes on when that
// request ends, is taken back or times out, and whoever asks next finds it here.

/** A panel costs money and memory; more at once is a caller that has lost count. */
const mostAtOnce = 8;
/** Ended runs that are remembered with how they ended; those that left a folder can be read for ever. */
const mostRemembered = 100;

/** `runId` is null for what left no run. */
export interface Done {
  readonly runId: string | null;
  readonly answer: Answer;
}

type JobEnd = Done | { error: unknown };

export interface Job {
  readonly root: string;
  /** Equal for requests that ask for the same. */
  readonly key: string;
  readonly startedAtMs: number;
  /** Null until the run has its folder. */
  runId: string | null;
  /** Null while it goes on. */
  end: JobEnd | null;
  reviewers: { total: number; ended: number };
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
  readonly changes: EventTarget;
  stop(): void;
}

interface JobRequest {
  root: string;
  key: string;
  work: (call: Pick<Call, 'signal' | 'onEvent'>) => Promise<Done>;
}

export function createJobQueue() {
  let jobs: Job[] = [];
  return {
    /** Joins the run under way that asks for the same. Throws `UserError` when eight are under way. */
    start(request: JobRequest) {
      const underWay = jobs.filter(({ end }) => !end);
      const same = underWay.find(({ root, key }) => root === request.root && key === request.key);
      if (same) return same;
      if (underWay.length >= mostAtOnce)
        throw inputError(
          `${mostAtOnce} runs are under way, which is the most at once.`,
          'Wait for one or stop one.',
        );
      const job = begin(request);
      jobs = [
        ...jobs.filter(({ end }) => !end),
        ...jobs.filter(({ end }) => end !== null).slice(-mostRemembered),
        job,
      ];
      return job;
    },
    /** A run of this server by id, the beginning of only one, or `latest` while one is under way. */
    find: (root: string, wanted: string) =>
      findJob(
        jobs.filter(job => job.root === root),
        wanted,
      ),
    /** Ends every run with its state saved. */
    async close() {
      for (const job of jobs) job.stop();
      await Promise.all(jobs.map(({ ended }) => ended));
    },
  };
}

function findJob(jobs: readonly Job[], wanted: string) {
  if (wanted === 'latest') return jobs.findLast(({ end }) => !end) ?? null;
  const found = jobs.filter(
    ({ runId }) => runId !== null && wanted !== '' && runId.startsWith(wanted),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function begin({ root, key, work }: JobRequest) {
  const controller = new AbortController();
  const changes = new EventTarget();
  const notice = () => void changes.dispatchEvent(new Event('change'));
  const onEvent = (event: RunEvent) => {
    if (event.type === 'run-start') {
      job.runId = event.run;
      job.reviewers = { total: event.reviewers.length, ended: 0 };
    }
    if (event.type === 'review-end')
      job.reviewers = { ...job.reviewers, ended: job.reviewers.ended + 1 };
    if (event.type !== 'review-progress') notice();
  };
  const ended = Promise.resolve()
    .then(() => work({ signal: controller.signal, onEvent }))
    .catch((error: unknown) => ({ error }))
    .then(end => {
      if ('answer' in end) job.runId = end.runId ?? job.runId;
      job.end = end;
      notice();
      return end;
    });
  const job: Job = {
    root,
    key,
    ended,
    changes,
    startedAtMs: performance.now(),
    runId: null,
    end: null,
    reviewers: { total: 0, ended: 0 },
    stop: () => controller.abort(new Error('stopped by the caller')),
  };
  return job;
}
