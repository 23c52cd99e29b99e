import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSections, sliceDocument } from '../../../src/core/words/change.ts';

describe('the sections of a document', () => {
  it('are its headings of both kinds, with their lines', async () =>
    expect(
      await readSections('# Design\n\nText\n\nGoals\n-----\n\n### 1.1  Storage `x` ###\n'),
    ).toEqual([
      { title: 'Design', line: 1 },
      { title: 'Goals', line: 5 },
      { title: '1.1 Storage `x`', line: 8 },
    ]));

  it('do not begin in code, in lists, in quotations or in front matter', async () => {
    const text =
      '---\ntitle: a\nstatus: draft\n---\n# One\n```sh\n# comment\n```\n    # indented\n- ```\n  # in a list\n  ```\n> # quoted\n\n# Two\n';
    expect((await readSections(text))?.map(({ title, line }) => [title, line])).toEqual([
      ['One', 5],
      ['Two', 15],
    ]);
  });

  it('are none in a text without headings, in an empty one and in a single line', async () => {
    expect(await readSections('')).toEqual([]);
    expect(await readSections('no heading '.repeat(10_000))).toEqual([]);
    expect(await readSections('#\n# \n#no space\n')).toEqual([]);
  });

  it('are given up where there are too many for anybody to name', async () => {
    expect(await readSections('# a\n'.repeat(20_000))).toHaveLength(20_000);
    expect(await readSections('# a\n'.repeat(20_001))).toBeNull();
  });
});

const fileOf = (path: string, text: string) => ({
  path,
  text,
  bytes: Buffer.byteLength(text),
  sections: text
    .split('\n')
    .flatMap((line, index) =>
      line.startsWith('# ') ? [{ title: line.slice(2), line: index + 1 }] : [],
    ),
});

describe('slices of a document', () => {
  it('are one where everything fits', () => {
    const [slice, ...others] = sliceDocument(
      { files: [fileOf('a.md', '# A\ntext\n'), fileOf('b.md', 'b')] },
      1_000,
    );
    expect(others).toEqual([]);
    expect(slice?.parts).toEqual([
      { path: 'a.md', startLine: 1, endLine: 2, text: '# A\ntext\n', isWhole: true },
      { path: 'b.md', startLine: 1, endLine: 1, text: 'b', isWhole: true },
    ]);
  });

  it('begin at sections where they can', () => {
    const slices = sliceDocument(
      { files: [fileOf('a.md', '# One\naaaa\n# Two\nbbbb\n# Three\ncccc\n')] },
      24,
    );
    expect(
      slices.map(({ parts }) =>
        parts.map(({ startLine, endLine, text }) => [startLine, endLine, text]),
      ),
    ).toEqual([[[1, 4, '# One\naaaa\n# Two\nbbbb\n']], [[5, 6, '# Three\ncccc\n']]]);
  });

  it('cut a line only when it alone is too long, and never a character', () => {
    const slices = sliceDocument({ files: [fileOf('a.md', '😀'.repeat(50))] }, 16);
    expect(
      slices.every(
        ({ parts: [part] }) =>
          part?.startLine === 1 && part.endLine === 1 && part.text.replaceAll('😀', '') === '',
      ),
    ).toBe(true);
  });

  it('hold every character exactly once, in order, and keep to the limit', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 8, max: 300 }),
        (texts, limit) => {
          const files = texts.map((text, index) =>
            fileOf(`${index}.md`, text.replaceAll('x', '\n# x\n')),
          );
          const slices = sliceDocument({ files }, limit);
          for (const file of files)
            expect(
              slices
                .flatMap(({ parts }) => parts)
                .filter(({ path }) => path === file.path)
                .map(({ text }) => text)
                .join(''),
            ).toBe(file.text);
          for (const { parts, bytes } of slices) {
            expect(parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBe(bytes);
            expect(bytes).toBeLessThanOrEqual(limit);
          }
        },
      ),
    ));

  it('name the lines they hold', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '# h\n', 'ä'), { maxLength: 80 }), pieces => {
        const file = fileOf('a.md', pieces.join(''));
        for (const part of sliceDocument({ files: [file] }, 12).flatMap(({ parts }) => parts)) {
          expect(
            file.text
              .split('\n')
              .slice(part.startLine - 1, part.endLine)
              .join('\n'),
          ).toContain(part.text.replace(/\n$/, ''));
        }
      }),
    ));
});
