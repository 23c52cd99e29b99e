/** Consensus: the rows of the original that no other test of a promise holds. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { jury, lastRun, type Ended } from '../../cli/jury.ts';

const program = fileURLToPath(new URL('../../../dist/cli/multi-consensus.js', import.meta.url));
const before: Files = { 'src/a.js': 'one\n' };

/** A repository whose last commit makes these files, before reviewers who answer as recorded. */
function seat(
  answers: Readonly<Record<string, string | object>>,
  files: Files = { 'src/a.js': 'two\n' },
  { each = '', settings = '' } = {},
): SampleRepository {
  const sample = createHistory(before, files);
  for (const [id, answer] of Object.entries(answers))
    sample.write(`../${id}.json`, typeof answer === 'string' ? answer : JSON.stringify(answer));
  const seats = Object.keys(answers).map(
    id => `  - { id: ${id}, runner: replay, answers: ./${id}.json${each} }\n`,
  );
  sample.write('../jury.config.yaml', `${settings}reviewers:\n${seats.join('')}`);
  return sample;
}

const run = ({ root }: SampleRepository, words: readonly string[], environment = {}): Ended =>
  jury(root, words, { program, environment });
const review = ['--mode=code-review', '--base-sha=HEAD~1', '--head-sha', 'HEAD'];
const ask = (mode: string, ...words: readonly string[]): string[] => [
  `--mode=${mode}`,
  '--prompt=1. Is it safe?',
  ...words,
];
const all = (answer: string): Record<string, string> => ({
  codex: answer,
  gemini: answer,
  claude: answer,
});
const defect = 'CRITICAL|src/a.js:1|The value two is not checked';

