import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { signalGroup } from '../../../src/adapters/runners/process-tree.ts';

it('a process ends too where neither groups nor the program of Windows for it can be had', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  signalGroup(child.pid ?? 0, 'SIGTERM', 'win32');
  expect(await ended).toEqual([null, 'SIGKILL']);
});
