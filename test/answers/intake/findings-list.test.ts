import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/answers/intake/read-source.ts';

function read(value: unknown) {
  return readSource({ name: 'a.json', text: JSON.stringify(value) }, []);
}

const said = (changes: object) => ({
  reviewer: 'Alpha',
  text: 'No lock',
  severity: 'high',
  ...changes,
});
const findingsOf = (...changes: readonly object[]) =>
  read({ findings: changes.map(said) }).entries.map(({ finding }) => finding);

describe('findings as our JSON', () => {
  it('reads every key that is known', () => {
    const { entries, warnings, reviews } = read({
      findings: [
        said({
          path: 'src/a.ts',
          line: 10,
          endLine: 12,
          category: 'race',
          id: 'A-1',
          evidence: 'seen',
          recommendation: 'lock it',
        }),
      ],
    });
    expect(entries[0]?.finding).toMatchObject({
      reviewer: 'Alpha',
      originalId: 'A-1',
      text: 'No lock',
      label: 'high',
      severity: 'high',
      category: 'race',
      evidence: 'seen',
      recommendation: 'lock it',
      location: {
        path: 'src/a.ts',
        line: 10,
        endLine: 12,
        side: 'new',
        anchoring: 'exact',
        checked: false,
      },
    });
    expect(warnings).toEqual([]);
    expect(reviews.map(({ reviewer, status }) => [reviewer, status])).toEqual([
      ['Alpha', 'complete'],
    ]);
  });

  it('takes file for path, numbers in words, and null for nothing', () => {
    const [one, other] = findingsOf(
      { file: './src/a.ts', line: '10', path: null },
      { path: null, line: null, category: null, id: null, evidence: null },
    );
    expect(one?.location).toMatchObject({ path: 'src/a.ts', line: 10 });
    expect(other).toMatchObject({
      location: null,
      category: null,
      originalId: '#2',
      evidence: null,
    });
  });

  it.each([
    ['P0', 'critical'],
    ['STRONG', 'critical'],
    ['important', 'high'],
    ['Error', 'high'],
    ['warning', 'medium'],
    ['MED', 'medium'],
    ['nit', 'low'],
    ['info', 'low'],
    ['Suggestion', 'low'],
  ])('%s is %s', (severity, expected) =>
    expect(findingsOf({ severity })[0]).toMatchObject({ severity: expected, label: severity }),
  );

  it('says once what it took for a severity that is missing or that nobody declared', () => {
    const { warnings, entries } = read({
      findings: [
        said({ severity: undefined }),
        said({ severity: 'awful' }),
        said({ severity: null }),
      ],
    });
    expect(entries.map(({ finding }) => finding.severity)).toEqual(['medium', 'medium', 'medium']);
    expect(entries.map(({ finding }) => finding.label)).toEqual(['UNSTATED', 'awful', 'UNSTATED']);
    expect(warnings).toEqual([
      'a.json: No severity is stated for findings[0] and 1 more; medium was taken.',
      'a.json: Nobody declared the severity "awful" of findings[1]; medium was taken.',
    ]);
  });

  it('leaves unknown keys out, each named once with the nearest known one', () => {
    const { warnings } = read({
      findings: [said({}), said({ sevrity: 'low' }), said({ sevrity: 'low', score: 3 })],
      tool: 'x',
    });
    expect(warnings).toEqual([
      'a.json: The unknown key "tool" was left out.',
      'a.json: The unknown key "sevrity" of findings[1] and 1 more was left out. Did you mean "severity"?',
      'a.json: The unknown key "score" of findings[2] was left out.',
    ]);
  });

  it.each([
    ['no text', { text: undefined }, 'text cannot be used: It is missing.'],
    ['an empty text', { text: ' \u0007 ' }, 'text cannot be used: It is empty.'],
    ['no reviewer', { reviewer: undefined }, 'reviewer cannot be used: It is missing.'],
    ['an empty reviewer', { reviewer: '' }, 'reviewer cannot be used: It is empty.'],
    ['a number for a text', { text: 7 }, 'text cannot be used: Must be text; this is a number.'],
    [
      'a list for a severity',
      { severity: ['high'] },
      'severity cannot be used: Must be text; this is a list.',
    ],
  ])('refuses a finding with %s by its index', (_, changes, sentence) =>
    expect(() => read({ findings: [said({}), said(changes)] })).toThrow(
      `a.json: findings[1].${sentence}`,
    ),
  );

  it.each([
    [{ findings: {} }, 'findings cannot be used: Must be a list'],
    [{ findings: [7] }, 'findings[0] cannot be used: Must be keys with values'],
    [{ findings: [[]] }, 'findings[0] cannot be used: Must be keys with values'],
    [{ findings: [], reviewers: 'Alpha' }, 'reviewers cannot be used: Must be a list'],
  ])('refuses %j', (value, sentence) => expect(() => read(value)).toThrow(`a.json: ${sentence}`));

  it('counts reviewers that found nothing when they are named', () =>
    expect(
      read({ findings: [said({})], reviewers: ['Silent', 'Alpha'] }).reviews.map(
        ({ reviewer }) => reviewer,
      ),
    ).toEqual(['Silent', 'Alpha']));

  it('cuts a text of 100 KB, keeps all of it as raw, and says so', () => {
    const { entries, warnings } = read({ findings: [said({ text: 'lock '.repeat(20_000) })] });
    expect(entries[0]?.finding.text).toHaveLength(4_000);
    expect(entries[0]?.finding.raw).toHaveLength(100_000);
    expect(warnings).toEqual([
      'a.json: A finding was corrected in reading; number 1: The text had 99999 characters and was cut.',
    ]);
  });

  it('shows what hides, and keeps everything on one line', () => {
    const [finding] = findingsOf({
      text: 'one\ntwo\u202E \u001B[31mred',
      reviewer: 'Al\npha',
      path: 'a\tb.ts',
    });
    expect(finding).toMatchObject({
      text: 'one two⟦U+202E⟧ red',
      reviewer: 'Al pha',
      location: { path: 'a⟦U+0009⟧b.ts' },
    });
  });

  it.each([0, -3, 1.5, 'seven'])('a line that is none (%j) leaves the file, with a note', line => {
    const [finding] = findingsOf({ path: 'a.ts', line });
    expect(finding?.location).toMatchObject({ path: 'a.ts', line: null });
    expect(finding?.notes).toHaveLength(1);
  });

  it('reads names that objects have by themselves', () => {
    const { entries } = readSource(
      {
        name: 'a.json',
        text: '{"findings":[{"reviewer":"__proto__","text":"constructor","severity":"toString","hasOwnProperty":1}]}',
      },
      [],
    );
    expect(entries[0]?.finding).toMatchObject({
      reviewer: '__proto__',
      severity: 'medium',
      label: 'toString',
    });
  });
});

