/** What people and programs really hand over to `jury consensus`: each is read whole, or refused in one sentence. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consensus } from '../../src/cli/checks.ts';
import { UserError } from '../../src/core/errors.ts';
import { execute } from './memory-terminal.ts';

interface Printed {
  readonly claims: readonly {
    readonly findings: readonly number[];
    readonly supporters: readonly string[];
    readonly severity: string;
    readonly severityConflict: unknown;
    readonly confidence: number | null;
  }[];
  readonly findings: readonly {
    readonly claim: string | null;
    readonly text: string;
    readonly location: { readonly line: number | null; readonly endLine: number | null } | null;
  }[];
  readonly warnings: readonly string[];
}

type Said = Readonly<Record<string, unknown>>;

const injection = 'SQL injection in the user search';
const said = (reviewer: unknown, text: unknown, rest: Said = {}) => ({
  reviewer,
  text,
  severity: 'high',
  ...rest,
});
const there = { path: 'src/a.ts', line: 3 };
const many = (count: number, one: (index: number) => Said) => ({
  findings: Array.from({ length: count }, (_, index) => one(index)),
});

const squeezed = (text: string) => text.replace(/\s+/g, ' ');
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'jury-bad-input-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ends with a code, or throws what `main` makes one of. */
async function run(input: string | Uint8Array, ...flags: readonly string[]) {
  await writeFile(path.join(folder, 'f.json'), input);
  return execute(consensus, ['consensus', 'f.json', ...flags], { cwd: folder });
}

/** Every finding stands in exactly one claim, and every figure is one. */
async function form(content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { code, stdout } = await run(text, '--json');
  const printed = JSON.parse(stdout) as Printed;
  expect(code).toBe(0);
  expect(
    printed.claims.flatMap(({ findings }) => findings).toSorted((one, other) => one - other),
  ).toEqual(printed.findings.map((_, index) => index));
  for (const { confidence } of printed.claims) {
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThan(1);
  }
  return printed;
}

