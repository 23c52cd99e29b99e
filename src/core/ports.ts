/**
 * How the engine sees the world. Each port has one contract suite in `test/contracts/` that every implementation
 * passes, the shipped `replay` and the caller's own functions included. A program brings its own `Runner`, `Matcher`, `Clock`, `Ids`,
 * `Disk` and `Processes`.
 */
import type { z } from 'zod';
import type { Change, ChangedFile } from './words/change.ts';
import type { Seat } from './words/config.ts';
import type {
  Binding,
  Definition,
  Import,
  IndexedFile,
  IndexStatistics,
  Meaning,
  NamedLine,
  PreciseSource,
  Reference,
  Refreshed,
  RelatedTest,
  SearchHit,
  SkippedFile,
} from './words/code-index.ts';
import type { Isolation } from './words/isolation.ts';
import type { SkippedSeverities } from './context/progressive-mode.ts';
import type { Finding, StatedFinding } from './words/finding.ts';
import type { ReviewerReliability } from './memory/reliability.ts';
import type {
  AnswersToRemember,
  Recalibration,
  RememberedRun,
  RunToRemember,
} from './memory/known-claim.ts';
import type { Failure, Usage } from './words/review.ts';
import type { ToolAnswer, ToolOffer } from './tools/offers.ts';

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
}

/** Read-only tools of one reviewer in one review. What they tell of the repository is masked and bounded. */
export interface ReviewerTools {
  list(): readonly ToolOffer[];
  /** Never rejects: a wrong name, a wrong input, a spent budget and a fault are answers with `isError`. `input` is untrusted. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
  /** True when the tools tell nothing more: whoever can should keep the reviewer from calling them. */
  isSpent(): boolean;
  /** Calls made although the tools were spent. A runner ends a reviewer that goes on and on. */
  callsAfterEnd(): number;
}

/** `stop` says how the answer ended: `end` by the model's own will, `cut` by a limit, `unknown` when the runner cannot tell. */
export interface Answered {
  readonly status: 'answered';
  readonly text: string;
  readonly stop: 'end' | 'cut' | 'unknown';
  readonly usage: Usage;
  /** The model that answered, as the provider names it; null when unknown. */
  readonly model: string | null;
  /** What each file got, when the reviewer is its own judge of that (static analysers); null: as the pack says. */
  readonly coverage:
    | readonly {
        readonly path: string;
        readonly extent: 'full' | 'partial' | 'skipped' | 'outside';
        readonly why: string | null;
      }[]
    | null;
  /** Everything the reviewer wrote on its outputs, for the raw file. */
  readonly transcript: string;
  /** What it ran at; absent where it is no program of the panel's. */
  readonly isolation?: Isolation;
  /** Set by the engine: it was cut because the tokens of the reviewer were spent. */
  readonly isSpent?: true;
  readonly reports?: Reports;
}

/** Set by the engine: what the reviewer reported through its tools during the call, whatever became of the call. */
export interface Reports {
  readonly findings: readonly StatedFinding[];
  /** Too mild for what was left of the budget: counted, not kept. */
  readonly skipped: SkippedSeverities;
}

export interface NotAnswered {
  readonly status: 'failed';
  readonly failure: Failure;
  /** Milliseconds the provider asked to wait before another attempt; null when it did not say. */
  readonly retryAfterMs: number | null;
  readonly usage: Usage;
  readonly model: string | null;
  readonly transcript: string;
  readonly isolation?: Isolation;
  readonly reports?: Reports;
}

export type Answer = Answered | NotAnswered;

/** What may be shown while a reviewer works. Counts only grow. */
export interface Progress {
  /** Of all requests of the call so far, and of those that tools have made sure to come: as counted by the provider, estimated where it does not count while it works. */
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
  ask(turn: Turn, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<Answer>;
  /**
   * Everything outside the turn that decides the answer (program and its hash, flags, recorded files), for the journal
   * key. Two calls with equal turns and equal fingerprints may share one answer; null: never share.
   */
  fingerprint(seat: Seat): Promise<string | null>;
}

/** What to read of a repository. Exactly one way of naming it. */
export type ChangeRequest =
  | ({
      readonly source: 'range';
      readonly base: string;
      readonly head: string;
      readonly title: string;
    } & Limited)
  /** `A..B`, `A...B`, one commit (against its first parent), or a branch. */
  | ({ readonly source: 'revision'; readonly revision: string } & Limited)
  | ({ readonly source: 'staged' } & Limited)
  | ({ readonly source: 'worktree'; readonly untracked: boolean } & Limited)
  | ({ readonly source: 'patch'; readonly text: string; readonly title: string } & Limited)
  | { readonly source: 'files'; readonly patterns: readonly string[] };

interface Limited {
  /** Files, folders and patterns as git understands them, from where the caller stands; absent: the whole change. */
  readonly paths?: readonly string[];
}

/**
 * Read-only view of a change and its trees through a git directory the engine owns. Runs no code of the repository,
 * writes nothing into it. Throws `UserError` for what the person can put right: no repository, unknown revision
 * (with suggestions), nothing to review.
 */
export interface Repository {
  /** Top folder of the working tree; null for a bare repository or outside git. */
  readonly root: string | null;
  change(request: ChangeRequest): Promise<Change>;
  /** Text of one side of a changed file; null when it is binary, a submodule, missing or too large. */
  read(file: ChangedFile, side: 'old' | 'new'): Promise<string | null>;
  /** Text of a path at the base of the change; null when it is not there. For configuration that must not come from the change. */
  readAt(revision: string, path: string): Promise<string | null>;
  /** Current branch; eight digits of the commit when none is checked out; `unknown` outside git. */
  branch?(): Promise<string>;
  close(): Promise<void>;
}

/** Runs a step once and remembers its result across crashes. Results are JSON. */
export interface Steps {
  /**
   * Returns the remembered result of `key`, or runs `work`, remembers what it returns and returns that. What is remembered and not of
   * `schema` counts as not remembered, and is replaced.
   */
  step<Result>(
    key: string,
    work: () => Promise<Result>,
    schema?: z.ZodType<NoInfer<Result>>,
  ): Promise<Result>;
  /** The remembered result, or undefined: for its owner to check against a schema. */
  recall(key: string): unknown;
  close(): void;
}

/** The run folder. Every write is atomic: a temporary name, then a rename. Paths are relative, with slashes. */
export interface RunStore {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Absolute folder of copies that people are pointed to; null: there are none. */
  readonly copies: string | null;
  write(path: string, text: string): Promise<void>;
  append(path: string, line: string): Promise<void>;
  read(path: string): Promise<string | null>;
  list(folder: string): Promise<readonly string[]>;
}

/** Finds credentials in text. Offsets are UTF-16, half open, sorted and disjoint. */
export interface SecretScanner {
  scan(text: string, path: string): Promise<readonly SecretSpan[]>;
}

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** Short kind: `aws`, `github`, `private-key`. */
  readonly kind: string;
  readonly message: string;
}

