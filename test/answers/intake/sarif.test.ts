import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/answers/intake/read-source.ts';
import type { Source } from '../../../src/answers/intake/intake.ts';

function readLog(log: unknown, roots: readonly string[] = []): Source {
  return readSource({ name: 'x.sarif', text: JSON.stringify(log) }, roots);
}

function readRun(run: object, roots: readonly string[] = []) {
  return readLog(
    { version: '2.1.0', runs: [{ tool: { driver: { name: 'Lint' } }, results: [], ...run }] },
    roots,
  );
}

function readResult(result: object, run: object = {}, roots: readonly string[] = []) {
  const [entry] = readRun(
    { ...run, results: [{ message: { text: 'No lock' }, ...result }] },
    roots,
  ).entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
}

const driver = (rest: object) => ({ tool: { driver: { name: 'Lint', ...rest } } });
const at = (artifactLocation: object, region: object = {}) => ({
  locations: [{ physicalLocation: { artifactLocation, region } }],
});
const pathOf = (location: object, run: object = {}, roots: readonly string[] = []) =>
  readResult(at(location), run, roots).finding.location?.path;
const ruled = (rule: object, result: object = {}) =>
  readResult({ ruleIndex: 0, ...result }, driver({ rules: [{ id: 'r', ...rule }] })).finding;
const text = (message: object, rule: object = {}, globalMessageStrings: object = {}) =>
  readResult(
    { ruleId: 'r', message },
    driver({ globalMessageStrings, rules: [{ id: 'r', ...rule }] }),
  ).finding.text;

describe('a SARIF log', () => {
  it('is one reviewer a tool, whoever found nothing included', () => {
    const runs = ['ESLint', 'CodeQL', 'ESLint', 'Silent'].map((name, index) => ({
      tool: { driver: { name } },
      results: name === 'Silent' ? [] : [{ message: { text: `problem ${index}` } }],
    }));
    const { entries, reviews, warnings } = readLog({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs,
    });
    expect(entries.map(({ finding }) => [finding.reviewer, finding.text])).toEqual([
      ['ESLint', 'problem 0'],
      ['CodeQL', 'problem 1'],
      ['ESLint', 'problem 2'],
    ]);
    expect(reviews.map(({ reviewer, status }) => [reviewer, status])).toEqual([
      ['ESLint', 'complete'],
      ['CodeQL', 'complete'],
      ['ESLint', 'complete'],
      ['Silent', 'complete'],
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['2.0.0', 'x.sarif is SARIF 2.0.0; only 2.1.0 can be read.'],
    ['1.0\u001B[2J', 'x.sarif is SARIF 1.0; only 2.1.0 can be read.'],
    [undefined, 'x.sarif is SARIF without a version; only 2.1.0 can be read.'],
    [2.1, 'x.sarif is SARIF without a version; only 2.1.0 can be read.'],
  ])('of version %s is refused in one sentence', (version, sentence) =>
    expect(() => readLog({ version, runs: [] })).toThrow(
      expect.objectContaining({ kind: 'input', message: sentence }),
    ),
  );

  it.each([
    [{ runs: 7 }, 'x.sarif: runs cannot be used'],
    [{ runs: [{}] }, 'x.sarif: runs[0].tool cannot be used'],
    [{ runs: [{ tool: { driver: {} } }] }, 'x.sarif: runs[0].tool.driver.name cannot be used'],
    [
      { runs: [{ tool: { driver: { name: 'Lint' } }, results: [{}] }] },
      'x.sarif: runs[0].results[0].message cannot be used',
    ],
    [
      {
        runs: [
          {
            tool: { driver: { name: 'Lint' } },
            results: [{ message: { text: 'a' } }, { message: { text: ' ' } }],
          },
        ],
      },
      'x.sarif: runs[0].results[1] cannot be used: there is no message.',
    ],
  ])('that is malformed (%j) is refused with the place', (log, sentence) =>
    expect(() => readLog({ version: '2.1.0', ...log })).toThrow(sentence),
  );

  it.each([{ results: null }, { invocations: [{ executionSuccessful: false }] }])(
    'of a tool that did not run to its end (%j) makes no silence count',
    run => {
      const { reviews, warnings } = readRun(run);
      expect(reviews[0]?.status).toBe('partial');
      expect(warnings).toEqual([
        'x.sarif: Lint did not run to its end; what it does not report says nothing.',
      ]);
    },
  );

  it('that keeps parts of itself elsewhere is read with a warning', () =>
    expect(readRun({ externalPropertyFileReferences: {} }).warnings).toEqual([
      'x.sarif: Lint keeps parts of its run in other files, which are not read.',
    ]));

  it('is read whatever its optional parts hold', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'ruleId',
            'ruleIndex',
            'rule',
            'kind',
            'level',
            'locations',
            'suppressions',
            'baselineState',
            'properties',
          ),
          fc.jsonValue(),
        ),
        result => {
          expect(readResult(result).finding.text).toBe('No lock');
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('originalUriBaseIds', 'artifacts', 'invocations'),
          fc.jsonValue(),
        ),
        run => {
          expect(readResult(at({ uri: 'a.ts', uriBaseId: 'ROOT' }), run).finding.text).toBe(
            'No lock',
          );
        },
      ),
    );
  });
});

