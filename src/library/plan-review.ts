/** Draws the plan of a prepared review. Nobody is asked and nothing is written. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import type { Seat } from '../core/words/config.ts';
import { drawPlan, type PlannedPack, type ReviewPlan } from '../core/context/review-plan.ts';
import { countWith } from '../core/context/scope.ts';
import type { TokenCounter } from '../core/ports.ts';
import type { Pack } from '../core/context/pack.ts';
import { buildPacks, type Packs } from '../engine/build-packs.ts';
import { openTokens, previewQuestions } from '../engine/review/open-tokens.ts';
import type { Call } from './call.ts';
import { previewContext } from './context/preview-context.ts';
import type { Prepared } from './prepare.ts';

export async function planOf(prepared: Prepared, call: Call): Promise<ReviewPlan> {
  const { plan, subject, sizing, runnerFor } = prepared;
  if (sizing === null) throw new Error('Only changes are sized up.');
  const packs = await buildPacks(plan, subject, createSecretScanner(), {
    around: await previewContext(prepared, call),
  });
  const measured = await sizing.measure();
  const tokens = openTokens({ plan, packs, measure: sizing.measure, onEvent: () => {} });
  const planned = await Promise.all(
    plan.seats.map(async seat => {
      const questions = seat.runner === 'builtin' ? [] : await previewQuestions(seat, tokens);
      return planPack(seat, {
        packs,
        questions,
        counter: measured.counter,
        factor: measured.factors[seat.id] ?? 1,
        transportRetries: (await runnerFor(seat)).transportRetries ?? 0,
      });
    }),
  );
  const { triage, complexity } = sizing;
  return drawPlan({
    ...measured,
    triage,
    complexity,
    title: subject.title,
    packs: planned,
    quorum: plan.policy.quorum,
    limits: plan.limits,
  });
}

interface Packing {
  readonly packs: Packs;
  readonly questions: readonly Pack[];
  readonly counter: TokenCounter;
  readonly factor: number;
  readonly transportRetries: number;
}

function planPack(
  seat: Seat,
  { packs, questions, counter, factor, transportRetries }: Packing,
): PlannedPack {
  const isSent = seat.runner !== 'builtin';
  const read = (isSent ? questions.flatMap(({ readings }) => readings) : packs.readingsFor(seat))
    .filter(({ extent }) => extent === 'full' || extent === 'partial')
    .map(({ path }) => path);
  const shown = new Set(read);
  const sum = (measure: (text: string) => number): number =>
    questions.reduce(
      (total, { instructions, prompt }) => total + measure(instructions) + measure(prompt),
      0,
    );
  return {
    id: seat.id,
    persona: seat.persona.name,
    role: seat.persona.role,
    runner: seat.runner,
    model: seat.model ?? null,
    required: seat.required,
    price: seat.price ?? null,
    transportRetries,
    files: read,
    skipped: packs
      .readingsFor(seat)
      .filter(({ path, extent }) => extent !== 'outside' && !shown.has(path))
      .map(({ path }) => path),
    packs: questions.length,
    bytes: sum(text => Buffer.byteLength(text)),
    tokens: sum(countWith(text => counter.count(text), factor)),
    factor,
  };
}
