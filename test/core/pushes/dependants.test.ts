import { describe, expect, it } from 'vitest';
import { dependantsOf } from '../../../src/core/pushes/carry-review.ts';
import type { CodeIndex } from '../../../src/core/ports/repository.ts';
import type { ChangedFile, Hunk } from '../../../src/core/words/change.ts';
import type { Definition, Import, Reference } from '../../../src/core/words/code-index.ts';
import { sampleChange, sampleFile, sampleHunk } from '../sample.ts';

function file(path: string, lines: readonly string[]) {
  return sampleFile({
    path,
    hunks: [
      sampleHunk(
        [1, 0],
        [1, lines.length],
        lines.map(line => `+${line}`),
      ),
    ],
  });
}

const price = ['function priceOf() {', '  return 1;', '}', 'function other() {', '}'];
const cart = file('cart.js', ['sum(priceOf)']);
const then = sampleChange({ files: [file('price.js', price), cart] });
const now = sampleChange({
  files: [file('price.js', price.with(1, '  return 2;')), cart],
});

function sameIn({ files }: typeof then) {
  const known = new Set(then.files.map(file => JSON.stringify(file)));
  return new Set(files.filter(file => known.has(JSON.stringify(file))).map(({ path }) => path));
}

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
    definitionsIn: path => found.filter(each => each.path === path),
    definitionsOf: name => found.filter(each => each.name === name),
    importsOf: path => [{ targets: imports[path] ?? [] }] as unknown as readonly Import[],
    referencesTo: name => (uses[name] ?? []) as unknown as readonly Reference[],
  } satisfies Pick<CodeIndex, 'definitionsIn' | 'definitionsOf' | 'importsOf' | 'referencesTo'>;
}

const priceOf = { name: 'priceOf', path: 'price.js', first: 1, last: 3 };

describe('a file that has not changed is read again', () => {
  it('when a line of it that is shown uses what is new in another', () => {
    const index = indexOf({
      defines: [priceOf],
      uses: { priceOf: [{ path: 'cart.js', line: 1 }] },
    });
    expect([...dependantsOf(then, now, sameIn(now), index)]).toEqual([['cart.js', 'price.js']]);
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
    expect([...dependantsOf(then, now, sameIn(now), indexOf({ defines, ...known }))]).toEqual([]);
  });

  const uses = { priceOf: [{ path: 'cart.js', line: 1 }] };
  const other = { name: 'other', path: 'price.js', first: 1, last: 2 };
  const without = file('price.js', price.slice(3));

  it.each<readonly [string, Known, readonly ChangedFile[]]>([
    ['has another name now', { uses, defines: [other] }, [without, cart]],
    ['is gone with its file', { uses }, [cart]],
    [
      'was removed from a file of the base',
      { uses, defines: [other] },
      [
        sampleFile({
          path: 'price.js',
          hunks: [
            {
              ...(without.hunks[0] as Hunk),
              lines: ['-function priceOf() {', ' function other() {', ' }'],
            },
          ],
        }),
        cart,
      ],
    ],
    [
      'is gone, and another file has one',
      { uses, defines: [{ ...priceOf, path: 'tax.js' }], imports: { 'cart.js': [] } },
      [cart],
    ],
  ])('when what it uses %s', (_what, known, files) => {
    const later = sampleChange({ files: [...files] });
    const found = dependantsOf(then, later, sameIn(later), indexOf(known));
    expect([...found]).toEqual([['cart.js', 'price.js']]);
  });

  it('when what it uses reads as in the base again', () => {
    const altered = sampleFile({
      path: 'price.js',
      hunks: [sampleHunk([2, 1], [2, 1], ['-  return 0;', '+  return 1;'])],
    });
    const [before, after] = [[altered, cart], [cart]].map(files => sampleChange({ files }));
    const found = dependantsOf(
      before ?? then,
      after ?? now,
      new Set(['cart.js']),
      indexOf({ defines: [priceOf], uses }),
    );
    expect([...found]).toEqual([['cart.js', 'price.js']]);
  });

  it('by the name of a class whose constructor is new', () => {
    const index = indexOf({
      defines: [
        { ...priceOf, name: 'Price' },
        { ...priceOf, name: 'constructor', first: 2, last: 2 },
      ],
      uses: { Price: [{ path: 'cart.js', line: 1 }] },
    });
    expect([...dependantsOf(then, now, sameIn(now), index).keys()]).toEqual(['cart.js']);
  });
});
