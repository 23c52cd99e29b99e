import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFunctionRunner,
  type ReviewerFunction,
} from '../../../src/adapters/runners/function.ts';
import { runnerTable } from '../../../src/adapters/runners/table.ts';
import { describeRunner } from '../../contracts/runner.ts';
import { startModelServer } from '../../model-server.ts';
import { createFolder } from '../git/sample-repository.ts';

async function folderOf(files: Record<string, string>) {
  const folder = createFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

describeRunner('command', async () => {
  const home = await folderOf({
    // A shell starts ten times as fast as Node.
    // It reads what it is asked: a program that ends before has not.
    'good.sh': "cat >/dev/null; echo 'LOW|None'",
    'hanging.mjs':
      "import { spawn } from 'node:child_process'; process.on('SIGTERM', () => {}); spawn('sleep', " +
      "['600'], { detached: true, stdio: 'inherit' }); setInterval(() => {}, 1000);",
    'silent.sh': '',
    'writing.sh': "echo 'LOW|half'; exec sleep 600",
  });
  return {
    runner: await runnerTable.command({
      environment: { PATH: process.env.PATH },
      temporaryFolder: home,
    }),
    good: { home, command: ['sh', './good.sh'] },
    hanging: { home, command: ['node', './hanging.mjs'] },
    writing: { home, command: ['sh', './writing.sh'] },
    broken: [
      { home },
      { home, command: ['./none'] },
      { home, command: ['node', './none.mjs'] },
      { home, command: ['sh', './silent.sh'] },
      { home, command: ['node', 'a\0b'] },
    ],
  };
});

const answers: Readonly<Record<string, ReviewerFunction>> = {
  good: () => ({ text: 'LOW|None' }),
  hanging: () => new Promise(() => {}),
  throwing: () => {
    throw new Error('broken');
  },
  silent: () => ({ text: '' }),
  wordless: (() => null) as unknown as ReviewerFunction,
};

describeRunner('function', () =>
  Promise.resolve({
    runner: createFunctionRunner(
      'function',
      (turn, signal) =>
        (answers[turn.seat.model ?? ''] ?? answers.throwing)?.(turn, signal) ?? { text: '' },
    ),
    good: { model: 'good' },
    hanging: { model: 'hanging' },
    broken: [{ model: 'throwing' }, { model: 'silent' }, { model: 'wordless' }],
  }),
);

describeRunner('replay', async () => {
  const home = await folderOf({
    'good.txt': 'LOW|None',
    'hanging.json': '{"status":"answered","text":"x","delayMs":600000}',
    'bad.json': '{"status":"failed"}',
    'silent.txt': '',
  });
  return {
    runner: await runnerTable.replay({ environment: {}, temporaryFolder: home }),
    good: { home, answers: 'good.txt' },
    hanging: { home, answers: 'hanging.json' },
    broken: [
      { home },
      { home, answers: 'none' },
      { home, answers: 'bad.json' },
      { home, answers: 'silent.txt' },
      { home, answers: 'a\0b' },
    ],
  };
});

describeRunner('api', async () => {
  const text = 'LOW|None';
  const [good, hanging, broken] = await Promise.all([
    startModelServer({ text }),
    startModelServer({ plan: ['hang'] }),
    startModelServer({ plan: ['500', 'garbage', 'drop', 'truncate'] }),
  ]);
  const seat = { model: 'openai-compatible/m' };
  return {
    runner: await runnerTable.api({ environment: {}, temporaryFolder: tmpdir() }),
    good: { ...seat, baseUrl: good.url },
    hanging: { ...seat, baseUrl: hanging.url },
    broken: [
      {},
      seat,
      { model: 'openai/m' },
      { ...seat, baseUrl: 'not a url' },
      ...Array.from({ length: 4 }, () => ({ ...seat, baseUrl: broken.url })),
    ],
    close: async () => {
      await Promise.all([good.close(), hanging.close(), broken.close()]);
    },
  };
});
