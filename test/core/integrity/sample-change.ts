/** A change made of added and removed lines per file, for tests that need no repository. */
import type { Change } from '../../../src/core/words/change.ts';
import { sampleChange, sampleFile, sampleHunk } from '../sample.ts';

/** Lines carry their mark: `+`, `-` or a space. The hunk begins at line 1 of both sides. */
export function changeOf(files: Readonly<Record<string, readonly string[]>>): Change {
  return sampleChange({
    files: Object.entries(files).map(([path, lines]) => fileOf(path, lines)),
  });
}

function fileOf(path: string, lines: readonly string[]) {
  const count = (marks: string) => lines.filter(line => marks.includes(line.charAt(0))).length;
  return sampleFile({
    path,
    additions: count('+'),
    deletions: count('-'),
    hunks: [sampleHunk([1, count('- ')], [1, count('+ ')], [...lines])],
  });
}
