/**
 * Who looked, and one verdict: whatever the entry point, the same evidence under the same rule set comes to the same outcome for the
 * same reason with the same exit code. Checks beside readers that failed are no review.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { jury, juryBeside, juryJson, lastRun, program, writePanel } from '../../cli/jury.ts';
import { cloneOf, openGitHost } from '../../git-host.ts';
import { connect } from '../../mcp/connect.ts';
import { startModelServer } from '../../model-server.ts';
import { openJob, pullEventOf } from '../../workflow-job.ts';

/** What a reader answers; null: it dies. */
type Answer = string | null;

const none = 'None\nVERDICT: safe';
const dead = null;
const found = (severity: string, file: string): Answer =>
  `${severity}|${file}:2|any user can cancel the order of another\nVERDICT: risky`;

const checks = ['secrets', 'javascript', 'patterns', 'diff'].map(
  analyser => `  - { id: ${analyser}, runner: builtin, analyser: ${analyser} }\n`,
);

/** The second line of `file` is the change; the configuration stands at its base. */
function scene(
  readers: Readonly<Record<string, Answer>>,
  { file = 'src/order.js', settings = '', guard = '' } = {},
): SampleRepository {
  const sample = createSampleRepository();
  const folder = path.join(sample.root, '../panel');
  mkdirSync(folder, { recursive: true });
  const seats = Object.entries(readers).map(([id, answer]) => {
    const name = writeReader(sample, id, answer);
    const persona = id === guard ? ', persona: security-reviewer' : '';
    return `  - { id: ${id}, runner: command, command: [sh, ${JSON.stringify(name)}], isolation: { write: [${JSON.stringify(folder)}] }${persona} }\n`;
  });
  sample.write('jury.config.yaml', `${settings}reviewers:\n${[...checks, ...seats].join('')}`);
  sample.write(file, 'export const first = 1;\n');
  sample.commit('one');
  sample.write(file, 'export const first = 1;\nexport const second = 2;\n');
  sample.commit('two');
  return sample;
}

/** Path of its program, which notes each question. */
function writeReader({ root }: SampleRepository, id: string, answer: Answer): string {
  const name = path.join(root, '../panel', `${id}.sh`);
  const end = answer === null ? 'exit 1' : `cat <<'END'\n${answer}\nEND OF ANSWER\nEND`;
  const asked = path.join(root, '../panel/asked');
  writeFileSync(name, `cat >/dev/null\nprintf x >>'${asked}'\n${end}\n`);
  return name;
}

interface Told {
  readonly outcome: string;
  readonly rules: readonly string[];
  readonly code: number | null;
}

const toldBy = (
  record: { readonly outcome: string | null; readonly reasons: readonly { rule: string }[] },
  code: number | null,
): Told => ({
  outcome: record.outcome ?? 'none',
  rules: [...new Set(record.reasons.map(({ rule }) => rule))].sort(),
  code,
});

const trusted = { environment: { JURY_TRUST_CONFIG: '1' } };

function run(sample: SampleRepository, words: readonly string[]): Told {
  const { code, record } = juryJson(sample.root, words, trusted);
  return toldBy(record, code);
}

function latest(sample: SampleRepository): Parameters<typeof toldBy>[0] {
  return JSON.parse(readFileSync(path.join(lastRun(sample), 'report.json'), 'utf8')) as never;
}

const doors: Readonly<Record<string, (sample: SampleRepository) => Told | Promise<Told>>> = {
  review: sample => run(sample, ['review', 'HEAD']),
  gates: sample => run(sample, ['gates', 'HEAD~1..HEAD']),
  hook: sample => {
    const [head = '', base = ''] = sample.git('rev-list', 'HEAD').trim().split('\n');
    const { code } = jury(sample.root, ['hook', 'run', 'pre-push', 'origin', 'url'], {
      ...trusted,
      input: `refs/heads/main ${head} refs/heads/main ${base}\n`,
    });
    return toldBy(latest(sample), code);
  },
  MCP: async sample => {
    const client = await connect('2.x as of 2025', { cwd: sample.root, ...trusted });
    try {
      const { answer } = await client.call('start', { process: 'review', subject: 'HEAD' });
      const code = answer.exit_code as number;
      return toldBy(latest(sample), code);
    } finally {
      await client.close();
    }
  },
  library: async sample => {
    const entry = new URL(`file://${path.dirname(program)}/../index.js`).href;
    const { createJury } = (await import(entry)) as {
      createJury(call: object): { run(request: object): Promise<Parameters<typeof toldBy>[0]> };
    };
    const environment = { ...process.env, ...trusted.environment };
    const made = await createJury({ cwd: sample.root, environment }).run({
      process: 'review',
      range: 'HEAD',
    });
    return toldBy(made, { PASS: 0, FAIL: 1, INCOMPLETE: 2 }[made.outcome ?? ''] ?? null);
  },
};

