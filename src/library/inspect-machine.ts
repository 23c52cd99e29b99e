/** What this machine has for a panel: the answer to "why does my reviewer not run?". */
import { existsSync } from 'node:fs';
import { findConfiguration } from '../adapters/configuration/read-configuration.ts';
import { findGit } from '../adapters/git/git-process.ts';
import { inspectClients, type InspectedClient } from '../adapters/runners/inspect-clients.ts';
import { UserError } from '../core/errors.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { repositoryRootOf } from './root.ts';
import { version } from './version.ts';

export interface Machine {
  readonly jury: string;
  readonly node: string;
  /** Absolute path; null when no usable git was found, and then `gitProblem` says why. */
  readonly git: string | null;
  readonly gitProblem: string | null;
  readonly configuration: string | null;
  readonly clients: readonly InspectedClient[];
  /** Variables of model APIs that hold a key. */
  readonly apiKeys: readonly string[];
  readonly isolation: { readonly level: 'L0'; readonly reach: string };
  /** Can processes that leave their group still be found and ended? */
  readonly sweepsProcesses: boolean;
}

const apiKeyVariables = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
];

export async function inspectMachine(call: Call): Promise<Machine> {
  const temporaryFolder = temporaryFolderOf(call);
  const git = await findGit(temporaryFolder).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  const isGit = typeof git === 'string';
  return {
    jury: version,
    node: process.version,
    git: isGit ? git : null,
    gitProblem: isGit ? null : git.message,
    configuration: (await findConfiguration(call.cwd, null))?.file ?? null,
    clients: await inspectClients({
      environment: call.environment,
      temporaryFolder,
      checkout: isGit ? await repositoryRootOf(call) : null,
    }),
    apiKeys: apiKeyVariables.filter(variable => call.environment[variable]),
    isolation: {
      level: 'L0',
      reach:
        'same user, fresh home and working folder, allow-listed environment; files and network of this user can be reached',
    },
    sweepsProcesses: existsSync('/proc/self/environ'),
  };
}
