/** What codex 0.169.0 was seen to do, one row for each way a run can go. */
import type { Row } from './fakes.ts';

const text = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';
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
const failed = (cause: string, httpStatus: number | null = null) => ({
  status: 'failed' as const,
  failure: { cause, httpStatus },
});
const retried = (message: string) => ({
  exitCode: 1,
  lines: [...opening, reconnecting(message), ...turnFailed(message)],
});

export const codexRows: readonly Row[] = [
  {
    name: 'a good answer',
    scenario: { lines: [...opening, said(text), done] },
    expected: {
      status: 'answered',
      text,
      stop: 'end',
      usage: {
        calls: 1,
        inputTokens: 1234,
        outputTokens: 21,
        cachedTokens: 100,
        cost: null,
        estimated: false,
      },
    },
  },
  {
    name: 'a warning item in a good run',
    scenario: {
      lines: [
        ...opening,
        {
          type: 'item.completed',
          item: { id: 'item_0', type: 'error', message: 'Model metadata not found.' },
        },
        said(text),
        done,
      ],
    },
    expected: { status: 'answered', text, usage: { calls: 1 } },
  },
  {
    name: 'a retry that helped: the last text counts, once',
    scenario: {
      lines: [
        ...opening,
        said('CRITICAL|src'),
        reconnecting('stream disconnected before completion'),
        said(text),
        done,
      ],
    },
    expected: { status: 'answered', text, usage: { calls: 2 } },
  },
  {
    name: '401, booked with the estimated prompt for each request',
    turn: { prompt: 'x'.repeat(4000), instructions: '' },
    scenario: retried(
      'unexpected status 401 Unauthorized: Incorrect API key provided: mock., url: http://127.0.0.1:1/v1/responses',
    ),
    expected: { ...failed('auth', 401), usage: { calls: 2, inputTokens: 2000, estimated: true } },
  },
  {
    name: '403',
    scenario: retried(
      'unexpected status 403 Forbidden: Country, region, or territory not supported',
    ),
    expected: failed('auth', 403),
  },
  {
    name: 'a missing key variable',
    scenario: {
      exitCode: 1,
      lines: [...opening, ...turnFailed('Missing environment variable: `JURY_KEY`.')],
    },
    expected: failed('auth'),
  },
  {
    name: '404',
    scenario: {
      exitCode: 1,
      lines: [
        ...opening,
        ...turnFailed('The model `no-such-model` does not exist or you do not have access to it.'),
      ],
    },
    expected: failed('provider', 404),
  },
  {
    name: '429',
    scenario: retried(
      'exceeded retry limit, last status: 429 Too Many Requests, request id: req_1',
    ),
    expected: failed('rate-limited', 429),
  },
  {
    name: 'a used-up quota',
    scenario: {
      exitCode: 1,
      lines: [...opening, ...turnFailed('Quota exceeded. Check your plan and billing details.')],
    },
    expected: failed('quota'),
  },
  {
    name: '500, which the client hides behind a sentence of its own',
    scenario: retried(
      'We’re currently experiencing high demand, which may cause temporary errors.',
    ),
    expected: failed('provider', 500),
  },
  {
    name: '503',
    scenario: retried(
      'unexpected status 503 Service Unavailable: The engine is currently overloaded, please try again later',
    ),
    expected: failed('provider', 503),
  },
  {
    name: '529',
    scenario: retried('unexpected status 529 <unknown status code>: Overloaded'),
    expected: failed('rate-limited', 529),
  },
  {
    name: 'a prompt above the context window',
    scenario: {
      exitCode: 1,
      lines: [
        ...opening,
        ...turnFailed("Codex ran out of room in the model's context window. Start a new thread."),
      ],
    },
    expected: failed('context'),
  },
  {
    name: 'a prompt above its own limit, told on standard error only',
    scenario: {
      exitCode: 1,
      lines: [],
      stderr: 'Error: Input exceeds the maximum length of 1048576 characters.',
    },
    expected: failed('context'),
  },
  {
    name: 'a server that never answers',
    turn: { totalMs: 900 },
    scenario: { hangs: true, lines: opening },
    expected: failed('deadline'),
  },
  {
    name: 'a stream that stalled',
    scenario: retried('stream disconnected before completion: idle timeout waiting for SSE'),
    expected: failed('idle'),
  },
  {
    name: 'a refused connection',
    scenario: retried('Connection failed: error sending request'),
    expected: failed('unreachable'),
  },
  {
    name: 'a closed socket',
    scenario: retried('stream disconnected before completion: error sending request'),
    expected: failed('unreachable'),
  },
  {
    name: 'an empty answer or a refusal, with code 0',
    scenario: { lines: [...opening, done] },
    expected: failed('empty'),
  },
  {
    name: 'an answer of blanks',
    scenario: { lines: [...opening, said(' \n'), done] },
    expected: failed('empty'),
  },
  {
    name: 'an answer cut by the output limit',
    scenario: {
      exitCode: 1,
      lines: [
        ...opening,
        said(text),
        ...turnFailed('Incomplete response returned, reason: max_output_tokens'),
      ],
    },
    expected: failed('truncated'),
  },
  {
    name: 'an answer stopped by a filter',
    scenario: {
      exitCode: 1,
      lines: [
        ...opening,
        said(text),
        ...turnFailed('Incomplete response returned, reason: content_filter'),
      ],
    },
    expected: failed('refusal'),
  },
  {
    name: 'a stream that broke off, with its text once per retry',
    scenario: {
      exitCode: 1,
      lines: [
        ...opening,
        said(text),
        reconnecting('stream disconnected before completion'),
        said(text),
        ...turnFailed(
          'stream disconnected before completion: Transport error: network error: error decoding response body',
        ),
      ],
    },
    expected: failed('truncated'),
  },
  {
    name: 'a stream that broke off before a text was whole',
    scenario: retried(
      'stream disconnected before completion: Transport error: network error: error decoding response body',
    ),
    expected: failed('truncated'),
  },
  {
    name: 'an error event inside the stream',
    scenario: retried(
      'stream disconnected before completion: The server had an error while processing your request.',
    ),
    expected: failed('provider'),
  },
  {
    name: 'a page instead of a stream',
    scenario: retried(
      'stream disconnected before completion: stream closed before response.completed',
    ),
    expected: failed('provider'),
  },
  {
    name: 'SIGTERM from somebody else',
    scenario: { signal: 'SIGTERM', lines: opening },
    expected: failed('killed'),
  },
  {
    name: 'an unknown flag',
    scenario: { exitCode: 2, lines: [], stderr: "error: unexpected argument '--disable' found" },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 2 } },
  },
  {
    name: 'code 0 without the closing record',
    scenario: { lines: [...opening, said(text)] },
    expected: failed('protocol'),
  },
  {
    name: 'a good answer with code 1',
    scenario: { exitCode: 1, lines: [...opening, said(text), done] },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 1 } },
  },
  {
    name: 'a model that goes on using things: ended at the cap',
    scenario: {
      hangs: true,
      pauseMs: 5,
      lines: [
        ...opening,
        ...Array.from({ length: 9 }, (_, index) => ({
          type: 'item.completed',
          item: { id: `item_${index}`, type: 'file_change', status: 'failed' },
        })),
      ],
    },
    expected: failed('budget'),
  },
];