type Expected = readonly [outcome: string, rules: string];
interface Row {
  readonly what: string;
  readonly sample: () => SampleRepository;
  /** Under the rule set `review`, and where gates and hooks differ, and who differs else. */
  readonly is: Expected;
  readonly gates?: Expected;
  readonly door?: Readonly<Record<string, Expected>>;
}

const incomplete: Expected = ['INCOMPLETE', 'quorum'];
const rows: readonly Row[] = [
  {
    what: 'three dead models beside four checks',
    sample: () => scene({ a: dead, b: dead, c: dead }),
    is: ['INCOMPLETE', 'quorum unread'],
  },
  {
    what: 'the high of a reader that sits alone',
    sample: () => scene({ a: found('HIGH', 'src/order.js') }),
    is: ['FAIL', 'claim'],
  },
  {
    what: 'the high of one of three readers',
    sample: () => scene({ a: found('HIGH', 'src/order.js'), b: none, c: none }),
    is: ['PASS', ''],
    gates: ['FAIL', 'claim'],
  },
  {
    what: 'the critical of one of three readers',
    sample: () => scene({ a: found('CRITICAL', 'src/order.js'), b: none, c: none }),
    is: ['FAIL', 'claim'],
  },
  {
    what: 'a critical about a file that is not there',
    sample: () => scene({ a: found('CRITICAL', 'src/nowhere.js'), b: none, c: none }),
    is: ['INCOMPLETE', 'ungrounded'],
  },
  {
    what: 'a security reviewer that died on a sensitive file',
    sample: () => scene({ a: dead, b: none, c: none }, { file: 'src/auth.js', guard: 'a' }),
    is: ['INCOMPLETE', 'security'],
  },
  {
    what: 'a sensitive file before readers that were asked about security',
    sample: () => scene({ a: none, b: none }, { file: 'src/auth.js' }),
    is: ['PASS', ''],
  },
  {
    what: 'checks alone',
    sample: () => scene({}),
    is: ['PASS', ''],
    gates: incomplete,
    door: { MCP: incomplete },
  },
  {
    what: 'checks alone, which the base says are enough',
    sample: () => scene({}, { settings: 'checksOnly: true\n' }),
    is: ['PASS', ''],
  },
];

const codes: Readonly<Record<string, number>> = { PASS: 0, FAIL: 1, INCOMPLETE: 2 };

describe.each(Object.entries(doors))('%s', (name, enter) => {
  it.each(rows)('$what', async ({ sample, is, gates = is, door = {} }) => {
    const usual = name === 'gates' || name === 'hook' ? gates : is;
    const [outcome, rules] = door[name] ?? usual;
    expect(await enter(sample())).toEqual({
      outcome,
      rules: rules === '' ? [] : rules.split(' '),
      code: codes[outcome],
    });
  });
});

it('github: three dead models beside four checks, and checks alone', async () => {
  const host = await openGitHost();
  for (const readers of [{ a: dead, b: dead, c: dead }, {}]) {
    const sample = scene(readers);
    const [head = '', base = ''] = sample.git('rev-list', 'HEAD').trim().split('\n');
    sample.git(
      'push',
      '-q',
      '-f',
      host.served.root,
      `${base}:refs/heads/main`,
      `${head}:refs/pull/7/head`,
    );
    const job = openJob(host, {
      event: 'pull_request',
      payload: pullEventOf(7, { base, head }),
      checkout: cloneOf(host),
    });
    const words = ['review', '--out', path.join(job.folder, 'out'), '--trust-config'];
    expect((await job.run(words, trusted.environment)).code).toBe(2);
  }
});

