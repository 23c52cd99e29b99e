/** A decision replayed from counts: the results list for one rule set, a comparison for several. */
import { type RatifiedAgain, secondPassWords, toFileRow } from '../vote/index.ts';
import type { Outcome } from '../core/words/vote.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { printJson } from './json.ts';
import { describeOutcomes, renderResults } from './motions.ts';
import { simulatedWords } from './passes.ts';

export function renderRatification({ rosterSize, sets }: RatifiedAgain): string {
  const [only] = sets;
  if (sets.length === 1 && only)
    return [
      `Rules: ${only.rules}, ${rosterSize} members`,
      ...renderResults(only.votes, only.accounts),
      `${describeOutcomes(only.counts)}${isInvented(only) ? `; ${invented}` : ''}`,
    ].join('\n');
  const width = Math.max(...sets.map(({ rules }) => rules.length), ...outcomeWidths);
  const titles = sets[0]?.votes.map(({ mega_motion_title }) => mega_motion_title) ?? [];
  return [
    `${sets.map(({ rules }) => rules.padEnd(width)).join('  ')}  motion (${rosterSize} members)`,
    ...titles.map(
      (title, index) =>
        `${sets.map(({ votes }) => (votes[index]?.outcome ?? '').padEnd(width)).join('  ')}  ${makeVisible(title).replace(/\s+/g, ' ')}`,
    ),
    ...sets.map(({ rules, counts }) => `${rules.padEnd(width)}  ${describeOutcomes(counts)}`),
    ...sets.flatMap(listAssumed),
    ...(sets.some(isInvented) ? [`All of them: ${invented}`] : []),
  ].join('\n');
}

const invented = `${simulatedWords}: the counts are those of a simulation, and nobody was asked`;

function isInvented({ accounts }: RatifiedAgain['sets'][number]): boolean {
  return accounts.some(({ simulated }) => simulated);
}

/** Counts alone ask nobody: what such a set has decided in a second pass is told apart. */
function listAssumed({ rules, votes }: RatifiedAgain['sets'][number]): string[] {
  const assumed = votes.filter(({ second_pass }) => second_pass !== null).length;
  return assumed === 0
    ? []
    : [`${rules}: ${assumed} of them in a second pass that is ${secondPassWords.assumed}`];
}

const outcomeWidths = ['ratified', 'rejected', 'deferred', 'incomplete'].map(
  ({ length }) => length,
);

/** One object for one rule set; for several, one in each place of `sets`. */
export function renderRatificationJson({ rosterSize, sets }: RatifiedAgain): string {
  const [only] = sets;
  if (sets.length === 1 && only)
    return printJson({
      rules: only.rules,
      roster_size: rosterSize,
      ...(isInvented(only) ? { simulated: true } : {}),
      votes: only.votes.map(toFileRow),
      counts: countsOf(only.counts),
    });
  return printJson({
    rules: 'all',
    roster_size: rosterSize,
    ...(sets.some(isInvented) ? { simulated: true } : {}),
    sets: sets.map(({ rules, votes, counts }) => ({
      rules,
      votes: votes.map(toFileRow),
      counts: countsOf(counts),
    })),
  });
}

/** Counts of a session that lacks no answer have no key for it. */
function countsOf({ incomplete, ...counts }: Readonly<Record<Outcome, number>>): object {
  return incomplete === 0 ? counts : { ...counts, incomplete };
}
