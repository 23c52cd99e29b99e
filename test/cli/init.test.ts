import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from './jury.ts';

/** A folder with a program of the name of a client. */
function fakeClient(sample: SampleRepository): string {
  sample.write('../bin/claude', '#!/bin/sh\necho 2.1.0\n');
  chmodSync(path.join(sample.root, '../bin/claude'), 0o755);
  return path.join(sample.root, '../bin');
}

describe('starting with Jury', () => {
  it('writes a configuration once, which a review can use at once', () => {
    const { root } = createChangedRepository();
    const environment = { JURY_TRUST_CONFIG: '', JURY_STATE: createFolder() };
    const first = jury(root, ['init'], { environment });
    expect([first.code, first.stdout.split('\n')[1]]).toEqual([0, 'Next: jury review --dry-run']);
    expect(
      juryJson(root, ['review'], { environment }).record.reviewers.map(({ id }) => id),
    ).toEqual(['secrets', 'javascript', 'patterns', 'diff']);
    const text = readFileSync(path.join(root, 'jury.config.yaml'), 'utf8');
    const second = jury(root, ['init'], { environment });
    expect([second.code, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain('exists already. Use --force to replace it.');
    expect(readFileSync(path.join(root, 'jury.config.yaml'), 'utf8')).toBe(text);
    expect(jury(root, ['init', '--force'], { environment }).code).toBe(0);
  });

  it('allows what it writes: it counts at once, committed or not', () => {
    const sample = createChangedRepository();
    const environment = {
      JURY_TRUST_CONFIG: '',
      JURY_STATE: createFolder(),
      ANTHROPIC_API_KEY: 'planted-key',
      PATH: `${fakeClient(sample)}:${process.env.PATH ?? ''}`,
    };
    expect(jury(sample.root, ['init'], { environment }).code).toBe(0);
    const text = readFileSync(path.join(sample.root, 'jury.config.yaml'), 'utf8');
    expect(text).toContain('runner: claude');
    for (const commit of [false, true]) {
      if (commit) sample.commit('bring it');
      const { code, stdout } = jury(sample.root, ['review', '--dry-run'], { environment });
      expect([code, stdout]).toEqual([0, expect.stringContaining('claude')]);
    }
    const stranger = { ...environment, JURY_STATE: createFolder() };
    const { stderr } = jury(sample.root, ['review', 'HEAD~2..HEAD~1'], { environment: stranger });
    expect(stderr).toContain('jury trust jury.config.yaml');
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
      isolation: { level: expect.stringMatching(/^L[01]$/) },
      configuration: null,
    });
    expect(existsSync(path.join(folder, '.jury'))).toBe(false);
  });
});
