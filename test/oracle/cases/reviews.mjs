/** Reviews of changes: what is reviewed, who is asked and how, what is said, what decides, and in which form it is printed. */
import { readDefects } from '../../../bench/planted/defects.mjs';
import { clean, denial, good, minor, oddAnswers, other } from './answers.mjs';
import { combine, panel, rowsOf, run, runAll, seated } from './case.mjs';
import { history, large, oddRepositories, shop, uncommitted } from './repositories.mjs';

const ranges = rowsOf(`
last: HEAD~1..HEAD
three-dots: v1...HEAD
exact: topic..main --exact
merge-base: topic..main
base: --base v1 --head main
commit: HEAD~1
default:
staged: --staged
staged-word: staged
worktree: --worktree
tracked: --worktree --no-untracked
paths: HEAD~1..HEAD -- src
globs: HEAD~1..HEAD -- "src/*.js" docs
files: --files src/cart.js "test/*.js"
excluded: HEAD~1..HEAD --exclude "docs/**" "**/login.js"
nothing: HEAD..HEAD
unknown: nonsense..HEAD
patch: --patch ../panel/change.patch
described: HEAD~1..HEAD --description "Orders may hold two coupons" --plan docs/plan.md
untrusted: HEAD~1..HEAD --untrusted
`);
const patch =
  'diff --git a/src/tax.js b/src/tax.js\n--- a/src/tax.js\n+++ b/src/tax.js\n@@ -1 +1,2 @@\n export const tax = price => price * 0.2;\n+export const free = () => 0;\n';

const options = rowsOf(`
fail-never: --fail-on never
fail-single: --fail-on single:high
fail-all: --fail-on all:low
fail-wrong: --fail-on some:high
quorum: --quorum 4
quorum-one: --quorum 1
strict: --strict
ignored: --ignore-vetos --strict
veto: --protocol veto
drafts: --protocol aad
vote: --protocol vote
ci: --protocol ci
overlap: --strategy overlap
act: --act one-in-5
simple: --complexity SIMPLE
complex: --complexity COMPLEX
required: --require gamma
required-none: --require nobody
chosen: --reviewers alpha,gamma
chosen-checks: --reviewers alpha,patterns,secrets
calls: --max-calls 2
tokens: --max-tokens 10
once: --cover once
risk: --cover risk --readers 1
dry: --dry-run
`);

/** A seat beside one that is right: `{id}` is what is said about it. */
const seats = {
  silent: { runner: 'command', command: ['sh', '-c', 'cat >/dev/null'] },
  fails: { runner: 'command', command: ['sh', '-c', 'cat >/dev/null; echo wrong >&2; exit 7'] },
  slow: { runner: 'command', command: ['sh', '-c', 'sleep 20'], timeout: 1 },
  missing: { runner: 'command', command: ['no-such-program'] },
  required: { runner: 'command', command: ['false'], required: true },
  security: { persona: 'security-reviewer', runner: 'replay', answers: './alpha.md' },
  check: { runner: 'command', role: 'check', command: ['sh', './say.sh', 'alpha.md'] },
  small: { runner: 'replay', answers: './alpha.md', maxPromptBytes: 900 },
  nowhere: { runner: 'replay', answers: './none.md' },
  patterns: { runner: 'builtin', analyser: 'patterns' },
  anthropic: model('anthropic', 'say-alpha'),
  openai: model('openai', 'say-alpha', '/v1'),
  google: model('google', 'say-alpha', '/v1beta'),
  'without-key': { ...model('anthropic', 'say-alpha'), apiKeyEnv: 'NOT_SET' },
  ...Object.fromEntries(
    ['401', 'quota', 'refusal', 'maxtok', 'empty', 'garbage', 'context'].map(kind => [
      kind,
      model('openai-compatible', `failing-${kind}`, '/v1'),
    ]),
  ),
};

function model(vendor, name, path = '') {
  return {
    runner: 'api',
    model: `${vendor}/${name}`,
    baseUrl: `$server${path}`,
    apiKeyEnv: 'ORACLE_KEY',
    timeout: 110,
    price: { input: 1, output: 5 },
  };
}

