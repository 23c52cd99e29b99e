/**
 * What one reviewer is shown of a change, in which order and in which question, and the list of what it is not shown.
 * Nothing is cut inside a file without being counted.
 */
import picomatch from 'picomatch';
import { z } from 'zod';
import { kindsOf, type ScopeFile } from '../languages/path-kinds.ts';
import { type Change, type ChangedFile, isToldByItsHeader } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import type { FileReading } from '../words/review.ts';
import { ProgressiveMode } from './progressive-mode.ts';

export interface Pack {
  readonly reviewer: string;
  readonly instructions: string;
  readonly prompt: string;
  /** One entry for every file of the subject, in its order. */
  readonly readings: readonly FileReading[];
}

/** What a runner takes when the reviewer sets no limit: well below the smallest limit of the clients' standard input. */
export const defaultMaxPromptBytes = 900_000;

export interface Selection {
  /** Files to be read, in the order of the change; whether one prompt holds them all is another question. */
  readonly readable: readonly ChangedFile[];
  /** What is read of every file, provided that it is shown. */
  readonly readings: readonly FileReading[];
}

/** What of a change a persona is to read. `refusalFor`: why a file may not be shown to it; null where it may. */
export function selectFiles(
  change: Change,
  persona: Pick<Seat['persona'], 'files'>,
  refusalFor: (file: ChangedFile) => string | null = () => null,
): Selection {
  const inDomain = domainOf(persona.files);
  return {
    readable: change.files.filter(
      file =>
        inDomain(file.path) && describesWhole(file) !== 'nothing' && refusalFor(file) === null,
    ),
    readings: change.files.map(file => {
      const reading = readingOf(file, inDomain(file.path));
      const why = reading.extent === 'outside' ? null : refusalFor(file);
      return why === null ? reading : { path: file.path, extent: 'skipped', why };
    }),
  };
}

/** A domain without globs is everything. */
function domainOf(globs: readonly string[]): (path: string) => boolean {
  return globs.length === 0 ? () => true : picomatch([...globs], { dot: true });
}

function readingOf(file: ChangedFile, isInDomain: boolean): FileReading {
  const { path } = file;
  if (!isInDomain) return { path, extent: 'outside', why: 'not in the domain of the persona' };
  const described = describesWhole(file);
  if (described === 'nothing') return { path, extent: 'skipped', why: tooLarge };
  return described === 'whole'
    ? { path, extent: 'full', why: null }
    : { path, extent: 'partial', why: onlyNamed };
}

/** How much of a change to a file its text in the prompt tells. */
function describesWhole(file: ChangedFile): 'whole' | 'part' | 'nothing' {
  if (isToldByItsHeader(file)) return 'whole';
  if (file.content === 'binary') return 'part';
  return file.content === 'too-large' ? 'nothing' : 'whole';
}

// The order in which files are read and dealt to reviewers when tokens may run out: what matters most comes first.

interface RankedFile extends ScopeFile {
  readonly sensitive: boolean;
}

const utilityPath =
  /(?:^|\/)(?:utils?|helpers?|common|shared|support|misc)(?:\/|[^/]*$)|(?:^|\/)[^/]*[-_.](?:utils?|helpers?)\.[^/]*$/i;

/** Security-sensitive, entry points, business logic, utilities, tests; ties by path. */
export function orderFiles<File extends RankedFile>(files: readonly File[]): File[] {
  return files
    .map(file => ({ file, rank: rankOf(file) }))
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        (one.file.path < other.file.path ? -1 : Number(one.file.path > other.file.path)),
    )
    .map(({ file }) => file);
}

function rankOf(file: RankedFile): number {
  if (file.sensitive) return 0;
  const kinds = kindsOf(file);
  if (kinds.has('test')) return 4;
  if (kinds.has('entry-point')) return 1;
  return utilityPath.test(file.path) ? 3 : 2;
}

/**
 * Who reads which file first when tokens do not suffice for everybody to read everything: the files are dealt, so that
 * the panel together covers as much as its budgets allow. Every file is dealt to somebody before any is dealt twice.
 */
export interface DealtFile {
  readonly path: string;
  readonly tokens: number;
  readonly isSensitive: boolean;
  /** Reviewers that have read it, or read it in any case. */
  readonly readings: number;
}

export interface Dealer {
  readonly id: string;
  /** Tokens for files. */
  readonly budget: number;
  readonly isSecurity: boolean;
  /** What it may be asked about. */
  readonly files: ReadonlySet<string>;
}

/**
 * For each reader its files, in the order in which it reads them: those that nobody else reads, then second readings,
 * and so on, each in the order of `files`. A file goes to the reader with most left; a sensitive one to a security
 * reviewer while it has room. Of equals the first.
 */
