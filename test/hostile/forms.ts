/** Every command of the program in the forms that read something: the names are those of its own table, so that a new one joins. */
import { commands } from '../../src/cli/commands.ts';
import { forgedRun } from './state-traps.ts';

export interface Form {
  readonly words: readonly string[];
  /** It judges what deserves no pass: exit 0 would be a false one. */
  readonly judges?: boolean;
  /** What it is there to write in the project, beside `.jury/`. */
  readonly writes?: readonly string[];
}

const judging = (...words: readonly string[]) => ({ words, judges: true });
const reading = (...words: readonly string[]) => ({ words });

/** `OUTSIDE` is the configuration of a user who seats one reviewer with a recorded answer. */
const known: Readonly<Record<string, readonly Form[]>> = {
  review: [
    judging('review'),
    judging('review', 'HEAD~1..HEAD', '--format', 'json'),
    judging('review', '--staged', '--format', 'markdown'),
    judging('review', '--worktree', '--format', 'html'),
    judging('review', '--files', 'a.js', 'folder'),
    judging('review', '--fresh', '--untrusted', '--format', 'brief'),
    judging('review', '--config', 'OUTSIDE'),
    reading('review', '--dry-run'),
  ],
  gates: [judging('gates'), judging('gates', 'HEAD~1..HEAD', '--format', 'json')],
  ask: [
    reading('ask', 'Is it good?', '--context-file', 'a.js'),
    reading('ask', 'Why?', '--config', 'OUTSIDE'),
  ],
  document: [reading('document', 'design.md'), reading('document', 'docs', '--config', 'OUTSIDE')],
  plan: [reading('plan', '--worktree', '--json')],
  context: [
    reading('context', '--agent', 'Reviewer'),
    reading('context', 'a.js', '--agent', 'Critical'),
  ],
  index: [reading('index', '--revision', 'HEAD', '--json')],
  search: [reading('search', 'eval', '--json')],
  verify: [reading('verify'), reading('verify', '--worktree', '--coverage', 'coverage.lcov')],
  motions: [
    reading('motions', 'session', '--triage-only'),
    { words: ['motions', 'session', '--simulate'], writes: ['_bmad-output'] },
  ],
  show: [reading('show', '1', '--full'), reading('show', forgedRun)],
  report: [reading('report', 'latest', '--format', 'json')],
  explain: [reading('explain', 'c-0')],
  runs: [reading('runs', '--json')],
  resume: [reading('resume'), reading('resume', forgedRun)],
  research: [reading('research', 'Why?')],
  brainstorm: [reading('brainstorm', 'How?', '--config', 'OUTSIDE')],
  dismiss: [reading('dismiss', '1', '--reason', 'meant')],
  accept: [{ words: ['accept', '2', '--baseline'], writes: ['jury.baseline.json'] }],
  baseline: [{ words: ['baseline'], writes: ['jury.baseline.json'] }],
  stats: [reading('stats', '--json')],
  consensus: [reading('consensus', 'notes/findings.json', 'latest')],
  ground: [reading('ground', 'notes/run', '--strict')],
  verdicts: [reading('verdicts', '--dir', 'notes/run/verdicts', '--table')],
  clean: [reading('clean', '--older-than', '0')],
  doctor: [reading('doctor', '--json')],
  trust: [reading('trust', '--at', 'HEAD')],
  init: [{ words: ['init'], writes: ['jury.config.yaml'] }],
  mcp: [reading('mcp')],
};

/** What is said to a command that nobody has thought of here. */
const strange = (name: string) =>
  [[name], [name, 'latest'], [name, 'notes/run'], [name, '.jury']].map(words => ({ words }));

/** Those that write in the project come last: what they write may be read by others. */
export const forms: readonly Form[] = Object.keys(commands)
  .flatMap(name => known[name] ?? strange(name))
  .toSorted((one, other) => orderOf(one) - orderOf(other));

function orderOf({ words: [name = ''], writes, judges = false }: Form) {
  const late = ['clean', 'init'].indexOf(name);
  return late >= 0 ? 3 + late : writes !== undefined ? 2 : judges ? 0 : 1;
}

/** Lines that a client says to the server, which answers each that has an id. */
export const messages: string = [
  call(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  call(2, 'tools/list', {}),
  call(3, 'resources/list', {}),
  call(4, 'resources/read', { uri: `resources://runs/${forgedRun}/report.md` }),
  ...[
    { name: 'start', arguments: { process: 'review', subject: 'HEAD' } },
    { name: 'start', arguments: { process: 'gates' } },
    { name: 'start', arguments: { process: 'resume', subject: 'latest' } },
    { name: 'start', arguments: { process: 'document', subject: 'design.md' } },
    { name: 'wait', arguments: { run: forgedRun } },
    { name: 'show', arguments: { run: 'latest' } },
    { name: 'search', arguments: { query: 'eval' } },
    { name: 'verdicts', arguments: { run: 'latest' } },
    { name: 'verdicts', arguments: { run: forgedRun } },
  ].map((params, index) => call(5 + index, 'tools/call', params)),
]
  .map(message => `${JSON.stringify(message)}\n`)
  .join('');

export const answersExpected = 13;

function call(id: number, method: string, params: object) {
  return { jsonrpc: '2.0', id, method, params };
}
