/** Lays a pack out and evicts until it fits: the farthest from the change first, the change itself never. */
import { UserError } from '../../errors.ts';
import { by, groupsBy, remember, sumOf } from '../../groups.ts';
import { type SymbolUse, isDocumentPath } from '../../languages/languages.ts';
import { type Found, resolveSymbol } from './resolve.ts';
import type { CodeView } from './code-view.ts';
import {
  type ChangedPiece,
  type LineRange,
  type LinesOf,
  chunk,
  holds,
  lengthOf,
  overlaps,
  subtract,
  union,
} from './line-range.ts';
import {
  AnchorKind,
  type Missing,
  type SideFile,
  longestExcerpt,
  mostAnchors,
} from './local-pack.ts';

interface Measures {
  readonly budget: number;
  /** Of it, what is left to others by whatever is farther away than the definitions around the change. */
  readonly reserve: number;
  /** Of one anchor as it is rendered, with its label and its summary. */
  readonly tokensOf: (placed: Placed) => number;
  /** Of the whole pack as it is rendered. */
  readonly tokensOfAll: (placed: readonly Placed[]) => number;
}

/** `tokens`: more than the budget where even the changed lines alone need so many. */
type Fitted = ReturnType<typeof evictUntilItFits>;

/** The changed lines need more than the budget: nothing of them may go. */
export class CannotFit extends UserError {
  readonly tokens: number;

  constructor(agent: string, tokens: number, budget: number) {
    super(
      `Error: pack for ${agent} cannot fit: changed lines need ${tokens} tokens, budget ${budget}; split the scope`,
      { kind: 'input' },
    );
    this.tokens = tokens;
  }
}

/** Gaps to close between ranges of one file when there are more of them than a pack may have. */
const gaps = [2, 4, 6, 10, 16];

/** Lines around the change are given up before anything that the stop rule asks for and before the pointers. */
export function fit(candidates: readonly Candidate[], measures: Measures): Fitted {
  const { budget, reserve } = measures;
  const room = budget - reserve;
  const whole = evictUntilItFits(candidates, measures);
  if (whole.cause === null && whole.tokens <= room) return whole;
  const bare = evictUntilItFits(candidates.flatMap(shrink), measures);
  const isWanted = whole.tokens > budget || (bare.tokens <= budget && isBetter(bare, whole, room));
  return isWanted ? bare : whole;
}

function isBetter(one: Fitted, other: Fitted, room: number) {
  const more = neededIn(one) - neededIn(other);
  return more > 0 || (more === 0 && other.tokens > room && one.tokens < other.tokens);
}

/** A changed hunk without the lines around it. */
function shrink(candidate: Candidate) {
  const { core, distance, removed } = candidate;
  if (distance > 0 || core.length === 0) return [candidate];
  return core.map(range => ({
    ...candidate,
    range,
    needed: 1,
    core: [range],
    removed: removed.filter(({ at }) => holds(range, at)).map(shorten),
  }));
}

const fewLines = 2;

function shorten({ lines, more, ...place }: RemovedText): RemovedText {
  return {
    ...place,
    lines: lines.slice(0, fewLines),
    more: more + Math.max(0, lines.length - fewLines),
  };
}

function neededIn({ placed }: Fitted) {
  return sumOf(placed, ({ needed }) => needed);
}

