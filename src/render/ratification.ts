/** A decision replayed from counts: the results list for one rule set, a comparison for several. */
import { makeVisible } from '../core/safety/visible-text.ts';
import { type RatifiedAgain, secondPassWords, toFileRow } from '../vote/index.ts';
import { printJson } from './json.ts';
import { describeOutcomes, renderResults } from './motions.ts';
import { simulatedWords } from './passes.ts';

const invented = `${simulatedWords}: the counts are those of a simulation, and nobody was asked`;
/** The longest outcome. */
const narrowest = 'incomplete'.length;

export function renderRatification({ rosterSize, sets }: RatifiedAgain): string {
  const [first] = sets;
  if (first === undefined) return '';
  const isSimulated = sets.some(isInvented);
  if (sets.length === 1)
    return [
      `Rules: ${first.rules}, ${rosterSize} members`,
      ...renderResults({ results: first.votes, accounts: first.accounts }),
      `${describeOutcomes(first.counts)}${isSimulated ? `; ${invented}` : ''}`,
    ].join('\n');
  const width = Math.max(...sets.map(({ rules }) => rules.length), narrowest);
  const row = (cells: readonly string[], text: string): string =>
    [...cells.map(cell => cell.padEnd(width)), makeVisible(text).replace(/\s+/g, ' ')].join('  ');
  return [
    row(
      sets.map(({ rules }) => rules),
      `motion (${rosterSize} members)`,
    ),
    ...first.votes.map(({ mega_motion_title }, index) =>
      row(
        sets.map(({ votes }) => votes[index]?.outcome ?? ''),
        mega_motion_title,
      ),
    ),
    ...sets.map(({ rules, counts }) => row([rules], describeOutcomes(counts))),
    // Counts alone ask nobody.
    ...sets.flatMap(({ rules, votes }) => {
      const assumed = votes.filter(({ second_pass }) => second_pass !== null).length;
      return assumed === 0
        ? []
        : [`${rules}: ${assumed} of them in a second pass that is ${secondPassWords.assumed}`];
    }),
    ...(isSimulated ? [`All of them: ${invented}`] : []),
  ].join('\n');
}

function isInvented({ accounts }: RatifiedAgain['sets'][number]): boolean {
  return accounts.some(({ simulated }) => simulated);
}

/** One object for one rule set; for several, one in each place of `sets`. */
export function renderRatificationJson({ rosterSize, sets }: RatifiedAgain): string {
  const [only] = sets;
  const isOne = sets.length === 1 && only !== undefined;
  // Counts of a session that lacks no answer have no key for it.
  const objectOf = ({
    rules,
    votes,
    counts: { incomplete, ...counts },
  }: (typeof sets)[number]) => ({
    rules,
    votes: votes.map(toFileRow),
    counts: incomplete === 0 ? counts : { ...counts, incomplete },
  });
  return printJson({
    rules: isOne ? only.rules : 'all',
    roster_size: rosterSize,
    ...(sets.some(isInvented) ? { simulated: true } : {}),
    ...(isOne ? objectOf(only) : { sets: sets.map(objectOf) }),
  });
}
