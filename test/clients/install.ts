/** Installs the genuine clients, at the verified versions, into the ignored folder `.clients/`. */
import { execFile } from 'node:child_process';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clients } from '../../src/adapters/runners/client-program.ts';
import { clientNames, type ClientName } from '../../src/core/words/runner.ts';

const folder = fileURLToPath(new URL('../../.clients', import.meta.url));

const packages: Record<ClientName, string> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
};

/** The program of each client that is there at the newest verified version. Installs what is missing; without a network, less. */
export async function installClients(): Promise<ReadonlyMap<ClientName, string>> {
  if ((await installed()).size < clientNames.length) await install();
  return installed();
}

async function installed() {
  const found = new Map<ClientName, string>();
  for (const name of clientNames) {
    const program = join(folder, 'node_modules', '.bin', name);
    if ((await versionOf(name)) === newest(name) && (await exists(program)))
      found.set(name, program);
  }
  return found;
}

async function install() {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const wanted = clientNames.map(name => `${packages[name]}@${newest(name)}`);
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...wanted,
  ];
  // claude declares a newer Node than it needs: it is a native program.
  // The reason of a failure is told by the tests that are skipped or fail.
  await promisify(execFile)('npm', args, { env: { ...process.env, HOME: home } }).catch(error =>
    console.error(String(error)),
  );
}

async function versionOf(name: ClientName) {
  const manifest = await readFile(
    join(folder, 'node_modules', packages[name], 'package.json'),
    'utf8',
  ).catch(() => '{}');
  return (JSON.parse(manifest) as { readonly version?: string }).version ?? null;
}

function newest(name: ClientName) {
  return clients[name].verified.at(-1) ?? '';
}

async function exists(path: string) {
  return access(path).then(
    () => true,
    () => false,
  );
}
