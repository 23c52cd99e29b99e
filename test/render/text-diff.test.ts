import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffText } from '../../src/render/text-diff.ts';

const isKept = (kept: readonly string[], whole: readonly string[]): boolean =>
  kept.length === whole.length &&
  kept.every((text, index) => text === '…' || text === whole[index]);

const many = (word: string): string =>
  Array.from({ length: 1500 }, (_, index) => `${word} ${index}`).join('\n');

describe('what an amended text changes', () => {
  it('is shown sentence by sentence, also within one paragraph', () => {
    expect(
      diffText(
        'The council meets. It keeps minutes. Nobody is paid.',
        'The council meets in public. It keeps minutes. Nobody is paid.\nThis holds for a year.',
      ),
    ).toEqual([
      '- The council meets.',
      '+ The council meets in public.',
      '  It keeps minutes.',
      '  Nobody is paid.',
      '+ This holds for a year.',
    ]);
  });

  it('counts longer stretches that stayed', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `clause ${index}`);
    const changed = lines.with(10, 'another clause');
    expect(diffText(lines.join('\n'), changed.join('\r\n'))).toEqual([
      '  … 8 lines unchanged',
      '  clause 8',
      '  clause 9',
      '- clause 10',
      '+ another clause',
      '  clause 11',
      '  clause 12',
      '  … 7 lines unchanged',
    ]);
  });

  it('holds every line of both texts that is not the same, in order', () => {
    const line = fc.constantFrom('one', 'two', 'three', 'four', 'five');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(line), (before, after) => {
        const shown = diffText(before.join('\n'), after.join('\n'));
        const without = (mark: string): string[] =>
          shown.flatMap(text => {
            const folded = /^ {2}… (\d+) lines unchanged$/.exec(text)?.[1];
            if (folded !== undefined) return Array.from({ length: Number(folded) }, () => '…');
            return text.startsWith(mark) ? [] : [text.slice(2)];
          });
        expect([isKept(without('+'), before), isKept(without('-'), after)]).toEqual([true, true]);
      }),
    );
  });

  it('of texts that have nothing in common is the one after the other', () => {
    const shown = diffText(many('old'), many('new'));
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([3000, '- old 0', '+ new 1499']);
  });
});
