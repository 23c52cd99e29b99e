import { z } from 'zod';
import type { ToolAnswer, toolOffers } from '../tools/offers.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import { SkippedSeverities } from '../context/budget.ts';
import { Amount, Flag, NullableText, type ReadOnly, Text } from '../words/fields.ts';
import { StatedFinding } from '../words/finding.ts';
import { Isolation } from '../words/isolation.ts';
import { type Cause, Failure, FileReading, Usage, noUsage } from '../words/review.ts';

/** One question to one reviewer. */
export interface Turn {
  readonly seat: Seat;
  /** 1-based; the second one carries the code of the first rejection in its prompt. */
  readonly attempt: number;
  /** Who the reviewer is and how it must answer. Runners without a system prompt put it before `prompt`. */
  readonly instructions: string;
  /** What it is about. Untrusted text inside is delimited. */
  readonly prompt: string;
  /** The change itself, for reviewers that read structure instead of a prompt. Null when the subject is no change. */
  readonly change: Change | null;
  /** Text of one side of a file of the change; null when it is not text. Reads through the engine's own git directory. */
  readonly read: (file: ChangedFile, side: 'old' | 'new') => Promise<string | null>;
  /** Milliseconds; `total` bounds the whole call. */
  readonly deadlines: {
    readonly firstOutputMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
  };
  /**
   * Aborts when the reviewer has spent its tokens: the call ends like a cancelled one, but what it had written by then is
   * its answer, with `stop: 'cut'`. A runner that has no text to show for it fails with cause `budget`.
   */
  readonly enough?: AbortSignal;
  /** Absolute path of the file that the instructions tell the reviewer to write; absent where it writes none. */
  readonly outputFile?: string;
  /** Tools the reviewer may use, metered by its ledger. Null or absent: none at all. */
  readonly tools?: ReviewerTools | null;
  /** A JSON Schema that the text of the answer has the shape of, unless the model writes as `instructions` ask; absent: text. */
  readonly schema?: object;
}

/** Read-only tools of one reviewer in one review. What they tell of the repository is masked and bounded. */
export interface ReviewerTools {
  /** As a client is told of them. */
  list(): readonly ReturnType<typeof toolOffers>[number][];
  /** Never rejects: a wrong name, a wrong input, a spent budget and a fault are answers with `isError`. `input` is untrusted. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
  /** True when the tools tell nothing more: whoever can should keep the reviewer from calling them. */
  isSpent(): boolean;
  /** Calls made although the tools were spent. A runner ends a reviewer that goes on and on. */
  callsAfterEnd(): number;
}

/** Set by the engine: what the reviewer reported through its tools during the call, whatever became of the call. */
const Reports = z.object({
  findings: z.array(StatedFinding),
  /** Too mild for what was left of the budget: counted, not kept. */
  skipped: SkippedSeverities,
});
export type Reports = ReadOnly<z.infer<typeof Reports>>;

const Both = z.object({
  usage: Usage,
  /** The model that answered, as the provider names it; null when unknown. */
  model: NullableText,
  /** Everything the reviewer wrote on its outputs, for the raw file. */
  transcript: Text,
  /** What it ran at; absent where it is no program of the panel's. */
  isolation: Isolation.exactOptional(),
  reports: Reports.exactOptional(),
});

/** `stop` says how the answer ended: `end` by the model's own will, `cut` by a limit, `unknown` when the runner cannot tell. */
const Answered = Both.extend({
  status: z.literal('answered'),
  text: Text,
  stop: z.enum(['end', 'cut', 'unknown']),
  /** What each file got, when the reviewer is its own judge of that (static analysers); null: as the pack says. */
  coverage: z.array(FileReading).nullable(),
  /** Set by the engine: it was cut because the tokens of the reviewer were spent. */
  isSpent: z.literal(true).exactOptional(),
});
export type Answered = ReadOnly<z.infer<typeof Answered>>;

const NotAnswered = Both.extend({
  status: z.literal('failed'),
  failure: Failure,
  /** What it had written of its answer by then; absent: nothing. */
  text: Text.exactOptional(),
  /** Milliseconds the provider asked to wait before another attempt; null when it did not say. */
  retryAfterMs: Amount.nullable(),
  /** Asked again at once it fails alike. */
  isLasting: z.literal(true).exactOptional(),
});
export type NotAnswered = ReadOnly<z.infer<typeof NotAnswered>>;

/** As the journal keeps it: read back, it is of this shape or is none, and is asked for again. */
export const Answer = z.discriminatedUnion('status', [Answered, NotAnswered]);
export type Answer = Answered | NotAnswered;

/** What may be shown while a reviewer works. Counts only grow. */
export interface Progress {
  /**
   * Of all requests of the call so far, and of those that tools have made sure to come: as counted by the provider, estimated
   * where it does not count while it works.
   */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly bytes?: number;
}

