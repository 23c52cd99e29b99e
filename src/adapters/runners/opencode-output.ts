/** What the records of `opencode run --format json` mean (1.18.33). */
import { z } from 'zod';
import type { Usage } from '../../core/words/review.ts';
import { estimateTokens, type Judgement, overrunFault, type Reading } from './client.ts';
import { type Fault, faultOf, faultWithoutClosingRecord } from './client-failure.ts';
import { recordType } from './json-lines.ts';

const Count = z.number().nonnegative().catch(0);

const Text = z.object({ part: z.object({ text: z.string() }) });
const Step = z.object({
  part: z.object({
    reason: z.string(),
    cost: Count,
    /** Input excludes what was cached. */
    tokens: z.object({
      input: Count,
      output: Count,
      reasoning: Count,
      cache: z.object({ read: Count, write: Count }),
    }),
  }),
});
const ErrorLine = z.object({
  error: z.object({
    name: z.string().catch('Error'),
    data: z
      .object({ message: z.string().catch(''), statusCode: z.number().int().nullish().catch(null) })
      .catch({ message: '', statusCode: null }),
  }),
});

interface State {
  starts: number;
  /** Finished steps, one model request each. */
  steps: number;
  /** Texts since the last step that ended in tool calls. */
  pieces: string[];
  characters: number;
  reason: string | null;
  fault: Fault | null;
  usage: { input: number; output: number; cached: number; cost: number };
}

export function readOpencodeOutput(): Reading {
  const state: State = {
    starts: 0,
    steps: 0,
    pieces: [],
    characters: 0,
    reason: null,
    fault: null,
    usage: { input: 0, output: 0, cached: 0, cost: 0 },
  };
  return {
    take: record => take(state, record),
    requests: () => Math.max(state.starts, state.steps),
    outputTokens: () => Math.max(state.usage.output, estimateTokens(state.characters)),
    usage: promptTokens => usageOf(state, promptTokens),
    model: () => null,
    overrun: requests => overrun(state, requests),
    conclude: ({ exitCode, stderr }) => judge(state, exitCode, stderr),
  };
}

function take(state: State, record: unknown): void {
  switch (recordType(record)) {
    case 'step_start':
      state.starts += 1;
      break;
    case 'text':
      takeText(state, record);
      break;
    case 'step_finish':
      takeStep(state, record);
      break;
    case 'error':
      state.fault ??= errorFault(record);
  }
}

function takeText(state: State, record: unknown): void {
  const text = Text.safeParse(record).data?.part.text ?? '';
  state.pieces.push(text);
  state.characters += text.length;
}

function takeStep(state: State, record: unknown): void {
  const part = Step.safeParse(record).data?.part;
  if (part === undefined) return;
  state.steps += 1;
  state.reason = part.reason;
  if (part.reason === 'tool-calls') state.pieces = [];
  state.usage.input += part.tokens.input + part.tokens.cache.read + part.tokens.cache.write;
  state.usage.output += part.tokens.output + part.tokens.reasoning;
  state.usage.cached += part.tokens.cache.read;
  state.usage.cost += part.cost;
}

/** A failed request prints no step: it is booked with the host's estimate. */
function usageOf({ starts, steps, usage, characters }: State, promptTokens: number): Usage {
  const calls = Math.max(1, starts, steps);
  if (steps === 0)
    return {
      calls,
      inputTokens: promptTokens * calls,
      outputTokens: estimateTokens(characters),
      cachedTokens: 0,
      cost: null,
      estimated: true,
    };
  const [inputTokens, outputTokens, cachedTokens] = [usage.input, usage.output, usage.cached].map(
    Math.round,
  ) as [number, number, number];
  // Without configured prices the client prints a cost of zero, which means unknown.
  return {
    calls,
    inputTokens,
    outputTokens,
    cachedTokens,
    cost: usage.cost > 0 ? usage.cost : null,
    estimated: false,
  };
}

function judge(state: State, exitCode: number, stderr: string): Judgement {
  const text = state.pieces.join('');
  if (state.fault !== null) return { status: 'failed', ...state.fault };
  if (state.reason === null)
    return { status: 'failed', ...faultWithoutClosingRecord(exitCode, stderr) };
  if (state.reason === 'content-filter')
    return {
      status: 'failed',
      cause: 'refusal',
      message: "The provider's content filter ended the answer.",
    };
  if (text.trim() === '')
    return { status: 'failed', cause: 'empty', message: 'The answer has no text.' };
  if (state.reason === 'stop') return { status: 'answered', text, stop: 'end' };
  if (state.reason === 'length') return { status: 'answered', text, stop: 'cut' };
  return {
    status: 'failed',
    cause: 'protocol',
    message: `The last step ended with the reason "${state.reason.slice(0, 100)}".`,
  };
}

/** At an endpoint that speaks another protocol every step ends at once, with nothing read or written, for ever. */
function overrun({ steps, usage }: State, requests: number): Fault {
  if (steps > 0 && usage.input === 0 && usage.output === 0)
    return {
      cause: 'provider',
      message: `The endpoint answers, but not in the protocol of a model; ended after ${requests} requests.`,
    };
  return overrunFault(requests);
}

function errorFault(record: unknown): Fault {
  const error = ErrorLine.safeParse(record).data?.error;
  if (error === undefined)
    return { cause: 'provider', message: 'The client reports an error of unknown shape.' };
  const message = error.data.message === '' ? error.name : error.data.message;
  const known = errorCauses[error.name];
  return known === undefined
    ? faultOf(message, error.data.statusCode ?? null)
    : { cause: known, message, httpStatus: error.data.statusCode ?? null };
}

const errorCauses: Readonly<Record<string, Fault['cause']>> = {
  ContextOverflowError: 'context',
  ContentFilterError: 'refusal',
  MessageOutputLengthError: 'truncated',
  ProviderAuthError: 'auth',
  MessageAbortedError: 'killed',
};
