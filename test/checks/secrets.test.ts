import { describe, expect, it } from 'vitest';
import { fakePrivateKey, scramble } from './secrets/fake-secrets.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';

const token = `ghp_${scramble(36)}`;

describe('the secrets analyser', () => {
  it('names the line of a committed credential as critical and never repeats the value', async () => {
    const { findings, files_reviewed, verdict, answer } = await askAnalyser({
      analyser: 'secrets',
      files: { 'src/a.ts': `const a = 1;\nconst key = '${token}';\n` },
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      severity: 'CRITICAL',
      category: 'secrets',
      file: 'src/a.ts',
      line: 2,
    });
    expect(findings[0]).not.toHaveProperty('quote');
    expect(answer.text + answer.transcript).not.toContain(token.slice(4));
    expect(files_reviewed).toEqual(['src/a.ts']);
    expect(verdict).toBe('risky');
  });

  it('stays silent about credentials the change did not touch', async () => {
    const old = `const key = '${token}';\nconst a = 1;\n`;
    expect(
      await rulesSaid('secrets', { 'src/a.ts': { old, new: old.replace('a = 1', 'a = 2') } }),
    ).toEqual([]);
  });

  it('reports every line when files are reviewed as they are', async () => {
    const { said } = await askAnalyser({
      analyser: 'secrets',
      source: 'files',
      files: { 'src/a.ts': { old: `k='${token}'\n`, new: `k='${token}'\n` } },
    });
    expect(said).toEqual(['secrets/github:1']);
  });

  it('counts a private key once, at its first touched line', async () => {
    const { said } = await askAnalyser({
      analyser: 'secrets',
      files: { 'deploy/key.pem': `# key\n${fakePrivateKey}\n` },
    });
    expect(said).toEqual(['secrets/private-key:2']);
  });

  it('lowers what stands in tests and examples, and is silent about guesses there', async () => {
    const guess = `password = "${scramble(20)}"\n`;
    const { findings } = await askAnalyser({
      analyser: 'secrets',
      files: {
        'test/a.test.ts': `k = '${token}'\n${guess}`,
        'examples/b.py': guess,
        'docs/c.md': 'AKIAIOSFODNN7EXAMPLE\n',
        '.env.test': `SECRET_KEY=${scramble(20)}\n`,
      },
    });
    expect(findings.map(({ severity, file }) => [severity, file])).toEqual([
      ['LOW', 'test/a.test.ts'],
    ]);
  });

  it('takes the key of a vendor in a document as seriously as in code, and what documents show to explain it for less', async () => {
    const key = `AKIA${scramble(16, 'QWERTYUIOPASDFGHJKLZXCVBNM234567')}`;
    const { findings } = await askAnalyser({
      analyser: 'secrets',
      files: {
        'docs/a.md': `${key}\n${fakePrivateKey}\neyJ${scramble(20)}.eyJ${scramble(40)}.${scramble(43)}\nghp_1234567890abcdefghijklmnopqrstuvwxyz\n`,
      },
    });
    expect(findings.map(({ severity, line }) => [severity, line])).toEqual([
      ['CRITICAL', 1],
      ['LOW', 2],
      ['LOW', 10],
      ['LOW', 11],
    ]);
  });

  it('says what it did not read, and why', async () => {
    const files = {
      'a.png': { content: 'binary' },
      'b.sql': { content: 'too-large' },
      lib: { content: 'submodule' },
      'gone.ts': { old: 'x\n', new: null },
    } as const;
    const { answer } = await askAnalyser({ analyser: 'secrets', files });
    expect(answer.coverage).toEqual([
      { path: 'a.png', extent: 'outside', why: 'binary file' },
      { path: 'b.sql', extent: 'skipped', why: 'too large to read' },
      { path: 'lib', extent: 'outside', why: 'submodule' },
      { path: 'gone.ts', extent: 'full', why: null },
    ]);
  });

  it('reads the lines of a bare patch and calls that partial', async () => {
    const old = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const { answer, said } = await askAnalyser({
      analyser: 'secrets',
      readable: false,
      files: { 'a.txt': { old, new: `${old}\nkey ${token}\n` } },
    });
    expect(said).toEqual(['secrets/github:41']);
    expect(answer.coverage).toEqual([
      { path: 'a.txt', extent: 'partial', why: 'only the lines of the patch were at hand' },
    ]);
  });
});
