/**
 * A pack that was written before, held against its files as they are now: what is wrong with it, and how it is brought up to date.
 * Lines that moved are followed, lines that changed are taken anew, files that went are dropped.
 */
import { by } from '../../groups.ts';
import { describeRise, type PackSize, type Rise } from '../scope.ts';
import type { CodeView } from './code-view.ts';
import { CannotFit, candidateOf } from './fit.ts';
import {
  type LineRange,
  type SourceText,
  chunk,
  excerptOf,
  formatRange,
  isLinePointer,
  lengthOf,
  parseRange,
  revisionOf,
  subtract,
} from './line-range.ts';
import {
  anchorName,
  composePack,
  distanceOf,
  findChecks,
  hasTooManyAnchors,
  type LocalPack,
  longestExcerpt,
  type PackPart,
  renderPack,
  type SideFile,
} from './local-pack.ts';
import { summarise } from './micro-summary.ts';

type PackAnchor = PackPart['anchor'];

export interface CurrentFiles {
  /** Null when the file is gone or has no text any more. */
  readonly textOf: (path: string) => SourceText | null;
  /** Revision of what a pointer points at; null when it is gone. Undefined: it is no file, and cannot change. */
  readonly revisionOfRef: (ref: string) => string | null | undefined;
  /** Null where there is no index. */
  readonly view: CodeView | null;
  /** Lines that each file had: changed ones may stand that much further down. */
  readonly lengths: Readonly<Record<string, number>>;
  /** Tokens. */
  readonly count: (text: string) => number;
}

/** The parts of a pack with what they show now. */
export function partsOf(
  { anchors, micro_summaries }: LocalPack,
  side: Pick<SideFile, 'distances' | 'removed'> | null,
  textOf: CurrentFiles['textOf'],
): PackPart[] {
  const summaries = new Map(micro_summaries.map(({ ref, summary }) => [ref, summary]));
  return anchors.map(anchor => {
    const name = anchorName(anchor);
    return {
      anchor,
      distance: side?.distances[name] ?? null,
      summary: summaries.get(name) ?? null,
      text: textAt(anchor, textOf),
      removed: side?.removed[name] ?? [],
    };
  });
}

function textAt({ path, lines }: PackAnchor, textOf: CurrentFiles['textOf']) {
  const text = textOf(path ?? '');
  const range = parseRange(lines);
  return text === null || range === null || range.start > text.shown.length
    ? null
    : excerptOf(text, range);
}

/** One sentence for each finding; empty when all is good. */
export function checkLocalPack(
  pack: LocalPack,
  parts: readonly PackPart[],
  budget: number,
  current: CurrentFiles,
) {
  const tokens = current.count(renderPack(pack, parts));
  const { refreshed } = refreshParts(
    parts.filter(({ anchor }) => anchor.rev !== undefined),
    current,
  );
  return [
    ...pack.anchors.flatMap(anchor => {
      const lacking = whatLacks(anchor);
      return lacking.length === 0
        ? []
        : `${anchor.kind} anchor ${anchorName(anchor)} ${lacking.join(' and ')}.`;
    }),
    ...refreshed.map(
      ({ anchor, old_rev, new_rev, action }) =>
        `${anchor} is stale: ${staleWords[action] ?? `its lines have changed (${old_rev} is now ${new_rev})`}.`,
    ),
    ...(pack.token_estimate === tokens
      ? []
      : [`token_estimate is ${pack.token_estimate} and the count is ${tokens}.`]),
    ...Object.entries(findChecks(pack.anchors, tokens, budget)).flatMap(([name, holds]) => {
      if (pack.bloat_checks[name as keyof LocalPack['bloat_checks']] !== holds)
        return `${name} says ${String(!holds)} and is ${String(holds)}.`;
      const why = name === 'within_budget' ? `: ${tokens} tokens, budget ${budget}` : '';
      return holds ? [] : `${name} does not hold${why}.`;
    }),
  ];
}

const staleWords: Readonly<Record<string, string>> = {
  dropped: 'it is not there any more',
  shifted: 'its lines have moved',
};