function evictUntilItFits(
  candidates: readonly Candidate[],
  { budget, reserve, tokensOf, tokensOfAll }: Measures,
) {
  let placed: Placed[] = [];
  for (const gap of gaps) {
    placed = layOut(candidates, gap);
    if (placed.length <= mostAnchors) break;
  }
  const measured = new Map(placed.map(one => [one, tokensOf(one)]));
  const sizeOf = (one: Placed) => measured.get(one) ?? 0;
  // What goes first when it must stands last: the farthest; artifacts before code; what nobody needs; the largest.
  const queue = placed.toSorted(
    by(
      ({ distance }) => distance,
      rankOf,
      ({ needed }) => -needed,
      sizeOf,
      nameOf,
    ),
  );
  const kept = new Set(placed);
  const evicted: SideFile['evicted'] = [];
  let cause: 'budget' | 'anchors' | null = null;
  let estimate = tokensOfAll([]) + sumOf(placed, sizeOf);
  const evict = (why: 'budget' | 'anchors') => {
    const next = queue.at(-1);
    if (next === undefined || next.distance === 0) return false;
    queue.pop();
    kept.delete(next);
    estimate -= sizeOf(next);
    evicted.push({ anchor: nameOf(next), distance: next.distance, tokens: sizeOf(next) });
    cause ??= why;
    return true;
  };
  while (kept.size > mostAnchors && evict('anchors'));
  // The sum of the parts is near the whole, and much cheaper than counting it again and again.
  const isOver = () =>
    estimate > budget * 1.02 || (estimate > budget - reserve && (queue.at(-1)?.distance ?? 0) > 1);
  while (isOver() && evict('budget'));
  for (;;) {
    const left = placed.filter(one => kept.has(one));
    // Far from the budget nobody needs the exact figure yet.
    const tokens = estimate < budget * 0.95 ? estimate : tokensOfAll(left);
    if (tokens <= budget || !evict('budget')) return { placed: left, tokens, evicted, cause };
  }
}

type Ranged = Placed & { readonly range: LineRange };

function isRanged(one: Candidate): one is Ranged {
  return one.path !== null && one.range !== null;
}

/**
 * Merges and cuts the ranges of each file so that none overlaps and none is longer than an excerpt may be. `gap`: ranges with at
 * most so many lines between them become one.
 */
export function layOut(candidates: readonly Candidate[], gap: number) {
  const closest = candidates.toSorted(
    by(
      ({ distance }) => distance,
      ({ needed }) => -needed,
      ({ range }) => range?.start ?? 0,
    ),
  );
  const lines = groupsBy(closest.filter(isRanged), ({ path }) => path).flatMap(own => {
    // Ranges are merged and cut: what stood at a line goes with whoever holds it now.
    const removed = own.flatMap(one => one.removed).toSorted(by(({ at }) => at));
    return own
      .reduce((placed: readonly Ranged[], one) => place(one, placed, gap), [])
      .map(one => ({ ...one, removed: removed.filter(({ at }) => holds(one.range, at)) }));
  });
  const pointers = groupsBy(
    closest.filter(one => !isRanged(one)),
    nameOf,
  );
  return [...lines, ...pointers.map(([first]) => first)].toSorted(inPackOrder);
}

/** The new list of the file. What is there already is closer to the change and keeps its place; ranges that touch are one if short. */
function place(candidate: Ranged, placed: readonly Ranged[], gap: number) {
  const { range } = candidate;
  const near = { start: range.start - gap - 1, end: range.end + gap + 1 };
  const found = placed.find(
    one => overlaps(one.range, near) && lengthOf(union(one.range, range)) <= longestExcerpt,
  );
  if (found !== undefined) {
    const others = placed.filter(one => one !== found);
    return place(combine(found, candidate), others, gap);
  }
  const parts = subtract(
    range,
    placed.map(one => one.range),
  ).flatMap(part => chunk(part, longestExcerpt));
  return [...placed, ...parts.map(part => ({ ...candidate, range: part }))];
}

function combine(one: Ranged, other: Ranged): Ranged {
  const closer = one.distance <= other.distance ? one : other;
  return {
    ...closer,
    kind: one.kind === 'code' || other.kind === 'code' ? 'code' : closer.kind,
    range: union(one.range, other.range),
    needed: one.needed + other.needed,
    core: [...one.core, ...other.core],
  };
}

function rankOf({ kind }: Candidate) {
  return AnchorKind.options.indexOf(kind);
}

/** Code, test, kb, decision, artifact; what is read by people only behind other code; then by distance, path, first line. */
const inPackOrder = by<Candidate>(
  rankOf,
  ({ path }) => isDocumentPath(path ?? ''),
  ({ distance }) => distance,
  ({ path, ref }) => path ?? ref ?? '',
  ({ range }) => range?.start ?? 0,
);

// What a rung offers for the pack, before it is known what fits.

