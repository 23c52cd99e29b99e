/** Where a comment about a claim can stand in the diff of a pull request: GitHub takes lines of its hunks and no others. */
import type { DiffPlace, PullFile } from '../ports/code-host.ts';
import type { Change } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';

/** Null where it cannot: no line is known, the place was not found or is one of several, or the diff does not show it. */
export function placeInDiff(
  { location }: Pick<Claim, 'location'>,
  files: ReadonlyMap<string, PullFile>,
): DiffPlace | null {
  if (location === null || location.line === null) return null;
  const { path, line, side, anchoring } = location;
  if (anchoring !== 'exact' && anchoring !== 'moved') return null;
  const [start, length] =
    side === 'new' ? (['newStart', 'newLines'] as const) : (['oldStart', 'oldLines'] as const);
  const hunk = files
    .get(path)
    ?.hunks.find(one => line >= one[start] && line < one[start] + one[length]);
  if (hunk === undefined) return null;
  // Both ends of a range must lie in one hunk.
  const endLine = Math.min(
    Math.max(line, location.endLine ?? line),
    hunk[start] + hunk[length] - 1,
  );
  return { path, side, line, endLine };
}

/** The diff of the host as the change that a memory looks at. Ids and modes are unknown. */
export function changeOf(
  files: readonly PullFile[],
  { base, head }: { readonly base: string; readonly head: string },
): Change {
  const zero = '0'.repeat(40);
  return {
    kind: 'change',
    source: 'range',
    base,
    head,
    title: '',
    warnings: [],
    files: files.map(({ path, oldPath, status, hunks }) => ({
      path,
      oldPath,
      status,
      hunks: [...hunks],
      oldMode: '000000',
      newMode: '000000',
      oldId: zero,
      newId: zero,
      content: 'text',
      additions: 0,
      deletions: 0,
    })),
  };
}
