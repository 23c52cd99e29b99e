/** What this machine has for a panel: the answer to "why does my reviewer not run?". */
import { existsSync } from 'node:fs';
import {
  findConfiguration,
  parseConfiguration,
} from '../adapters/configuration/read-configuration.ts';
import { findGit } from '../adapters/git/git-process.ts';
import { inspectClients, type InspectedClient } from '../adapters/runners/client-program.ts';
import { isolationOn, openSandbox } from '../adapters/runners/enclose.ts';
import { prefixFor } from '../adapters/runners/process-tree.ts';
import { findLocalServers, type LocalServer } from '../adapters/system/local-servers.ts';
import { hostsOf, readTelemetrySettings } from '../adapters/telemetry/settings.ts';
import { sentenceOf, UserError, userError } from '../core/errors.ts';
import { windowOf } from '../core/context/growth.ts';
import { Config, type Price } from '../core/words/config.ts';
import { addUsage, noUsage } from '../core/words/review.ts';
import { startsProgram } from '../core/words/runner.ts';
import {
  type Isolation,
  leastIsolation,
  type Mechanism,
  requireAtLeast,
  type Situation,
  withoutProcess,
} from '../core/words/isolation.ts';
import { type Call, repositoryRootOf, temporaryFolderOf, version } from './call.ts';
import { type Trial, trialSeconds, trySeats } from './try-seats.ts';

export interface Machine {
  readonly jury: string;
  readonly node: string;
  /** Absolute path; null when no usable git was found, and then `gitProblem` says why. */
  readonly git: string | null;
  readonly gitProblem: string | null;
  readonly configuration: string | null;
  /** Why it cannot be used; null when it can, or when there is none. */
  readonly configurationProblem: string | null;
  readonly clients: readonly InspectedClient[];
  /** Variables of model APIs that hold a key. */
  readonly apiKeys: readonly string[];
  /** Vendors that one of these keys is good for. */
  readonly vendors: readonly ('anthropic' | 'openai' | 'google')[];
  /** Model servers on the usual ports of this machine. */
  readonly servers: readonly LocalServer[];
  /** What encloses reviewers that are programs here. */
  readonly isolation: {
    readonly level: 'L0' | 'L1';
    readonly by: Isolation['by'];
    /** Why it is no better one; null at L1. */
    readonly reason: string | null;
    /** What such a reviewer can reach, and which of its processes can outlive it. */
    readonly reach: string;
    readonly survivors: string;
  };
  /** Tokens and money that asking the seats took; null when nobody was asked. `cost` null: nobody knows it. */
  readonly spent: {
    readonly calls: number;
    readonly tokens: number;
    readonly cost: number | null;
  } | null;
  /** What each reviewer of the configuration gets. */
  readonly seats: readonly InspectedSeat[];
  /** Where OpenTelemetry of runs goes by the environment, or why it does not; null: nobody wants any. */
  readonly telemetry: {
    /** Of the addresses nothing else is told: the rest may hold a key. Empty where there is a problem. */
    readonly hosts: readonly string[];
    readonly problem: string | null;
  } | null;
  /** Can processes that leave their group still be found and ended? */
  readonly sweepsProcesses: boolean;
}

interface InspectedSeat {
  id: string;
  runner: string;
  /** Null: less than it requires, so it is not asked; `refused` says why. */
  isolation: Isolation | null;
  refused: string | null;
  /** Why it is not asked about an untrusted change, although it is about others; null when it is. */
  refusedUntrusted: string | null;
  /** As the configuration names it; null: its runner chooses. */
  model: string | null;
  /** Tokens that its model takes at once; null: nobody knows. */
  window: number | null;
  /** As the configuration states it; null: nobody knows. */
  price: Price | null;
  /** What came of asking it one word; null: it was not to be asked, or there is nobody to ask. */
  trial: Trial | null;
}

export interface InspectRequest {
  /** Ask every seat one word? Default: nobody is asked. */
  readonly ask?: boolean;
  /** Seconds for each seat; default 30. */
  readonly timeout?: number;
  /** Look for model servers at their usual ports? Default: yes. */
  readonly servers?: boolean;
}

const apiKeyVariables = {
  ANTHROPIC_API_KEY: 'anthropic',
  OPENAI_API_KEY: 'openai',
  GOOGLE_GENERATIVE_AI_API_KEY: 'google',
  GEMINI_API_KEY: 'google',
} as const;

