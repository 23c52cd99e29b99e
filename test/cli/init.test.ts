import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { Config } from '../../src/core/words/config.ts';
import { createChangedRepository, jury, juryBeside, juryJson } from './jury.ts';
import { listen } from '../listening.ts';

/** A folder with a program of the name of a client. */
function fakeClient(sample: SampleRepository) {
  sample.write('../bin/claude', '#!/bin/sh\necho 2.1.0\n');
  chmodSync(path.join(sample.root, '../bin/claude'), 0o755);
  return path.join(sample.root, '../bin');
}

describe('starting with Jury', () => {
  it('writes a configuration once, which a review can use at once', () => {
    const { root } = createChangedRepository();
    const environment = { JURY_TRUST_CONFIG: '', JURY_STATE: createFolder() };
    const first = jury(root, ['init', '--offline'], { environment });
    expect(first.stdout).toContain('not looked for (--offline)');
    expect([first.code, first.stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      'Next: jury review',
    ]);
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
    const { stderr } = jury(sample.root, ['review', 'HEAD~2..HEAD~1'], {
      environment: { ...environment, JURY_STATE: createFolder() },
    });
    expect(stderr).toContain('jury trust jury.config.yaml');
  });

  it('finds a local server, seats it beside a vendor, and names the schema', async () => {
    const { root } = createChangedRepository();
    const server = createServer((_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end('{"data":[{"id":"nomic-embed"},{"id":"qwen: \\"3\\""}]}'),
    );
    const port = await listen(server);
    const environment = {
      JURY_TRUST_CONFIG: '',
      JURY_STATE: createFolder(),
      OPENAI_API_KEY: 'planted-key',
      OLLAMA_HOST: `127.0.0.1:${port}`,
    };
    const { code, stdout } = await juryBeside(root, ['init'], { environment });
    server.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Ollama at http:\S+ \(1 model\)/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Next: jury doctor');
    const text = readFileSync(path.join(root, 'jury.config.yaml'), 'utf8');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(JSON.parse(readFileSync(new URL(schema), 'utf8'))).toHaveProperty(
      'properties.reviewers',
    );
    const { reviewers = [] } = Config.parse(parse(text));
    expect(reviewers.slice(4).map(({ model }) => model)).toEqual([
      'openai/gpt-5-mini',
      'openai-compatible/qwen: "3"',
    ]);
    expect(text + stdout).not.toContain('planted-key');
  });

  it('names the schema of the package where that is part of the project', () => {
    const sample = createChangedRepository();
    const place = 'node_modules/jury/schema/jury.config.schema.json';
    sample.write(place, '{}');
    const environment = { JURY_TRUST_CONFIG: '', JURY_STATE: createFolder() };
    expect(jury(sample.root, ['init'], { environment }).code).toBe(0);
    expect(readFileSync(path.join(sample.root, 'jury.config.yaml'), 'utf8')).toContain(
      `$schema=./${place}\n`,
    );
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
