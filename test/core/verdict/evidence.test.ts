import { expect, it } from 'vitest';
import { openEvidence } from '../../../src/core/verdict/readings.ts';
import { sampleChange, sampleFile, sampleReview } from '../sample.ts';
import { rulesOf, sampleSeat } from './panel.ts';

it.each([
  ['a binary file', { content: 'binary' }, 'partial'],
  ['a file too large to show', { content: 'too-large' }, 'partial'],
  ['a deleted binary file', { content: 'binary', status: 'deleted' }, 'full'],
  ['a binary file that was only renamed', { content: 'binary', newId: '1'.repeat(40) }, 'full'],
  ['a submodule', { content: 'submodule' }, 'partial'],
  ['a submodule that is accepted', { content: 'submodule', accepted: 'submodule' }, 'full'],
] as const)('%s, all of which is told to be read, is read as: %s', (_what, changes, extent) => {
  const open = openEvidence({
    plan: { run: 'run', seats: [sampleSeat('alpha')], spending: null, gaps: [] },
    rules: rulesOf('review').rules,
    subject: sampleChange({ files: [sampleFile({ path: 'x', ...changes })] }),
    reviews: [sampleReview({ coverage: [{ path: 'x', extent: 'full', why: null }] })],
    approvals: [],
    skipSecurity: null,
  });
  expect(open([]).matrix[0]?.cells[0]?.extent).toBe(extent);
});