/**
 * Asks one reviewer one question. Never rejects over the network, the process or the answer: those are answers with a
 * failure, and a rejection is a fault in Jury. One call, one attempt: retrying is the engine's business. Settles within
 * `graceMs` (3 s) of `signal` aborting and leaves no process behind. `text` is untrusted.
 */
export interface Runner {
  readonly name: string;
  /** How often the engine repeats a call that failed in transport; clients that retry by themselves leave it out (0). */
  readonly transportRetries?: number;
  /** Hands the schema of a turn on. Absent: it is given none. */
  readonly takesSchema?: true;
  ask(turn: Turn, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<Answer>;
  /**
   * Everything outside the turn that decides the answer (program and its hash, flags, recorded files), for the journal
   * key. Two calls with equal turns and equal fingerprints may share one answer; null: never share.
   */
  fingerprint(seat: Seat): Promise<string | null>;
}

/** The process Jury runs in, and the others of the machine. */
export interface Processes {
  readonly pid: number;
  /** User id that Jury runs as; null where there are none. */
  readonly user: number | null;
  /** This process, so that another one can prove it gone. */
  identify(): Promise<ProcessIdentity>;
  /** True only when proven: another boot, no such pid, or a pid that now belongs to a younger process. Doubt means alive. */
  isGone(identity: ProcessIdentity): Promise<boolean>;
  /** Only asked of pids of our own machine and namespace. */
  isAlive(pid: number): boolean;
  /**
   * Runs a program to its end and owns the whole tree it starts: when it settles, nothing of it is left. Settles within some seconds of
   * a deadline or of `signal`; rejects only with what `onOutput` threw. Default: on this machine.
   */
  run?(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
}

/**
 * One program, never a shell. Its environment is the whole of it; `JURY_ATTEMPT` there, unique to the attempt, marks everything it
 * starts, and one is made up when it is missing.
 */
export interface ProcessRequest {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Standard output goes to this new file, which is read while it grows. */
  readonly stdoutFile?: string;
  /** What encloses the program; it ends as the program ends, with 128 and its number for a signal. */
  readonly within?: Enclosure | undefined;
  /** Written to standard input, which is then closed. */
  readonly input: string;
  readonly deadlines: Turn['deadlines'];
  /** Ends the tree like an abort does, for another reason: `enough`. What it wrote until then is an answer. */
  readonly enough?: AbortSignal;
  /** Bytes. Beyond `stdoutBytes` (4 MiB) or `stderrBytes` (1 MiB) the tree is killed: `flood`. */
  readonly limits?: { readonly stdoutBytes?: number; readonly stderrBytes?: number };
  /** Standard output as it comes, as text; `stop` ends the tree for a reason of the caller's own: `capped`. */
  readonly onOutput?: (chunk: string, stop: () => void) => void;
}

export interface Enclosure {
  /** To put before the program. */
  readonly words: readonly string[];
  /** True when it does not end by itself before everything that was started in it has ended. */
  readonly outlastsAll: boolean;
}

export interface ProcessResult {
  /** Null when a signal ended it, or when it had to be left behind. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** After a flood only its first 64 KiB. */
  readonly stdout: string;
  /** False when `stdout` holds replacement characters for bytes that are not UTF-8. */
  readonly stdoutIsUtf8: boolean;
  /** The last 64 KiB. */
  readonly stderr: string;
  /** Why Jury ended it. Not null means failed, whatever the exit code: some clients exit 0 on SIGTERM. */
  readonly stopped:
    'first-output' | 'idle' | 'deadline' | 'flood' | 'cancelled' | 'capped' | 'enough' | null;
  /** Set when nothing was started: code `ENOENT` (no program, or no `cwd`), `EACCES`, `E2BIG`, … */
  readonly spawnError: { readonly code: string; readonly message: string } | null;
  readonly durationMs: number;
  /** False when the program closed its standard input before it had taken the whole prompt. */
  readonly inputDelivered: boolean;
}

/** Says which process holds something: pids are reused, machines restart, folders are shared. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Id of the current boot of the machine; null where the system does not tell. */
  readonly boot: string | null;
  /** Namespace the pid belongs to: containers on one machine count their processes apart. Null where there is none. */
  readonly namespace: string | null;
  /** Start of the process in clock ticks since boot; null where the system does not tell. */
  readonly started: string | null;
}

/** Time, so that a run can be simulated and replayed. A program may bring its own. */
export interface Clock {
  /** Wall clock, for what people read. */
  now(): Date;
  /** Milliseconds that never go backwards. */
  monotonicMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when a deadline of so many milliseconds has passed, rejects when `signal` aborts before. Apart from `sleep`, which a clock
   * may cut short: nobody could answer in no time. Absent: by the time of this machine.
   */
  deadline?(ms: number, signal: AbortSignal): Promise<void>;
}

/** Names that no two runs share. A program may bring its own, so that a run can be replayed. */
export interface Ids {
  /** `YYYYMMDDTHHMMSSZ-` and six hex digits. */
  run(now: Date): string;
  /** 128 random bits in hex. */
  nonce(): string;
}

/**
 * Where the state of Jury lies. Paths are absolute, in the manner of the machine. What has not been synced may be lost, in whole or in
 * its later part, when the power goes: bytes until `OpenFile.sync`, names until `syncFolder` of their folder. Every method
 * rejects with an `Error` whose `code` is that of POSIX (`ENOENT`, `EEXIST`, `ENOSPC`, …); a failed sync has `syscall: 'fsync'`.
 */
export interface Disk {
  /**
   * `read`: never follows a link in the last name and never waits for a pipe (`ELOOP`). `append`: makes the file where there is none.
   * `create`: `EEXIST` when the name is taken. `mode` of a new file; default 0600.
   */
  open(path: string, access: 'read' | 'append' | 'create', mode?: number): Promise<OpenFile>;
  /** Of the name itself, whatever a link points to; null when there is none. */
  status(path: string): Promise<FileStatus | null>;
  /** Names in a folder, in no order. */
  list(folder: string): Promise<readonly DiskEntry[]>;
  /** One folder, private to the user (0700). `EEXIST` when the name is taken, `ENOENT` when its parent is missing. */
  makeFolder(path: string): Promise<void>;
  /** Replaces a file of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file. `EEXIST` when it is taken. */
  link(from: string, to: string): Promise<void>;
  /** A file or a folder with everything in it. Nothing when there is none. */
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable, as far as the machine can. */
  syncFolder(folder: string): Promise<void>;
  /** Where a library that opens files by itself (SQLite) finds this one; null: nowhere, it keeps what it has in memory. */
  localPath(path: string): string | null;
}

/** An open file. Writes go to its end. */
export interface OpenFile {
  status(): Promise<FileStatus>;
  /** Everything in it. */
  read(): Promise<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** Resolves when the bytes are durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type DiskEntryKind = 'file' | 'folder' | 'link' | 'other';

export interface DiskEntry {
  readonly name: string;
  readonly kind: DiskEntryKind;
}

export interface FileStatus {
  readonly kind: DiskEntryKind;
  /** The same for every name of a file; another one for a file that replaces it. */
  readonly id: number;
  /** Bytes. */
  readonly size: number;
  /** Permission bits: `0o600`. */
  readonly mode: number;
  /** User id of the owner; null where there are none. */
  readonly owner: number | null;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly bornMs: number;
}

// The two kinds of answer, with what is usually absent filled in, and what else is left of asking.

/** What one question to a member of a vote left, as the journal keeps it: read back, it is of this shape or the question is asked again. */
export const Called = z.object({
  /** Null: no answer. */
  text: NullableText,
  /** Why there is none, in one sentence; null when there is one. */
  error: NullableText,
  /** Nothing would change if it were asked again. */
  isFinal: Flag,
  endpoint: NullableText,
  /** As the endpoint calls it; null where it does not say, and where there is no answer. */
  model: NullableText.default(null),
  /** Fingerprint of the question: under its name another may be asked later. Empty: not recorded. */
  asked: Text.default(''),
  /** With every call of this try in it. */
  usage: Usage,
  /** ISO 8601, UTC. */
  at: Text,
  durationMs: Amount,
});
export type Called = z.infer<typeof Called>;

/** Of the question with this fingerprint only. */
export function calledAbout(fingerprint: string): z.ZodType<Called> {
  return Called.refine(({ asked }) => asked === '' || asked === fingerprint);
}

export type FailureDetails = Partial<
  Omit<NotAnswered, 'status' | 'failure'> & Pick<Failure, 'exitCode' | 'httpStatus'>
>;

export function failedAnswer(
  cause: Cause,
  message: string,
  details: FailureDetails = {},
): NotAnswered {
  const {
    exitCode = null,
    httpStatus = null,
    retryAfterMs = null,
    usage = noUsage,
    model = null,
    transcript = '',
    text = '',
    isLasting,
  } = details;
  return {
    status: 'failed',
    failure: { cause, message, exitCode, httpStatus },
    retryAfterMs,
    usage,
    model,
    transcript,
    ...(text.trim() !== '' && { text }),
    ...(isLasting && { isLasting }),
  };
}

export type AnsweredDetails = Partial<Omit<Answered, 'status' | 'text'>>;

/** `stop` is `unknown` and the transcript the text itself, unless told otherwise. */
export function answered(text: string, details: AnsweredDetails = {}): Answered {
  return {
    status: 'answered',
    text,
    stop: 'unknown',
    usage: noUsage,
    model: null,
    coverage: null,
    transcript: text,
    ...details,
  };
}

/** What an agent of somebody else's left in a folder. Nothing in it is renamed or removed. */
export interface LeftFile {
  /** In the folder, as it stands. */
  readonly name: string;
  /** May be asked for by this name. */
  readonly agent: string;
  /** Null when it cannot be read: then `why` says so. */
  readonly bytes: Uint8Array | null;
  readonly why: string | null;
  /** Still in progress: what it does not say, the agent may not have got to. */
  readonly isPartial: boolean;
}
