import { describe, expect, it } from 'vitest';
import { renderShown, withCellsOnly } from '../../../src/core/change/unshown.ts';
import { notebookLines } from '../../../src/core/languages/embedded-code.ts';
import { renderPatch } from '../../../src/core/change/patch.ts';
import { sampleFile, sampleHunk } from '../sample.ts';

const cell = (source: unknown, more: object = {}) => ({ cell_type: 'code', ...more, source });

function text(cells: readonly object[], indent: number | string = 1) {
  return `${JSON.stringify({ cells, metadata: { a: { b: 1 } }, nbformat: 4 }, null, indent)}\n`;
}

/** Added as a whole. */
function added(whole: string, path = 'nb.ipynb') {
  const lines = whole.split('\n').slice(0, -1);
  const notebook = notebookLines(path, null, whole);
  return sampleFile({
    path,
    status: 'added',
    oldMode: '000000',
    additions: lines.length,
    hunks: [
      sampleHunk(
        [0, 0],
        [1, lines.length],
        lines.map(line => `+${line}`),
      ),
    ],
    ...(notebook && { notebook }),
  });
}

const outputs = [{ text: ['said\n'], cells: [{ source: ['inner'] }] }];

describe('a changed notebook before a reviewer', () => {
  it.each([1, 4, '\t'])(
    'is all of its lines but those of outputs, with their numbers: indent %j',
    indent => {
      const whole = text([cell(['a\n', 'b'], { outputs, metadata: { m: 1 } }), cell('c')], indent);
      const shown = renderShown(added(whole));
      const lines = whole.split('\n').slice(0, -1);
      const first = lines.findIndex(each => each.includes('"outputs"'));
      const end = lines[first]?.replace(/".*/, '],');
      const last = lines.findIndex((each, at) => at > first && each === end);
      const left = last - first - 1;
      expect(shown).toMatch(
        new RegExp(`\nNot shown: ${left} changed lines of outputs of this notebook.\n$`),
      );
      expect(shown).toContain(`@@ -0,0 +1,${first + 1} @@\n+{\n`);
      expect(shown).toContain(`@@ -0,0 +${last + 1},${lines.length - last} @@\n`);
      for (const line of [...lines.slice(0, first), ...lines.slice(last)])
        expect(shown).toContain(`\n+${line}\n`);
      expect(shown).not.toMatch(/said|inner/);
    },
  );

  it('is all of its lines where nothing stands by itself inside of an output', () => {
    for (const file of [
      added(text([cell('a', { outputs: [] })])),
      added(text([cell('a', { outputs })], 0)),
      added(text([cell('a', { outputs })]).replace('{', '{{')),
      added(text([cell('a', { outputs })]), 'nb.json'),
    ])
      expect(renderShown(file)).toBe(renderPatch(file));
  });

  it('hides nothing by a key that is said twice, and nothing of what is called otherwise', () => {
    const twice = text([cell(['hidden?'], { 'out puts': outputs })]).replace(
      '"out puts"',
      '"source"',
    );
    expect(renderShown(added(twice))).toContain('hidden?');
    expect(renderShown(added(twice))).toContain('said');
  });

  it('is for a pack what people wrote into cells', () => {
    const { files } = withCellsOnly({ files: [added(text([cell(['a\n', 'b'], { outputs })]))] });
    expect(files[0]?.hunks.flatMap(({ lines }) => lines.map(line => line.trim()))).toEqual([
      '+    "a\\n",',
      '+    "b"',
    ]);
  });
});
