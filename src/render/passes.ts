/** What is said of the passes of a vote wherever one is shown: how the second was held, and what the first came to. */
import {
  type ConstitutionalBy,
  type Tally,
  type RatificationRow,
  type SampleFigures,
  secondPassWords,
} from '../vote/index.ts';

/** Wherever a motion of a simulation is shown. */
export const simulatedWords = 'simulated';

/** `second pass assumed, not asked`; null: there was none. */
export function describeSecondPass({
  second_pass,
}: Pick<RatificationRow, 'second_pass'>): string | null {
  return second_pass === null ? null : `second pass ${secondPassWords[second_pass]}`;
}

/** `Yeas 5 | Nays 6 | Amends 7 | Abstain 0`; null: this was the first. */
export function describeFirstPass({
  first_pass,
}: Pick<RatificationRow, 'first_pass'>): string | null {
  if (first_pass === null) return null;
  const { yeas, nays, amends, abstentions } = first_pass;
  return `Yeas ${yeas} | Nays ${nays} | Amends ${amends} | Abstain ${abstentions}`;
}

/**
 * `decided by a sample of 24 of 71, at most a 0.8 % risk that the others would turn it`; of one that is open how many more would
 * decide it; null: everybody was asked.
 */
export function describeSample({
  outcome,
  asked,
  answered,
  risk,
  not_drawn: others,
  more,
}: Pick<RatificationRow, 'outcome' | keyof SampleFigures>): string | null {
  if (asked === null || others === null || risk === null) return null;
  const of = `${asked} of ${asked + others}`;
  if (outcome === 'incomplete')
    return (
      `a sample of ${of} was asked, ${answered} answered, and with a chance of up to ${percentAtMost(risk)} % the others would turn it; ` +
      (more === null || more >= others
        ? 'all of them would have to be asked'
        : `${more} more with the commonest answer would decide it`)
    );
  return risk === 0
    ? `decided by a sample of ${of}, whatever the others would say`
    : `decided by a sample of ${of}, at most a ${percentAtMost(risk)} % risk that the others would turn it`;
}

/** Rounded up, to two digits that count; what is smaller than a hundredth is not told apart. */
function percentAtMost(risk: number): string {
  const percent = Math.max(100 * risk, 0.01);
  const digits = Math.max(0, 1 - Math.floor(Math.log10(percent)));
  // What stands behind the last digit only because fractions are binary is not rounded up.
  return String(Math.ceil(percent * 10 ** digits - 1e-9) / 10 ** digits);
}

/** Support that nobody asked for stands apart from what was said; null: there is none. */
export function describeImplicit(yeas: number): string | null {
  return yeas === 0
    ? null
    : `of the yeas ${yeas} implicit: supported it before the vote, not asked`;
}

/** `5 yea, 6 nay, 7 amend`; without amends when there are none. */
export function describeVotes({ yeas, nays, amends }: Omit<Tally, 'abstentions'>): string {
  return `${yeas} yea, ${nays} nay${amends > 0 ? `, ${amends} amend` : ''}`;
}

/** `12 yea, 6 nay; assumed, not asked; first pass 5 yea, 6 nay, 7 amend; 6 abstain; 4 of the yeas implicit`. */
export function describeFigures(row: RatificationRow, implicit: number): string {
  const sample = describeSample(row);
  const unsaid = implicit === 0 ? '' : `; ${implicit} of the yeas implicit`;
  const abstaining = `${row.abstentions} abstain${unsaid}${sample === null ? '' : `; ${sample}`}`;
  return row.first_pass === null || row.second_pass === null
    ? `${describeVotes(row)}, ${abstaining}`
    : `${describeVotes(row)}; ${row.second_pass === 'asked' ? 'second pass ' : ''}${secondPassWords[row.second_pass]}; first pass ${describeVotes(row.first_pass)}; ${abstaining}`;
}

export const constitutionalWords: Readonly<Record<ConstitutionalBy, string>> = {
  declared: 'declared constitutional',
  title: 'constitutional by its title',
};
