/** What a caller should know of how answers were read: one line, and none where every answer was read as it stands. */
import { toOneLine } from '../text.ts';
import type { RunReviewer } from '../words/run.ts';

/** `Reading: claims less than it found: beta | 2 lines unread: alpha | 3 discarded: alpha | 1 deviation: gamma`. */
export function describeReadings(reviewers: readonly RunReviewer[]): string[] {
  const odd = reviewers.flatMap(({ id, reading }) =>
    reading === undefined ? [] : [{ id: toOneLine(id), ...reading }],
  );
  const named = (
    what: (amount: number) => string,
    amountOf: (reading: (typeof odd)[number]) => number,
  ): string[] => {
    const those = odd.filter(reading => amountOf(reading) > 0);
    const amount = those.reduce((sum, reading) => sum + amountOf(reading), 0);
    return amount === 0 ? [] : [`${what(amount)}: ${shorten(those.map(({ id }) => id))}`];
  };
  const parts = [
    ...named(
      () => 'claims less than it found',
      ({ claim }) => Number(claim === 'lower'),
    ),
    ...named(
      () => 'claims more than it found',
      ({ claim }) => Number(claim === 'higher'),
    ),
    ...named(
      amount => `${amount} ${amount === 1 ? 'line' : 'lines'} unread`,
      ({ unparsed }) => unparsed,
    ),
    ...named(
      amount => `${amount} discarded`,
      ({ discarded }) => discarded,
    ),
    ...named(
      amount => `${amount} ${amount === 1 ? 'deviation' : 'deviations'}`,
      ({ deviations }) => deviations.length,
    ),
  ];
  return parts.length === 0 ? [] : [`Reading: ${parts.join(' | ')}`];
}

/** `Left out: 3 milder findings (2 medium, 1 low) of alpha, beta: only grave ones were asked for.` Nothing where none were. */
export function describeSkipped(reviewers: readonly RunReviewer[]): string[] {
  const those = reviewers.flatMap(({ id, skipped }) =>
    skipped === undefined ? [] : [{ id: toOneLine(id), ...skipped }],
  );
  const medium = those.reduce((sum, { medium_count: count }) => sum + count, 0);
  const low = those.reduce((sum, { low_count: count }) => sum + count, 0);
  if (medium + low === 0) return [];
  const kinds = [
    ...(medium > 0 ? [`${medium} medium`] : []),
    ...(low > 0 ? [`${low} low`] : []),
  ].join(', ');
  return [
    `Left out: ${medium + low} milder ${medium + low === 1 ? 'finding' : 'findings'} (${kinds}) of ` +
      `${shorten(those.map(({ id }) => id))}: only grave ones were asked for.`,
  ];
}

/** A name may have a hundred characters. */
const mostCharacters = 24;
const mostNames = 2;

function shorten(names: readonly string[]): string {
  const shown = names
    .slice(0, mostNames)
    .map(name => (name.length > mostCharacters ? `${name.slice(0, mostCharacters - 1)}…` : name));
  const others = names.length - shown.length;
  return [...shown, ...(others > 0 ? [`+${others}`] : [])].join(', ');
}
