/** What is wrong with a pack that can be read: anchors that say too little, places that have changed, figures that do not agree. */
import {
  chunk,
  formatRange,
  lengthOf,
  type LineRange,
  overlaps,
  parseRange,
  revisionOf,
  type SourceText,
  subtract,
} from './line-range.ts';
import { isLinePointer } from './line-pointer.ts';
import {
  anchorName,
  findUnwritten,
  type LocalPack,
  longestExcerpt,
  type PackAnchor,
  type SideFile,
} from './local-pack.ts';

interface CheckedPack {
  readonly budget: number;
  /** Of the pack as it is rendered now. */
  readonly tokens: number;
}

/** One sentence for each finding; empty when all is good. */
export function checkLocalPack(
  pack: LocalPack,
  { budget, tokens }: CheckedPack,
  current: CurrentFiles,
): string[] {
  return [
    ...incompleteAnchors(pack),
    ...staleAnchors(pack, current),
    ...wrongFigures(pack, tokens, budget),
  ];
}

function incompleteAnchors({ anchors }: LocalPack): string[] {
  return anchors.flatMap(anchor => {
    const lacking = findUnwritten(anchor);
    return lacking.length === 0
      ? []
      : [`${anchor.kind} anchor ${anchorName(anchor)} ${lacking.join(' and ')}.`];
  });
}

function staleAnchors({ anchors }: LocalPack, current: CurrentFiles): string[] {
  const { refreshed } = refreshAnchors(
    anchors.filter(({ rev }) => rev !== undefined),
    current,
  );
  return refreshed.map(
    ({ anchor, old_rev, new_rev, action }) =>
      `${anchor} is stale: ${action === 'dropped' ? 'it is not there any more' : action === 'shifted' ? 'its lines have moved' : `its lines have changed (${old_rev} is now ${new_rev})`}.`,
  );
}

function wrongFigures(pack: LocalPack, tokens: number, budget: number): string[] {
  const computed = Object.entries(findChecks(pack, tokens, budget));
  return [
    ...(pack.token_estimate === tokens
      ? []
      : [`token_estimate is ${pack.token_estimate} and the count is ${tokens}.`]),
    ...computed.flatMap(([name, holds]) => {
      if (pack.bloat_checks[name as keyof LocalPack['bloat_checks']] !== holds)
        return [`${name} says ${String(!holds)} and is ${String(holds)}.`];
      const why = name === 'within_budget' ? `: ${tokens} tokens, budget ${budget}` : '';
      return holds ? [] : [`${name} does not hold${why}.`];
    }),
  ];
}

/** The three checks of a pack, worked out from the pack itself. */
export function findChecks(
  { anchors }: Pick<LocalPack, 'anchors'>,
  tokens: number,
  budget: number,
): LocalPack['bloat_checks'] {
  return {
    dedup_ok: !hasDuplicate(anchors),
    within_budget: tokens <= budget,
    no_large_blobs: !hasLargeBlob(anchors),
  };
}

/** The same place twice, or ranges of one file that overlap. */
function hasDuplicate(anchors: LocalPack['anchors']): boolean {
  const seen = new Set<string>();
  const ranges = new Map<string, LineRange[]>();
  for (const { path, lines, ref } of anchors) {
    const name = `${path ?? ''}\0${lines ?? ''}\0${path === undefined ? (ref ?? '') : ''}`;
    if (seen.has(name)) return true;
    seen.add(name);
    const range = lines === undefined ? null : parseRange(lines);
    if (path === undefined || range === null) continue;
    const known = ranges.get(path) ?? [];
    if (known.some(other => overlaps(other, range))) return true;
    ranges.set(path, [...known, range]);
  }
  return false;
}

function hasLargeBlob(anchors: LocalPack['anchors']): boolean {
  return anchors.some(({ lines, kind }) => {
    const range = lines === undefined ? null : parseRange(lines);
    return (
      range !== null && (kind === 'code' || kind === 'test') && lengthOf(range) > longestExcerpt
    );
  });
}

/**
 * Whether anchors still show what they showed: lines that moved are followed, lines that changed are taken anew, files that went
 * are dropped.
 */
export interface CurrentFiles {
  /** Null when the file is gone or has no text any more. */
  readonly textOf: (path: string) => SourceText | null;
  /** Revision of what a pointer points at; null when it is gone. Undefined: it is no file, and cannot change. */
  readonly revisionOfRef: (ref: string) => string | null | undefined;
  /** Where the symbol an anchor is named after stands now; null when nobody knows. */
  readonly placeOf: (path: string, name: string) => LineRange | null;
  /** For changed lines: by how many lines their file has grown since, for they may stand that much further down. Else 0. */
  readonly growthOf: (anchor: PackAnchor) => number;
  readonly hash: (text: string) => string;
}

export type Refreshed = SideFile['refreshed'][number];

export interface FreshAnchors {
  readonly anchors: readonly PackAnchor[];
  /** The name of each anchor before, by the name it has now. */
  readonly formerNames: ReadonlyMap<string, string>;
  readonly refreshed: readonly Refreshed[];
  /** Names of anchors whose file is gone. */
  readonly dropped: readonly string[];
}

/** Lines of a file in which a moved excerpt is looked for. */
const longestFile = 50_000;

