/** What a rung offers for the pack, before it is known what fits. */
import type { LineRange } from './line-range.ts';
import type { AnchorKind } from './local-pack.ts';

export interface Candidate {
  readonly kind: AnchorKind;
  /** Null for a pointer. */
  readonly path: string | null;
  readonly range: LineRange | null;
  /** Null for lines of a file. */
  readonly ref: string | null;
  readonly rev: string | null;
  readonly name: string | null;
  /** 0 changed hunk · 1 same function or class · 2 definition, call-site or test of a changed symbol · 3 same module · 4 other code · 5 kb · 6 decision, artifact. */
  readonly distance: number;
  /** How many things the stop rule asks for stand there. */
  readonly needed: number;
  /** For a changed hunk: the lines it may shrink to. */
  readonly core: readonly LineRange[];
  /** What stands there, in a few words, where the code alone does not tell it. */
  readonly summary: string | null;
  /** For a pointer that is delivered with its text. */
  readonly excerpt: string | null;
}

/** Candidates that are laid out: no two overlap, none is longer than an excerpt may be. */
export type Placed = Candidate;

export function lineCandidate(
  path: string,
  range: LineRange,
  distance: number,
  rest: Partial<Pick<Candidate, 'kind' | 'name' | 'needed' | 'core' | 'summary'>> = {},
): Candidate {
  return {
    kind: 'code',
    path,
    range,
    ref: null,
    rev: null,
    name: null,
    distance,
    needed: 0,
    core: [],
    summary: null,
    excerpt: null,
    ...rest,
  };
}

export function pointer(
  kind: AnchorKind,
  ref: string,
  distance: number,
  rest: Partial<Pick<Candidate, 'name' | 'summary' | 'rev' | 'excerpt'>> = {},
): Candidate {
  return {
    kind,
    path: null,
    range: null,
    ref,
    rev: null,
    name: null,
    distance,
    needed: 0,
    core: [],
    summary: null,
    excerpt: null,
    ...rest,
  };
}

/** Tells candidates apart and names them in messages. */
export function nameOf({ path, range, ref }: Pick<Candidate, 'path' | 'range' | 'ref'>): string {
  if (path === null) return ref ?? '';
  return range === null ? path : `${path}:${range.start}-${range.end}`;
}
