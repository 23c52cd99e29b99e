/**
 * What the records of `codex exec --json` mean (0.169.0). There is no stop reason, but a turn that was cut is reported as one that
 * failed.
 */
import type { Judgement, Reading } from './client.ts';
import { faultOf, faultWithoutClosingRecord, type Fault } from './provider-failure.ts';
import { at, countAt, createReading, nothingTold, textAt, type Told } from './client-output.ts';

/** Items that are not the model's use of something: every other one is answered to the model with one more request. */
const silentItems: ReadonlySet<string> = new Set([
  'agent_message',
  'reasoning',
  'error',
  'todo_list',
]);

interface State extends Told {
  failure: string | null;
  completed: boolean;
}

const records: ReadonlyMap<string, (state: State, record: unknown) => void> = new Map([
  ['turn.started', state => void (state.requests += 1)],
  ['item.completed', takeItem],
  [
    'error',
    // A retry of the client, not yet a failure.
    (state, record) => {
      if (textAt(record, 'message').startsWith('Reconnecting...')) state.requests += 1;
    },
  ],
  [
    'turn.failed',
    (state, record) => {
      state.failure = textAt(record, 'error.message') || 'The turn failed without a message.';
    },
  ],
  [
    'turn.completed',
    (state, record) => {
      state.completed = true;
      if (at(record, 'usage') === undefined) return;
      // Input includes what was cached.
      state.counted = {
        inputTokens: countAt(record, 'usage.input_tokens'),
        outputTokens: countAt(record, 'usage.output_tokens'),
        cachedTokens: countAt(record, 'usage.cached_input_tokens'),
        cost: null,
      };
    },
  ],
]);

export function readCodexOutput(): Reading {
  return createReading<State>(
    { ...nothingTold(), failure: null, completed: false },
    { records, conclude },
  );
}

/** The last message counts: after a broken stream the text comes again. */
function takeItem(state: State, record: unknown): void {
  const type = textAt(record, 'item.type');
  if (type === 'agent_message') {
    state.pieces = [textAt(record, 'item.text')];
    state.characters = state.pieces.join('').length;
  }
  if (type !== '' && !silentItems.has(type)) state.requests += 1;
}

function conclude(
  { failure, completed, pieces }: State,
  { exitCode, stderr }: Parameters<Reading['conclude']>[0],
): Judgement {
  const text = pieces.join('');
  if (failure !== null) return turnFault(failure, pieces.length > 0);
  if (!completed) return faultWithoutClosingRecord(exitCode, stderr);
  return text.trim() === ''
    ? { cause: 'empty', message: 'The turn ended without an answer: empty, or refused.' }
    : { text, stop: 'end' };
}

function turnFault(failure: string, isBegun: boolean): Fault {
  if (failure.startsWith('Incomplete response returned'))
    return {
      cause: failure.includes('returned, reason: content_filter') ? 'refusal' : 'truncated',
      message: failure,
    };
  const status = statusIn(failure);
  const brokeOff =
    /error decoding response body/.test(failure) ||
    (isBegun && /^stream disconnected|stream closed/.test(failure));
  if (status === null && brokeOff) return { cause: 'truncated', message: failure };
  if (/stream closed before response\.completed/.test(failure))
    return { cause: 'provider', message: failure };
  return faultOf(failure, status);
}

/** The client keeps the status of most errors in its sentence and hides that of two behind sentences of its own. */
function statusIn(failure: string): number | null {
  const match = /\bstatus:? (\d{3})\b/.exec(failure);
  if (match !== null) return Number(match[1]);
  if (/currently experiencing high demand/.test(failure)) return 500;
  return /does not exist or you do not have access/.test(failure) ? 404 : null;
}
