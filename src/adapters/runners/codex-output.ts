/** What the records of `codex exec --json` mean (0.169.0). There is no stop reason, but a turn that was cut is reported as one that failed. */
import { z } from 'zod';
import { estimateTokens, overrunFault, type Judgement, type Reading } from './client.ts';
import { faultOf, faultWithoutClosingRecord, type Fault } from './client-failure.ts';
import { recordType } from './json-lines.ts';

const Count = z.number().int().nonnegative().catch(0);

/** Input includes what was cached. */
const Completed = z.object({
  usage: z.object({ input_tokens: Count, cached_input_tokens: Count, output_tokens: Count }),
});
const Failed = z.object({ error: z.object({ message: z.string() }) });
const Notice = z.object({ message: z.string() });
const Item = z.object({ item: z.object({ type: z.string(), text: z.string().optional() }) });

/** Items that are not the model's use of something: every other one is answered to the model with one more request. */
const silentItems: ReadonlySet<string> = new Set([
  'agent_message',
  'reasoning',
  'error',
  'todo_list',
]);

interface State {
  requests: number;
  /** The last one counts: after a broken stream the text comes again. */
  message: string | null;
  failure: string | null;
  usage: z.infer<typeof Completed>['usage'] | null;
  completed: boolean;
}

export function readCodexOutput(): Reading {
  const state: State = { requests: 0, message: null, failure: null, usage: null, completed: false };
  const outputTokens = (): number =>
    state.usage?.output_tokens ?? estimateTokens(state.message?.length ?? 0);
  return {
    take: record => take(state, record),
    requests: () => state.requests,
    outputTokens,
    usage(promptTokens) {
      const calls = Math.max(1, state.requests);
      const { usage } = state;
      return {
        calls,
        inputTokens: usage?.input_tokens ?? promptTokens * calls,
        outputTokens: outputTokens(),
        cachedTokens: usage?.cached_input_tokens ?? 0,
        cost: null,
        estimated: usage === null,
      };
    },
    model: () => null,
    overrun: overrunFault,
    conclude: ({ exitCode, stderr }) => judge(state, exitCode, stderr),
  };
}

function take(state: State, record: unknown): void {
  switch (recordType(record)) {
    case 'turn.started':
      state.requests += 1;
      break;
    case 'item.completed':
      takeItem(state, record);
      break;
    case 'error':
      if (isReconnection(record)) state.requests += 1;
      break;
    case 'turn.failed':
      state.failure =
        Failed.safeParse(record).data?.error.message ?? 'The turn failed without a message.';
      break;
    case 'turn.completed':
      state.completed = true;
      state.usage = Completed.safeParse(record).data?.usage ?? null;
  }
}

function takeItem(state: State, record: unknown): void {
  const item = Item.safeParse(record).data?.item;
  if (item === undefined) return;
  if (item.type === 'agent_message') state.message = item.text ?? '';
  if (!silentItems.has(item.type)) state.requests += 1;
}

/** A retry of the client, not yet a failure. */
function isReconnection(record: unknown): boolean {
  return Notice.safeParse(record).data?.message.startsWith('Reconnecting...') ?? false;
}

function judge(state: State, exitCode: number, stderr: string): Judgement {
  if (state.failure !== null)
    return { status: 'failed', ...turnFault(state.failure, state.message) };
  if (!state.completed) return { status: 'failed', ...faultWithoutClosingRecord(exitCode, stderr) };
  if (state.message === null || state.message.trim() === '')
    return {
      status: 'failed',
      cause: 'empty',
      message: 'The turn ended without an answer: empty, or refused.',
    };
  return { status: 'answered', text: state.message, stop: 'end' };
}

function turnFault(failure: string, message: string | null): Fault {
  if (failure.startsWith('Incomplete response returned, reason: content_filter'))
    return { cause: 'refusal', message: failure };
  if (failure.startsWith('Incomplete response returned'))
    return { cause: 'truncated', message: failure };
  const status = statusIn(failure);
  const brokeOff =
    /error decoding response body/.test(failure) ||
    (message !== null && /^stream disconnected|stream closed/.test(failure));
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