describe('the severity of a SARIF result', () => {
  it.each([
    ['error', 'high'],
    ['warning', 'medium'],
    ['note', 'low'],
    ['none', 'low'],
  ])('level %s is %s', (level, severity) => {
    expect(readResult({ level }).finding).toMatchObject({ severity, label: level });
    expect(ruled({ defaultConfiguration: { level } })).toMatchObject({ severity, label: level });
  });

  it('comes from the result, then from its rule, then it is a warning', () => {
    expect(ruled({ defaultConfiguration: { level: 'error' } }, { level: 'note' }).label).toBe(
      'note',
    );
    expect(readResult({}).finding.label).toBe('warning');
  });

  it.each([
    ['9.8', 'critical'],
    ['9.0', 'critical'],
    [7, 'high'],
    ['6.9', 'medium'],
    ['4.0', 'medium'],
    ['0.1', 'low'],
  ])('a security score of %s is %s', (score, severity) =>
    expect(
      ruled({
        properties: { 'security-severity': score },
        defaultConfiguration: { level: 'note' },
      }),
    ).toMatchObject({ severity, label: `security-severity ${score}` }),
  );

  it.each(['0.0', 'high', '11', null])('%j is no score: the level counts', score =>
    expect(ruled({ properties: { 'security-severity': score } }, { level: 'error' }).severity).toBe(
      'high',
    ),
  );

  it('is low for what is no problem', () =>
    expect(readResult({ kind: 'informational' })).toMatchObject({
      leftOut: null,
      recorded: null,
      finding: { severity: 'low' },
    }));
});

describe('the words of a SARIF result', () => {
  it('fill in their arguments', () => {
    expect(text({ text: "'{0}' hides '{1}' {{0}} {7}", arguments: ['a', 'b'] })).toBe(
      "'a' hides 'b' {0} {7}",
    );
    expect(text({ text: 'use {0} and {{}}' })).toBe('use {0} and {{}}');
  });

  it('are looked up by id, in the rule and then in the tool', () => {
    expect(
      text(
        { id: 'unused', arguments: ['x'] },
        { messageStrings: { unused: { text: '{0} is unused' } } },
      ),
    ).toBe('x is unused');
    expect(
      text({ id: 'unused', arguments: ['x'] }, {}, { unused: { text: '{0} is not used' } }),
    ).toBe('x is not used');
    expect(text({ id: 'constructor' }, { shortDescription: { text: 'Unused' } })).toBe('Unused');
  });

  it('lose the links that only a viewer follows', () => {
    expect(
      text({
        text: 'This [query](1) depends on [user \\[input\\]](2), see [docs](https://example.org/x).',
      }),
    ).toBe('This query depends on user [input], see docs.');
    expect(text({ text: 'list[index](item)' })).toBe('list[index](item)');
  });

  it('are those of the rule when the result has none', () => {
    expect(
      text({}, { shortDescription: { text: 'Unused name' }, fullDescription: { text: 'longer' } }),
    ).toBe('Unused name');
    expect(text({ markdown: '**bold**' })).toBe('**bold**');
    expect(text({})).toBe('r');
  });

  it('come with the rule and its help', () => {
    const rules = [
      { id: 'no-unused', shortDescription: { text: 'Unused name' }, help: { text: 'Remove it.' } },
    ];
    expect(readResult({ ruleId: 'no-unused/inner' }, driver({ rules }))).toMatchObject({
      rule: 'no-unused/inner',
      finding: {
        evidence: 'Rule no-unused/inner: Unused name',
        recommendation: 'Remove it.',
        category: null,
      },
    });
  });

  it('come from the rules of extensions too', () => {
    const tool = {
      driver: { name: 'CodeQL' },
      extensions: [
        { rules: [] },
        { rules: [{ id: 'js/sqli', properties: { 'security-severity': '8.8' } }] },
      ],
    };
    expect(
      readResult({ ruleId: 'js/sqli', rule: { index: 0, toolComponent: { index: 1 } } }, { tool })
        .finding.severity,
    ).toBe('high');
    expect(readResult({ rule: { id: 'js/sqli' } }, { tool })).toMatchObject({
      rule: 'js/sqli',
      finding: { severity: 'high' },
    });
  });
});

