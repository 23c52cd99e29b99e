/**
 * What a pack has to show before the search for more may stop: the definition of every name on the changed lines, and what the
 * criteria name.
 */
import type { Placed } from './fit.ts';
import { type ChangedPiece, holds, type LineRange, subtract } from './line-range.ts';
import type { Definition } from '../../words/code-index.ts';
import type { CodeView, SymbolUse } from './references.ts';
import type { Unresolved } from './local-pack.ts';
import { type Found, nameLineOf, resolveSymbol } from './resolve-symbol.ts';
import type { Place } from '../changed-names.ts';

export interface Resolved {
  readonly requirements: readonly Requirement[];
  readonly found: readonly Found[];
  /** What names may mean of which nobody can tell, those with the fewest definitions first. */
  readonly possible: readonly Definition[];
  /** Names that are built in or come from outside, sorted. */
  readonly external: readonly string[];
}

/** `settle`: says otherwise where somebody knows better than words tell. */
export function resolveAll(
  uses: readonly SymbolUse[],
  criteria: readonly string[],
  view: CodeView,
  linesOf: (path: string) => readonly string[],
): Resolved {
  const requirements: Requirement[] = [];
  const found = new Map<string, Found>();
  const external = new Set<string>();
  const possible = new Map<string, readonly Definition[]>();
  for (const use of uses) {
    const resolution = resolveSymbol(use, view, linesOf(use.path));
    const asked = { symbol: use.name, at: `${use.path}:${use.line}` };
    if (resolution.kind === 'external') external.add(use.name);
    else if (resolution.kind === 'unknown') {
      const { reason } = resolution;
      requirements.push({ ...asked, definition: null, possible: resolution.possible, reason });
      if (!possible.has(use.name)) possible.set(use.name, resolution.possible);
    } else if (resolution.kind === 'found') {
      const { at } = resolution;
      found.set(`${at.path}:${at.startLine}:${at.name}`, at);
      requirements.push({
        ...asked,
        definition: { path: at.path, line: nameLineOf(at, view) },
        possible: [],
        reason: '',
      });
    }
  }
  for (const named of criteria.flatMap(text => namesIn(text, view))) {
    if (named.at !== null)
      found.set(`${named.at.path}:${named.at.startLine}:${named.at.name}`, named.at);
    requirements.push({
      symbol: named.symbol,
      at: 'acceptance_criteria',
      definition: named.at && { path: named.at.path, line: nameLineOf(named.at, view) },
      possible: [],
      reason: 'no file and no definition of this name was found',
    });
  }
  return {
    requirements,
    found: [...found.values()],
    possible: [...possible.values()].toSorted((one, other) => one.length - other.length).flat(),
    external: [...external].toSorted(),
  };
}

interface Named {
  readonly symbol: string;
  readonly at: Found | null;
}

/** Paths, and words that are written as identifiers are: in backticks, with a call, an underscore or a capital inside. */
function namesIn(text: string, view: CodeView): Named[] {
  const words =
    text.slice(0, 10_000).match(/[\p{L}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$](?:\(\))?/gu) ?? [];
  return [...new Set(words)].flatMap((word): Named[] => {
    const name = word.replace(/\(\)$/, '');
    if (view.has(name))
      return [
        {
          symbol: name,
          at: {
            path: name,
            startLine: 1,
            endLine: Math.min(3, view.linesOf(name)),
            name,
            where: 'project' as const,
          },
        },
      ];
    if (/\/.*\.[a-z]{1,5}$/i.test(name)) return [{ symbol: name, at: null }];
    const isIdentifier =
      /^[\p{L}\p{N}_$]+$/u.test(name) &&
      (word.endsWith('()') || /[a-z][A-Z]|_[a-z]/.test(name) || text.includes(`\`${name}\``));
    if (!isIdentifier) return [];
    const definition = view.definitionsOf(name).find(({ kind }) => kind !== 'test');
    return [
      {
        symbol: name,
        at: definition === undefined ? null : { ...definition, where: 'project' as const },
      },
    ];
  });
}

// When the ladder has been climbed far enough: changed lines shown, names resolved, criteria met.

/** A name that a changed line, or a criterion, refers to, and where it is defined. */
interface Requirement {
  readonly symbol: string;
  /** Where it is referred to: `path:line`, or `acceptance_criteria`. */
  readonly at: string;
  /** Null: nobody knows. */
  readonly definition: Place | null;
  /** Every place that may define it, where they are few and `definition` is null. */
  readonly possible: readonly Definition[];
  /** Why `definition` is null. */
  readonly reason: string;
}

export interface Missing extends Unresolved {
  /** `path:line` of its definition; null where nobody knows it. */
  readonly place: string | null;
}

/** What the rule misses; empty when it holds. */
export function findUnresolved(
  anchors: readonly Pick<Placed, 'path' | 'range'>[],
  pieces: readonly ChangedPiece[],
  requirements: readonly Requirement[],
): Missing[] {
  const ranges = rangesByPath(anchors);
  const hidden = pieces.flatMap(({ path, changed }) =>
    changed
      .flatMap(range => subtract(range, ranges.get(path) ?? []))
      .map(({ start, end }) => ({
        symbol: `${path}:${start}-${end}`,
        at: `${path}:${start}`,
        reason: 'changed lines are not shown',
        place: null,
      })),
  );
  const missing = requirements
    .filter(({ definition, possible }) =>
      definition === null
        ? possible.length === 0 || !possible.every(one => isShown(placeOf(one), ranges))
        : !isShown(definition, ranges),
    )
    .map(({ symbol, at, definition, reason }) => {
      const place = definition && `${definition.path}:${definition.line}`;
      return {
        symbol,
        at,
        reason: place === null ? reason : `its definition at ${place} does not fit`,
        place,
      };
    });
  return [...hidden, ...missing];
}

function placeOf({ path, nameLine }: Definition): {
  readonly path: string;
  readonly line: number;
} {
  return { path, line: nameLine };
}

function isShown(
  { path, line }: Place,
  ranges: ReadonlyMap<string, readonly LineRange[]>,
): boolean {
  return (ranges.get(path) ?? []).some(range => holds(range, line));
}

function rangesByPath(
  anchors: readonly Pick<Placed, 'path' | 'range'>[],
): ReadonlyMap<string, LineRange[]> {
  const ranges = new Map<string, LineRange[]>();
  for (const { path, range } of anchors) {
    if (path === null || range === null) continue;
    const known = ranges.get(path);
    if (known === undefined) ranges.set(path, [range]);
    else known.push(range);
  }
  return ranges;
}

/** An entry of `open_questions` for each thing that is missing; those beyond `most` share one, which tells where they are defined. */
export function toQuestions(unresolved: readonly (Unresolved | Missing)[], most: number): string[] {
  const entries = [
    ...unresolved.filter(one => placeIn(one) === null),
    ...unresolved.filter(one => placeIn(one) !== null),
  ];
  const rest = new Set(
    entries.slice(most).map(one => {
      const place = placeIn(one);
      return place === null ? one.symbol : `${one.symbol} ${place}`;
    }),
  );
  return [
    ...entries.slice(0, most).map(({ symbol, at, reason }) => `${symbol} (${at}): ${reason}`),
    ...(rest.size === 0
      ? []
      : [`and ${rest.size} more: ${[...rest].slice(0, mostInRest).join(', ')}`]),
  ];
}

const mostInRest = 20;

function placeIn(one: Unresolved | Missing): string | null {
  return 'place' in one ? one.place : null;
}
