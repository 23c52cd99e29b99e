/** What the records of `opencode run --format json` mean (1.18.33). */
import { type Judgement, overrunFault, type Reading } from './client.ts';
import { type Fault, faultOf, faultWithoutClosingRecord } from './provider-failure.ts';
import {
  at,
  countAt,
  createReading,
  nothingTold,
  noText,
  numberAt,
  say,
  textAt,
  type Told,
} from './client-output.ts';

interface State extends Told {
  starts: number;
  /** Finished steps, one model request each. */
  steps: number;
  reason: string | null;
  fault: Fault | null;
}

const records: ReadonlyMap<string, (state: State, record: unknown) => void> = new Map([
  ['step_start', state => count(state, 'starts')],
  ['text', (state, record) => say(state, textAt(record, 'part.text'))],
  ['step_finish', takeStep],
  ['error', (state, record) => void (state.fault ??= errorFault(record))],
]);

export function readOpencodeOutput(): Reading {
  const state: State = { ...nothingTold(), starts: 0, steps: 0, reason: null, fault: null };
  return createReading(state, {
    records,
    conclude,
    overrun: requests => overrun(state, requests),
  });
}

function count(state: State, what: 'starts' | 'steps'): void {
  state[what] += 1;
  state.requests = Math.max(state.starts, state.steps);
}

/** A failed request prints no step: it is booked with the host's estimate. */
function takeStep(state: State, record: unknown): void {
  const reason = at(record, 'part.reason');
  if (typeof reason !== 'string') return;
  count(state, 'steps');
  state.reason = reason;
  if (reason === 'tool-calls') state.pieces = [];
  const tokens = (key: string): number => countAt(record, `part.tokens.${key}`);
  const before = state.counted;
  // Without configured prices the client prints a cost of zero, which means unknown.
  const cost = (before?.cost ?? 0) + (numberAt(record, 'part.cost') ?? 0);
  state.counted = {
    // Input excludes what was cached.
    inputTokens:
      (before?.inputTokens ?? 0) + tokens('input') + tokens('cache.read') + tokens('cache.write'),
    outputTokens: (before?.outputTokens ?? 0) + tokens('output') + tokens('reasoning'),
    cachedTokens: (before?.cachedTokens ?? 0) + tokens('cache.read'),
    cost: cost > 0 ? cost : null,
  };
}

function conclude(
  { pieces, fault, reason }: State,
  { exitCode, stderr }: Parameters<Reading['conclude']>[0],
): Judgement {
  const text = pieces.join('');
  if (fault !== null) return fault;
  if (reason === null) return faultWithoutClosingRecord(exitCode, stderr);
  if (reason === 'content-filter')
    return { cause: 'refusal', message: "The provider's content filter ended the answer." };
  if (text.trim() === '') return noText;
  if (reason === 'stop' || reason === 'length')
    return { text, stop: reason === 'stop' ? 'end' : 'cut' };
  return {
    cause: 'protocol',
    message: `The last step ended with the reason "${reason.slice(0, 100)}".`,
  };
}

/** At an endpoint that speaks another protocol every step ends at once, with nothing read or written, for ever. */
function overrun({ counted }: State, requests: number): Fault {
  return counted?.inputTokens === 0 && counted.outputTokens === 0
    ? {
        cause: 'provider',
        message: `The endpoint answers, but not in the protocol of a model; ended after ${requests} requests.`,
      }
    : overrunFault(requests);
}

function errorFault(record: unknown): Fault {
  if (typeof at(record, 'error') !== 'object')
    return { cause: 'provider', message: 'The client reports an error of unknown shape.' };
  const name = textAt(record, 'error.name') || 'Error';
  const message = textAt(record, 'error.data.message') || name;
  const httpStatus = numberAt(record, 'error.data.statusCode');
  const cause = errorCauses.get(name);
  return cause === undefined ? faultOf(message, httpStatus) : { cause, message, httpStatus };
}

const errorCauses: ReadonlyMap<string, Fault['cause']> = new Map([
  ['ContextOverflowError', 'context'],
  ['ContentFilterError', 'refusal'],
  ['MessageOutputLengthError', 'truncated'],
  ['ProviderAuthError', 'auth'],
  ['MessageAbortedError', 'killed'],
]);
