/** The three checks of a pack, worked out from the pack itself. */
import { longestExcerpt, type LocalPack } from './local-pack.ts';
import { lengthOf, overlaps, parseRange, type LineRange } from './line-range.ts';

export function findChecks({ anchors }: Pick<LocalPack, 'anchors'>, tokens: number, budget: number): LocalPack['bloat_checks'] {
  return { dedup_ok: !hasDuplicate(anchors), within_budget: tokens <= budget, no_large_blobs: !hasLargeBlob(anchors) };
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
    return range !== null && (kind === 'code' || kind === 'test') && lengthOf(range) > longestExcerpt;
  });
}
