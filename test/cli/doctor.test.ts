/** `jury doctor` tries every seat of a configuration: what it says of each way to fail, and what it never does. */
import path from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../model-server.ts';
import {
  createFolder,
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { juryBeside } from './jury.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ text: 'OK' });
});
afterAll(() => server.close());

interface Printed {
  readonly spent: { readonly calls: number; readonly cost: number | null } | null;
  readonly seats: readonly {
    readonly id: string;
    readonly window: number | null;
    readonly trial: {
      readonly status: string;
      readonly why: string | null;
      readonly mend: string | null;
      readonly cause: string | null;
      readonly httpStatus: number | null;
    } | null;
  }[];
}

/** Does not block, because the server answers in this process. */
function doctor(
  { root }: SampleRepository,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  return juryBeside(root, ['doctor', ...args], {
    environment: { JURY_TRUST_CONFIG: '', JURY_STATE: createFolder(), ...environment },
  });
}

function seated(...seats: readonly string[]) {
  const sample = createSampleRepository();
  sample.write(
    'jury.config.yaml',
    `reviewers:\n${seats.map(seat => `  - { ${seat} }\n`).join('')}`,
  );
  sample.commit('panel');
  return sample;
}

function model(id: string, more = '') {
  return `id: ${id}, runner: api, model: openai-compatible/m-1, baseUrl: "${server.url}/v1"${more}`;
}

async function trialOf(sample: SampleRepository, ...args: readonly string[]) {
  const { code, stdout } = await doctor(sample, ['--trust-config', '--json', ...args]);
  const printed = JSON.parse(stdout) as Printed;
  return { code, printed, trial: printed.seats.at(-1)?.trial };
}

describe('a seat that answers', () => {
  it('says so, with its window, its price and what the try cost', async () => {
    server.set({ plan: ['ok'], usage: { input: 20, output: 2, cached: 0 } });
    const sample = seated(
      'id: diff, runner: builtin, analyser: diff',
      model('good', ', context: 32768, price: { input: 1, output: 5 }'),
    );
    const { code, stdout } = await doctor(sample, ['--trust-config']);
    expect(stdout).toMatch(/✓ reviewer good \(api\): L3/);
    expect(stdout).toMatch(/answers in \d/);
    expect(stdout).toContain('window 32,768 tokens · $1 in, $5 out for a million tokens');
    expect(stdout).toMatch(/1 of 1 answer\. The try took 1 call, \d+ tokens, \$0\.0\d+\./);
    expect([code, server.modelCalls().length]).toEqual([0, 1]);
    expect(server.modelCalls()[0]?.text).not.toContain('jury.config');
  });

  it('is one that spends its few tokens on thinking', async () => {
    server.set({ plan: ['empty'] });
    const { code, trial } = await trialOf(seated(model('thinker')));
    expect([code, trial?.status]).toEqual([0, 'works']);
  });
});

