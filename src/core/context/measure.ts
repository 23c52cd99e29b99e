/** Tokens of a change: a bound before anybody answers, the exact figures, and the factor that providers' reports add. */
import { z } from 'zod';
import type { TokenCounter } from '../ports.ts';
import { bytesOf } from '../text.ts';
import type { BudgetFile } from './budget.ts';
import type { Scope } from './scope.ts';

/** The exact figures. Loading an encoding takes longer than starting a panel, so that they are worked out beside it. */
export interface Measured {
  readonly scope: Scope;
  readonly budget: BudgetFile;
  /** Counts for nobody in particular: the subject and its budgets. */
  readonly counter: TokenCounter;
  /** By reviewer: tokens of its family for each that `counter` counts. */
  readonly factors: Readonly<Record<string, number>>;
}

/** Works the figures out when it is first called; later calls give the same promise. */
export type Measure = () => Promise<Measured>;

// How many tokens of a vendor family a counted token stands for: known beforehand, and learned from what providers report.

/** One prompt that was counted here and whose input tokens its provider reported. */
export const TokenObservation = z.object({
  family: z.string().min(1),
  counted: z.int().positive(),
  reported: z.int().positive(),
});
export type TokenObservation = z.infer<typeof TokenObservation>;

/** Fewer say nothing yet. */
const leastObservations = 3;

/** More than this of one family are not kept: the last ones tell. */
export const mostObservations = 50;

/** No tokenizer in use is further from another; a report beyond that is about something else than the prompt. */
export const factorRange = { least: 0.5, most: 2 } as const;

/** On the count of `o200k_base`. Vendors without a tokenizer of their own that can be had count like it until they are observed. */
const priors: ReadonlyMap<string, number> = new Map([['anthropic', 1.1]]);

/** The median of reported ÷ counted within `factorRange`, to four places; with fewer than `leastObservations`, what is known beforehand. Null, a family nobody knows: 1. */
export function learnFactor(
  family: string | null,
  observations: readonly TokenObservation[],
): number {
  const ratios = observations
    .filter(observation => observation.family === family)
    .map(({ counted, reported }) => reported / counted);
  if (ratios.length < leastObservations) return priors.get(family ?? '') ?? 1;
  return (
    Math.round(Math.min(factorRange.most, Math.max(factorRange.least, medianOf(ratios))) * 10_000) /
    10_000
  );
}

/** The later ones last; of each family the last `mostObservations`. */
export function addObservations(
  known: readonly TokenObservation[],
  further: readonly TokenObservation[],
): TokenObservation[] {
  const counts = new Map<string, number>();
  return [...known, ...further]
    .toReversed()
    .filter(({ family }) => {
      const count = (counts.get(family) ?? 0) + 1;
      counts.set(family, count);
      return count <= mostObservations;
    })
    .toReversed();
}

/**
 * Counts for a family. Never more than the bytes of the text: whoever was let in by `bytesOf` is let in by this count
 * too. The bound itself takes no factor, since it holds for every tokenizer that spends at least a byte on a token.
 */
export function countWith(count: TokenCounter['count'], factor: number): TokenCounter['count'] {
  return factor === 1 ? count : text => Math.min(Math.ceil(count(text) * factor), bytesOf(text));
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}
