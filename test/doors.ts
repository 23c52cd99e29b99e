/** Every way into a review of the last commit, by the built program: what each comes to, and what every later look at its run says. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createSampleRepository,
  type Files,
  type SampleRepository,
} from './adapters/git/sample-repository.ts';
import type { PrintedRecord } from '../src/core/words/run.ts';
import { byHand, jury, juryJson, lastRun, program } from './cli/jury.ts';
import { cloneOf, openGitHost, runBeside, toldPull } from './git-host.ts';
import { atFileEnd } from './file-end.ts';
import { connect } from './mcp/connect.ts';
import { openJob, pullEventOf } from './workflow-job.ts';

/** What a reader answers; null: it dies. */
export type Answer = string | null;

const checks = ['secrets', 'javascript', 'patterns', 'diff'].map(
  analyser => `  - { id: ${analyser}, runner: builtin, analyser: ${analyser} }\n`,
);

interface Scenery {
  readonly file?: string;
  readonly settings?: string;
  /** Who is there for security. */
  readonly guard?: string;
  /** The last lines of the configuration. */
  readonly seats?: (sample: SampleRepository) => string;
  /** What stands at the base besides. */
  readonly before?: Files;
  /** Default: the second line of `file` is the change. */
  readonly edit?: (sample: SampleRepository) => void;
}

/** The configuration stands at the base. */
export function scene(
  readers: Readonly<Record<string, Answer>>,
  { file = 'src/order.js', settings = '', guard = '', seats, before = {}, edit }: Scenery = {},
): SampleRepository {
  const sample = createSampleRepository();
  const folder = path.join(sample.root, '../panel');
  mkdirSync(folder, { recursive: true });
  const own = Object.entries(readers).map(([id, answer]) => {
    const name = writeReader(sample, id, answer);
    const persona = id === guard ? ', persona: security-reviewer' : '';
    return `  - { id: ${id}, runner: command, command: [sh, ${JSON.stringify(name)}], isolation: { write: [${JSON.stringify(folder)}] }${persona} }\n`;
  });
  sample.write(
    'jury.config.yaml',
    `${settings}reviewers:\n${[...checks, ...own].join('')}${seats?.(sample) ?? ''}`,
  );
  sample.write(file, 'export const first = 1;\n');
  for (const [name, text] of Object.entries(before)) sample.write(name, text);
  sample.commit('one');
  if (edit) edit(sample);
  else sample.write(file, 'export const first = 1;\nexport const second = 2;\n');
  sample.commit('two');
  return sample;
}

/** Path of its program, which notes each question; the same answer is the file that it left as somebody's own agent. */
export function writeReader({ root }: SampleRepository, id: string, answer: Answer): string {
  const name = path.join(root, '../panel', `${id}.sh`);
  const end = answer === null ? 'exit 1' : `cat <<'END'\n${answer}\nEND OF ANSWER\nEND`;
  const asked = path.join(root, '../panel/asked');
  writeFileSync(name, `cat >/dev/null\nprintf x >>'${asked}'\n${end}\n`);
  mkdirSync(path.join(root, '../inbox'), { recursive: true });
  if (answer !== null) writeFileSync(path.join(root, '../inbox', `${id}.md`), `${answer}\n`);
  return name;
}

export const none = 'None\nVERDICT: safe';
export const dead = null;
export const found = (severity: string, file = 'src/order.js'): Answer =>
  `${severity}|${file}:2|any user can cancel the order of another\nVERDICT: risky`;

export interface Told {
  readonly outcome: string;
  readonly rules: readonly string[];
  readonly code: number | null;
  /** Where the run is kept. */
  readonly at: SampleRepository;
}

interface Reported {
  readonly outcome: string | null;
  readonly reasons: readonly { readonly rule: string }[];
}

function toldBy(record: Reported, code: number | null, at: SampleRepository) {
  const rules = [...new Set(record.reasons.map(({ rule }) => rule))].sort();
  return { outcome: record.outcome ?? 'none', rules, code, at };
}

const codes: Readonly<{ [outcome: string]: number }> = { PASS: 0, FAIL: 1, INCOMPLETE: 2 };
const exitOf = ({ outcome }: Reported) => codes[outcome ?? ''] ?? null;

export const trusted = { environment: { ...byHand, JURY_TRUST_CONFIG: '1' } };

