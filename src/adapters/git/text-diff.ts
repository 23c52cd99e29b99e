/**
 * Hunks of pairs of blobs, from git. The pairs go into two trees of the engine's own under numbers for names: no path,
 * attribute or rename of the repository can touch how they are compared or read.
 */
import type { Hunk } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import { readHunks } from './hunks.ts';
import { firstLine, type Shadow } from './shadow.ts';

/** Ids of regular blobs; null where the side has nothing to compare. */
export interface BlobPair {
  readonly oldId: string | null;
  readonly newId: string | null;
}

export interface TextDiff {
  readonly hunks: Hunk[];
  readonly additions: number;
  readonly deletions: number;
}

const maxPatchBytes = 256 * 1024 * 1024;

/** One result per pair, in order. Throws `UserError` when the patch is larger than 256 MiB. */
export async function diffBlobs(shadow: Shadow, pairs: readonly BlobPair[]): Promise<TextDiff[]> {
  const [oldTree, newTree] = await Promise.all([writeTree(shadow, pairs.map(pair => pair.oldId)), writeTree(shadow, pairs.map(pair => pair.newId))]);
  const words = [
    'diff-tree', '-r', '--numstat', '-p', '-U3', '--no-renames', '--text', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index',
    '--diff-algorithm=histogram', '--src-prefix=a/', '--dst-prefix=b/', '--no-relative', '--submodule=short', '--ignore-submodules=none',
    '--end-of-options', oldTree, newTree, '--',
  ];
  const { code, stdout, stderr } = await runGit(shadow.program, words, { maxBytes: maxPatchBytes });
  if (code !== 0) throw new UserError(`The change cannot be read: ${firstLine(stderr)}.`, { kind: 'input' });
  return parsePatch(stdout.toString('utf8').split('\n'), pairs.length);
}

async function writeTree({ program }: Shadow, ids: readonly (string | null)[]): Promise<string> {
  const input = ids.map((id, index) => (id === null ? '' : `100644 blob ${id}\t${numberName(index)}\0`)).join('');
  const { code, stdout, stderr } = await runGit(program, ['mktree', '-z', '--missing'], { input });
  if (code !== 0) throw new Error(`git mktree failed: ${stderr}`);
  return stdout.toString('utf8').trim();
}

function numberName(index: number): string {
  return String(index).padStart(8, '0');
}

function parsePatch(lines: readonly string[], count: number): TextDiff[] {
  const results = Array.from({ length: count }, (): TextDiff => ({ hunks: [], additions: 0, deletions: 0 }));
  const counts = readCounts(lines);
  for (let at = counts.size; at < lines.length; at++) {
    const index = /^diff --git a\/(\d{8}) b\/\d{8}$/.exec(lines[at] ?? '')?.[1];
    if (index === undefined) continue;
    while (at + 1 < lines.length && !/^(?:@@ |diff --git )/.test(lines[at + 1] ?? '')) at++;
    const { hunks, additions, deletions, next, complete } = readHunks(lines, at + 1);
    // Two countings of the same change: a patch that was misread must not look like a small one.
    if (!complete || counts.get(index) !== `${additions}\t${deletions}`) throw new Error(`The patch of pair ${index} does not add up.`);
    results[Number(index)] = { hunks, additions, deletions };
    at = next - 1;
  }
  return results;
}

/** Lines `additions, tab, deletions, tab, name`, before the patch. */
function readCounts(lines: readonly string[]): Map<string, string> {
  const counts = new Map<string, string>();
  for (const line of lines) {
    const match = /^(\d+\t\d+)\t(\d{8})$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) return counts;
    counts.set(match[2], match[1]);
  }
  return counts;
}
