/** Looks at the coding-agent clients of this machine without asking any of them a question. */
import { answered } from '../../core/words/answer.ts';
import { claude } from './claude.ts';
import { type Client, isTooOld, oldestVersions, versionWarning } from './client.ts';
import { findClient, readVersion } from './client-program.ts';
import { codex } from './codex.ts';
import { withEnclosure } from './enclose.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { RunnerWorld } from './runner-world.ts';

export interface InspectedClient {
  readonly name: string;
  /** Absolute path of the program; null when it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Variable whose key would be used; null when none is set. */
  readonly key: string | null;
  /** What stands in the way or should be known, in one sentence; null when nothing. */
  readonly problem: string | null;
}

export async function inspectClients(world: RunnerWorld): Promise<InspectedClient[]> {
  return Promise.all([claude, codex, gemini, opencode].map(client => inspect(client, world)));
}

const probeMs = 10_000;

async function inspect(client: Client, world: RunnerWorld): Promise<InspectedClient> {
  const { name } = client;
  const key = client.keyVariables.find(variable => world.environment[variable]) ?? null;
  const seat = { id: name, runner: name, environment: [], home: world.temporaryFolder };
  const path = await findClient(client, seat, world);
  const found = { name, path: null, version: null, key };
  if (typeof path !== 'string') return { ...found, problem: path.failure.message };
  const { signal } = new AbortController();
  const looked = await withEnclosure(world, seat, { file: path }, async place =>
    answered((await readVersion(path, { ...place, world }, probeMs, signal)) ?? ''),
  );
  if (looked.status === 'failed') return { ...found, path, problem: looked.failure.message };
  const version = looked.text || null;
  return { ...found, path, version, problem: problemOf(client, version, key) };
}

function problemOf({ name, keyVariables }: Client, version: string | null, key: string | null) {
  if (isTooOld(name, version))
    return `${name} ${version ?? ''} is older than ${oldestVersions[name] ?? ''} and is refused.`;
  if (key !== null) return versionWarning(name, version);
  const how = name === 'claude' ? ' Of a subscription, "claude setup-token" makes the last.' : '';
  return `No key: set ${keyVariables.join(' or ')}.${how}`;
}
