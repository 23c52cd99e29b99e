import { describe, expect, it } from 'vitest';
import { grammarOf } from '../../src/core/languages/languages.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';

describe('the structural rules', () => {
  it('hold for TypeScript and JSX as for JavaScript', async () => {
    for (const path of ['src/a.ts', 'src/a.tsx', 'src/a.mjs', 'src/a.jsx'])
      expect(await rulesSaid('patterns', { [path]: 'exec(`ls ${x}`);\n' })).toEqual([
        'patterns/javascript-shell',
      ]);
  });
});

describe('the patterns analyser', () => {
  it('is silent about security in tests and examples, not about correctness', async () => {
    const text = 'assert (a, "b")\nos.system(f"ls {x}")\n';
    expect(await rulesSaid('patterns', { 'tests/test_a.py': text })).toEqual([
      'patterns/python-assert-tuple',
    ]);
    expect(await rulesSaid('patterns', { 'app/a.py': text })).toHaveLength(2);
  });

  it('takes shell commands in scripts of the project less seriously', async () => {
    const text = 'execSync(`git push origin ${tag}`);\n';
    const { findings } = await askAnalyser({
      analyser: 'patterns',
      files: { 'scripts/release.js': text, 'src/release-notes.js': text },
    });
    expect(findings.map(({ file, severity }) => [file, severity])).toEqual([
      ['src/release-notes.js', 'HIGH'],
      ['scripts/release.js', 'LOW'],
    ]);
  });

  it('reports what touches a changed line only', async () => {
    const old = 'os.system(f"ls {x}")\na = 1\n';
    expect(
      await rulesSaid('patterns', { 'app/a.py': { old, new: old.replace('a = 1', 'a = 2') } }),
    ).toEqual([]);
  });

  it('finds defects in a file that does not parse everywhere', async () =>
    expect(
      await rulesSaid('patterns', { 'app/a.py': 'os.system(f"ls {x}")\n\ndef (:\n' }),
    ).toContain('patterns/python-os-system'));

  it('says which files have no rules', async () => {
    const { answer } = await askAnalyser({
      analyser: 'patterns',
      files: {
        'a.md': '# a\n',
        'a.go': { old: '// @generated\n', new: '// @generated\npackage a\n' },
        'a.py': 'a = 1\n',
      },
    });
    expect(answer.coverage?.map(({ extent }) => extent)).toEqual(['outside', 'skipped', 'full']);
  });

  it('knows no grammar for a path that only looks like one', () =>
    expect(['constructor', 'a.constructor', 'a.py.txt', 'toString.js'].map(grammarOf)).toEqual([
      null,
      null,
      null,
      'javascript',
    ]));
});
