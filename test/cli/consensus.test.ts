import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consensus } from '../../src/cli/checks.ts';
import type { ClaimExplanation } from '../../src/core/printed/checks.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import { claimOf, findingOf, reviewerOf, runOf } from '../core/run-files/samples.ts';
import { runsOf } from '../state-of.ts';
import { execute } from './memory-terminal.ts';

interface Printed {
  readonly claims: readonly {
    readonly id: string;
    readonly findings: readonly number[];
    readonly supporters: readonly string[];
    readonly electorate: number;
    readonly agreement: string;
    readonly severity: string;
    readonly confidence: number | null;
    readonly matters: number | null;
    readonly worth: number | null;
    readonly act: boolean | null;
    readonly text: string;
    readonly location: unknown;
    readonly severityConflict: unknown;
  }[];
  readonly findings: readonly {
    readonly index: number;
    readonly source: string;
    readonly reviewer: string;
    readonly claim: string | null;
    readonly leftOut: string | null;
  }[];
  readonly reviewers: readonly string[];
  readonly warnings: readonly string[];
  readonly strategy: object;
}

const sarif = (name: string, results: readonly object[]) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name } }, results }],
});
const result = (text: string, uri: string, startLine: number, rest: object = {}) => ({
  message: { text },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  ...rest,
});

