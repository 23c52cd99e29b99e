/** Programs of our own modules as plain JavaScript in a temporary folder, for tests that kill the process that runs them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { createFolder } from '../git/sample-repository.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Path of a program whose text names our modules as `src/…`. */
export async function bundle(text: string): Promise<string> {
  const folder = createFolder();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'program.mjs');
  await build({
    input: 'program',
    platform: 'node',
    external: id => /^[@a-z]/.test(id) && id !== 'program' && !id.startsWith('src/'),
    plugins: [
      {
        name: 'program',
        resolveId: id => (id === 'program' ? id : id.startsWith('src/') ? join(root, id) : null),
        load: id => (id === 'program' ? text : null),
      },
    ],
    output: { file, codeSplitting: false },
  });
  return file;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(
  command: string,
  args: readonly string[],
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

export function run(command: string, args: readonly string[]): Promise<Ended> {
  return start(command, args).ended;
}
