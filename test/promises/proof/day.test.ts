/** An ordinary day, and the launcher: each row is a thing that happened to somebody, through the built program. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  createFolder,
  createHistory,
  type Files,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { atFileEnd } from '../../file-end.ts';
import { jury, juryJson, juryProcess, program, writePanel } from '../../cli/jury.ts';

const clean = "console.log('No issues found.\\nVERDICT: safe');";

const changeOf = (after: Files, before: Files = {}): SampleRepository =>
  createHistory({ 'README.md': 'A shop.\n', ...before }, after);

const small = (): SampleRepository => changeOf({ 'src/a.js': 'export const a = 1;\n' });

const seat = (sample: SampleRepository, script = clean): string =>
  writePanel(sample, [{ id: 'reader', script }]);

/** A configuration of one program, written by a person. */
function writeSeat(sample: SampleRepository, keys: string): string {
  const file = path.join(sample.root, '../panel/jury.config.yaml');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `reviewers:\n  - { id: reader, ${keys} }\n`);
  return file;
}

function writeProgram(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

/** What a program finds out in its sandbox, as it says itself. */
function lookInside(
  look: string,
  environment: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): string {
  const sample = small();
  const config = seat(
    sample,
    `fs.writeFileSync('${sample.root}/../seen', String(${look}));${clean}`,
  );
  const args = [program, 'review', '--fresh', '--config', config];
  const { stderr } = spawnSync(
    'bash',
    ['-c', `${[':', ...words].join('; ')}; exec "$@"`, 'bash', process.execPath, ...args],
    { cwd: sample.root, encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  const seen = path.join(sample.root, '../seen');
  return existsSync(seen) ? readFileSync(seen, 'utf8') : `nothing: ${stderr}`;
}

const tried = (look: string): string =>
  `(() => { try { return ${look}; } catch (error) { return error.code; } })()`;

describe.runIf(process.platform === 'linux')('the launcher', () => {
  it('hands no descriptor on, and sets limits', () => {
    expect(
      lookInside(tried("fs.readdirSync('/proc/self/fd/200/../../..').length"), {}, ['exec 200</']),
    ).toMatch(/^E[A-Z]+$/);
    const limits = lookInside("fs.readFileSync('/proc/self/limits')");
    for (const [name, most] of [
      ['data size', 2 ** 40],
      ['file size', 2 ** 40],
      ['processes', 100_000],
    ] as const)
      expect(Number(new RegExp(`^Max ${name}\\s+(\\S+)`, 'm').exec(limits)?.[1])).toBeLessThan(
        most,
      );
  });

  it.runIf(process.getuid?.() === 0)('hides state and work trees wherever they lie', () => {
    const folder = mkdtempSync('/opt/jury-test-');
    atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
    const state = path.join(folder, 'state');
    expect(lookInside(tried(`fs.readdirSync('${state}').length`), { JURY_STATE: state })).toBe('0');
    const sample = small();
    sample.git('worktree', 'add', '-q', path.join(folder, 'tree'), '-b', 'other');
    const look = tried(`fs.readFileSync('${folder}/tree/README.md')`);
    const script = `fs.writeFileSync('${sample.root}/../seen', String(${look}));${clean}`;
    const seen = (isolation: string): string => {
      const config = writePanel(sample, [{ id: 'reader', script, isolation }]);
      juryProcess(sample.root, ['review', '--fresh', '--config', config]);
      return readFileSync(path.join(sample.root, '../seen'), 'utf8');
    };
    expect(seen('write: [..]')).toBe('ENOENT');
    expect(seen(`write: [..], read: [${folder}/tree]`)).toBe('A shop.\n');
  });

  it('keeps nothing where others can write', () => {
    const home = createFolder();
    mkdirSync(path.join(home, 'jury'), { mode: 0o777 });
    chmodSync(path.join(home, 'jury'), 0o777);
    const { code, stderr } = jury(small().root, ['review'], {
      environment: { XDG_STATE_HOME: home, JURY_STATE: '' },
    });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/state folder .*jury can be .*777/)]);
  });
});

const workflow = (version: string, more = ''): Files => ({
  '.github/workflows/ci.yml': `on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@${version}\n${more}`,
});

