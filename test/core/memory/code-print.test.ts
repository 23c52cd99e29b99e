import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePrintPattern, findPrint, isGone, printFile, printPlace } from '../../../src/core/memory/code-print.ts';
import { sha256 } from '../consensus/sample.ts';

const printed = (text: string): ReturnType<typeof printFile> => printFile(text, sha256);
const source = 'one();\n\nif (two) {\n  three();\n}\nfour();\n';

describe('the print of a place', () => {
  it('holds the line with one above and one below, and marks lines of brackets', () => {
    const code = printPlace(printed(source), 4, null) ?? '';
    expect(code).toMatch(codePrintPattern);
    expect(code.split(' ').map(print => print.replace(/[0-9a-f]{8}/, ''))).toEqual(['', '>', '~']);
  });

  it('is found again when lines above it come and blanks change', () => {
    const code = printPlace(printed(source), 4, null) ?? '';
    expect(findPrint(printed(`// new\n\n${source.replace('  three()', '\tthree( )')}`), code, 4)).toEqual({ line: 6, isWhole: true });
  });

  it('is not whole when a line beside it changes, and nowhere when its own line does', () => {
    const code = printPlace(printed(source), 4, null) ?? '';
    expect(findPrint(printed(source.replace('two', 'other')), code, 4)).toEqual({ line: 4, isWhole: false });
    expect(findPrint(printed(source.replace('three', 'other')), code, 4)).toBeNull();
  });

  it('takes the nearest of several places', () => {
    const text = 'a(1);\nb(1);\nc(1);\n'.repeat(20);
    const code = printPlace(printed(text), 29, null) ?? '';
    expect(findPrint(printed(`// new\n${text}`), code, 29)?.line).toBe(30);
  });

  it('is the line below for a blank line, and none for an empty file', () => {
    expect(printPlace(printed(source), 2, null)).toBe(printPlace(printed(source), 3, null));
    expect(printPlace(printed(' \n\n'), 1, null)).toBeNull();
    expect(printPlace(printed('a();\n'), 99, null)).toBe(printPlace(printed('a();\n'), 1, null));
  });

  it('is gone when none of its telling lines stands any more', () => {
    const code = printPlace(printed(source), 4, null) ?? '';
    expect(isGone(printed('}\n{\n'), code)).toBe(true);
    expect(isGone(printed('if (two) {\n'), code)).toBe(false);
    expect(isGone(printed('x();\n'), printPlace(printed('}\n'), 1, null) ?? '')).toBe(false);
  });
});

describe('any file', () => {
  const anyLines = fc.array(fc.oneof(fc.constantFrom('', '}', '  {', 'a();', 'b();'), fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 30 });

  it('shows every place where it printed it, whatever is put before and behind', () => {
    fc.assert(fc.property(anyLines, fc.nat(29), fc.nat(12), anyLines, anyLines, (lines, at, span, before, behind) => {
      const text = lines.join('\n');
      const code = printPlace(printed(text), at + 1, at + 1 + span);
      fc.pre(code !== null);
      expect(findPrint(printed(text), code, at + 1)?.isWhole).toBe(true);
      expect(findPrint(printed([...before, text, ...behind].join('\n')), code, null)?.isWhole).toBe(true);
      expect(isGone(printed(text), code)).toBe(false);
    }));
  });
});
