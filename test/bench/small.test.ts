import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main, type Figure, type Measure } from '../../bench/main.mjs';

const bench = new URL('../../bench/', import.meta.url);

describe('every benchmark at its small size', () => {
  // Their tables are for whoever measures.
  beforeAll(() => vi.spyOn(console, 'log').mockImplementation(() => {}));
  afterAll(() => vi.restoreAllMocks());

  it.each(readdirSync(bench).filter(name => name.endsWith('.bench.mjs')))(
    'runs to a finite figure: %s',
    async name => {
      const { title, aim, measure }: { title: string; aim: number; measure: Measure } =
        await import(new URL(name, bench).href);
      expect(title).toMatch(/\w/);
      expect(aim).toBeTypeOf('number');
      expect(await measure({ size: 'small' })).toEqual({
        figure: expect.toSatisfy(Number.isFinite),
        detail: expect.stringMatching(/\w/),
      });
    },
  );
});

describe('the gate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-planted-'));
  const plant = (name: string, body: string) =>
    writeFileSync(
      path.join(folder, `${name}.bench.mjs`),
      `export const title = 'is ${name}'; export const aim = 1; export const measure = () => { ${body} };`,
    );
  const run = async (...args: readonly string[]) => {
    let text = '';
    const stream = { write: (more: string) => (text += more) };
    const code = await main([...args, '--from', folder], { stdout: stream, stderr: stream });
    const kept: readonly Figure[] = JSON.parse(
      readFileSync(path.join(folder, 'figures.json'), 'utf8'),
    );
    return { code, text, kept: new Map(kept.map(one => [one.name, one])) };
  };

  it('names a crash, a miss and a figure that is none in red, and runs the others', async () => {
    plant('crash', "throw new TypeError('planted')");
    plant('end', 'process.exit(0)');
    plant('good', "return { figure: 0.5, detail: 'half' }");
    plant('infinite', "return { figure: Infinity, detail: '' }");
    plant('miss', "return { figure: 1.5, detail: 'too much' }");
    plant('without-data', "return { notRun: 'no data' }");
    const { code, text, kept } = await run();
    expect(code).toBe(1);
    expect(text).toMatch(/BROKEN .* crash .*TypeError: planted/);
    expect(text).toMatch(/MISSED +1.50 +1 .* miss +is miss: too much/);
    expect(text).toMatch(/not run +– .* without-data +is without-data: no data/);
    expect([...kept.values()].map(({ name, figure, ok }) => [name, figure, ok])).toEqual([
      ['crash', null, false],
      ['end', null, false],
      ['good', 0.5, true],
      ['infinite', null, false],
      ['miss', 1.5, false],
      ['without-data', null, null],
    ]);
  });

  it('ends one that hangs, leaves the figures of others alone, and passes where nothing is red', async () => {
    plant('hang', 'return new Promise(resolve => setTimeout(resolve, 1e6))');
    const hung = await run('hang', '--seconds', '0.3');
    expect(hung.code).toBe(1);
    expect(hung.kept.get('hang')).toMatchObject({ ok: false, detail: 'no end within 0.3 seconds' });
    expect(hung.kept.get('good')).toMatchObject({ figure: 0.5, detail: 'half' });
    expect((await run('good')).code).toBe(0);
    expect((await run('no such benchmark')).code).toBe(1);
  });
});
