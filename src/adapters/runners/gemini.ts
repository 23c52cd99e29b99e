/** Asks Gemini CLI: a settings file of our own in a fresh home, no tools, and standard output into a file. */
import { join } from 'node:path';
import {
  type Client,
  type Table,
  type Told,
  type ToolLaunch,
  at,
  countAt,
  createReading,
  mostRounds,
  noText,
  nothingTold,
  say,
  textAt,
  withoutVersion,
} from './client.ts';
import { type Fault, faultOf } from './provider-failure.ts';

// What the records of `gemini -o stream-json` mean (0.61.0). A cut answer shows nowhere: its own closing line has to prove its
// end.

interface State extends Told {
  errors: string[];
  /** The closing record. */
  result: unknown;
}

const table: Table<State> = {
  records: {
    init: (state, record) => void (state.model = textAt(record, 'model') || null),
    // The prompt comes back as a message of the user, which is no answer.
    message(state, record) {
      if (at(record, 'role') === 'assistant') say(state, textAt(record, 'content'));
    },
    tool_use(state) {
      state.requests += 1;
      state.pieces = [];
    },
    error: (state, record) => void state.errors.push(textAt(record, 'message')),
    result(state, record) {
      if (typeof at(record, 'status') !== 'string') return;
      state.result = record;
      const stats = at(record, 'stats') ?? null;
      if (!stats) return;
      // Input includes what was cached.
      state.counted = {
        inputTokens: countAt(stats, 'input_tokens'),
        outputTokens: countAt(stats, 'output_tokens'),
        cachedTokens: countAt(stats, 'cached'),
        cost: null,
      };
    },
  },

  conclude({ result, pieces, errors, counted }, { exitCode, stderr }) {
    const text = pieces.join('');
    const ownCode = ownExitCodes.get(exitCode);
    if (result === null) return ownCode ?? null;
    const error = at(result, 'error.message');
    if (typeof error === 'string') return apiFault(error, text, exitCode, stderr);
    if (errors.length > 0) return lineFault(errors[0] ?? '', text);
    const status = textAt(result, 'status');
    if (status !== 'success')
      return (
        ownCode ?? {
          cause: 'provider',
          message: `The client reports the status "${status.slice(0, 100)}".`,
        }
      );
    if (text.trim() === '') return noText;
    // The loop detector and a stream that ends early leave text that nobody counted.
    if (counted?.outputTokens === 0)
      return { cause: 'truncated', message: 'There is text, but the client counted no output.' };
    return { text, stop: 'unknown' };
  },
};

const ownExitCodes: ReadonlyMap<number, Fault> = new Map([
  [41, { cause: 'auth', message: 'The client found no usable credential (exit code 41).' }],
  [42, { cause: 'unread', message: 'The client read no prompt (exit code 42).' }],
  [
    53,
    {
      cause: 'budget',
      message: 'The turn limit was reached before there was an answer (exit code 53).',
    },
  ],
]);

/** `type:"error"` lines of a run that ends with code 0. */
function lineFault(message: string, text: string): Fault {
  if (/blocked due to safety|safety settings|prohibited/i.test(message))
    return { cause: 'refusal', message };
  if (/loop detected/i.test(message)) return { cause: 'loop', message };
  if (/empty response/i.test(message)) return { cause: 'empty', message };
  if (/without a finish reason/i.test(message) && text !== '')
    return { cause: 'truncated', message };
  return faultOf(message, null);
}

function apiFault(message: string, text: string, exitCode: number, stderr: string): Fault {
  const status = statusIn(message) ?? statusOfExitCode[exitCode] ?? statusIn(stderr.slice(-400));
  if (status === null && /terminated/.test(message))
    return { cause: text === '' ? 'unreachable' : 'truncated', message };
  return faultOf(message, status);
}

function statusIn(words: string) {
  const match = /"?\b(?:code|status)"?: ?([45]\d\d)\b/.exec(words);
  return match && Number(match[1]);
}

/** The client ends with the HTTP status modulo 256, except for 404. */
const statusOfExitCode: Record<number, number> = Object.fromEntries(
  [400, 401, 403, 429, 500, 502, 503, 504, 529].map(status => [status % 256, status]),
);

export const gemini: Client = {
  name: 'gemini',
  verified: ['0.61.0'],
  oldest: null,
  natives: [],
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  defaultModel: 'gemini-2.5-pro',
  promptLimit: { unit: 'bytes', most: 3_000_000 },
  maxRequests: null,
  read: () => createReading({ ...nothingTold(), requests: 1, errors: [], result: null }, table),
  launch({ model, instructions, credential, promptBytes, root, home, seat, tools }) {
    const systemFile = join(root, 'system.md');
    return {
      args: [
        '-m',
        model,
        ...'-o stream-json --approval-mode default -e none --skip-trust'.split(' '),
        ...(tools ? ['--allowed-mcp-server-names', 'jury'] : []),
      ],
      environment: {
        GEMINI_CLI_HOME: home,
        GEMINI_API_KEY: credential.value,
        ...(seat.baseUrl !== undefined && {
          GOOGLE_GEMINI_BASE_URL: withoutVersion(seat.baseUrl, 'v1beta'),
        }),
        GEMINI_SYSTEM_MD: systemFile,
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
      files: [
        { path: join(home, '.gemini', 'settings.json'), text: JSON.stringify(configure(tools)) },
        { path: systemFile, text: instructions },
      ],
      stdoutFile: join(root, 'out.jsonl'),
      // The prompt is echoed, escaped.
      maxStdoutBytes: 4_194_304 + 2 * promptBytes,
    };
  },
};

/** What never changes. */
const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  context: { includeDirectoryTree: false },
  skills: { enabled: false },
  hooksConfig: { enabled: false },
  advanced: { ignoreLocalEnv: true },
};

function configure(tools: ToolLaunch | null) {
  return {
    ...settings,
    // Without tools, a name that none has: an empty list would mean all of them. The names of a server's tools belong here too.
    tools: { core: tools ? tools.names.map(name => `mcp_jury_${name}`) : ['none'] },
    // The loop detector ends an answer half way and calls it a success.
    model: { maxSessionTurns: tools ? mostRounds : 2, disableLoopDetection: true },
    ...(tools && {
      mcpServers: {
        jury: {
          command: tools.command,
          args: tools.args,
          env: tools.environment,
          includeTools: tools.names,
          trust: true,
          timeout: 10_000,
        },
      },
    }),
  };
}
