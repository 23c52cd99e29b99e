import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from './jury.ts';

describe('starting with Jury', () => {
  it('writes a configuration once, which a review can use at once', () => {
    const { root } = createChangedRepository();
    const first = jury(root, ['init']);
    expect([first.code, first.stdout.split('\n')[1]]).toEqual([0, 'Next: jury review --dry-run']);
    expect(juryJson(root, ['review']).record.reviewers.map(({ id }) => id)).toEqual([
      'secrets',
      'javascript',
      'patterns',
      'diff',
    ]);
    const text = readFileSync(path.join(root, 'jury.config.yaml'), 'utf8');
    const second = jury(root, ['init']);
    expect([second.code, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain('exists already. Use --force to replace it.');
    expect(readFileSync(path.join(root, 'jury.config.yaml'), 'utf8')).toBe(text);
    expect(jury(root, ['init', '--force']).code).toBe(0);
  });

  it('tells what the machine has, in words and as data, and writes nothing', () => {
    const folder = createFolder();
    const { code, stdout } = jury(folder, ['doctor'], {
      environment: { ANTHROPIC_API_KEY: 'planted-key' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('✓ built-in reviewers');
    expect(stdout).toContain('ANTHROPIC_API_KEY');
    expect(stdout).not.toContain('planted-key');
    expect(JSON.parse(jury(folder, ['doctor', '--json']).stdout)).toMatchObject({
      isolation: { level: 'L0' },
      configuration: null,
    });
    expect(existsSync(path.join(folder, '.jury'))).toBe(false);
  });
});
