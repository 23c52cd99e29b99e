import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChecks } from '../../src/checks/index.ts';
import { readData } from '../../src/checks/world/rule-files.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';
import { buildTurn } from './build-change.ts';

const never = new AbortController().signal;

const faults = [
  ['a reassigned constant', 'const a = 1;\na = 2;\n', 'eslint/no-const-assign'],
  ['eval', 'export const a = (b: string) => eval(b);\n', 'eslint/no-eval'],
  [
    'an assignment as a condition',
    'export function a(b: number) { if (b = 3) return b; return 0; }\n',
    'eslint/no-cond-assign',
  ],
  [
    'a comparison that cannot hold',
    "export const a = (b: unknown) => typeof b === 'strnig';\n",
    'eslint/valid-typeof',
  ],
  ['a duplicate key', 'export const a = { b: 1, b: 2 };\n', 'eslint/no-dupe-keys'],
  [
    'code that is never reached',
    'export function a() { return 1; console.info(2); }\n',
    'eslint/no-unreachable',
  ],
  ['an error that is not thrown', "export function a() { new Error('x'); }\n", 'oxc/missing-throw'],
  ['NaN compared', 'export const a = (b: number) => b === NaN;\n', 'eslint/use-isnan'],
  [
    'an async executor',
    'export const a = new Promise(async resolve => { resolve(1); });\n',
    'eslint/no-async-promise-executor',
  ],
  ['a syntax error', 'export const = 1;\n', 'syntax'],
] as const;

let reply: ReturnType<typeof askAnalyser> | undefined;

/** Every fault in a file of its own, before one start of the linter. */
function askAboutFaults() {
  const files = Object.fromEntries(faults.map(([what, text]) => [`src/${what}.ts`, text]));
  return (reply ??= askAnalyser({ analyser: 'javascript', files }));
}

