import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';
import { connect, type Connected } from '../mcp/connect.ts';

/** Keeps scanners from taking this file for one with secrets. */
const glue = (...parts: readonly string[]): string => parts.join('');
const awsKey = glue('AKIA', 'Q7WMZ4XK', '2NTRB6LD');
const githubToken = glue('gh', 'p_', 'aB3dE5fG7hJ9kL2mN4pQ', '6rS8tU0vW1xYzA2b');
const password = glue('kitten', 'wool', '77Q');
const keyLine = 'MIIEpAIBAAKCAQEAq7BFUpkGp3LQmlQYx2eqzDV';
const privateKey = [
  glue('-----BEGIN RSA PRIVATE', ' KEY-----'),
  ...Array.from(
    { length: 60 },
    (_, index) => `${keyLine}sealedPart${String(index).padStart(2, '0')}`,
  ),
  glue('-----END RSA PRIVATE', ' KEY-----'),
].join('\n');
/** The end of the token too: a passage may begin in the middle of it. */
const secrets = [awsKey, githubToken, githubToken.slice(-24), password, keyLine];

function createProject(): SampleRepository {
  const sample = createSampleRepository();
  sample.write(
    'src/keys.ts',
    `export const apiKey = '${awsKey}';\nexport const apiToken = '${githubToken}';\nexport const apiUser = 'ada';\n`,
  );
  sample.write('src/again.ts', `export const apiKeyAgain = '${awsKey}';\n`);
  sample.write('.env', `API_PASSWORD=${password}\nAPI_MODE=fast\n`);
  // Longer than a passage: its middle alone does not look like a key.
  sample.write('deploy/sealed.pem', `${privateKey}\n`);
  sample.write('src/page.ts', `export const page = '${'x'.repeat(7_975)}${githubToken} apiKey';\n`);
  sample.commit('one');
  return sample;
}

interface Hit {
  readonly path: string;
  readonly startLine: number;
  readonly text: string;
}

describe('a search', () => {
  let sample: SampleRepository;
  let client: Connected;

  beforeAll(async () => {
    sample = createProject();
    client = await connect('2.x as of 2026', { cwd: sample.root });
  });
  afterAll(() => client.close());

  const queries = [
    ['a key, and meets one that the end of a passage cuts in two', 'apiKey'],
    ['a token', 'apiToken'],
    ['an environment file', 'API_PASSWORD'],
    ['the middle of a private key', 'sealedPart31'],
    ['the value itself', githubToken],
  ] as const;

  it.each(queries)('shows no credential to a person who looks for %s', (_, query) => {
    for (const flags of [[], ['--json', '--revision', 'HEAD']]) {
      const { code, stdout, stderr } = jury(sample.root, ['search', query, ...flags]);
      expect(code).toBe(0);
      for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
    }
  });

  it.each(queries)('shows no credential to an agent that looks for %s', async (_, query) => {
    const { isError, text } = await client.call('search', { query, limit: 20 });
    expect(isError).toBe(false);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('still finds the places, shows what stands around and one placeholder for one secret', async () => {
    const hits = JSON.parse(jury(sample.root, ['search', 'apiKey', '--json']).stdout) as Hit[];
    const textOf = (path: string): string => hits.find(hit => hit.path === path)?.text ?? '';
    const [placeholder = 'none'] = /⟦SECRET:aws:\d+⟧/.exec(textOf('src/keys.ts')) ?? [];
    expect(textOf('src/keys.ts')).toContain("export const apiUser = 'ada';");
    expect(textOf('src/again.ts')).toBe(`export const apiKeyAgain = '${placeholder}';\n`);
    const sealed = JSON.parse(
      jury(sample.root, ['search', 'sealedPart31', '--json']).stdout,
    ) as Hit[];
    expect(sealed.map(({ path }) => path)).toContain('deploy/sealed.pem');
    expect(sealed.find(({ startLine }) => startLine === 1)?.text.split('\n')).toHaveLength(41);
    expect((await client.call('search', { query: 'apiUser' })).text).toContain('src/keys.ts');
  });

  it('is not the only door: files of a run are masked for agents too', async () => {
    sample.write('src/more.ts', `export const other = '${githubToken}';\n`);
    sample.commit('two');
    jury(sample.root, ['gates', 'HEAD~1..HEAD']);
    const run = jury(sample.root, ['runs']).stdout.match(/\d{8}T\d{6}Z-[0-9a-f]{6}/)?.[0] ?? '';
    for (const file of ['input.diff', 'subject.json']) {
      const text = await client.read(`resources://runs/${run}/${file}`);
      expect([file, text.includes('src/more.ts'), text.includes(githubToken)]).toEqual([
        file,
        true,
        false,
      ]);
    }
  });
});

it('a context pack shows no credential', () => {
  const sample = createProject();
  sample.write(
    'src/use.ts',
    `import { apiKey } from './keys.ts';\nexport const sign = () => apiKey + '${githubToken}';\n`,
  );
  sample.commit(`use ${awsKey}`);
  for (const format of [[], ['--json']]) {
    const { stdout, stderr } = jury(sample.root, ['context', ...format]);
    expect(stdout).toContain('src/use.ts');
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  }
});