/** What the run that answered last came to, however it was asked for. */
function latest(at: SampleRepository, code: number | null) {
  return toldBy(readReport(at), code, at);
}

function readReport(at: SampleRepository) {
  return JSON.parse(readFileSync(path.join(lastRun(at), 'report.json'), 'utf8')) as PrintedRecord;
}

export function run(sample: SampleRepository, words: readonly string[]): Told {
  const { code, record } = juryJson(sample.root, words, trusted);
  return toldBy(record, code, sample);
}

export type Door = (sample: SampleRepository) => Told | Promise<Told>;

export const doors: Readonly<{ [name: string]: Door }> = {
  review: sample => run(sample, ['review', 'HEAD']),
  gates: sample => run(sample, ['gates', 'HEAD~1..HEAD']),
  hook: sample => {
    const [head = '', base = ''] = sample.git('rev-list', 'HEAD').trim().split('\n');
    return hook(sample, 'pre-push', `refs/heads/main ${head} refs/heads/main ${base}\n`);
  },
  MCP: sample => start(sample, { process: 'review', subject: 'HEAD' }),
  library: async sample => {
    const entry = new URL(`file://${path.dirname(program)}/../index.js`).href;
    const { createJury } = (await import(entry)) as {
      createJury(call: object): { run(request: object): Promise<Reported> };
    };
    const environment = { ...process.env, ...trusted.environment };
    const request = { process: 'review', range: 'HEAD' };
    const made = await createJury({ cwd: sample.root, environment }).run(request);
    return toldBy(made, exitOf(made), sample);
  },
};

/** Those that take longer, or are other ways to the same. */
export const furtherDoors: typeof doors = {
  'review --pr': async sample => {
    const { host, clone } = await openPull(sample);
    const words = ['review', '--pr', '7'];
    return latest(clone, (await runBeside(host, clone.root, words, trusted.environment)).code);
  },
  github: async sample => {
    const { host, clone, pull } = await openPull(sample);
    const payload = pullEventOf(7, pull);
    const job = openJob(host, { event: 'pull_request', payload, checkout: clone });
    const words = ['review', '--out', path.join(job.folder, 'out'), '--trust-config'];
    return latest(clone, (await job.run(words, trusted.environment)).code);
  },
  'gates --run': sample => {
    run(sample, ['review', 'HEAD']);
    return run(sample, ['gates', '--run', 'latest']);
  },
  'MCP gates': sample => start(sample, { process: 'gates', subject: 'HEAD~1..HEAD' }),
  'pre-commit': sample => {
    sample.git('reset', '-q', '--soft', 'HEAD~1');
    return hook(sample, 'pre-commit');
  },
  collect: sample => {
    const agents = readdirSync(path.join(sample.root, '../panel')).filter(name =>
      name.endsWith('.sh'),
    );
    const expected = agents.map(name => name.slice(0, -3)).join(',');
    return run(sample, ['collect', '../inbox', '--expect', expected, '--subject', 'HEAD']);
  },
};

export function hook(sample: SampleRepository, name: string, input = ''): Told {
  const words = ['hook', 'run', name, ...(input === '' ? [] : ['origin', 'url'])];
  return latest(sample, jury(sample.root, words, { ...trusted, input }).code);
}

export async function start(sample: SampleRepository, request: object): Promise<Told> {
  const client = await connect('2.x as of 2025', { cwd: sample.root, ...trusted });
  try {
    const { answer } = await client.call('start', { ...request });
    return latest(sample, answer.exit_code as number);
  } finally {
    await client.close();
  }
}

let opened: ReturnType<typeof openGitHost> | undefined;

/** The last commit as a pull request, and a clone that has not fetched it. */
async function openPull(sample: SampleRepository) {
  opened ??= openGitHost();
  atFileEnd(() => (opened = undefined));
  const host = await opened;
  const [head = '', base = ''] = sample.git('rev-list', 'HEAD').trim().split('\n');
  const pull = { base, head };
  const refs = [`${base}:refs/heads/main`, `${head}:refs/pull/7/head`];
  sample.git('push', '-q', '-f', host.served.root, ...refs);
  host.pulls.set(7, toldPull(7, pull));
  return { host, pull, clone: cloneOf(host) };
}

export const outcomeWord = /\b(?:PASS|FAIL|INCOMPLETE)\b/;