/** One phrase each. */
function whatLacks({ kind, path, lines, rev, ref }: PackAnchor) {
  if (kind !== 'code' && kind !== 'test') return ref === undefined ? ['has no ref'] : [];
  return [
    ...(path === undefined ? ['has no path'] : []),
    ...(lines === undefined
      ? ['has no lines']
      : parseRange(lines) === null
        ? [`has lines ${JSON.stringify(lines)}, which is no range`]
        : []),
    ...(rev === undefined ? ['has no rev'] : []),
  ];
}

/**
 * The change itself stays: the pack rises to the next class that holds it. Throws `CannotFit` when none does. `sizes`: what it has,
 * and behind it what it may rise to.
 */
export function refreshPack(
  pack: LocalPack,
  parts: readonly PackPart[],
  sizes: readonly PackSize[],
  current: CurrentFiles,
) {
  const fresh = refreshParts(parts, current);
  const gone = fresh.dropped.map(name => `${name} is gone: what stood there?`);
  const open_questions = [
    ...pack.open_questions,
    ...gone.filter(entry => !pack.open_questions.includes(entry)),
  ];
  const {
    anchors: _anchors,
    micro_summaries: _,
    token_estimate: _tokens,
    bloat_checks: _checks,
    ...keys
  } = pack;
  let rise: Rise | null = null;
  let refusal: CannotFit | null = null;
  for (const [index, { scope_class, budget }] of sizes.entries()) {
    const risen = rise === null ? [] : [describeRise(rise, scope_class)];
    const risk_notes = [...risen, ...pack.risk_notes];
    const evicted: SideFile['evicted'] = [];
    let left = fresh.parts;
    for (;;) {
      const composed = composePack({ ...keys, scope_class, risk_notes, open_questions }, left, {
        budget,
        count: current.count,
      });
      const tokens = composed.pack.token_estimate;
      if (tokens <= budget && !hasTooManyAnchors(left))
        return {
          ...composed,
          parts: left,
          refreshed: fresh.refreshed,
          evicted,
          budget,
          larger: sizes.slice(index + 1),
        };
      // The farthest from the change, of several the last in the order of the pack; the change itself stays.
      const victim = left
        .filter(part => distanceOf(part) > 0)
        .toSorted(by(distanceOf))
        .at(-1);
      if (victim === undefined) {
        refusal = new CannotFit(pack.agent, tokens, budget);
        rise ??= { scope_class, budget, tokens };
        break;
      }
      left = left.filter(part => part !== victim);
      evicted.push({ anchor: anchorName(victim.anchor), distance: distanceOf(victim), tokens });
    }
  }
  throw refusal ?? new Error('A pack has a size.');
}

interface Fresh {
  readonly anchor: PackAnchor;
  /** Null: nothing has changed. */
  readonly action: 'shifted' | 'retaken' | null;
}

function refreshParts(parts: readonly PackPart[], current: CurrentFiles) {
  const kept: PackPart[] = [];
  const refreshed: SideFile['refreshed'] = [];
  const dropped: string[] = [];
  const looked = parts.map(part => ({ part, fresh: refreshAnchor(part, current) }));
  const standing = looked.flatMap(({ fresh }) => (fresh?.action === null ? [fresh.anchor] : []));
  for (const { part, fresh } of looked) {
    const name = anchorName(part.anchor);
    const taken = [...standing, ...kept.map(({ anchor }) => anchor)];
    const own = fresh === null ? [] : withoutOverlap(fresh, taken, current);
    const [first] = own;
    if (first === undefined && !isLinePointer(part.anchor)) dropped.push(name);
    for (const { anchor, action } of own)
      kept.push({
        ...part,
        anchor,
        text: textAt(anchor, current.textOf),
        summary: action === 'retaken' ? summaryOf(anchor, part, current) : part.summary,
        // What fell apart keeps what was taken away at its first part.
        removed: anchor === first?.anchor ? part.removed : [],
      });
    if (first === undefined || first.action !== null)
      refreshed.push({
        anchor: name,
        old_rev: part.anchor.rev ?? '',
        new_rev: first?.anchor.rev ?? '',
        action: first?.action ?? 'dropped',
      });
  }
  /** `dropped`: names of anchors whose file is gone, but for pointers. */
  return { parts: kept, refreshed, dropped };
}

