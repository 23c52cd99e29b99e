/** However an item of the prose is headed, what it says goes to its entry whole: paragraphs, lists, quotations and code. */
import { describe, expect, test } from 'vitest';
import { readFindingsIndex } from '../../src/answers/findings-index.ts';

const index = [
  '### Findings Index',
  '- P0 | A-1 | "Locks" | The lock is never freed',
  '- P1 | A-2 | "Retries" | Retries have no end',
  'Verdict: risky',
];

function said(...prose: string[]) {
  const { entries } = readFindingsIndex([...index, ...prose].join('\n'));
  return Object.fromEntries(entries.map(({ originalId, evidence }) => [originalId, evidence]));
}

describe('an item of the prose', () => {
  test.each([
    ['### 1. [P0] The lock (A-1)', '### 2. [P1] Retries (A-2)'],
    ['#### A-1 — the lock', '#### A-2: retries'],
    ['**1. P0 — A-1: The lock**', '**2. P1 — A-2: Retries**'],
    ['1. **P0 | A-1 | The lock**', '2. **P1 | A-2 | Retries**'],
    ['1. **[P0] The lock** [A-1]', '2. **[P1] Retries** [A-2]'],
    ['### The lock is never freed', '### Retries have *no* end'],
    ['A-1 (P0): the lock', 'A-2 (P1): retries'],
  ])('is headed by %j', (one, other) => {
    const found = said(
      '',
      '## Issues Found',
      '',
      one,
      '',
      'First of one.',
      '',
      '1. step',
      '',
      'Last of one.',
      '',
      other,
      '',
      'Of the other.',
    );
    expect(found['A-1']).toContain('First of one.');
    expect(found['A-1']).toContain('1. step');
    expect(found['A-1']).toContain('Last of one.');
    expect(found['A-1']).not.toContain('Of the other.');
    expect(found['A-2']).toContain('Of the other.');
  });

  test('keeps the code and the quotations in it, and no line of them begins another', () => {
    const found = said(
      '### Issues Found',
      '1. **A-1** (P0): it hangs.',
      '',
      '```ts',
      '# A-2',
      'fix: lock.free();',
      '```',
      '',
      '> A-2 is said here',
      '',
      'The end.',
    );
    expect(found['A-1']).toBe(
      'it hangs.\n\n```ts\n# A-2\nfix: lock.free();\n```\n\n> A-2 is said here\n\nThe end.',
    );
    expect(found['A-2']).toBeNull();
  });

  test('is not begun by a step of a list that names another entry last', () => {
    const found = said(
      '### Issues Found',
      '1. **A-1**: it hangs.',
      '1. Free the lock (A-2)',
      '- then go on (A-2)',
    );
    expect(found['A-1']).toContain('then go on (A-2)');
    expect(found['A-2']).toBeNull();
  });

  test('is found without a heading above them all, and ends where another part begins', () => {
    const found = said(
      '### Summary',
      'A-1 is bad.',
      '### Details',
      '#### A-1',
      'It hangs.',
      '### Improvements',
      '1. A-1 could log.',
    );
    expect(found['A-1']).toBe('It hangs.');
  });
});

test('an index that names nothing is not believed where the prose names something', () => {
  const lines = ['### Findings Index', 'Verdict: safe', '### Issues Found'];
  expect(readFindingsIndex([...lines, 'None.'].join('\n')).state).toBe('valid');
  expect(
    readFindingsIndex([...lines, '1. **A-1** (P0): every write is lost'].join('\n')),
  ).toMatchObject({
    state: 'malformed',
    claimed: 'safe',
    entries: [{ originalId: 'A-1', severity: 'critical' }],
  });
});
