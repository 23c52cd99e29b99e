/** What everything that answers for a compiler promises: the words on `PreciseSymbols` in `src/core/ports/precise-symbols.ts`. */
import { describe, expect, it } from 'vitest';
import type { PreciseSymbols } from '../../src/core/ports/precise-symbols.ts';
import type { NamedLine } from '../../src/core/words/code-index.ts';

export interface PreciseSpecimen {
  /** Made of these files when they were as `compiled`, asked about them as they are in `reviewed`. */
  open(compiled: Files, reviewed: Files): Promise<PreciseSymbols>;
}

/** Texts by path; names are marked as `marked` of `encode-scip.ts` reads them. */
export type Files = Readonly<Record<string, string>>;

const compiled: Files = {
  'stock.ts':
    'export class «Stock=Stock#» {\n  «count=Stock#count().»() {}\n}\nexport class «Ledger=Ledger#» {\n  «count=Ledger#count().»() {}\n}\n',
  'shop.ts':
    'import { «Stock:Stock#» } from "./stock";\nexport const «shop=shop.» = («stock=local 1»: ' +
    '«Stock:Stock#») =>\n  «stock:local 1».«count:Stock#count().»() + «missing:missing().»();\n',
};
const at = (path: string, line: number, name: string): NamedLine => ({ path, line, name });

export function promisesOfPreciseSymbols(name: string, specimen: PreciseSpecimen): void {
  const ask = (reviewed: Files = {}): Promise<PreciseSymbols> =>
    specimen.open(compiled, { ...compiled, ...reviewed });

  describe(`${name} keeps the contract of precise symbols`, () => {
    it('tells which of several definitions of a name a use means', async () => {
      const symbols = await ask();
      expect(await symbols.meaningsOf(at('shop.ts', 3, 'count'))).toEqual([
        { column: 8, definition: at('stock.ts', 2, 'count') },
      ]);
      expect(await symbols.meaningsOf(at('shop.ts', 3, 'stock'))).toEqual([
        { column: 2, definition: at('shop.ts', 2, 'stock') },
      ]);
    });

    it('calls outside what is defined nowhere', async () => {
      expect(await (await ask()).meaningsOf(at('shop.ts', 3, 'missing'))).toEqual([
        { column: 18, definition: null },
      ]);
    });

    it('tells the uses of one definition and not those of another one of that name', async () => {
      const symbols = await ask();
      expect(await symbols.usesOf(at('stock.ts', 2, 'count'))).toEqual([at('shop.ts', 3, 'count')]);
      expect(await symbols.usesOf(at('stock.ts', 5, 'count'))).toEqual([]);
    });

    it('says nothing of a file, a line or a name it does not know', async () => {
      const symbols = await ask();
      expect(await symbols.meaningsOf(at('other.ts', 1, 'count'))).toEqual([]);
      expect(await symbols.meaningsOf(at('shop.ts', 99, 'count'))).toEqual([]);
      expect(await symbols.meaningsOf(at('shop.ts', 3, 'Stock'))).toEqual([]);
      expect(await symbols.usesOf(at('shop.ts', 3, 'count'))).toBeNull();
      expect([await symbols.knows('shop.ts'), await symbols.knows('other.ts')]).toEqual([
        true,
        false,
      ]);
    });

    it('says nothing of a definition that stands elsewhere since', async () => {
      const symbols = await ask({
        'stock.ts': `// a new first line\n${compiled['stock.ts'] ?? ''}`,
      });
      expect(await symbols.meaningsOf(at('shop.ts', 3, 'count'))).toEqual([]);
      expect(await symbols.usesOf(at('stock.ts', 2, 'count'))).toBeNull();
    });

    it('says nothing of a use that stands elsewhere since, and leaves it out', async () => {
      const symbols = await ask({ 'shop.ts': `\n${compiled['shop.ts'] ?? ''}` });
      expect(await symbols.meaningsOf(at('shop.ts', 4, 'count'))).toEqual([]);
      expect(await symbols.usesOf(at('stock.ts', 2, 'count'))).toEqual([]);
    });

    it('says nothing of a file that is gone', async () => {
      const { 'stock.ts': _, ...left } = compiled;
      const symbols = await specimen.open(compiled, left);
      expect(await symbols.meaningsOf(at('shop.ts', 3, 'count'))).toEqual([]);
      expect(await symbols.knows('stock.ts')).toBe(false);
    });

    it('tells what it is', async () => {
      const { problem, files } = await (await ask()).describe();
      expect([problem, files]).toEqual([null, 2]);
    });
  });
}