describe('findings that are odd and can be used', () => {
  it.each<[string, unknown, number]>([
    ['one reviewer', many(2, index => said('a', `${injection} ${index}`, there)), 2],
    ['a hundred reviewers', many(100, index => said(`r${index}`, injection, there)), 1],
    ['copies of one text', many(500, index => said(`r${index % 3}`, injection, there)), 1],
    [
      'one word each',
      { findings: ['bug', 'null', 'bug', '!', '注'].map((text, index) => said(`r${index}`, text)) },
      4,
    ],
    [
      'no place',
      { findings: [said('a', injection), said('b', injection), said('c', 'The cache leaks')] },
      2,
    ],
    [
      'one text on forty lines',
      many(80, index =>
        said(`r${index % 2}`, 'The lock is never released', {
          path: 'a.ts',
          line: 1 + 5 * (index >> 1),
        }),
      ),
      40,
    ],
    [
      'ids given twice',
      {
        findings: [
          said('a', injection, { id: 'X' }),
          said('a', 'The cache leaks', { id: 'X' }),
          said('b', injection, { id: 'X' }),
        ],
      },
      2,
    ],
    [
      'names of the language itself',
      '{"findings":[{"reviewer":"__proto__","text":"constructor","path":"__proto__","__proto__":{"text":"y"}},{"reviewer":"constructor","text":"toString"}]}',
      2,
    ],
    ['a byte order mark', `\uFEFF${JSON.stringify({ findings: [said('a', injection)] })}`, 1],
    [
      'nesting without end in a key nobody knows',
      `{"findings":[{"reviewer":"a","text":"x y","z":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
      1,
    ],
    ['nothing, by two reviewers', { findings: [], reviewers: ['a', 'b'] }, 0],
    [
      'nulls for all that may be left out',
      {
        findings: [
          said('a', injection, {
            path: null,
            line: null,
            endLine: null,
            severity: null,
            category: null,
            id: null,
          }),
        ],
      },
      1,
    ],
  ])('%s', async (_, content, claims) => expect((await form(content)).claims).toHaveLength(claims));

  it('two languages, and scripts without spaces: one place and one name are no one trouble', async () => {
    const { claims } = await form({
      findings: [
        said('de', 'Die Eingabe der Benutzersuche wird nicht geprüft', there),
        said('fr', 'Die Eingabe der Benutzersuche bleibt ungeprüft', there),
        said('zh', '缓存的键没有包含用户', { path: 'src/b.ts', line: 9 }),
        said('tw', '缓存的键没有包含用户编号', { path: 'src/b.ts', line: 9 }),
        said('th', 'การเชื่อมต่อไม่เคยถูกปิด', { path: 'src/c.ts', line: 30 }),
      ],
    });
    expect(claims.map(({ findings }) => findings)).toEqual(expect.arrayContaining([[2, 3], [4]]));
  });

  it('severities that contradict each other: the worst counts, and who said which is told', async () => {
    const { claims } = await form(
      many(4, index =>
        said(`r${index}`, injection, {
          ...there,
          severity: ['low', 'critical', 'info', 'blocker'][index],
        }),
      ),
    );
    expect(claims[0]).toMatchObject({
      severity: 'critical',
      severityConflict: { r0: 'low', r1: 'critical' },
    });
  });

  it('texts of 50 kB are cut, which is said', async () => {
    const { warnings, findings } = await form(
      many(8, index => said(`r${index}`, `${injection} `.repeat(1_500), there)),
    );
    expect(warnings.join()).toContain('8 findings were corrected in reading');
    expect(findings[0]?.text.length).toBeLessThan(5_000);
  });

  it('a claim of 900 findings by 300 reviewers is a few lines on the screen, and so is why it is one', async () => {
    const input = JSON.stringify(
      many(900, index =>
        said(`r${index % 300}`, index === 750 ? `The ${injection} is open` : injection, there),
      ),
    );
    const { stdout } = await run(input);
    expect(stdout).toContain('form 1 claim');
    expect(squeezed(stdout)).toContain('r11 and 288 more (300 of 300)');
    expect(stdout.split('\n').length).toBeLessThan(40);
    const { stdout: explained } = await run(input, '--explain', '1');
    expect(squeezed(explained)).toContain('r11 and 288 more');
    // The one in other words is among the few that are quoted, and the doubtful one of them.
    expect(squeezed(explained)).toContain(
      `The least alike are r0/1 “${injection}” and r150/751 “The ${injection} is open”`,
    );
    expect(squeezed(explained)).toContain('… and 892 more findings');
    expect(explained.split('\n').length).toBeLessThan(70);
  });
});

describe('what cannot be read as it stands', () => {
  it.each<[string, Said, number | null, string]>([
    ['a negative line', { line: -3 }, null, 'The stated line "-3" is no line number'],
    ['line 0', { line: 0 }, null, 'The stated line "0" is no line number'],
    ['half a line', { line: 3.5 }, null, 'The stated line "3.5" is no line number'],
    ['a word for a line', { line: 'abc' }, null, 'The stated line "abc" is no line number'],
    ['a line far behind the end of any file', { line: 1e12 }, 1e12, ''],
    [
      'an end before the beginning',
      { line: 9, endLine: 3 },
      3,
      'The stated range ended before it began',
    ],
    [
      'an end without a beginning',
      { endLine: 3 },
      null,
      'An endLine without a line was left out of findings[0].',
    ],
  ])('%s is left out or mended, and said', async (_, place, line, warning) => {
    const { findings, warnings } = await form({
      findings: [said('a', injection, { path: 'src/a.ts', ...place })],
    });
    expect(findings[0]?.location?.line).toBe(line);
    expect(warnings.join(' ')).toContain(warning);
  });

  it('two names that become one in reading count as one reviewer, and are named', async () => {
    const { claims, warnings } = await form({
      findings: [said('a\nb\u0000', injection), said('a b', injection), said('c', injection)],
    });
    expect(claims[0]?.supporters).toEqual(['a b', 'c']);
    expect(warnings).toEqual([
      expect.stringContaining('2 names of reviewers are read as "a b" and count as one'),
    ]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', '', 'f.json is empty.'],
    ['spaces', ' \n ', 'f.json is empty.'],
    [
      'NaN',
      '{"findings": [{"line": NaN}]}',
      'f.json:1:24: JSON knows no NaN; write null, or leave the key out.',
    ],
    [
      'Infinity',
      '{"findings": [{"line": -Infinity}]}',
      'f.json:1:24: JSON knows no -Infinity; write null, or leave the key out.',
    ],
    [
      'a number too large',
      '{"findings": [{"reviewer": "a", "text": "b", "line": 1e999}]}',
      'f.json: findings[0].line cannot be used: Must be a number or text.',
    ],
    [
      'a text of null',
      { findings: [said('a', injection), said('a', null)] },
      'f.json: findings[1].text cannot be used: Must be text; this is empty.',
    ],
    [
      'a number for a text',
      { findings: [said('a', 7)] },
      'f.json: findings[0].text cannot be used: Must be text; this is a number.',
    ],
    [
      'control characters alone',
      { findings: [said('a', '\u0000\u001b')] },
      'f.json: findings[0].text cannot be used: It is empty.',
    ],
    [
      'a number for a reviewer',
      { findings: [said(7, injection)] },
      'f.json: findings[0].reviewer cannot be used: Must be text; this is a number.',
    ],
    [
      'an object for a line',
      { findings: [said('a', injection, { line: {} })] },
      'f.json: findings[0].line cannot be used: Must be a number or text.',
    ],
    [
      'a finding that is a list',
      { findings: [[1]] },
      'f.json: findings[0] cannot be used: Must be keys with values; this is a list.',
    ],
    [
      'nesting without end',
      `{"findings": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'f.json: findings[0] cannot be used: Must be keys with values; this is a list.',
    ],
    [
      'nesting that nobody closes',
      `{"findings": ${'['.repeat(100_000)}`,
      'f.json:1:77: This is no JSON, and nests too deep to tell where it breaks.',
    ],
    [
      'findings that are no list',
      { findings: null },
      'f.json: findings cannot be used: Must be a list, in [ ]; this is empty.',
    ],
    [
      'reviewers that are no names',
      { findings: [], reviewers: [1] },
      'f.json: reviewers[0] cannot be used: Must be text; this is a number.',
    ],
    ['something else', 'null', 'f.json holds neither SARIF nor {"findings": […]}.'],
  ])('%s is refused in one sentence', async (_, content, sentence) => {
    const refused = run(typeof content === 'string' ? content : JSON.stringify(content));
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toMatchObject({ kind: 'input', message: sentence });
  });

  it.each<[string, string, string]>([
    [
      'a key that stands twice',
      '{"findings": [{"reviewer": "a", "text": "one"},\n {"reviewer": "a", "text": "two", "te\\u0078t": "three"}]}',
      'jury: f.json:2:35: The key "text" stands in one object twice, and what comes last was taken; leave one of them out.',
    ],
    [
      'a list that stands twice, and a key in it',
      '{"findings": [], "findings": [{"reviewer": "a", "text": "one", "x": {"id": 1, "id": 1, "id": 2}}]}',
      'jury: f.json:1:18: The key "findings" stands in one object twice, and what comes last was taken; leave one of them out. Keys stand again in 2 more places.',
    ],
    [
      'the mark for lost bytes',
      '{"findings": [\n{"reviewer": "a", "text": "caf\uFFFD"}]}',
      'jury: f.json:2:31: "\uFFFD" stands for bytes that were no UTF-8, here or where the text was written; write it as UTF-8.',
    ],
  ])('%s is told', async (_, text, note) => {
    const { stderr } = await run(text, '--json');
    expect(stderr.split('\n')).toContain(note);
  });

  it('keys that stand in several objects, and quotes in texts, are nothing to tell', async () => {
    const clean = {
      findings: [said('a', 'say "text": twice'), said('b', '{"text": 1, "text": 2} \\')],
    };
    expect((await run(JSON.stringify(clean, null, 1))).stderr).toBe('');
  });

  it('UTF-16 with a byte order mark is read, of either order', async () => {
    const text = JSON.stringify({ findings: [said('ä', 'Größe 缓存 🚀 is wrong')] });
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const { stdout, stderr } = await run(bytes, '--json');
      expect((JSON.parse(stdout) as Printed).findings[0]?.text).toBe('Größe 缓存 🚀 is wrong');
      expect(stderr).toBe('');
    }
  });

  it('a mark for lost bytes that was written in UTF-16 warns as it does in UTF-8', async () => {
    const text = JSON.stringify({ findings: [said('a', 'The caf\uFFFD is wrong')] });
    for (const bytes of [Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(text)])
      expect((await run(bytes)).stderr).toContain('stands for bytes that were no UTF-8');
  });

  it('bytes that are no UTF-8 are refused with their place', async () => {
    const text = '{"findings": [\n{"reviewer": "ä\uFFFD", "text": "caf\u00E9"}]}';
    const bytes = Buffer.concat([
      Buffer.from(text.slice(0, -5)),
      Buffer.from(text.slice(-5), 'latin1'),
    ]);
    await expect(run(bytes)).rejects.toMatchObject({
      kind: 'input',
      message: expect.stringMatching(
        /f\.json cannot be read: it is no UTF-8 \(byte 0xE9 in line 2, column 32\); save it as UTF-8\.$/,
      ),
    });
  });

  it('whatever JSON it is, every finding is in one claim, or one sentence says why not', async () => {
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        -1,
        0,
        1.5,
        1e12,
        '',
        ' ',
        'a.ts',
        'high',
        'a\nb',
        [],
        {},
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    const finding = fc.record(
      {
        reviewer: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom<unknown>('a', 'b', 'a\u0000') },
          { weight: 1, arbitrary: odd },
        ),
        text: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom<unknown>(injection, 'null', '注入') },
          { weight: 1, arbitrary: odd },
        ),
        path: odd,
        line: odd,
        endLine: odd,
        severity: odd,
        category: odd,
        id: odd,
        other: odd,
      },
      { requiredKeys: ['reviewer', 'text'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          { findings: fc.array(finding, { maxLength: 4 }), reviewers: odd },
          { requiredKeys: ['findings'] },
        ),
        async content => {
          try {
            await form(content);
          } catch (error) {
            if (!(error instanceof UserError)) throw error;
            expect(error.message).toMatch(/^f\.json: (?:findings\[\d\]|reviewers)\S* [^\n]+\.$/);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
