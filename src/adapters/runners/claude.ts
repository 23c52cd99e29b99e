/** Asks Claude Code: no tools, no settings, nothing of a login, one turn. */
import { join } from 'node:path';
import {
  type Client,
  type Judgement,
  type Table,
  type Told,
  type ToolLaunch,
  at,
  countAt,
  createReading,
  estimateTokens,
  mostRounds,
  noText,
  nothingCounted,
  nothingTold,
  numberAt,
  programEnding,
  textAt,
  withoutVersion,
} from './client.ts';
import type { Answered } from '../../core/ports/runner.ts';
import { type Fault, faultOf } from './provider-failure.ts';

// What the records of `claude -p --output-format stream-json` mean (2.1.330).

interface State extends Told {
  /** The answer, and after each break what the client had the model add. */
  pieces: [string, ...string[]];
  metered: typeof nothingCounted;
  /** Characters of the message that is being written. */
  open: number;
  /** Text of it that no whole record has repeated yet. */
  openText: string;
  /** What it calls is no tool but the schema it fills in, as a part of its answer. */
  isForm: boolean;
  refusedOnce: boolean;
  /** The closing record. */
  result: unknown;
}

const table: Table<State> = {
  records: {
    stream_event: (state, record) => takeEvent(state, at(record, 'event')),
    assistant: takeAssistant,
    user: takeResumption,
    system(state, record) {
      if (at(record, 'subtype') === 'api_retry') state.requests += 1;
    },
    result(state, record) {
      if (typeof at(record, 'is_error') !== 'boolean') return;
      state.result = record;
      // It counts every request of the run, also of a failed one; without it the meter has to do.
      if (at(record, 'usage') ?? null)
        state.counted = {
          ...countsIn(record),
          cost: numberAt(record, 'total_cost_usd'),
        };
    },
  },
  meter: ({ metered, open, result }) => ({
    ...metered,
    outputTokens: metered.outputTokens + estimateTokens(open),
    cost: numberAt(result, 'total_cost_usd'),
  }),
  conclude,
};

function readClaudeOutput() {
  const state: State = {
    ...nothingTold(),
    pieces: [''],
    metered: { ...nothingCounted },
    open: 0,
    openText: '',
    isForm: false,
    refusedOnce: false,
    result: null,
  };
  return createReading(state, table, { textSoFar: () => state.pieces.join('') + state.openText });
}

/** Input excludes what was read from or written to the cache. */
function countsIn(record: unknown): typeof nothingCounted {
  const of = (key: string) => countAt(record, `usage.${key}`);
  const cachedTokens = of('cache_read_input_tokens');
  return {
    inputTokens: of('input_tokens') + cachedTokens + of('cache_creation_input_tokens'),
    outputTokens: of('output_tokens'),
    cachedTokens,
    cost: null,
  };
}

function takeEvent(state: State, event: unknown) {
  const { metered } = state;
  switch (textAt(event, 'type')) {
    case 'message_start': {
      const { inputTokens, cachedTokens } = countsIn(at(event, 'message'));
      state.requests += 1;
      state.model = textAt(event, 'message.model') || null;
      state.open = 0;
      state.openText = '';
      metered.inputTokens += inputTokens;
      metered.cachedTokens += cachedTokens;
      break;
    }
    case 'content_block_start':
      // By this tool a model fills in the schema it was given.
      state.isForm ||= at(event, 'content_block.name') === 'StructuredOutput';
      break;
    case 'content_block_delta': {
      const filled = state.isForm ? textAt(event, 'delta.partial_json') : '';
      const piece = textAt(event, 'delta.text') + filled;
      state.open += piece.length;
      state.openText += piece;
      break;
    }
    case 'message_delta':
      metered.outputTokens += countAt(event, 'usage.output_tokens');
      state.open = 0;
  }
}

function takeAssistant(state: State, record: unknown) {
  const content = at(record, 'message.content');
  if (!Array.isArray(content)) return;
  if (at(record, 'is_api_error_message') === true) {
    state.requests += 1;
    return;
  }
  state.openText = '';
  const said = content.map((part: unknown) =>
    at(part, 'type') === 'text'
      ? textAt(part, 'text')
      : state.isForm
        ? JSON.stringify(at(part, 'input'))
        : '',
  );
  addToLast(state, said.join(''));
}

/** Results of tools apart, only the client itself speaks as the user: when an answer was empty, refused or broke off. */
function takeResumption(state: State, record: unknown) {
  if (at(record, 'message.content.0.type') === 'tool_result') {
    if (!state.isForm) state.pieces = [''];
    return;
  }
  // Of a form that breaks off there is no whole record.
  addToLast(state, state.openText);
  state.pieces.push('');
  if (textAt(record, 'refused_message_id') !== '') state.refusedOnce = true;
}

function addToLast({ pieces }: State, text: string) {
  pieces[pieces.length - 1] += text;
}

