/** What distinguishes one coding-agent client from another: how it is started, and what the records it prints mean. */
import { parseJson } from '../../core/json.ts';
import type { Answered, Turn } from '../../core/ports/runner.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Usage } from '../../core/words/review.ts';
import type { ClientName } from '../../core/words/runner.ts';
import { type Fault, faultOf } from './provider-failure.ts';

export interface Client {
  readonly name: ClientName;
  /** Versions that pass `npm run test:clients`: flags and output formats are the client's own and change without notice. */
  readonly verified: readonly [string, ...string[]];
  /** Older ones are refused, because they run code that a repository brings along; null: none is known that does. */
  readonly oldest: string | null;
  /** Files of the platform package, relative to `node_modules`, that hold the native program behind an npm shim. */
  readonly natives: readonly string[];
  /** Environment variables that hold a key, in order of preference; `apiKeyEnv` of a seat comes before them. */
  readonly keyVariables: readonly string[];
  readonly defaultModel: string;
  readonly promptLimit: { readonly unit: 'bytes' | 'characters'; readonly most: number };
  /** Model requests after which a run without tools is ended; null when a flag of the client sees to it. */
  readonly maxRequests: number | null;
  readonly takesSchema?: true;
  /** Pure. */
  launch(brief: Brief): Launch;
  read(): Reading;
}

/** How a client starts the MCP program. */
export interface ToolLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** The token is here: into files of mode 0600 or an environment, never onto a command line. */
  readonly environment: Readonly<Record<'JURY_TOOLS_SOCKET' | 'JURY_TOOLS_TOKEN', string>>;
  readonly names: readonly string[];
}

interface Credential {
  variable: string;
  value: string;
}

/** Everything a command line is made of. Paths are absolute. */
export interface Brief {
  readonly seat: Seat;
  readonly model: string;
  readonly instructions: string;
  readonly promptBytes: number;
  readonly totalMs: number;
  readonly credential: Credential;
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  /** How the client starts the MCP program with Jury's tools; null: the reviewer has no tools at all. */
  readonly tools: ToolLaunch | null;
  /** What its answer is to have the shape of; undefined: text. */
  readonly schema: Turn['schema'];
}

interface Launch {
  args: readonly string[];
  /** Besides the allow-list; the key is here and nowhere else. */
  environment: Record<string, string>;
  /** Written with mode 0600 before the start. */
  files: readonly { path: string; text: string }[];
  /** Where standard output goes when a pipe would lose its end. */
  stdoutFile?: string;
  /** Bytes; the records around a text can be many times its size. */
  maxStdoutBytes?: number;
}

/** Takes the records of one run in order. Nothing in them is trusted. */
export interface Reading {
  take(record: unknown): void;
  /** Model requests seen so far. */
  requests(): number;
  /** Output tokens so far: counted by the client, estimated until it does. */
  outputTokens(): number;
  /** Of a failed run too. `promptTokens` is the host's estimate, for clients that print nothing of a failed run. */
  usage(promptTokens: number): Usage;
  /** The model as the client names it; null when it does not. */
  model(): string | null;
  /** What it means that the run was ended at its request number `requests`, one more than it may make. */
  overrun(requests: number): Fault;
  /** The answer as far as it was written, for a run that was ended; absent where the client prints only whole answers. */
  textSoFar?(): string;
  /** What of it is whole. */
  said(): string;
  /** Judges a run that ended by itself. An answer says only that the records claim success: the exit code is judged by the caller. */
  conclude(end: Ended): Judgement;
}

interface Ended {
  exitCode: number;
  stderr: string;
}

export type Judgement =
  | {
      readonly text: string;
      readonly stop: Answered['stop'];
      /** The exit code by which the client says so, where it is not 0. */
      readonly exitCode?: number;
    }
  | Fault;

/**
 * Model requests of a run with tools. The ledger ends a reviewer that reads on and on; this ends one whose tools cost
 * nothing, such as a client that calls a name nobody knows.
 */
export const mostRounds = 24;

/** For clients that have no limit of their own. */
export function overrunFault(requests: number): Fault {
  return {
    cause: 'budget',
    message: `Ended after ${requests} model requests, more than this review may make.`,
  };
}

/** Four characters a token: good enough to show progress and to book what nobody counted. */
export function estimateTokens(characters: number) {
  return Math.ceil(characters / 4);
}

/**
 * An endpoint with the path that the protocol of OpenAI expects: one without a path gets the version, one with a path is taken as it
 * stands.
 */