describe('P14, P25: what programs obey', () => {
  it('is asked about in every folder, whatever the folder is called', () => {
    const names = [
      '.claude/commands/docs/agents.md',
      '.vscode/docs/agents.md',
      '.husky/docs/claude.md',
      'examples/.envrc',
      'sample/.npmrc',
      '.pnp.cjs',
      'tests/conftest.py',
      '.tool-versions',
      '.gdbinit',
      '.junie/guidelines.md',
      '.zed/tasks.json',
      'AGENT.md',
      'WARP.md',
      'pyproject.toml',
      'package.json',
    ];
    const text: Files = {
      'pyproject.toml': '[build-system]\nbuild-backend = "own"\nbackend-path = ["."]\n',
      'package.json': '{"scripts":{"dependencies":"node ./x.js"}}\n',
    };
    const sample = changeOf(
      Object.fromEntries(names.map(name => [name, text[name] ?? 'x = 1\n'])),
      { 'package.json': '{}\n' },
    );
    const { code, record } = juryJson(sample.root, ['review', '--config', seat(sample)]);
    const asked = record.reasons.filter(({ rule }) => rule === 'require-human');
    expect([code, asked.map(({ subject }) => subject)]).toEqual([2, names.toSorted()]);
  });

  it('is a line to its author at a terminal, and to nobody else', () => {
    const sample = changeOf({ 'src/a.js': 'export const a = 1;\n' });
    sample.write('.github/workflows/ci.yml', 'on: push\n');
    sample.git('add', '-A');
    const config = seat(sample);
    const words = [process.execPath, program, 'review', '--staged', '--fresh', '--config', config];
    const at = (environment: Readonly<Record<string, string>>) => {
      const env = Object.fromEntries(
        Object.entries({ ...process.env, ...environment }).filter(
          ([name]) =>
            name in environment || !/^(?:CI$|CLAUDE|CODEX|GEMINI|AGENT|GITHUB_)/.test(name),
        ),
      );
      const { status, stdout } = spawnSync(
        'bash',
        ['-c', 'script -qec "$0" /dev/null', words.join(' ')],
        {
          cwd: sample.root,
          encoding: 'utf8',
          env,
        },
      );
      return [status, /ci\.yml says what CI runs/.test(stdout.replaceAll(/\s+/g, ' '))];
    };
    expect(at({})).toEqual([0, true]);
    expect(at({ CLAUDECODE: '1' })).toEqual([2, true]);
    expect(at({ CI: 'true' })).toEqual([2, true]);
    expect(jury(sample.root, words.slice(2)).code).toBe(2);
  });

  it('is a line where an updater raised a version, and nothing besides', () => {
    const came = (after: Files, author: string) => {
      const sample = changeOf(after, workflow('v4 # v4'));
      sample.git('commit', '-q', '--amend', '--no-edit', '--author', `bot <${author}>`);
      return jury(sample.root, ['review', '--config', seat(sample)]).code;
    };
    const bot = '49699333+dependabot[bot]@users.noreply.github.com';
    expect([
      came(workflow('v5 # v5'), bot),
      came(workflow('v5 # v5'), 'me@example.org'),
      came(workflow('v5 # v5', '      - run: x\n'), bot),
    ]).toEqual([0, 2, 2]);
  });
});

const answer = 'echo "No issues found."; echo "VERDICT: safe"\n';
const ask = (
  keys: string,
  files: (home: string) => Readonly<Record<string, string>>,
  environment: (home: string) => Readonly<Record<string, string>> = () => ({}),
) => {
  const [sample, home] = [small(), createFolder()];
  for (const [name, text] of Object.entries(files(home))) writeProgram(path.join(home, name), text);
  const config = writeSeat(sample, `runner: command, ${keys.replaceAll('HOME', home)}`);
  const { code, stdout } = juryProcess(
    sample.root,
    ['review', '--config', config, '--format', 'json'],
    { environment: { HOME: home, ...environment(home) } },
  );
  const [reader] = (JSON.parse(stdout) as { reviewers: { message: string | null }[] }).reviewers;
  return [code, reader?.message ?? null] as const;
};

const shim = (home: string) => ({
  '.pyenv/bin/pyenv': `#!/bin/sh\necho '${home}/.pyenv/versions/3/bin/tool'\n`,
  '.pyenv/shims/tool': '#!/bin/sh\nexit 9\n',
  '.pyenv/versions/3/bin/tool': `#!/bin/sh\n. '${home}/.pyenv/versions/3/lib/say'\n`,
  '.pyenv/versions/3/lib/say': answer,
});

