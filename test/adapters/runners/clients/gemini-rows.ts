/** What gemini 0.61.0 was seen to do, one row for each way a run can go. */
import type { Row } from './fakes.ts';

const text = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';
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
const failed = (cause: string, httpStatus: number | null = null) => ({
  status: 'failed' as const,
  failure: { cause, httpStatus },
});

export const geminiRows: readonly Row[] = [
  {
    name: 'a good answer, without the echo of the prompt',
    scenario: {
      lines: [...opening, said('CRITICAL|src/a.t'), said(text.slice(16)), done],
      stderr: 'Warning: True color (24-bit) support not detected.\n',
    },
    expected: {
      status: 'answered',
      text,
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
    },
  },
  {
    name: '401',
    scenario: {
      exitCode: 145,
      lines: [...opening, apiError(body(401, 'API keys are not supported by this API.'))],
    },
    expected: failed('auth', 401),
  },
  {
    name: '403',
    scenario: {
      exitCode: 147,
      lines: [...opening, apiError(body(403, 'The caller does not have permission'))],
    },
    expected: failed('auth', 403),
  },
  {
    name: '404, told by code 1 and standard error',
    scenario: {
      exitCode: 1,
      lines: [...opening, apiError('models/no-such-model is not found for API version v1beta')],
      stderr: 'Error when talking to Gemini API {\n  code: 404\n}\n',
    },
    expected: failed('provider', 404),
  },
  {
    name: 'a prompt above the context window',
    scenario: {
      exitCode: 144,
      lines: [
        ...opening,
        apiError(
          body(
            400,
            'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          ),
        ),
      ],
    },
    expected: failed('context', 400),
  },
  {
    name: '429',
    scenario: {
      exitCode: 173,
      lines: [
        ...opening,
        apiError(
          'Resource has been exhausted (e.g. check quota).\nSuggested retry after 1s.]\nPlease wait and try ' +
            'again later. To increase your limits, request a quota increase',
        ),
      ],
    },
    expected: { ...failed('rate-limited', 429), retryAfterMs: 1000 },
  },
  {
    name: 'a used-up quota',
    scenario: {
      exitCode: 173,
      lines: [...opening, apiError('You have exhausted your daily quota on this model.')],
    },
    expected: failed('quota', 429),
  },
  {
    name: '500',
    scenario: {
      exitCode: 244,
      lines: [...opening, apiError(body(500, 'An internal error has occurred.'))],
    },
    expected: failed('provider', 500),
  },
  {
    name: '503, told by the exit code alone',
    scenario: {
      exitCode: 247,
      lines: [...opening, apiError('The model is overloaded. Please try again later.')],
    },
    expected: failed('provider', 503),
  },
  {
    name: '529',
    scenario: { exitCode: 17, lines: [...opening, apiError(body(529, 'Overloaded'))] },
    expected: failed('rate-limited', 529),
  },
  {
    name: 'a refused connection, or a server that never answers',
    scenario: {
      exitCode: 1,
      lines: [...opening, apiError('exception TypeError: fetch failed sending request')],
    },
    expected: failed('unreachable'),
  },
  {
    name: 'a stream that stalled, given up by Jury: it ends with code 0',
    turn: { totalMs: 900 },
    scenario: { hangs: true, exitOnSignal: 0, lines: [...opening, said('CRITICAL')] },
    expected: failed('deadline'),
  },
  {
    name: 'an empty answer, with code 0',
    scenario: {
      lines: [
        ...opening,
        ...errorLine('The model returned an empty response with no text or thoughts.'),
      ],
    },
    expected: failed('empty'),
  },
  {
    name: 'a success without text',
    scenario: { lines: [...opening, done] },
    expected: failed('empty'),
  },
  {
    name: 'a safety block, with code 0',
    scenario: {
      lines: [...opening, ...errorLine('The model response was blocked due to safety settings.')],
    },
    expected: failed('refusal'),
  },
  {
    name: 'an error event inside the stream, with code 0',
    scenario: { lines: [...opening, ...errorLine('Model stream ended without a finish reason.')] },
    expected: failed('provider'),
  },
  {
    name: 'a cut answer shows nowhere: its end stays unknown',
    scenario: { lines: [...opening, said('CRITICAL|src/a.ts'), done] },
    expected: { status: 'answered', text: 'CRITICAL|src/a.ts', stop: 'unknown' },
  },
  {
    name: 'the loop detector, with code 0 and success',
    scenario: {
      lines: [
        ...opening,
        said(text),
        { type: 'error', severity: 'warning', message: 'Loop detected, stopping execution' },
        { type: 'result', status: 'success', stats: noStats },
      ],
    },
    expected: failed('loop'),
  },
  {
    name: 'text that nobody counted, with code 0 and success',
    scenario: {
      lines: [...opening, said(text), { type: 'result', status: 'success', stats: noStats }],
    },
    expected: failed('truncated'),
  },
  {
    name: 'a stream that broke off',
    scenario: { exitCode: 1, lines: [...opening, said(text), apiError('terminated')] },
    expected: failed('truncated'),
  },
  {
    name: 'a page instead of a stream',
    scenario: { exitCode: 1, lines: [...opening, apiError('Incomplete JSON segment at the end')] },
    expected: failed('provider'),
  },
  {
    name: 'a prompt too large for it, with code 0 and no word',
    scenario: { lines: opening.slice(0, 1) },
    expected: failed('protocol'),
  },
  {
    name: 'SIGTERM from somebody else, with code 0',
    scenario: { lines: [...opening, said(text)] },
    expected: failed('protocol'),
  },
  {
    name: 'no usable credential',
    scenario: { exitCode: 41, lines: [], stderr: 'Please set an Auth method' },
    expected: failed('auth'),
  },
  {
    name: 'empty standard input',
    scenario: { exitCode: 42, lines: [], stderr: 'No input provided via stdin.' },
    expected: failed('unread'),
  },
  {
    name: 'the turn limit',
    scenario: { exitCode: 53, lines: opening },
    expected: failed('budget'),
  },
  {
    name: 'an untrusted folder',
    scenario: {
      exitCode: 55,
      lines: [],
      stderr: 'Gemini CLI is not running in a trusted directory.',
    },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 55 } },
  },
  {
    name: 'a good answer with code 1',
    scenario: { exitCode: 1, lines: [...opening, said(text), done] },
    expected: { status: 'failed', failure: { cause: 'exit', exitCode: 1 } },
  },
  {
    name: 'output that is lost before the closing record, with code 0',
    scenario: { lines: [...opening, said(text), '{"type":"resu'] },
    expected: failed('protocol'),
  },
];