export function withVersion(baseUrl = 'https://api.openai.com') {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/v1` : trimSlash(baseUrl);
}

/** An endpoint for clients that add the version themselves. */
export function withoutVersion(baseUrl: string, version: string) {
  const trimmed = trimSlash(baseUrl);
  return trimmed.endsWith(`/${version}`) ? trimmed.slice(0, -version.length - 1) : trimmed;
}

function trimSlash(url: string) {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

// Which versions of the clients Jury knows.

/** The version in what `--version` printed: `2.1.330 (Claude Code)`, `codex-cli 0.169.0`, `0.61.0`. Null when there is none. */
export function parseVersion(output: string) {
  return (
    /^(?:[a-z-]{1,40} )?v?(\d{1,9}\.\d{1,9}\.\d{1,9})(?=[\s+-]|$)/i.exec(output.trimStart())?.[1] ??
    null
  );
}

export function isTooOld({ oldest }: Client, version: string | null) {
  if (version === null || oldest === null) return false;
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0;
}

/** One sentence for people, or null when this version is a verified one. */
export function versionWarning({ name, verified }: Client, version: string | null) {
  if (version === null)
    return `${name} does not tell its version; verified: ${verified.join(', ')}.`;
  if (verified.includes(version)) return null;
  return `${name} ${version} is not a verified version; verified: ${verified.join(', ')}.`;
}

// One reader of what clients print as lines of JSON: for each client a table says which of its records tells what.

/** What the records of one run have told so far. */
export interface Told {
  /** Model requests. */
  requests: number;
  /** What was said since a tool answered last: what was said before was said on the way. */
  pieces: string[];
  /** Of all that was said. */
  characters: number;
  model: string | null;
  /** By the client; null until it has counted. */
  counted: Counted | null;
}

type Counted = Omit<Usage, 'calls' | 'estimated'>;

export const nothingCounted: Counted = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cost: null,
};

export function nothingTold(): Told {
  return { requests: 0, pieces: [], characters: 0, model: null, counted: null };
}

export interface Table<State> {
  /** By the type of a record. */
  readonly records: Readonly<Record<string, (state: State, record: unknown) => void>>;
  /** What it counts while it works; absent: nothing. */
  readonly meter?: (state: State) => Counted;
  /** Null: there was no closing record. */
  readonly conclude: (state: State, end: Ended) => Judgement | null;
}

export function createReading<State extends Told>(
  state: State,
  { records, meter, conclude }: Table<State>,
  own: Partial<Reading> = {},
): Reading {
  const takers = new Map(Object.entries(records));
  const calls = () => Math.max(1, state.requests);
  const metered = (promptTokens = 0) =>
    meter?.(state) ?? {
      ...nothingCounted,
      inputTokens: promptTokens * calls(),
      outputTokens: estimateTokens(state.characters),
    };
  return {
    take: record => takers.get(textAt(record, 'type'))?.(state, record),
    requests: () => state.requests,
    said: () => state.pieces.join(''),
    outputTokens: () => Math.max(state.counted?.outputTokens ?? 0, metered().outputTokens),
    usage: promptTokens => ({
      calls: calls(),
      ...(state.counted ?? metered(promptTokens)),
      estimated: !state.counted,
    }),
    model: () => state.model,
    overrun: overrunFault,
    conclude: end => conclude(state, end) ?? faultWithoutClosingRecord(end),
    ...own,
  };
}

export function say(state: Told, text: string) {
  state.pieces.push(text);
  state.characters += text.length;
}

export const noText: Fault = { cause: 'empty', message: 'The answer has no text.' };

/** Behind the name of a native program. */
export const programEnding = process.platform === 'win32' ? '.exe' : '';

/** What stands at a path of names and indexes; undefined where nothing does. */
export function at(record: unknown, path: string) {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value && Object.hasOwn(value, key)
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      record,
    );
}

/** Empty where there is no text. */
export function textAt(record: unknown, path: string) {
  const value = at(record, path);
  return typeof value === 'string' ? value : '';
}

/** Null where there is no number that counts anything. */
export function numberAt(record: unknown, path: string) {
  const value = at(record, path);
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null;
}

/** Whole; 0 where there is none. */
export function countAt(record: unknown, path: string) {
  return Math.round(numberAt(record, path) ?? 0);
}

/**
 * Cuts a stream into lines and reads each as JSON, whatever its length; lines that are no object or array are not for us: warnings and
 * progress share the stream. Linear also when one line comes in many chunks: the pieces are joined once, at its end.
 */
export function readJsonLines(onRecord: (record: unknown) => void) {
  let pieces: string[] = [];
  const finishLine = () => {
    const line = pieces.join('').trim();
    pieces = [];
    const record = /^[{[]/.test(line) ? parseJson(line) : undefined;
    if (record !== undefined) onRecord(record);
  };
  return {
    add(chunk: string) {
      const [first = '', ...more] = chunk.split('\n');
      pieces.push(first);
      for (const piece of more) {
        finishLine();
        pieces.push(piece);
      }
    },
    end: finishLine,
  };
}

/** Codes by which a shell or a client says that a signal ended it. */
const signalExitCodes: ReadonlySet<number> = new Set([130, 137, 143]);

/** For a client that ended without its closing record: exit 0 is a broken protocol, anything else is what its last words say. */
function faultWithoutClosingRecord({ exitCode, stderr }: Ended): Fault {
  const words = stderr.trim().slice(-400);
  if (signalExitCodes.has(exitCode))
    return { cause: 'killed', message: `Ended with code ${exitCode}, as after a signal.` };
  if (exitCode === 0)
    return {
      cause: 'protocol',
      message: 'The client ended with code 0 and without its closing record.',
    };
  return {
    ...faultOf(words, null, 'exit'),
    message:
      words === '' ? `Ended with code ${exitCode}.` : `Ended with code ${exitCode}: ${words}`,
  };
}
