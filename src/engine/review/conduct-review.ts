/**
 * Asks one reviewer, in one question or in several, and makes one review of what comes back. A reviewer's failure is
 * data; whatever a reviewer does, this returns a review.
 */
import { outOfBudget, type Pack, StepChoice } from '../../core/context/pack.ts';
import { ProgressiveMode } from '../../core/context/progressive-mode.ts';
import { toolInstructions } from '../../core/tools/offers.ts';
import { causes } from '../../core/words/review.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import { askQuestion, rejectionOf } from './ask-step.ts';
import { makeReview } from './make-review.ts';
import type {
  Asked,
  AskingSession,
  Conducted,
  Held,
  HeldStep,
  Question,
  ReviewTask,
  Shortage,
} from './review-task.ts';
import { stepRoom, type StepSource } from './step-source.ts';

/**
 * One question after the other, until nothing is left to ask about, the tokens end or an answer says that asking on is no use.
 * Rejects only when `signal` aborts: a call that was cut off is no step and is asked again on resume.
 */
export async function conductReview(task: ReviewTask, session: AskingSession): Promise<Conducted> {
  const { clock, locate } = session;
  const startedAt = clock.now().toISOString();
  const began = clock.monotonicMs();
  const offered = task.openTools?.((await task.tokens?.ledger()) ?? null) ?? null;
  const steps: HeldStep[] = [];
  for (
    let next = await nextQuestion(task, session, 1);
    next !== null;
    next = await nextQuestion(task, session, steps.length + 1)
  ) {
    announce(task, session, next.mode, steps.at(-1)?.mode ?? 'full');
    // Tools that could tell nothing any more would only take tokens.
    const tools = offered?.isSpent() === true ? null : offered;
    const asked = await askOrSplit(
      task,
      {
        pack: withTools(next.pack, tools),
        tools,
        key: next.key,
        reserved: next.reserved ?? task.tokens?.granted ?? 0,
      },
      session,
      steps.length + 1,
    );
    steps.push(...asked.map(each => ({ ...each, mode: next.mode })));
    if (asked.some(each => each.isCut || endsReview(each))) break;
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
): Promise<readonly Omit<HeldStep, 'mode'>[]> {
  const { pack, tools, key } = question;
  await task.keep?.(pack, number);
  const whole = await askQuestion(task, question, session);
  const isTooLong = rejectionOf(whole.attempts.at(-1))?.cause === 'context';
  const parts = isTooLong ? (pack.split?.() ?? []) : [];
  if (parts.length === 0) return [{ ...whole, pack }];
  const held: Omit<HeldStep, 'mode'>[] = [];
  for (const [index, part] of parts.entries()) {
    const own = withTools(part, tools);
    await task.keep?.(own, number + index);
    const asked = await askQuestion(
      task,
      { pack: own, tools, key: `${key}/part/${index + 1}`, reserved: 0 },
      session,
    );
    const before = index === 0 ? whole.attempts : [];
    held.push({ ...asked, attempts: [...before, ...asked.attempts], pack: own });
  }
  return held;
}

function heldOf(task: ReviewTask, session: AskingSession, steps: readonly HeldStep[]): Held {
  const last = steps.at(-1);
  const isFailed = last !== undefined && !last.isCut && endsReview(last);
  const unasked = (task.source?.left() ?? []).map(each => ({
    ...each,
    why: isFailed && each.why === outOfBudget ? 'an earlier question failed' : each.why,
  }));
  const shortage = shortageOf(task, last, unasked);
  if (task.source !== undefined && shortage === 'budget')
    announce(task, session, 'force_return', last?.mode ?? 'full');
  return { steps, unasked, shortage };
}

/** Where the threshold is not reached, nobody was stopped: what is left holds no file that is left. */
function shortageOf(
  { tokens }: ReviewTask,
  last: HeldStep | undefined,
  unasked: Held['unasked'],
): Shortage | null {
  if (last?.isCut === true) return 'budget';
  if (!unasked.some(({ extent, why }) => extent === 'skipped' && why === outOfBudget)) return null;
  return tokens?.known()?.mode() === 'force_return' ? 'budget' : 'room';
}

interface NextQuestion {
  readonly pack: Pack;
  readonly mode: ProgressiveMode;
  readonly key: string;
  /** Null: what was granted for the only question. */
  readonly reserved: number | null;
}

/** Null: there is nothing more to ask about, or no tokens for it. A question that fits is always asked, if for the grave things only. */
async function nextQuestion(
  task: ReviewTask,
  session: AskingSession,
  number: number,
): Promise<NextQuestion | null> {
  const { source } = task;
  if (source === undefined) {
    if (number > 1) return null;
    const mode = await rememberedMode(task, session);
    const pack = typeof task.pack === 'function' ? task.pack(mode) : task.pack;
    return { pack, mode, key: task.key, reserved: null };
  }
  const key = number === 1 ? task.key : `${task.key}/step/${number}`;
  const choice = await choose(task, source, session, `${key}/files`);
  return choice === null
    ? null
    : { pack: source.take(choice), mode: choice.mode, key, reserved: choice.tokens };
}

/** On resume the question must be the one that was answered. */
async function rememberedMode(
  { tokens, key }: ReviewTask,
  { steps }: AskingSession,
): Promise<ProgressiveMode> {
  if (tokens === undefined) return 'full';
  return steps.step<ProgressiveMode>(
    `${key}/mode`,
    () =>
      Promise.resolve(
        (tokens.known()?.mode() ?? 'full') === 'full' ? 'full' : 'high_severity_only',
      ),
    ProgressiveMode,
  );
}

function withTools(pack: Pack, tools: MeteredTools | null): Pack {
  return tools === null ? pack : { ...pack, prompt: `${pack.prompt}\n${toolInstructions}\n` };
}

/** Null: there is nothing more to ask about, or no tokens for it. What was chosen before a crash is chosen again. */
async function choose(
  { tokens }: ReviewTask,
  source: StepSource,
  { steps }: AskingSession,
  key: string,
): Promise<StepChoice | null> {
  const known = await steps.recall(key, StepChoice);
  const ledger = (await tokens?.ledger()) ?? null;
  if (known !== undefined) {
    ledger?.reserve(known.tokens);
    return known;
  }
  const isMore = async (): Promise<boolean> =>
    source.isWanting() && (await tokens?.whenMore()) === true;
  for (;;) {
    const mode = ledger?.mode() ?? 'full';
    // Nobody is asked for less, or about less, while others may still leave some of theirs.
    if (mode !== 'full' && (await isMore())) continue;
    const choice = mode === 'force_return' ? null : source.propose(mode, stepRoom(ledger, mode));
    if (choice !== null && ledger?.reserve(choice.tokens) !== false)
      return steps.step(key, () => Promise.resolve(choice), StepChoice);
    if (!(await isMore())) return null;
  }
}

/** After an answer that could not be read the next question may go better; after anything else it will not. */
function endsReview(asked: Asked): boolean {
  const rejection = rejectionOf(asked.attempts.at(-1));
  return rejection !== null && causes[rejection.cause].retry !== 'answer';
}

function announce(
  { seat, tokens }: ReviewTask,
  { onEvent }: AskingSession,
  mode: ProgressiveMode,
  before: ProgressiveMode,
): void {
  if (mode === before) return;
  const { used, total } = tokens?.known()?.standing() ?? { used: 0, total: 0 };
  onEvent({ type: 'mode', reviewer: seat.id, mode, used, total });
}
