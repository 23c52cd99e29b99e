/** What opencode 1.18.33 was seen to do, one row for each way a run can go. */
import { answered, exited, failed, row, text, type Row } from './fakes.ts';

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
const apiError = (status: number, message: string) => [error('APIError', message, status)];

export const opencodeRows: readonly Row[] = [
  row(
    'a good answer, with usage that includes the cached input',
    answered({
      stop: 'end',
      usage: {
        calls: 1,
        inputTokens: 1234,
        outputTokens: 21,
        cachedTokens: 100,
        cost: 0.003747,
        estimated: false,
      },
    }),
    [start, said(text), finish('stop')],
  ),
  row(
    'words before a tool call are not the answer',
    answered({ usage: { calls: 2, inputTokens: 2468 } }),
    [start, said('Let me look.'), finish('tool-calls'), start, said(text), finish('stop')],
  ),
  row('a cost of zero, which means that no price is known', answered({ usage: { cost: null } }), [
    start,
    said(text),
    finish('stop', { cost: 0 }),
  ]),
  row('401', failed('auth', 401), apiError(401, 'Incorrect API key provided: mock.'), 1),
  row('403', failed('auth', 403), apiError(403, 'Country, region, or territory not supported'), 1),
  row(
    '404',
    failed('provider', 404),
    apiError(404, 'The model `no-such-model` does not exist or you do not have access to it.'),
    1,
  ),
  row(
    'a prompt above the context window',
    failed('context'),
    [error('ContextOverflowError', 'Your input exceeds the context window of this model.')],
    1,
  ),
  row(
    '429',
    { ...failed('rate-limited', 429), retryAfterMs: 1000 },
    apiError(
      429,
      'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 1s.',
    ),
    1,
  ),
  row(
    'a used-up quota, were it ever told',
    failed('quota', 429),
    apiError(429, 'You exceeded your current quota, please check your plan and billing details.'),
    1,
  ),
  row(
    'a quota, 503, 529 or closed socket: silence until the deadline',
    failed('deadline'),
    [],
    { hangs: true },
    { totalMs: 900 },
  ),
  row(
    '500',
    failed('provider', 500),
    apiError(500, 'The server had an error while processing your request.'),
    1,
  ),
  row('529', failed('rate-limited', 529), apiError(529, 'Overloaded'), 1),
  row(
    'a request that took too long',
    failed('deadline'),
    [start, error('UnknownError', 'The operation timed out.')],
    1,
  ),
  row(
    'a refused connection',
    failed('unreachable'),
    [error('UnknownError', 'Unable to connect. Is the computer able to access the url?')],
    1,
  ),
  row(
    'a broken stream: steps that start again and never end',
    { ...failed('idle'), usage: { calls: 3, estimated: true } },
    [start, start, start],
    { hangs: true },
    { idleMs: 900 },
  ),
  row('an empty answer, with code 0', failed('empty'), [start, finish('stop')]),
  row('an answer cut by the output limit, with code 0', answered({ stop: 'cut' }), [
    start,
    said(text),
    finish('length'),
  ]),
  row(
    'a refusal, with text',
    failed('refusal'),
    [
      start,
      said(text),
      finish('content-filter'),
      error('ContentFilterError', "The response was blocked by the provider's content filter"),
    ],
    1,
  ),
  row('a filtered answer with code 0', failed('refusal'), [
    start,
    said(text),
    finish('content-filter'),
  ]),
  row(
    'an endpoint that speaks another protocol: a hot loop, ended at the cap',
    failed('provider'),
    Array.from({ length: 12 }, () => [
      start,
      finish('unknown', {
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        cost: 0,
      }),
    ]).flat(),
    { hangs: true, pauseMs: 5 },
  ),
  row(
    'a model that loops: ended at the cap',
    failed('budget'),
    Array.from({ length: 12 }, () => [start, finish('tool-calls')]).flat(),
    { hangs: true, pauseMs: 5 },
  ),
  row('a last step without an end', failed('protocol'), [start, said(text), finish('unknown')]),
  row('SIGTERM from somebody else', failed('killed'), [start, said(text)], { signal: 'SIGTERM' }),
  row('empty standard input', exited(1), [], {
    exitCode: 1,
    stderr: '\u001b[91m\u001b[1mError: \u001b[0mYou must provide a message or a command\n',
  }),
  row('code 0 without a finished step', failed('protocol'), [start, said(text)]),
  row('a good answer with code 1', exited(1), [start, said(text), finish('stop')], 1),
  row('an error line after a good answer', failed('provider'), [
    start,
    said(text),
    finish('stop'),
    error('UnknownError', 'something broke'),
  ]),
];
