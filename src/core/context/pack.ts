/** What one reviewer is shown of a change, and the list of what it is not shown. Nothing is cut inside a file without being counted. */
import picomatch from 'picomatch';
import { isToldByItsHeader, type Change, type ChangedFile } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import type { FileReading } from '../words/review.ts';

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

/** What of a change a persona is to read. */
export function selectFiles(change: Change, persona: Pick<Seat['persona'], 'files'>): Selection {
  const inDomain = domainOf(persona.files);
  return {
    readable: change.files.filter(
      file => inDomain(file.path) && describesWhole(file) !== 'nothing',
    ),
    readings: change.files.map(file => readingOf(file, inDomain(file.path))),
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
  if (described === 'nothing') return { path, extent: 'skipped', why: 'too large to show' };
  return described === 'whole'
    ? { path, extent: 'full', why: null }
    : { path, extent: 'partial', why: 'binary: only its name, mode and size were shown' };
}

/** How much of a change to a file its text in the prompt tells. */
function describesWhole(file: ChangedFile): 'whole' | 'part' | 'nothing' {
  if (isToldByItsHeader(file)) return 'whole';
  if (file.content === 'binary') return 'part';
  return file.content === 'too-large' ? 'nothing' : 'whole';
}
