/** What the records of `claude -p --output-format stream-json` mean (2.1.330). */
import { z } from 'zod';
import type { Answered } from '../../core/ports/runner.ts';
import type { Usage } from '../../core/words/review.ts';
import { estimateTokens, type Judgement, overrunFault, type Reading } from './client.ts';
import { faultOf, faultWithoutClosingRecord } from './client-failure.ts';
import { recordType } from './json-lines.ts';

const Count = z.number().int().nonnegative().catch(0);

/** Input excludes what was read from or written to the cache. */
const Tokens = z.object({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
type Tokens = z.infer<typeof Tokens>;

const Result = z.object({
  is_error: z.boolean(),
  result: z.string().catch(''),
  subtype: z.string().catch(''),
  stop_reason: z.string().nullable().catch(null),
  terminal_reason: z.string().nullable().catch(null),
  api_error: z.string().nullable().catch(null),
  api_error_status: z.number().int().nullable().catch(null),
  total_cost_usd: z.number().nonnegative().nullable().catch(null),
  usage: Tokens.nullable().catch(null),
});
type Result = z.infer<typeof Result>;

const StreamEvent = z.object({
  event: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message_start'),
      message: z.object({ model: z.string(), usage: Tokens }),
    }),
    z.object({
      type: z.literal('content_block_start'),
      // By this tool a model fills in the schema it was given.
      content_block: z.object({ name: z.literal('StructuredOutput') }),
    }),
    z.object({
      type: z.literal('content_block_delta'),
      delta: z.object({ text: z.string().catch(''), partial_json: z.string().catch('') }),
    }),
    z.object({ type: z.literal('message_delta'), usage: z.object({ output_tokens: Count }) }),
  ]),
});

const Assistant = z.object({
  is_api_error_message: z.boolean().optional(),
  message: z.object({
    content: z.array(
      z.object({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() }),
    ),
  }),
});

/** Results of tools apart, only the client itself speaks as the user: when an answer was empty, refused or broke off. */
const Resumption = z.object({ refused_message_id: z.string().optional() });
const ToolResult = z.object({
  message: z.object({
    content: z.tuple([z.object({ type: z.literal('tool_result') })]).rest(z.unknown()),
  }),
});

interface State {
  starts: number;
  retries: number;
  apiErrors: number;
  metered: Tokens;
  /** Characters of the message that is being written. */
  open: number;
  /** Text of it that no whole record has repeated yet. */
  openText: string;
  model: string | null;
  /** The answer, and after each break what the client had the model add. */
  pieces: [string, ...string[]];
  /** What it calls is no tool but the schema it fills in, as a part of its answer. */
  isForm: boolean;
  refusedOnce: boolean;
  result: Result | null;
}

