/**
 * What a pack has to show before the search for more may stop: the definition of every name on the changed lines, and what the
 * criteria name.
 */
import { groupBy } from '../../groups.ts';
import type { CodeView } from './code-view.ts';
import type { Placed } from './fit.ts';
import { type ChangedPiece, holds, type LinesOf, subtract } from './line-range.ts';
import type { Unresolved } from './local-pack.ts';
import { type Found, resolveSymbol, type SymbolUse } from './resolve.ts';

export interface Resolved {
  readonly requirements: readonly Requirement[];
  readonly found: readonly Found[];
  /** Names that are built in or come from outside, sorted. */
  readonly external: readonly string[];
}

export function resolveAll(
  uses: readonly SymbolUse[],
  criteria: readonly string[],
  view: CodeView,
  linesOf: LinesOf,
): Resolved {
  const resolved = uses.map(use => ({ use, is: resolveSymbol(use, view, linesOf(use.path)) }));
  const asked = [
    ...resolved.flatMap(({ use: { name, path, line }, is: { at, reason = '' } }) =>
      at !== undefined || reason !== ''
        ? { symbol: name, from: `${path}:${line}`, at, reason }
        : [],
    ),
    ...criteria
      .flatMap(text => namesIn(text, view))
      .map(named => ({
        ...named,
        from: 'acceptance_criteria',
        reason: 'no file and no definition of this name was found',
      })),
  ];
  const found = asked.flatMap(({ at }) => at ?? []);
  return {
    requirements: asked.map(({ symbol, from, at, reason }) => ({
      symbol,
      at: from,
      definition: at,
      reason,
    })),
    found: [
      ...new Map(found.map(one => [`${one.path}:${one.startLine}:${one.name}`, one])).values(),
    ],
    external: [
      ...new Set(resolved.flatMap(({ use, is }) => (is.kind === 'external' ? use.name : []))),
    ].toSorted(),
  };
}

/** Paths, and words that are written as identifiers are: in backticks, with a call, an underscore or a capital inside. */
function namesIn(text: string, view: CodeView) {
  const words =
    text.slice(0, 10_000).match(/[\p{L}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$](?:\(\))?/gu) ?? [];
  return [...new Set(words)].flatMap(word => {
    const name = word.replace(/\(\)$/, '');
    const named = (at: Omit<Found, 'name' | 'where'> | undefined) => [
      { symbol: name, at: at && { ...at, name, where: 'project' as const } },
    ];
    if (view.has(name)) {
      const endLine = Math.min(3, view.linesOf(name));
      return named({ path: name, startLine: 1, endLine, nameLine: 1 });
    }
    if (/\/.*\.[a-z]{1,5}$/i.test(name)) return named(undefined);
    const isIdentifier =
      /^[\p{L}\p{N}_$]+$/u.test(name) &&
      (word.endsWith('()') || /[a-z][A-Z]|_[a-z]/.test(name) || text.includes(`\`${name}\``));
    if (!isIdentifier) return [];
    const definition = view.definitionsOf(name).find(({ kind }) => kind !== 'test');
    return named(definition && { ...definition, definition });
  });
}

// When the ladder has been climbed far enough: changed lines shown, names resolved, criteria met.

/** A name that a changed line, or a criterion, refers to, and where it is defined. */
interface Requirement {
  readonly symbol: string;
  /** Where it is referred to: `path:line`, or `acceptance_criteria`. */
  readonly at: string;
  /** Absent: nobody knows. */
  readonly definition: Found | undefined;
  /** Why it is absent. */
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
  const ranges = new Map(
    [...groupBy(anchors, ({ path }) => path ?? '')].map(([path, group]) => [
      path,
      group.flatMap(({ range }) => range ?? []),
    ]),
  );
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
    .filter(
      ({ definition }) =>
        !definition ||
        !ranges.get(definition.path)?.some(range => holds(range, definition.nameLine)),
    )
    .map(({ symbol, at, definition, reason }) => {
      if (!definition) return { symbol, at, reason, place: null };
      const place = `${definition.path}:${definition.nameLine}`;
      return { symbol, at, reason: `its definition at ${place} does not fit`, place };
    });
  return [...hidden, ...missing];
}

/** An entry of `open_questions` for each thing that is missing; those beyond `most` share one, which tells where they are defined. */
export function toQuestions(unresolved: readonly Missing[], most: number) {
  const entries = [
    ...unresolved.filter(({ place }) => place === null),
    ...unresolved.filter(({ place }) => place !== null),
  ];
  const rest = new Set(
    entries
      .slice(most)
      .map(({ symbol, place }) => (place === null ? symbol : `${symbol} ${place}`)),
  );
  return [
    ...entries.slice(0, most).map(({ symbol, at, reason }) => `${symbol} (${at}): ${reason}`),
    ...(rest.size === 0
      ? []
      : [`and ${rest.size} more: ${[...rest].slice(0, mostInRest).join(', ')}`]),
  ];
}

const mostInRest = 20;
