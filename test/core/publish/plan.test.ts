import { describe, expect, it, test } from 'vitest';
import { createMatcher } from '../../../src/agreement/calibrated.ts';
import { planPublication, readOwn, decisionsIn } from '../../../src/core/publish/plan.ts';
import {
  settle,
  type Settled,
  inlineBody,
  type PostedClaim,
  readClaimMarker,
  readSummaryMarker,
  summaryMarker,
  withoutMarker,
} from '../../../src/core/publish/settle.ts';
import type { PullFile, HostComment } from '../../../src/core/ports/repository.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { publicationTexts } from '../../../src/render/publish/comments.ts';
import { packer } from '../../packer.ts';
import { at, claim, finding, review, runOf } from '../../render/sample-run.ts';
import { sampleHunk, sampleKnownClaim } from '../sample.ts';
import { cut } from '../../../src/core/text.ts';
import { payloads } from '../../render/payloads.ts';

const hunk = sampleHunk([1, 5], [1, 40]);
const files: PullFile[] = [{ path: 'a.ts', oldPath: null, status: 'modified', hunks: [hunk] }];
const nothing = readOwn({ comments: [], threads: [] }, packer);
const longestComment = 60_000;

function claimsOf(amount: number, text: (index: number) => string, parts: Partial<Claim> = {}) {
  return Array.from({ length: amount }, (_, index) =>
    claim(
      index,
      [
        finding(
          { reviewer: 'alpha', text: text(index), location: at('a.ts', (index % 40) + 1) },
          index + 1,
        ),
      ],
      parts,
    ),
  );
}

async function settled(claims: readonly Claim[]) {
  const { record } = runOf([review('alpha', [])], claims, { outcome: 'FAIL' });
  return settle({
    record: { ...record, exitCode: 1 },
    head: 'a'.repeat(40),
    base: 'b'.repeat(40),
    known: [],
    heard: null,
    dispositions: [],
    files,
    texts: new Map(),
    matcher: createMatcher('calibrated'),
  });
}

const placeOf = (location: Claim['location']) => {
  const { record } = runOf(
    [],
    [claim(1, [finding({ reviewer: 'alpha', text: 'Wrong', location }, 1)])],
  );
  const { inline } = planPublication({ record, fixed: [], known: new Map() }, nothing, files);
  return inline[0]?.place ?? null;
};
const place = (line: number | null, rest = {}) => placeOf(at('a.ts', line, rest));

describe('where a comment can stand', () => {
  it('stands in a hunk, on the side that is meant, and ends with it', () => {
    expect(place(40)).toEqual({ path: 'a.ts', side: 'new', line: 40, endLine: 40 });
    expect(place(38, { endLine: 60 })).toMatchObject({ line: 38, endLine: 40 });
    expect(place(5, { endLine: 3 })).toMatchObject({ line: 5, endLine: 5 });
    expect(place(5, { side: 'old' })).toMatchObject({ side: 'old', line: 5 });
  });

  it('stands nowhere else', () => {
    expect(place(41)).toBeNull();
    expect(place(6, { side: 'old' })).toBeNull();
    expect(place(null)).toBeNull();
    expect(place(3, { anchoring: 'ambiguous' })).toBeNull();
    expect(place(3, { anchoring: 'unanchored' })).toBeNull();
    expect(placeOf(at('b.ts', 1))).toBeNull();
    expect(placeOf(null)).toBeNull();
  });
});

describe('what is planned', () => {
  it('posts so many and counts the others, the most important first', async () => {
    const claims = claimsOf(30, index => `Trouble number ${index} of the module`);
    const grave = { ...claims[29], severity: 'critical' as const } as Claim;
    const plan = planPublication(await settled([...claims.slice(0, 29), grave]), nothing, files);
    expect(plan.inline).toHaveLength(20);
    expect(plan.inline[0]?.claim.id).toBe(grave.id);
    expect(plan.beyond).toBe(10);
  });

  it('keeps what is not worth the time of a person, and what is dismissed, in the summary', async () => {
    const [one, two] = [
      await settled(claimsOf(3, String, { act: false })),
      await settled(claimsOf(3, String, { state: 'dismissed' })),
    ];
    expect(planPublication(one, nothing, files).inline).toEqual([]);
    expect(planPublication(two, nothing, files).inline).toEqual([]);
  });
});

const view = (of: Settled) => ({
  record: of.record,
  head: 'a'.repeat(40),
  atLines: new Set<string>(),
  fixed: [],
  beyond: 0,
  deleted: 0,
  troubles: [],
});