export function dealFiles(
  files: readonly DealtFile[],
  readers: readonly Dealer[],
): ReadonlyMap<string, readonly string[]> {
  const hands = readers.map(reader => ({
    ...reader,
    left: reader.budget,
    paths: [] as string[],
    held: new Set<string>(),
  }));
  const readings = new Map(files.map(({ path, readings: count }) => [path, count]));
  const most = Math.max(0, ...readings.values()) + readers.length;
  for (let round = 0; round < most; round++) {
    for (const file of files) {
      if (readings.get(file.path) !== round) continue;
      const able = hands.filter(
        ({ files: own, held }) => own.has(file.path) && !held.has(file.path),
      );
      const hand =
        richest(
          able.filter(
            ({ isSecurity, left }) => file.isSensitive && isSecurity && left >= file.tokens,
          ),
        ) ?? richest(able);
      if (hand === undefined) continue;
      hand.left -= file.tokens;
      hand.paths.push(file.path);
      hand.held.add(file.path);
      readings.set(file.path, round + 1);
    }
  }
  return new Map(hands.map(({ id, paths }) => [id, paths]));
}

function richest<Hand extends { readonly left: number }>(hands: readonly Hand[]): Hand | undefined {
  return hands.reduce<Hand | undefined>(
    (best, hand) => (best === undefined || hand.left > best.left ? hand : best),
    undefined,
  );
}

// Which files of a change go into the next question of a reviewer that cannot be asked about all of them at once.

/** One question of a review, as a journal keeps it. */
export const StepChoice = z.object({
  files: z.array(
    z.object({ path: z.string(), /** Shown as its changed lines alone. */ isReduced: z.boolean() }),
  ),
  mode: ProgressiveMode,
  /** Of instructions and prompt; 0 where nobody counts. */
  tokens: z.int(),
  /** Files that fit in no way. */
  skipped: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type StepChoice = z.infer<typeof StepChoice>;

export interface StepCandidate {
  readonly path: string;
  readonly tokens: number;
  readonly bytes: number;
  /** The changed lines alone; null when that is the same text. */
  readonly reduced: { readonly tokens: number; readonly bytes: number } | null;
}

interface StepRoom {
  /** Tokens that this step may take for its files. */
  readonly tokens: number;
  /** Tokens that are left for files at all: one file may take them alone. At least `tokens`. */
  readonly left: number;
  /** Bytes of files that one prompt takes. */
  readonly bytes: number;
}

export type StepFile = StepChoice['files'][number];

interface NextStep {
  /** Empty when nothing that is pending fits. */
  readonly files: readonly StepFile[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly pending: readonly StepCandidate[];
}

/** Takes files in their order until the next one does not fit; one that never will is skipped, and said so. */
export function takeStep(candidates: readonly StepCandidate[], room: StepRoom): NextStep {
  const files: StepFile[] = [];
  const skipped: { path: string; why: string }[] = [];
  let [tokens, bytes, next] = [0, 0, 0];
  for (; next < candidates.length; next++) {
    const candidate = candidates[next];
    if (candidate === undefined) break;
    if (tokens + candidate.tokens <= room.tokens && bytes + candidate.bytes <= room.bytes) {
      files.push({ path: candidate.path, isReduced: false });
      tokens += candidate.tokens;
      bytes += candidate.bytes;
      continue;
    }
    if (files.length > 0) break;
    const alone = takeAlone(candidate, room);
    if (alone !== null) return { files: [alone], skipped, pending: candidates.slice(next + 1) };
    skipped.push({
      path: candidate.path,
      why: smallestBytes(candidate) > room.bytes ? outOfPrompt : outOfBudget,
    });
  }
  return { files, skipped, pending: candidates.slice(next) };
}

export const outOfBudget = 'does not fit what is left of the budget';
const outOfPrompt = 'does not fit the prompt';
const tooLarge = 'too large to show';
const onlyNamed = 'binary: only its name, mode and size were shown';

/** Reasons for which a file is unread in every round. */
export const neverShown: ReadonlySet<string> = new Set([outOfPrompt, tooLarge, onlyNamed]);

/** Whole if that fits, else its changed lines. */
function takeAlone(
  { path, tokens, bytes, reduced }: StepCandidate,
  room: StepRoom,
): StepFile | null {
  if (tokens <= room.left && bytes <= room.bytes) return { path, isReduced: false };
  return reduced !== null && reduced.tokens <= room.left && reduced.bytes <= room.bytes
    ? { path, isReduced: true }
    : null;
}

function smallestBytes({ bytes, reduced }: StepCandidate): number {
  return Math.min(bytes, reduced?.bytes ?? bytes);
}
