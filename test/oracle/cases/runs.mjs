/** What follows a review, what asks nobody, and what is asked about other things than changes. */
import { clean, document, good, ideas, minor, other, research } from './answers.mjs';
import { combine, panel, rowsOf, run, runAll, seated } from './case.mjs';
import { shop, uncommitted } from './repositories.mjs';

const review = `review HEAD~1..HEAD ${seated} --json`;

/** Behind a review. */
const after = rowsOf(`
show: show ; show latest ; show $claim1 ; show latest $claim2 --full ; show alpha ; show alpha/1 ; show latest beta --full ; show nothing
explain: explain $claim1 ; explain $claim1 --json ; explain $claim2 ; explain c-none
runs: runs ; runs --json ; verdicts ; verdicts latest --counts ; verdicts latest --attention ; verdicts latest --tokens ; verdicts latest --json
dismissed: dismiss $claim1 --reason "never empty" ; ${review} ; accept $claim1 --json ; baseline ; stats --json ; stats
tolerated: dismiss $claim1 --as tolerated --reason later --until 2031-01-01 --scope file --baseline --json ; review HEAD~1..HEAD ${seated} --fresh
same: dismiss $claim1 --same-as $claim2 --json ; accept $claim2 --reason "seen it" --baseline ; dismiss $claim1
again: ${review} ; ${review} --fresh ; resume latest ; resume latest --json ; review --continue latest
gated: gates HEAD~1..HEAD ${seated} ; gates --run latest --json ; approve require-human --run latest --reason "looked at" --json
forms: report latest ; report latest --format markdown ; report none ; report latest --format yaml
merged: consensus latest --json ; consensus latest ; consensus latest --strategy overlap --threshold 50 --explain 1
cleaned: clean --dry-run ; clean --json --yes ; runs ; show latest
packs: context HEAD~1..HEAD --agent Supervisor ; context check resources://runs/$run/context/Reviewer.lcp.json ; context show resources://runs/$run/handoff
brought: import ../state --json --yes ; import .jury --json --yes ; runs
`);

/** With a recorded panel and work that is not committed. */
const alone = rowsOf(`
gates: gates ${seated} ; gates HEAD~1..HEAD ${seated} --json ; gates --format markdown ${seated}
hook: hook status ; hook install ; hook status ; hook install pre-push --allow-incomplete ; hook run pre-commit ; hook remove ; hook status
plan: plan ${seated} ; plan v1..HEAD ${seated} --json ; plan --deliberate ${seated} --json
verify: verify ; verify v1..HEAD --json ; verify --coverage ../panel/lcov.info --gate tests=pass --gate lint=fail --json ; verify --staged ; verify --worktree --changed-lines-min 0.1 ; verify --evidence ../panel/evidence.json --json
index: index --stats ; index --json ; index --stats --revision v1 ; search total ; search "save cache" --json ; search nothing-like-it ; search total --revision v1 --limit 1
verdict: verdict write --agent a --status CLEAN --summary fine --json ; verdict write --agent b --status WRONG --summary x ; verdict write --agent c --status FAILED --summary bad --findings 3 --tokens 12 --files a,b ; verdicts --dir .jury/verdicts --json ; verdicts --dir .jury/verdicts
collect: collect --prepare design ; collect ../panel/inbox ; collect ../panel/inbox --json --expect one,two,four ; collect ../panel/inbox --subject HEAD~1..HEAD --format markdown ; collect ../panel/none ; ground ../panel/inbox ; ground ../panel/inbox --strict --json ; ground ../panel/none
trust: trust --json ; trust --list ; trust -y ; trust --list --json ; trust --revoke 0
start: init --offline ; init --offline --panel cheapest --force ; doctor --offline ; doctor --offline --json
words: help ; help --all ; help pages ; help review ; help gate.md ; completion bash ; completion fish ; --version ; nonsense ; review --nonsense ; review a b c d ; ask ; document none.md ; --help
usage: report ; resume none ; review --continue none ; explain ; dismiss c-1 ; approve unread --run latest ; stats ; baseline --json ; runs ; clean --yes ; verdicts ; context check none ; github ; motions
`);