describe('jury consensus', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'jury-consensus-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = async (name: string, content: unknown) => {
    await writeFile(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    return name;
  };
  /** Where it lies. */
  const putRun = async (record: RunRecord) => {
    const place = path.join(runsOf(folder), record.run);
    await mkdir(place, { recursive: true, mode: 0o700 });
    await writeFile(path.join(place, 'report.json'), JSON.stringify(record));
    return place;
  };
  const run = (
    args: readonly string[],
    surroundings: { readonly input?: string; readonly environment?: Record<string, string> } = {},
  ) => execute(consensus, ['consensus', ...args], { cwd: folder, ...surroundings });
  const json = async (...args: readonly string[]) =>
    JSON.parse((await run([...args, '--json'])).stdout) as Printed;

  it('joins what two tools say about one place, and leaves the rest apart', async () => {
    await put(
      'eslint.sarif',
      sarif('ESLint', [
        result("'total' is assigned a value but never used.", 'src/a.js', 3),
        result('Unexpected console statement.', 'src/a.js', 9),
      ]),
    );
    await put(
      'oxlint.sarif',
      sarif('oxlint', [
        result(
          "Variable 'total' is assigned a value but never used",
          `file://${folder}/src/a.js`,
          3,
        ),
        result('Old one', 'src/b.js', 1, { suppressions: [{ kind: 'inSource' }] }),
      ]),
    );
    const { claims, findings, reviewers, strategy } = await json('eslint.sarif', 'oxlint.sarif');
    expect(claims[0]).toMatchObject({
      id: expect.stringMatching(/^c-[0-9a-f]{10}$/),
      findings: [0, 2],
      supporters: ['ESLint', 'oxlint'],
      electorate: 2,
      agreement: 'all',
      severity: 'medium',
      text: "'total' is assigned a value but never used.",
      location: { path: 'src/a.js', line: 3, endLine: null },
      severityConflict: null,
    });
    expect(claims.flatMap(claim => claim.findings).toSorted((one, other) => one - other)).toEqual([
      0, 1, 2,
    ]);
    expect(findings[3]).toMatchObject({
      index: 3,
      source: 'oxlint.sarif',
      reviewer: 'oxlint',
      claim: null,
      leftOut: 'suppressed',
    });
    expect([reviewers, strategy]).toEqual([
      ['ESLint', 'oxlint'],
      expect.objectContaining({ name: expect.any(String), version: expect.any(String) }),
    ]);
  });

  it('prints for people who said how much and what they agree on', async () => {
    await put('a.json', {
      findings: [
        {
          reviewer: 'Alpha',
          text: 'SQL injection in the user search',
          path: 'src/a.ts',
          line: 10,
          severity: 'high',
        },
        {
          reviewer: 'Beta',
          text: 'SQL injection in the user search',
          path: 'src/a.ts',
          line: 10,
          severity: 'P0',
        },
        { reviewer: 'Beta', text: 'Typo in the title', severity: 'low' },
      ],
      reviewers: ['Silent'],
    });
    await put('b.sarif', sarif('Lint', [result('Old one', 'src/b.js', 1, { suppressions: [{}] })]));
    const { code, stdout, stderr } = await run(['a.json', 'b.sarif', '--strategy', 'overlap']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^4 findings of 4 reviewers form 2 claims, 1 of them of more than one reviewer\nmatched by strategy overlap at 60\n {2}- Silent: 0 findings\n {2}- Alpha: 1 finding\n {2}- Beta: 2 findings\n {2}- Lint: 1 finding, 1 left out \(suppressed\)\n\nClaims \(2\)\n1 {2}src\/a\.ts:10 {2}critical {2}Alpha, Beta \(2 of 3\)\n {3}SQL injection in the user search\n/,
    );
    expect(stdout).toMatch(/rated\s+differently/);
  });

  it('reads standard input, and a run by its folder, its id and as the latest', async () => {
    const { record } = runOf({
      claims: [claimOf({ findings: [findingOf()] })],
      reviewers: [reviewerOf({ id: 'alpha' }), reviewerOf({ id: 'beta' })],
    });
    const place = await putRun(record);
    for (const name of [place, record.run, record.run.slice(0, 10), 'latest'])
      expect((await json(name)).claims[0]).toMatchObject({
        supporters: ['alpha'],
        electorate: 2,
        location: { path: 'src/db.ts', line: 12 },
      });
    const { stdout } = await run(['latest', '-', '--json'], {
      input: JSON.stringify({
        findings: [
          {
            reviewer: 'Gamma',
            text: 'Query is built from user input',
            path: 'src/db.ts',
            line: 12,
            severity: 'high',
          },
        ],
      }),
    });
    const printed = JSON.parse(stdout) as Printed;
    expect(printed.claims).toHaveLength(1);
    expect(printed.claims[0]).toMatchObject({ supporters: ['alpha', 'Gamma'], findings: [0, 1] });
    expect(printed.findings.map(({ source }) => source)).toEqual(['latest', 'standard input']);
  });

  describe('--explain', () => {
    const findings = [
      ['Alpha', 'The upload buffers the whole file in memory', 7],
      ['Beta', 'The whole file is buffered in memory by the upload', 7],
      ['Gamma', 'The amount is validated before the charge', 40],
      ['Beta', 'The amount is not validated before the charge', 40],
    ].map(([reviewer, text, line]) => ({
      reviewer,
      text,
      path: 'src/a.ts',
      line,
      severity: 'high',
    }));
    const explained = async (...args: readonly string[]) => {
      await put('a.json', { findings });
      return JSON.parse(
        (await run(['a.json', '--explain', ...args, '--json'])).stdout,
      ) as ClaimExplanation;
    };

    it('tells of a claim by its number in the list, its id, the beginning of one, or a finding', async () => {
      const whole = await explained('1');
      expect(whole).toMatchObject({
        schema: 'jury.explanation/1',
        run: null,
        claim: { supporters: ['Alpha', 'Beta'] },
        joined: [{ one: 'Alpha/#0', other: 'Beta/#1', same: true }],
        names: { 'Alpha/#0': 'alpha/1', 'Beta/#1': 'beta/2' },
        remembered: null,
        decisions: [],
      });
      for (const name of [
        whole.claim.id,
        whole.claim.id.slice(0, 7),
        'alpha/1',
        'Beta/#1',
        'beta/2',
      ])
        expect(await explained(name)).toEqual(whole);
      expect((await explained('beta/4')).claim.text).toContain('not validated');
    });

    it('prints for people, and makes no run', async () => {
      await put('a.json', { findings });
      const { code, stdout, stderr } = await run(['a.json', '--explain', 'beta/4']);
      expect([code, stderr]).toEqual([0, '']);
      for (const words of [
        /^c-[0-9a-f]{10} {2}high {2}The amount is not validated/,
        /^That it is true is [a-z ]+ \(too\s+few\s+judged\s+claims\s[^:]+:[^:.]*\sGamma\s+says\s+the\s+opposite/m,
        /^Who says the opposite\ngamma\/3 {2}“The amount is validated before the charge”$/m,
      ])
        expect(stdout).toMatch(words);
      expect((await run(['a.json', '--explain', 'gamma/3'])).stdout).toMatch(
        /^It denies what Beta said \(c-[0-9a-f]{10}\): [^]*^Who says the opposite\nc-/m,
      );
      expect(stdout).not.toContain('run ');
      expect(existsSync(runsOf(folder))).toBe(false);
    });

    it('of rules and of a run tells the same as of a list', async () => {
      for (const [name, rule] of [
        ['ESLint', 'no-unused-vars'],
        ['oxlint', 'eslint(no-unused-vars)'],
      ] as const)
        await put(
          `${name}.sarif`,
          sarif(name, [result(`${name}: total`, 'src/a.js', 3, { ruleId: rule })]),
        );
      const { stdout } = await run(['ESLint.sarif', 'oxlint.sarif', '--explain', '1']);
      expect(stdout).toContain('2 of 2 reviewers say it, ESLint and oxlint.');
      expect(stdout).toContain('No confidence was computed');
      const { record } = runOf({
        claims: [claimOf({ findings: [findingOf()] })],
        reviewers: [reviewerOf({ id: 'alpha' })],
      });
      await putRun(record);
      expect((await run(['latest', '--explain', '1'])).stdout).toContain(
        'Only alpha says it, once',
      );
    });

    it('says what was wrong in reading once, and the explanation all the same', async () => {
      await put('a.json', {
        findings: [{ reviewer: 'A', text: 'x', sev: 'low', severity: 'low' }],
      });
      const { stderr, stdout } = await run(['a.json', '--explain', '1']);
      expect(stderr.match(/The unknown key "sev"/g)).toHaveLength(1);
      expect(stdout).toContain('Only A says it, once: a/1 “x”');
    });

    it.each([
      ['9', /^The findings form no claim "9"\.$/, /^Their claims are 1 to 3\.$/],
      ['0', /^The findings form no claim "0"\.$/, /1 to 3/],
      ['c-fffffffffff', /^The findings form no claim "c-fffffffffff"\.$/, /^Did you mean "c-/],
      ['nobody/1', /^The findings form no claim "nobody\/1"\.$/, /^Did you mean "c-/],
    ] as const)('%s, which is none, is refused with what there is', async (name, message, hint) => {
      await put('a.json', { findings });
      await expect(run(['a.json', '--explain', name])).rejects.toMatchObject({
        name: 'UserError',
        kind: 'input',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      });
    });

    it('of no findings has nothing to explain', async () => {
      await put('a.json', { findings: [] });
      await expect(run(['a.json', '--explain', 'c-0123'])).rejects.toMatchObject({
        kind: 'input',
        hint: 'They form no claims.',
      });
      await expect(run(['a.json', '--explain', ''])).rejects.toMatchObject({ kind: 'usage' });
    });
  });

  it('an empty list of findings is none: no claims, exit 0', async () => {
    await put('a.json', { findings: [] });
    expect(await run(['a.json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 findings of 0 reviewers form 0 claims'),
    });
    expect((await json('a.json')).claims).toEqual([]);
  });

  it.each([
    [['gone.json'], 'input', /gone\.json cannot be read: there is no such file/],
    [['.'], 'input', /is a folder, and not that of a run/],
    [['latest'], 'input', /There is no run/],
    [['20261121T10'], 'input', /There is no run/],
    [[], 'usage', /^FILE: Name at least one file\.$/],
    [['-', '-'], 'usage', /once/],
    [['a.json', '--strategy', 'lexcal'], 'usage', /--strategy/],
    [
      ['a.json', '--strategy', 'calibrated', '--threshold', '50'],
      'usage',
      /Strategy calibrated has no threshold to set/,
    ],
    [['a.json', '--threshold', '101', '--strategy', 'overlap'], 'usage', /--threshold/],
    [
      ['a.json', '--strategy', 'embedding'],
      'usage',
      /^Strategy embedding cannot run: the configuration has no key "embedding"\.$/,
    ],
    [
      ['a.json', '--strategy', 'lexical'],
      'usage',
      /^--strategy: Must be one of overlap, calibrated, embedding, llm\.$/,
    ],
    [
      ['a.json', '--strategy', 'llm'],
      'usage',
      /^Strategy llm cannot run: the configuration has no key "judge"\.$/,
    ],
  ] as const)('%j is refused in a sentence', async (args, kind, message) => {
    await put('a.json', { findings: [] });
    await expect(run(args)).rejects.toMatchObject({
      name: 'UserError',
      kind,
      message: expect.stringMatching(message),
    });
  });

  it('a threshold changes what is the same', async () => {
    await put('a.json', {
      findings: [
        { reviewer: 'A', text: 'cache grows forever', severity: 'low' },
        { reviewer: 'B', text: 'cache never shrinks', severity: 'low' },
      ],
    });
    expect((await json('a.json', '--strategy', 'overlap')).claims).toHaveLength(2);
    expect(
      (await json('a.json', '--strategy', 'overlap', '--threshold', '30')).claims,
    ).toHaveLength(1);
  });

  it('warnings go to standard error, and into the JSON', async () => {
    await put('a.json', { findings: [{ reviewer: 'A', text: 'x', sev: 'low', 'a\u001Bb': 1 }] });
    const { stderr, stdout } = await run(['a.json', '--json']);
    expect(stderr).toContain(
      'jury: a.json: The unknown key "a⟦U+001B⟧b" of findings[0] was left out.\n',
    );
    expect((JSON.parse(stdout) as Printed).warnings).toHaveLength(3);
    expect(stdout).not.toContain('\u001B');
  });

  it('severities that contradict each other are kept beside the worst', async () => {
    await put('a.json', {
      findings: [
        { reviewer: 'A', text: 'No lock around the writer', severity: 'P0' },
        { reviewer: 'B', text: 'No lock around the writer', severity: 'info' },
      ],
    });
    expect((await json('a.json')).claims).toMatchObject([
      { severity: 'critical', severityConflict: { A: 'critical', B: 'low' } },
    ]);
  });

  it('rates what models say: more voices for more, a second one of a family for less; what a rule finds has no figure', async () => {
    const confidenceOf = async (...supporters: readonly string[]) => {
      await put('a.json', {
        reviewers: ['claude-1', 'claude-2', 'gpt-5', 'gemini'],
        findings: supporters.map(reviewer => ({
          reviewer,
          text: 'No lock around the writer',
          severity: 'high',
        })),
      });
      return (await json('a.json')).claims[0]?.confidence ?? Number.NaN;
    };
    const [alone, family, mixed] = [
      await confidenceOf('claude-1'),
      await confidenceOf('claude-1', 'claude-2'),
      await confidenceOf('claude-1', 'gpt-5'),
    ];
    expect([alone < family, family < mixed, alone > 0, mixed < 1]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await put('x.sarif', sarif('Lint', [result('No lock', 'a.ts', 1, { ruleId: 'no-lock' })]));
    expect((await json('x.sarif')).claims).toMatchObject([{ confidence: null }]);
  });

  it('mixed languages and emoji form claims like everything else', async () => {
    const texts = [
      'データベースの接続が閉じられていない',
      'データベースの接続が閉じられていない',
      '🚀🔥',
      '🚀🔥',
      'Соединение не закрыто',
      'Η σύνδεση δεν κλείνει',
      '‮lru',
    ];
    await put('a.json', {
      findings: texts.map((text, index) => ({ reviewer: `R${index}`, text, severity: 'low' })),
    });
    const { claims } = await json('a.json');
    expect(
      claims.flatMap(({ findings }) => findings).toSorted((one, other) => one - other),
    ).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(claims.find(({ findings }) => findings.includes(0))?.findings).toEqual([0, 1]);
  });

  it("marks what is worth a person's time by the rule that is asked for, and refuses another", async () => {
    await put('findings.json', {
      reviewers: ['alpha', 'beta', 'gamma', 'delta'],
      findings: [
        { reviewer: 'alpha', text: 'The parser crashes on an empty list', severity: 'high' },
        { reviewer: 'beta', text: 'An empty list makes the parser crash', severity: 'high' },
        { reviewer: 'gamma', text: 'Empty list: the parser crashes', severity: 'critical' },
        { reviewer: 'delta', text: 'Rename the helper', severity: 'low' },
      ],
    });
    const actsBy = async (...rule: string[]) =>
      (await json('findings.json', ...rule)).claims.map(({ act }) => act);
    expect(await actsBy()).toEqual([true, false]);
    expect(await actsBy('--act', 'best')).toEqual([true, false]);
    expect(await actsBy('--act', 'one-in-999')).toEqual([false, false]);
    const { claims } = await json('findings.json');
    for (const { confidence, matters, worth } of claims)
      for (const figure of [confidence, matters, worth]) {
        expect(figure).toBeGreaterThan(0);
        expect(figure).toBeLessThan(1);
      }
    await expect(run(['findings.json', '--act', 'one-in-1'])).rejects.toThrow('one-in-N');
  });

  it('marks no praise, however many agree in it', async () => {
    await put('praise.json', {
      findings: [
        {
          reviewer: 'alpha',
          text: 'The query is parameterised, no SQL injection here',
          path: 'a.ts',
          line: 3,
        },
        {
          reviewer: 'beta',
          text: 'No SQL injection here: the query is parameterised',
          path: 'a.ts',
          line: 3,
        },
        {
          reviewer: 'gamma',
          text: 'The total is wrong for negative amounts',
          path: 'b.ts',
          line: 9,
        },
      ],
    });
    const { claims } = await json('praise.json');
    expect(claims.map(({ findings, act }) => [findings.length, act])).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(claims[0]).toMatchObject({ worth: 0 });
  });
});
