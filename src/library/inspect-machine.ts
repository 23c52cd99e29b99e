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
import { Config, type Price, type ReviewerConfig, type Seat } from '../core/words/config.ts';
import {
  addUsage,
  noUsage,
  type Cause,
  causes,
  type Failure,
  type Usage,
} from '../core/words/review.ts';
import { startsProgram, kindOf, traitsOf } from '../core/words/runner.ts';
import {
  type Isolation,
  leastIsolation,
  type Mechanism,
  requireAtLeast,
  type Situation,
  withoutProcess,
} from '../core/words/isolation.ts';
import { type Call, repositoryRootOf, temporaryFolderOf, version } from './call.ts';
import { maskSecrets } from '../checks/index.ts';
import type { Answer } from '../core/ports/runner.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { openRunners } from './open-world.ts';
import { type Configured, seatReviewer } from './seat-reviewers.ts';
import { priced } from '../core/spending/month.ts';
import { deadlinesOf } from '../engine/review/make-call.ts';
import { configure } from './trust.ts';

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

// Asks every reviewer of the configuration one word, all at once: does it answer at all? Nobody is shown anything of the project, no
// answer is kept, and what was configured by somebody else is started and reached only where it is allowed.

/** `untried`: nobody was asked, and `why` says what stands against it. */
interface Trial {
  status: 'works' | 'fails' | 'untried';
  /** One sentence, without any key; null when it works. */
  why: string | null;
  /** What the person can do about it; null when it works, or when nobody knows. */
  mend: string | null;
  cause: Cause | null;
  httpStatus: number | null;
  /** The model that answered, as the provider names it; null when unknown. */
  model: string | null;
  durationMs: number;
  usage: Usage;
}

/** Seconds that a seat gets when nobody sets a limit: clients take several to start. */
const trialSeconds = 30;

interface TrialRequest {
  /** Seconds for each seat. */
  timeout: number;
  /** Top of the repository; null outside of one. */
  checkout: string | null;
}

/** By id of the reviewer. Built-in analysers are no part of it: there is nobody to ask. */
async function trySeats(
  reviewers: readonly ReviewerConfig[],
  { timeout, checkout }: TrialRequest,
  call: Call,
): Promise<ReadonlyMap<string, Trial>> {
  const asked = reviewers.filter(({ runner }) => kindOf(runner) !== 'check');
  if (asked.length === 0) return new Map();
  // What was found may not be asked before somebody has allowed it.
  const configured = await configure(call, {
    wants: config => demandsOfRun(config.reviewers ?? [], config),
  }).catch(userError);
  if (configured instanceof UserError)
    return new Map(asked.map(({ id }) => [id, untried(configured)]));
  const runnerFor = openRunners(call, checkout);
  return new Map(
    await Promise.all(
      asked.map(async reviewer => {
        const trial = await tryOne(reviewer, { configured, timeout, runnerFor }, call);
        // Programs and servers may repeat what they were given, and this goes to a terminal or a log of CI.
        const [why, mend] = await Promise.all([mask(trial.why, call), mask(trial.mend, call)]);
        return [reviewer.id, { ...trial, why, mend }] as const;
      }),
    ),
  );
}

async function tryOne(
  reviewer: ReviewerConfig,
  {
    configured,
    timeout,
    runnerFor,
  }: { configured: Configured; timeout: number; runnerFor: ReturnType<typeof openRunners> },
  call: Call,
): Promise<Trial> {
  const clock = call.clock;
  const startedAt = clock.now().getTime();
  const { trust } = configured.config;
  const situation = { trust, source: 'revision' } as const;
  const seated = await seatReviewer(reviewer, configured, timeout, situation).catch(userError);
  if (seated instanceof UserError) return { ...untried(seated), status: 'fails' };
  const seat = { ...seated, answerTokens };
  const runner = await runnerFor(seat);
  const answer = await runner.ask(
    { ...question, seat, deadlines: deadlinesOf({ timeout }) },
    call.signal,
  );
  return judge(answer, seat, clock.now().getTime() - startedAt);
}

/** The least that every vendor takes; models that think before they speak spend it unsaid. */
const answerTokens = 16;

const question = {
  attempt: 1,
  instructions: 'This is a test of the connection. Answer with the one word OK and nothing else.',
  prompt: 'Say OK.',
  change: null,
  read: async () => null,
  tools: null,
} as const;