/** Of lines that are not what they were. */
function summaryOf(
  { path, lines, kind }: PackAnchor,
  { summary }: PackPart,
  { view, textOf }: CurrentFiles,
) {
  if (path === undefined) return summary;
  const range = parseRange(lines);
  const material = { textOf, changedIn: () => [], changedSymbols: new Set<string>() };
  return view === null || range === null
    ? null
    : summarise(candidateOf({ path, range, distance: 4, kind }), { ...material, view });
}

function refreshAnchor({ anchor, distance }: PackPart, current: CurrentFiles): Fresh | null {
  const { path, lines, rev, ref, name } = anchor;
  if (path === undefined) {
    const now = ref === undefined ? undefined : current.revisionOfRef(ref);
    if (now === undefined || rev === undefined || now === rev) return { anchor, action: null };
    return now === null ? null : { anchor: { ...anchor, rev: now }, action: 'retaken' };
  }
  const text = current.textOf(path);
  if (text === null) return null;
  const range = parseRange(lines);
  const now = revisionOf(text, range);
  if (rev === undefined || now === rev) return { anchor, action: null };
  if (range === null) return { anchor: { ...anchor, rev: now }, action: 'retaken' };
  const moved = findMoved(text, range, rev);
  if (moved !== null) return { anchor: withLines(anchor, moved), action: 'shifted' };
  // As many lines from where the symbol starts now, else the same lines as far as the file goes; and what may have been pushed down.
  const growth = distance === 0 ? text.original.length - (current.lengths[path] ?? Infinity) : 0;
  const symbol = current.view?.definitionsIn(path).find(one => one.name === name);
  const start = symbol?.startLine ?? range.start;
  const end = Math.min(start + lengthOf(range) - 1 + Math.max(0, growth), text.original.length);
  return start > end ? null : retaken(anchor, { start, end }, text);
}

function retaken(anchor: PackAnchor, range: LineRange, text: SourceText): Fresh {
  const rev = revisionOf(text, range);
  return { anchor: { ...withLines(anchor, range), rev }, action: 'retaken' };
}

/** A pointer is called by its line. */
function withLines(anchor: PackAnchor, range: LineRange): PackAnchor {
  return {
    ...anchor,
    lines: formatRange(range),
    ...(isLinePointer(anchor) && { ref: `${anchor.path ?? ''}:${range.start}` }),
  };
}

/** Lines of a file in which a moved excerpt is looked for. */
const longestFile = 50_000;

/** The one other place that holds exactly these lines; null when there is none, or more than one. */
function findMoved(text: SourceText, range: LineRange, rev: string) {
  const length = lengthOf(range);
  if (text.original.length > longestFile) return null;
  let found: LineRange | null = null;
  for (let start = 1; start + length - 1 <= text.original.length; start += 1) {
    const candidate = { start, end: start + length - 1 };
    if (revisionOf(text, candidate) !== rev) continue;
    if (found !== null) return null;
    found = candidate;
  }
  return found;
}

/** What moved onto lines that are shown already is cut: what is left of it, before them and behind, in excerpts that are not too long. */
function withoutOverlap(fresh: Fresh, kept: readonly PackAnchor[], current: CurrentFiles) {
  const { anchor, action } = fresh;
  const range = parseRange(anchor.lines);
  const text = current.textOf(anchor.path ?? '');
  if (range === null || anchor.path === undefined || action === null) return [fresh];
  if (text === null) return [];
  const taken = kept
    .filter(({ path }) => path === anchor.path)
    .flatMap(({ lines }) => parseRange(lines) ?? []);
  return subtract(range, taken)
    .flatMap(left => chunk(left, longestExcerpt))
    .map(left => (lengthOf(left) === lengthOf(range) ? fresh : retaken(anchor, left, text)));
}
