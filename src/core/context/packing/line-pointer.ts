/** Lines worth a look, without an excerpt: each an anchor of its own, told together where they say the same of one file. */
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

/** Its `ref` is the path and this line. */
export function linePointer<Kind>(
  { kind, path, name }: { readonly kind: Kind; readonly path: string; readonly name: string },
  line: number,
  rev: string,
) {
  return { kind, path, lines: `${line}-${line}`, rev, ref: `${path}:${line}`, name };
}

export function isLinePointer({ path, lines, ref }: PointerAnchor): boolean {
  return (
    path !== undefined &&
    ref !== undefined &&
    lines !== undefined &&
    ref === `${path}:${lines.slice(0, lines.indexOf('-'))}`
  );
}

/** `path:12, 40 calls load in handle(), page()`: one line for each file and statement, in the order of their first places. */
export function renderLinePointers(pointers: readonly PointerAnchor[]): string[] {
  const groups = new Map<string, Group>();
  for (const { path = '', lines = '', name = '' } of pointers) {
    const { statement, place } = partsOf(name);
    const key = `${path}\0${statement}`;
    const group = groups.get(key) ?? { path, statement, lines: [], places: new Set() };
    groups.set(key, group);
    group.lines.push(lines.slice(0, lines.indexOf('-')));
    if (place !== null) group.places.add(place);
  }
  return [...groups.values()].map(({ path, statement, lines, places }) =>
    visibleName(
      toOneLine(
        `${path}:${lines.join(', ')} ${statement}${places.size === 0 ? '' : joinerOf(statement)}${[...places].join(', ')}`,
      ),
    ),
  );
}

interface Group {
  readonly path: string;
  readonly statement: string;
  readonly lines: string[];
  /** Where the lines stand, each once. */
  readonly places: Set<string>;
}

const between = ' in ';
const declaring = /^(?:defines|declares)(?= |$)/;

function joinerOf(statement: string): string {
  return declaring.test(statement) ? ' ' : between;
}

/** What a pointer says of its line, and behind it what the line is part of: `partsOf` takes them apart again. */
export function nameOf(statement: string, place: string | null): string {
  return place === null ? statement : `${statement}${joinerOf(statement)}${place}`;
}

function partsOf(name: string): {
  readonly statement: string;
  readonly place: string | null;
} {
  const verb = declaring.exec(name)?.[0];
  if (verb !== undefined) return { statement: verb, place: name.slice(verb.length + 1) || null };
  const at = name.indexOf(between);
  return at === -1
    ? { statement: name, place: null }
    : { statement: name.slice(0, at), place: name.slice(at + between.length) };
}
