/** Draws the plan of a prepared review. Nobody is asked and nothing is written. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import type { Seat } from '../core/config.ts';
import { drawPlan, type PlannedPack, type ReviewPlan } from '../core/context/review-plan.ts';
import type { TokenCounter } from '../core/ports.ts';
import { buildPacks, type Packs } from '../engine/build-packs.ts';
import type { Prepared } from './start-run.ts';

export async function planOf({ plan, subject, sizing, runnerFor }: Prepared): Promise<ReviewPlan> {
  if (sizing === null) throw new Error('Only changes are sized up.');
  const packs = await buildPacks(plan, subject, createSecretScanner());
  const planned = await Promise.all(plan.seats.map(async seat => planPack(seat, { packs, counter: sizing.counter, transportRetries: (await runnerFor(seat)).transportRetries ?? 0 })));
  return drawPlan({ ...sizing, title: subject.title, packs: planned, quorum: plan.policy.quorum, limits: plan.limits });
}

interface Packing {
  readonly packs: Packs;
  readonly counter: TokenCounter;
  readonly transportRetries: number;
}

function planPack(seat: Seat, { packs, counter, transportRetries }: Packing): PlannedPack {
  const { instructions, prompt, readings } = packs.packFor(seat);
  const isSent = seat.runner !== 'builtin';
  return {
    id: seat.id, persona: seat.persona.name, role: seat.persona.role, runner: seat.runner, model: seat.model ?? null, required: seat.required, price: seat.price ?? null, transportRetries,
    files: readings.filter(({ extent }) => extent === 'full' || extent === 'partial').map(({ path }) => path),
    skipped: readings.filter(({ extent }) => extent === 'skipped').map(({ path }) => path),
    packs: isSent ? 1 : 0,
    bytes: isSent ? Buffer.byteLength(instructions) + Buffer.byteLength(prompt) : 0,
    tokens: isSent ? counter.count(instructions) + counter.count(prompt) : 0,
  };
}
