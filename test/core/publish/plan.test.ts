import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../src/agreement/calibrated.ts';
import { planPublication, readOwn } from '../../../src/core/publish/plan.ts';
import { settle, type Settled } from '../../../src/core/publish/settle.ts';
import type { PullFile } from '../../../src/core/ports/repository.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { publicationTexts } from '../../../src/render/publish/comments.ts';
import { packer } from '../../packer.ts';
import { at, claim, finding, review, runOf } from '../../render/sample-run.ts';
import { sampleHunk } from '../sample.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
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
    hash,
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
