import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintClaims } from '../../../src/render/formats/entries.ts';
import { at, claim, finding } from '../sample-run.ts';

const rule = () => 'rule';

function placed(number: number, line: number, text = 'Trouble') {
  return claim(0x1000000 + number, [
    finding({ reviewer: 'alpha', text, location: at('a.ts', line) }, number),
  ]);
}

const frameAt = (line: number, code: string) => ({
  first: line,
  lines: [code, 'next'],
  from: line,
  to: line,
});

describe('the fingerprint of a claim', () => {
  it('stays when lines above it come and go, when white space changes, and when other words are found for it', () => {
    const [one, moved] = [placed(1, 10), { ...placed(2, 99, 'The same in other words') }];
    const before = fingerprintClaims(
      { claims: [one], frames: { [one.id]: frameAt(10, '  return a+b;') } },
      rule,
    );
    const after = fingerprintClaims(
      { claims: [moved], frames: { [moved.id]: frameAt(99, '\treturn a + b;') } },
      rule,
    );
    expect(before.get(one.id)).toMatch(/^[0-9a-f]{16}:1$/);
    expect(after.get(moved.id)).toBe(before.get(one.id));
  });

  it('differs by file, by rule and by code', () => {
    const one = placed(1, 10);
    const print = (code: string, name: string, path = 'a.ts') =>
      fingerprintClaims(
        {
          claims: [{ ...one, location: at(path, 10) }],
          frames: { [one.id]: frameAt(10, code) },
        },
        () => name,
      ).get(one.id);
    const all = [print('x', 'r'), print('y', 'r'), print('x', 's'), print('x', 'r', 'b.ts')];
    expect(new Set(all).size).toBe(4);
  });

  it('is one of its own for each claim, in whatever order they come, counted down the file', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), lines => {
        const claims = lines.map((line, index) => placed(index, line));
        const frames = Object.fromEntries(
          claims.map(({ id }, index) => [id, frameAt(lines[index] ?? 1, 'same')]),
        );
        const prints = fingerprintClaims({ claims, frames }, rule);
        expect(new Set(prints.values()).size).toBe(claims.length);
        const others = fingerprintClaims({ claims: claims.toReversed(), frames }, rule);
        for (const [id, print] of prints) expect(others.get(id)).toBe(print);
      }),
    ));
});
