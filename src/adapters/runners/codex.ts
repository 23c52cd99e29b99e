/** Asks Codex: an ephemeral run without shell, plugins, sub-agents or project files, behind a provider of our own naming. */
import { join } from 'node:path';
import {
  type Client,
  type Table,
  type Told,
  type ToolLaunch,
  at,
  countAt,
  createReading,
  nothingTold,
  programEnding,
  textAt,
  withVersion,
} from './client.ts';
import { type Fault, faultOf } from './provider-failure.ts';

// What the records of `codex exec --json` mean (0.169.0). There is no stop reason, but a turn that was cut is reported as one
// that failed.

/** Items that are not the model's use of something: every other one is answered to the model with one more request. */
const silentItems: ReadonlySet<string> = new Set([
  'agent_message',
  'reasoning',
  'error',
  'todo_list',
]);

interface State extends Told {
  failure: string | null;
  completed: boolean;
}

const table: Table<State> = {
  records: {
    'turn.started': state => void (state.requests += 1),
    // The last message counts: after a broken stream the text comes again.
    'item.completed'(state, record) {
      const type = textAt(record, 'item.type');
      if (type === 'agent_message') {
        state.pieces = [textAt(record, 'item.text')];
        state.characters = state.pieces.join('').length;
      }
      if (type !== '' && !silentItems.has(type)) state.requests += 1;
    },
    // A retry of the client, not yet a failure.
    error(state, record) {
      if (textAt(record, 'message').startsWith('Reconnecting...')) state.requests += 1;
    },
    'turn.failed'(state, record) {
      state.failure = textAt(record, 'error.message') || 'The turn failed without a message.';
    },
    'turn.completed'(state, record) {
      state.completed = true;
      if (at(record, 'usage') === undefined) return;
      // Input includes what was cached.
      state.counted = {
        inputTokens: countAt(record, 'usage.input_tokens'),
        outputTokens: countAt(record, 'usage.output_tokens'),
        cachedTokens: countAt(record, 'usage.cached_input_tokens'),
        cost: null,
      };
    },
  },

  conclude({ failure, completed, pieces }) {
    const text = pieces.join('');
    if (failure !== null) return turnFault(failure, pieces.length > 0);
    if (!completed) return null;
    return text.trim() === ''
      ? { cause: 'empty', message: 'The turn ended without an answer: empty, or refused.' }
      : { text, stop: 'end' };
  },
};

function turnFault(failure: string, isBegun: boolean): Fault {
  if (failure.startsWith('Incomplete response returned'))
    return {
      cause: failure.includes('returned, reason: content_filter') ? 'refusal' : 'truncated',
      message: failure,
    };
  const status = statusIn(failure);
  const brokeOff =
    /error decoding response body/.test(failure) ||
    (isBegun && /^stream disconnected|stream closed/.test(failure));
  if (status === null && brokeOff) return { cause: 'truncated', message: failure };
  if (/stream closed before response\.completed/.test(failure))
    return { cause: 'provider', message: failure };
  return faultOf(failure, status);
}

/** The client keeps the status of most errors in its sentence and hides that of two behind sentences of its own. */
function statusIn(failure: string) {
  const match = /\bstatus:? (\d{3})\b/.exec(failure);
  if (match) return Number(match[1]);
  if (/currently experiencing high demand/.test(failure)) return 500;
  return /does not exist or you do not have access/.test(failure) ? 404 : null;
}

const triples: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};
const platform = `${process.platform}-${process.arch}`;

export const codex: Client = {
  name: 'codex',
  verified: ['0.169.0'],
  // CVE-2025-61260.
  oldest: '0.23.0',
  // The shim survives a SIGKILL of the program behind it, and the other way round.
  natives: [
    `@openai/codex-${platform}/vendor/${triples[platform] ?? 'unknown'}/bin/codex${programEnding}`,
  ],
  keyVariables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  defaultModel: 'gpt-5.5',
  promptLimit: { unit: 'characters', most: 1_000_000 },
  maxRequests: 8,
  takesSchema: true,
  read: () => createReading({ ...nothingTold(), failure: null, completed: false }, table),
  launch({ model, instructions, credential, root, home, cwd, seat, tools, schema }) {
    const systemFile = join(root, 'system.md');
    const schemaFile = join(root, 'schema.json');
    const baseUrl = withVersion(seat.baseUrl);
    const settings = [
      ...(
        'analytics.enabled=false project_doc_max_bytes=0 web_search="disabled" ' +
        'skills.include_instructions=false include_environment_context=false'
      ).split(' '),
      `model_instructions_file=${toml(systemFile)}`,
      'model_provider="jury"',
      `model_providers.jury={name="jury",base_url=${toml(baseUrl)},env_key="JURY_KEY",wire_api="responses",` +
        'request_max_retries=2,stream_max_retries=1,stream_idle_timeout_ms=60000}',
      ...(tools ? [`mcp_servers.jury=${describeServer(tools)}`] : []),
    ];
    return {
      args: [
        ...'exec --json --ephemeral --strict-config --ignore-user-config --ignore-rules --skip-git-repo-check -s read-only -C'.split(
          ' ',
        ),
        cwd,
        '-m',
        model,
        ...disabled.flatMap(name => ['--disable', name]),
        ...settings.flatMap(setting => ['-c', setting]),
        ...(schema ? ['--output-schema', schemaFile] : []),
        '-',
      ],
      environment: { CODEX_HOME: home, JURY_KEY: credential.value, ...tools?.environment },
      files: [
        { path: systemFile, text: instructions },
        ...(schema ? [{ path: schemaFile, text: JSON.stringify(schema) }] : []),
      ],
    };
  },
};

/** `multi_agent` and `unbounded_connection_retries` cost requests that nobody counts, `shell_snapshot` writes the key to disk. */
const disabled =
  'plugins unbounded_connection_retries shell_tool shell_snapshot multi_agent goals hooks apps view_image'.split(
    ' ',
  );

/**
 * Required: without the word a review goes on without its tools. The variables are named and not written down: other users can
 * read a command line.
 */
function describeServer({ command, args, environment, names }: ToolLaunch) {
  const list = (words: readonly string[]) => `[${words.map(toml).join(',')}]`;
  return (
    `{command=${toml(command)},args=${list(args)},env_vars=${list(Object.keys(environment))},required=true,` +
    `enabled_tools=${list(names)},startup_timeout_sec=10,tool_timeout_sec=30}`
  );
}

/** A TOML basic string: what JSON escapes, TOML reads. */
function toml(text: string) {
  return JSON.stringify(text);
}
