/**
 * Who looked, and one verdict: whatever the entry point, the same evidence under the same rule set comes to the same outcome for the
 * same reason with the same exit code. Checks beside readers that failed are no review.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryBeside,
  juryJson,
  lastRun,
  writePanel,
} from '../../cli/jury.ts';
import {
  dead,
  doors,
  found,
  furtherDoors,
  none,
  rows,
  run,
  scene,
  trusted,
  wanted,
  writeReader,
} from '../../doors.ts';
import { startModelServer } from '../../model-server.ts';

describe.each(Object.entries(doors))('%s', (name, enter) => {
  it.each(rows)('$what', async row => {
    expect(await enter(row.sample())).toMatchObject(wanted(name, row) ?? {});
  });
});

it('github: three dead models beside four checks, and checks alone', async () => {
  for (const readers of [{ a: dead, b: dead, c: dead }, {}])
    expect(await furtherDoors['github']?.(scene(readers))).toMatchObject({ code: 2 });
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

it('a program that answers in SARIF is no reader, and more than half of the others are heard', () => {
  const sample = createChangedRepository();
  const sarif = `console.log('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[]}]}')`;
  const config = writePanel(sample, [
    { id: 'a', script: says('None\nVERDICT: safe\nEND OF ANSWER') },
    { id: 's', script: sarif },
  ]);
  const words = ['review', 'HEAD', '--config', config, '--fresh'];
  expect(jury(sample.root, words).code).toBe(0);
  expect(jury(sample.root, [...words, '--quorum', '2']).code).toBe(2);
});

it('a pass says what is open beside it, and its verdict is that of the gate', () => {
  const sample = scene({ a: found('HIGH'), b: none, c: none });
  const { stdout } = jury(sample.root, ['review', 'HEAD', '--format', 'brief'], trusted);
  expect(stdout).toMatch(/^Verdict: safe$/m);
  expect(stdout).toMatch(/^Gate: PASS, 1 high to look at$/m);
});

it('a run that is judged again is that run and no other change, panel or rule', () => {
  const sample = scene({ a: none });
  expect(run(sample, ['review', 'HEAD']).code).toBe(0);
  for (const more of [['HEAD'], ['--fail-on', 'low'], ['--reviewers', 'secrets']])
    expect(jury(sample.root, ['gates', '--run', 'latest', ...more], trusted).code).toBe(3);
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

const confidence = (sample: SampleRepository): number | null | undefined =>
  juryJson(sample.root, ['review', 'HEAD', '--reviewers', 'a'], trusted).record.claims[0]
    ?.confidence;

it('checks that find nothing take no confidence away', () => {
  const one = scene({ a: found('HIGH') });
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

  it.each(['429', '529', '503'] as const)('again where %s passes', async passing => {
    const model = await startModelServer({
      plan: [passing, passing, 'ok'],
      retryAfterSeconds: 0,
      text: 'None\nVERDICT: safe\nEND OF ANSWER',
    });
    const { sample } = panel(filesOf(1, 10), { unused: '' });
    sample.write(
      '../one.yaml',
      `reviewers:\n  - { id: a, runner: api, model: openai-compatible/m, baseUrl: '${model.url}/v1' }\n`,
    );
    const words = ['review', 'HEAD', '--config', '../one.yaml', '--format', 'brief'];
    const { code } = await juryBeside(sample.root, words);
    await model.close();
    expect([code, model.modelCalls().length]).toEqual([0, 3]);
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
