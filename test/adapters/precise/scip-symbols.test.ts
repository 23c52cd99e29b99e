import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScipSymbols } from '../../../src/adapters/precise/scip-symbols.ts';
import type { PreciseSymbols } from '../../../src/core/ports/precise-symbols.ts';
import { createFolder } from '../git/sample-repository.ts';
import { promisesOfPreciseSymbols } from '../../contracts/precise-symbols.ts';
import { encodeScip, type IndexedDocument, marked } from './encode-scip.ts';

const folder = createFolder();

function openBytes(
  bytes: Uint8Array,
  files: Readonly<Record<string, string>>,
  path = 'index.scip',
): PreciseSymbols {
  const file = join(folder, `${Math.random()}.scip`);
  writeFileSync(file, bytes);
  return openScipSymbols(
    { file, path },
    {
      has: name => Object.hasOwn(files, name),
      read: name => Promise.resolve(files[name] ?? null),
    },
  );
}

const plain = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, marked(path, text).text]));

promisesOfPreciseSymbols('a SCIP index', {
  open: (compiled, reviewed) =>
    Promise.resolve(
      openBytes(
        encodeScip(Object.entries(compiled).map(([path, text]) => marked(path, text).document)),
        plain(reviewed),
      ),
    ),
});

describe('an index that scip-typescript wrote', () => {
  const files = {
    'src/stock.ts': `export class Stock {
  constructor(private readonly rows: Map<string, number>) {}

  count(item: string): number {
    return this.rows.get(item) ?? 0;
  }
}

export class Ledger {
  count(): number {
    return 7;
  }
}
`,
    'src/shop.ts': `import { type Ledger, Stock } from './stock.js';

export function open(stock: Stock, ledgers: readonly Ledger[]): number {
  const [first] = ledgers;
  return stock.count('pear') + (first?.count() ?? 0);
}

export const empty = new Stock(new Map());
`,
  };
  const symbols = openBytes(readFileSync(join(import.meta.dirname, 'shop.scip')), files);
  const meaningsOf = (line: number, name: string) =>
    symbols.meaningsOf({ path: 'src/shop.ts', line, name });

  it('tells who wrote it', async () => {
    expect(await symbols.describe()).toEqual({
      path: 'index.scip',
      madeBy: 'scip-typescript 0.4.0',
      files: 2,
      problem: null,
    });
  });

  it('tells two methods of one name on one line apart', async () => {
    expect(await meaningsOf(5, 'count')).toEqual([
      { column: 15, definition: { path: 'src/stock.ts', line: 4, name: 'count' } },
      { column: 39, definition: { path: 'src/stock.ts', line: 10, name: 'count' } },
    ]);
  });

  it('follows locals, classes that are made, and names from outside', async () => {
    expect(await meaningsOf(5, 'first')).toMatchObject([{ definition: { line: 4 } }]);
    expect(await meaningsOf(8, 'Stock')).toMatchObject([{ definition: { path: 'src/stock.ts' } }]);
    expect(await meaningsOf(8, 'Map')).toMatchObject([{ definition: null }]);
  });

  it('tells who uses a method', async () => {
    expect(await symbols.usesOf({ path: 'src/stock.ts', line: 10, name: 'count' })).toEqual([
      { path: 'src/shop.ts', line: 5, name: 'count' },
    ]);
  });
});

