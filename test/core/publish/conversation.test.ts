import { expect, test } from 'vitest';
import { decisionsIn, readOwn } from '../../../src/core/publish/plan.ts';
import { inlineBody, type PostedClaim } from '../../../src/core/publish/settle.ts';
import type { HostComment } from '../../../src/core/ports/repository.ts';
import { packer } from '../../packer.ts';
import { sampleKnownClaim } from '../sample.ts';

const known: PostedClaim = sampleKnownClaim({ id: 'c-0123456789' });
const bodyOf = (claim: PostedClaim) =>
  inlineBody({ claim: claim.id, standing: 'open', known: claim }, null, '', packer);
const comment = (body: string, parts: Partial<HostComment> = {}): HostComment => ({
  kind: 'pulls',
  id: 1,
  body,
  isOwn: false,
  author: 'ada',
  at: '2026-11-25T12:00:00Z',
  ...parts,
});
const threadOf = (first: HostComment | null, ...replies: HostComment[]) => ({
  id: 'T',
  isResolved: false,
  comments: [...(first ? [first] : []), ...replies],
});
const ours = (claim = known) => comment(bodyOf(claim), { isOwn: true, author: null });
const decided = (body: string, parts: Partial<HostComment> = {}, claim = known) =>
  decisionsIn(
    readOwn({ comments: [], threads: [threadOf(ours(claim), comment(body, parts))] }, packer),
  );

test.each([
  ['/jury dismiss it is never empty', 'rejected', 'it is never empty (ada)'],
  ['/jury  dismiss\tit is so  \r\nand more words', 'rejected', 'it is so (ada)'],
  ['/jury accept', 'accepted', '(ada)'],
  ['/jury accept reproduced\u202E', 'accepted', 'reproduced⟦U+202E⟧ (ada)'],
])('%j decides', (body, verdict, reason) =>
  expect(decided(body)).toMatchObject([
    { by: 'ada', disposition: { claim: 'c-0123456789', verdict, reason } },
  ]),
);

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
])('%j decides nothing', body => expect(decided(body)).toEqual([]));

test('neither the own account decides nor one that is gone, nor a reply about other code', () => {
  expect(decided('/jury dismiss x', { isOwn: true })).toEqual([]);
  expect(decided('/jury dismiss x', { author: null })).toEqual([]);
  const later = { ...known, heard: '2026-11-25T12:00:00Z' };
  expect(decided('/jury dismiss x', {}, later)).toEqual([]);
  expect(decided('/jury dismiss x', { at: '2026-11-25T12:00:01Z' }, later)).toHaveLength(1);
});

test('a thread is ours where its first comment is, with a marker', () => {
  const marker = bodyOf(known);
  const threads = [
    threadOf(comment(marker), comment('/jury dismiss x')),
    threadOf(comment('words', { isOwn: true })),
    threadOf(comment('words'), comment(marker, { isOwn: true })),
    threadOf(null),
  ];
  expect(readOwn({ comments: [], threads }, packer)).toMatchObject({ threads: [], posted: [] });
});