/** Outcome and exit code, as every later look at a run tells them. */
export interface Reread {
  /** In the first line and in the last. */
  readonly screen: readonly (string | undefined)[];
  readonly report: number | null;
  readonly disk: readonly unknown[];
  readonly mcp: readonly unknown[];
}

/** Everything that can be asked about the run that answered last. */
export async function reread(sample: SampleRepository): Promise<Reread> {
  const screen = jury(sample.root, ['report', 'latest', '--format', 'terminal']);
  const disk = readReport(sample);
  const client = await connect('2.x as of 2025', { cwd: sample.root });
  try {
    const { answer } = await client.call('wait', { run: disk.run });
    const lines = screen.stdout.trimEnd().split('\n');
    return {
      screen: [lines[0], lines.at(-1)].map(line => outcomeWord.exec(line ?? '')?.[0]),
      report: screen.code,
      disk: [disk.outcome, disk.exitCode],
      mcp: [answer.outcome, answer.exit_code],
    };
  } finally {
    await client.close();
  }
}

export interface Row {
  readonly what: string;
  readonly sample: () => SampleRepository;
  /** Outcome and rules under the rule set `review`. */
  readonly is: string;
  /** Under the rule set `gates`; default: the same. */
  readonly gates?: string;
  /** Of a door that differs; `-`: the evidence cannot be put to it. */
  readonly door?: Readonly<{ [name: string]: string }>;
  /** Set: what happens before the same is asked for once more, which is what counts. */
  readonly meanwhile?: (sample: SampleRepository) => void;
}

const closing: ReadonlySet<string> = new Set(['gates', 'gates --run', 'MCP gates', 'hook']);

/** Who is heard, and what no one reader may say. */
export const rows: readonly Row[] = [
  {
    what: 'P1: three dead models beside four checks',
    sample: () => scene({ a: dead, b: dead, c: dead }),
    is: 'INCOMPLETE quorum unread',
    door: { collect: '-' },
  },
  {
    what: 'P4: the high of a reader that sits alone',
    sample: () => scene({ a: found('HIGH') }),
    is: 'FAIL claim',
  },
  {
    what: 'P4: the high of one of three readers',
    sample: () => scene({ a: found('HIGH'), b: none, c: none }),
    is: 'PASS',
    gates: 'FAIL claim',
  },
  {
    what: 'the critical of one of three readers',
    sample: () => scene({ a: found('CRITICAL'), b: none, c: none }),
    is: 'FAIL claim',
  },
  {
    what: 'a critical about a file that is not there',
    sample: () => scene({ a: found('CRITICAL', 'src/nowhere.js'), b: none, c: none }),
    is: 'INCOMPLETE ungrounded',
  },
  {
    what: 'P5: a security reviewer that died on a sensitive file',
    sample: () => scene({ a: dead, b: none, c: none }, { file: 'src/auth.js', guard: 'a' }),
    is: 'INCOMPLETE security',
    door: { collect: '-' },
  },
  {
    what: 'P6: a sensitive file before readers that were asked about security',
    sample: () => scene({ a: none, b: none }, { file: 'src/auth.js' }),
    is: 'PASS',
  },
  {
    what: 'checks alone',
    sample: () => scene({}),
    is: 'PASS',
    gates: 'INCOMPLETE quorum',
    door: { MCP: 'INCOMPLETE quorum', github: 'INCOMPLETE quorum', collect: '-' },
  },
  {
    what: 'a program that answers in SARIF, which is a check',
    sample: () =>
      scene(
        {},
        { seats: () => `  - { id: own, runner: command, command: [echo, '{"runs":[]}'] }\n` },
      ),
    is: 'PASS',
    gates: 'INCOMPLETE quorum',
    door: { MCP: 'INCOMPLETE quorum', github: 'INCOMPLETE quorum', collect: '-' },
  },
  {
    what: 'checks alone, which the base says are enough',
    sample: () => scene({}, { settings: 'checksOnly: true\n' }),
    is: 'PASS',
    door: { collect: '-' },
  },
];

/** What the contract says; null where the row cannot be put to this door. Before a commit no reader is asked. */
export function wanted(name: string, { is, gates = is, door = {} }: Row): object | null {
  const usual = name === 'pre-commit' ? '-' : closing.has(name) ? gates : is;
  const [outcome = '', ...rules] = (door[name] ?? usual).split(' ');
  return outcome === '-' ? null : { outcome, rules, code: codes[outcome] };
}
