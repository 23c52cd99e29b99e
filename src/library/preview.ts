/** What would be sent, and to whom: the dry run prints it, and it equals what is sent. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { buildPacks } from '../engine/build-packs.ts';
import { openTokens, previewQuestions } from '../engine/review/open-tokens.ts';
import type { Call } from './call.ts';
import { previewContext } from './context/preview-context.ts';
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
