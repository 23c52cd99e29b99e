import { describe, expect, test } from 'vitest';
import {
  readFindingsIndex,
  statusOf,
  type FindingsIndex,
} from '../../src/answers/findings-index.ts';
import { summaryOf } from '../../src/answers/place-in-text.ts';
import type { Deviation } from '../../src/answers/index-block.ts';
import { claimOf } from '../../src/answers/labels.ts';

const canonical = [
  '### Findings Index',
  '- P0 | A-1 | "Locks" | The lock is never freed',
  '- P1 | A-2 | "Retries" | Retries have no end',
  '- P3 | A-3 | "Names" | Two names for one thing',
  'Verdict: risky',
  '',
  '### Summary',
  'The queue stops under load. It also retries for ever.',
  '',
  '### Issues Found',
  '1. **A-1** (P0): see src/lock.ts:14 and src/lock.ts:20.',
  '',
  '2. A-2: the loop in src/retry.ts:7-9 has no bound.',
  '',
  '### Improvements',
  '1. Name the queue.',
].join('\n');

function block(...lines: string[]) {
  return readFindingsIndex(['### Findings Index', ...lines].join('\n'));
}

function short(index: FindingsIndex) {
  return index.entries.map(
    ({ originalId, severity, section, text }) =>
      `${severity} ${originalId} [${section ?? ''}] ${text}`,
  );
}

describe('the canonical form', () => {
  const index = readFindingsIndex(canonical);

  test('entries, verdict and places are read without a deviation', () => {
    expect(index).toMatchObject({
      state: 'valid',
      claimed: 'risky',
      deviations: [],
      unparsed: [],
    });
    expect(short(index)).toEqual([
      'critical A-1 [Locks] The lock is never freed',
      'high A-2 [Retries] Retries have no end',
      'low A-3 [Names] Two names for one thing',
    ]);
    expect(index.entries.map(({ label, path, line }) => [label, path, line])).toEqual([
      ['P0', 'src/lock.ts', 14],
      ['P1', 'src/retry.ts', 7],
      ['P3', null, null],
    ]);
    expect(index.entries[0]?.raw).toBe('- P0 | A-1 | "Locks" | The lock is never freed');
  });

  test('items of the section Improvements are improvements', () => {
    expect(index.improvements.map(({ originalId, text }) => [originalId, text])).toEqual([
      ['IMP-1', 'Name the queue.'],
    ]);
    // A heading and a safe verdict are a valid file without findings.
    expect(block('Verdict: safe')).toMatchObject({ state: 'valid', entries: [] });
  });
});

