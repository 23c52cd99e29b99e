import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealFiles, type Dealer, type DealtFile } from '../../../src/core/context/deal.ts';

const letters = Array.from('abcdefgh');

function file(path: string, changes: Partial<DealtFile> = {}): DealtFile {
  return { path, tokens: 10, isSensitive: false, readings: 0, ...changes };
}

function reader(id: string, paths: string, changes: Partial<Dealer> = {}): Dealer {
  return { id, budget: 100, isSecurity: false, files: new Set(paths), ...changes };
}

function deal(files: readonly DealtFile[], readers: readonly Dealer[]): Record<string, string> {
  return Object.fromEntries([...dealFiles(files, readers)].map(([id, paths]) => [id, paths.join('')]));
}

describe('the deal of the files of a change', () => {
  it('gives every file once before any is given twice, in the order of the files', () => {
    expect(deal(letters.slice(0, 4).map(path => file(path)), [reader('one', 'abcd'), reader('two', 'abcd')])).toEqual({ one: 'acbd', two: 'bdac' });
  });

  it('goes by what is left of each budget', () => {
    expect(deal([file('a', { tokens: 60 }), file('b'), file('c')], [reader('one', 'abc'), reader('two', 'abc', { budget: 90 })])).toEqual({ one: 'abc', two: 'bca' });
  });

  it('gives nobody what lies outside of its domain', () => {
    expect(deal(letters.slice(0, 3).map(path => file(path)), [reader('one', 'c'), reader('two', 'ab')])).toEqual({ one: 'c', two: 'ab' });
  });

  it('gives a sensitive file to a security reviewer, while it has room', () => {
    const files = [file('a', { isSensitive: true, tokens: 20 }), file('b', { isSensitive: true, tokens: 20 }), file('c')];
    expect(deal(files, [reader('one', 'abc'), reader('two', 'abc', { isSecurity: true, budget: 30 })])).toEqual({ one: 'bca', two: 'abc' });
  });

  it('puts what nobody has read before what somebody has', () => {
    expect(deal([file('a', { readings: 1 }), file('b')], [reader('one', 'ab')])).toEqual({ one: 'ba' });
  });

  it('deals each reader all that it may be asked about, each file once', () => {
    const paths = fc.subarray(letters);
    fc.assert(fc.property(fc.array(fc.record({ tokens: fc.nat(100), isSensitive: fc.boolean(), readings: fc.nat(3) }), { minLength: 8, maxLength: 8 }), fc.array(fc.record({ paths, budget: fc.nat(200), isSecurity: fc.boolean() }), { maxLength: 5 }), (changes, hands) => {
      const readers = hands.map(({ paths: own, ...rest }, index) => reader(`r${index}`, own.join(''), rest));
      const dealt = deal(letters.map((path, index) => file(path, changes[index])), readers);
      for (const { id, files } of readers) expect((dealt[id] ?? '').split('').toSorted()).toEqual([...files].toSorted());
    }));
  });
});
