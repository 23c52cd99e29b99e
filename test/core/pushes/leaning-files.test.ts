import { describe, expect, it } from 'vitest';
import { leaningFiles } from '../../../src/core/pushes/leaning-files.ts';
import type { CodeIndex } from '../../../src/core/ports/code-index.ts';
import type { ChangedFile } from '../../../src/core/words/change.ts';
import type { Definition, Import, Reference } from '../../../src/core/words/code-index.ts';
import { sampleChange, sampleFile } from '../sample.ts';

function file(path: string, lines: readonly string[]): ChangedFile {
  return sampleFile({
    path,
    hunks: [
      {
        oldStart: 1,
        oldLines: 0,
        newStart: 1,
        newLines: lines.length,
        heading: '',
        lines: lines.map(line => `+${line}`),
      },
    ],
  });
}

const price = ['function priceOf() {', '  return 1;', '}', 'function other() {', '}'];
const cart = file('cart.js', ['sum(priceOf)']);
const then = sampleChange({ files: [file('price.js', price), cart] });
const now = sampleChange({
  files: [file('price.js', price.with(1, '  return 2;')), cart],
});

interface Known {
  readonly uses?: Readonly<Record<string, readonly { path: string; line: number }[]>>;
  readonly defines?: readonly { name: string; path: string; first: number; last: number }[];
  readonly imports?: Readonly<Record<string, readonly string[]>>;
}

/** Of an index what is asked here. */
function indexOf({ uses = {}, defines = [], imports = {} }: Known) {
  const found = defines.map(({ name, path, first, last }) => ({
    name,
    path,
    startLine: first,
    endLine: last,
  })) as unknown as readonly Definition[];
  return {
    definitionsOf: name => found.filter(each => each.name === name),
    enclosing: (path, line) =>
      found.filter(each => each.path === path && each.startLine <= line && line <= each.endLine),
    importsOf: path => [{ targets: imports[path] ?? [] }] as unknown as readonly Import[],
    referencesTo: name => (uses[name] ?? []) as unknown as readonly Reference[],
  } satisfies Pick<CodeIndex, 'definitionsOf' | 'enclosing' | 'importsOf' | 'referencesTo'>;
}

const priceOf = { name: 'priceOf', path: 'price.js', first: 1, last: 3 };

describe('a file that has not changed is read again', () => {
  it('when a line of it that is shown uses what is new in another', () => {
    const index = indexOf({
      defines: [priceOf],
      uses: { priceOf: [{ path: 'cart.js', line: 1 }] },
    });
    expect([...leaningFiles(then, now, index)]).toEqual([['cart.js', 'price.js']]);
  });

  it.each<readonly [string, Known]>([
    ['what has not changed in it', { uses: { other: [{ path: 'cart.js', line: 1 }] } }],
    ['it where nobody is shown', { uses: { priceOf: [{ path: 'cart.js', line: 9 }] } }],
    ['it in a file of no change', { uses: { priceOf: [{ path: 'main.js', line: 1 }] } }],
    [
      'another thing of the same name',
      {
        uses: { priceOf: [{ path: 'cart.js', line: 1 }] },
        defines: [priceOf, { ...priceOf, path: 'tax.js' }],
        imports: { 'cart.js': ['tax.js'] },
      },
    ],
  ])('and not when it uses %s', (_what, known) => {
    const defines = [priceOf, { name: 'other', path: 'price.js', first: 4, last: 5 }];
    expect([...leaningFiles(then, now, indexOf({ defines, ...known }))]).toEqual([]);
  });

  it('by the name of a class whose constructor is new', () => {
    const index = indexOf({
      defines: [
        { ...priceOf, name: 'Price' },
        { ...priceOf, name: 'constructor', first: 2, last: 2 },
      ],
      uses: { Price: [{ path: 'cart.js', line: 1 }] },
    });
    expect([...leaningFiles(then, now, index).keys()]).toEqual(['cart.js']);
  });
});