describe('deviations are tolerated and named', () => {
  const entry = '- P1 | X-1 | "Auth" | No check';
  test.each<[string, string, Deviation[], string[]]>([
    [
      'another level or case of the heading',
      `# FINDINGS index\n${entry}\nVerdict: needs-changes`,
      ['heading-level'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'front matter before the block',
      `---\nname: x\n---\n\n### Findings Index\n${entry}\nVerdict: needs-changes`,
      ['not-first-block'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'a section without quotes',
      '### Findings Index\n- P1 | X-1 | Auth | No check\nVerdict: warn',
      ['unquoted-section'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'bars in the title and a place behind it',
      '### Findings Index\n- P1 | X-1 | "Auth" | a | b | src/a.ts:3\nVerdict: warn',
      ['extra-field'],
      ['high X-1 [Auth] a | b'],
    ],
    [
      'three fields',
      '### Findings Index\n- P2 | X-1 | No check\nVerdict: safe',
      ['missing-field'],
      ['medium X-1 [] No check'],
    ],
    [
      'severity and text only',
      '### Findings Index\n- P2: No check\n- **P3** Odd name\nVerdict: safe',
      ['missing-field', 'severity-alias'],
      ['medium #1 [] No check', 'low #2 [] Odd name'],
    ],
    [
      'words for severities',
      '### Findings Index\n- CRITICAL | A | "S" | a\n- high | B | "S" | b\n- MED | C | "S" | c\n- **P1** | D | "S" | d\nVerdict: veto',
      ['severity-alias'],
      ['critical A [S] a', 'high B [S] b', 'medium C [S] c', 'high D [S] d'],
    ],
    [
      'other bullets, numbers and indentation',
      '### Findings Index\n* P1 | A | "S" | a\n1. P1 | B | "S" | b\n  - P1 | C | "S" | c\nVerdict: warn',
      ['bullet-style'],
      ['high A [S] a', 'high B [S] b', 'high C [S] c'],
    ],
    [
      'a table with its columns in any order',
      '### Findings Index\n| ID | Finding | Severity | Section |\n|---|---|---|---|\n| A | no check | ' +
        'P1 | Auth |\n| B | odd name | P3 | "Names" |\n\nVerdict: warn',
      ['table-row'],
      ['high A [Auth] no check', 'low B [Names] odd name'],
    ],
    [
      'a bullet without severity',
      `### Findings Index\n${entry}\n- and some more\nVerdict: warn`,
      ['prose-bullet'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'what is left of the template',
      `### Findings Index\n- SEVERITY | ID | "Section" | Title\n- P1 | [ID] | "S" | t\n${entry}\nVerdict: warn`,
      ['template-leftover'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'one id for two findings',
      `### Findings Index\n${entry}\n- P1 | X-1 | "Auth" | No limit\nVerdict: warn`,
      ['duplicate-id'],
      ['high X-1 [Auth] No check', 'high X-1#2 [Auth] No limit'],
    ],
    [
      'a verdict elsewhere',
      `### Findings Index\n${entry}\n### Summary\nVerdict: warn`,
      ['verdict-outside-block'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'a verdict in bold with a note',
      `### Findings Index\n${entry}\n**Verdict: needs-changes** (2 P1, 3 P2)`,
      ['verdict-decorated'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'a verdict nobody declared',
      `### Findings Index\n${entry}\nVerdict: meh`,
      ['verdict-unknown'],
      ['high X-1 [Auth] No check'],
    ],
    [
      'no verdict',
      `### Findings Index\n${entry}`,
      ['verdict-missing'],
      ['high X-1 [Auth] No check'],
    ],
  ])('%s', (_name, text, expected, entries) => {
    const index = readFindingsIndex(text);
    expect(index.deviations).toEqual(
      expected.toSorted(
        (one, other) => index.deviations.indexOf(one) - index.deviations.indexOf(other),
      ),
    );
    expect(short(index)).toEqual(entries);
    expect(index.state).toBe('valid');
  });

  test('trailing fields that are places or pairs leave the title', () => {
    const [entry1] = block(
      '- P1 | X-1 | Auth | a | b | owner: me | risk=high | src/a.ts:3',
      'Verdict: warn',
    ).entries;
    expect(entry1).toMatchObject({
      section: 'Auth',
      text: 'a | b',
      path: 'src/a.ts',
      line: 3,
      evidence: 'owner: me\nrisk=high\nsrc/a.ts:3',
    });
  });

  test('IMP, INFO and NOTE are improvements', () => {
    const index = block(
      '- IMP | I-1 | "S" | a',
      '- INFO | I-2 | "S" | b',
      '- note | I-3 | "S" | c',
      'Verdict: safe',
    );
    expect(index.entries).toEqual([]);
    expect(index.improvements.map(({ originalId }) => originalId)).toEqual(['I-1', 'I-2', 'I-3']);
  });

  test('the block ends at the next heading; blank lines and rules inside it do not', () => {
    const index = block(
      '- P1 | A | "S" | a',
      '',
      '---',
      '- P2 | B | "S" | b',
      '#### Notes',
      '- P0 | C | "S" | c',
    );
    expect(index.entries.map(({ text }) => text)).toEqual(['a', 'b', 'C | "S" | c']);
  });

  test.each([
    ['Verdict: clean', 'safe'],
    ['Verdict — approved', 'safe'],
    ['**Verdict:** needs attention', 'needs-changes'],
    ['### Verdict: REQUEST_CHANGES', 'needs-changes'],
    ['**Verdict: blocked**', 'risky'],
    ['verdict: Fail.', 'risky'],
    ['Verdict: approve?', null],
    ['Verdict: safe with reservations', null],
  ])('%s', (line, claimed) => expect(block('- P1 | A | "S" | a', line).claimed).toBe(claimed));
});

describe('the state of a file', () => {
  test('bullets without severity and no verdict are malformed and never clean', () => {
    const index = readFindingsIndex('### Findings Index\n- looks odd\n- looks odder\n');
    expect(index).toMatchObject({ state: 'malformed', claimed: null });
    expect(index.unparsed).toEqual(['- looks odd', '- looks odder']);
    expect(statusOf({ ...index, computed: 'safe', isPartial: false, isVetoed: false })).toBe(
      'NEEDS_ATTENTION',
    );
  });

  test('without an index, findings are read from headings and numbered items', () => {
    const index = readFindingsIndex(
      '# Review\n\n### P1: No lock in src/a.ts:3\ntext\n\n### X-2 (P0): Key in the log\n\n1. **[HIGH] No limit**\n2. Fine otherwise\n',
    );
    expect(index.state).toBe('malformed');
    expect(
      index.entries.map(({ originalId, severity, text, path, line }) => [
        originalId,
        severity,
        text,
        path,
        line,
      ]),
    ).toEqual([
      ['#1', 'high', 'No lock in src/a.ts:3', 'src/a.ts', 3],
      ['X-2', 'critical', 'Key in the log', null, null],
      ['#3', 'high', 'No limit', null, null],
    ]);
  });

  test('an error verdict and an empty file are errors', () => {
    expect(
      readFindingsIndex(
        '### Findings Index\nVerdict: error\n\nAgent failed to produce findings after retry. Error: x',
      ),
    ).toMatchObject({ state: 'error' });
    expect(readFindingsIndex(' \n')).toMatchObject({ state: 'error', entries: [] });
  });

  test('a claim is compared with what the findings say', () =>
    expect([
      claimOf('safe', 'risky'),
      claimOf('risky', 'needs-changes'),
      claimOf('safe', 'safe'),
      claimOf(null, 'risky'),
    ]).toEqual(['lower', 'higher', 'match', 'absent']));

  test.each([
    [{ state: 'valid', claimed: null, computed: 'safe' }, 'CLEAN'],
    [{ state: 'valid', claimed: 'needs-changes', computed: 'safe' }, 'NEEDS_ATTENTION'],
    [{ state: 'valid', claimed: 'safe', computed: 'risky' }, 'NEEDS_ATTENTION'],
    [{ state: 'error', claimed: 'error', computed: 'error' }, 'ERROR'],
  ] as const)('%o is %s', (standing, status) =>
    expect(statusOf({ ...standing, isPartial: false, isVetoed: false })).toBe(status),
  );

  test('a veto blocks and an unfinished file is partial', () => {
    expect(
      statusOf({
        state: 'valid',
        claimed: 'risky',
        computed: 'risky',
        isPartial: false,
        isVetoed: true,
      }),
    ).toBe('BLOCKED');
    expect(
      statusOf({
        state: 'valid',
        claimed: 'safe',
        computed: 'safe',
        isPartial: true,
        isVetoed: false,
      }),
    ).toBe('PARTIAL');
  });
});

test('the one-line summary comes from the tail, else the first sentence of the summary', () => {
  expect(
    summaryOf(`${canonical}\n\n--- VERDICT ---\nSTATUS: x\nFINDINGS: 3\nSUMMARY: Locks leak.\n---`),
  ).toBe('Locks leak.');
  expect(summaryOf(canonical)).toBe('The queue stops under load.');
  expect(summaryOf('### Findings Index\n- P2 | A | "S" | small')).toBe('');
  expect(
    summaryOf(`### Findings Index\nVerdict: safe\n### Summary\n${'long '.repeat(100)}`),
  ).toHaveLength(160);
});
