/** What the engine finds in one line that a change adds to a file. */
import { findInChange } from '../../../src/core/safety/engine-finding.ts';
import { sampleChange, sampleFile } from '../sample.ts';

export function foundIn(path: string, line: string) {
  const hunk = { oldStart: 2, oldLines: 0, newStart: 3, newLines: 1, heading: '' };
  const change = sampleChange({
    files: [sampleFile({ path, hunks: [{ ...hunk, lines: [`+${line}`] }] })],
  });
  return findInChange({ change, secrets: [], claims: [], analysers: new Set(), blocking: [] });
}