const settings = {
  accept: { accept: [{ glob: '**/*.md' }] },
  egress: {
    egress: [
      { files: ['src/login.js'], to: 'never' },
      { files: ['docs/**'], to: 'local' },
    ],
  },
  guidelines: {
    guidelines: ['Sums are never negative.', { paths: ['src/**'], text: 'No raw SQL.' }],
  },
  exclude: { exclude: ['docs/**'] },
  sensitive: { sensitiveFiles: ['src/cart.js'] },
  untrusted: { trust: 'untrusted' },
  warn: { unverifiedBlocker: 'warn' },
  'no-copies': { copies: false },
  isolated: { isolation: { require: 'L2' } },
  wrong: { qourum: 2 },
};

const formats = 'brief terminal markdown json html sarif junit github gitlab'.split(' ');
const answers = { alpha: good, beta: other, gamma: minor };
const lastCommit = `review HEAD~1..HEAD ${seated}`;

export function reviewCases() {
  return [
    ...combine('review/range', ranges, words => ({
      repository: shop,
      files: { ...panel(answers), ...uncommitted, 'panel/change.patch': patch },
      steps: [
        { shell: 'git add src/tax.js' },
        run(
          `review ${words.includes(' -- ') ? words.replace(' -- ', ` ${seated} --json -- `) : `${words} ${seated} --json`}`,
        ),
      ],
    })),
    ...combine('review/option', options, words => ({
      repository: shop,
      files: panel(answers),
      steps: [
        run(`${lastCommit} ${words}`),
        ...(/cover|max|complex/.test(words)
          ? [run(`plan HEAD~1..HEAD ${seated} --json ${words}`)]
          : []),
      ],
    })),
    ...combine('review/format', Object.fromEntries(formats.map(one => [one, one])), format => ({
      repository: shop,
      files: panel({ ...answers, delta: denial }),
      steps: [run(`${lastCommit} --format ${format}`)],
    })),
    ...combine('review/answer', oddAnswers, text => ({
      repository: shop,
      files: panel({ alpha: text, beta: minor }),
      steps: [run(`${lastCommit} --json`)],
    })),
    ...combine('review/seat', seats, (seat, id) => ({
      repository: shop,
      files: panel({ alpha: good, beta: clean }, { seats: { [id]: seat } }),
      steps: [run(`${lastCommit} --json`)],
    })),
    ...combine('review/runner', { command: 'command', api: 'api' }, runner => ({
      repository: shop,
      files: panel({ ...answers, delta: denial }, { runner, concurrency: 4 }),
      steps: runAll(
        `${lastCommit} --json ; ${lastCommit} ; ${lastCommit} --fresh --dry-run --json`,
      ),
    })),
    ...combine(
      'review/deliberated',
      { plain: '--deliberate', dry: '--deliberate --dry-run' },
      words => ({
        repository: shop,
        files: panel({ alpha: good, beta: clean, gamma: minor, delta: denial }, { runner: 'api' }),
        steps: [run(`${lastCommit} --json ${words}`), run('report latest --format markdown')],
      }),
    ),
    ...combine('review/settings', settings, own => ({
      repository: shop,
      files: panel(answers, own),
      steps: [run(`${lastCommit} --json`)],
    })),
    ...combine('review/repository', oddRepositories, repository => ({
      repository,
      files: panel({ alpha: minor, beta: clean }),
      steps: [run(`review HEAD ${seated} --json`)],
    })),
    ...combine('review/planted', byLanguage(), files => ({
      repository: history({ 'README.md': 'Programs.\n' }, files),
      steps: [run('review --reviewers secrets,javascript,patterns,diff --json')],
    })),
    {
      name: 'review/shallow',
      repository: shop,
      steps: [
        { shell: 'git clone -q --depth 1 "file://$PWD" shallow' },
        run('review HEAD --reviewers diff --json', { cwd: 'shallow' }),
      ],
    },
    {
      name: 'review/large',
      repository: large,
      files: panel({ alpha: clean, beta: clean }, { seats: { alpha: { context: 8_000 } } }),
      steps: runAll(
        `review HEAD ${seated} --json ; review --continue latest --json ; plan HEAD ${seated} ; context --agent Reviewer`,
      ),
    },
  ];
}

/** Planted defects and their mended twins, all of a language in one change. */
function byLanguage() {
  const changes = {};
  for (const { language, path, text, safe } of readDefects()) {
    changes[language] ??= {};
    changes[language][path] = text;
    changes[language][`mended/${path}`] = safe;
  }
  return changes;
}
