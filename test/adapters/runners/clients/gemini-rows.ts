/** What gemini 0.61.0 was seen to do, one row for each way a run can go. */
import { answered, exited, failed, row, text, type Row } from './fakes.ts';

const echo = {
  type: 'message',
  role: 'user',
  content: 'Review this.\nCRITICAL|prompt.ts:1|Not an answer',
};
const opening = [
  { type: 'init', session_id: '795d3914-df3a-42d1-822a-7a5a18a6d64a', model: 'gemini-2.5-pro' },
  echo,
];
const said = (words: string) => ({
  type: 'message',
  role: 'assistant',
  content: words,
  delta: true,
});
const stats = {
  total_tokens: 1255,
  input_tokens: 1234,
  output_tokens: 21,
  cached: 100,
  tool_calls: 0,
};
const noStats = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0 };
const done = { type: 'result', status: 'success', stats };
const apiError = (message: string) => ({
  type: 'result',
  status: 'error',
  error: { type: 'unknown', message: `[API Error: ${message}]` },
  stats: noStats,
});
const errorLine = (message: string, severity = 'error') => [
  { type: 'error', severity, message },
  { type: 'result', status: 'error', stats },
];
const body = (code: number, message: string) => JSON.stringify({ error: { code, message } });

export const geminiRows: readonly Row[] = [
  row(
    'a good answer, without the echo of the prompt',
    answered({
      stop: 'unknown',
      model: 'gemini-2.5-pro',
      usage: {
        calls: 1,
        inputTokens: 1234,
        outputTokens: 21,
        cachedTokens: 100,
        cost: null,
        estimated: false,
      },
    }),
    [...opening, said('CRITICAL|src/a.t'), said(text.slice(16)), done],
    { stderr: 'Warning: True color (24-bit) support not detected.\n' },
  ),
  row(
    '401',
    failed('auth', 401),
    [...opening, apiError(body(401, 'API keys are not supported by this API.'))],
    145,
  ),
  row(
    '403',
    failed('auth', 403),
    [...opening, apiError(body(403, 'The caller does not have permission'))],
    147,
  ),
  row(
    '404, told by code 1 and standard error',
    failed('provider', 404),
    [...opening, apiError('models/no-such-model is not found for API version v1beta')],
    { exitCode: 1, stderr: 'Error when talking to Gemini API {\n  code: 404\n}\n' },
  ),
  row(
    'a prompt above the context window',
    failed('context', 400),
    [
      ...opening,
      apiError(
        body(
          400,
          'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        ),
      ),
    ],
    144,
  ),
  row(
    '429',
    { ...failed('rate-limited', 429), retryAfterMs: 1000 },
    [
      ...opening,
      apiError(
        'Resource has been exhausted (e.g. check quota).\nSuggested retry after 1s.]\nPlease wait and try ' +
          'again later. To increase your limits, request a quota increase',
      ),
    ],
    173,
  ),
  row(
    'a used-up quota',
    failed('quota', 429),
    [...opening, apiError('You have exhausted your daily quota on this model.')],
    173,
  ),
  row(
    '500',
    failed('provider', 500),
    [...opening, apiError(body(500, 'An internal error has occurred.'))],
    244,
  ),
  row(
    '503, told by the exit code alone',
    failed('provider', 503),
    [...opening, apiError('The model is overloaded. Please try again later.')],
    247,
  ),
  row('529', failed('rate-limited', 529), [...opening, apiError(body(529, 'Overloaded'))], 17),
  row(
    'a refused connection, or a server that never answers',
    failed('unreachable'),
    [...opening, apiError('exception TypeError: fetch failed sending request')],
    1,
  ),
  row(
    'a stream that stalled, given up by Jury: it ends with code 0',
    failed('deadline'),
    [...opening, said('CRITICAL')],
    { hangs: true, exitOnSignal: 0 },
    { totalMs: 900 },
  ),
  row('an empty answer, with code 0', failed('empty'), [
    ...opening,
    ...errorLine('The model returned an empty response with no text or thoughts.'),
  ]),
  row('a success without text', failed('empty'), [...opening, done]),
  row('a safety block, with code 0', failed('refusal'), [
    ...opening,
    ...errorLine('The model response was blocked due to safety settings.'),
  ]),
  row('an error event inside the stream, with code 0', failed('provider'), [
    ...opening,
    ...errorLine('Model stream ended without a finish reason.'),
  ]),
  row(
    'a cut answer shows nowhere: its end stays unknown',
    answered({ text: 'CRITICAL|src/a.ts', stop: 'unknown' }),
    [...opening, said('CRITICAL|src/a.ts'), done],
  ),
  row('the loop detector, with code 0 and success', failed('loop'), [
    ...opening,
    said(text),
    { type: 'error', severity: 'warning', message: 'Loop detected, stopping execution' },
    { type: 'result', status: 'success', stats: noStats },
  ]),
  row('text that nobody counted, with code 0 and success', failed('truncated'), [
    ...opening,
    said(text),
    { type: 'result', status: 'success', stats: noStats },
  ]),
  row(
    'a stream that broke off',
    failed('truncated'),
    [...opening, said(text), apiError('terminated')],
    1,
  ),
  row(
    'a page instead of a stream',
    failed('provider'),
    [...opening, apiError('Incomplete JSON segment at the end')],
    1,
  ),
  row(
    'a prompt too large for it, with code 0 and no word',
    failed('protocol'),
    opening.slice(0, 1),
  ),
  row('SIGTERM from somebody else, with code 0', failed('protocol'), [...opening, said(text)]),
  row('no usable credential', failed('auth'), [], {
    exitCode: 41,
    stderr: 'Please set an Auth method',
  }),
  row('empty standard input', failed('unread'), [], {
    exitCode: 42,
    stderr: 'No input provided via stdin.',
  }),
  row('the turn limit', failed('budget'), opening, 53),
  row('an untrusted folder', exited(55), [], {
    exitCode: 55,
    stderr: 'Gemini CLI is not running in a trusted directory.',
  }),
  row('a good answer with code 1', exited(1), [...opening, said(text), done], 1),
  row('output that is lost before the closing record, with code 0', failed('protocol'), [
    ...opening,
    said(text),
    '{"type":"resu',
  ]),
];