it('collect: an agent that is missing is none that was heard', () => {
  const sample = scene({});
  sample.write('inbox/a.md', '### Findings Index\nVerdict: safe\n<!-- jury:complete -->\n');
  expect(run(sample, ['collect', 'inbox', '--expect', 'a,b,c'])).toMatchObject({
    outcome: 'INCOMPLETE',
    code: 2,
  });
  expect(run(sample, ['collect', 'inbox'])).toMatchObject({ outcome: 'PASS', code: 0 });
});

it('a pass says what is open beside it, and its verdict is that of the gate', () => {
  const sample = scene({ a: found('HIGH', 'src/order.js'), b: none, c: none });
  const { stdout } = jury(sample.root, ['review', 'HEAD', '--format', 'brief'], trusted);
  expect(stdout).toMatch(/^Verdict: safe$/m);
  expect(stdout).toMatch(/^Gate: PASS, 1 high to look at$/m);
});

it('readers that failed are asked again by the same command; whose reviews are whole are not', () => {
  const sample = scene({ a: dead, b: dead, c: none });
  const calls = (): number => readFileSync(path.join(sample.root, '../panel/asked'), 'utf8').length;
  expect(run(sample, ['review', 'HEAD']).code).toBe(2);
  const first = calls();
  for (const id of ['a', 'b']) writeReader(sample, id, none);
  expect(run(sample, ['review', 'HEAD'])).toMatchObject({ outcome: 'PASS', code: 0 });
  expect(calls() - first).toBe(2);
  expect(run(sample, ['review', 'HEAD']).code).toBe(0);
  expect(calls() - first).toBe(2);
});

it('checks that find nothing take no confidence away', () => {
  const confidence = (sample: SampleRepository): number | null | undefined =>
    juryJson(sample.root, ['review', 'HEAD', '--reviewers', 'a'], trusted).record.claims[0]
      ?.confidence;
  const one = scene({ a: found('HIGH', 'src/order.js') });
  const all = juryJson(one.root, ['review', 'HEAD', '--fresh'], trusted).record.claims[0];
  expect(all?.confidence).toBe(confidence(one));
  expect(all?.electors).toEqual(['a']);
});

function eats(readers: Parameters<typeof scene>[0]): SampleRepository {
  const sample = scene(readers);
  sample.write('src/order.js', 'export const run = text => {\n  eval(text);\n};\n');
  sample.commit('three');
  return sample;
}

it('a check that says what readers say is named and not counted', () => {
  const words = ['review', 'HEAD'];
  const claimIn = (sample: SampleRepository) =>
    juryJson(sample.root, words, trusted).record.claims.find(
      ({ location }) => location?.line === 2,
    );
  const alone = claimIn(eats({}));
  const said = `HIGH|src/order.js:2|${alone?.text}\nVERDICT: risky`;
  const sample = eats({ a: said, b: said, c: none });
  expect(claimIn(sample)).toMatchObject({ agreement: 'majority', electorate: 3 });
  const { stdout } = jury(sample.root, words, trusted);
  expect(stdout).toMatch(/ by 2 of 3\.[^]*, a, b \(2\/3\)/);
});

/** What reviewer b was asked. */
function texts(sample: SampleRepository): string {
  expect(run(sample, ['review', 'HEAD']).code).toBe(0);
  return readFileSync(path.join(lastRun(sample), 'context/b.md'), 'utf8');
}

it('a question asks about security where nobody seated is there for that', () => {
  const words = 'judge them for security too';
  expect(texts(scene({ a: none, b: none }, { file: 'src/auth.js' }))).toContain(words);
  expect(texts(scene({ a: none, b: none }))).not.toContain(words);
  const guarded = scene({ a: none, b: none }, { file: 'src/auth.js', guard: 'a' });
  expect(texts(guarded)).not.toContain(words);
});

const filesOf = (count: number, tokens: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`src/part${at}.js`, ' value'.repeat(tokens)]),
  );

const says = (answer: string): string =>
  `console.log('${answer.replaceAll('\n', String.raw`\n`)}\\nEND OF ANSWER');`;

