/**
 * Asks one reviewer, in one question or in several, and makes one review of what comes back. A reviewer's failure is
 * data; whatever a reviewer does, this returns a review.
 */
import type { Pack } from '../../core/context/pack.ts';
import { ProgressiveMode } from '../../core/context/progressive-mode.ts';
import { outOfBudget, StepChoice } from '../../core/context/step.ts';
import { causes } from '../../core/review.ts';
import { askStep, rejectionOf } from './ask-step.ts';
import type { Asked, Conduct, Conducted, Held, HeldStep, Surroundings } from './conduct.ts';
import { toReview } from './make-review.ts';
import type { StepSource } from './step-source.ts';
import { toolInstructions } from '../../core/tools/offers.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';

/** Rejects only when `signal` aborts: a call that was cut off is no step and is asked again on resume. */
export async function conductReview(conduct: Conduct, world: Surroundings): Promise<Conducted> {
  const startedAt = world.clock.now().toISOString();
  const began = world.clock.monotonicMs();
  const tools = conduct.openTools?.((await conduct.tokens?.ledger()) ?? null) ?? null;
  const held = conduct.source === undefined ? await holdOnly(conduct, tools, world) : await holdSteps(conduct, { source: conduct.source, tools }, world);
  const times = { startedAt, durationMs: Math.round(world.clock.monotonicMs() - began) };
  const review = await toReview(conduct, held, { times, locate: world.locate });
  return { review, transcripts: held.steps.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.transcript)) };
}

/** A question that fits is always asked, if for the grave things only. */
async function holdOnly(conduct: Conduct, all: MeteredTools | null, world: Surroundings): Promise<Held> {
  const tools = usable(all);
  const mode = await rememberedMode(conduct, world);
  announce(conduct, world, mode, 'full');
  const pack = withTools(packOf(conduct, mode), tools);
  await conduct.keep?.(pack, 1);
  const asked = await askStep(conduct, { pack, tools, key: conduct.key, reserved: conduct.tokens?.granted ?? 0 }, world);
  return { steps: [{ ...asked, pack, mode }], unasked: [], isOutOfTokens: asked.isCut };
}

/** On resume the question must be the one that was answered. */
async function rememberedMode({ tokens, key }: Conduct, { steps }: Surroundings): Promise<ProgressiveMode> {
  if (tokens === undefined) return 'full';
  const name = `${key}/mode`;
  const known = ProgressiveMode.safeParse(steps.recall(name));
  if (known.success) return known.data;
  return steps.step(name, () => Promise.resolve((tokens.known()?.mode() ?? 'full') === 'full' ? ('full' as const) : ('high_severity_only' as const)));
}

function packOf({ pack }: Conduct, mode: ProgressiveMode): Pack {
  return typeof pack === 'function' ? pack(mode) : pack;
}

/** Tools that could tell nothing any more would only take tokens. */
function usable(tools: MeteredTools | null): MeteredTools | null {
  return tools?.isSpent() === true ? null : tools;
}

function withTools(pack: Pack, tools: MeteredTools | null): Pack {
  return tools === null ? pack : { ...pack, prompt: `${pack.prompt}\n${toolInstructions}\n` };
}

interface Means {
  readonly source: StepSource;
  readonly tools: MeteredTools | null;
}

async function holdSteps(conduct: Conduct, { source, tools: all }: Means, world: Surroundings): Promise<Held> {
  const held: HeldStep[] = [];
  let mode: ProgressiveMode = 'full';
  for (let number = 1; ; number++) {
    const key = number === 1 ? conduct.key : `${conduct.key}/step/${number}`;
    const choice = await choose(conduct, source, world, `${key}/files`);
    if (choice === null) break;
    announce(conduct, world, choice.mode, mode);
    mode = choice.mode;
    const tools = usable(all);
    const pack = withTools(source.take(choice), tools);
    await conduct.keep?.(pack, number);
    const asked = await askStep(conduct, { pack, tools, key, reserved: choice.tokens }, world);
    held.push({ ...asked, pack, mode });
    if (asked.isCut || endsReview(asked)) break;
  }
  const last = held.at(-1);
  const isFailed = last !== undefined && !last.isCut && endsReview(last);
  const unasked = source.left().map(({ path, why }) => ({ path, why: isFailed && why === outOfBudget ? 'an earlier question failed' : why }));
  const isOutOfTokens = last?.isCut === true || unasked.some(({ why }) => why === outOfBudget);
  if (isOutOfTokens) announce(conduct, world, 'force_return', mode);
  return { steps: held, unasked, isOutOfTokens };
}

/** Null: there is nothing more to ask about, or no tokens for it. What was chosen before a crash is chosen again. */
async function choose({ tokens }: Conduct, source: StepSource, { steps }: Surroundings, key: string): Promise<StepChoice | null> {
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

function announce({ seat, tokens }: Conduct, { onEvent }: Surroundings, mode: ProgressiveMode, before: ProgressiveMode): void {
  if (mode === before) return;
  const { used, total } = tokens?.known()?.standing() ?? { used: 0, total: 0 };
  onEvent({ type: 'mode', reviewer: seat.id, mode, used, total });
}
