import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findFingerprint,
  isGone,
  fingerprintFile,
  fingerprintPlace,
} from '../../../src/core/change/snapshot.ts';
import { KnownClaim } from '../../../src/core/words/run.ts';

const fingerprinted = (text: string) => fingerprintFile(text);
const source = 'one();\n\nif (two) {\n  three();\n}\nfour();\n';

describe('the fingerprint of a place', () => {
  it('holds the line with one above and one below, and marks lines of brackets', () => {
    const code = fingerprintPlace(fingerprinted(source), 4, null) ?? '';
    expect(KnownClaim.shape.code.safeParse(code).success).toBe(true);
    expect(code.split(' ').map(fingerprint => fingerprint.replace(/[0-9a-f]{8}/, ''))).toEqual([
      '',
      '>',
      '~',
    ]);
  });

  it('is found again when lines above it come and blanks change', () => {
    const code = fingerprintPlace(fingerprinted(source), 4, null) ?? '';
    expect(
      findFingerprint(
        fingerprinted(`// new\n\n${source.replace('  three()', '\tthree( )')}`),
        code,
        4,
      ),
    ).toEqual({ line: 6, isWhole: true });
  });

  it('is not whole when a line beside it changes, and nowhere when its own line does', () => {
    const code = fingerprintPlace(fingerprinted(source), 4, null) ?? '';
    expect(findFingerprint(fingerprinted(source.replace('two', 'other')), code, 4)).toEqual({
      line: 4,
      isWhole: false,
    });
    expect(findFingerprint(fingerprinted(source.replace('three', 'other')), code, 4)).toBeNull();
  });

  it('takes the nearest of several places', () => {
    const text = 'a(1);\nb(1);\nc(1);\n'.repeat(20);
    const code = fingerprintPlace(fingerprinted(text), 29, null) ?? '';
    expect(findFingerprint(fingerprinted(`// new\n${text}`), code, 29)?.line).toBe(30);
  });

  it('is the line below for a blank line, and none for an empty file', () => {
    expect(fingerprintPlace(fingerprinted(source), 2, null)).toBe(
      fingerprintPlace(fingerprinted(source), 3, null),
    );
    expect(fingerprintPlace(fingerprinted(' \n\n'), 1, null)).toBeNull();
    expect(fingerprintPlace(fingerprinted('a();\n'), 99, null)).toBe(
      fingerprintPlace(fingerprinted('a();\n'), 1, null),
    );
  });

  it('is gone when none of its telling lines stands any more', () => {
    const code = fingerprintPlace(fingerprinted(source), 4, null) ?? '';
    expect(isGone(fingerprinted('}\n{\n'), code)).toBe(true);
    expect(isGone(fingerprinted('if (two) {\n'), code)).toBe(false);
    expect(
      isGone(fingerprinted('x();\n'), fingerprintPlace(fingerprinted('}\n'), 1, null) ?? ''),
    ).toBe(false);
  });
});

describe('any file', () => {
  const anyLines = fc.array(
    fc.oneof(fc.constantFrom('', '}', '  {', 'a();', 'b();'), fc.string({ maxLength: 8 })),
    { minLength: 1, maxLength: 30 },
  );

  it('shows every place where it fingerprinted it, whatever is put before and behind', () =>
    fc.assert(
      fc.property(
        anyLines,
        fc.nat(29),
        fc.nat(12),
        anyLines,
        anyLines,
        (lines, at, span, before, behind) => {
          const text = lines.join('\n');
          const code = fingerprintPlace(fingerprinted(text), at + 1, at + 1 + span);
          fc.pre(code !== null);
          expect(findFingerprint(fingerprinted(text), code, at + 1)?.isWhole).toBe(true);
          expect(
            findFingerprint(fingerprinted([...before, text, ...behind].join('\n')), code, null)
              ?.isWhole,
          ).toBe(true);
          expect(isGone(fingerprinted(text), code)).toBe(false);
        },
      ),
    ));
});
