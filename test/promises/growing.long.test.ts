/**
 * What more tokens promise: nobody pays for more than the budgets' own reach unasked, and where nobody can be asked it is said
 * what there would be.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChangedRepository, jury, program, writePanel } from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';

const names = ['security', 'code-quality'] as const;

function createGrowing(files = 50): { readonly sample: SampleRepository; readonly config: string } {
  const sample = createChangedRepository();
  for (let index = 1; index <= files; index++)
    sample.write(
      `src/part${index}.js`,
      `const part${index} = compute(first, second);\n`.repeat(200),
    );
  sample.commit('large');
  const config = writePanel(
    sample,
    names.map(name => ({
      id: name,
      script: `console.log('None\\nVERDICT: safe');`,
      settings: `persona: ${name}-reviewer, context: 200000, price: { input: 3, output: 15 }`,
    })),
    'failOn: [never]\n',
  );
  return { sample, config };
}

interface Kept {
  readonly cover: string;
  readonly granted: Readonly<Record<string, number>>;
}

function kept(sample: SampleRepository): Kept[] {
  const runs = runsOf(sample.root);
  const file = `${runs}/../last-answer.json`;
  if (!existsSync(file)) return [];
  const { run } = JSON.parse(readFileSync(file, 'utf8')) as { run: string };
  return [JSON.parse(readFileSync(path.join(runs, run, 'budget.json'), 'utf8')) as Kept];
}

interface Sat {
  readonly code: number | null;
  readonly screen: string;
}

/** Runs the program on a terminal of its own, and types `keys` when it asks. */
function onTerminal(
  cwd: string,
  args: readonly string[],
  keys: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Sat> {
  const command = [process.execPath, program, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, CI: '', NO_COLOR: '1', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let isTyped = false;
  return new Promise(resolve => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (isTyped || !screen.includes('[y/N] ')) return;
      isTyped = true;
      child.stdin.write(keys);
    });
    child.on('close', code => resolve({ code, screen }));
  });
}

describe.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')(
  'a person at a terminal who stated no ceiling, on Linux with script',
  () => {
    it('is told calls, tokens and money of both ways, and a yes makes budgets grow', async () => {
      const { sample, config } = createGrowing();
      const { code, screen } = await onTerminal(
        sample.root,
        ['review', '--config', config, '--format', 'json'],
        'y\n',
      );
      const figures = [...screen.matchAll(/about (\d+) calls, (\d+) tokens, \$(\d+\.\d+)/g)].map(
        ([, ...numbers]) => numbers.map(Number),
      );
      expect(figures).toHaveLength(2);
      const [once = [], all = []] = figures;
      for (const index of [0, 1, 2]) expect(all[index]).toBeGreaterThan(once[index] ?? Infinity);
      expect(code, screen).toBe(0);
      const [budget] = kept(sample);
      expect(budget?.cover).toBe('all');
      for (const name of names) expect(budget?.granted[name]).toBeGreaterThan(90_000);
    }, 120_000);

    it.each([
      ['no', 'n\n', 2],
      ['the end of the input', '\u0004', 2],
    ])(
      'who answers with %s gets each file read by somebody',
      async (_, keys, exit) => {
        const { sample, config } = createGrowing();
        const { code } = await onTerminal(
          sample.root,
          ['review', '--config', config, '--format', 'brief'],
          keys,
        );
        expect([code, kept(sample)[0]?.cover]).toEqual([exit, 'once']);
      },
      120_000,
    );

    it('who presses Ctrl-C has asked nobody, and that is no fault', async () => {
      const { sample, config } = createGrowing();
      const { code, screen } = await onTerminal(
        sample.root,
        ['review', '--config', config],
        '\u0003',
      );
      expect([code, kept(sample)]).toEqual([130, []]);
      expect(screen).toContain('Interrupted');
    }, 120_000);

    it.each([
      ['a cover', ['--cover', 'once'], {}, 50],
      ['a ceiling', ['--max-tokens', '60000'], {}, 50],
      ['nothing to grow for', [], {}, 2],
      ['a machine that only looks like a terminal', [], { CI: 'true' }, 50],
    ])(
      'is not asked where there is %s',
      async (_, flags, environment, files) => {
        const { sample, config } = createGrowing(files);
        const { screen } = await onTerminal(
          sample.root,
          ['review', '--config', config, ...flags],
          'y\n',
          environment,
        );
        expect(screen).not.toContain('[y/N]');
        expect(kept(sample)[0]?.cover).toBe('once');
      },
      120_000,
    );
  },
);

describe('where nobody can be asked', () => {
  it('each file is read by somebody, and run and plan say what everybody would take', () => {
    const { sample, config } = createGrowing();
    const { stderr } = jury(sample.root, ['review', '--config', config]);
    expect(stderr).toMatch(/about \d+ calls, \d+ tokens\) add --cover all/);
    expect(kept(sample)[0]?.cover).toBe('once');
    const plan = jury(sample.root, ['plan', '--config', config]).stdout.replaceAll(/\s+/g, ' ');
    expect(plan).toMatch(/Cover: once.*Offer: --cover all, .*about \d+ calls, \d+ tokens, \$/);
    const stated = jury(sample.root, ['plan', '--config', config, '--cover', 'once']).stdout;
    expect(stated).not.toContain('Offer:');
  }, 120_000);
});
