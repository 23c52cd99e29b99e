/** Who is asked about which uncertain claim next, most valuable first, several claims in a call. Pure. */
import { z } from 'zod';
import type { BandSettings } from './band-settings.ts';
import {
  discounted,
  moveConfidence,
  valueOfAsking,
  type Verifier,
  type VerifierAnswer,
} from './band.ts';

/** The confidence at which something is decided about a claim, between 0 and 1. */
export interface WeighedCut {
  readonly at: number;
  /**
   * What a wrong decision there counts, 1 where the claim is taken for true that is not. For being worth a person's time it is
   * the probability that it is if it is true: what asking gains of the expected F1 is as much smaller.
   */
  readonly weight: number;
}

/** A claim whose confidence may still move. */
export interface OpenClaim {
  readonly id: string;
  /** Before any answer. */
  readonly confidence: number;
  /** What is decided about it. */
  readonly cuts: readonly WeighedCut[];
  readonly familiesOfSupporters: ReadonlySet<string>;
  /** Who may be asked: they did not say it, may hear of it and have not been asked yet. */
  readonly eligible: readonly Verifier[];
  /** So far. */
  readonly answers: readonly VerifierAnswer[];
}

export const PlannedCall = z.object({
  /** Who is asked. */
  reviewer: z.string(),
  /** Ids, the most valuable first. */
  claims: z.array(z.string()),
  /** Wrong decisions that its answers save on average, each counted by the weight of its cut. */
  value: z.number(),
});
export type PlannedCall = Readonly<z.infer<typeof PlannedCall>>;

/** As the journal keeps it. */
export const PlannedRound = z.object({
  /** Which time the run was worked on when it was planned. */
  time: z.int().positive(),
  calls: z.array(PlannedCall),
});

/**
 * The calls of one round, the most valuable first: every claim of the band is put to one reviewer, whose answer would save most,
 * and of those alike to one whose call has room, then to the one with fewest. Nothing where no answer could decide anything.
 */
export function planRound(
  claims: readonly OpenClaim[],
  { batch, answers: mostAnswers }: { readonly batch: number } & Pick<BandSettings, 'answers'>,
): PlannedCall[] {
  const assigned = new Map<string, Wanted[]>();
  const wanted = claims
    .filter(({ answers }) => answers.length < mostAnswers)
    .map(claim => ({ claim, values: valuesOf(claim) }))
    .filter(({ values }) => values.length > 0)
    .toSorted((one, other) => (other.values[0]?.value ?? 0) - (one.values[0]?.value ?? 0));
  for (const { claim, values } of wanted) {
    const best = values.filter(({ value }) => value === values[0]?.value);
    const load = (id: string): number => assigned.get(id)?.length ?? 0;
    const [chosen] = best.toSorted(
      (one, other) =>
        Number(load(one.id) % batch === 0) - Number(load(other.id) % batch === 0) ||
        load(one.id) - load(other.id),
    );
    if (chosen === undefined) continue;
    assigned.set(chosen.id, [
      ...(assigned.get(chosen.id) ?? []),
      { claim: claim.id, value: chosen.value },
    ]);
  }
  return [...assigned]
    .flatMap(([reviewer, list]) => callsOf(reviewer, list, batch))
    .toSorted((one, other) => other.value - one.value);
}

/** What is left under the ceilings; null: no ceiling. */
export interface Left {
  readonly calls: number | null;
  readonly tokens: number | null;
  /** US dollars. */
  readonly cost: number | null;
}

/** The first calls that fit: later ones are worth less, so that nothing is skipped for a cheaper one. `price` null: not known. */
export function withinCeilings<
  Call extends { readonly tokens: number; readonly price: number | null },
>(calls: readonly Call[], left: Left): Call[] {
  let [tokens, cost] = [0, 0];
  const fits = (call: Call, index: number): boolean => {
    tokens += call.tokens;
    // A ceiling of money is passed by nobody's first call, like that of the run: what is spent is compared before each.
    const before = cost;
    cost += call.price ?? 0;
    return (
      (left.calls === null || index < left.calls) &&
      (left.tokens === null || tokens <= left.tokens) &&
      (left.cost === null || before < left.cost)
    );
  };
  const end = calls.findIndex((call, index) => !fits(call, index));
  return calls.slice(0, end === -1 ? calls.length : end);
}

interface Wanted {
  readonly claim: string;
  readonly value: number;
}

/** Who could decide something by its answer, best first. */
function valuesOf({
  confidence,
  cuts,
  eligible,
  answers,
  familiesOfSupporters,
}: OpenClaim): { readonly id: string; readonly value: number }[] {
  const now = moveConfidence(confidence, answers, familiesOfSupporters);
  return eligible
    .map(verifier => {
      const worth = worthBeside(verifier, answers, familiesOfSupporters);
      return {
        id: verifier.id,
        value: cuts.reduce(
          (total, { at, weight }) => total + weight * valueOfAsking(now, worth, at),
          0,
        ),
      };
    })
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value);
}

/** What an answer would still count beside those there are. */
function worthBeside(
  verifier: Verifier,
  answers: readonly VerifierAnswer[],
  familiesOfSupporters: ReadonlySet<string>,
): number {
  const counted = discounted([...answers, { ...verifier, side: 'for' }], familiesOfSupporters);
  return counted.find(({ id }) => id === verifier.id)?.worth ?? 0;
}

function callsOf(reviewer: string, list: readonly Wanted[], batch: number): PlannedCall[] {
  return Array.from({ length: Math.ceil(list.length / batch) }, (_, index) => {
    const own = list.slice(index * batch, (index + 1) * batch);
    return {
      reviewer,
      claims: own.map(({ claim }) => claim),
      value: own.reduce((total, { value }) => total + value, 0),
    };
  });
}
