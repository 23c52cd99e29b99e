/** What distinguishes one coding-agent client from another: how it is started, and what the records it prints mean. */
import type { Seat } from '../../core/words/config.ts';
import type { Answered, Turn } from '../../core/ports/runner.ts';
import type { Usage } from '../../core/words/review.ts';
import type { Fault } from './provider-failure.ts';
import type { ClientName } from './client-versions.ts';
import type { ToolLaunch } from './tool-service.ts';

export interface Client {
  readonly name: ClientName;
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

export interface Credential {
  readonly variable: string;
  readonly value: string;
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

export interface Launch {
  readonly args: readonly string[];
  /** Besides the allow-list; the key is here and nowhere else. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written with mode 0600 before the start. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Where standard output goes when a pipe would lose its end. */
  readonly stdoutFile?: string;
  /** Bytes; the records around a text can be many times its size. */
  readonly maxStdoutBytes?: number;
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
  /** Judges a run that ended by itself. An answer says only that the records claim success: the exit code is judged by the caller. */
  conclude(end: { readonly exitCode: number; readonly stderr: string }): Judgement;
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
 * An endpoint with the path that the client's own protocol expects: one without a path gets `version`, one with a path is
 * taken as it stands.
 */
export function withVersion(baseUrl: string, version: string) {
  const url = new URL(baseUrl);
  return url.pathname === '/' ? `${url.origin}/${version}` : trimSlash(baseUrl);
}

/** An endpoint for clients that add the version themselves. */
export function withoutVersion(baseUrl: string, version: string) {
  const trimmed = trimSlash(baseUrl);
  return trimmed.endsWith(`/${version}`) ? trimmed.slice(0, -version.length - 1) : trimmed;
}

function trimSlash(url: string) {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
