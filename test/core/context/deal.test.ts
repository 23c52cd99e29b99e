import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealFiles } from '../../../src/core/context/growth.ts';

type Dealer = Parameters<typeof dealFiles>[1][number];

type DealtFile = Parameters<typeof dealFiles>[0][number];

const letters = Array.from('abcdefgh');

function dealtFile(path: string, changes: Partial<DealtFile> = {}) {
  return { path, tokens: 10, isSensitive: false, isSecured: false, readings: 0, ...changes };
}

function reader(id: string, paths: string, changes: Partial<Dealer> = {}) {
  const files = new Set(paths);
  return {
    id,
    capacity: 100,
    grows: false,
    isHeard: false,
    isSecurity: false,
    files,
    domain: files,
    ...changes,
  };
}

function deal(files: readonly DealtFile[], readers: readonly Dealer[]) {
  return Object.fromEntries(
    [...dealFiles(files, readers)].map(([id, hand]) => [id, hand.map(({ path }) => path).join('')]),
  );
}

describe('the deal of the files of a change', () => {
  it('gives every file once before any is given twice, in the order of the files', () => {
    expect(
      deal(
        letters.slice(0, 4).map(path => dealtFile(path)),
        [reader('one', 'abcd'), reader('two', 'abcd')],
      ),
    ).toEqual({ one: 'acbd', two: 'bdac' });
  });

  it('goes by what is left of each budget', () => {
    expect(
      deal(
        [dealtFile('a', { tokens: 60 }), dealtFile('b'), dealtFile('c')],
        [reader('one', 'abc'), reader('two', 'abc', { capacity: 90 })],
      ),
    ).toEqual({ one: 'abc', two: 'bca' });
  });

  it('gives nobody what lies outside of its domain', () => {
    expect(
      deal(
        letters.slice(0, 3).map(path => dealtFile(path)),
        [reader('one', 'c'), reader('two', 'ab')],
      ),
    ).toEqual({ one: 'c', two: 'ab' });
  });

  it('gives a sensitive file to a security reviewer, while it has room', () => {
    const files = [
      dealtFile('a', { isSensitive: true, tokens: 20 }),
      dealtFile('b', { isSensitive: true, tokens: 20 }),
      dealtFile('c'),
    ];
    expect(
      deal(files, [reader('one', 'abc'), reader('two', 'abc', { isSecurity: true, capacity: 30 })]),
    ).toEqual({ one: 'bca', two: 'abc' });
  });

  it('puts what nobody has read before what somebody has', () => {
    expect(deal([dealtFile('a', { readings: 1 }), dealtFile('b')], [reader('one', 'ab')])).toEqual({
      one: 'ba',
    });
  });

  it('deals each reader all that it may be asked about, each file once', () => {
    const paths = fc.subarray(letters);
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ tokens: fc.nat(100), isSensitive: fc.boolean(), readings: fc.nat(3) }),
          { minLength: 8, maxLength: 8 },
        ),
        fc.array(fc.record({ paths, capacity: fc.nat(200), isSecurity: fc.boolean() }), {
          maxLength: 5,
        }),
        (changes, hands) => {
          const readers = hands.map(({ paths: own, ...rest }, index) =>
            reader(`r${index}`, own.join(''), rest),
          );
          const dealt = deal(
            letters.map((path, index) => dealtFile(path, changes[index])),
            readers,
          );
          for (const { id, files } of readers)
            expect((dealt[id] ?? '').split('').toSorted()).toEqual([...files].toSorted());
        },
      ),
    );
  });

  it('rotates between equals: of the same room the one that was dealt least is next', () => {
    const dealt = deal(
      letters.slice(0, 6).map(path => dealtFile(path, { tokens: 0 })),
      ['one', 'two', 'three'].map(id => reader(id, 'abcdef')),
    );
    expect(Object.values(dealt).map(paths => paths.slice(0, 2))).toEqual(['ad', 'be', 'cf']);
  });

  it('gives a file to whoever is there for it, to others only where it would be read by nobody', () => {
    const files = ['a', 'b', 'c'].map(path => dealtFile(path, { tokens: 60 }));
    const other = reader('other', 'abc', { capacity: 500, domain: new Set(['c']) });
    expect(deal(files, [reader('own', 'abc', { capacity: 120 }), other])).toEqual({
      own: 'abc',
      other: 'c',
    });
    expect(deal(files, [reader('own', 'abc'), other])).toEqual({ own: 'abc', other: 'bc' });
  });

  it('deals each file as often as is wanted, a lockfile once, and leaves nobody without one', () => {
    const files = letters.slice(0, 4).map(path => dealtFile(path));
    const readers = ['one', 'two', 'three'].map(id => reader(id, 'abcd'));
    const times = (wanted: number, path: string, dealt = files) =>
      [...dealFiles(dealt, readers, wanted).values()].filter(hand =>
        hand.some(file => file.path === path),
      ).length;
    expect(letters.slice(0, 4).map(path => times(2, path))).toEqual([2, 2, 2, 2]);
    expect(times(2, 'a', [dealtFile('a', { most: 1 }), ...files.slice(1)])).toBe(1);
    const one = dealFiles([dealtFile('a')], readers, 1);
    expect([...one.values()].map(hand => hand.length)).toEqual([1, 1, 1]);
    const again = readers.map(each => ({ ...each, isHeard: true }));
    expect([...dealFiles([dealtFile('a')], again, 1).values()].flat()).toEqual([
      { path: 'a', turn: 0 },
    ]);
  });

  it('gives a second reading only where there is room for it', () => {
    const files = ['a', 'b'].map(path => dealtFile(path, { tokens: 60 }));
    const readers = [reader('one', 'ab'), reader('two', 'ab')];
    const hands = [...dealFiles(files, readers, 2).values()];
    expect(hands.map(hand => hand.map(({ path }) => path))).toEqual([['a'], ['b']]);
  });

  it('has a sensitive file read by security though somebody else has read it', () => {
    const files = [dealtFile('a'), dealtFile('b', { isSensitive: true, readings: 2 })];
    const readers = [reader('one', 'ab'), reader('two', 'ab', { isSecurity: true })];
    expect(deal(files, readers)['two']?.charAt(0)).toBe('b');
    expect(
      deal(
        files.map(file => ({ ...file, isSecured: true })),
        readers,
      )['two'],
    ).toBe('ab');
  });

  it('covers the change whenever the room is enough, and never gives a first reading beyond it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 }),
        (sizes, capacities) => {
          const files = sizes.map((tokens, index) => dealtFile(`f${index}`, { tokens }));
          const paths = new Set(files.map(({ path }) => path));
          const hands = dealFiles(
            files,
            capacities.map((capacity, index) => ({
              ...reader(`r${index}`, ''),
              files: paths,
              domain: paths,
              capacity,
            })),
          );
          const first = [...hands.values()].flatMap(hand =>
            hand.filter(({ turn }) => turn === 0).map(({ path }) => path),
          );
          expect(first.toSorted()).toEqual([...paths].toSorted());
          const total = sizes.reduce((sum, size) => sum + size, 0);
          // Whatever the sizes: where every reader keeps room for the largest file, each file fits somebody.
          const room = capacities.reduce((sum, capacity) => sum + Math.max(0, capacity - 40), 0);
          if (room >= total)
            for (const [index, capacity] of capacities.entries()) {
              const own = (hands.get(`r${index}`) ?? []).filter(({ turn }) => turn === 0);
              const load = own.map(({ path }) => files.find(file => file.path === path)?.tokens);
              expect(load.reduce<number>((sum, size = 0) => sum + size, 0)).toBeLessThanOrEqual(
                capacity,
              );
            }
        },
      ),
    );
  });
});
