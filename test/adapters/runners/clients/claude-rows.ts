/** What claude 2.1.330 was seen to do, one row for each way a run can go. */
import type { Row } from './fakes.ts';

const usage = {
  input_tokens: 1234,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 100,
  output_tokens: 21,
};
const text = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';

const init = {
  type: 'system',
  subtype: 'init',
  tools: [],
  mcp_servers: [],
  model: 'claude-sonnet-4-5',
};
const start = {
  type: 'stream_event',
  event: {
    type: 'message_start',
    message: { model: 'claude-sonnet-4-5', usage: { ...usage, output_tokens: 1 } },
  },
};
const delta = (piece: string) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } },
});
const end = (stopReason: string) => ({
  type: 'stream_event',
  event: {
    type: 'message_delta',
    delta: { stop_reason: stopReason },
    usage: { output_tokens: 21 },
  },
});
const said = (words: string) => ({
  type: 'assistant',
  message: {
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: words }],
    usage: { ...usage, output_tokens: 1 },
  },
});
const retry = (status: number | null) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 1,
  error_status: status,
});
const result = (changes: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: text,
  stop_reason: 'end_turn',
  terminal_reason: 'completed',
  api_error_status: null,
  total_cost_usd: 0.004047,
  num_turns: 1,
  usage,
  ...changes,
});
const apiError = (words: string, changes: object = {}) => [
  {
    type: 'assistant',
    is_api_error_message: true,
    message: { model: '<synthetic>', content: [{ type: 'text', text: words }] },
  },
  result({
    is_error: true,
    result: words,
    stop_reason: 'stop_sequence',
    terminal_reason: 'api_error',
    total_cost_usd: 0,
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    },
    ...changes,
  }),
];
const failed = (cause: string, httpStatus: number | null = null) => ({
  status: 'failed' as const,
  failure: { cause, httpStatus },
});
const outOfTurns = (stopReason: string) =>
  result({
    is_error: true,
    subtype: 'error_max_turns',
    stop_reason: stopReason,
    terminal_reason: 'max_turns',
    result: undefined,
  });
const form = { prose: 'One thing.', findings: [] };
const fillIn = (text: string) =>
  [
    {
      type: 'content_block_start',
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'StructuredOutput', input: {} },
    },
    ...(text.match(/.{1,16}/g) ?? []).map(piece => ({
      type: 'content_block_delta',
      delta: { type: 'input_json_delta', partial_json: piece },
    })),
  ].map(event => ({ type: 'stream_event', event }));
const filled = [
  ...fillIn(JSON.stringify(form)),
  {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', name: 'StructuredOutput', input: form }] },
  },
];
const toolResult = {
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done.' }],
  },
};
const resume = {
  type: 'user',
  isSynthetic: true,
  message: {
    role: 'user',
    content: [{ type: 'text', text: 'Output token limit hit. Resume directly.' }],
  },
};

