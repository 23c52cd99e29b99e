import { describe, expect, it } from 'vitest';
import { renderShown } from '../../../src/core/change/notebook.ts';
import { renderPatch } from '../../../src/core/change/patch.ts';
import type { ChangedFile } from '../../../src/core/words/change.ts';
import { sampleFile } from '../sample.ts';

function notebook(lines: readonly string[], start = 1, path = 'nb.ipynb'): ChangedFile {
  const count = (mark: RegExp): number => lines.filter(line => mark.test(line)).length;
  return sampleFile({
    path,
    additions: count(/^\+/),
    deletions: count(/^-/),
    hunks: [
      {
        oldStart: start,
        oldLines: count(/^[ -]/),
        newStart: start,
        newLines: count(/^[ +]/),
        heading: '',
        lines: [...lines],
      },
    ],
  });
}

const changed = [
  '    "cell_type": "code",',
  '-   "execution_count": 1,',
  '+   "execution_count": 7,',
  '    "metadata": {},',
  '    "outputs": [',
  '     {',
  '-     "text": [',
  '-      "before\\n"',
  '+     "text": [',
  '+      "after\\n"',
  '      ]',
  '     }',
  '    ],',
  '    "source": [',
  '     "def area(r):\\n",',
  '-    "    return \\"r\\"\\n"',
  '+    "    return pi * r"',
  '    ]',
];

describe('a changed notebook before a reviewer', () => {
  it('is the lines of its cells as they were written, with the numbers of the file, and what is not shown is counted', () => {
    const shown = renderShown(notebook(changed, 10));
    expect(shown).toBe(
      [
        'diff --git a/nb.ipynb b/nb.ipynb',
        `index ${'1'.repeat(40)}..${'2'.repeat(40)} 100644`,
        '--- a/nb.ipynb',
        '+++ b/nb.ipynb',
        '@@ -21,2 +21,2 @@ code cell',
        ' def area(r):',
        '-    return "r"',
        '+    return pi * r',
        'Not shown: 6 changed lines of outputs and metadata of this notebook.',
        '',
      ].join('\n'),
    );
  });

  it('whose outputs alone changed says so', () => {
    const shown = renderShown(notebook(changed.filter(line => !/return/.test(line))));
    expect(shown).not.toContain('@@');
    expect(shown).toContain('Not shown: 6 changed lines');
  });

  it('is read with any indentation, and shown as it is where its lines are no entries', () => {
    const wide = changed.map(line => line[0] + line.slice(1).replace(/^ +/, ins => ins.repeat(2)));
    expect(renderShown(notebook(wide))).toContain('+    return pi * r\nNot shown: 6');
    for (const file of [
      notebook(['-{"cells": [{"cell_type": "code"}]}', '+{"cells": []}']),
      notebook(changed, 10, 'nb.json'),
    ])
      expect(renderShown(file)).toBe(renderPatch(file));
  });

  it('leaves no metadata behind that looks like the line of a cell', () => {
    const shown = renderShown(
      notebook([
        '+  "metadata": {',
        '+    "collapsed": true,',
        '+    "tags": [',
        '+     "x"',
        '+    ]',
      ]),
    );
    expect(shown).not.toContain('@@');
  });
});
