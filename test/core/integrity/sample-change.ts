/** A change made of added and removed lines per file, for tests that need no repository. */
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';

/** Lines carry their mark: `+`, `-` or a space. The hunk begins at line 1 of both sides. */
export function changeOf(files: Readonly<Record<string, readonly string[]>>): Change {
  return {
    kind: 'change',
    source: 'range',
    base: null,
    head: null,
    title: 'A..B',
    warnings: [],
    files: Object.entries(files).map(([path, lines]) => fileOf(path, lines)),
  };
}

function fileOf(path: string, lines: readonly string[]): ChangedFile {
  const count = (marks: string): number =>
    lines.filter(line => marks.includes(line.charAt(0))).length;
  return {
    path,
    oldPath: null,
    status: 'modified',
    oldMode: '100644',
    newMode: '100644',
    oldId: '1'.repeat(40),
    newId: '2'.repeat(40),
    content: 'text',
    additions: count('+'),
    deletions: count('-'),
    hunks: [
      {
        oldStart: 1,
        oldLines: count('- '),
        newStart: 1,
        newLines: count('+ '),
        heading: '',
        lines: [...lines],
      },
    ],
  };
}
