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
