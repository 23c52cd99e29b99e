/**
 * Asks one reviewer, in one question or in several, and makes one review of what comes back. A reviewer's failure is
 * data; whatever a reviewer does, this returns a review.
 */
import { outOfBudget, type Pack, StepChoice } from '../../core/context/pack.ts';
import { ProgressiveMode } from '../../core/context/progressive-mode.ts';
import { causes } from '../../core/words/review.ts';
import { askQuestion, rejectionOf } from './ask-step.ts';
import type { Asked, AskingSession, ReviewTask, Conducted, Held, HeldStep } from './review-task.ts';
import { toReview } from './make-review.ts';
import type { StepSource } from './step-source.ts';
import { toolInstructions } from '../../core/tools/offers.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';

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
    const pack = withTools(next.pack, tools);
    await task.keep?.(pack, steps.length + 1);
    const asked = await askQuestion(
      task,
      { pack, tools, key: next.key, reserved: next.reserved ?? task.tokens?.granted ?? 0 },
      session,
    );
    steps.push({ ...asked, pack, mode: next.mode });
    if (asked.isCut || endsReview(asked)) break;
  }
  const held = heldOf(task, session, steps);
  const review = await toReview(task, held, {
    times: { startedAt, durationMs: Math.round(clock.monotonicMs() - began) },
    locate,
  });
  return {
    review,
    transcripts: steps.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.transcript)),
  };
}

function heldOf(task: ReviewTask, session: AskingSession, steps: readonly HeldStep[]): Held {
  const last = steps.at(-1);
  const isFailed = last !== undefined && !last.isCut && endsReview(last);
  const unasked = (task.source?.left() ?? []).map(({ path, why }) => ({
    path,
    why: isFailed && why === outOfBudget ? 'an earlier question failed' : why,
  }));
  const isOutOfTokens = last?.isCut === true || unasked.some(({ why }) => why === outOfBudget);
  if (task.source !== undefined && isOutOfTokens)
    announce(task, session, 'force_return', last?.mode ?? 'full');
  return { steps, unasked, isOutOfTokens };
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
    return { pack: packOf(task, mode), mode, key: task.key, reserved: null };
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
  const name = `${key}/mode`;
  const known = ProgressiveMode.safeParse(steps.recall(name));
  if (known.success) return known.data;
  return steps.step(name, () =>
    Promise.resolve(
      (tokens.known()?.mode() ?? 'full') === 'full'
        ? ('full' as const)
        : ('high_severity_only' as const),
    ),
  );
}

function packOf({ pack }: ReviewTask, mode: ProgressiveMode): Pack {
  return typeof pack === 'function' ? pack(mode) : pack;
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
  const known = StepChoice.safeParse(steps.recall(key));
  const ledger = (await tokens?.ledger()) ?? null;
  if (known.success) {
    ledger?.reserve(known.data.tokens);
    return known.data;
  }
  const mode = ledger?.mode() ?? 'full';
  if (mode === 'force_return') return null;
  const choice = source.propose(mode, ledger?.room() ?? Number.POSITIVE_INFINITY);
  if (choice === null || ledger?.reserve(choice.tokens) === false) return null;
  return steps.step(key, () => Promise.resolve(choice));
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
