/** Runs the client runners against a scripted stand-in: one row is what a client was seen to print and how it ended. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createClientRunner } from '../../../../src/adapters/runners/client-runner.ts';
import { clients } from '../../../../src/adapters/runners/client-program.ts';
import type { ClientName } from '../../../../src/core/words/runner.ts';
import type { Seat } from '../../../../src/core/words/config.ts';
import type { Answer, Progress, Runner } from '../../../../src/core/ports/runner.ts';
import { hashLoaded } from '../../../../src/library/manifest.ts';
import { createFolder } from '../../git/sample-repository.ts';
import { processesWith, seatOf } from '../turns.ts';
import { turnOf, type TurnOptions } from './turn.ts';

export const fakeKey = 'fake-key-0123456789abcdef';
export const keyVariables: Readonly<Record<ClientName, string>> = {
  claude: 'ANTHROPIC_API_KEY',
  codex: 'CODEX_API_KEY',
  gemini: 'GEMINI_API_KEY',
  opencode: 'OPENAI_API_KEY',
};

/** What a client was seen to do. */
export interface Scenario {
  /** Records of standard output; a string is printed as it stands. */
  readonly lines: readonly unknown[];
  readonly stderr?: string;
  readonly exitCode?: number;
  /** Ends itself by this signal. */
  readonly signal?: 'SIGTERM' | 'SIGKILL';
  /** Never ends by itself. */
  readonly hangs?: boolean;
  /** After each line. */
  readonly pauseMs?: number;
  /** Exit code on SIGTERM and SIGINT. */
  readonly exitOnSignal?: number;
  readonly ignoresSignals?: boolean;
  readonly readsPrompt?: false;
  readonly version?: string;
}

export interface Row {
  readonly name: string;
  readonly scenario: Scenario;
  readonly turn?: TurnOptions;
  /** Matched against the answer, which may say more. */
  readonly expected: { readonly status: 'answered' | 'failed' } & Readonly<Record<string, unknown>>;
}

export const text = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';

/** The client answered with `text`. */
export const answered = (changes: object = {}) => ({
  status: 'answered' as const,
  text,
  ...changes,
});
export const failed = (cause: string, httpStatus: number | null = null) => ({
  status: 'failed' as const,
  failure: { cause, httpStatus },
});
export const exited = (exitCode: number) => ({
  status: 'failed' as const,
  failure: { cause: 'exit', exitCode },
});

export function row(
  name: string,
  expected: Row['expected'],
  lines: readonly unknown[],
  end: number | Omit<Scenario, 'lines'> = 0,
  turn: TurnOptions = {},
): Row {
  const how = typeof end === 'number' ? { exitCode: end } : end;
  return { name, expected, scenario: { ...how, lines }, turn };
}

export interface Notes {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly entries: readonly string[];
  readonly files: Readonly<Record<string, { readonly mode: string; readonly text: string }>>;
  readonly attemptMode: string;
  readonly stdoutIsFile: boolean;
  readonly openFiles: readonly string[];
  /** SHA-256 of what arrived on standard input. */
  readonly stdin: string;
}

interface AskOptions extends TurnOptions {
  readonly seat?: Partial<Seat>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface FakeClient {
  readonly runner: (environment?: AskOptions['environment']) => Runner;
  readonly seat: (changes?: Partial<Seat>) => Seat;
  readonly temporaryFolder: string;
  play(scenario: Scenario): Promise<void>;
  ask(options?: AskOptions): Promise<Answer>;
  /** How the last run was started; null when nothing was. */
  notes(): Promise<Notes | null>;
}

const quoted = (words: string) => `'${words.replaceAll("'", `'\\''`)}'`;

/** A shell starts ten times as fast as Node. It notes its attempt alone, and always reads its prompt. */
function shellOf(program: string, scenario: Scenario) {
  const { lines, stderr = '', pauseMs, hangs, signal, exitCode = 0 } = scenario;
  const { version = '', exitOnSignal, ignoresSignals } = scenario;
  const trapped = ignoresSignals ? '' : exitOnSignal === undefined ? null : `exit ${exitOnSignal}`;
  const rest = trapped === null ? 'exec sleep 600' : 'while :; do sleep 0.05; done';
  const end = signal ? `kill -${signal.slice(3)} $$` : `exit ${exitCode}`;
  return [
    `if [ "$1" = --version ]; then echo ${quoted(version)}; exit; fi`,
    ...(trapped === null ? [] : [`trap ${quoted(trapped)} TERM INT`]),
    'cat >/dev/null',
    `printf '{"environment":{"JURY_ATTEMPT":"%s"}}' "$JURY_ATTEMPT" >${quoted(`${program}.notes`)}`,
    ...lines.flatMap(line => [
      `printf '%s\\n' ${quoted(typeof line === 'string' ? line : JSON.stringify(line))}`,
      ...(pauseMs === undefined ? [] : [`sleep ${pauseMs / 1000}`]),
    ]),
    `printf '%s' ${quoted(stderr)} >&2`,
    hangs ? rest : end,
  ].join('\n');
}

/** `isShell`: it is not asked how it was started. */
export async function createFakeClient(client: ClientName, isShell = false): Promise<FakeClient> {
  const folder = createFolder();
  const temporaryFolder = join(folder, 'attempts');
  await mkdir(temporaryFolder);
  const program = join(folder, client);
  if (isShell) await writeFile(program, '#!/bin/sh\n. "$0.sh"\n', { mode: 0o755 });
  else await copyFile(fileURLToPath(new URL('fake-client.mjs', import.meta.url)), program);
  // Node takes a program without an extension for CommonJS unless it is told.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const runner = (environment: AskOptions['environment'] = { [keyVariables[client]]: fakeKey }) =>
    createClientRunner(client, {
      environment: { PATH: process.env.PATH, ...environment },
      temporaryFolder,
      hashLoaded,
    });
  const seat = (changes: Partial<Seat> = {}) =>
    seatOf({
      runner: client,
      executable: program,
      isolation: { sandbox: true, network: false, read: [], write: [folder] },
      ...changes,
    });
  return {
    runner,
    seat,
    temporaryFolder,
    async play(given) {
      const scenario = { version: clients[client].verified[0], ...given };
      await rm(`${program}.notes`, { force: true });
      if (isShell) await writeFile(`${program}.sh`, shellOf(program, scenario));
      else await writeFile(`${program}.json`, JSON.stringify(scenario));
    },
    ask: (options = {}) =>
      runner(options.environment).ask(
        turnOf(seat(options.seat), options),
        options.signal ?? new AbortController().signal,
        options.onProgress,
      ),
    async notes() {
      const text = await readFile(`${program}.notes`, 'utf8').catch(() => null);
      return text === null ? null : (JSON.parse(text) as Notes);
    },
  };
}

/** What holds after every row: the attempt folder is gone, and so is everything that was started. */
export async function expectNothingLeft(fake: FakeClient): Promise<void> {
  expect(await readdir(fake.temporaryFolder)).toEqual([]);
  const notes = await fake.notes();
  const attempt = notes?.environment.JURY_ATTEMPT;
  if (attempt !== undefined) expect(await processesWith(attempt)).toEqual([]);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
