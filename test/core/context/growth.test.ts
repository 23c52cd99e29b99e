import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotCover, type CoverRequest, type Reader } from '../../../src/core/context/growth.ts';
import { promptRoom, windowOf } from '../../../src/core/context/windows.ts';

const nothing = { maxCalls: null, maxTokens: null, maxCost: null };

function files(count: number, tokens: number): CoverRequest['files'] {
  return Array.from({ length: count }, (_, index) => ({
    path: `f${index}`,
    tokens,
    isSensitive: false,
    isSecured: false,
    readings: 0,
  }));
}

function reader(id: string, count: number, changes: Partial<Reader> = {}): Reader {
  const paths = new Set(files(count, 0).map(({ path }) => path));
  return {
    id,
    budget: 10_000,
    window: 100_000,
    frame: 600,
    ratio: 1.1,
    isSecurity: false,
    files: paths,
    domain: paths,
    price: null,
    ...changes,
  };
}

function allot(changes: Partial<CoverRequest>): ReturnType<typeof allotCover> {
  return allotCover({
    cover: null,
    limits: nothing,
    files: files(100, 1_000),
    readers: [reader('one', 100), reader('two', 100)],
    wholes: [],
    ...changes,
  });
}

function sum(granted: Readonly<Record<string, number>>): number {
  return Object.values(granted).reduce((total, tokens) => total + tokens, 0);
}

describe('what budgets grow to', () => {
  it('is the formula where the change fits, and whatever the cover where no window is known', () => {
    expect(allot({ files: files(8, 1_000) }).granted).toEqual({ one: 10_000, two: 10_000 });
    const readers = [reader('one', 100, { window: null })];
    for (const cover of ['all', 'once', 'risk'] as const)
      expect(allot({ cover, readers }).granted).toEqual({ one: 10_000 });
    expect(allot({ cover: 'risk' }).granted).toEqual({ one: 10_000, two: 10_000 });
  });

  it('is enough for everybody with "all", for the panel together with "once"', () => {
    const once = allot({ cover: 'once' }).granted;
    const all = allot({ cover: 'all' }).granted;
    expect(sum(once)).toBeGreaterThan(110_000);
    expect(sum(once)).toBeLessThan(170_000);
    for (const id of ['one', 'two']) expect(all[id]).toBeGreaterThan(110_000);
  });

  it('is offered where nobody chose, no ceiling decides, every window is known and somebody would read more', () => {
    const { offer } = allot({});
    expect(offer?.all.tokens).toBeGreaterThan(1.5 * (offer?.once.tokens ?? Infinity));
    expect(offer?.all.calls).toBeGreaterThan(offer?.once.calls ?? Infinity);
    const readers = [reader('one', 100), reader('two', 100, { window: null })];
    for (const changes of [
      { cover: 'once' },
      { cover: 'all' },
      { limits: { ...nothing, maxTokens: 1_000_000 } },
      { limits: { ...nothing, maxTokens: 100_000 } },
      { files: files(5, 1_000) },
      { readers },
    ] as const)
      expect(allot(changes).offer).toBeNull();
  });

  it('is "all" by itself only within a ceiling that somebody stated', () => {
    expect(allot({}).cover).toBe('once');
    expect(allot({ limits: { ...nothing, maxTokens: 1_000_000 } }).cover).toBe('all');
    expect(allot({ limits: { ...nothing, maxTokens: 100_000 } }).cover).toBe('once');
    expect(allot({ limits: { ...nothing, maxCalls: 2 } }).cover).toBe('once');
    // What a panel costs whose prices nobody knows, nobody knows to be within a ceiling.
    expect(allot({ limits: { ...nothing, maxCost: 1_000 } }).cover).toBe('once');
    const price = { input: 1, output: 5 };
    const readers = [reader('one', 100, { price }), reader('two', 100, { price })];
    expect(allot({ readers, limits: { ...nothing, maxCost: 1_000 } }).cover).toBe('all');
    expect(
      allot({
        readers: [reader('one', 100), reader('two', 100, { window: null })],
        limits: { ...nothing, maxTokens: 1_000_000 },
      }).cover,
    ).toBe('once');
  });

  it('is never less than the formula, and reads with "once" every file that a window holds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 60 }),
        fc.array(
          fc.record({
            budget: fc.integer({ min: 3_000, max: 40_000 }),
            window: fc.option(fc.integer({ min: 8_192, max: 400_000 })),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        fc.constantFrom('all', 'once', 'risk'),
        (sizes, made, cover) => {
          const dealt = sizes.map((tokens, index) => ({
            path: `f${index}`,
            tokens,
            isSensitive: index % 5 === 0,
            isSecured: false,
            readings: 0,
          }));
          const readers = made.map((each, index) => reader(`r${index}`, sizes.length, each));
          const { granted, hands } = allotCover({
            cover,
            limits: nothing,
            files: dealt,
            readers,
            wholes: [],
          });
          for (const { id, budget, window } of readers) {
            expect(granted[id]).toBeGreaterThanOrEqual(budget);
            if (window === null || cover === 'risk') expect(granted[id]).toBe(budget);
            else {
              // Everything it is relied upon to read, with its frames, is below what stops it.
              const load = hands.get(id)?.load ?? 0;
              expect(load).toBeLessThanOrEqual((granted[id] ?? 0) * 0.95);
            }
          }
        },
      ),
    );
  });
});

describe('the window of a model', () => {
  it.each([
    [{ runner: 'command', context: 32_768 }, 32_768],
    [{ runner: 'command' }, null],
    [{ runner: 'claude' }, 200_000],
    [{ runner: 'opencode' }, null],
    [{ runner: 'opencode', model: 'anthropic/claude-sonnet-4-5' }, 200_000],
    [{ runner: 'api', model: 'openai/gpt-4o-mini' }, 128_000],
    [{ runner: 'api', model: 'openai/o3-mini' }, 200_000],
    [{ runner: 'api', model: 'openai-compatible/gpt-4o' }, null],
    [{ runner: 'api', model: 'google/gemini-2.5-pro' }, 900_000],
    [{ runner: 'api', model: 'openai/unheard-of' }, null],
  ])('of %j is %j', (seat, tokens) => {
    expect(windowOf(seat)).toBe(tokens);
  });

  it('leaves a fifth for the answer, and sets no limit where it is not known', () => {
    expect([promptRoom(100_000), promptRoom(null)]).toEqual([80_000, Number.POSITIVE_INFINITY]);
  });
});
