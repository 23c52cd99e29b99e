import { describe, expect, it } from 'vitest';
import { grammarOf } from '../../src/core/languages/languages.ts';
import { compileRules, patternRules } from '../../src/checks/world/patterns.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';
import { samples } from './pattern-samples.ts';

describe('the structural rules', () => {
  /** Those without a sample here are raised by `planted.test.ts`, which leaves none without a text. */
  const sampled = patternRules.filter(({ id }) => id in samples);

  it('have a rule for every sample', () => {
    expect(sampled.map(rule => rule.id).sort()).toEqual(Object.keys(samples).sort());
  });

  it('compile for every grammar they name', async () => {
    for (const rule of patternRules)
      for (const grammar of rule.grammars)
        expect((await compileRules(grammar)).rules).toContain(rule);
  });

  it.each(sampled)('$id reports what it is for, on its line', async ({ id }) => {
    const { path, guilty } = samples[id] ?? { path: '', guilty: [] };
    expect(guilty.length).toBeGreaterThan(0);
    for (const text of guilty) {
      const { said } = await askAnalyser({ analyser: 'patterns', files: { [path]: text } });
      const hit = text.split('\n').findIndex(line => line.includes('HIT')) + 1;
      // The way of a value says the same and more: it stands instead of the rule.
      const places = said
        .filter(entry => entry.startsWith(`patterns/${id}:`) || entry.includes('-flow-'))
        .map(entry => Number(entry.replace(/^.*:/, '')));
      expect(places.length).toBeGreaterThan(0);
      expect(places).toContain(hit > 0 ? hit : places[0]);
    }
  });

  it.each(sampled)('$id is silent about what only looks like it', async ({ id }) => {
    const { path, innocent } = samples[id] ?? { path: '', innocent: [] };
    expect(innocent.length).toBeGreaterThan(0);
    for (const text of innocent)
      expect(await rulesSaid('patterns', { [path]: text })).not.toContain(`patterns/${id}`);
  });

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

  it('finds defects in a file that does not parse everywhere', async () => {
    expect(
      await rulesSaid('patterns', { 'app/a.py': 'os.system(f"ls {x}")\n\ndef (:\n' }),
    ).toContain('patterns/python-os-system');
  });

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

  it('knows no grammar for a path that only looks like one', () => {
    expect(['constructor', 'a.constructor', 'a.py.txt', 'toString.js'].map(grammarOf)).toEqual([
      null,
      null,
      null,
      'javascript',
    ]);
  });
});
