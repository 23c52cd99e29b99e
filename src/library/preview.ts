/**
 * What a prepared run would send to whom, and what it would take. The dry run equals what is sent; nobody is asked and nothing
 * is written.
 */
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { countWith } from '../core/context/scope.ts';
import type { Pack } from '../core/context/pack.ts';
import { drawPlan, type PlannedPack, type ReviewPlan } from '../core/context/review-plan.ts';
import type { RunStore, TokenCounter } from '../core/ports.ts';
import type { Seat } from '../core/words/config.ts';
import { buildPacks, type Packs } from '../engine/build-packs.ts';
import { openReviewContext, type ReviewContext } from '../engine/context/pack-review-context.ts';
import { openTokens, previewQuestions } from '../engine/review/open-tokens.ts';
import { type Call, clockOf, temporaryFolderOf } from './call.ts';
import { openContext } from './context/open-context.ts';
import type { Prepared } from './prepare.ts';

export interface Preview {
  readonly title: string;
  readonly reviewers: readonly {
    readonly id: string;
    readonly runner: string;
    readonly model: string | null;
    readonly baseUrl: string | null;
    readonly persona: string;
    readonly required: boolean;
    readonly files: readonly string[];
    readonly skipped: readonly string[];
    /** Instructions and prompt; 0 for a reviewer that gets no prompt. */
    readonly bytes: number;
    readonly timeoutSeconds: number;
    readonly prompt: string;
  }[];
  readonly excluded: readonly string[];
  readonly quorum: number;
  readonly masked: number;
}

export async function previewOf(prepared: Prepared, call: Call): Promise<Preview> {
  const { plan, subject, excluded, sizing } = prepared;
  const packs = await buildPacks(plan, subject, createSecretScanner(), {
    around: await previewContext(prepared, call),
  });
  const tokens = openTokens({ plan, packs, measure: sizing?.measure ?? null, onEvent: () => {} });
  return {
    title: subject.title,
    reviewers: await Promise.all(
      plan.seats.map(async seat => {
        const questions = await previewQuestions(seat, tokens);
        const shown = new Set(
          questions
            .flatMap(({ readings }) => readings)
            .filter(({ extent }) => extent === 'full' || extent === 'partial')
            .map(({ path }) => path),
        );
        return {
          id: seat.id,
          runner: seat.runner,
          model: seat.model ?? null,
          baseUrl: seat.baseUrl ?? null,
          persona: seat.persona.name,
          required: seat.required,
          files: [...shown],
          skipped: packs
            .readingsFor(seat)
            .filter(({ path, extent }) => extent !== 'outside' && !shown.has(path))
            .map(({ path }) => path),
          bytes:
            seat.runner === 'builtin'
              ? 0
              : questions.reduce(
                  (sum, { instructions, prompt }) =>
                    sum + Buffer.byteLength(instructions) + Buffer.byteLength(prompt),
                  0,
                ),
          timeoutSeconds: seat.timeout,
          prompt: questions.map(({ prompt }) => prompt).join('\n'),
        };
      }),
    ),
    excluded: excluded.map(({ path }) => path),
    quorum: plan.policy.quorum,
    masked: packs.masked,
  };
}

/** Draws the plan of a prepared review. Nobody is asked and nothing is written. */
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

/** What would stand around the change in the prompts, with nothing written to the project. */
async function previewContext(
  { plan, subject, repository, state }: Prepared,
  call: Call,
): Promise<ReviewContext> {
  const passing = await lstat(join(state.root, 'index.sqlite')).then(
    () => null,
    () => mkdtemp(join(temporaryFolderOf(call), 'jury-index-')),
  );
  try {
    return await openReviewContext(
      { plan, subject },
      {
        store: nowhere(plan.run),
        clock: clockOf(call),
        openContext: async () =>
          subject.kind === 'change' && repository !== null
            ? openContext(
                subject,
                repository,
                passing === null ? state : { ...state, root: passing },
                call,
              )
            : null,
      },
      () => {},
    ).beforeAsking;
  } finally {
    if (passing !== null) await rm(passing, { recursive: true, force: true });
  }
}

/** Takes everything and keeps nothing. */
function nowhere(runId: string): RunStore {
  return {
    runId,
    folder: '',
    copies: null,
    write: () => Promise.resolve(),
    append: () => Promise.resolve(),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
  };
}