describe('the place of a SARIF result', () => {
  it('is its first physical location', () => {
    const locations = [
      { logicalLocations: [] },
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/a.ts' },
          region: { startLine: 3, endLine: 5 },
        },
      },
      { physicalLocation: { artifactLocation: { uri: 'b.ts' } } },
    ];
    expect(readResult({ locations }).finding.location).toMatchObject({
      path: 'src/a.ts',
      line: 3,
      endLine: 5,
    });
    expect(readResult({ locations: [{}] }).finding.location).toBeNull();
    expect(readResult(at({ uri: 'a.ts' }, { charOffset: 9 })).finding.location).toMatchObject({
      path: 'a.ts',
      line: null,
    });
  });

  it.each([
    ['src/a%20b.ts', 'src/a b.ts'],
    ['100%.ts', '100%.ts'],
    ['./src//x/../a.ts', 'src/a.ts'],
    ['../a.ts', '../a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['%E2%82%AC.ts', '€.ts'],
    ['file:///home/me/a.ts', '/home/me/a.ts'],
    ['file:/home/me/a.ts', '/home/me/a.ts'],
    ['file:///C:/me/a.ts', 'C:/me/a.ts'],
    ['C:\\me\\a.ts', 'C:/me/a.ts'],
    ['https://example.org/a%20b.ts', 'https://example.org/a b.ts'],
  ])('%s is %s', (uri, path) => expect(pathOf({ uri })).toBe(path));

  it.each([
    ['a base that nobody resolved', { uri: 'src/a.ts', uriBaseId: '%SRCROOT%' }, {}, 'src/a.ts'],
    [
      'an absolute base',
      { uri: 'src/a.ts', uriBaseId: 'ROOT' },
      { ROOT: { uri: 'file:///home/me/' } },
      'src/a.ts',
    ],
    [
      'the root of the file system as a base',
      { uri: 'package.json', uriBaseId: 'ROOT' },
      { ROOT: { uri: 'file:///' } },
      'package.json',
    ],
    [
      'a base below another',
      { uri: 'a.ts', uriBaseId: 'SRC' },
      { SRC: { uri: 'my%20src', uriBaseId: 'ROOT' }, ROOT: { uri: 'file:///home/me/' } },
      'my src/a.ts',
    ],
    [
      'a circle of bases',
      { uri: 'a.ts', uriBaseId: 'A' },
      { A: { uriBaseId: 'B' }, B: { uriBaseId: 'A' } },
      'a.ts',
    ],
    [
      'an absolute place below a base',
      { uri: 'file:///home/me/src/a.ts' },
      { ROOT: { uri: 'file:///home/me' } },
      'src/a.ts',
    ],
  ])('%s', (_, location, originalUriBaseIds, path) =>
    expect(pathOf(location, { originalUriBaseIds })).toBe(path),
  );

  it('is relative to the folder of the caller where it lies in it', () => {
    expect(pathOf({ uri: 'file:///home/me/repo/src/a.ts' }, {}, ['file:///home/me/repo'])).toBe(
      'src/a.ts',
    );
    expect(
      pathOf(
        { uri: 'a.ts', uriBaseId: 'BIN' },
        { originalUriBaseIds: { BIN: { uri: 'file:///home/me/repo/bin/' } } },
        ['file:///home/me/repo'],
      ),
    ).toBe('bin/a.ts');
    expect(pathOf({ uri: 'file:///home/me/repository/a.ts' }, {}, ['file:///home/me/repo'])).toBe(
      '/home/me/repository/a.ts',
    );
  });

  it('is relative to where the tool ran, else', () =>
    expect(
      pathOf(
        { uri: 'file:///builds/7/src/a.ts' },
        { invocations: [{ workingDirectory: { uri: 'file:///builds/7' } }] },
      ),
    ).toBe('src/a.ts'));

  it('may stand in the list of artifacts', () =>
    expect(
      pathOf(
        { index: 1 },
        { artifacts: [{ location: { uri: 'a.ts' } }, { location: { uri: 'b.ts' } }] },
      ),
    ).toBe('b.ts'));
});

describe('what forms no claim', () => {
  it.each([
    [{ suppressions: [{ kind: 'inSource' }] }, 'suppressed'],
    [{ suppressions: [{ status: 'accepted' }, { kind: 'external' }] }, 'suppressed'],
    [{ suppressions: [{ status: 'accepted' }, { status: 'underReview' }] }, null],
    [{ suppressions: [{ status: 'rejected' }] }, null],
    [{ suppressions: [] }, null],
    [{ baselineState: 'absent' }, 'gone since the baseline'],
    [{ baselineState: 'unchanged' }, null],
    [{ kind: 'pass' }, 'no problem'],
    [{ kind: 'notApplicable' }, 'no problem'],
    [{ kind: 'open' }, null],
  ])('%j: %s', (result, leftOut) => expect(readResult(result).leftOut).toBe(leftOut));
});
