import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameApart, nameFindings, sayAs } from '../../../src/core/words/finding.ts';
import { stateFinding } from '../../../src/core/words/stated.ts';

const ids = fc.array(
  fc.oneof(
    fc.constantFrom('A', 'A#2', '#1', '#2', '#3', '1', '2', ''),
    fc.string({ maxLength: 4 }),
  ),
  { maxLength: 30 },
);

const say = (originalId: string) =>
  sayAs(stateFinding({ originalId, label: 'LOW', severity: 'low', text: 'x', raw: 'x' }, null), {
    reviewer: 'alpha',
    location: null,
    isImprovement: false,
  });

describe('findings of one reviewer', () => {
  it('keep what was stated, but for the place, which is the one that was looked up', () => {
    const stated = stateFinding(
      { originalId: 'A-1', label: 'HIGH', severity: 'high', text: 'x', raw: 'x', quote: 'q' },
      { path: 'a.ts', line: 3, endLine: null, notes: ['corrected'] },
    );
    expect(stated).toMatchObject({
      path: 'a.ts',
      line: 3,
      quote: 'q',
      notes: ['corrected'],
      section: null,
    });
    const { path: _path, line: _line, endLine: _endLine, quote: _quote, ...kept } = stated;
    expect(sayAs(stated, { reviewer: 'alpha', location: null, isImprovement: false })).toEqual({
      ...kept,
      id: 'alpha/A-1',
      reviewer: 'alpha',
      location: null,
      isImprovement: false,
    });
  });

  it('have unique names in any number of answers, and naming them again changes nothing', () =>
    fc.assert(
      fc.property(ids, stated => {
        const once = nameApart(stated.map(originalId => ({ originalId })));
        expect(new Set(once.map(({ originalId }) => originalId)).size).toBe(stated.length);
        expect(nameApart(once)).toEqual(once);
      }),
    ));

  it('are named in linear time', () => {
    const named = nameApart(Array.from({ length: 20_000 }, () => ({ originalId: 'A' })));
    expect(named.at(-1)).toEqual({ originalId: 'A#20000' });
  });

  it('are called by their reviewer and their name', () =>
    expect(nameFindings([say('A'), say('A'), say('#1'), say('#1')]).map(({ id }) => id)).toEqual([
      'alpha/A',
      'alpha/A#2',
      'alpha/#1',
      'alpha/#2',
    ]));
});
