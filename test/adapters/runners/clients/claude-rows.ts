/** What claude 2.1.330 was seen to do, one row for each way a run can go. */
import { answered, exited, failed, row, text, type Row } from './fakes.ts';

const usage = {
  input_tokens: 1234,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 100,
  output_tokens: 21,
};

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
  row(
    'a good answer, with usage that includes the cached input and the list price',
    answered({
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
    }),
    [init, start, delta('CRITICAL|src/a.t'), said(text), end('end_turn'), result({})],
  ),
  row('a good answer between lines that are not JSON', answered(), [
    'warning: something',
    '{broken',
    init,
    said(text),
    result({}),
  ]),
  row(
    'an answer in two blocks of one message',
    answered({ text: 'LOW|None\nVERDICT: safe', stop: 'end' }),
    [
      init,
      start,
      said('LOW|None\n'),
      said('VERDICT: safe'),
      end('end_turn'),
      result({ result: 'LOW|None\nVERDICT: safe' }),
    ],
  ),
  row(
    '401',
    { ...failed('auth', 401), usage: { calls: 2 } },
    [
      init,
      retry(401),
      ...apiError('Invalid API key · Fix external API key', { api_error_status: 401 }),
    ],
    1,
  ),
  row(
    '403',
    failed('auth', 403),
    [
      init,
      ...apiError('API Error: 403 Your API key does not have permission', {
        api_error_status: 403,
      }),
    ],
    1,
  ),
  row(
    '404',
    failed('provider', 404),
    [init, ...apiError("There's an issue with the selected model (x).", { api_error_status: 404 })],
    1,
  ),
  row('no login', failed('auth'), [init, ...apiError('Not logged in · Please run /login')], 1),
  row(
    '429',
    failed('rate-limited', 429),
    [
      init,
      retry(429),
      ...apiError(
        'API Error: Request rejected (429) · This request would exceed the rate limit for your organization.',
        { api_error_status: 429 },
      ),
    ],
    1,
  ),
  row(
    'a used-up quota, which differs from 429 only in its text',
    failed('quota', 429),
    [
      init,
      ...apiError(
        'API Error: Request rejected (429) · You have reached your specified API usage limits.',
        { api_error_status: 429 },
      ),
    ],
    1,
  ),
  row(
    '500',
    failed('provider', 500),
    [init, ...apiError('API Error: 500 Internal server error.', { api_error_status: 500 })],
    1,
  ),
  row(
    '503',
    failed('provider', 503),
    [init, ...apiError('API Error: 503 Service unavailable.', { api_error_status: 503 })],
    1,
  ),
  row(
    '529',
    failed('rate-limited', 529),
    [init, ...apiError('API Error: 529 Overloaded.', { api_error_status: 529 })],
    1,
  ),
  row(
    'a prompt above the context window',
    failed('context', 400),
    [
      init,
      ...apiError('Prompt is too long', {
        api_error_status: 400,
        terminal_reason: 'prompt_too_long',
      }),
    ],
    1,
  ),
  row('a prompt above 10 MB, refused before anything', failed('context'), [], {
    exitCode: 1,
    stderr: 'Error: piped stdin input exceeds 10MB',
  }),
  row(
    'a server that never answers, given up by the client',
    failed('deadline'),
    [
      init,
      retry(null),
      ...apiError(
        'Request timed out. If the API is slow to answer, set API_TIMEOUT_MS above 8000.',
      ),
    ],
    1,
  ),
  row(
    'a server that never answers, given up by Jury',
    {
      ...failed('idle'),
      usage: { calls: 1, inputTokens: 1334, outputTokens: 4, estimated: true },
    },
    [init, start, delta('CRITICAL|src/a.t')],
    { hangs: true },
    { idleMs: 900 },
  ),
  row(
    'silence after the first words',
    failed('idle'),
    [init, start, delta('CRITICAL')],
    { hangs: true },
    { totalMs: 20_000, idleMs: 400 },
  ),
  row(
    'no output at all',
    failed('first-output'),
    [],
    { hangs: true },
    { totalMs: 20_000, firstOutputMs: 700 },
  ),
  row('an empty answer, with code 0', failed('empty'), [
    init,
    start,
    end('end_turn'),
    resume,
    start,
    end('end_turn'),
    result({ result: '' }),
  ]),
  row('a second answer after an empty one', answered({ stop: 'end' }), [
    init,
    start,
    end('end_turn'),
    resume,
    start,
    said(text),
    end('end_turn'),
    result({}),
  ]),
  row(
    'an answer cut by the output limit',
    failed('truncated'),
    [
      init,
      start,
      said(text),
      resume,
      said(text),
      ...apiError("API Error: Claude's response exceeded the 32000 output token maximum.", {
        api_error: 'max_output_tokens',
      }),
    ],
    1,
  ),
  row(
    'a cut answer that the client had resumed: the result holds only its end, and must not pass for the whole',
    answered({ stop: 'cut' }),
    [
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
  ),
  row(
    'a refusal',
    failed('refusal'),
    [
      init,
      start,
      said(text),
      ...apiError("API Error: Sonnet 4.5 can't help with this.", { stop_reason: 'refusal' }),
    ],
    1,
  ),
  row('a refusal that the client had the model go around', failed('refusal'), [
    init,
    start,
    said('I cannot'),
    end('refusal'),
    { ...resume, refused_message_id: 'msg_1' },
    start,
    said(text),
    end('end_turn'),
    result({}),
  ]),
  row(
    'a stream that broke off',
    failed('truncated'),
    [
      init,
      start,
      said(text),
      ...apiError(
        'API Error: Connection lost mid-response. The response above may be incomplete.',
        { api_error: 'connection_failed' },
      ),
    ],
    1,
  ),
  row(
    'a stream that broke off within a block, and a fallback without luck',
    failed('truncated'),
    [
      init,
      start,
      delta('CRITICAL'),
      ...apiError('API Error: Connection dropped (ECONNRESET).', {
        api_error: 'connection_failed',
      }),
    ],
    1,
  ),
  row(
    'a closed socket',
    failed('unreachable'),
    [
      init,
      ...apiError('API Error: Connection dropped (ECONNRESET). Check the gateway.', {
        api_error: 'connection_failed',
      }),
    ],
    1,
  ),
  row(
    'a refused connection',
    failed('unreachable'),
    [
      init,
      ...apiError(
        'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
        { api_error: 'connection_failed' },
      ),
    ],
    1,
  ),
  row(
    'a page instead of a stream',
    failed('provider'),
    [
      init,
      ...apiError(
        'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy.',
      ),
    ],
    1,
  ),
  row('SIGTERM from somebody else', failed('killed'), [init, start], 143),
  row('SIGINT, with code 0', failed('killed'), [
    init,
    result({ is_error: true, subtype: 'error_during_execution', result: undefined }),
  ]),
  row('SIGKILL', failed('killed'), [init, start], { signal: 'SIGKILL' }),
  row('the turn limit', failed('budget'), [init, outOfTurns('tool_use')], 1),
  row(
    'a schema that was filled in, below words of its own',
    answered({ text: `I looked at it.${JSON.stringify(form)}`, stop: 'end' }),
    [
      init,
      start,
      said('I looked at it.'),
      ...filled,
      toolResult,
      end('tool_use'),
      result({ stop_reason: 'tool_use', result: JSON.stringify(form) }),
    ],
  ),
  row(
    'a schema whose filling in broke off, and which was then filled in with the rest',
    answered({ text: `{"prose":"CRITICAL|${JSON.stringify(form)}`, stop: 'cut' }),
    [
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
  ),
  row(
    'a schema that was filled in amiss',
    answered({ text: JSON.stringify(form), stop: 'end' }),
    [init, start, ...filled, toolResult, outOfTurns('tool_use')],
    1,
  ),
  row(
    'text in place of a schema, which the client would have asked about again',
    answered({ stop: 'end' }),
    [init, start, said(text), end('end_turn'), resume, outOfTurns('end_turn')],
    1,
  ),
  row(
    'text in place of a schema, and an exit code of another kind',
    failed('exit'),
    [init, start, said(text), outOfTurns('end_turn')],
    3,
  ),
  row(
    'a flag it does not know',
    {
      status: 'failed',
      failure: {
        cause: 'exit',
        exitCode: 1,
        message: "Ended with code 1: error: unknown option '--bare'",
      },
    },
    [],
    { exitCode: 1, stderr: "error: unknown option '--bare'" },
  ),
  row('code 0 without the closing record', failed('protocol'), [
    init,
    start,
    said(text),
    end('end_turn'),
  ]),
  row('code 0 with a closing record of another shape', failed('protocol'), [
    init,
    { type: 'result', result: text },
  ]),
  row('a good answer with code 1', exited(1), [init, said(text), result({})], 1),
];