describe('a wrong call', () => {
  const sample = createHistory(before, { 'src/a.js': 'two\n' });
  const modes = "'code-review', 'general-prompt', 'debugging', 'architecture' or 'verification'";

  it.each<[string, number, string, string]>([
    ['', 1, '--mode is required', '\n\nUsage:'],
    ['--mode=x', 1, `Invalid mode 'x'. Must be ${modes}`, '\n\nUsage:'],
    ['--mode=code-review', 1, '--base-sha is required for code-review mode', '\n\nUsage:'],
    [
      '--mode=code-review --base-sha HEAD',
      1,
      '--head-sha is required for code-review mode',
      '\n\nUsage:',
    ],
    ['--mode=debugging', 1, '--prompt is required for debugging mode', '\n\nUsage:'],
    ['--mode=debugging --x', 1, 'Unknown argument: --x', '\n\nUsage:'],
    [
      '--mode=code-review --base-sha=zz --head-sha=HEAD',
      1,
      "BASE_SHA 'zz' not found in repository",
      '\n',
    ],
    [
      '--mode=code-review --base-sha=HEAD --head-sha=zz',
      1,
      "HEAD_SHA 'zz' not found in repository",
      '\n',
    ],
    ['--mode=debugging --prompt=x --severities=A,A', 3, "Invalid --severities 'A,A'", '\n'],
  ])(
    'c1 multi-consensus "%s" ends with %i and the message of its contract',
    (words, code, message, rest) => {
      const { stderr, ...ended } = run(
        sample,
        words.split(' ').filter(word => word !== ''),
      );
      expect(ended).toEqual({ code, stdout: '' });
      expect(stderr.startsWith(`Error: ${message}${rest}`), stderr).toBe(true);
    },
  );

  it('c14 of one commit twice says that there is nothing to review', () => {
    expect(run(sample, ['--mode=code-review', '--base-sha=HEAD', '--head-sha=main'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: BASE_SHA and HEAD_SHA are the same (HEAD)\nNothing to review\n',
    });
  });
});

it('c2 c9 c11 c13 a code review of three is one report of three tiers, with place, quotes and counts', () => {
  const sample = seat({
    codex: `${defect} anywhere\nIMPORTANT|Nobody owns the queue\nSUGGESTION|Say why`,
    claude: `${defect} anywhere\nIMPORTANT|Nobody owns the queue`,
    gemini: defect,
  });
  expect(run(sample, review)).toMatchObject({
    code: 0,
    stdout: `# Code Review Consensus Report

**Reviewers**: Claude ✓, Gemini ✓, Codex ✓
**Commits**: HEAD~1..HEAD

## High Priority - All Reviewers Agree
- [CRITICAL] The value two is not checked anywhere (src/a.js:1)
  - Claude: "The value two is not checked anywhere"
  - Gemini: "The value two is not checked"
  - Codex: "The value two is not checked anywhere"

## Medium Priority - Majority Flagged (2/3)
- [IMPORTANT] Nobody owns the queue
  - Claude: "Nobody owns the queue"
  - Codex: "Nobody owns the queue"

## Consider - Single Reviewer Mentioned
- [SUGGESTION] Say why
  - Codex: "Say why"

## Summary
- Critical issues: 1
- Important issues: 1
- Suggestions: 1
`,
  });
});

it.each([
  ['general-prompt', 'General Prompt', ['STRONG: 0', 'MODERATE: 0', 'WEAK: 0']],
  ['debugging', 'Debugging', ['STRONG: 0', 'MODERATE: 0', 'WEAK: 0']],
  ['architecture', 'Architecture', ['Critical issues: 0', 'Important issues: 0', 'Suggestions: 0']],
  ['verification', 'Verification', ['PASS: 0', 'FAIL: 0']],
])('c3 mode %s has its title, its reviewers and its labels', (mode, title, labels) => {
  const { code, stdout } = run(seat(all('None')), ask(mode));
  expect([code, stdout.split('\n\n').slice(0, 2)]).toEqual([
    0,
    [`# ${title} Consensus Report`, '**Reviewers**: Claude ✓, Gemini ✓, Codex ✓'],
  ]);
  expect(stdout.endsWith(`## Summary\n${labels.map(label => `- ${label}\n`).join('')}`)).toBe(true);
});

const failed = (cause: string, more = {}): object => ({ status: 'failed', cause, ...more });

it('c4 without Claude there is no report, and its status is printed', () => {
  const sample = seat({ ...all(defect), claude: failed('provider', { httpStatus: 401 }) });
  const { code, stdout, stderr } = run(sample, review);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Error: Claude review failed ✗ (error (http 401))\n');
});

it('c5 c6 c12 c13 others may fail, each with its word; who is left agrees as all', () => {
  const sample = seat(
    {
      claude: defect,
      gemini: { status: 'answered', text: 'None', delayMs: 9000 },
      codex: ' ',
      server: failed('provider', { httpStatus: 500 }),
      exit: failed('exit', { exitCode: 3 }),
      absent: failed('not-found'),
      refusing: "I'm sorry, but I can't help with that.",
      prose: 'The weather is fine today.',
      spent: failed('quota'),
      second: defect,
    },
    undefined,
    { each: ', timeout: 1' },
  );
  const { code, stdout } = run(sample, review);
  expect([code, /^\*\*Reviewers\*\*: (.*)$/m.exec(stdout)?.[1]?.split(/, (?=\w+ [✓✗])/)]).toEqual([
    0,
    [
      'Claude ✓',
      'Gemini ✗ (timeout after 1s)',
      'Codex ✗ (empty answer)',
      'server ✗ (error (http 500))',
      'exit ✗ (error (exit 3))',
      'absent ✗ (not installed)',
      'refusing ✗ (refused)',
      'prose ✗ (unreadable answer)',
      'spent ✗ (quota exceeded)',
      'second ✓',
    ],
  ]);
  expect(stdout).toContain('## High Priority - All Reviewers Agree\n- [CRITICAL] The value two');
});

it('c7 labels that are given replace those of the mode', () => {
  const sample = seat(all('BLOCKER|Nobody owns the cache\nNIT|The name is short'));
  const { code, stdout } = run(sample, ask('general-prompt', '--severities=BLOCKER,NIT'));
  expect([code, stdout.match(/^(?:##|- ).*$/gm)]).toEqual([
    0,
    [
      '## High Priority - All Reviewers Agree',
      '- [BLOCKER] Nobody owns the cache',
      '- [NIT] The name is short',
      '## Summary',
      '- BLOCKER: 1',
      '- NIT: 1',
    ],
  ]);
});

describe('a threshold', () => {
  const sample = seat({ claude: 'STRONG|user_id missing', gemini: 'STRONG|user id missing' });

  it.each([
    ['50', [], 1],
    ['51', [], 2],
    [null, ['--strategy=overlap'], 2],
  ])('c8 of %s %j joins what shares so much of its words', (value, words, claims) => {
    const { stdout } = run(
      sample,
      ask('general-prompt', ...words),
      value === null ? {} : { SIMILARITY_THRESHOLD: value },
    );
    expect(stdout).toContain(`- STRONG: ${claims}\n`);
  });

  it.each(['', '101'])('c8 of "%s" is refused', value => {
    expect(run(sample, ask('general-prompt'), { SIMILARITY_THRESHOLD: value })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100\n',
    });
  });
});

it.each([
  [1, 'missing error handling in main function', 'no error handling in main function'],
  [1, 'Missing validation in src/foo.js', 'Missing validation'],
  [2, 'Missing validation in src/foo.js', 'Missing validation in src/bar.js'],
  [1, 'Missing validation in src/foo.js', 'Missing validation in foo.js'],
  [1, 'SQL injection', 'SQL injection in the user search endpoint allows arbitrary reads'],
  [2, 'the and or', 'the and or'],
])('c9 word overlap makes %i of "%s" and "%s"', (claims, ...texts) => {
  const findings = texts.map((text, at) => ({ reviewer: `r${at}`, text }));
  const { stdout } = jury(process.cwd(), ['consensus', '-', '--strategy', 'overlap', '--json'], {
    input: JSON.stringify({ findings }),
  });
  expect((JSON.parse(stdout) as { claims: unknown[] }).claims).toHaveLength(claims);
});

it('c14 a dry run prints what would be sent and calls no reviewer; a plan that is missing is named', () => {
  const sample = seat(all(defect));
  const { code, stdout, stderr } = run(sample, [
    ...review,
    '--dry-run',
    '--plan-file=no.md',
    '--description=Two',
  ]);
  expect([code, stderr]).toEqual([0, "Warning: plan file 'no.md' not found\n"]);
  for (const part of [
    'DRY RUN MODE\n\n# Code Review Context\n',
    '**Description:** Two',
    '- src/a.js\n',
    '**Plan/Requirements:**\nNone provided\n',
    '-one\n+two\n',
  ])
    expect(stdout).toContain(part);
  sample.commit('nothing new');
  const same = run(sample, review);
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('- Critical issues: 0\n')]);
  expect(same.stderr).toContain('Warning: No changes between HEAD~1 and HEAD\n');
});

