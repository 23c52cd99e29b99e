import { describe, expect, test } from 'vitest';
import { placeIn, splitPlace } from '../../src/answers/place-in-text.ts';
import { briefs, read, unread } from './reading-options.ts';

const found = [
  'critical src/a.ts:42 The query is built from input',
  'high src/b.ts:10-12 The loop never ends',
];

describe('a report is read like the lines that were asked for', () => {
  test.each([
    [
      'numbered, bold',
      '1. **CRITICAL** src/a.ts:42 — The query is built from input\n2. **IMPORTANT** src/b.ts:10-12 — The loop never ends',
    ],
    [
      'dashed, in brackets, the place last',
      '- [CRITICAL] The query is built from input — src/a.ts:42\n  A quote ends it.\n- [P1] The loop never ends (`src/b.ts:10-12`)',
    ],
    [
      'headed, with a labelled place',
      '### 1. [CRITICAL] The query is built from input\n\n**File:** `src/a.ts`, Login, line 42\n\n### ' +
        '2. High: The loop never ends\n\n**Location:** src/b.ts:10-12',
    ],
    [
      'sections with headings of their own',
      '## Critical\n\n### The query is built from input\n\nsrc/a.ts#L42\n\n## High priority\n\n### The ' +
        'loop never ends\n\nlines 10-12 of src/b.ts',
    ],
    [
      'bold sections',
      '**Critical**\n\n- `src/a.ts:42` The query is built from input\n\n**Important:**\n\n- [b.ts](src/b.ts#L10-L12): The loop never ends',
    ],
    [
      'the severity in a field',
      '### 1. The query is built from input\n- **Severity:** Critical\n- **File:** src/a.ts:42\n\n### ' +
        '2. The loop never ends\n- **Severity:** High\n- **File:** src/b.ts:10-12',
    ],
    [
      'a table',
      '| # | Severity | File | Lines | Issue |\n| --- | --- | --- | --- | --- |\n| 1 | **Critical** | ' +
        '`src/a.ts` | 42 | The query is built from input |\n| 2 | High | src/b.ts | 10-12 | The loop ' +
        'never ends |',
    ],
    [
      'the place first',
      '**src/a.ts:42** - 🔴 CRITICAL: The query is built from input\n\n**src/b.ts:10-12** - 🟠 IMPORTANT: The loop never ends',
    ],
  ])('%s', (_, answer) => {
    expect(briefs(read(answer))).toEqual(found);
    expect(read(answer).status).toBe('complete');
  });

  test('a list of lines of the code is kept, and asked about again, where nothing else is found', () =>
    expect(
      read(
        '1. The query is built from input (src/a.ts:42)\n2. The loop in `src/b.ts:10` never ends',
      ),
    ).toMatchObject({ partialCause: 'noformat', findings: [{ line: 42 }, { line: 10 }] }));

  test('the severity of an item among findings that names none is not stated', () =>
    expect(
      read('1. **CRITICAL** The query is built from input\n2. The loop never ends'),
    ).toMatchObject({
      status: 'complete',
      findings: [{ severity: 'critical' }, { label: 'UNSTATED', severity: 'medium' }],
    }));

  test.each([
    '- **Critical**: 2 issues\n- **High**: 0',
    '| Severity | Count |\n| --- | --- |\n| High | 3 |',
    '> 1. **CRITICAL** The query is built from input',
    '```\n1. **CRITICAL** The query is built from input\n```x',
    'Important: I read it all.',
  ])('%j holds no finding', answer => expect(unread(answer).ok).toBe(false));
});

describe('words and place', () => {
  test.each([
    ['**src/a.ts:42** — The query', 'src/a.ts', 42, 'The query'],
    ['In src/x.ts:1 it says so — src/a.ts:42', 'src/a.ts', 42, 'In src/x.ts:1 it says so'],
    ['`src/a.ts:3` is never closed', 'src/a.ts', 3, '`src/a.ts:3` is never closed'],
    ['拼接SQL（src/a.ts 第 42 行）', 'src/a.ts', 42, '拼接SQL'],
  ])('%s', (text, path, line, words) =>
    expect(splitPlace(text)).toMatchObject({ place: { path, line }, text: words }),
  );

  test.each([
    'SEV1|src/a.ts:42|x',
    'CRITICAL|src/a.ts(42,5)|x',
    'CRITICAL|src/a.ts:42..44|x',
    'LOW|src/b.ts:1|y\n- Blocker: src/a.ts(42,5): x',
    '| Priority | Severity | Ort | Zeile | Befund | Issue |\n|-|-|-|-|-|-|\n| Low | Kritisch | src/a.ts | 42 | x | it is |',
    '### Befund\n\nSchweregrad: Kritisch\nDatei: src/a.ts\nZeile: 42\nBeschreibung: x',
  ])('%j', answer => expect(briefs(read(answer)).join()).toContain('critical src/a.ts:42'));

  test.each(['and/or line 3', 'log.Error at line 534', 'page 12 L3'])('%s names none', text =>
    expect(placeIn(text)).toBeNull(),
  );
});
