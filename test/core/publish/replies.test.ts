import { expect, test } from 'vitest';
import { claimMarker } from '../../../src/core/publish/marker.ts';
import { decisionsIn, ownThreads } from '../../../src/core/publish/replies.ts';

const marker = `${claimMarker({ claim: 'c-0123456789', standing: 'open', known: null })}\n`;
const comment = (body: string, parts = {}) => ({
  id: 1,
  body,
  isOwn: false,
  author: 'ada',
  at: '2026-11-25T12:00:00Z',
  ...parts,
});
const threadOf = (...replies: ReturnType<typeof comment>[]) => ({
  id: 'T',
  isResolved: false,
  comments: [comment(marker, { isOwn: true, author: null }), ...replies],
});
const decided = (body: string, parts = {}): unknown[] =>
  ownThreads([threadOf(comment(body, parts))]).flatMap(decisionsIn);

test.each([
  ['/jury dismiss it is never empty', 'rejected', 'it is never empty'],
  ['/jury  dismiss\tit is so  \r\nand more words', 'rejected', 'it is so'],
  ['/jury accept', 'accepted', ''],
  ['/jury accept reproduced\u202E', 'accepted', 'reproduced⟦U+202E⟧'],
])('%j decides', (body, verdict, reason) => {
  expect(decided(body)).toMatchObject([{ claim: 'c-0123456789', verdict, reason, by: 'ada' }]);
});

test.each([
  '/jury dismiss',
  '/jury dismiss  ',
  ' /jury dismiss x',
  '> /jury dismiss x',
  'please\n/jury dismiss x',
  '/jury dismissed x',
  '/JURY dismiss x',
  '/jury close',
  '/jurydismiss x',
  '',
])('%j decides nothing', body => {
  expect(decided(body)).toEqual([]);
});

test('neither the own account decides nor one that is gone', () => {
  expect(decided('/jury dismiss x', { isOwn: true })).toEqual([]);
  expect(decided('/jury dismiss x', { author: null })).toEqual([]);
});

test('a thread is ours where its first comment is, with a marker', () => {
  const foreign = { ...threadOf(), comments: [comment(marker), comment('/jury dismiss x')] };
  const bare = { ...threadOf(), comments: [comment('words', { isOwn: true })] };
  const answered = {
    ...threadOf(),
    comments: [comment('words'), comment(marker, { isOwn: true })],
  };
  expect(ownThreads([foreign, bare, answered, { ...threadOf(), comments: [] }])).toEqual([]);
});