/** `subtype` stays "success" on API errors, so that it is never asked alone. */
function conclude(state: State): Judgement | null {
  const { result } = state;
  if (result === null) return null;
  const said = (key: string) => textAt(result, key);
  const httpStatus = numberAt(result, 'api_error_status');
  if (said('terminal_reason') === 'prompt_too_long')
    return { cause: 'context', message: said('result'), httpStatus };
  if (said('stop_reason') === 'refusal' || state.refusedOnce)
    return { cause: 'refusal', message: 'The model or its safety classifier refused.' };
  if (said('api_error') === 'max_output_tokens')
    return { cause: 'truncated', message: 'The output limit was reached again and again.' };
  // Given a schema, a model that wrote text or filled it in amiss would be asked again, had it another turn.
  const isOver = said('subtype') === 'error_max_turns';
  if (isOver && !state.isForm && said('stop_reason') !== 'end_turn')
    return { cause: 'budget', message: 'The turn limit was reached before there was an answer.' };
  if (said('subtype') === 'error_during_execution')
    return { cause: 'killed', message: 'Interrupted while it worked.' };
  if (at(result, 'is_error') === true && !isOver) return apiFault(state, httpStatus);
  return whole(state);
}

function apiFault({ open, pieces, result }: State, httpStatus: number | null): Fault {
  const message = textAt(result, 'result') || 'The client reports an error without a message.';
  const brokeOff = open > 0 || pieces.some(piece => piece !== '');
  return httpStatus === null && brokeOff && at(result, 'api_error') === 'connection_failed'
    ? { cause: 'truncated', message }
    : faultOf(message, httpStatus);
}

/**
 * After an answer that broke off, the client asks the model to go on and then prints the last piece alone as the result
 * of a successful run. All pieces are put together, and the answer counts as cut: what was lost between them is unknown.
 */
function whole({ pieces, result }: State): Judgement {
  const spoken = pieces.filter(piece => piece.trim() !== '');
  const text = spoken.join('') || textAt(result, 'result');
  if (text.trim() === '') return noText;
  return {
    text,
    stop: spoken.length > 1 ? 'cut' : (stops.get(textAt(result, 'stop_reason')) ?? 'unknown'),
    ...(at(result, 'is_error') === true && { exitCode: 1 }),
  };
}

const stops: ReadonlyMap<string, Answered['stop']> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  // The form is filled in.
  ['tool_use', 'end'],
  ['max_tokens', 'cut'],
]);

const loginVariable = 'CLAUDE_CODE_OAUTH_TOKEN';

export const claude: Client = {
  name: 'claude',
  verified: ['2.1.330'],
  // CVE-2025-59536.
  oldest: '1.0.111',
  natives: [`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude${programEnding}`],
  keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', loginVariable],
  defaultModel: 'claude-sonnet-4-5',
  promptLimit: { unit: 'bytes', most: 9_000_000 },
  maxRequests: null,
  takesSchema: true,
  read: readClaudeOutput,
  launch({
    model,
    instructions,
    credential: { variable, value },
    root,
    home,
    seat,
    tools,
    schema,
  }) {
    const configuration = join(root, 'mcp.json');
    return {
      args: [
        ...'-p --output-format stream-json --verbose --include-partial-messages --model'.split(' '),
        model,
        // It reads no login at all; the other switches keep a login run just as empty.
        ...(variable === loginVariable ? [] : ['--bare']),
        '--tools',
        '',
        '--strict-mcp-config',
        '--setting-sources',
        '',
        '--disable-slash-commands',
        '--no-session-persistence',
        '--max-turns',
        String(tools ? mostRounds : 1),
        '--system-prompt',
        instructions,
        ...(schema ? ['--json-schema', JSON.stringify(schema)] : []),
        ...(tools
          ? [
              '--mcp-config',
              configuration,
              '--allowed-tools',
              tools.names.map(name => `mcp__jury__${name}`).join(','),
              '--permission-mode',
              'dontAsk',
            ]
          : []),
      ],
      environment: {
        CLAUDE_CONFIG_DIR: join(home, 'claude'),
        [claude.keyVariables.includes(variable) ? variable : 'ANTHROPIC_API_KEY']: value,
        ...(seat.baseUrl !== undefined && {
          ANTHROPIC_BASE_URL: withoutVersion(seat.baseUrl, 'v1'),
        }),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_MAX_RETRIES: '2',
        API_TIMEOUT_MS: '120000',
        CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '60000',
        ...(tools && { MCP_TIMEOUT: '10000' }),
      },
      files: tools
        ? [
            {
              path: configuration,
              text: JSON.stringify({ mcpServers: { jury: describeServer(tools, variable) } }),
            },
          ]
        : [],
      // Partial messages come in pieces of 16 characters: 22 bytes of records for one of text.
      maxStdoutBytes: 16_777_216,
    };
  },
};

/** The client hands its whole environment on to the server, the key included, unless told otherwise. */
function describeServer({ command, args, environment }: ToolLaunch, variable: string) {
  const keys = Object.fromEntries([...claude.keyVariables, variable].map(name => [name, '']));
  return { type: 'stdio', command, args, env: { ...keys, ...environment } };
}
