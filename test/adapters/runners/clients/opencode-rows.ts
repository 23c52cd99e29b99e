/** What opencode 1.18.33 was seen to do, one row for each way a run can go. */
import type { Row } from './fakes.ts';

const text = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';
const start = { type: 'step_start', sessionID: 'ses_1', part: { type: 'step-start' } };
const said = (words: string) => ({
  type: 'text',
  sessionID: 'ses_1',
  part: { type: 'text', text: words },
});
const finish = (reason: string, changes: object = {}) => ({
  type: 'step_finish',
  sessionID: 'ses_1',
  part: {
    reason,
    type: 'step-finish',
    tokens: { total: 1255, input: 1134, output: 21, reasoning: 0, cache: { write: 0, read: 100 } },
    cost: 0.003747,
    ...changes,
  },
});
const error = (name: string, message: string, statusCode?: number) => ({
  type: 'error',
  sessionID: 'ses_1',
  error: {
    name,
    data: { message, ...(statusCode === undefined ? {} : { statusCode, isRetryable: false }) },
  },
});
const failed = (cause: string, httpStatus: number | null = null) => ({
  status: 'failed' as const,
  failure: { cause, httpStatus },
});
const apiError = (status: number, message: string) => ({
  exitCode: 1,
  lines: [error('APIError', message, status)],
});

export const opencodeRows: readonly Row[] = [
  {
    name: 'a good answer, with usage that includes the cached input',
    scenario: { lines: [start, said(text), finish('stop')] },
    expected: {
      status: 'answered',
      text,
      stop: 'end',
      usage: {
        calls: 1,
        inputTokens: 1234,
        outputTokens: 21,
        cachedTokens: 100,
        cost: 0.003747,
        estimated: false,
      },
    },
  },
  {
    name: 'words before a tool call are not the answer',
    scenario: {
      lines: [start, said('Let me look.'), finish('tool-calls'), start, said(text), finish('stop')],
    },
    expected: { status: 'answered', text, usage: { calls: 2, inputTokens: 2468 } },
  },
  {
    name: 'a cost of zero, which means that no price is known',
    scenario: { lines: [start, said(text), finish('stop', { cost: 0 })] },
    expected: { status: 'answered', usage: { cost: null } },
  },
  {
    name: '401',
    scenario: apiError(401, 'Incorrect API key provided: mock.'),
    expected: failed('auth', 401),
  },
  {
    name: '403',
    scenario: apiError(403, 'Country, region, or territory not supported'),
    expected: failed('auth', 403),
  },
  {
    name: '404',
    scenario: apiError(
      404,
      'The model `no-such-model` does not exist or you do not have access to it.',
    ),
    expected: failed('provider', 404),
  },
  {
    name: 'a prompt above the context window',
    scenario: {
      exitCode: 1,
      lines: [
        error('ContextOverflowError', 'Your input exceeds the context window of this model.'),
      ],
    },
    expected: failed('context'),
  },
  {
    name: '429',
    scenario: apiError(
      429,
      'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 1s.',
    ),
    expected: { ...failed('rate-limited', 429), retryAfterMs: 1000 },
  },
  {
    name: 'a used-up quota, were it ever told',
    scenario: apiError(
      429,
      'You exceeded your current quota, please check your plan and billing details.',
    ),
    expected: failed('quota', 429),
  },
  {
    name: 'a quota, 503, 529 or closed socket: silence until the deadline',
    turn: { totalMs: 900 },
    scenario: { hangs: true, lines: [] },
    expected: failed('deadline'),
  },
  {
    name: '500',
    scenario: apiError(500, 'The server had an error while processing your request.'),
    expected: failed('provider', 500),
  },
  { name: '529', scenario: apiError(529, 'Overloaded'), expected: failed('rate-limited', 529) },
  {
    name: 'a request that took too long',
    scenario: { exitCode: 1, lines: [start, error('UnknownError', 'The operation timed out.')] },
    expected: failed('deadline'),
  },
  {
    name: 'a refused connection',
    scenario: {
      exitCode: 1,
      lines: [error('UnknownError', 'Unable to connect. Is the computer able to access the url?')],
    },
    expected: failed('unreachable'),
  },
  {
    name: 'a broken stream: steps that start again and never end',
    turn: { idleMs: 900 },
    scenario: { hangs: true, lines: [start, start, start] },
    expected: { ...failed('idle'), usage: { calls: 3, estimated: true } },
  },
  {
    name: 'an empty answer, with code 0',
    scenario: { lines: [start, finish('stop')] },
    expected: failed('empty'),
  },
  {
    name: 'an answer cut by the output limit, with code 0',
    scenario: { lines: [start, said(text), finish('length')] },
    expected: { status: 'answered', text, stop: 'cut' },
  },
  {
    name: 'a refusal, with text',
    scenario: {
      exitCode: 1,
      lines: [
        start,
        said(text),
        finish('content-filter'),
        error('ContentFilterError', "The response was blocked by the provider's content filter"),
      ],
    },
    expected: failed('refusal'),
  },
  {
    name: 'a filtered answer with code 0',
    scenario: { lines: [start, said(text), finish('content-filter')] },
    expected: failed('refusal'),
  },
  {
    name: 'an endpoint that speaks another protocol: a hot loop, ended at the cap',
    scenario: {
      hangs: true,
      pauseMs: 5,
      lines: Array.from({ length: 12 }, () => [
        start,
        finish('unknown', {
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          cost: 0,
        }),
      ]).flat(),
    },
    expected: failed('provider'),
  },
  {
    name: 'a model that loops: ended at the cap',
    scenario: {
      hangs: true,
      pauseMs: 5,
      lines: Array.from({ length: 12 }, () => [start, finish('tool-calls')]).flat(),
    },
    expected: failed('budget'),
  },
  {
    name: 'a last step without an end',
    scenario: { lines: [start, said(text), finish('unknown')] },
    expected: failed('protocol'),
  },
  {
    name: 'SIGTERM from somebody else',
    scenario: { signal: 'SIGTERM', lines: [start, said(text)] },
    expected: failed('killed'),
  },
  {
    name: 'empty standard input',
    scenario: {
      exitCode: 1,
      lines: [],
      stderr: '\u001b[91m\u001b[1mError: \u001b[0mYou must provide a message or a command\n',
    },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 1 } },
  },
  {
    name: 'code 0 without a finished step',
    scenario: { lines: [start, said(text)] },
    expected: failed('protocol'),
  },
  {
    name: 'a good answer with code 1',
    scenario: { exitCode: 1, lines: [start, said(text), finish('stop')] },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 1 } },
  },
  {
    name: 'an error line after a good answer',
    scenario: {
      lines: [start, said(text), finish('stop'), error('UnknownError', 'something broke')],
    },
    expected: failed('provider'),
  },
];