export interface Candidate {
  readonly kind: AnchorKind;
  /** Null for a pointer. */
  readonly path: string | null;
  readonly range: LineRange | null;
  /** Null for lines of a file. */
  readonly ref: string | null;
  readonly rev: string | null;
  readonly name: string | null;
  /**
   * 0 changed hunk · 1 same function or class · 2 definition, call-site or test of a changed symbol · 3 same module · 4 other
   * code · 5 kb · 6 decision, artifact.
   */
  readonly distance: number;
  /** How many things the stop rule asks for stand there. */
  readonly needed: number;
  /** For a changed hunk: the lines it may shrink to. */
  readonly core: readonly LineRange[];
  /** What stands there, in a few words, where the code alone does not tell it. */
  readonly summary: string | null;
  /** For a changed hunk: what the change took away in it. */
  readonly removed: readonly RemovedText[];
}

/** Lines that are gone, by the changed line they stood at. */
interface RemovedText extends Pick<ChangedPiece['removed'][number], 'at' | 'isBehind'> {
  /** Secrets taken out. */
  readonly lines: readonly string[];
  /** How many more there were. */
  readonly more: number;
}

/** Candidates that are laid out: no two overlap, none is longer than an excerpt may be. */
export type Placed = Candidate;

/** In one order of the keys, whatever is given: packs are compared by their text. */
export function candidateOf({
  distance,
  ...rest
}: Pick<Candidate, 'distance'> & Partial<Candidate>): Candidate {
  return {
    kind: 'code',
    path: null,
    range: null,
    ref: null,
    rev: null,
    name: null,
    distance,
    needed: 0,
    core: [],
    summary: null,
    removed: [],
    ...rest,
  };
}

/** Tells candidates apart and names them in messages. */
function nameOf({ path, range, ref }: Candidate) {
  if (path === null) return ref ?? '';
  return range === null ? path : `${path}:${range.start}-${range.end}`;
}

// What a pack has to show before the search for more may stop: the definition of every name on the changed lines, and what the
// criteria name.

/** `external`: names that are built in or come from outside, sorted. */
export type Resolved = ReturnType<typeof resolveAll>;

export function resolveAll(
  uses: readonly SymbolUse[],
  criteria: readonly string[],
  view: CodeView,
  linesOf: LinesOf,
) {
  const resolved = uses.map(use => ({ ...use, is: resolveSymbol(use, view, linesOf(use.path)) }));
  // Names that changed lines and criteria refer to, where they do, and where they are defined: nobody knows where there is a reason.
  const requirements = [
    ...resolved.flatMap(({ name, path, line, is: { at: definition, reason = '' } }) =>
      definition !== undefined || reason !== ''
        ? { symbol: name, at: `${path}:${line}`, definition, reason }
        : [],
    ),
    ...criteria
      .flatMap(text => namesIn(text, view))
      .map(named => ({
        ...named,
        at: 'acceptance_criteria',
        reason: 'no file and no definition of this name was found',
      })),
  ];
  const found = requirements.flatMap(({ definition }) => definition ?? []);
  return {
    requirements,
    found: [
      ...new Map(found.map(one => [`${one.path}:${one.startLine}:${one.name}`, one])).values(),
    ],
    external: [
      ...new Set(resolved.flatMap(({ name, is }) => (is.kind === 'external' ? name : []))),
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
      { symbol: name, definition: at && { ...at, name, where: 'project' as const } },
    ];
    if (view.has(name)) {
      return named({
        path: name,
        startLine: 1,
        endLine: Math.min(3, view.linesOf(name)),
        nameLine: 1,
      });
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

/** What the rule misses; empty when it holds. */
export function findUnresolved(
  anchors: readonly Pick<Placed, 'path' | 'range'>[],
  pieces: readonly ChangedPiece[],
  requirements: Resolved['requirements'],
): Missing[] {
  const rangesIn = remember(path =>
    anchors.flatMap(one => (one.path === path && one.range !== null ? one.range : [])),
  );
  const hidden = pieces.flatMap(({ path, changed }) =>
    changed
      .flatMap(range => subtract(range, rangesIn(path)))
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
        !definition || !rangesIn(definition.path).some(range => holds(range, definition.nameLine)),
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
  const entries = unresolved.toSorted(by(({ place }) => place !== null));
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