/** Nobody is asked unless the request says so; never throws for what a seat, or its configuration, does wrong. */
export async function inspectMachine(
  { ask = false, timeout = trialSeconds, servers = true }: InspectRequest,
  call: Call,
): Promise<Machine> {
  const temporaryFolder = temporaryFolderOf(call);
  const git = await findGit(temporaryFolder).catch(userError);
  const isGit = typeof git === 'string';
  const found = await findConfiguration(call.cwd, null);
  const config = found
    ? await parseConfiguration(found, Object.keys(call.runners ?? {})).catch(userError)
    : Config.parse({});
  const keys = Object.entries(apiKeyVariables).filter(
    ([variable]) => (call.environment[variable] ?? '') !== '',
  );
  const { mechanism } = await openSandbox({ temporaryFolder });
  const telemetry = readTelemetrySettings(call.environment);
  const root = isGit ? await repositoryRootOf(call) : null;
  const inspected = config instanceof UserError ? [] : inspectSeats(config, mechanism);
  const trials =
    !ask || config instanceof UserError
      ? null
      : await trySeats(
          (config.reviewers ?? []).filter(({ id }) =>
            inspected.some(seat => seat.id === id && seat.isolation !== null),
          ),
          { timeout, checkout: root },
          call,
        );
  return {
    jury: version,
    node: process.version,
    git: isGit ? git : null,
    gitProblem: isGit ? null : git.message,
    configuration: found?.file ?? null,
    configurationProblem: config instanceof UserError ? sentenceOf(config) : null,
    clients: await inspectClients({
      environment: call.environment,
      temporaryFolder,
      checkout: root,
    }),
    apiKeys: keys.map(([variable]) => variable),
    vendors: [...new Set(keys.map(([, vendor]) => vendor))],
    servers: servers ? await findLocalServers(call.environment) : [],
    isolation: await describeMechanism(mechanism),
    spent: trials && sumOf([...trials.values()]),
    seats: inspected.map(seat => ({ ...seat, trial: trials?.get(seat.id) ?? null })),
    telemetry:
      telemetry === null
        ? null
        : typeof telemetry === 'string'
          ? { hosts: [], problem: telemetry }
          : { hosts: hostsOf(telemetry), problem: null },
    sweepsProcesses: existsSync('/proc/self/environ'),
  };
}

function sumOf(trials: readonly Trial[]) {
  const used = trials.map(({ usage }) => usage).filter(({ calls }) => calls > 0);
  const { calls, inputTokens, outputTokens, cost } = used.reduce(addUsage, noUsage);
  const isKnown = used.every(each => each.cost !== null);
  return { calls, tokens: inputTokens + outputTokens, cost: isKnown ? (cost ?? 0) : null };
}

function inspectSeats(
  { reviewers = [], isolation }: Config,
  mechanism: Mechanism,
): readonly InspectedSeat[] {
  return reviewers.map(seat => {
    const { id, runner, baseUrl, isolation: own } = seat;
    const known = {
      id,
      runner,
      model: seat.model ?? null,
      window: windowOf(seat),
      price: seat.price ?? null,
      trial: null,
    };
    const grantedFor = (trust: Situation['trust']) =>
      startsProgram(runner)
        ? isolationOn(mechanism, {
            runner,
            baseUrl,
            isolation: requireAtLeast(
              own,
              isolation?.require,
              leastIsolation({ trust, source: 'revision' }),
            ),
          })
        : withoutProcess;
    const [granted, untrusted] = [grantedFor('own'), grantedFor('untrusted')];
    return typeof granted === 'string'
      ? { ...known, isolation: null, refused: granted, refusedUntrusted: null }
      : {
          ...known,
          isolation: granted,
          refused: null,
          refusedUntrusted: typeof untrusted === 'string' ? untrusted : null,
        };
  });
}

async function describeMechanism(mechanism: Mechanism): Promise<Machine['isolation']> {
  if (mechanism.by !== null)
    return {
      level: 'L1',
      by: mechanism.by,
      reason: null,
      reach:
        'read-only system, its own program, a temporary folder and a process table of its own; no home, ' +
        'no checkout, and of the network no more than its row here says',
      survivors: 'none: with the first process of the namespace all of them end',
    };
  const words = await prefixFor('');
  return {
    level: 'L0',
    by: null,
    reason: mechanism.reason,
    reach:
      'same user, fresh home and working folder, allow-listed environment; files, processes and network of this user can be reached',
    survivors: [
      words.some(word => word.startsWith('--locks='))
        ? 'one that leaves its group, empties its environment and lowers its own limits'
        : 'one that leaves its group and empties its environment',
      words.includes('--pdeathsig')
        ? 'when Jury and its reaper are killed, what a reviewer started lives until the next start'
        : 'when Jury and its reaper are killed, its reviewers and what they started live until the next start',
    ].join('; '),
  };
}