describe('the JavaScript analyser', () => {
  it('knows every rule of its table', async () => {
    // A rule the linter does not know is an error in its configuration: no report, and the call would reject.
    expect(await rulesSaid('javascript', { 'a.ts': 'export const a = 1;\n' })).toEqual([]);
    const { rules } = await readData('oxlint');
    expect(Object.keys(rules as object).length).toBeGreaterThan(70);
  });

  it.each(faults)('reports %s', async (what, _, rule) => {
    const { findings } = await askAboutFaults();
    expect(
      findings.filter(({ file }) => file === `src/${what}.ts`).map(each => each.rule),
    ).toContain(`javascript/${rule}`);
  });

  it('weighs what tests do on purpose less in scripts, and tells it there', async () => {
    const text = 'export const a = (b: string) => eval(b);\n';
    const paths = ['src/a.ts', 'build/a.ts', 'tools/a.ts', 'gulpfile.ts', 'test/a.ts'];
    const { findings } = await askAnalyser({
      analyser: 'javascript',
      files: Object.fromEntries(paths.map(path => [path, text])),
    });
    expect(findings.map(({ file, severity }) => `${file ?? ''} ${severity}`).toSorted()).toEqual([
      'build/a.ts LOW',
      'gulpfile.ts LOW',
      'src/a.ts HIGH',
      'tools/a.ts LOW',
    ]);
  });

  it('tells once of a file that it does not parse', async () => {
    const text = 'export const = 1;\nexport const b = ;\nfunction f( {\n';
    const said = await rulesSaid('javascript', { 'src/a.ts': text, 'src/b.ts': text });
    expect(said).toEqual(['javascript/syntax', 'javascript/syntax']);
  });

  it('is silent about clean code, style, unused names and unresolved imports', async () => {
    const text =
      "import { z } from '../adapters/runners/builtin/nowhere.ts';\nvar unused = 1\nexport function a ( b ) { " +
      'if (b == 1) { return "x" }; let c = b; return c }\nexpect(a).to.be.true;\n';
    expect(await rulesSaid('javascript', { 'src/a.js': text })).toEqual([]);
  });

  it('lets idioms and tests be', async () => {
    const text =
      'export function a(p, s) { let m; while (m = p.exec(s)) b(m); switch (s) { case 1: return 2;\nbreak;\n} }\n';
    expect(
      await rulesSaid('javascript', {
        'src/a.js': text,
        'test/a.test.js': 'expect((a?.b).c, eval("1"));\n',
      }),
    ).toEqual([]);
    expect(
      await rulesSaid('javascript', {
        'src/a.js': 'export function a(m) { while (m = 1) b(m); }\n',
      }),
    ).toEqual(['javascript/eslint/no-cond-assign']);
  });

  it('maps names back, whatever they are, and quotes the line', async () => {
    const path = 'src/--odd name\n$(x).ts';
    const { findings } = await askAnalyser({
      analyser: 'javascript',
      files: {
        'src/fine.ts': 'export const a = 1;\n',
        [path]: 'const a = 1;\nif (a === a) throw a;\n',
      },
    });
    expect(findings).toEqual([
      expect.objectContaining({
        file: path,
        line: 2,
        quote: 'if (a === a) throw a;',
        category: 'correctness',
      }),
    ]);
  });

  it('says what it reads and what is not its business', async () => {
    const files = {
      'a.py': 'x = 1\n',
      'src/a.ts': 'export const a = 1;\n',
      'src/b.mjs': 'const = ;\n',
      'dist/c.js': { old: '// @generated\nvar a;\n', new: '// @generated\nvar b;\n' },
    };
    const { answer } = await askAnalyser({ analyser: 'javascript', files });
    expect(answer.coverage).toEqual([
      { path: 'a.py', extent: 'outside', why: 'no JavaScript or TypeScript' },
      { path: 'src/a.ts', extent: 'full', why: null },
      { path: 'src/b.mjs', extent: 'partial', why: 'does not parse' },
      { path: 'dist/c.js', extent: 'skipped', why: 'generated at the base' },
    ]);
  });

  it('reports changed lines only', async () => {
    const old = 'const a = 1;\na = 2;\n';
    expect(
      await rulesSaid('javascript', { 'src/a.ts': { old, new: `${old}export {};\n` } }),
    ).toEqual([]);
  });

  it('takes no configuration from the change', async () => {
    const files = {
      '.oxlintrc.json': '{"rules":{"no-const-assign":"off"},"ignorePatterns":["**"]}',
      'src/.oxlintrc.json': '{"rules":{"no-const-assign":"off"},"jsPlugins":["./plugin.js"]}',
      '.eslintignore': '*',
      '.gitignore': '*',
      'src/a.ts': 'const a = 1;\na = 2;\n',
    };
    expect(await rulesSaid('javascript', files)).toEqual(['javascript/eslint/no-const-assign']);
  });

  it('is not silenced by a comment of the change: the severity stays, and the comment is named', async () => {
    const text =
      '/* eslint-disable */\nconst a = 1;\n// oxlint-disable-next-line no-const-assign\na = 2;\n';
    const { findings } = await askAnalyser({ analyser: 'javascript', files: { 'src/a.ts': text } });
    expect(findings).toEqual([
      expect.objectContaining({
        severity: 'HIGH',
        line: 4,
        issue: expect.stringMatching(/Silenced by `oxlint-disable-next-line` in line 3/),
      }),
    ]);
  });

  it('obeys a comment that was there before', async () => {
    const old = '/* eslint-disable no-eval */\nexport const a = (b) => b;\n';
    expect(
      await rulesSaid('javascript', {
        'src/a.js': { old, new: old.replace('=> b', '=> eval(b)') },
      }),
    ).toEqual([]);
  });

  it('names a file that crashes the linter, and reviews the others all the same', async () => {
    const files = {
      'src/a.ts': 'const a = 1;\na = 2;\n',
      'src/deep.js': `${'if (a) {\n'.repeat(30_000)}${'}\n'.repeat(30_000)}`,
      'src/b.ts': 'export const b = 1;\n',
    };
    const { answer, said } = await askAnalyser({ analyser: 'javascript', files });
    expect(said).toEqual(['javascript/eslint/no-const-assign:2']);
    expect(answer.coverage).toContainEqual({
      path: 'src/deep.js',
      extent: 'skipped',
      why: 'the linter does not survive it',
    });
    expect(answer.coverage).toContainEqual({ path: 'src/b.ts', extent: 'full', why: null });
  });

  it('leaves nothing in the temporary folder', async () => {
    const temporaryFolder = await mkdtemp(join(tmpdir(), 'jury-test-'));
    await writeFile(
      join(temporaryFolder, '.oxlintrc.json'),
      '{"categories":{"correctness":"off"},"ignorePatterns":["**"]}',
    );
    const turn = buildTurn({
      analyser: 'javascript',
      files: { 'src/a.ts': 'const a = 1;\na = 2;\n' },
    });
    const answer = await (await openChecks({ environment: {}, temporaryFolder })).ask(turn, never);
    expect(answer).toMatchObject({
      status: 'answered',
      text: expect.stringContaining('no-const-assign'),
    });
    expect(await readdir(temporaryFolder)).toEqual(['.oxlintrc.json']);
    await rm(temporaryFolder, { recursive: true });
  });

  it('fails as data when there is no room for its snapshot', async () => {
    const turn = buildTurn({
      analyser: 'javascript',
      files: { 'src/a.ts': 'export const a = 1;\n' },
    });
    const answer = await (
      await openChecks({
        environment: {},
        temporaryFolder: join(tmpdir(), 'jury-no-such-folder'),
      })
    ).ask(turn, never);
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'spawn' } });
  });
});