function judge(answer: Answer, seat: Seat, durationMs: number): Trial {
  const { usage, model } = answer;
  const known = { durationMs, usage: priced(usage, seat), model };
  // The key was taken and the model was there: what it could not do is say a word in so few tokens.
  const isSpentThinking =
    answer.status === 'failed' && kindOf(seat.runner) === 'api' && answer.failure.cause === 'empty';
  if (answer.status === 'answered' || isSpentThinking)
    return { status: 'works', why: null, mend: null, cause: null, httpStatus: null, ...known };
  const { failure, retryAfterMs } = answer;
  return {
    status: 'fails',
    why: describe(failure, seat),
    mend: mendOf(failure, seat, retryAfterMs),
    cause: failure.cause,
    httpStatus: failure.httpStatus,
    ...known,
  };
}

function describe({ cause, message, httpStatus }: Failure, { timeout }: Seat) {
  const sentence = causes[cause].sentence;
  if (causes[cause].reason === 'timeout') return `${sentence} (${timeout} s).`;
  const status = httpStatus === null ? '' : ` (HTTP ${httpStatus})`;
  const said = message.replace(/\s+/g, ' ').trim().slice(0, 300);
  // What a provider says of a key may hold a part of it.
  if (cause === 'auth' && httpStatus !== null) return `${sentence}${status}.`;
  return said === '' ? `${sentence}${status}.` : `${sentence}${status}: ${said}`;
}

function untried(error: UserError): Trial {
  return {
    status: 'untried',
    why: error.message,
    mend: error.hint,
    cause: null,
    httpStatus: null,
    model: null,
    durationMs: 0,
    usage: noUsage,
  };
}

async function mask(text: string | null, { environment }: Call) {
  if (text === null) return null;
  const named = Object.entries(environment)
    .filter(([name, value = '']) => /key|token|secret|password/i.test(name) && value.length >= 8)
    .reduce((masked, [name, value = '']) => masked.replaceAll(value, `[${name}]`), text);
  return maskSecrets(named, 'answer.txt');
}

// What a person can do about a seat that does not answer.

type Asked = Pick<Seat, 'runner' | 'model' | 'baseUrl' | 'apiKeyEnv' | 'command' | 'timeout'>;

/** Null where nobody knows. `retryAfterMs`: what the provider asked to wait, null when it did not say. */
function mendOf({ cause, message, httpStatus }: Failure, seat: Asked, retryAfterMs: number | null) {
  const at = seat.baseUrl?.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
  if (httpStatus === 404)
    return (
      `Look at "model" (${seat.model ?? 'none'}) and "baseUrl" ` +
      `(${at ?? "the vendor's"}): one of them is not known there.`
    );
  const wait =
    retryAfterMs === null ? 'Wait' : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s`;
  const mends: Partial<Record<Cause, string>> = {
    'not-found': installOf(seat),
    version: `Bring ${seat.runner} up to date.`,
    auth: keyOf(seat, message),
    unreachable: `Start the server${at === undefined ? ', or look at the network' : ` at ${at}, or put "baseUrl" right`}.`,
    quota: 'Add credit, or seat a model of another vendor.',
    'rate-limited': `${wait} and try again, or ask for fewer at a time ("concurrency").`,
    'first-output': slowOf(seat),
    idle: slowOf(seat),
    deadline: slowOf(seat),
    isolation: 'Take "isolation" of this reviewer back, or run where a sandbox can be had.',
    spawn: 'Look at whether the program is made for this machine.',
    exit: `By hand it runs outside of the sandbox: ${seat.command?.join(' ') ?? seat.runner}`,
    empty: 'It must write its answer to standard output.',
    'unsafe-cli': `Bring ${seat.runner} up to date.`,
    protocol: `Bring ${seat.runner} up to date; see docs/reviewers.md for versions that were tried.`,
  };
  return mends[cause] ?? null;
}

function installOf({ runner, model }: Asked) {
  const { kind, needs: [key] = [] } = traitsOf(runner);
  if (kind === 'program') return 'Put "command" of this reviewer right, or install the program.';
  if (kind === 'api') return `Put "model" (${model ?? 'none'}) of this reviewer right.`;
  if (key !== undefined) return `Put "${key}" of this reviewer right.`;
  return `Install ${runner}, or name its program with "executable".`;
}

function keyOf({ runner, apiKeyEnv }: Asked, message: string) {
  if (message.startsWith('No key'))
    return kindOf(runner) === 'api'
      ? 'Set it where jury is started.'
      : `Set it where jury is started: ${runner} gets a key and sees no login of yours` +
          `${runner === 'claude' ? '; "claude setup-token" makes one of a subscription' : ''}.`;
  return `Look at the key${apiKeyEnv === undefined ? '' : ` in ${apiKeyEnv}`}: it was refused, or may not use this model.`;
}

function slowOf({ timeout }: Asked) {
  return `Give it more time (--timeout ${timeout * 4}), or look at whether a model is still being loaded.`;
}
