/** What is said of the passes of a vote wherever one is shown: its figures, what they stood against, and how a second was held. */
import type { MotionAccount } from '../core/printed/motion-account.ts';
import {
  type ConstitutionalBy,
  type RatificationRow,
  type SampleFigures,
  secondPassWords,
  type Tally,
} from '../vote/index.ts';

/** Wherever a motion of a simulation is shown. */
export const simulatedWords = 'simulated';

/** `5 yea, 6 nay, 7 amend, 2 abstain`; without amends when there are none. */
export function describeTally({ yeas, nays, amends, abstentions }: Tally): string {
  return `${yeas} yea, ${nays} nay${amends > 0 ? `, ${amends} amend` : ''}, ${abstentions} abstain`;
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
  const least =
    risk === 0
      ? 'whatever the others would say'
      : `at most a ${percentAtMost(risk)} % risk that the others would turn it`;
  return `decided by a sample of ${of}, ${least}`;
}

/** Rounded up, to two digits that count; what is smaller than a hundredth is not told apart. */
function percentAtMost(risk: number): string {
  const percent = Math.max(100 * risk, 0.01);
  const digits = Math.max(0, 1 - Math.floor(Math.log10(percent)));
  // What stands behind the last digit only because fractions are binary is not rounded up.
  return String(Math.ceil(percent * 10 ** digits - 1e-9) / 10 ** digits);
}

const constitutionalWords: Readonly<Record<ConstitutionalBy, string>> = {
  declared: ' (declared constitutional)',
  title: ' (constitutional by its title)',
};

/** `supermajority 38/48 NOT MET (declared constitutional), second pass assumed, not asked`. */
export function describeThreshold(row: ThresholdRow): string {
  const second =
    row.second_pass === null ? '' : `, second pass ${secondPassWords[row.second_pass]}`;
  const sample = describeSample(row);
  if (row.outcome === 'incomplete')
    return `INCOMPLETE, undecided: ${sample ?? `${row.missing} of those asked did not answer, which could change the outcome`}${second}`;
  const met = row.threshold_met ? 'MET' : 'NOT MET';
  if (row.threshold_type === 'fast_track')
    return 'fast_track: of low risk, ratified without a vote, threshold MET';
  // Figures of a sample stand against no threshold.
  if (sample !== null)
    return `${row.quorum_met ? `${row.threshold_type} ${met}` : 'quorum NOT MET'}, ${sample}`;
  if (row.threshold_type === 'revision_required')
    return `revision_required: ${row.amends} of ${row.eligible_votes} votes ask for amendments, threshold NOT MET`;
  const because = row.supermajority_because;
  const quorum = row.quorum_met
    ? ''
    : `, quorum ${row.eligible_votes}/${row.quorum_required} NOT MET`;
  return `${row.threshold_type} ${row.yeas}/${row.threshold_required} ${met}${because === null ? '' : constitutionalWords[because]}${quorum}${second}`;
}

type ThresholdRow = SampleFigures &
  Pick<MotionAccount, 'outcome' | 'second_pass'> &
  Omit<MotionAccount['final'], 'margin' | 'threshold_of' | 'threshold_share'>;

/** `12 yea, 6 nay, 6 abstain; second pass assumed, not asked; first pass 5 yea, 6 nay, 7 amend, 6 abstain; 4 of the yeas implicit`. */
export function describeFigures(row: RatificationRow, implicit: number): string {
  const { second_pass: second, first_pass: first } = row;
  return [
    describeTally(row),
    second !== null && `second pass ${secondPassWords[second]}`,
    first !== null && `first pass ${describeTally(first)}`,
    implicit > 0 && `${implicit} of the yeas implicit`,
    describeSample(row),
  ]
    .filter(part => typeof part === 'string')
    .join('; ');
}