const aside = {
  'panel/lcov.info': 'SF:src/cart.js\nDA:4,1\nDA:10,0\nDA:14,1\nend_of_record\n',
  'panel/evidence.json': [
    {
      recommendation_id: 'r1',
      text: 'Bound it',
      artifacts: [{ kind: 'failing_run', ref: 'docs/plan.md' }],
    },
    { recommendation_id: 'r2', text: 'Nothing', artifacts: [] },
  ],
  'panel/inbox/one.md': document,
  'panel/inbox/two.md': document.replace('C-1', 'D-1').replace('<!-- jury:complete -->', ''),
  'panel/inbox/three.md.partial': document,
  'panel/inbox/findings.json': {
    findings: [
      {
        id: 'C-1',
        severity: 'P1',
        agents: ['one'],
        text: 'Two coupons may be worth more than the order',
      },
    ],
  },
};

const questions = rowsOf(`
general: general ask "What could go wrong?" --context "Coupons are subtracted."
debugging: general ask "Why is it negative?" --mode debugging
architecture: general ask "Criticise this" --mode architecture --context-file docs/plan.md
verification: verified ask "1. It adds 2. It subtracts" --mode verification
severities: labelled ask "What is wrong?" --severities BLOCKER,NIT
document: document document docs/plan.md
folder: document document docs --description "A plan"
odd-document: review document docs/plan.md
research: research research "How do others bound coupons?"
brainstorm: ideas brainstorm "Offline mode"
mute: nothing ask "Anything?"
long: long ask "Tell all"
`);
const said = {
  general: 'STRONG|Coupons exceed the order\nMODERATE|No expiry\nWEAK|Names\n',
  verified: 'PASS|1\nFAIL|2\n\nThe second is not so.\n',
  labelled: 'BLOCKER|It adds wrong\nNIT|Names\n',
  document,
  research,
  ideas,
  review: good,
  nothing: '',
  long: `STRONG|It is long\n\n${'A sentence of an answer that goes on. '.repeat(400)}\n`,
};

const roles = 'Planner Thinker Implementer Verifier Reviewer Critical Supervisor'.split(' ');

const merged = {
  words: [
    ['alpha', 'Missing error handling in the main function', 'src/main.js', 3],
    ['beta', 'No error handling in the main function', 'src/main.js', 4],
    ['gamma', 'The main function handles all errors', 'src/main.js', 3],
    ['beta', 'Add logging support'],
    ['alpha', 'SQL injection', 'src/db.js'],
    ['gamma', 'SQL injection in the user search endpoint allows arbitrary reads', 'src/db.js', 9],
    ['alpha', 'Root cause is the cache'],
    ['beta', 'Root cause is not the cache'],
    ['alpha', ''],
    ['', 'x'],
  ],
  one: [['alpha', 'Alone', 'a.js', 1]],
  none: [],
  many: Array.from({ length: 200 }, (_, at) => [
    `r${at % 5}`,
    `Function number ${at % 40} leaks the handle ${at % 7}`,
    `src/m${at % 9}.js`,
    at,
  ]),
};

const modes = rowsOf(`
review: review --mode=code-review --base-sha=HEAD~1 --head-sha HEAD
json: review --mode=code-review --base-sha=HEAD~1 --head-sha=HEAD --json --plan-file docs/plan.md --description "Adds coupons"
general: general --mode=general-prompt --prompt "What could go wrong?"
debugging: general --mode=debugging --prompt=why --context=because
architecture: review --mode=architecture --prompt=why --severities=BLOCKER,NIT
verification: verified --mode=verification --prompt "1. It adds"
overlap: review --mode=code-review --base-sha=HEAD~1 --head-sha=HEAD --strategy=overlap
dry: review --mode=code-review --base-sha=HEAD~1 --head-sha=HEAD --dry-run
same: review --mode=code-review --base-sha=HEAD --head-sha=main
`);
const wrongModes = [
  '',
  '--mode=x',
  '--mode=code-review',
  '--mode=debugging',
  '--mode=debugging --prompt=x --severities=A,A',
  '--mode=debugging --x',
];

