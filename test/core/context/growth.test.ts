import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Reader,
  allotCover,
  isWithin,
  promptRoom,
  windowOf,
} from '../../../src/core/context/growth.ts';

function files(count: number, tokens: number) {
  return Array.from({ length: count }, (_, index) => ({
    path: `f${index}`,
    tokens,
    isSensitive: false,
    isSecured: false,
    readings: 0,
  }));
}

function reader(id: string, count: number, changes: Partial<Reader> = {}) {
  const paths = new Set(files(count, 0).map(({ path }) => path));
  return {
    id,
    budget: 10_000,
    window: 100_000,
    frame: 600,
    ratio: 1.1,
    isSecurity: false,
    isHeard: false,
    files: paths,
    domain: paths,
    price: null,
    ...changes,
  };
}

function allot(changes: Partial<Parameters<typeof allotCover>[0]>) {
  return allotCover({
    cover: null,
    perFile: 2,
    files: files(100, 1_000),
    readers: [reader('one', 100), reader('two', 100)],
    wholes: [],
    ...changes,
  });
}

function sum(granted: Readonly<Record<string, number>>) {
  return Object.values(granted).reduce((total, tokens) => total + tokens, 0);
}

describe('what budgets grow to', () => {
  it('is the formula where that holds the files, and whatever the cover where no window is known', () => {
    expect(allot({ files: files(5, 1_000) }).granted).toEqual({ one: 10_000, two: 10_000 });
    const readers = [reader('one', 100, { window: null })];
    for (const cover of [null, 'all', 'once', 'risk'] as const)
      expect(allot({ cover, readers }).granted).toEqual({ one: 10_000 });
    expect(allot({ cover: 'risk' }).granted).toEqual({ one: 10_000, two: 10_000 });
  });

  it('is enough for every reader with "all", for the panel together with "once", for two of each file without', () => {
    const readers = ['one', 'two', 'three'].map(id => reader(id, 100));
    const [once, usual, all] = (['once', null, 'all'] as const).map(cover =>
      sum(allot({ cover, readers }).granted),
    );
    expect((usual ?? 0) / (once ?? 1)).toBeCloseTo(2, 1);
    expect((all ?? 0) / (once ?? 1)).toBeCloseTo(3, 1);
    expect(allot({ readers }).cover).toBe('dealt');
    expect(sum(allot({ readers, perFile: 1 }).granted)).toBe(once);
  });

  it('holds the one question of whoever reads all of it', () => {
    const { granted, cover, estimate } = allot({
      readers: [],
      wholes: [{ id: 'one', budget: 10_000, tokens: 50_000, price: null }],
    });
    expect(granted.one).toBeGreaterThan(60_000);
    expect([cover, estimate]).toEqual(['all', { calls: 1, tokens: 50_500, cost: null }]);
  });

  it('is within a ceiling, or is not', () => {
    const estimate = { calls: 3, tokens: 100, cost: null };
    const nothing = { maxCalls: null, maxTokens: null, maxCost: null };
    expect(isWithin(estimate, nothing)).toBe(true);
    expect(isWithin(estimate, { ...nothing, maxCalls: 3, maxTokens: 100 })).toBe(true);
    expect(isWithin(estimate, { ...nothing, maxCalls: 2 })).toBe(false);
    expect(isWithin(estimate, { ...nothing, maxTokens: 99 })).toBe(false);
    // What a panel costs whose prices nobody knows, nobody knows to be within a ceiling.
    expect(isWithin(estimate, { ...nothing, maxCost: 1_000 })).toBe(false);
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
            perFile: 2,
            files: dealt,
            readers,
            wholes: [],
          });
          for (const { id, budget, window } of readers) {
            expect(granted[id]).toBeGreaterThanOrEqual(budget);
            if (window === null || cover === 'risk') expect(granted[id]).toBe(budget);
            else {
              // Everything it is dealt that its window holds is below what stops it.
              const load = (hands.get(id) ?? [])
                .map(({ path }) => dealt.find(file => file.path === path)?.tokens ?? 0)
                .filter(tokens => tokens <= (promptRoom(window) - 600) / 1.1)
                .reduce((total, tokens) => total + tokens, 0);
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
