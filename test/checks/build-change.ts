/** Builds a change from the texts of its files, the way git would show it, and a turn that asks about it. */
import { structuredPatch } from 'diff';
import type { Change, ChangedFile } from '../../src/core/words/change.ts';
import type { ReviewerConfig, Seat } from '../../src/core/words/config.ts';
import type { Turn } from '../../src/core/ports/runner.ts';
import { sampleChange, samplePersona } from '../core/sample.ts';

type AnalyserName = NonNullable<ReviewerConfig['analyser']>;

export interface Sides {
  /** Null: the file is new. */
  readonly old?: string | null;
  /** Null: the file is deleted. */
  readonly new?: string | null;
  readonly content?: ChangedFile['content'];
}

/** A string is the text of a new file. */
export type Files = Readonly<Record<string, string | Sides>>;

export function buildChange(files: Files, source: Change['source'] = 'range'): Change {
  return sampleChange({
    source,
    base: null,
    head: null,
    title: 'test',
    files: Object.entries(files).map(([path, sides]) => buildFile(path, sidesOf(sides))),
  });
}

function sidesOf(value: string | Sides): Required<Sides> {
  return typeof value === 'string'
    ? { old: null, new: value, content: 'text' }
    : { old: null, new: null, content: 'text', ...value };
}

function buildFile(path: string, { old, new: after, content }: Required<Sides>): ChangedFile {
  const isText = content === 'text';
  const hunks = isText
    ? structuredPatch(path, path, old ?? '', after ?? '', '', '', { context: 3 }).hunks.map(
        ({ oldStart, oldLines, newStart, newLines, lines }) => ({
          oldStart,
          oldLines,
          newStart,
          newLines,
          lines,
          heading: '',
        }),
      )
    : [];
  const count = (mark: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter(line => line.startsWith(mark)).length, 0);
  return {
    path,
    oldPath: null,
    content,
    hunks,
    status: old === null ? 'added' : after === null ? 'deleted' : 'modified',
    oldMode: old === null ? '000000' : '100644',
    newMode: after === null ? '000000' : '100644',
    oldId: '0'.repeat(40),
    newId: '0'.repeat(40),
    additions: count('+'),
    deletions: count('-'),
  };
}

export interface Question {
  readonly analyser: AnalyserName;
  readonly files: Files;
  readonly source?: Change['source'];
  readonly totalMs?: number;
  /** False: no side of any file can be read, as with a patch from elsewhere. */
  readonly readable?: boolean;
}

export function buildTurn({
  analyser,
  files,
  source = 'range',
  totalMs = 60_000,
  readable = true,
}: Question): Turn {
  const read: Turn['read'] = async (file, side) => {
    const sides = files[file.path];
    if (!readable || sides === undefined) return null;
    return (side === 'new' ? sidesOf(sides).new : sidesOf(sides).old) ?? null;
  };
  return {
    seat: seatOf(analyser),
    attempt: 1,
    instructions: '',
    prompt: '',
    change: buildChange(files, source),
    read,
    deadlines: { firstOutputMs: totalMs, idleMs: totalMs, totalMs },
  };
}

function seatOf(analyser: AnalyserName): Seat {
  return {
    id: analyser,
    runner: 'builtin',
    analyser,
    environment: [],
    timeout: 60,
    required: false,
    home: '/',
    persona: samplePersona(),
  };
}