describe('an index', () => {
  const shop = marked('shop.ts', 'const «price=price.» = 1;\nconsole.log(«price:price.»);\n');
  const good = encodeScip([shop.document]);
  const files = { 'shop.ts': shop.text };
  const problemOf = async (bytes: Uint8Array): Promise<string | null> =>
    (await openBytes(bytes, files).describe()).problem;

  it('of nothing, of garbage, of text and one that is cut off are refused in a sentence', async () => {
    expect(await problemOf(new Uint8Array())).toBe('index.scip is empty.');
    expect(await problemOf(new TextEncoder().encode('{ "documents": [] }'))).toBe(
      'index.scip is no SCIP index, or a damaged one.',
    );
    expect(await problemOf(new Uint8Array(4_096).fill(0xff))).toBe(
      'index.scip is no SCIP index, or a damaged one.',
    );
    expect(await problemOf(good.subarray(0, -3))).toBe(
      'index.scip is cut off: it ends within a file it tells of.',
    );
  });

  it('with any one byte wrong answers or is refused, and never throws', async () => {
    for (let at = 0; at < good.length; at += 1) {
      const bytes = Uint8Array.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const symbols = openBytes(bytes, files);
      for (const { definition } of await symbols.meaningsOf({
        path: 'shop.ts',
        line: 2,
        name: 'price',
      }))
        expect([null, 'shop.ts']).toContain(definition === null ? null : definition.path);
    }
  });

  it('larger than what is read is refused before it is read', async () => {
    const file = join(folder, 'large.scip');
    writeFileSync(file, good);
    truncateSync(file, 500 * 1024 * 1024);
    const symbols = openScipSymbols(
      { file, path: 'index.scip' },
      { has: () => true, read: () => Promise.resolve(null) },
    );
    expect((await symbols.describe()).problem).toBe(
      'index.scip is larger than 256 MB, the most that is read.',
    );
  });

  it('that names one file of enormous size is refused', async () => {
    const head = encodeScip([]);
    const bytes = Buffer.concat([head, Buffer.from([0x12, 0x80, 0x80, 0x80, 0x20])]);
    const file = join(folder, 'wide.scip');
    writeFileSync(file, bytes);
    truncateSync(file, bytes.length + 64 * 1024 * 1024);
    const symbols = openScipSymbols(
      { file, path: 'index.scip' },
      { has: () => true, read: () => Promise.resolve(null) },
    );
    expect((await symbols.describe()).problem).toBe(
      'index.scip tells more than 32 MB of one file.',
    );
  });

  it('leads nowhere but down from where it was made', async () => {
    for (const path of ['../shop.ts', '/shop.ts', 'a/../shop.ts', './shop.ts', 'a\\..\\shop.ts']) {
      const document: IndexedDocument = { ...shop.document, path };
      const symbols = openScipSymbols(
        { file: write(encodeScip([document])), path: 'index.scip' },
        { has: () => true, read: () => Promise.resolve(shop.text) },
      );
      expect((await symbols.describe()).files, path).toBe(0);
    }
  });

  it('made in a folder of the project tells of the files there', async () => {
    const below = openBytes(
      good,
      { 'packages/shop/shop.ts': shop.text },
      'packages/shop/index.scip',
    );
    expect(
      await below.meaningsOf({ path: 'packages/shop/shop.ts', line: 2, name: 'price' }),
    ).toMatchObject([{ definition: { path: 'packages/shop/shop.ts', line: 1 } }]);
    const top = openBytes(good, files, 'build/index.scip');
    expect(await top.knows('shop.ts')).toBe(true);
  });

  it('is not believed on a line whose other names are others', async () => {
    const old = marked('a.ts', '«run=one.run().»\n«alpha:alpha.».«beta:beta.».«run:one.run().»\n');
    const symbols = openBytes(encodeScip([old.document]), { 'a.ts': 'run\ngamma.zeta.run\n' });
    expect(await symbols.meaningsOf({ path: 'a.ts', line: 2, name: 'run' })).toEqual([]);
  });

  it('is not believed where a definition has another name by now, whatever else its line says', async () => {
    const old = marked(
      'a.ts',
      '«alpha=alpha.» «beta=beta.» «gamma=gamma.» «run=run.»\n«run:run.»\n',
    );
    const symbols = openBytes(encodeScip([old.document]), {
      'a.ts': 'alpha beta gamma was\nrun\n',
    });
    expect(await symbols.meaningsOf({ path: 'a.ts', line: 2, name: 'run' })).toEqual([]);
  });

  it.each([
    [1, Buffer.byteLength('"Ä😀" + ')],
    [2, '"Ä😀" + '.length],
    [3, Array.from('"Ä😀" + ').length],
  ])('counts columns as it says: encoding %i', async (encoding, start) => {
    const text = 'const price = 1;\n"Ä😀" + price;\n';
    const symbol = 'test npm project 1.0.0 price.';
    const names = [
      { line: 0, start: 6, end: 11, symbol, defines: true },
      { line: 1, start, end: start + 5, symbol },
    ];
    const symbols = openBytes(encodeScip([{ path: 'a.ts', encoding, names }]), { 'a.ts': text });
    expect(await symbols.meaningsOf({ path: 'a.ts', line: 2, name: 'price' })).toEqual([
      { column: 8, definition: { path: 'a.ts', line: 1, name: 'price' } },
    ]);
  });
});

function write(bytes: Uint8Array): string {
  const file = join(folder, `${Math.random()}.scip`);
  writeFileSync(file, bytes);
  return file;
}
