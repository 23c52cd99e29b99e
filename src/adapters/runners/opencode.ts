/** Asks opencode: one agent of our own without permissions, behind a provider of our own naming, in a fresh home. */
import { join } from 'node:path';
import type { Seat } from '../../core/words/config.ts';
import { type Brief, type Client, type Launch, withVersion } from './client.ts';
import { readOpencodeOutput } from './opencode-output.ts';
import type { ToolLaunch } from './tool-service.ts';

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

export const opencode: Client = {
  name: 'opencode',
  natives: [`opencode-${platform}/bin/opencode${process.platform === 'win32' ? '.exe' : ''}`],
  keyVariables: ['OPENAI_API_KEY'],
  defaultModel: 'gpt-5.5',
  promptLimit: { unit: 'bytes', most: 2_000_000 },
  // It has no working limit of its own.
  maxRequests: 8,
  launch,
  read: readOpencodeOutput,
};

function launch({ model, instructions, credential, totalMs, home, seat, tools }: Brief): Launch {
  return {
    args: [
      'run',
      '--pure',
      '--format',
      'json',
      '-m',
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
}

const keyReference = '{env:JURY_KEY}';

function configure(
  seat: Seat,
  {
    model,
    instructions,
    totalMs,
    tools,
  }: Pick<Brief, 'model' | 'instructions' | 'totalMs' | 'tools'>,
): string {
  const permission = {
    '*': 'deny',
    ...Object.fromEntries((tools?.names ?? []).map(name => [`jury_${name}`, 'allow'])),
  };
  const name = `jury/${model}`;
  const options = {
    baseURL: withVersion(seat.baseUrl ?? 'https://api.openai.com', 'v1'),
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
    ...(tools === null ? {} : { mcp: { jury: describeServer(tools) } }),
    provider: { jury: { npm: '@ai-sdk/openai-compatible', name: 'jury', options, models } },
  };
  return withoutReferences(JSON.stringify(config));
}

/** The client hands its whole environment on to the server, the configuration and the key included, unless told otherwise. */
function describeServer({ command, args, environment }: ToolLaunch) {
  return {
    type: 'local',
    command: [command, ...args],
    enabled: true,
    environment: { OPENCODE_CONFIG_CONTENT: '', JURY_KEY: '', ...environment },
  };
}

function costOf(price: Seat['price']) {
  return price === undefined
    ? {}
    : {
        cost: {
          input: price.input,
          output: price.output,
          cache_read: price.cached ?? price.input,
          cache_write: 0,
        },
      };
}

/**
 * opencode replaces `{env:…}` and `{file:…}` anywhere in the text of its configuration, before it reads the JSON. In
 * instructions they would bring in the key, or any file. Escaped braces pass the replacement and mean the same in JSON;
 * only the key's own place, which no string value can imitate because its quotes would be escaped, stays as it is.
 */
function withoutReferences(json: string): string {
  const keySetting = `"apiKey":"${keyReference}"`;
  return json
    .split(keySetting)
    .map(part => part.replaceAll('{env:', '\\u007benv:').replaceAll('{file:', '\\u007bfile:'))
    .join(keySetting);
}
