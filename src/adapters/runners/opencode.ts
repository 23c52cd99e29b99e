/** Asks opencode: one agent of our own without permissions, behind a provider of our own naming, in a fresh home. */
import { join } from 'node:path';
import type { Seat } from '../../core/words/config.ts';
import {
  type Brief,
  type Client,
  type Table,
  type Told,
  at,
  countAt,
  createReading,
  noText,
  nothingCounted,
  nothingTold,
  numberAt,
  overrunFault,
  programEnding,
  say,
  textAt,
  withVersion,
} from './client.ts';
import { type Fault, faultOf } from './provider-failure.ts';

// What the records of `opencode run --format json` mean (1.18.33).

interface State extends Told {
  starts: number;
  /** Finished steps, one model request each. */
  steps: number;
  reason: string | null;
  fault: Fault | null;
}

const table: Table<State> = {
  records: {
    step_start: state => count(state, 'starts'),
    text: (state, record) => say(state, textAt(record, 'part.text')),
    step_finish: takeStep,
    error: (state, record) => void (state.fault ??= errorFault(record)),
  },

  conclude({ pieces, fault, reason }) {
    const text = pieces.join('');
    if (fault) return fault;
    if (reason === null) return null;
    if (reason === 'content-filter')
      return { cause: 'refusal', message: "The provider's content filter ended the answer." };
    if (text.trim() === '') return noText;
    if (reason === 'stop' || reason === 'length')
      return { text, stop: reason === 'stop' ? 'end' : 'cut' };
    return {
      cause: 'protocol',
      message: `The last step ended with the reason "${reason.slice(0, 100)}".`,
    };
  },
};

function readOpencodeOutput() {
  const state: State = { ...nothingTold(), starts: 0, steps: 0, reason: null, fault: null };
  // At an endpoint that speaks another protocol every step ends at once, with nothing read or
  // written, for ever.
  return createReading(state, table, {
    overrun: requests =>
      state.counted?.inputTokens === 0 && state.counted.outputTokens === 0
        ? {
            cause: 'provider',
            message: `The endpoint answers, but not in the protocol of a model; ended after ${requests} requests.`,
          }
        : overrunFault(requests),
  });
}

function count(state: State, what: 'starts' | 'steps') {
  state[what] += 1;
  state.requests = Math.max(state.starts, state.steps);
}

/** A failed request prints no step: it is booked with the host's estimate. */
function takeStep(state: State, record: unknown) {
  const reason = at(record, 'part.reason');
  if (typeof reason !== 'string') return;
  count(state, 'steps');
  state.reason = reason;
  if (reason === 'tool-calls') state.pieces = [];
  const tokens = (key: string) => countAt(record, `part.tokens.${key}`);
  const before = state.counted ?? nothingCounted;
  // Without configured prices the client prints a cost of zero, which means unknown.
  const cost = (before.cost ?? 0) + (numberAt(record, 'part.cost') ?? 0);
  state.counted = {
    // Input excludes what was cached.
    inputTokens:
      before.inputTokens + tokens('input') + tokens('cache.read') + tokens('cache.write'),
    outputTokens: before.outputTokens + tokens('output') + tokens('reasoning'),
    cachedTokens: before.cachedTokens + tokens('cache.read'),
    cost: cost > 0 ? cost : null,
  };
}

function errorFault(record: unknown): Fault {
  if (typeof at(record, 'error') !== 'object')
    return { cause: 'provider', message: 'The client reports an error of unknown shape.' };
  const name = textAt(record, 'error.name') || 'Error';
  const message = textAt(record, 'error.data.message') || name;
  const httpStatus = numberAt(record, 'error.data.statusCode');
  const cause = errorCauses.get(name);
  return cause === undefined ? faultOf(message, httpStatus) : { cause, message, httpStatus };
}

const errorCauses: ReadonlyMap<string, Fault['cause']> = new Map([
  ['ContextOverflowError', 'context'],
  ['ContentFilterError', 'refusal'],
  ['MessageOutputLengthError', 'truncated'],
  ['ProviderAuthError', 'auth'],
  ['MessageAbortedError', 'killed'],
]);

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

export const opencode: Client = {
  name: 'opencode',
  verified: ['1.18.33'],
  // CVE-2026-22812.
  oldest: '1.0.216',
  natives: [`opencode-${platform}/bin/opencode${programEnding}`],
  keyVariables: ['OPENAI_API_KEY'],
  defaultModel: 'gpt-5.5',
  promptLimit: { unit: 'bytes', most: 2_000_000 },
  // It has no working limit of its own.
  maxRequests: 8,
  read: readOpencodeOutput,
  launch({ model, instructions, credential, totalMs, home, seat, tools }) {
    return {
      args: [
        ...'run --pure --format json -m'.split(' '),
        `jury/${model}`,
        '--agent',
        'reviewer',
        '--title',
        'review',
      ],
      environment: {
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_CACHE_HOME: join(home, 'cache'),
        XDG_STATE_HOME: join(home, 'state'),
        JURY_KEY: credential.value,
        OPENCODE_CONFIG_CONTENT: configure(seat, { model, instructions, totalMs, tools }),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_CLAUDE_CODE: '1',
      },
      files: [],
    };
  },
};

const keyReference = '{env:JURY_KEY}';

function configure(
  seat: Seat,
  {
    model,
    instructions,
    totalMs,
    tools,
  }: Pick<Brief, 'model' | 'instructions' | 'totalMs' | 'tools'>,
) {
  const permission = {
    '*': 'deny',
    ...Object.fromEntries((tools?.names ?? []).map(name => [`jury_${name}`, 'allow'])),
  };
  const name = `jury/${model}`;
  const options = {
    baseURL: withVersion(seat.baseUrl),
    apiKey: keyReference,
    timeout: totalMs,
  };
  const models = {
    [model]: { name: model, limit: { context: 200_000, output: 8_192 }, ...costOf(seat.price) },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: name,
    small_model: name,
    permission,
    agent: { reviewer: { mode: 'primary', prompt: instructions, permission } },
    // The client hands its whole environment on to the server, the configuration and the key
    // included, unless told otherwise.
    ...(tools && {
      mcp: {
        jury: {
          type: 'local',
          command: [tools.command, ...tools.args],
          enabled: true,
          environment: { OPENCODE_CONFIG_CONTENT: '', JURY_KEY: '', ...tools.environment },
        },
      },
    }),
    provider: { jury: { npm: '@ai-sdk/openai-compatible', name: 'jury', options, models } },
  };
  return withoutReferences(JSON.stringify(config));
}

function costOf(price: Seat['price']) {
  return price
    ? {
        cost: {
          input: price.input,
          output: price.output,
          cache_read: price.cached ?? price.input,
          cache_write: 0,
        },
      }
    : {};
}

/**
 * opencode replaces `{env:…}` and `{file:…}` anywhere in the text of its configuration, before it reads the JSON. In
 * instructions they would bring in the key, or any file. Escaped braces pass the replacement and mean the same in JSON;
 * only the key's own place, which no string value can imitate because its quotes would be escaped, stays as it is.
 */
function withoutReferences(json: string) {
  const keySetting = `"apiKey":"${keyReference}"`;
  return json
    .split(keySetting)
    .map(part => part.replaceAll('{env:', '\\u007benv:').replaceAll('{file:', '\\u007bfile:'))
    .join(keySetting);
}