function panel(
  files: Readonly<Record<string, string>>,
  seats: Readonly<Record<string, string>>,
  dying: readonly string[] = [],
): { readonly sample: SampleRepository; readonly config: string } {
  const sample = createSampleRepository();
  sample.write('first.js', '1;\n');
  sample.commit('one');
  for (const [name, text] of Object.entries(files)) sample.write(name, text);
  sample.commit('two');
  const ids = Object.entries(seats);
  const config = writePanel(
    sample,
    ids.map(([id, settings]) => ({
      id,
      settings,
      script: dying.includes(id) ? 'process.exit(1);' : says(none),
    })),
  );
  return { sample, config };
}

const wide = 'context: 200000';
const review = (
  { sample, config }: ReturnType<typeof panel>,
  ...words: readonly string[]
): ReturnType<typeof juryJson> =>
  juryJson(sample.root, ['review', 'HEAD', '--config', config, ...words]);
const readings = (record: ReturnType<typeof juryJson>['record']): number =>
  Math.min(...record.coverage.files.map(({ by }) => by.length));

describe('what is read', () => {
  it('all of it by every reader in one call each, where it fits their windows', () => {
    const nine = panel(filesOf(9, 890), { r1: wide, r2: wide, r3: wide });
    const { code, record } = review(nine);
    expect([code, record.usage.calls, readings(record)]).toEqual([0, 3, 3]);
    const many = review(panel(filesOf(300, 150), { r1: wide, r2: wide }));
    expect([many.code, many.record.usage.calls, readings(many.record)]).toEqual([0, 2, 2]);
  });

  const narrow = 'context: 16000';

  it('each file by two readers, where it does not', () => {
    const { code, record } = review(
      panel(filesOf(20, 1_000), { r1: narrow, r2: narrow, r3: narrow }),
    );
    expect([code, readings(record)]).toEqual([0, 2]);
    expect(record.reviewers.every(({ status }) => status === 'complete')).toBe(true);
    expect(record.usage.calls).toBeLessThanOrEqual(6);
  });

  it('by as many as are wanted', () => {
    const shared = panel(filesOf(20, 1_000), { r1: narrow, r2: narrow, r3: narrow });
    expect(readings(review(shared, '--readers', '1').record)).toBe(1);
  });

  it('the share of a reader that died by another', () => {
    const { record } = review(
      panel(filesOf(20, 1_000), { r1: narrow, r2: narrow, r3: narrow }, ['r2']),
      '--readers',
      '1',
    );
    expect([record.outcome, readings(record)]).toEqual(['PASS', 1]);
  });

  it('in parts by a model that says the prompt is too long', async () => {
    const model = await startModelServer({
      plan: body => (body.length > 30_000 ? 'ctx' : 'ok'),
      text: 'None\nVERDICT: safe',
      usage: { input: 9_000, output: 9, cached: 0 },
    });
    const { sample } = panel(filesOf(4, 2_000), { unused: '' });
    sample.write(
      '../one.yaml',
      `reviewers:\n  - { id: a, runner: api, model: openai-compatible/m, baseUrl: '${model.url}/v1', context: 100000 }\n`,
    );
    const words = ['review', 'HEAD', '--config', '../one.yaml', '--format', 'json'];
    const { code, stdout } = await juryBeside(sample.root, words);
    await model.close();
    const record = JSON.parse(stdout) as ReturnType<typeof juryJson>['record'];
    expect([code, readings(record), model.modelCalls().length]).toEqual([0, 1, 3]);
  });

  it('and no question is larger than a window that is known', () => {
    const sample = createSampleRepository();
    sample.write('notes.txt', 'One line of the notes that nobody needs.\n'.repeat(4_000));
    const config = writePanel(sample, [
      { id: 'a', script: says('None'), settings: 'context: 20000' },
    ]);
    const words = ['ask', 'What is missing?', '--context-file', 'notes.txt', '--config', config];
    expect(jury(sample.root, words).code).toBe(0);
    const folder = path.join(lastRun(sample), 'context');
    const questions = readdirSync(folder).map(name =>
      readFileSync(path.join(folder, name), 'utf8'),
    );
    expect(questions.length).toBeGreaterThan(2);
    expect(Math.max(...questions.map(({ length }) => length))).toBeLessThan(60_000);
  });
});
