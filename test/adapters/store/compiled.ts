/** The store as plain JavaScript in a temporary folder, for tests that kill the process that runs it. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Compiled {
  readonly folder: string;
  /** Writes a module beside the compiled sources, where it can import from `./src/…`. Returns its path. */
  script(name: string, source: string): Promise<string>;
  readonly remove: () => Promise<void>;
}

/** `rooms`: further folders of `src/adapters`. */
export async function compileStore(...rooms: readonly string[]): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), 'jury-compiled-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const source of [
    'src/core',
    'src/agreement',
    'src/answers',
    'src/adapters/store',
    'src/adapters/system',
    ...rooms.map(room => `src/adapters/${room}`),
  ])
    await compileFolder(source, folder);
  return {
    folder,
    script: async (name, source) => {
      await writeFile(join(folder, name), source);
      return join(folder, name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Ended> {
  return start(command, args, options).ended;
}

async function compileFolder(source: string, target: string): Promise<void> {
  const entries = await readdir(join(root, source), { recursive: true });
  for (const name of entries.filter(entry => entry.endsWith('.json'))) {
    await mkdir(dirname(join(target, source, name)), { recursive: true });
    await copyFile(join(root, source, name), join(target, source, name));
  }
  for (const name of entries.filter(entry => entry.endsWith('.ts'))) {
    const text = await readFile(join(root, source, name), 'utf8');
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const output = join(target, source, name.replace(/\.ts$/, '.js'));
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, outputText);
  }
}
