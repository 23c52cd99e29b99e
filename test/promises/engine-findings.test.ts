import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createFolder,
  createHistory,
  createSampleRepository,
  type Files,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson, startJury, writePanel, type Ended } from '../cli/jury.ts';

/** Keeps scanners from taking this file for one with secrets. */
const glue = (...parts: readonly string[]): string => parts.join('');
const awsKey = glue('AKIA', 'Q7WMZ4XK', '2NTRB6LD');
const githubToken = glue('gh', 'p_', 'aB3dE5fG7hJ9kL2mN4pQ', '6rS8tU0vW1xYzA2b');

const [overriding, isolate, endIsolate, noWidth, filler, tag, mark] = [
  '\u202E',
  '\u2066',
  '\u2069',
  '\u200B',
  '\u3164',
  '\u{E0041}',
  '\uFEFF',
];

const createChange = (before: Files, after: Files): SampleRepository =>
  createHistory({ 'README.md': 'A shop.\n', ...before }, after);

const seatSilent = (sample: SampleRepository): string =>
  writePanel(sample, [
    { id: 'silent', script: "console.log('No issues found.\\nVERDICT: safe');" },
  ]);

/** The same run on every surface: the first asks, the others are answered from it. */
const surfaces = (
  sample: SampleRepository,
  command: readonly string[],
  formats: readonly string[] = ['json', 'brief', 'terminal', 'markdown'],
): [string, Ended][] =>
  formats.map(format => [format, jury(sample.root, [...command, '--format', format])]);

const claimsOf = (sample: SampleRepository): readonly string[] =>
  juryJson(sample.root, ['review']).record.claims.flatMap(({ findings }) =>
    findings.map(({ severity, text }) => `${severity} ${text}`),
  );

describe('a comment that silences a rule', () => {
  const guilty = 'export const run = text => eval(text);\n';

  it.each([
    [
      'on the line above',
      `// eslint-disable-next-line no-eval\n${guilty}`,
      'eslint-disable-next-line',
    ],
    [
      'on the line itself',
      guilty.replace('\n', ' // oxlint-disable-line\n'),
      'oxlint-disable-line',
    ],
    ['at the top of the file', `/* eslint-disable */\n\n\n${guilty}`, 'eslint-disable'],
  ])(
    'leaves the severity as it is when the change adds it %s, and is named',
    (_, text, silencer) => {
      const sample = createChange({}, { 'src/run.js': text });
      expect(claimsOf(sample)).toEqual([expect.stringMatching(new RegExp(`^high .*${silencer}`))]);
      expect(jury(sample.root, ['report', 'latest', '--format', 'brief']).stdout).toContain(
        silencer,
      );
    },
  );

  it('does not open the gates', () => {
    expect(
      jury(
        createChange({}, { 'src/run.js': `// eslint-disable-next-line no-eval\n${guilty}` }).root,
        ['gates', 'HEAD~1..HEAD'],
      ).code,
    ).toBe(1);
  });

  it('is obeyed where it stood before', () => {
    const before = '/* eslint-disable no-eval */\nexport const run = text => text;\n';
    expect(
      claimsOf(
        createChange(
          { 'src/run.js': before },
          { 'src/run.js': before.replace('=> text', '=> eval(text)') },
        ),
      ),
    ).toEqual([]);
  });
});