describe('texts of any size', () => {
  it('20,000 claims: the summary is cut by importance and says so', async () => {
    const of = await settled(claimsOf(20_000, index => `Trouble ${index} ${'long '.repeat(50)}`));
    const text = publicationTexts.summary(view(of), longestComment);
    expect(text.length).toBeLessThanOrEqual(longestComment);
    expect(text).toMatch(/\d{5} more, less important than these, are left out/);
    expect(planPublication(of, nothing, files).beyond).toBe(19_980);
  });

  it.each(['x', '\u202E', '` ', '@a b '])('texts of 1 MB of %j in every field', async piece => {
    const data = piece.repeat(1_000_000 / piece.length);
    const said = {
      ...finding({ reviewer: 'alpha', text: data, location: at('a.ts', 3) }, 1),
      recommendation: data,
      evidence: data,
    };
    const claims = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((_, index) =>
      claim(index, [said], {
        against: Array.from({ length: 30 }, () => ({
          reviewer: data,
          finding: '',
          statement: data,
        })),
      }),
    );
    const { record } = runOf([review('alpha', [])], claims, {
      outcome: 'FAIL',
      reasons: Array.from({ length: 50 }, () => ({
        rule: 'quorum' as const,
        effect: 'INCOMPLETE' as const,
        subject: data,
        sentence: data,
      })),
    });
    const full = {
      ...view({ record, fixed: [], known: new Map() }),
      fixed: Array.from({ length: 50 }, () => ({
        id: 'c',
        severity: 'low' as const,
        text: data,
        location: null,
        reason: data,
      })),
      troubles: Array.from({ length: 50 }, () => data),
    };
    for (const longest of [longestComment, 35_000])
      expect(publicationTexts.summary(full, longest).length).toBeLessThanOrEqual(longest);
    const [first] = claims;
    if (first !== undefined)
      expect(publicationTexts.inline(first, record).length).toBeLessThanOrEqual(45_000);
    expect(publicationTexts.title(record).length).toBeLessThan(255);
    for (const { title, message } of publicationTexts.annotations(record)) {
      expect(title.length).toBeLessThanOrEqual(255);
      expect(message.length).toBeLessThanOrEqual(65_535);
    }
  });
});

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

const id = 'c-0123456789';

test.each([...payloads, '-->', '--!>', '\u{1F600}', '\uD800'])(
  'a claim of any words comes back as it was: %j',
  words => {
    const known = sampleKnownClaim({ id, text: words, path: words, wordings: [] });
    const body = inlineBody(
      { claim: id, standing: 'fixed', known },
      'a notice',
      'the text',
      packer,
    );
    const [marker = ''] = body.split('\n');
    expect(marker).toMatch(/^<!-- jury:claim c-0123456789 fixed [\w-]+ -->$/);
    const read = readClaimMarker(body.replaceAll('\n', '\r\n'), packer);
    expect(read).toMatchObject({ claim: id, standing: 'fixed' });
    // What is no character at all cannot be kept.
    if (Buffer.from(words).toString() === words)
      expect(read?.known).toMatchObject({ text: cut(words, 200), path: words });
    expect(withoutMarker(body)).toBe('the text');
  },
);

test('a marker of another claim, of other data or anywhere else is none', () => {
  const known = sampleKnownClaim({ id: 'c-ffffffffff' });
  expect(
    readClaimMarker(inlineBody({ claim: id, standing: 'open', known }, null, '', packer), packer)
      ?.known,
  ).toBeNull();
  for (const data of ['e30', 'bnVsbA', '-', '_', '%%', 'e'.repeat(9_999)])
    expect(
      readClaimMarker(`<!-- jury:claim ${id} open ${data} -->\n`, packer)?.known ?? null,
    ).toBeNull();
  const marker = `<!-- jury:claim ${id} open - -->`;
  for (const body of [
    '',
    marker,
    ` ${marker}\n`,
    `> ${marker}\n`,
    `text\n${marker}\n`,
    marker.replace(id, 'c-x'),
  ])
    expect(readClaimMarker(body, packer)).toBeNull();
});

const words = (index: number) =>
  Array.from({ length: 30 }, (_, at) => ((index + 1) * (at + 7919) ** 3).toString(36)).join(' ');

test('what does not fit is kept of the latest claims, and those that are fixed go first', () => {
  const posted = Array.from({ length: 500 }, (_, index) =>
    sampleKnownClaim({
      id: `c-${String(index).padStart(10, '0')}`,
      text: words(index),
      history: [{ run: 'r', at: '', state: index >= 490 ? 'fixed' : 'new', confidence: null }],
    }),
  );
  const state = { run: 'r', head: 'a'.repeat(40), created: '2026-11-25T12:00:00.000Z', posted };
  const marker = summaryMarker(state, packer);
  expect(marker.length).toBeLessThan(30_100);
  const kept = readSummaryMarker(`${marker}\n`, packer)?.state?.posted ?? [];
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.at(-1)?.id).toBe('c-0000000489');
  expect(readSummaryMarker('<!-- jury:summary e30 -->\n', packer)).toEqual({ state: null });
});

test('a claim of a megabyte leaves the marker short', () => {
  const noise = Array.from({ length: 50_000 }, (_, at) => (at * 7919 ** 2).toString(36)).join('');
  const known = sampleKnownClaim({ id, path: noise, text: 't'.repeat(1_000_000) });
  expect(inlineBody({ claim: id, standing: 'open', known }, null, '', packer)).toBe(
    `<!-- jury:claim ${id} open - -->\n`,
  );
});