export function readClaudeOutput(): Reading {
  const state: State = {
    starts: 0,
    retries: 0,
    apiErrors: 0,
    open: 0,
    openText: '',
    model: null,
    pieces: [''],
    isForm: false,
    refusedOnce: false,
    result: null,
    metered: {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  };
  return {
    take: record => take(state, record),
    requests: () => requestsOf(state),
    outputTokens: () => state.metered.output_tokens + estimateTokens(state.open),
    usage: () => usageOf(state),
    model: () => state.model,
    overrun: overrunFault,
    textSoFar: () => state.pieces.join('') + state.openText,
    conclude: ({ exitCode, stderr }) =>
      state.result === null
        ? { status: 'failed', ...faultWithoutClosingRecord(exitCode, stderr) }
        : judge(state, state.result),
  };
}

function take(state: State, record: unknown): void {
  switch (recordType(record)) {
    case 'stream_event':
      return meter(state, record);
    case 'assistant':
      return takeAssistant(state, record);
    case 'user':
      return takeResumption(state, record);
    case 'system':
      return void (isRetry(record) && (state.retries += 1));
    case 'result':
      state.result = Result.safeParse(record).data ?? null;
  }
}

function meter(state: State, record: unknown): void {
  const event = StreamEvent.safeParse(record).data?.event;
  if (event?.type === 'message_start') {
    const { usage, model } = event.message;
    state.starts += 1;
    state.model = model;
    state.open = 0;
    state.openText = '';
    for (const key of [
      'input_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
    ] as const)
      state.metered[key] += usage[key];
  } else if (event?.type === 'content_block_start') {
    state.isForm = true;
  } else if (event?.type === 'content_block_delta') {
    const { text, partial_json: filled } = event.delta;
    const piece = state.isForm ? text + filled : text;
    state.open += piece.length;
    state.openText += piece;
  } else if (event?.type === 'message_delta') {
    state.metered.output_tokens += event.usage.output_tokens;
    state.open = 0;
  }
}

function takeAssistant(state: State, record: unknown): void {
  const assistant = Assistant.safeParse(record).data;
  if (assistant === undefined) return;
  if (assistant.is_api_error_message === true) state.apiErrors += 1;
  else {
    state.openText = '';
    state.pieces[state.pieces.length - 1] += assistant.message.content
      .map(({ type, text = '', input }) =>
        type === 'text' ? text : state.isForm ? JSON.stringify(input) : '',
      )
      .join('');
  }
}

function takeResumption(state: State, record: unknown): void {
  const resumption = Resumption.safeParse(record).data;
  if (resumption === undefined) return;
  if (ToolResult.safeParse(record).success) {
    // What was said before a tool answered was said on the way.
    if (!state.isForm) state.pieces = [''];
    return;
  }
  // Of a form that breaks off there is no whole record.
  state.pieces[state.pieces.length - 1] += state.openText;
  state.pieces.push('');
  if (resumption.refused_message_id !== undefined) state.refusedOnce = true;
}

function isRetry(record: unknown): boolean {
  return z.object({ subtype: z.literal('api_retry') }).safeParse(record).success;
}

function requestsOf({ starts, retries, apiErrors }: State): number {
  return starts + retries + apiErrors;
}

/** The closing record counts every request of the run, also of a failed one; without it the meter has to do. */
function usageOf(state: State): Usage {
  const counted = state.result?.usage ?? null;
  const tokens = counted ?? {
    ...state.metered,
    output_tokens: state.metered.output_tokens + estimateTokens(state.open),
  };
  return {
    calls: Math.max(1, requestsOf(state)),
    inputTokens:
      tokens.input_tokens + tokens.cache_read_input_tokens + tokens.cache_creation_input_tokens,
    outputTokens: tokens.output_tokens,
    cachedTokens: tokens.cache_read_input_tokens,
    cost: state.result?.total_cost_usd ?? null,
    estimated: counted === null,
  };
}

/** `subtype` stays "success" on API errors, so that it is never asked alone. */
function judge(state: State, result: Result): Judgement {
  const { api_error_status: httpStatus } = result;
  if (result.terminal_reason === 'prompt_too_long')
    return { status: 'failed', cause: 'context', message: result.result, httpStatus };
  if (result.stop_reason === 'refusal' || state.refusedOnce)
    return {
      status: 'failed',
      cause: 'refusal',
      message: 'The model or its safety classifier refused.',
    };
  if (result.api_error === 'max_output_tokens')
    return {
      status: 'failed',
      cause: 'truncated',
      message: 'The output limit was reached again and again.',
    };
  // Given a schema, a model that wrote text or filled it in amiss would be asked again, had it another turn.
  const isOver = result.subtype === 'error_max_turns';
  if (isOver && !state.isForm && result.stop_reason !== 'end_turn')
    return {
      status: 'failed',
      cause: 'budget',
      message: 'The turn limit was reached before there was an answer.',
    };
  if (result.subtype === 'error_during_execution')
    return { status: 'failed', cause: 'killed', message: 'Interrupted while it worked.' };
  if (result.is_error && !isOver)
    return { status: 'failed', ...apiFault(state, result, httpStatus) };
  return whole(state.pieces, result);
}

function apiFault(state: State, result: Result, httpStatus: number | null) {
  const message =
    result.result === '' ? 'The client reports an error without a message.' : result.result;
  const brokeOff = state.open > 0 || state.pieces.some(piece => piece !== '');
  if (httpStatus === null && brokeOff && result.api_error === 'connection_failed')
    return { cause: 'truncated' as const, message };
  return faultOf(message, httpStatus);
}

/**
 * After an answer that broke off, the client asks the model to go on and then prints the last piece alone as the result
 * of a successful run. All pieces are put together, and the answer counts as cut: what was lost between them is unknown.
 */
function whole(pieces: readonly string[], result: Result): Judgement {
  const spoken = pieces.filter(piece => piece.trim() !== '');
  const text = spoken.join('') || result.result;
  if (text.trim() === '')
    return { status: 'failed', cause: 'empty', message: 'The answer has no text.' };
  return {
    status: 'answered',
    text,
    stop: spoken.length > 1 ? 'cut' : (stops[result.stop_reason ?? ''] ?? 'unknown'),
    ...(result.is_error && { exitCode: 1 }),
  };
}

const stops: Readonly<Record<string, Answered['stop']>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  // The form is filled in.
  tool_use: 'end',
  max_tokens: 'cut',
};
