import * as fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { data, list, literal, remark, title, toned } from '../../src/render/section.ts';
import { paintTerminal } from '../../src/render/to-terminal.ts';
import { hostileText, sectionsWith } from './hostile-sections.ts';

const ownColours = /\u001B\[\d+m/g;
const steering =
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

describe('a description in a terminal', () => {
  it('steers nothing, whatever the text', () =>
    fc.assert(
      fc.property(hostileText, text => {
        expect(paintTerminal(sectionsWith(text), { color: false, width: 80 })).not.toMatch(
          steering,
        );
        expect(
          paintTerminal(sectionsWith(text), { color: true, width: 80 }).replace(ownColours, ''),
        ).not.toMatch(steering);
      }),
      { numRuns: 500 },
    ));

  it('says the same words with and without colour', () => {
    const sections = [
      title(1, toned('FAIL', '✗ FAIL'), '  ', data('x '.repeat(80))),
      ...list([['a ', remark('word '.repeat(40)), literal('/a path/with blanks'), ': b']]),
    ];
    const coloured = paintTerminal(sections, { color: true, width: 40 });
    expect(coloured.replace(ownColours, '')).toBe(
      paintTerminal(sections, { color: false, width: 40 }),
    );
    expect(coloured).not.toBe(coloured.replace(ownColours, ''));
  });

  it('wraps between words, breaks a word that is too long, and leaves a path whole', () => {
    const path = `/home/${'folder/'.repeat(9)}a file.ts`;
    const lines = paintTerminal(
      list([['see ', literal(path), ' ', data(`${'y'.repeat(90)} end`)]]),
      { color: false, width: 40 },
    )
      .trimEnd()
      .split('\n');
    expect(lines).toContain(path);
    expect(lines.filter(line => stringWidth(line) > 40)).toEqual([path]);
    expect(lines.join('').match(/y/g)).toHaveLength(90);
  });

  it('marks the lines that are meant', () =>
    expect(
      paintTerminal(
        [
          {
            kind: 'frame',
            frame: { first: 9, lines: ['a', '\tb', 'c'], from: 10, to: 10 },
          },
        ],
        { color: false, width: 80 },
      ),
    ).toBe('   9 | a\n> 10 |   b\n  11 | c\n'));
});
