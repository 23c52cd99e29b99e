// Asks the built-in analysers about a change: every remark of each, none cut off.
import { tmpdir } from 'node:os';
import { createSecretScanner } from '../../dist/checks/index.js';
import { analysers } from '../../dist/checks/world/runner.js';
import { analyserNames } from '../../dist/core/words/runner.js';

const world = { environment: { PATH: process.env.PATH }, temporaryFolder: tmpdir() };

/**
 * `read(path)` gives the new side of a file, or null.
 * @param {readonly import('../../dist/index.js').ChangedFile[]} files
 * @param {(path: string) => string | null} read
 */
export async function askPanel(files, read) {
  /** @type {import('../../dist/index.js').Change} */
  const change = {
    kind: 'change',
    source: 'range',
    base: null,
    head: null,
    title: '',
    warnings: [],
    files: [...files],
  };
  const remarks = [];
  const skipped = [];
  for (const name of analyserNames) {
    const analyse = await analysers[name]();
    const analysis = await analyse(
      {
        change,
        read: async (file, side) => (side === 'new' ? read(file.path) : null),
        scanner: createSecretScanner(),
        signal: new AbortController().signal,
      },
      world,
    );
    remarks.push(...analysis.remarks);
    skipped.push(...analysis.coverage.filter(({ extent }) => extent === 'skipped'));
  }
  return { remarks, skipped };
}

/**
 * Texts as the files of a change that adds them all.
 * @param {ReadonlyMap<string, string>} texts
 * @returns {import('../../dist/index.js').ChangedFile[]}
 */
export function asAdded(texts) {
  return [...texts].map(([path, text]) => {
    const lines = text.split('\n').slice(0, -1);
    return {
      path,
      oldPath: null,
      content: 'text',
      hunks: [
        {
          oldStart: 0,
          oldLines: 0,
          newStart: 1,
          newLines: lines.length,
          lines: lines.map(line => `+${line}`),
          heading: '',
        },
      ],
      status: 'added',
      oldMode: '000000',
      newMode: '100644',
      oldId: '0'.repeat(40),
      newId: '0'.repeat(40),
      additions: lines.length,
      deletions: 0,
    };
  });
}
