/**
 * Over the protocol: a change limited to some of its paths, and a review that is gone on with. Paths narrow a change; they open
 * no file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { juryBeside, writePanel } from '../cli/jury.ts';
import { connect, type Connected } from './connect.ts';

const noting = `fs.appendFileSync(new URL('./asked.txt', import.meta.url), prompt + '\\n=====\\n');
console.log('None\\nVERDICT: safe');`;

describe('a review over the protocol', () => {
  let sample: SampleRepository;
  let client: Connected;

  beforeAll(async () => {
    sample = createSampleRepository();
    sample.write('untouched.js', 'export const UNTOUCHED = 1;\n');
    sample.commit('one');
    sample.write('src/one.js', 'export const ONE = 1;\n');
    sample.write('src/two.js', 'export const TWO = 2;\n');
    sample.commit('two');
    const config = writePanel(sample, [{ id: 'noting', script: noting }], 'failOn: [never]\n');
    sample.write('../jury.config.yaml', readFileSync(config, 'utf8').replaceAll('./', './panel/'));
    client = await connect('2.x as of 2026', { cwd: sample.root });
  });
  afterAll(() => client.close());

  const review = (given: Readonly<Record<string, unknown>>) =>
    client.call('start', { process: 'review', ...given });

  function asked() {
    const notes = path.join(sample.root, '../panel/asked.txt');
    return existsSync(notes) ? readFileSync(notes, 'utf8') : '';
  }

  it('asks about the named paths of the change only', async () => {
    const { answer } = await review({ paths: ['src/one.js'] });
    expect(answer).toMatchObject({ status: 'ended', outcome: 'PASS' });
    expect(asked()).toContain('ONE = 1');
    expect(asked()).not.toContain('TWO = 2');
  });

  it.each([
    ['a file that the change leaves alone', 'untouched.js'],
    ['a path outside', '../jury.config.yaml'],
    ['an absolute path', '/etc/passwd'],
    ['magic that leads to the top and out', ':(top)../jury.config.yaml'],
  ])('reads nothing by %s', async (_, given) => {
    const before = asked();
    const { isError, answer } = await review({ paths: [given] });
    expect(isError || answer['outcome'] !== 'PASS').toBe(true);
    expect(asked()).toBe(before);
  });

  it('goes on with a run, and refuses what would make it another one', async () => {
    const { answer } = await review({});
    expect(answer['outcome']).toBe('PASS');
    const before = asked();
    const again = await review({ continue: answer['run'] });
    expect(again.answer).toMatchObject({ run: answer['run'], outcome: 'PASS' });
    expect(asked()).toBe(before);
    expect(await review({ continue: answer['run'], subject: 'HEAD~1' })).toMatchObject({
      isError: true,
    });
    expect(
      await client.call('start', { process: 'ask', subject: 'Why?', continue: 'latest' }),
    ).toMatchObject({ isError: true });
  });
});

/** A commit, a reviewer without a sandbox that does as the script says until there is a file `open`, and a client. */
async function openProject(scriptFor: (isOpen: string) => string) {
  const sample = createSampleRepository();
  sample.write('one.js', 'export const ONE = 1;\n');
  sample.commit('one');
  const open = path.join(sample.root, '../open');
  const script = scriptFor(`fs.existsSync(${JSON.stringify(open)})`);
  const config = writePanel(sample, [{ id: 'later', script, isolation: 'sandbox: false' }]);
  sample.write('../jury.config.yaml', readFileSync(config, 'utf8').replaceAll('./', './panel/'));
  return { sample, open, client: await connect('2.x as of 2026', { cwd: sample.root }) };
}

it('a run that the terminal has gone on with is told as it stands', async () => {
  const { sample, open, client } = await openProject(
    isOpen => `console.log(${isOpen} ? 'None\\nVERDICT: safe' : '')`,
  );
  const { answer } = await client.call('start', { process: 'review' });
  expect(answer).toMatchObject({ outcome: 'INCOMPLETE', exit_code: 2 });
  writeFileSync(open, '');
  expect((await juryBeside(sample.root, ['resume', String(answer['run'])])).code).toBe(0);
  expect((await client.call('wait', { run: answer['run'] })).answer).toMatchObject({
    run: answer['run'],
    outcome: 'PASS',
    exit_code: 0,
  });
  await client.close();
});

it('the same start joins the run under way, but not where an edit has come since', async () => {
  const { sample, open, client } = await openProject(
    isOpen =>
      `while (!${isOpen}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);\n` +
      "console.log('None\\nVERDICT: safe');",
  );
  const start = async () =>
    (await client.call('start', { process: 'review', seconds: 0 })).answer['run'];
  const first = await start();
  expect(await start()).toBe(first);
  sample.write('one.js', 'export const ONE = 2;\n');
  const second = await start();
  expect(second).not.toBe(first);
  writeFileSync(open, '');
  const { answer } = await client.call('wait', { run: second });
  expect(answer).toMatchObject({ outcome: 'PASS' });
  expect(JSON.stringify(answer)).toContain('uncommitted');
  await client.close();
});
