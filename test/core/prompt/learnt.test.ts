import { describe, expect, it } from 'vitest';
import type { Disposition } from '../../../src/core/words/run.ts';
import { learnFrom } from '../../../src/core/prompt/prompt.ts';
import { mostTokensOf } from '../../../src/core/text.ts';
import { sampleDisposition } from '../sample.ts';

const decision = (changes: Partial<Disposition> = {}) =>
  sampleDisposition({
    reason: 'never empty',
    at: '2026-01-01T00:00:00.000Z',
    path: 'src/a.ts',
    text: 'The list may be empty',
    ...changes,
  });

/** As many decisions about one file, the first made last. */
const many = (amount: number, changes: Partial<Disposition> = {}) =>
  Array.from({ length: amount }, (_, index) =>
    decision({
      claim: `c-${String(index).padStart(10, '0')}`,
      at: `2026-01-01T00:00:${String(59 - index).padStart(2, '0')}.000Z`,
      text: `Number ${index}`,
      ...changes,
    }),
  );

const asked = { paths: ['src/a.ts'], day: '2026-06-01' };

describe('what is learnt from decisions', () => {
  it.each([
    ['rejected', 'dismissed as false: src/a.ts: The list may be empty (because: never empty)'],
    [
      'tolerated',
      'dismissed, true and staying: src/a.ts: The list may be empty (because: never empty)',
    ],
    ['accepted', 'confirmed: src/a.ts: The list may be empty (because: never empty)'],
  ] as const)('says of a claim that is %s what was decided, about what and why', (verdict, line) =>
    expect(learnFrom([decision({ verdict })], asked)).toEqual([line]),
  );

  it('leaves out what has run out, and counts the latest decision about a claim', () => {
    expect(learnFrom([decision({ until: '2026-05-31' })], asked)).toEqual([]);
    expect(learnFrom([decision({ until: '2026-06-01' })], asked)).toHaveLength(1);
    const later = decision({ verdict: 'accepted', at: '2026-02-01T00:00:00.000Z' });
    expect(learnFrom([later, decision()], asked)).toEqual([expect.stringMatching(/^confirmed/)]);
  });

  it('tells how far a decision reaches beyond its claim', () => {
    expect(learnFrom([decision({ scope: 'file' })], asked)[0]).toMatch(
      /^dismissed as false with all else of this file up to high: src\/a\.ts/,
    );
    expect(learnFrom([decision({ scope: 'category', category: 'style' })], asked)[0]).toMatch(
      /with all else of category style up to high/,
    );
  });

  it('begins with the files of the change, then those beside them, the newest of each first', () => {
    const lines = learnFrom(
      [
        decision({ claim: 'c-1', path: 'lib/z.ts', text: 'far', at: '2026-05-01T00:00:00.000Z' }),
        decision({ claim: 'c-2', path: 'src/b.ts', text: 'beside' }),
        decision({ claim: 'c-3', text: 'old' }),
        decision({ claim: 'c-4', text: 'new', at: '2026-03-01T00:00:00.000Z' }),
        decision({ claim: 'c-5', path: null, text: 'nowhere', at: '2026-04-01T00:00:00.000Z' }),
      ],
      asked,
    );
    expect(lines.map(line => /(far|beside|old|new|nowhere) \(/.exec(line)?.[1])).toEqual([
      'new',
      'old',
      'beside',
      'far',
      'nowhere',
    ]);
  });

  it('is short, whatever was written: so many lines, each cut and on one line, and so many tokens', () => {
    expect(learnFrom(many(40), asked)).toHaveLength(12);
    const long = 'word\n\u001B[2J\u202E'.repeat(2_000);
    const lines = learnFrom(
      many(40, { text: long, reason: long, path: `${'a/'.repeat(500)}b` }),
      asked,
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.every(line => !/[\n\u001B\u202E]/.test(line) && line.length < 500)).toBe(true);
    expect(lines.reduce((sum, line) => sum + mostTokensOf(line), 0)).toBeLessThanOrEqual(2_000);
  });

  it('is the same whatever order decisions are kept in', () => {
    const all = many(5);
    expect(learnFrom(all.toReversed(), asked)).toEqual(learnFrom(all, asked));
  });
});