/** Judges whether two findings say the same thing. `prepare` once, then `compare`: symmetric and deterministic. */
export interface Matcher {
  readonly name: string;
  readonly version: string;
  readonly threshold: number | null;
  prepare(findings: readonly Finding[]): Promise<void>;
  compare(one: Finding, other: Finding): Comparison;
}

export interface Comparison {
  readonly same: boolean;
  /** 0 to 100. */
  readonly score: number;
  readonly contradicts?: boolean;
  readonly reason: string;
}

/** What earlier runs on the same repository left, and what people decided about their claims. */
export interface Memory {
  /** Names the claims of a run as they are known, gives their states and remembers the run: all or nothing, and for the same run again the same. */
  remember(run: RunToRemember): Promise<RememberedRun>;
  reliability(): Promise<readonly ReviewerReliability[]>;
  /** Null while too little is decided. */
  recalibration(): Promise<Recalibration | null>;
  /** Keeps what was answered about claims of a remembered run, for the record of those who answered; for the same run again the same. */
  noteAnswers(answers: AnswersToRemember): Promise<void>;
}

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

/** Counts tokens on this machine. Linear in the text, whatever it holds. */
export interface TokenCounter {
  /** Encoding, for the record: `o200k_base`, or `bytes/4` when no encoding could be loaded. */
  readonly name: string;
  readonly version: string;
  /** True when the figure is ⌈bytes ÷ 4⌉. */
  readonly estimated: boolean;
  count(text: string): number;
}

/** All files of one state of a repository. Paths are relative to its top, with slashes. */
export interface Tree {
  /** Git's name for exactly this list of paths and contents. */
  readonly id: string;
  /** Current branch; eight digits of the commit when no branch is checked out; `unknown` when there is no commit either. */
  readonly branch: string;
  readonly files: readonly TreeFile[];
}

export interface TreeFile {
  readonly path: string;
  /** As git writes it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
  /** Name of the content. */
  readonly id: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
}

/**
 * What stands where in one tree of a repository. Contents are kept by their hashes and shared between trees: what did not
 * change is not read again. Nothing of the repository is executed.
 */
export interface CodeIndex {
  /**
   * Makes `tree` the one that is asked. `read` gives a content, or null when it cannot be had. What was finished before an
   * interruption is kept.
   */
  refresh(
    tree: Tree,
    read: (id: string) => Promise<Uint8Array | null>,
    signal?: AbortSignal,
  ): Promise<Refreshed>;
  statistics(): IndexStatistics;
  files(): readonly IndexedFile[];
  skipped(): readonly SkippedFile[];
  /** Where a name is defined, by path and line. */
  definitionsOf(name: string): readonly Definition[];
  /** Everything a file defines, outer before inner. */
  definitionsIn(path: string): readonly Definition[];
  /** The definitions around a line (1-based), outermost first. */
  enclosing(path: string, line: number): readonly Definition[];
  /** Where a name is used, its definitions left out; calls come first, then by path and line. */
  referencesTo(name: string): readonly Reference[];
  /** The names a file uses, by line, its own definitions left out. */
  usesIn(path: string): readonly Reference[];
  /** What a file declares inside of its functions; null where no grammar tells it. */
  bindingsIn(path: string): readonly Binding[] | null;
  importsOf(path: string): readonly Import[];
  /** Files that an import would lead to if this file had it. */
  leadsTo(path: string, specifier: string): readonly string[];
  /** The imports of other files that lead to this one. */
  importersOf(path: string): readonly Import[];
  /** Test cases that use a name; those that call it come first. */
  testsOf(name: string): readonly RelatedTest[];
  /** Best first. Words are found in any of the ways identifiers are written. */
  search(query: string, limit: number): readonly SearchHit[];
  close(): void;
}

/**
 * What a compiler found out about the names of a project. It may be older than the revision that is asked about, wrong, or written to
 * mislead: an answer is given only where the names stand at both places in the files of that revision. Paths are relative to the top
 * of the repository and lead nowhere else. Never rejects over what it was made from.
 */
export interface PreciseSymbols {
  /** Of the name on that line, in the order of its columns. Empty: nothing can be said. */
  meaningsOf(use: NamedLine): Promise<readonly Meaning[]>;
  /** Lines that use what is defined there, by path and line; null: nothing can be said. Files it does not know may use it too. */
  usesOf(definition: NamedLine): Promise<readonly NamedLine[] | null>;
  /** False for a file of which it tells nothing. */
  knows(path: string): Promise<boolean>;
  describe(): Promise<PreciseSource>;
}
