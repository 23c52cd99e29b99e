/** What one reviewer is shown of a change, and the list of what it is not shown. Nothing is cut inside a file without being counted. */
import picomatch from 'picomatch';
import { isToldByItsHeader, type Change, type ChangedFile } from '../change.ts';
import type { Seat } from '../config.ts';
import type { FileReading } from '../review.ts';

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
  /** Files that go into the prompt, in the order of the change. */
  readonly shown: readonly ChangedFile[];
  readonly readings: readonly FileReading[];
}

/**
 * Chooses the files that fit `seat.maxPromptBytes`, small ones first so that most of the change is seen by most
 * reviewers; `sizeOf` is the number of bytes a file takes in the prompt.
 */
export function selectFiles(change: Change, seat: Seat, sizeOf: (file: ChangedFile) => number): Selection {
  const inDomain = domainOf(seat.persona.files);
  const candidates = change.files.filter(file => inDomain(file.path) && describesWhole(file) !== 'nothing');
  const fitting = new Set(takeWhileFitting(candidates, sizeOf, seat.maxPromptBytes ?? defaultMaxPromptBytes));
  return {
    shown: candidates.filter(file => fitting.has(file)),
    readings: change.files.map(file => readingOf(file, { inDomain: inDomain(file.path), fits: fitting.has(file) })),
  };
}

/** A domain without globs is everything. */
function domainOf(globs: readonly string[]): (path: string) => boolean {
  return globs.length === 0 ? () => true : picomatch([...globs], { dot: true });
}

function takeWhileFitting(files: readonly ChangedFile[], sizeOf: (file: ChangedFile) => number, limit: number): ChangedFile[] {
  let used = 0;
  return files
    .map(file => ({ file, size: sizeOf(file) }))
    .toSorted((one, other) => one.size - other.size)
    .filter(({ size }) => {
      if (used + size > limit) return false;
      used += size;
      return true;
    })
    .map(({ file }) => file);
}

function readingOf(file: ChangedFile, { inDomain, fits }: { readonly inDomain: boolean; readonly fits: boolean }): FileReading {
  const { path } = file;
  if (!inDomain) return { path, extent: 'outside', why: 'not in the domain of the persona' };
  const described = describesWhole(file);
  if (described === 'nothing') return { path, extent: 'skipped', why: 'too large to show' };
  if (!fits) return { path, extent: 'skipped', why: 'does not fit the prompt' };
  return described === 'whole' ? { path, extent: 'full', why: null } : { path, extent: 'partial', why: 'binary: only its name, mode and size were shown' };
}

/** How much of a change to a file its text in the prompt tells. */
function describesWhole(file: ChangedFile): 'whole' | 'part' | 'nothing' {
  if (isToldByItsHeader(file)) return 'whole';
  if (file.content === 'binary') return 'part';
  return file.content === 'too-large' ? 'nothing' : 'whole';
}
