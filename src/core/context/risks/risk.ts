/** A risk that a change carries by what stands in it: the kind, the place, the evidence and what to look at. */
import type { ChangedFile } from '../../words/change.ts';
import type { ChangedName, Place } from '../changed-names.ts';
import type { CodeView } from '../packing/references.ts';
import type { SideLine } from './changed-lines.ts';

/** Gravest first: this is the order in which risks are told. */
export const riskKinds = [
  'secret',
  'removed-guard',
  'sensitive',
  'workflow',
  'loosened',
  'migration',
  'removed-name',
  'signature',
  'skipped-test',
  'removed-assertion',
  'public-api',
  'changed-default',
  'generated',
  'dependency',
  'large-deletion',
  'untested',
] as const;
export type RiskKind = (typeof riskKinds)[number];

export interface Risk {
  readonly kind: RiskKind;
  readonly path: string;
  /** On the new side; for a name that is gone the line it had. Null: the file as a whole. */
  readonly line: number | null;
  /** Begins with the place. Quotes the change: mask it before it leaves the machine. */
  readonly sentence: string;
  /** The lines or places it was read from, as written. */
  readonly evidence: readonly string[];
  /** What to look at next, with places; null when nothing beyond the place itself. */
  readonly action: string | null;
}

export interface RiskMaterial {
  readonly files: readonly ChangedFile[];
  /** Names that the change removes or whose signature it changes. */
  readonly names: readonly ChangedName[];
  /** Added lines of which a secret was taken out. */
  readonly secrets: readonly Place[];
  /** The tree after the change. */
  readonly view: CodeView;
  /** Why files of that tree are not read, by path. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Lines of a changed file, or of one that uses a name of `names`, on its new side; empty when it was not read. */
  readonly linesOf: (path: string) => readonly string[];
  /** As it was, by the path it had; empty when it lost nothing or was not read. */
  readonly oldLinesOf: (path: string) => readonly string[];
}

const longestQuote = 100;

/** One line of code as it is quoted in a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${line.length <= longestQuote ? line : `${line.slice(0, longestQuote - 1)}…`}\``;
}

/** `1 caller`, `3 callers` */
export function countOf(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** `one, other and 3 more` */
export function listNames(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `src/a.ts:12, src/b.ts:40 and 3 more` */
export function listPlaces(places: readonly Place[], most: number): string {
  const rest = places.length - most;
  const listed = places.slice(0, most).map(({ path, line }) => `${path}:${line}`);
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `; so do src/b.ts:3, src/c.ts:9 and 2 more`; empty where there are no others. */
export function sayOthers(
  others: readonly { readonly path: string; readonly line: SideLine }[],
): string {
  const places = others.map(({ path, line: { newLine } }) => ({ path, line: newLine }));
  return others.length === 0
    ? ''
    : `; so ${others.length === 1 ? 'does' : 'do'} ${listPlaces(places, 2)}`;
}

/** One risk for all signs of a group: `tell` is given the first, and the others behind it. */
export function oneForEach<Sign>(
  signs: readonly Sign[],
  groupOf: (sign: Sign) => string,
  tell: (first: Sign, others: readonly Sign[]) => Risk,
): Risk[] {
  const groups = new Map<string, [Sign, ...Sign[]]>();
  for (const sign of signs) {
    const group = groups.get(groupOf(sign));
    if (group === undefined) groups.set(groupOf(sign), [sign]);
    else group.push(sign);
  }
  return Array.from(groups.values(), ([first, ...others]) => tell(first, others));
}
