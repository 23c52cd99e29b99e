/**
 * Asks one reviewer, in one question or in several, and makes one review of what comes back. A reviewer's failure is
 * data; whatever a reviewer does, this returns a review.
 */
import { outOfBudget, type Pack, StepChoice } from '../../core/context/pack.ts';
import { ProgressiveMode } from '../../core/context/budget.ts';
import { toolInstructions } from '../../core/tools/offers.ts';
import { causes } from '../../core/words/review.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import { askQuestion, isCut, rejectionOf } from './ask-step.ts';
import { makeReview } from './make-review.ts';
import type {
  AskingSession,
  Conducted,
  Held,
  HeldStep,
  Question,
  ReviewTask,
} from './review-task.ts';
import { stepRoom, type StepSource } from './allot-tokens.ts';

/**
 * One question after the other, until nothing is left to ask about, the tokens end or an answer says that asking on is no use.
 * Rejects only when `signal` aborts: a call that was cut off is no step and is asked again on resume.
 */
export async function conductReview(task: ReviewTask, session: AskingSession): Promise<Conducted> {
  const { clock, locate } = session;
  const startedAt = clock.now().toISOString();
  const began = clock.monotonicMs();
  const offered = task.openTools?.((await task.tokens?.ledger()) ?? null) ?? null;
  const steps = [];
  for (
    let next = await nextQuestion(task, session, 1);
    next;
    next = await nextQuestion(task, session, steps.length + 1)
  ) {
    announce(task, session, next.mode, steps.at(-1)?.mode ?? 'full');
    // Tools that could tell nothing any more would only take tokens.
    const tools = offered?.isSpent() ? null : offered;
    const asked = await askOrSplit(
      task,
      { ...next, pack: withTools(next.pack, tools), tools },
      session,
      steps.length + 1,
    );
    steps.push(...asked);
    if (asked.some(({ attempts }) => isCut(attempts.at(-1)) || endsReview(attempts))) break;
  }
  const held = heldOf(task, session, steps);
  const durationMs = Math.round(clock.monotonicMs() - began);
  const review = await makeReview(task, held, { startedAt, durationMs }, locate);
  return {
    review,
    transcripts: steps.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.transcript)),
  };
}

/** A question that the model does not take is split once; both halves are asked. */
async function askOrSplit(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
  number: number,
): Promise<readonly HeldStep[]> {
  const { pack, mode, tools, key } = question;
  await task.keep?.(pack, number);
  const whole = await askQuestion(task, question, session);
  const isTooLong = rejectionOf(whole.at(-1))?.cause === 'context';
  const parts = isTooLong ? (pack.split?.() ?? []) : [];
  if (parts.length === 0) return [{ attempts: whole, pack, mode }];
  const held = [];
  for (const [index, part] of parts.entries()) {
    const own = withTools(part, tools);
    await task.keep?.(own, number + index);
    const half = { ...question, pack: own, key: `${key}/part/${index + 1}`, reserved: 0 };
    const asked = await askQuestion(task, half, session);
    held.push({ attempts: [...(index === 0 ? whole : []), ...asked], pack: own, mode });
  }
  return held;
}

function heldOf(task: ReviewTask, session: AskingSession, steps: readonly HeldStep[]): Held {
  const last = steps.at(-1);
  const isFailed = last !== undefined && !isCut(last.attempts.at(-1)) && endsReview(last.attempts);
  const unasked = (task.source?.left() ?? []).map(each => ({
    ...each,
    why: isFailed && each.why === outOfBudget ? 'an earlier question failed' : each.why,
  }));
  const shortage = shortageOf(task, last, unasked);
  if (task.source && shortage === 'budget')
    announce(task, session, 'force_return', last?.mode ?? 'full');
  return { steps, unasked, shortage };
}

/** Where the threshold is not reached, nobody was stopped: what is left holds no file that is left. */
function shortageOf({ tokens }: ReviewTask, last: HeldStep | undefined, unasked: Held['unasked']) {
  if (isCut(last?.attempts.at(-1))) return 'budget';
  if (!unasked.some(({ extent, why }) => extent === 'skipped' && why === outOfBudget)) return null;
  return tokens?.known()?.mode() === 'force_return' ? 'budget' : 'room';
}

/** Null: there is nothing more to ask about, or no tokens for it. A question that fits is always asked, if for the grave things only. */
async function nextQuestion(task: ReviewTask, session: AskingSession, number: number) {
  const { source } = task;
  if (!source) {
    if (number > 1) return null;
    const mode = await rememberedMode(task, session);
    const pack = typeof task.pack === 'function' ? task.pack(mode) : task.pack;
    return { pack, mode, key: task.key, reserved: task.tokens?.granted ?? 0 };
  }
  const key = number === 1 ? task.key : `${task.key}/step/${number}`;
  const choice = await choose(task, source, session, `${key}/files`);
  return choice && { pack: source.take(choice), mode: choice.mode, key, reserved: choice.tokens };
}

/** On resume the question must be the one that was answered. */
async function rememberedMode({ tokens, key }: ReviewTask, { steps }: AskingSession) {
  if (!tokens) return 'full';
  return steps.step<ProgressiveMode>(
    `${key}/mode`,
    async () => ((tokens.known()?.mode() ?? 'full') === 'full' ? 'full' : 'high_severity_only'),
    ProgressiveMode,
  );
}

function withTools(pack: Pack, tools: MeteredTools | null) {
  return tools ? { ...pack, prompt: `${pack.prompt}\n${toolInstructions}\n` } : pack;
}

/** Null: there is nothing more to ask about, or no tokens for it. What was chosen before a crash is chosen again. */
async function choose(
  { tokens }: ReviewTask,
  source: StepSource,
  { steps }: AskingSession,
  key: string,
) {
  const known = await steps.recall(key, StepChoice);
  const ledger = (await tokens?.ledger()) ?? null;
  if (known) {
    ledger?.reserve(known.tokens);
    return known;
  }
  const isMore = async () => source.isWanting() && (await tokens?.whenMore()) === true;
  for (;;) {
    const mode = ledger?.mode() ?? 'full';
    // Nobody is asked for less, or about less, while others may still leave some of theirs.
    if (mode !== 'full' && (await isMore())) continue;
    const choice = mode === 'force_return' ? null : source.propose(mode, stepRoom(ledger, mode));
    if (choice && ledger?.reserve(choice.tokens) !== false)
      return steps.step(key, async () => choice, StepChoice);
    if (!(await isMore())) return null;
  }
}

/** After an answer that could not be read the next question may go better; after anything else it will not. */
function endsReview(attempts: HeldStep['attempts']) {
  const rejection = rejectionOf(attempts.at(-1));
  return rejection !== null && causes[rejection.cause].retry !== 'answer';
}

function announce(
  { seat, tokens }: ReviewTask,
  { onEvent }: AskingSession,
  mode: ProgressiveMode,
  before: ProgressiveMode,
) {
  if (mode === before) return;
  const { used, total } = tokens?.known()?.standing() ?? { used: 0, total: 0 };
  onEvent({ type: 'mode', reviewer: seat.id, mode, used, total });
}
