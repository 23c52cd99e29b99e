import { describe, expect, it, beforeAll } from 'vitest';
import { readConsensusArguments, runMultiConsensus } from '../../src/cli/multi-consensus.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder, createSampleRepository } from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';

describe('the arguments of multi-consensus', () => {
  it.each([
    [['--mode='], 'Error: --mode is required'],
    [['--mode=general-prompt'], 'Error: --prompt is required for general-prompt mode'],
    [['--mode=debugging', '--prompt='], 'Error: --prompt is required for debugging mode'],
    [['--mode=architecture', '--context=x'], 'Error: --prompt is required for architecture mode'],
    [['--mode=verification'], 'Error: --prompt is required for verification mode'],
    [
      ['--mode=verification', '--prompt=1. x', '--base-sha=a'],
      'Error: --head-sha is required for verification mode',
    ],
    [['stray', '--mode=debugging'], 'Error: Unknown argument: stray'],
    [['--dry-run=yes'], 'Error: Unknown argument: --dry-run=yes'],
    [['--mode'], 'Error: --mode requires a value'],
    [['--mode=debugging', '--prompt', '--dry-run'], 'Error: --prompt requires a value'],
    [
      ['--mode=debugging', '--prompt=x', '--strategy=guess'],
      `Error: Invalid --strategy 'guess'. Must be one of`,
    ],
    [
      ['--mode=debugging', '--prompt=x', '--timeout=2592000'],
      `Error: Invalid --timeout '2592000'. Must be a number of seconds`,
    ],
    [
      ['--mode=debugging', '--prompt=x', '--timeout=soon'],
      `Error: Invalid --timeout 'soon'. Must be a number of seconds`,
    ],
  ])('%j are refused with a message, the usage and exit code 1', (argv, message) => {
    const refusal = readConsensusArguments(argv, {});
    expect(refusal).toMatchObject({ exitCode: 1, showsUsage: true });
    expect(
      'message' in refusal && refusal.message.startsWith(message),
      JSON.stringify(refusal),
    ).toBe(true);
  });

  it.each(['', 'A,,B', 'A,a', 'A B', 'A,B,C,D,E,F,G,H,I', '1A'])(
    '--severities "%s" is refused with exit code 3',
    value => {
      const expected =
        value === ''
          ? { scale: null }
          : { message: `Error: Invalid --severities '${value}'`, exitCode: 3 };
      expect(
        readConsensusArguments(['--mode=debugging', '--prompt=x', `--severities=${value}`], {}),
      ).toMatchObject(expected);
    },
  );

  it.each(['-1', 'x', '1.5', ' 60'])('SIMILARITY_THRESHOLD "%s" is refused', value =>
    expect(
      readConsensusArguments(['--mode=debugging', '--prompt=x'], { SIMILARITY_THRESHOLD: value }),
    ).toEqual({
      message: 'Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100',
      exitCode: 1,
      showsUsage: false,
    }),
  );

  it('are read with = and with a blank, the last one counting', () => {
    const argv = (
      '--mode code-review --base-sha=a --base-sha b --head-sha=c=d --plan-file - --description --looks-odd --json ' +
      '--dry-run'
    ).split(' ');
    expect(readConsensusArguments(argv, {})).toEqual({
      mode: 'code-review',
      commits: { base: 'b', head: 'c=d' },
      planFile: null,
      description: '--looks-odd',
      prompt: null,
      context: null,
      scale: null,
      strategy: null,
      timeout: null,
      isDryRun: true,
      wantsJson: true,
      wantsHelp: false,
    } satisfies ReturnType<typeof readConsensusArguments>);
  });

  it('take labels, a strategy and a limit; a threshold alone means word overlap', () => {
    const argv = [
      '--mode=general-prompt',
      '--prompt=line one\nline two',
      '--severities=BLOCKER,NIT',
      '--timeout=30',
    ];
    expect(readConsensusArguments(argv, { SIMILARITY_THRESHOLD: '0' })).toMatchObject({
      prompt: 'line one\nline two',
      scale: new Map([
        ['BLOCKER', 'critical'],
        ['NIT', 'low'],
      ]),
      strategy: 'overlap',
      timeout: 30,
    });
    expect(
      readConsensusArguments([...argv, '--strategy=calibrated'], { SIMILARITY_THRESHOLD: '0' }),
    ).toMatchObject({ strategy: 'calibrated' });
  });
});

