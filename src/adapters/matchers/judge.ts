/** Puts questions about pairs to a model: in batches, within limits, and none twice. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { UserError } from '../../core/errors.ts';
import type { Seat } from '../../core/config.ts';
import type { Answer, Runner } from '../../core/ports.ts';
import { causes } from '../../core/review.ts';
import { makeVisible } from '../../core/visible-text.ts';
import type { AnswerCache, OpenAnswerCache } from './answer-cache.ts';
import { judgeInstructions, readVerdicts, renderQuestions, type Question, type Verdict } from './judged-pairs.ts';

export interface JudgeSettings {
  readonly runner: Runner;
  /** The model that judges, as the runner knows it. */
  readonly seat: Seat;
  readonly maxPairs: number;
  readonly maxCalls: number;
  readonly openCache: OpenAnswerCache;
  readonly signal: AbortSignal;
  /** One sentence each about what was asked and what was not. */
  readonly onNote: (message: string) => void;
}

interface Judge {
  /** First come, first asked. Throws `UserError` (kind `usage`) when the model cannot answer. */
  ask(questions: readonly Question[]): Promise<void>;
  /** Null: nobody was asked, or the answer was not clear. */
  verdictOn(question: Question): Verdict | null;
}

const batchSize = 20;
const callsAtATime = 4;
/** Waits before the second and the third attempt of a call that failed on its way. */
const waitsMs = [250, 1_000] as const;
const longestWaitMs = 10_000;

export function createJudge(settings: JudgeSettings): Judge {
  const verdicts = new Map<string, Verdict>();
  return {
    async ask(questions) {
      const open = new Map(questions.map(question => [keyOf(question, settings.seat), question]));
      const cache = await settings.openCache();
      try {
        for (const key of open.keys()) {
          const known = toVerdict(cache.get(key));
          if (known === null) continue;
          verdicts.set(key, known);
          open.delete(key);
        }
        await askAll([...open.values()], settings, cache, verdicts);
      } finally {
        cache.close();
      }
    },
    verdictOn: question => verdicts.get(keyOf(question, settings.seat)) ?? null,
  };
}

async function askAll(questions: readonly Question[], settings: JudgeSettings, cache: AnswerCache, verdicts: Map<string, Verdict>): Promise<void> {
  const asked = questions.slice(0, Math.min(settings.maxPairs, settings.maxCalls * batchSize));
  const batches = Array.from({ length: Math.ceil(asked.length / batchSize) }, (_, index) => asked.slice(index * batchSize, (index + 1) * batchSize));
  const limit = pLimit(callsAtATime);
  const failures: string[] = [];
  let [clear, tokens] = [0, 0];
  await Promise.all(batches.map(batch => limit(async () => {
    if (failures.length > 0 || settings.signal.aborted) return;
    const answer = await askOnce(batch, settings);
    tokens += answer.usage.inputTokens + answer.usage.outputTokens;
    if (answer.status === 'failed') failures.push(answer.failure.message);
    const read = answer.status === 'failed' ? [] : readVerdicts(answer.text, batch.length);
    const found = batch.flatMap((question, index) => (read[index] ? [[keyOf(question, settings.seat), read[index]] as const] : []));
    for (const [key, verdict] of found) verdicts.set(key, verdict);
    cache.put(found);
    clear += found.length;
  })));
  // An interrupted run is saved without them, and finished when it is resumed.
  if (settings.signal.aborted) return;
  if (failures[0] !== undefined) throw new UserError(`Strategy llm cannot run: ${settings.seat.model ?? 'the judge'}: ${makeVisible(failures[0]).replace(/\.$/, '')}.`, { kind: 'usage', hint: 'No other strategy was put in its place; the verdicts so far are kept.' });
  report({ asked: asked.length, left: questions.length - asked.length, unclear: asked.length - clear, calls: batches.length, tokens }, settings.onNote);
}

function report({ asked, left, unclear, calls, tokens }: Readonly<Record<'asked' | 'left' | 'unclear' | 'calls' | 'tokens', number>>, onNote: (message: string) => void): void {
  if (asked > 0) onNote(`The judge was asked about ${asked} ${asked === 1 ? 'pair' : 'pairs'} of findings in ${calls} ${calls === 1 ? 'call' : 'calls'} (${tokens} tokens).`);
  if (unclear > 0) onNote(`It gave no clear answer about ${unclear} of them; they count as different.`);
  if (left > 0) onNote(`${left} more pairs were uncertain and nobody was asked about them, because of maxPairs or maxCalls; they count as different.`);
}

async function askOnce(batch: readonly Question[], { runner, seat, signal }: JudgeSettings): Promise<Answer> {
  const totalMs = seat.timeout * 1_000;
  const ask = (): Promise<Answer> => runner.ask({
    seat, attempt: 1, instructions: judgeInstructions, prompt: renderQuestions(batch, fenceFor(batch)), change: null, read: async () => null,
    deadlines: { firstOutputMs: totalMs, idleMs: totalMs, totalMs },
  }, signal);
  for (const wait of waitsMs) {
    const answer = await ask();
    if (answer.status === 'answered' || causes[answer.failure.cause].retry !== 'transport') return answer;
    await sleep(Math.min(answer.retryAfterMs ?? wait, longestWaitMs), undefined, { signal }).catch(() => {});
  }
  return ask();
}

/** The same questions get the same prompt; whoever writes one of them does not know the others. */
function fenceFor(batch: readonly Question[]): string {
  return hash(batch).slice(0, 32);
}

function keyOf(question: Question, { model, baseUrl }: Seat): string {
  return hash(['judge/1', model, baseUrl, question.first, question.second]);
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function toVerdict(text: string | null): Verdict | null {
  return text === 'same' || text === 'different' || text === 'contradicts' ? text : null;
}