describe('a seat that does not', () => {
  it.each([
    ['401', 'auth', 401, /key/i],
    ['404', 'provider', 404, /"model" \(openai-compatible\/m-1\)/],
    ['429', 'rate-limited', 429, /try again/],
    ['quota', 'quota', 429, /credit/],
    ['500', 'provider', 500, null],
  ] as const)('because the server says %s', async (behaviour, cause, httpStatus, mend) => {
    server.set({ plan: [behaviour] });
    const { code, trial } = await trialOf(seated(model('one')));
    expect(code).toBe(2);
    expect(trial).toMatchObject({ status: 'fails', cause, httpStatus });
    expect(trial?.why).toContain(`HTTP ${httpStatus}`);
    if (mend !== null) expect(trial?.mend).toMatch(mend);
  });

  it('because nothing comes in time', async () => {
    server.set({ plan: ['hang'] });
    const { code, trial } = await trialOf(seated(model('slow')), '--timeout', '1');
    expect([code, trial?.status]).toEqual([2, 'fails']);
    expect(trial?.why).toContain('1 s');
    expect(trial?.mend).toContain('--timeout 4');
  });

  it('because there is no server, no program, no key, no client', async () => {
    const { code, printed } = await trialOf(
      seated(
        'id: away, runner: api, model: openai-compatible/m, baseUrl: "http://127.0.0.1:39/v1"',
        'id: gone, runner: command, command: [no-such-program]',
        'id: keyless, runner: api, model: anthropic/claude-haiku-4-5, apiKeyEnv: NO_SUCH_KEY',
        'id: claude, runner: claude, executable: /no/such/claude',
        'id: nobody, runner: command, command: [sh], persona: ./no-such-persona.md',
      ),
    );
    expect(code).toBe(2);
    expect(printed.seats.map(({ id, trial }) => [id, trial?.status, trial?.cause])).toEqual([
      ['away', 'fails', 'unreachable'],
      ['gone', 'fails', 'not-found'],
      ['keyless', 'fails', 'auth'],
      ['claude', 'fails', 'not-found'],
      ['nobody', 'fails', null],
    ]);
    for (const { trial } of printed.seats) expect(trial?.why?.length).toBeGreaterThan(10);
    expect(printed.seats[0]?.trial?.mend).toContain('http://127.0.0.1:39/v1');
    expect(printed.seats[2]?.trial?.why).toContain('NO_SUCH_KEY');
  });

  it.each([
    ['an unknown key', 'reviewer: []\n', /jury\.config\.yaml:1: .*Did you mean "reviewers"\?$/],
    ['no YAML', 'reviewers: [\n', /jury\.config\.yaml:2:1: .* should have ended with \]\.$/],
  ])('because the configuration has %s, which the first line says', async (_what, text, said) => {
    const sample = createSampleRepository();
    sample.write('jury.config.yaml', text);
    sample.commit('panel');
    const { code, stdout } = await doctor(sample, []);
    const [first = ''] = stdout.split('\n');
    expect([code, first]).toEqual([3, expect.stringMatching(/^✗ Nobody was asked: /)]);
    expect(first).toMatch(said);
  });

  it('is counted in the first line, beside the checks in one line', async () => {
    server.set({ plan: ['ok'] });
    const sample = seated(
      'id: diff, runner: builtin, analyser: diff',
      'id: words, runner: builtin, analyser: secrets',
      'id: gone, runner: command, command: [no-such-program]',
      model('good'),
    );
    const lines = (await doctor(sample, ['--trust-config'])).stdout.split('\n');
    expect(lines[0]).toMatch(/^✗ 1 of 2 answer\. The try took /);
    expect(lines.filter(line => line.includes('(builtin)'))).toEqual([
      '✓ diff, words (builtin): checks inside Jury, no process of their own',
    ]);
  });

  it('keeps nobody else from being asked', async () => {
    server.set({ plan: ['ok'] });
    const sample = seated('id: gone, runner: command, command: [no-such-program]', model('good'));
    const { code, stdout } = await doctor(sample, ['--trust-config']);
    expect([code, stdout]).toEqual([2, expect.stringContaining('1 of 2 answer.')]);
  });
});

it('never prints a key, whoever repeats it', async () => {
  const key = 'planted-key-0123456789';
  const sample = seated(
    'id: parrot, runner: command, environment: [PARROT_KEY], command: [sh, -c, "echo the key is $PARROT_KEY >&2; exit 3"]',
  );
  for (const form of [[], ['--json']]) {
    const { stdout, stderr } = await doctor(sample, ['--trust-config', ...form], {
      PARROT_KEY: key,
    });
    expect(stdout).toMatch(/the key is\s+\[PARROT_KEY\]/);
    expect(stdout + stderr).not.toContain(key);
  }
});

it('asks nobody with --offline, nor for a configuration that nobody has allowed', async () => {
  server.set({ plan: ['ok'] });
  const sample = seated(model('one'));
  const offline = await doctor(sample, ['--offline', '--trust-config']);
  expect([offline.code, offline.stdout]).toEqual([0, expect.stringContaining('Nobody was asked')]);
  const stranger = await doctor(sample, []);
  expect(stranger.code).toBe(3);
  expect(stranger.stdout).toContain('jury trust jury.config.yaml');
  expect(server.modelCalls()).toEqual([]);
});

it('ends with 3 for a configuration that cannot be read', async () => {
  const sample = createSampleRepository();
  sample.write('jury.config.yaml', 'reviewrs: []\n');
  sample.commit('misspelt');
  const { code, stdout } = await doctor(sample, []);
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining(path.join(sample.root, 'jury.config.yaml')),
  ]);
});

it('leads to the model that was found, where built-in checks alone are seated', async () => {
  const sample = seated('id: diff, runner: builtin, analyser: diff');
  const { stdout } = await doctor(sample, [], { OPENAI_API_KEY: 'planted-key' });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'Next: jury init --force, which seats what was found',
  );
});
