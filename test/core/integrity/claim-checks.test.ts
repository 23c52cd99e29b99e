import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkClaim,
  type ClaimCheck,
  type TextAt,
  worthOfChecks,
} from '../../../src/core/integrity/claim-checks.ts';
import type { Finding, Location } from '../../../src/core/words/finding.ts';
import { sampleFinding, sampleLocation } from '../sample.ts';

const lines = [
  'export async function saveAll(list) {',
  '  for (const entry of list) await store.put(entry, { sync: true });',
  '  return list.length;',
  '}',
  ...Array.from({ length: 40 }, (_, index) => `// ${index}`),
  'function readLimit() {}',
];
const textAt: TextAt = () => ({ lines, added: new Set([2]) });
const at = (line: number | null, more: Partial<Location> = {}): Location =>
  sampleLocation({ line, endLine: null, checked: false, ...more });

function checked(finding: Partial<Finding>, text: TextAt = textAt): Record<string, boolean> {
  const made = checkClaim([sampleFinding({ location: at(2), ...finding })], text);
  return Object.fromEntries(made.map(({ check, holds }) => [check, holds]));
}

describe('what is looked up about a claim', () => {
  test('does the quoted line stand there?', () => {
    expect(checked({ text: 'It waits.', location: at(2, { checked: true }) })).toEqual({
      quote: true,
      added: true,
    });
    const lost = at(null, {
      anchoring: 'unanchored',
      note: 'The quoted text does not stand in the file.',
    });
    expect(checkClaim([sampleFinding({ text: 'It waits.', location: lost })], textAt)).toEqual([
      {
        check: 'quote',
        holds: false,
        sentence: 'The quoted text does not stand in the file.',
        worth: -0.6,
      },
    ]);
  });

  test.each([
    ['saveAll waits for each of them', true],
    ['`entry` may be null', true],
    ['put() is called in a loop', true],
    ['deleteAll waits for each of them', false],
    ['`missing_name` is undefined', false],
    // Defined far from the place: neither for nor against it.
    ['readLimit is ignored', undefined],
    // Prose, paths and acronyms are no names.
    ['the loop is slow, see src/store.ts or `./other.ts` for GitHub and TCP/IP', undefined],
  ])('do the names in "%s" stand near the place?', (text, holds) => {
    expect(checked({ text })['name']).toBe(holds);
  });

  test('is the place on an added line?', () => {
    expect(checked({ text: 'a' })).toEqual({ added: true });
    expect(checked({ text: 'a', location: at(3) })).toEqual({ added: false });
    expect(checked({ text: 'a', location: at(1, { endLine: 3 }) })).toEqual({ added: true });
    expect(checked({ text: 'a', location: at(2, { side: 'old' }) })).toEqual({});
  });

  test.each([
    ['Use `await store.put(entry, {sync: true})` here.', false],
    ['Write:\n```js\nreturn list.length;\n```', false],
    ['Replace `return list.length;` by a constant.', undefined],
    ['Replace `return list.length;` with `return list.size();`.', undefined],
    ['Use `await store.put(entry)`.', undefined],
    ['Use `store`.', undefined],
    ['Be careful.', undefined],
    [null, undefined],
  ])('does the fix "%s" stand there already?', (recommendation, holds) => {
    expect(checked({ text: 'a', recommendation })['fix']).toBe(holds);
  });

  test('nothing is said where nothing is known', () => {
    expect(checked({ text: 'saveAll waits', location: null })).toEqual({});
    expect(checked({ text: 'deleteAll waits' }, () => null)).toEqual({});
    expect(checked({ text: 'deleteAll waits' }, () => ({ lines: null, added: null }))).toEqual({});
    expect(checkClaim([], textAt)).toEqual([]);
  });

  test('one finding for which it holds is enough', () => {
    const made = checkClaim(
      [
        sampleFinding({ text: 'deleteAll waits', location: at(3) }),
        sampleFinding({ text: 'saveAll waits', location: at(2) }),
      ],
      textAt,
    );
    expect(made.map(({ check, holds }) => [check, holds])).toEqual([
      ['name', true],
      ['added', true],
    ]);
  });

  test('all of them move less than an unknown reviewer does, whatever a finding says', () => {
    const any = fc.record({
      text: fc.string(),
      evidence: fc.option(fc.string()),
      recommendation: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 60 }), (said, line) => {
        const made = checkClaim([sampleFinding({ ...said, location: at(line) })], textAt);
        expect(Math.abs(worthOfChecks(made))).toBeLessThan(Math.log(0.7 / 0.3));
      }),
    );
    const worst: ClaimCheck[] = (['quote', 'name', 'added', 'fix'] as const).map(check => ({
      check,
      holds: false,
      sentence: '',
      worth: -0.6,
    }));
    expect(worthOfChecks(worst)).toBe(-0.8);
  });
});