const text = (content: string) => () => readSource({ name: 'a.json', text: content }, []);

describe('a file that is none of the formats', () => {
  it.each([
    ['', 'a.json is empty.'],
    [' \n', 'a.json is empty.'],
    ['{"findings": [\n  {"reviewer" "A"}\n]}', 'a.json:2:15: This is no JSON.'],
    ['{"findings": [', 'a.json:1:15: The JSON ends in the middle of a value.'],
    ['{} {}', 'a.json:1:4: This is no JSON.'],
    ['findings', 'a.json:1:1: This is no JSON.'],
    ['7', 'a.json holds neither SARIF nor {"findings": […]}.'],
    ['null', 'a.json holds neither SARIF nor {"findings": […]}.'],
  ])('%j', (content, sentence) => expect(text(content)).toThrow(sentence));

  it.each([
    ['{"finding": []}', 'Did you mean "findings"?'],
    ['[]', 'Put the list under the key "findings".'],
    ['{"run": []}', 'Did you mean "runs"?'],
    ['{\0"\0a\0"\0:\0', 'It looks like UTF-16; save it as UTF-8.'],
  ])('%j gets a hint', (content, hint) =>
    expect(text(content)).toThrow(expect.objectContaining({ kind: 'input', hint })),
  );

  it('a byte order mark is no part of it', () =>
    expect(text('\uFEFF{"findings":[]}')()).toMatchObject({ entries: [] }));
});