export function refreshAnchors(
  anchors: readonly PackAnchor[],
  current: CurrentFiles,
): FreshAnchors {
  const kept: PackAnchor[] = [];
  const formerNames = new Map<string, string>();
  const refreshed: Refreshed[] = [];
  const dropped: string[] = [];
  const looked = anchors.map(anchor => ({ anchor, fresh: refreshAnchor(anchor, current) }));
  const standing = looked.flatMap(({ fresh }) => (fresh?.action === null ? [fresh.anchor] : []));
  for (const { anchor, fresh } of looked) {
    const parts = fresh === null ? [] : withoutOverlap(fresh, [...standing, ...kept], current);
    const [first] = parts;
    if (first === undefined) dropped.push(anchorName(anchor));
    for (const part of parts) {
      kept.push(part.anchor);
      formerNames.set(anchorName(part.anchor), anchorName(anchor));
    }
    if (first === undefined || first.action !== null)
      refreshed.push({
        anchor: anchorName(anchor),
        old_rev: anchor.rev ?? '',
        new_rev: first?.anchor.rev ?? '',
        action: first?.action ?? 'dropped',
      });
  }
  return { anchors: kept, formerNames, refreshed, dropped };
}

interface Fresh {
  readonly anchor: PackAnchor;
  /** Null: nothing has changed. */
  readonly action: 'shifted' | 'retaken' | null;
}

function refreshAnchor(anchor: PackAnchor, current: CurrentFiles): Fresh | null {
  const { path, lines, rev, ref } = anchor;
  if (path === undefined)
    return refreshPointer(anchor, ref === undefined ? undefined : current.revisionOfRef(ref));
  const text = current.textOf(path);
  if (text === null) return null;
  const range = lines === undefined ? null : parseRange(lines);
  const now = revisionOf(text, range, current.hash);
  if (rev === undefined || now === rev) return { anchor, action: null };
  if (range === null) return { anchor: { ...anchor, rev: now }, action: 'retaken' };
  const moved = findMoved(text, range, rev, current.hash);
  if (moved !== null) return { anchor: withLines(anchor, moved), action: 'shifted' };
  const taken = retake(
    range,
    anchor.name === undefined ? null : current.placeOf(path, anchor.name),
    { lines: text.original.length, growth: current.growthOf(anchor) },
  );
  return taken === null
    ? null
    : {
        anchor: {
          ...withLines(anchor, taken),
          rev: revisionOf(text, taken, current.hash),
        },
        action: 'retaken',
      };
}

/** A pointer is called by its line. */
function withLines(anchor: PackAnchor, range: LineRange): PackAnchor {
  return {
    ...anchor,
    lines: formatRange(range),
    ...(isLinePointer(anchor) && { ref: `${anchor.path ?? ''}:${range.start}` }),
  };
}

function refreshPointer(anchor: PackAnchor, now: string | null | undefined): Fresh | null {
  if (now === undefined || anchor.rev === undefined || now === anchor.rev)
    return { anchor, action: null };
  return now === null ? null : { anchor: { ...anchor, rev: now }, action: 'retaken' };
}

/** The one other place that holds exactly these lines; null when there is none, or more than one. */
function findMoved(
  text: SourceText,
  range: LineRange,
  rev: string,
  hash: (text: string) => string,
): LineRange | null {
  const length = lengthOf(range);
  if (text.original.length > longestFile) return null;
  let found: LineRange | null = null;
  for (let start = 1; start + length - 1 <= text.original.length; start += 1) {
    const candidate = { start, end: start + length - 1 };
    if (revisionOf(text, candidate, hash) !== rev) continue;
    if (found !== null) return null;
    found = candidate;
  }
  return found;
}

/** As many lines from where the symbol starts now, else the same lines as far as the file goes; and what may have been pushed down. */
function retake(
  range: LineRange,
  symbol: LineRange | null,
  { lines, growth }: { readonly lines: number; readonly growth: number },
): LineRange | null {
  const start = symbol?.start ?? range.start;
  const end = Math.min(start + lengthOf(range) - 1 + growth, lines);
  return start <= end ? { start, end } : null;
}

/** What moved onto lines that are shown already is cut: what is left of it, before them and behind, in excerpts that are not too long. */
function withoutOverlap(fresh: Fresh, kept: readonly PackAnchor[], current: CurrentFiles): Fresh[] {
  const {
    anchor: { path, lines },
    action,
  } = fresh;
  const range = lines === undefined ? null : parseRange(lines);
  if (range === null || path === undefined || action === null) return [fresh];
  const taken = kept
    .filter(anchor => anchor.path === path)
    .flatMap(({ lines }) => (lines === undefined ? [] : (parseRange(lines) ?? [])));
  const text = current.textOf(path);
  if (text === null) return [];
  return subtract(range, taken)
    .flatMap(left => chunk(left, longestExcerpt))
    .map(left =>
      lengthOf(left) === lengthOf(range)
        ? fresh
        : {
            action: 'retaken',
            anchor: {
              ...fresh.anchor,
              lines: formatRange(left),
              rev: revisionOf(text, left, current.hash),
            },
          },
    );
}

/** A pack with everything a person may ask about it: what the entry points print. */
export interface PackReport {
  readonly pack: LocalPack;
  readonly rendered: string;
  readonly side: SideFile;
}