describe.runIf(process.platform === 'linux')('P24: a program of one’s own', () => {
  it.each<[string, string, Parameters<typeof ask>[1], Parameters<typeof ask>[2]?]>([
    [
      'with neighbours in its folder',
      'command: [~/bin/look]',
      home => ({ 'bin/look': `#!/bin/sh\n. '${home}/bin/say'\n`, 'bin/say': answer }),
    ],
    [
      'behind a shim',
      'command: [tool]',
      shim,
      home => ({ PATH: `${home}/.pyenv/shims:${process.env['PATH'] ?? ''}` }),
    ],
    [
      'whose interpreter is behind a shim',
      'command: [~/bin/look]',
      home => ({ ...shim(home), 'bin/look': '#!/usr/bin/env tool\n' }),
      home => ({ PATH: `${home}/.pyenv/shims:${process.env['PATH'] ?? ''}` }),
    ],
  ])('runs %s', (_, keys, files, environment) => {
    expect(ask(keys, files, environment)).toEqual([0, null]);
  });

  it.each<[string, string, RegExp]>([
    [
      'a file of the home folder',
      `cat "HOME/notes/key"`,
      /sandbox that withholds \S+\/notes\/key.*isolation: \{ read: \[\S+\/notes\/key\]/,
    ],
    [
      'the network',
      'echo "getaddrinfo EAI_AGAIN example.org" >&2; exit 1',
      /sandbox that withholds .*the network.*isolation: \{ .*network: true/,
    ],
    [
      'a neighbour in the home folder itself',
      `. "HOME/say.sh"`,
      /sandbox that withholds \S+\/say\.sh/,
    ],
    ['something', 'exit 3', /sandbox.*isolation: \{ read: \[PATH\], network: true \}/],
  ])('that needs %s is told which line gives it', (_, script, told) => {
    const [code, message] = ask('command: [~/bin/look]', home => ({
      'bin/look': `#!/bin/sh\n${script.replaceAll('HOME', home)}\n`,
      'notes/key': 'x',
      'say.sh': 'x',
    }));
    expect([code, message]).toEqual([2, expect.stringMatching(told)]);
  });
});

it('P27: a client whose --version hangs is the client it was', () => {
  const sample = small();
  const at = path.join(sample.root, '../claude');
  const result = JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    stop_reason: 'end_turn',
    result: 'No issues found.\nVERDICT: safe\nEND OF ANSWER',
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  writeProgram(
    at,
    `#!/bin/sh\nif [ "$1" = --version ]; then [ -e '${at}.asked' ] && sleep 7; echo '2.1.330 (Claude Code)'; exit; fi\ncat >/dev/null; echo x >>'${at}.asked'; printf '%s\\n' '${result}'\n`,
  );
  const config = writeSeat(
    sample,
    'runner: claude, executable: ../claude, isolation: { sandbox: false }',
  );
  const words = ['review', '--config', config];
  const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://gateway.example' };
  const first = juryProcess(sample.root, words, { environment });
  expect([first.code, juryProcess(sample.root, words, { environment }).code]).toEqual([0, 0]);
  expect(readFileSync(`${at}.asked`, 'utf8')).toBe('x\n');
  // P32: an address that is not passed on is said.
  expect(first.stderr).toContain('ANTHROPIC_BASE_URL is not passed on');
});

it('P28: every format has the rule and the weakness of a built-in finding', () => {
  const sample = changeOf({
    'src/a.js':
      'export const find = (db, name) =>\n  db.query("select * from users where name = \'" + name + "\'");\n',
  });
  jury(sample.root, ['review', '--reviewers', 'patterns']);
  for (const format of ['sarif', 'github', 'junit', 'gitlab']) {
    const { stdout } = jury(sample.root, ['report', '--format', format]);
    expect([format, stdout]).toEqual([
      format,
      expect.stringMatching(/patterns\/javascript-sql[\s\S]*CWE-89|CWE-89[\s\S]*javascript-sql/),
    ]);
    expect(stdout).not.toContain('Layering');
  }
});

const pair = (one: readonly [string, number, string], other: readonly [string, number, string]) => {
  const sample = changeOf({ 'src/a.js': 'export const a = 1;\n'.repeat(90) });
  const said = [one, other];
  const config = writePanel(
    sample,
    ['alpha', 'beta'].map(id => ({
      id,
      script: `console.log(\`${said
        .filter(([who]) => who === id)
        .map(([, line, text]) => `IMPORTANT|src/a.js:${line}|${text}`)
        .concat(said.some(([who]) => who === id) ? [] : ['No issues found.'])
        .join('\\n')}\\nVERDICT: needs-changes\`);`,
    })),
  );
  const { record } = juryJson(sample.root, ['review', '--config', config]);
  return record.claims.flatMap(({ contradicts }) => contradicts).length;
};

describe('P29: the opposite', () => {
  const [there, gone] = ['The amount is not validated', 'The amount is validated by the caller'];

  it.each<[string, Parameters<typeof pair>, number]>([
    [
      'stands at one place and is somebody else’s',
      [
        ['alpha', 5, there],
        ['beta', 6, gone],
      ],
      2,
    ],
    [
      'is not within one reviewer',
      [
        ['alpha', 5, there],
        ['alpha', 6, gone],
      ],
      0,
    ],
    [
      'is not about another place',
      [
        ['alpha', 5, there],
        ['beta', 74, gone],
      ],
      0,
    ],
    [
      'is not in what should be done',
      [
        ['alpha', 5, 'The pages are out of step. Fix: keep the old order of the page'],
        ['beta', 6, 'The last order of the page is dropped'],
      ],
      0,
    ],
  ])('%s', (_, said, links) => {
    expect(pair(...said)).toBe(links);
  });
});

it('P30: nothing installs a name of a registry that is not ours', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = ['README.md', 'docs', 'action', '.github', 'plugin', 'demo'].flatMap(name => {
    const at = path.join(root, name);
    return name.includes('.md')
      ? [at]
      : readdirSync(at, { recursive: true, encoding: 'utf8' }).map(each => path.join(at, each));
  });
  const found = files
    .filter(file => /\.(?:md|ya?ml|mjs|json|toml)$/.test(file))
    .flatMap(file =>
      (
        readFileSync(file, 'utf8').match(
          /^.*(?:npx (?:-y |--yes )?jury|install .*\bjury(?:@| *$)).*$/gm,
        ) ?? []
      ).map(line => `${path.relative(root, file)}: ${line.trim()}`),
    )
    .filter(line => !line.includes('jury@jury'));
  expect(found).toEqual([]);
});

it('P31: a ceiling of money that cannot hold is refused before anybody is asked', () => {
  const sample = small();
  const config = seat(sample, `fs.writeFileSync('${sample.root}/../asked', '');${clean}`);
  const { code, stderr } = jury(sample.root, ['review', '--config', config, '--max-cost', '1']);
  expect([code, existsSync(path.join(sample.root, '../asked'))]).toEqual([3, false]);
  expect(stderr).toMatch(/reader[\s\S]*price: \{[\s\S]*--max-calls/);
  const priced = writeSeat(
    sample,
    'runner: command, command: [node, ./reader.mjs], price: { input: 0, output: 0 }, isolation: { write: [..] }',
  );
  expect(jury(sample.root, ['review', '--config', priced, '--max-cost', '1']).code).toBe(0);
});

it('P32: a report that was written is a success; a subscription is named', () => {
  const sample = changeOf({ 'src/a.js': 'export const run = text => eval(text);\n' });
  expect(jury(sample.root, ['review', '--reviewers', 'javascript']).code).toBe(1);
  expect(jury(sample.root, ['report', '--format', 'html', '--out', '../a.html']).code).toBe(0);
  expect(jury(sample.root, ['report']).code).toBe(1);
  writeProgram(
    path.join(sample.root, '../bin/claude'),
    '#!/bin/sh\necho "2.1.330 (Claude Code)"\n',
  );
  const environment = {
    PATH: `${path.join(sample.root, '../bin')}:${process.env['PATH'] ?? ''}`,
    ...Object.fromEntries(
      ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'].map(name => [
        name,
        '',
      ]),
    ),
  };
  for (const command of ['init', 'doctor'])
    expect(jury(sample.root, [command, '--offline'], { environment }).stdout).toContain(
      'claude setup-token',
    );
});