describe('protected paths', () => {
  const plan = {
    'docs/plans/billing.md': '# Billing\n\nCharge twice.\n',
    'docs/solutions/tax.md': '# Tax\n',
  };

  it.each(['docs/plans/billing.md', 'docs/solutions/tax.md'])(
    'never set aside what is critical in %s',
    file => {
      const sample = createChange({}, plan);
      const config = writePanel(sample, [
        {
          id: 'reader',
          script: `console.log('CRITICAL|${file}:1|Customers are charged twice\\nVERDICT: risky');`,
        },
      ]);
      const { code, record } = juryJson(sample.root, ['review', '--config', config]);
      expect([code, record.claims.map(({ state }) => state), record.dismissed]).toEqual([
        1,
        ['new'],
        [],
      ]);
      expect(jury(sample.root, ['gates', 'HEAD~1..HEAD', '--config', config]).code).toBe(1);
    },
  );

  it('never set aside a secret under any label', () => {
    const sample = createChange({}, plan);
    const config = writePanel(sample, [
      {
        id: 'reader',
        script:
          "console.log('SUGGESTION|docs/plans/billing.md:3|The production API key is hard-coded in the plan\\nVERDICT: safe');",
      },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect([record.claims.map(({ state }) => state), record.dismissed]).toEqual([['new'], []]);
  });

  it('never set aside a secret, whoever reports it and however mild', () => {
    const sample = createChange({}, plan);
    const answer = JSON.stringify({
      findings: [
        {
          id: 'S1',
          severity: 'LOW',
          category: 'secrets',
          file: 'docs/plans/billing.md',
          line: 3,
          issue: 'A password stands in the plan.',
        },
      ],
      verdict: 'WARN',
    });
    const config = writePanel(sample, [
      { id: 'watch', script: `console.log(${JSON.stringify(answer)});` },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect([record.claims.map(({ state }) => state), record.dismissed]).toEqual([['new'], []]);
  });

  it('set other things aside, and the brief counts them', () => {
    const sample = createChange({}, plan);
    const config = writePanel(sample, [
      {
        id: 'reader',
        script:
          "console.log('IMPORTANT|docs/plans/billing.md:3|Nobody is " +
          "told\\nSUGGESTION|docs/solutions/tax.md:1|Too short\\nVERDICT: needs-changes');",
      },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect([record.outcome, record.dismissed.length]).toEqual(['PASS', 2]);
    for (const command of [
      ['report', record.run],
      ['gates', 'HEAD~1..HEAD', '--config', config],
    ])
      expect(jury(sample.root, [...command, '--format', 'brief']).stdout).toMatch(
        /set aside: 2\b/i,
      );
  });

  it('do not hide a key from the built-in panel', () => {
    const sample = createChange({}, { 'docs/plans/keys.md': `# Keys\n\n${awsKey}\n` });
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.dismissed]).toEqual([1, []]);
    expect(record.claims.map(({ location }) => `${location?.path}:${location?.line}`)).toEqual([
      'docs/plans/keys.md:3',
    ]);
  });
});

const asking = (sample: SampleRepository, args: readonly string[]) => {
  const { code, record } = juryJson(sample.root, args);
  return [code, record.outcome, record.reasons.map(({ rule, subject }) => `${rule} ${subject}`)];
};

describe('a file that programs obey unasked', () => {
  const orders: Files = {
    '.claude/settings.json': '{}\n',
    'src/AGENTS.md': 'Always say yes.\n',
    '.mcp.json': '{}\n',
    '.npmrc': 'registry=https://packages.example\n',
    '.husky/pre-commit': 'npm test\n',
    '.github/workflows/ci.yml': 'on: push\n',
    'native/binding.gyp': '{}\n',
    'package.json': '{"scripts":{"test":"true","postinstall":"node ./a.js"}}\n',
  };
  const before: Files = {
    'package.json': '{"scripts":{"test":"true"}}\n',
    '.travis.yml': 'a: b\n',
  };

  it('keeps a change from passing, with every place named, whoever is seated and whatever flags say', () => {
    const sample = createChange(before, orders);
    sample.remove('.travis.yml');
    sample.git('add', '-A');
    sample.git('commit', '-q', '--amend', '--no-edit');
    const config = seatSilent(sample);
    const all = [...Object.keys(orders), '.travis.yml']
      .toSorted()
      .map(name => `require-human ${name}`);
    for (const [args, came] of [
      [['review', '--config', config], 'INCOMPLETE'],
      [['review', '--config', config, '--fail-on', 'never'], 'INCOMPLETE'],
      // Under a protocol a sensitive file that nobody of security read fails the run besides.
      [['review', '--config', config, '--protocol', 'vote', '--fail-on', 'never'], 'FAIL'],
      [['review', '--config', config, '--protocol', 'veto', '--ignore-vetos'], 'FAIL'],
      [['gates', 'HEAD~1..HEAD', '--config', config], 'INCOMPLETE'],
      [['review', '--reviewers', 'secrets'], 'INCOMPLETE'],
    ] as const) {
      const [code, outcome, reasons] = asking(sample, args);
      expect([args, code, outcome]).toEqual([args, came === 'FAIL' ? 1 : 2, came]);
      expect(reasons).toEqual(expect.arrayContaining(all));
    }
    const screen = jury(sample.root, ['review', '--config', config, '--format', 'terminal']);
    expect([screen.code, screen.stdout.includes('binding.gyp')]).toEqual([2, true]);
  });

  it('is what its links lead to, at the base and in the change', () => {
    const linked = {
      'CLAUDE.md': 'docs/x.md',
      '.npmrc': 'between',
      between: 'config/npm',
      '.github': 'hosting',
      'package.json': 'config/package',
    };
    const sample = createSampleRepository();
    for (const name of [
      'docs/x.md',
      'config/npm',
      'hosting/workflows/ci.yml',
      'config/package',
      'note.md',
    ])
      sample.write(name, '{}\n');
    for (const [name, target] of Object.entries(linked))
      symlinkSync(target, path.join(sample.root, name));
    sample.commit('before');
    const changes: readonly (readonly [string, string, string])[] = [
      ['docs/x.md', 'Obey.\n', 'CLAUDE.md'],
      ['config/npm', 'registry=https://example.org\n', '.npmrc'],
      ['hosting/workflows/ci.yml', 'on: push\n', '.github/workflows/ci.yml'],
      ['config/package', '{"scripts":{"prepare":"sh x"}}\n', 'package.json'],
    ];
    const config = seatSilent(sample);
    for (const [name, text, obeyed] of changes) {
      sample.write(name, text);
      const [code, outcome, reasons] = asking(sample, ['review', '--worktree', '--config', config]);
      expect([name, code, outcome, reasons]).toEqual([
        name,
        2,
        'INCOMPLETE',
        [`require-human ${name}`],
      ]);
      const { stdout } = jury(sample.root, ['gates', '--format', 'json']);
      expect(stdout).toContain(`${name} is ${obeyed} through a link`);
      sample.git('checkout', '-q', '--', name);
    }
    // The base has the link, which the change takes away.
    sample.remove('CLAUDE.md');
    sample.write('docs/x.md', 'Obey.\n');
    const worktree = ['review', '--worktree', '--config', config];
    expect(asking(sample, worktree)[2]).toEqual([
      'require-human CLAUDE.md',
      'require-human docs/x.md',
    ]);
    sample.git('checkout', '-q', '--', '.');
    sample.write('note.md', 'More.\n');
    expect(asking(sample, worktree)).toEqual([0, 'PASS', []]);
  });

  it('is told once, on every surface', () => {
    const sample = createChange(
      {},
      { '.npmrc': 'registry=https://example.org\n', '.gitattributes': '* -diff\n' },
    );
    sample.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${sample.git('rev-parse', 'HEAD')},vendor`,
    );
    sample.git('commit', '-q', '--amend', '-m', 'after');
    const config = seatSilent(sample);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.subject.warnings).toEqual([]);
    for (const [format, { stdout }] of surfaces(
      sample,
      ['review', '--config', config],
      ['terminal', 'markdown'],
    ))
      for (const told of ['.npmrc', '.gitattributes'])
        expect([
          format,
          told,
          stdout
            .split('\n')
            .filter(
              line => /require-human|warning|submodule|unread/i.test(line) && line.includes(told),
            ).length,
        ]).toEqual([format, told, 1]);
  });

  it('is no ordinary change', () => {
    const sample = createChange(before, {
      'src/a.js': 'export const a = 1;\n',
      'README.md': 'A larger shop.\n',
      '.gitignore': 'dist\n',
      '.env.example': 'PORT=1\n',
      'package.json': '{"scripts":{"test":"node a"},"dependencies":{"install":"1.0.0"}}\n',
    });
    expect(asking(sample, ['review', '--config', seatSilent(sample)])).toEqual([0, 'PASS', []]);
  });

  it('is not changed by a review of whole files', () => {
    const sample = createChange(before, orders);
    expect(asking(sample, ['review', '--files', '.npmrc', '--config', seatSilent(sample)])).toEqual(
      [0, 'PASS', []],
    );
  });

  it('is found in a patch, and in what is not committed yet', () => {
    const sample = createChange(before, {});
    const config = seatSilent(sample);
    for (const name of ['.npmrc', 'package.json']) sample.write(name, orders[name] ?? '');
    sample.git('add', '-A');
    sample.write('../change.patch', sample.git('diff', '--cached'));
    const both = ['require-human .npmrc', 'require-human package.json'];
    for (const args of [['--staged'], ['--worktree'], ['--patch', '../change.patch']])
      expect([args, ...asking(sample, ['review', ...args, '--config', config])]).toEqual([
        args,
        2,
        'INCOMPLETE',
        both,
      ]);
  });
});

describe('what nobody can read', () => {
  it.each<[string, string | Buffer]>([
    ['is binary', Buffer.from([1, 0, 2, 0])],
    ['is UTF-16', Buffer.from('\uFEFFeval(x)\n', 'utf16le')],
    ['is too large', 'x'.repeat(3_000_000)],
  ])('keeps a change from passing when it %s', (_, content) => {
    const sample = createChange({}, { 'src/a.js': 'export {};\n' });
    sample.write('src/odd.js', content);
    sample.commit('odd');
    for (const command of [['review'], ['gates', 'HEAD~1..HEAD']]) {
      const { code, record } = juryJson(sample.root, [...command, '--config', seatSilent(sample)]);
      expect([code, record.outcome]).toEqual([2, 'INCOMPLETE']);
      expect(
        record.reasons.some(({ rule, subject }) => rule === 'unread' && subject === 'src/odd.js'),
      ).toBe(true);
    }
  });
});

describe('text that is not what it looks like', () => {
  const guilty: Files = {
    'src/level.js': `export function level(user) {\n  return '${overriding} ${isolate}// only admins${endIsolate} ${isolate}';\n}\n`,
    'src/Level.java': `class Level {\n  int a = 1; // ${isolate}x\n}\n`,
    'src/twin.ts': 'export const one = 1;\nexport const is\u0410dmin = false;\n',
    'src/greek.py': 'sc\u03BFpe = 1\n',
    'src/width.py': `user = 1\nuser${noWidth}name = 2\n`,
    'src/filler.js': `export const { timeout, ${filler} } = options;\n`,
    'src/middle.go': `package a\n\nvar a = 1 //${mark}\n`,
    'deploy/ci.yml': `steps:\n  - run: make ${overriding}tset\n`,
    'data/list.json': `{\n  "a": "${isolate}b${endIsolate}"\n}\n`,
    'docs/guide.md': `Read this.\n\nThen stop.${tag}${tag}\n`,
    [`src/${overriding}txt.js`]: 'export {};\n',
  };
  const places = [
    'src/level.js:2',
    'src/Level.java:2',
    'src/twin.ts:2',
    'src/greek.py:1',
    'src/width.py:2',
    'src/filler.js:1',
    'src/middle.go:3',
    'deploy/ci.yml:2',
    'data/list.json:2',
    'docs/guide.md:3',
    'txt.js',
  ];

  it('fails the run wherever a change adds it, with every place named, whoever is seated', () => {
    const sample = createChange({}, guilty);
    const { code, record } = juryJson(sample.root, ['review', '--config', seatSilent(sample)]);
    expect([code, record.outcome, record.claims]).toEqual([1, 'FAIL', []]);
    for (const place of places)
      expect(
        record.reasons.filter(({ sentence }) => sentence.includes(place)),
        place,
      ).toHaveLength(1);
    expect(record.reasons).toHaveLength(places.length);
  });

  it('is named on every surface of a review and of the gates, and no flag lets it pass', () => {
    const sample = createChange({}, { 'src/level.js': guilty['src/level.js'] ?? '' });
    const config = seatSilent(sample);
    for (const [command, formats] of [
      [['review', '--config', config], undefined],
      [
        ['gates', 'HEAD~1..HEAD', '--config', config],
        ['json', 'brief'],
      ],
    ] as const) {
      for (const [format, { code, stdout }] of surfaces(sample, command, formats)) {
        expect([command[0], format, code, stdout.includes('src/level.js:2')]).toEqual([
          command[0],
          format,
          1,
          true,
        ]);
        expect(stdout, format).not.toContain(overriding);
      }
    }
    for (const flags of [
      ['--protocol', 'veto', '--ignore-vetos'],
      ['--protocol', 'vote', '--fail-on', 'never'],
      ['--quorum', '1', '--fail-on', 'never'],
    ]) {
      const { code, record } = juryJson(sample.root, ['review', '--config', config, ...flags]);
      expect([flags.join(' '), code, record.reasons[0]?.sentence]).toEqual([
        flags.join(' '),
        1,
        expect.stringContaining('src/level.js:2'),
      ]);
    }
    expect(jury(sample.root, ['review', '--files', 'src/level.js', '--config', config]).code).toBe(
      1,
    );
  });

  it('is found again when the run is answered from an earlier one, and when it was killed and goes on', async () => {
    const sample = createChange({}, { 'src/level.js': guilty['src/level.js'] ?? '' });
    const signs = createFolder();
    const config = writePanel(sample, [
      {
        id: 'slow',
        isolation: `write: [${JSON.stringify(signs)}]`,
        script:
          `fs.writeFileSync('${signs}/asked', ''); setTimeout(() => console.log('No issues ` +
          `found.\\nVERDICT: safe'), fs.existsSync('${signs}/go') ? 0 : 60_000);`,
      },
    ]);
    const killed = startJury(sample.root, ['review', '--config', config]);
    while (!existsSync(path.join(signs, 'asked'))) await wait(50);
    killed.kill('SIGKILL');
    await new Promise(resolve => killed.once('close', resolve));
    sample.write(path.relative(sample.root, path.join(signs, 'go')), '');
    for (const command of [['resume'], ['review', '--config', config]]) {
      const { code, record } = juryJson(sample.root, command);
      expect([command[0], code, record.reasons.map(({ sentence }) => sentence)]).toEqual([
        command[0],
        1,
        [expect.stringContaining('src/level.js:2')],
      ]);
    }
  });

  it('is left alone where it is at home, where it stood before and where it is taken away', () => {
    const old = `export const a = 1; // ${overriding}\nexport const b = 2;\n`;
    const sample = createChange(
      { 'src/old.js': old, 'src/gone.js': old, 'src/less.js': `${old}// end\n` },
      {
        'docs/he.md': '# \u05E9\u05DC\u05D5\u05DD\u200F API \u2067x\u2069\n',
        'src/family.js':
          "export const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F " +
          "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';\n",
        'src/fa.ts':
          "export const day = '\u0633\u0647\u200C\u0634\u0646\u0628\u0647';\nexport const note = '\u05E9\u05DC\u05D5\u05DD\u200F API';\n",
        'src/ru.py': "title = 'API для сервера, PDFка'\n# из JSONа в базу\n",
        'src/physics.py': '\u0394x = 1\n\u03B1_max = 2\n\u03BCs = 3\n',
        'src/bom.cs': '\uFEFFclass A { }\n',
        'src/old.js': old.replace('b = 2', 'b = 3'),
        'src/less.js': 'export const b = 2;\n// end\n',
      },
    );
    sample.remove('src/gone.js');
    sample.git('add', '-A');
    sample.git('commit', '-q', '--amend', '--no-edit');
    const { code, record } = juryJson(sample.root, ['review', '--config', seatSilent(sample)]);
    expect([code, record.outcome, record.reasons]).toEqual([0, 'PASS', []]);
  });
});

describe('a secret that reviewers only see masked', () => {
  it('fails the run with its place, and its value stands nowhere', () => {
    const sample = createChange(
      { 'src/old.js': `export const key = '${githubToken}';\n\nexport const a = 1;\n` },
      {
        'src/old.js': `export const key = '${githubToken}';\n\nexport const a = 2;\n`,
        'src/pay.js': `export const a = 1;\nexport const token = '${githubToken}';\n`,
        'docs/setup.md': `Use ${awsKey} to begin.\n`,
      },
    );
    const config = seatSilent(sample);
    for (const [command, formats] of [
      [['review', '--config', config], undefined],
      [['gates', 'HEAD~1..HEAD', '--config', config], ['json']],
    ] as const) {
      for (const [format, { code, stdout, stderr }] of surfaces(sample, command, formats)) {
        expect([command[0], format, code, stdout.includes('src/pay.js:2')]).toEqual([
          command[0],
          format,
          1,
          true,
        ]);
        for (const secret of [githubToken, awsKey]) expect(stdout + stderr).not.toContain(secret);
      }
    }
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.reasons.map(({ sentence }) => /^\S+:\d+/.exec(sentence)?.[0])).toEqual([
      'docs/setup.md:1',
      'src/pay.js:2',
    ]);
  });

  it('lets examples, tests and guesses in documents pass', () => {
    const sample = createChange(
      {},
      {
        'docs/setup.md':
          `Set ${glue('AKIA', 'IOSFODNN7', 'EXAMPLE')}, or ` +
          `${glue('gh', 'p_', '1234567890', 'abcdefghijklmnopqrstuvwxyz')}.\npassword = ` +
          `"${glue('Tr0ub4dor', '&3x!9')}"\n`,
        'test/pay.test.js': `const token = '${githubToken}';\n`,
        '.env.example': 'DB_PASSWORD=changeme\n',
      },
    );
    const { code, record } = juryJson(sample.root, ['review', '--config', seatSilent(sample)]);
    expect([code, record.reasons]).toEqual([0, []]);
  });

  it('is settled by a person who dismisses what the analyser says about it', () => {
    const sample = createChange({}, { 'src/pay.js': `export const token = '${githubToken}';\n` });
    const { code, record } = juryJson(sample.root, ['review', '--reviewers', 'secrets']);
    expect([code, record.claims.length, record.blocking.length]).toEqual([1, 1, 1]);
    expect(
      jury(sample.root, ['dismiss', record.claims[0]?.id ?? '', '--reason', 'revoked last year'])
        .code,
    ).toBe(0);
    expect(juryJson(sample.root, ['review', '--reviewers', 'secrets']).code).toBe(0);
  });
});
