/** What the records of `gemini -o stream-json` mean (0.61.0). A cut answer shows nowhere: its own closing line has to prove its end. */
import { z } from 'zod';
import { estimateTokens, overrunFault, type Judgement, type Reading } from './client.ts';
import { faultOf, faultWithoutClosingRecord, type Fault } from './client-failure.ts';
import { recordType } from './json-lines.ts';

const Count = z.number().int().nonnegative().catch(0);

const Init = z.object({ model: z.string() });
const Message = z.object({ role: z.literal('assistant'), content: z.string() });
const ErrorLine = z.object({ message: z.string().catch('') });
const Result = z.object({
  status: z.string(),
  error: z.object({ message: z.string() }).nullable().catch(null),
  /** Input includes what was cached. */
  stats: z
    .object({ input_tokens: Count, output_tokens: Count, cached: Count })
    .nullable()
    .catch(null),
});

interface State {
  pieces: string[];
  characters: number;
  toolUses: number;
  errors: string[];
  model: string | null;
  result: z.infer<typeof Result> | null;
}

export function readGeminiOutput(): Reading {
  const state: State = {
    pieces: [],
    characters: 0,
    toolUses: 0,
    errors: [],
    model: null,
    result: null,
  };
  const outputTokens = (): number =>
    state.result?.stats?.output_tokens ?? estimateTokens(state.characters);
  return {
    take: record => take(state, record),
    requests: () => 1 + state.toolUses,
    outputTokens,
    usage(promptTokens) {
      const stats = state.result?.stats ?? null;
      return {
        calls: 1 + state.toolUses,
        inputTokens: stats?.input_tokens ?? promptTokens * (1 + state.toolUses),
        outputTokens: outputTokens(),
        cachedTokens: stats?.cached ?? 0,
        cost: null,
        estimated: stats === null,
      };
    },
    model: () => state.model,
    overrun: overrunFault,
    conclude: end => judge(state, end),
  };
}

function take(state: State, record: unknown): void {
  switch (recordType(record)) {
    case 'init':
      state.model = Init.safeParse(record).data?.model ?? null;
      break;
    case 'message':
      takeMessage(state, record);
      break;
    case 'tool_use':
      state.toolUses += 1;
      // What was said before a tool answered was said on the way.
      state.pieces = [];
      break;
    case 'error':
      state.errors.push(ErrorLine.safeParse(record).data?.message ?? '');
      break;
    case 'result':
      state.result = Result.safeParse(record).data ?? null;
  }
}

/** The prompt comes back as a message of the user, which is no answer. */
function takeMessage(state: State, record: unknown): void {
  const message = Message.safeParse(record).data;
  if (message === undefined) return;
  state.pieces.push(message.content);
  state.characters += message.content.length;
}

function judge(
  state: State,
  { exitCode, stderr }: { readonly exitCode: number; readonly stderr: string },
): Judgement {
  const { result } = state;
  const text = state.pieces.join('');
  const ownCode = ownExitCodes[exitCode];
  if (result === null)
    return { status: 'failed', ...(ownCode ?? faultWithoutClosingRecord(exitCode, stderr)) };
  if (result.error !== null)
    return { status: 'failed', ...apiFault(result.error.message, text, exitCode, stderr) };
  if (state.errors.length > 0)
    return { status: 'failed', ...lineFault(state.errors[0] ?? '', text) };
  if (result.status !== 'success')
    return {
      status: 'failed',
      ...(ownCode ?? {
        cause: 'provider',
        message: `The client reports the status "${result.status.slice(0, 100)}".`,
      }),
    };
  if (text.trim() === '')
    return { status: 'failed', cause: 'empty', message: 'The answer has no text.' };
  // The loop detector and a stream that ends early leave text that nobody counted.
  if (result.stats?.output_tokens === 0)
    return {
      status: 'failed',
      cause: 'truncated',
      message: 'There is text, but the client counted no output.',
    };
  return { status: 'answered', text, stop: 'unknown' };
}

const ownExitCodes: Readonly<Record<number, Fault>> = {
  41: { cause: 'auth', message: 'The client found no usable credential (exit code 41).' },
  42: { cause: 'unread', message: 'The client read no prompt (exit code 42).' },
  53: {
    cause: 'budget',
    message: 'The turn limit was reached before there was an answer (exit code 53).',
  },
};

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

function statusIn(words: string): number | null {
  const match = /"?\b(?:code|status)"?: ?([45]\d\d)\b/.exec(words);
  return match === null ? null : Number(match[1]);
}

/** The client ends with the HTTP status modulo 256, except for 404. */
const statusOfExitCode: Readonly<Record<number, number>> = Object.fromEntries(
  [400, 401, 403, 429, 500, 502, 503, 504, 529].map(status => [status % 256, status]),
);
