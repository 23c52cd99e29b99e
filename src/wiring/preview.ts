/** What would leave the house, and to whom: the dry run prints it, and it equals what is sent. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { buildPacks } from '../engine/build-packs.ts';
import type { Prepared } from './start-run.ts';

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

export async function previewOf({ plan, subject, excluded }: Prepared): Promise<Preview> {
  const packs = await buildPacks(plan, subject, createSecretScanner());
  return {
    title: subject.title,
    reviewers: plan.seats.map(seat => {
      const { instructions, prompt, readings } = packs.packFor(seat);
      return {
        id: seat.id, runner: seat.runner, model: seat.model ?? null, baseUrl: seat.baseUrl ?? null, persona: seat.persona.name, required: seat.required,
        files: readings.filter(({ extent }) => extent === 'full' || extent === 'partial').map(({ path }) => path),
        skipped: readings.filter(({ extent }) => extent === 'skipped').map(({ path }) => path),
        bytes: seat.runner === 'builtin' ? 0 : Buffer.byteLength(instructions) + Buffer.byteLength(prompt),
        timeoutSeconds: seat.timeout,
        prompt,
      };
    }),
    excluded: excluded.map(({ path }) => path),
    quorum: plan.policy.quorum,
    masked: packs.masked,
  };
}
