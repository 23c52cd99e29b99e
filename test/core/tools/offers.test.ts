import { describe, expect, it } from 'vitest';
import { stateReported, withoutRepeated } from '../../../src/core/tools/offers.ts';

const scale = new Map([
  ['BLOCKER', 'critical'],
  ['NOTE', 'low'],
] as const);
const input = { severity: 'blocker', text: 'It throws', file: 'src/a.ts', line: 3 };

function stated(changes: Partial<typeof input> = {}, number = 1) {
  const finding = stateReported({ ...input, ...changes }, scale, number);
  if (finding === null) throw new Error('refused');
  return finding;
}

describe('a reported finding', () => {
  it('is read like one of an answer: by the labels asked for, its place apart, on one line', () => {
    expect(stated({ text: 'It\nthrows\u001B[31m\u202E' })).toMatchObject({
      originalId: 'R1',
      label: 'blocker',
      severity: 'critical',
      text: 'It throws⟦U+202E⟧',
      path: 'src/a.ts',
      line: 3,
    });
    expect(stated({ file: 'src/a.ts:7-9', line: undefined as never })).toMatchObject({
      path: 'src/a.ts',
      line: 7,
      endLine: 9,
    });
    expect(stated({ file: ' ' })).toMatchObject({ path: null, line: null });
  });

  it('is refused with a label that nobody declared, and without words', () => {
    expect(stateReported({ ...input, severity: 'terrible' }, scale, 1)).toBeNull();
    expect(stateReported({ ...input, text: '\u001B[0m \t' }, scale, 1)).toBeNull();
  });

  it('is one statement with the same words about the same place, said again', () => {
    const again = stated({ text: 'IT THROWS' }, 2);
    expect(withoutRepeated([again], [stated()])).toEqual([]);
    expect(withoutRepeated([stated(), again], [])).toHaveLength(1);
    expect(
      withoutRepeated(
        [stated({ line: 4 }), stated({ severity: 'note' }), stated({ text: 'It leaks' })],
        [stated()],
      ),
    ).toHaveLength(3);
  });
});