async function run(
  cwd: string,
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  let [stdout, stderr] = ['', ''];
  const terminal = {
    cwd,
    signal: new AbortController().signal,
    environment: {
      PATH: process.env['PATH'],
      JURY_STATE: process.env['JURY_STATE'],
      JURY_TRUST_CONFIG: '1',
      ...environment,
    },
    write: (text: string) => void (stdout += text.endsWith('\n') ? text : `${text}\n`),
    note: (text: string) => void (stderr += `${text}\n`),
  };
  const code = await runMultiConsensus(argv, terminal);
  return { code, stdout, stderr };
}

/** Seats programs that print what the script prints; each leaves a mark that it was started. */
function seat(home: string, scripts: Readonly<Record<string, string>>) {
  for (const [id, script] of Object.entries(scripts)) {
    writeFileSync(
      path.join(home, `${id}.mjs`),
      `import fs from 'node:fs';\nfs.writeFileSync(new URL('started-${id}', import.meta.url), '');\nprocess.stdin.resume().on('end', () => {\n${script}\n});\n`,
    );
  }
  const lines = Object.keys(scripts).map(
    id =>
      `  - { id: ${id}, runner: command, command: [node, ./${id}.mjs], isolation: { write: [.] }, timeout: 20 }`,
  );
  writeFileSync(path.join(home, 'jury.config.yaml'), `reviewers:\n${lines.join('\n')}\n`);
}

function says(...lines: readonly string[]) {
  return `console.log(${JSON.stringify(lines.join('\n'))});`;
}

const absent = `  - { id: gemini, runner: command, command: [no-such-program-anywhere] }\n`;

/** Two commits; the second changes `file.txt`. The configuration lies beside the repository. */
function createChanged() {
  const sample = createSampleRepository();
  sample.write('file.txt', 'one\n');
  sample.commit('one');
  sample.write('file.txt', 'two\n');
  sample.commit('two');
  return { sample, home: path.dirname(sample.root) };
}

const review = ['--mode=code-review', '--base-sha=HEAD~1', '--head-sha', 'HEAD'];

describe('multi-consensus before any reviewer is called', () => {
  let root: string;
  let home: string;

  beforeAll(() => {
    const changed = createChanged();
    [root, home] = [changed.sample.root, changed.home];
    seat(home, { claude: says('None'), gemini: says('None'), codex: says('None') });
  });

  it('outside a repository no commit is found', async () =>
    expect(await run(createFolder(), review)).toMatchObject({
      code: 1,
      stderr: `Error: BASE_SHA 'HEAD~1' not found in repository\n`,
    }));

  it('a dry run of a question prints its prompt and its context', async () => {
    const { stdout } = await run(root, [
      '--mode=general-prompt',
      '--prompt=What could go wrong?',
      '--context=A cache in front',
      '--dry-run',
    ]);
    expect(stdout).toMatch(
      /^DRY RUN MODE\n\n# Context\n[^]*A cache in front\n[^]*# Prompt\n\nWhat could go wrong\?\n/,
    );
    expect(existsSync(path.join(home, 'started-claude'))).toBe(false);
  });

  it('two commits with the same files are reported without a call', async () => {
    const { sample, home: elsewhere } = createChanged();
    seat(elsewhere, { claude: says('CRITICAL|invented') });
    sample.commit('nothing new');
    const { code, stdout, stderr } = await run(sample.root, review);
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: No changes between HEAD~1 and HEAD\n');
    expect(stdout).toBe(
      '# Code Review Consensus Report\n\n**Reviewers**: none called\n**Commits**: HEAD~1..HEAD\n\n## Summary\n- Critical issues: 0\n- Important issues: 0\n- Suggestions: 0\n',
    );
    expect(existsSync(path.join(elsewhere, 'started-claude'))).toBe(false);
  });
});