it.each(['general', 'debugging', 'architecture'])(
  'c15 c16 a question in mode %s ends with 0 and the sentence that a caller repeats',
  mode => {
    const label = mode === 'architecture' ? 'CRITICAL' : 'STRONG';
    const { root } = seat(all(`${label}|Nobody owns the cache`));
    const { code, stdout } = jury(root, [
      'ask',
      'Is it safe?',
      '--mode',
      mode,
      '--context',
      'A cache',
    ]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        '\nMulti-agent validation found 1 High Priority issue (Medium: 0, Consider: 0)\n',
      ),
    ]);
  },
);

const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`src/part${at}.js`, ' a'.repeat(1000)]),
);

it('c11 c17 of a large change every file is read by each reviewer, and the JSON says it by the keys of the contract', () => {
  const { stdout } = run(seat(all('None'), many), [...review, '--json']);
  const report = JSON.parse(stdout) as object;
  const keys =
    'schema mode title strategy severities commits reviewers quorum claims counts verification';
  expect(Object.keys(report)).toEqual(keys.split(' '));
  expect(report).toMatchObject({
    schema: 'jury.consensus/1',
    reviewers: [1, 2, 3].map(() => ({ status: 'ok', files_read: { length: 300 } })),
    quorum: { required: 1, completed: 3, met: true },
  });
});

// A token of this change has two characters.
it('c17 no question is larger than the window of its reviewer', () => {
  const sample = seat(all('None'), many, { each: ', context: 20000' });
  run(sample, review);
  const folder = path.join(lastRun(sample), 'context');
  for (const name of readdirSync(folder))
    expect(readFileSync(path.join(folder, name), 'utf8').length, name).toBeLessThan(60_000);
});

it('c18 nothing passes as looked at that stands in no question', () => {
  const cell = { cell_type: 'code', metadata: {}, outputs: [], source: "hidden = 'cell'" };
  const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  const sample = seat({ claude: 'None' }, { 'a.ipynb': JSON.stringify(notebook, null, 1) });
  const { code } = jury(sample.root, ['review']);
  const question = readFileSync(path.join(lastRun(sample), 'context/claude.md'), 'utf8');
  expect(code !== 0 || question.includes('hidden')).toBe(true);
});

it.each([
  ['debugging', ['gemini']],
  ['general', ['codex', 'gemini', 'claude']],
])('c19 mode %s has the reviewers that the configuration gives it', (mode, ids) => {
  const { root } = seat(all('None'), undefined, {
    settings: 'modes: { debugging: { reviewers: [gemini] } }\n',
  });
  const { stdout } = jury(root, ['ask', 'Why?', '--mode', mode, '--dry-run', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ reviewers: ids.map(id => ({ id })) });
});