export function runCases() {
  return [
    ...combine('after', after, lines => ({
      repository: shop,
      files: panel({ alpha: good, beta: other, gamma: minor }),
      steps: [run(review), ...runAll(lines)],
    })),
    ...combine('alone', alone, lines => ({
      repository: shop,
      files: { ...panel({ alpha: good, beta: clean }), ...aside, ...uncommitted },
      steps: [{ shell: 'git add src/tax.js' }, ...runAll(lines)],
    })),
    ...combine('question', questions, line => {
      const [, name, words] = /^(\S+) (.*)$/.exec(line);
      return {
        repository: shop,
        files: panel({ claude: said[name], codex: said[name] === '' ? '' : said.general }),
        steps: runAll(`${words} ${seated} --json ; report latest`),
      };
    }),
    ...combine('context', Object.fromEntries(roles.map(role => [role, role])), role => ({
      repository: shop,
      steps: runAll(
        `context HEAD~1..HEAD --agent ${role} --goal "Add coupons" ; context v1..HEAD --agent ${role} --json --capability long_context`,
      ),
    })),
    ...combine('consensus', merged, rows => ({
      files: {
        'repository/findings.json': {
          findings: rows.map(([reviewer, text, path, line]) => ({
            reviewer,
            text,
            path,
            line,
            severity: 'high',
          })),
        },
      },
      steps: runAll(
        'consensus findings.json --json ; consensus findings.json --strategy overlap --explain 1',
      ),
    })),
    ...combine('multi-consensus', modes, line => {
      const [, name, words] = /^(\S+) (.*)$/.exec(line);
      return {
        repository: shop,
        files: inside({ claude: said[name], codex: said[name], gemini: 'None\n' }),
        steps: [run('trust -y'), run(words, { program: 'multi-consensus' })],
      };
    }),
    {
      name: 'multi-consensus/wrong',
      repository: shop,
      steps: wrongModes.map(line => run(line, { program: 'multi-consensus' })),
    },
    {
      name: 'resumed',
      repository: shop,
      files: panel({ alpha: good, beta: '' }),
      steps: [
        run(review),
        { files: { 'panel/beta.md': other } },
        ...runAll(`resume latest --json ; ${review}`),
        { files: { 'repository/src/tax.js': 'changed();\n' } },
        ...runAll('resume latest --json ; review --continue latest --json'),
      ],
    },
    {
      name: 'second-push',
      repository: shop,
      files: panel({ alpha: good, beta: other }),
      steps: [
        run(review.replace('HEAD~1', 'v1')),
        { files: { 'repository/src/cart.js': 'export const total = () => 0;\n' } },
        { shell: 'git commit -qam mend' },
        run(review.replace('HEAD~1', 'v1')),
      ],
    },
    {
      name: 'mcp',
      repository: shop,
      files: inside({ alpha: good, beta: other }),
      steps: [run('trust -y'), run('mcp', { calls: calls() })],
    },
  ];
}

/** Found by what takes no `--config`. */
function inside(answers) {
  const files = Object.entries(panel(answers));
  return Object.fromEntries(
    files.map(([name, content]) => [name.replace('panel', 'repository'), content]),
  );
}

const call = (name, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });

function calls() {
  return [
    { method: 'tools/list' },
    { method: 'resources/templates/list' },
    call('start', { process: 'review', subject: 'HEAD~1..HEAD' }),
    call('show'),
    call('show', { id: 'alpha' }),
    call('verdicts'),
    call('search', { query: 'total' }),
    call('start', { process: 'ask', subject: 'Why?', mode: 'general' }),
    call('start', { process: 'nonsense' }),
    { method: 'resources/list' },
    { method: 'resources/read', params: { uri: 'resources://runs/none/report.md' } },
  ];
}