it('a message of more than 32 MiB is answered, and so is the next one', async () => {
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: small().root });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const pad = 'x'.repeat(33 * 1024 * 1024);
  child.stdin.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"pad":"${pad}"}}\n`);
  child.stdin.write('{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
  await expect.poll(() => said.split('\n').length).toBeGreaterThan(2);
  child.stdin.end();
  const lines = said.trim().split('\n');
  expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      id: 7,
      error: expect.objectContaining({ code: -32_600 }) as unknown,
    }),
    expect.objectContaining({ id: 8 }),
  ]);
  await new Promise(resolve => child.once('close', resolve));
});

it('no format begins a line as a command of a workflow', () => {
  const sample = small();
  const answer = {
    findings: [
      {
        id: 'A',
        severity: 'HIGH',
        file: 'src/a.js',
        line: 1,
        issue: 'It is wrong',
        evidence: 'see\n::error title=x::y\n  ::warning::z',
      },
    ],
    verdict: 'needs-changes',
  };
  const config = seat(sample, `console.log(${JSON.stringify(JSON.stringify(answer))});`);
  jury(sample.root, ['review', '--config', config]);
  for (const format of [
    'html',
    'terminal',
    'markdown',
    'brief',
    'json',
    'junit',
    'gitlab',
    'sarif',
  ])
    expect([format, jury(sample.root, ['report', '--format', format]).stdout]).toEqual([
      format,
      expect.not.stringMatching(/^\s*::(?:error|warning)/m),
    ]);
});
