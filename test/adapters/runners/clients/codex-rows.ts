/** What codex 0.169.0 was seen to do, one row for each way a run can go. */
import { answered, exited, failed, row, text, type Row } from './fakes.ts';

const opening = [
  { type: 'thread.started', thread_id: '01a1fff6-b232-79f1-902f-486556ee8aea' },
  { type: 'turn.started' },
];
const said = (words: string) => ({
  type: 'item.completed',
  item: { id: 'item_0', type: 'agent_message', text: words },
});
const done = {
  type: 'turn.completed',
  usage: {
    input_tokens: 1234,
    cached_input_tokens: 100,
    cache_write_input_tokens: 0,
    output_tokens: 21,
    reasoning_output_tokens: 0,
  },
};
const reconnecting = (message: string) => ({
  type: 'error',
  message: `Reconnecting... 1/1 (${message})`,
});
const turnFailed = (message: string) => [
  { type: 'error', message },
  { type: 'turn.failed', error: { message } },
];
const retried = (message: string) => [...opening, reconnecting(message), ...turnFailed(message)];

export const codexRows: readonly Row[] = [
  row(
    'a good answer',
    answered({
      stop: 'end',
      usage: {
        calls: 1,
        inputTokens: 1234,
        outputTokens: 21,
        cachedTokens: 100,
        cost: null,
        estimated: false,
      },
    }),
    [...opening, said(text), done],
  ),
  row('a warning item in a good run', answered({ usage: { calls: 1 } }), [
    ...opening,
    {
      type: 'item.completed',
      item: { id: 'item_0', type: 'error', message: 'Model metadata not found.' },
    },
    said(text),
    done,
  ]),
  row('a retry that helped: the last text counts, once', answered({ usage: { calls: 2 } }), [
    ...opening,
    said('CRITICAL|src'),
    reconnecting('stream disconnected before completion'),
    said(text),
    done,
  ]),
  row(
    '401, booked with the estimated prompt for each request',
    { ...failed('auth', 401), usage: { calls: 2, inputTokens: 2000, estimated: true } },
    retried(
      'unexpected status 401 Unauthorized: Incorrect API key provided: mock., url: http://127.0.0.1:1/v1/responses',
    ),
    1,
    { prompt: 'x'.repeat(4000), instructions: '' },
  ),
  row(
    '403',
    failed('auth', 403),
    retried('unexpected status 403 Forbidden: Country, region, or territory not supported'),
    1,
  ),
  row(
    'a missing key variable',
    failed('auth'),
    [...opening, ...turnFailed('Missing environment variable: `JURY_KEY`.')],
    1,
  ),
  row(
    '404',
    failed('provider', 404),
    [
      ...opening,
      ...turnFailed('The model `no-such-model` does not exist or you do not have access to it.'),
    ],
    1,
  ),
  row(
    '429',
    failed('rate-limited', 429),
    retried('exceeded retry limit, last status: 429 Too Many Requests, request id: req_1'),
    1,
  ),
  row(
    'a used-up quota',
    failed('quota'),
    [...opening, ...turnFailed('Quota exceeded. Check your plan and billing details.')],
    1,
  ),
  row(
    '500, which the client hides behind a sentence of its own',
    failed('provider', 500),
    retried('We’re currently experiencing high demand, which may cause temporary errors.'),
    1,
  ),
  row(
    '503',
    failed('provider', 503),
    retried(
      'unexpected status 503 Service Unavailable: The engine is currently overloaded, please try again later',
    ),
    1,
  ),
  row(
    '529',
    failed('rate-limited', 529),
    retried('unexpected status 529 <unknown status code>: Overloaded'),
    1,
  ),
  row(
    'a prompt above the context window',
    failed('context'),
    [
      ...opening,
      ...turnFailed("Codex ran out of room in the model's context window. Start a new thread."),
    ],
    1,
  ),
  row('a prompt above its own limit, told on standard error only', failed('context'), [], {
    exitCode: 1,
    stderr: 'Error: Input exceeds the maximum length of 1048576 characters.',
  }),
  row(
    'a server that never answers',
    failed('deadline'),
    opening,
    { hangs: true },
    { totalMs: 900 },
  ),
  row(
    'a stream that stalled',
    failed('idle'),
    retried('stream disconnected before completion: idle timeout waiting for SSE'),
    1,
  ),
  row(
    'a refused connection',
    failed('unreachable'),
    retried('Connection failed: error sending request'),
    1,
  ),
  row(
    'a closed socket',
    failed('unreachable'),
    retried('stream disconnected before completion: error sending request'),
    1,
  ),
  row('an empty answer or a refusal, with code 0', failed('empty'), [...opening, done]),
  row('an answer of blanks', failed('empty'), [...opening, said(' \n'), done]),
  row(
    'an answer cut by the output limit',
    failed('truncated'),
    [
      ...opening,
      said(text),
      ...turnFailed('Incomplete response returned, reason: max_output_tokens'),
    ],
    1,
  ),
  row(
    'an answer stopped by a filter',
    failed('refusal'),
    [...opening, said(text), ...turnFailed('Incomplete response returned, reason: content_filter')],
    1,
  ),
  row(
    'a stream that broke off, with its text once per retry',
    failed('truncated'),
    [
      ...opening,
      said(text),
      reconnecting('stream disconnected before completion'),
      said(text),
      ...turnFailed(
        'stream disconnected before completion: Transport error: network error: error decoding response body',
      ),
    ],
    1,
  ),
  row(
    'a stream that broke off before a text was whole',
    failed('truncated'),
    retried(
      'stream disconnected before completion: Transport error: network error: error decoding response body',
    ),
    1,
  ),
  row(
    'an error event inside the stream',
    failed('provider'),
    retried(
      'stream disconnected before completion: The server had an error while processing your request.',
    ),
    1,
  ),
  row(
    'a page instead of a stream',
    failed('provider'),
    retried('stream disconnected before completion: stream closed before response.completed'),
    1,
  ),
  row('SIGTERM from somebody else', failed('killed'), opening, { signal: 'SIGTERM' }),
  row('an unknown flag', exited(2), [], {
    exitCode: 2,
    stderr: "error: unexpected argument '--disable' found",
  }),
  row('code 0 without the closing record', failed('protocol'), [...opening, said(text)]),
  row('a good answer with code 1', exited(1), [...opening, said(text), done], 1),
  row(
    'a model that goes on using things: ended at the cap',
    failed('budget'),
    [
      ...opening,
      ...Array.from({ length: 9 }, (_, index) => ({
        type: 'item.completed',
        item: { id: `item_${index}`, type: 'file_change', status: 'failed' },
      })),
    ],
    { hangs: true, pauseMs: 5 },
  ),
];
