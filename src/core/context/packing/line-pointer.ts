/** Lines worth a look, without an excerpt: each an anchor of its own. */
import { visibleName } from '../../safety/visible-text.ts';
import { toOneLine } from '../../text.ts';

/** Before it is known whether there is room for it. */
export interface LinePointer {
  readonly path: string;
  readonly line: number;
  /** Our words, names, and lines with their secrets taken out: it is shown without another look. */
  readonly what: string;
  /** What the line is part of: a name, shown like `what`. */
  readonly place: string | null;
  /** The same in fewer words, for where there is little room. */
  readonly brief: Pick<LinePointer, 'what' | 'place'> | null;
  /** A piece of the file that may be told behind it where it holds no secret. */
  readonly quote: string | null;
}

export function plain(path: string, line: number, what: string): LinePointer {
  return { path, line, what, place: null, brief: null, quote: null };
}

interface PointerAnchor {
  readonly path?: string | undefined;
  /** `a-b` */
  readonly lines?: string | undefined;
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** Its `ref` is the path and its line. */
export function isLinePointer({ path, lines, ref }: PointerAnchor): boolean {
  return (
    path !== undefined &&
    ref !== undefined &&
    lines !== undefined &&
    ref === `${path}:${lines.slice(0, lines.indexOf('-'))}`
  );
}

/** `path:line what`, one line for each. */
export function renderLinePointers(pointers: readonly PointerAnchor[]): string[] {
  return pointers.map(({ ref = '', name = '' }) => visibleName(toOneLine(`${ref} ${name}`)));
}

const declaring = /^(?:defines|declares)(?= |$)/;

/** What a pointer says of its line, and behind it what the line is part of. */
export function nameOf(statement: string, place: string | null): string {
  return place === null
    ? statement
    : `${statement}${declaring.test(statement) ? ' ' : ' in '}${place}`;
}