export const claudeRows: readonly Row[] = [
  {
    name: 'a good answer, with usage that includes the cached input and the list price',
    scenario: {
      lines: [init, start, delta('CRITICAL|src/a.t'), said(text), end('end_turn'), result({})],
    },
    expected: {
      status: 'answered',
      text,
      stop: 'end',
      model: 'claude-sonnet-4-5',
      usage: {
        calls: 1,
        inputTokens: 1334,
        outputTokens: 21,
        cachedTokens: 100,
        cost: 0.004047,
        estimated: false,
      },
    },
  },
  {
    name: 'a good answer between lines that are not JSON',
    scenario: { lines: ['warning: something', '{broken', init, said(text), result({})] },
    expected: { status: 'answered', text },
  },
  {
    name: 'an answer in two blocks of one message',
    scenario: {
      lines: [
        init,
        start,
        said('LOW|None\n'),
        said('VERDICT: safe'),
        end('end_turn'),
        result({ result: 'LOW|None\nVERDICT: safe' }),
      ],
    },
    expected: { status: 'answered', text: 'LOW|None\nVERDICT: safe', stop: 'end' },
  },
  {
    name: '401',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        retry(401),
        ...apiError('Invalid API key · Fix external API key', { api_error_status: 401 }),
      ],
    },
    expected: { ...failed('auth', 401), usage: { calls: 2 } },
  },
  {
    name: '403',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError('API Error: 403 Your API key does not have permission', {
          api_error_status: 403,
        }),
      ],
    },
    expected: failed('auth', 403),
  },
  {
    name: '404',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError("There's an issue with the selected model (x).", { api_error_status: 404 }),
      ],
    },
    expected: failed('provider', 404),
  },
  {
    name: 'no login',
    scenario: { exitCode: 1, lines: [init, ...apiError('Not logged in · Please run /login')] },
    expected: failed('auth'),
  },
  {
    name: '429',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        retry(429),
        ...apiError(
          'API Error: Request rejected (429) · This request would exceed the rate limit for your organization.',
          { api_error_status: 429 },
        ),
      ],
    },
    expected: failed('rate-limited', 429),
  },
  {
    name: 'a used-up quota, which differs from 429 only in its text',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError(
          'API Error: Request rejected (429) · You have reached your specified API usage limits.',
          { api_error_status: 429 },
        ),
      ],
    },
    expected: failed('quota', 429),
  },
  {
    name: '500',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError('API Error: 500 Internal server error.', { api_error_status: 500 }),
      ],
    },
    expected: failed('provider', 500),
  },
  {
    name: '503',
    scenario: {
      exitCode: 1,
      lines: [init, ...apiError('API Error: 503 Service unavailable.', { api_error_status: 503 })],
    },
    expected: failed('provider', 503),
  },
  {
    name: '529',
    scenario: {
      exitCode: 1,
      lines: [init, ...apiError('API Error: 529 Overloaded.', { api_error_status: 529 })],
    },
    expected: failed('rate-limited', 529),
  },
  {
    name: 'a prompt above the context window',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError('Prompt is too long', {
          api_error_status: 400,
          terminal_reason: 'prompt_too_long',
        }),
      ],
    },
    expected: failed('context', 400),
  },
  {
    name: 'a prompt above 10 MB, refused before anything',
    scenario: { exitCode: 1, lines: [], stderr: 'Error: piped stdin input exceeds 10MB' },
    expected: failed('context'),
  },
  {
    name: 'a server that never answers, given up by the client',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        retry(null),
        ...apiError(
          'Request timed out. If the API is slow to answer, set API_TIMEOUT_MS above 8000.',
        ),
      ],
    },
    expected: failed('deadline'),
  },
  {
    name: 'a server that never answers, given up by Jury',
    turn: { idleMs: 900 },
    scenario: { hangs: true, lines: [init, start, delta('CRITICAL|src/a.t')] },
    expected: {
      ...failed('idle'),
      usage: { calls: 1, inputTokens: 1334, outputTokens: 4, estimated: true },
    },
  },
  {
    name: 'silence after the first words',
    turn: { totalMs: 20_000, idleMs: 400 },
    scenario: { hangs: true, lines: [init, start, delta('CRITICAL')] },
    expected: failed('idle'),
  },
  {
    name: 'no output at all',
    turn: { totalMs: 20_000, firstOutputMs: 700 },
    scenario: { hangs: true, lines: [] },
    expected: failed('first-output'),
  },
  {
    name: 'an empty answer, with code 0',
    scenario: {
      lines: [init, start, end('end_turn'), resume, start, end('end_turn'), result({ result: '' })],
    },
    expected: failed('empty'),
  },
  {
    name: 'a second answer after an empty one',
    scenario: {
      lines: [init, start, end('end_turn'), resume, start, said(text), end('end_turn'), result({})],
    },
    expected: { status: 'answered', text, stop: 'end' },
  },
  {
    name: 'an answer cut by the output limit',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        start,
        said(text),
        resume,
        said(text),
        ...apiError("API Error: Claude's response exceeded the 32000 output token maximum.", {
          api_error: 'max_output_tokens',
        }),
      ],
    },
    expected: failed('truncated'),
  },
  {
    name: 'a cut answer that the client had resumed: the result holds only its end, and must not pass for the whole',
    scenario: {
      lines: [
        init,
        start,
        said('CRITICAL|src/a.ts:10|Null '),
        end('max_tokens'),
        resume,
        start,
        said('dereference\nVERDICT: risky'),
        end('end_turn'),
        result({ result: 'dereference\nVERDICT: risky', num_turns: 2 }),
      ],
    },
    expected: { status: 'answered', text, stop: 'cut' },
  },
  {
    name: 'a refusal',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        start,
        said(text),
        ...apiError("API Error: Sonnet 4.5 can't help with this.", { stop_reason: 'refusal' }),
      ],
    },
    expected: failed('refusal'),
  },
  {
    name: 'a refusal that the client had the model go around',
    scenario: {
      lines: [
        init,
        start,
        said('I cannot'),
        end('refusal'),
        { ...resume, refused_message_id: 'msg_1' },
        start,
        said(text),
        end('end_turn'),
        result({}),
      ],
    },
    expected: failed('refusal'),
  },
  {
    name: 'a stream that broke off',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        start,
        said(text),
        ...apiError(
          'API Error: Connection lost mid-response. The response above may be incomplete.',
          { api_error: 'connection_failed' },
        ),
      ],
    },
    expected: failed('truncated'),
  },
  {
    name: 'a stream that broke off within a block, and a fallback without luck',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        start,
        delta('CRITICAL'),
        ...apiError('API Error: Connection dropped (ECONNRESET).', {
          api_error: 'connection_failed',
        }),
      ],
    },
    expected: failed('truncated'),
  },
  {
    name: 'a closed socket',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError('API Error: Connection dropped (ECONNRESET). Check the gateway.', {
          api_error: 'connection_failed',
        }),
      ],
    },
    expected: failed('unreachable'),
  },
  {
    name: 'a refused connection',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError(
          'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
          { api_error: 'connection_failed' },
        ),
      ],
    },
    expected: failed('unreachable'),
  },
  {
    name: 'a page instead of a stream',
    scenario: {
      exitCode: 1,
      lines: [
        init,
        ...apiError(
          'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy.',
        ),
      ],
    },
    expected: failed('provider'),
  },
  {
    name: 'SIGTERM from somebody else',
    scenario: { exitCode: 143, lines: [init, start] },
    expected: failed('killed'),
  },
  {
    name: 'SIGINT, with code 0',
    scenario: {
      lines: [
        init,
        result({ is_error: true, subtype: 'error_during_execution', result: undefined }),
      ],
    },
    expected: failed('killed'),
  },
  {
    name: 'SIGKILL',
    scenario: { signal: 'SIGKILL', lines: [init, start] },
    expected: failed('killed'),
  },
  {
    name: 'the turn limit',
    scenario: {
      exitCode: 1,
      lines: [init, outOfTurns('tool_use')],
    },
    expected: failed('budget'),
  },
  {
    name: 'a schema that was filled in, below words of its own',
    scenario: {
      lines: [
        init,
        start,
        said('I looked at it.'),
        ...filled,
        toolResult,
        end('tool_use'),
        result({ stop_reason: 'tool_use', result: JSON.stringify(form) }),
      ],
    },
    expected: {
      status: 'answered',
      text: `I looked at it.${JSON.stringify(form)}`,
      stop: 'end',
    },
  },
  {
    name: 'a schema whose filling in broke off, and which was then filled in with the rest',
    scenario: {
      lines: [
        init,
        start,
        ...fillIn('{"prose":"CRITICAL|'),
        resume,
        start,
        ...filled,
        toolResult,
        end('tool_use'),
        result({ stop_reason: 'tool_use', result: JSON.stringify(form) }),
      ],
    },
    expected: {
      status: 'answered',
      text: `{"prose":"CRITICAL|${JSON.stringify(form)}`,
      stop: 'cut',
    },
  },
  {
    name: 'a schema that was filled in amiss',
    scenario: { exitCode: 1, lines: [init, start, ...filled, toolResult, outOfTurns('tool_use')] },
    expected: { status: 'answered', text: JSON.stringify(form), stop: 'end' },
  },
  {
    name: 'text in place of a schema, which the client would have asked about again',
    scenario: {
      exitCode: 1,
      lines: [init, start, said(text), end('end_turn'), resume, outOfTurns('end_turn')],
    },
    expected: { status: 'answered', text, stop: 'end' },
  },
  {
    name: 'text in place of a schema, and an exit code of another kind',
    scenario: { exitCode: 3, lines: [init, start, said(text), outOfTurns('end_turn')] },
    expected: failed('exit'),
  },
  {
    name: 'a flag it does not know',
    scenario: { exitCode: 1, lines: [], stderr: "error: unknown option '--bare'" },
    expected: {
      status: 'failed',
      failure: {
        cause: 'exit',
        exitCode: 1,
        message: "Ended with code 1: error: unknown option '--bare'",
      },
    },
  },
  {
    name: 'code 0 without the closing record',
    scenario: { lines: [init, start, said(text), end('end_turn')] },
    expected: failed('protocol'),
  },
  {
    name: 'code 0 with a closing record of another shape',
    scenario: { lines: [init, { type: 'result', result: text }] },
    expected: failed('protocol'),
  },
  {
    name: 'a good answer with code 1',
    scenario: { exitCode: 1, lines: [init, said(text), result({})] },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 1 } },
  },
];