describe('multi-consensus with reviewers', () => {
  it('reports what they agree on; a program that is not there is recorded and the run goes on', async () => {
    const { sample, home } = createChanged();
    seat(home, {
      claude: says('CRITICAL|The value two is not checked anywhere', 'VERDICT: risky'),
      codex: says(
        'CRITICAL|file.txt:1|The value two is not checked',
        'SUGGESTION|Say why',
        'VERDICT: risky',
      ),
    });
    const file = path.join(home, 'jury.config.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}${absent}`);
    const { code, stdout, stderr } = await run(sample.root, review);
    expect(stdout).toBe(`# Code Review Consensus Report

**Reviewers**: Claude ✓, Gemini ✗ (not installed), Codex ✓
**Commits**: HEAD~1..HEAD

## High Priority - All Reviewers Agree
- [CRITICAL] The value two is not checked anywhere (file.txt:1)
  - Claude: "The value two is not checked anywhere"
  - Codex: "The value two is not checked"

## Consider - Single Reviewer Mentioned
- [SUGGESTION] Say why
  - Codex: "Say why"

## Summary
- Critical issues: 1
- Important issues: 0
- Suggestions: 1
`);
    expect(code).toBe(0);
    expect(stderr).toBe(`Context prepared for code-review mode
Launching reviewers...
  - Claude (required)...
  - Gemini (optional)...
  - Codex (optional)...
Reviewers complete:
  - Claude: ✓
  - Gemini: ✗ (not installed)
  - Codex: ✓
`);
  });

  it('Claude alone is enough; what it says is to be considered', async () => {
    const home = createFolder();
    seat(home, {
      claude: says('STRONG|Nobody owns the cache'),
      gemini: 'process.exit(3);',
      codex: '',
    });
    const { code, stdout } = await run(home, [
      '--mode=general-prompt',
      '--prompt=What could go wrong?',
    ]);
    expect(code).toBe(0);
    expect(stdout).toBe(`# General Prompt Consensus Report

**Reviewers**: Claude ✓, Gemini ✗ (error (exit 3)), Codex ✗ (empty answer)

## Consider - Single Reviewer Mentioned
- [STRONG] Nobody owns the cache
  - Claude: "Nobody owns the cache"

## Summary
- STRONG: 1
- MODERATE: 0
- WEAK: 0
`);
  });

  it('None from all three is a report without claims; other configured reviewers join behind them', async () => {
    const home = createFolder();
    seat(home, {
      extra: says('None'),
      codex: says('None'),
      gemini: says('None'),
      claude: says('None'),
    });
    const { code, stdout } = await run(home, [
      '--mode=architecture',
      '--prompt=Criticise',
      '--json',
    ]);
    const report = JSON.parse(stdout) as {
      schema: string;
      claims: unknown[];
      reviewers: { name: string; status: string; required: boolean; raw_path: string }[];
    };
    expect([code, report.schema, report.claims]).toEqual([0, 'jury.consensus/1', []]);
    expect(report.reviewers.map(({ name, status, required }) => [name, status, required])).toEqual([
      ['Claude', 'ok', true],
      ['Gemini', 'ok', false],
      ['Codex', 'ok', false],
      ['extra', 'ok', false],
    ]);
    expect(readFileSync(report.reviewers[0]?.raw_path ?? '', 'utf8')).toContain('None');
  });

  it('counts the votes of a verification, with the change as context', async () => {
    const { sample, home } = createChanged();
    seat(home, {
      claude: says('PASS|1', 'FAIL|2 nothing tests it'),
      gemini: says('PASS|1', 'FAIL|2 no test'),
      codex: says('PASS|1', 'PASS|2'),
    });
    const { code, stdout } = await run(sample.root, [
      '--mode=verification',
      '--prompt=1. It says two\n2. It is tested',
      '--base-sha=HEAD~1',
      '--head-sha=HEAD',
      '--json',
    ]);
    const { verification, commits } = JSON.parse(stdout) as {
      verification: { result: string; criteria: { criterion: number; result: string }[] };
      commits: unknown;
    };
    expect([code, verification.result, commits]).toEqual([
      0,
      'fail',
      { base: 'HEAD~1', head: 'HEAD' },
    ]);
    expect(verification.criteria.map(({ criterion, result }) => [criterion, result])).toEqual([
      [1, 'pass'],
      [2, 'fail'],
    ]);
  });
});

describe('the program multi-consensus', () => {
  const program = fileURLToPath(new URL('../../dist/cli/multi-consensus.js', import.meta.url));

  it('ends with the code of its contract where its configuration cannot be read', () => {
    const home = createFolder();
    writeFileSync(path.join(home, 'jury.config.yaml'), 'reviewer: []\n');
    expect(jury(home, ['--mode=debugging', '--prompt=x'], { program })).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^Error: /) as string,
    });
  });
});
