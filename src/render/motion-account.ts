/** Why a motion came to what it came to, fact by fact: for the report of a vote, the terminal and agents. */
import type { MotionAccount, Said } from '../core/printed/motion-account.ts';
import { mostTried, secondPassWords, type Tally } from '../vote/index.ts';
import { count, percent } from './figures.ts';
import type { RenderOptions } from './page.ts';
import { describeTally, describeThreshold, simulatedWords } from './passes.ts';
import { joined, type Line, list, quote, say, type Section, title } from './section.ts';
import { paintTerminal } from './to-terminal.ts';

/** The outcome first, then what it rests on, in the order in which somebody would ask. Words of others stand as quotes. */
export function describeAccount(account: MotionAccount, level: 1 | 3): readonly Section[] {
  const { number, mega_motion_title, outcome, final, based_on, text_cut: cut } = account;
  const simulated = account.simulated ? ` (${simulatedWords})` : '';
  return [
    title(
      level,
      ...say`${number}. ${mega_motion_title}: ${[`${sayOutcome(outcome)}${simulated}`]}`,
    ),
    ...list([
      [
        `Decided: ${describeTally(final)}; ${describeThreshold(toRow(account))}${marginOf(account)}`,
      ],
      based_on === 'simulation'
        ? ['Nobody was asked: this is a simulation, and its votes are invented.']
        : [`Said: ${describeStances(account)}`],
      cut !== null && [`Shown to them: the first ${cut.shown} of ${cut.length} characters`],
      describeFirstPass(account),
      describeTurn(account),
      describePanel(account),
      [describeRisk(account)],
      ...describeOtherwise(account),
      based_on === 'counts' && ['Only counts were recorded: who said what, and why, is not known.'],
    ]),
    ...quoted('Strongest objection', account.strongest_objection, account),
    ...quoted('Strongest support', account.strongest_support, account),
  ];
}

/** No person reads more of one saying. */
const longest = 20_000;

export function renderAccount(account: MotionAccount, options: RenderOptions): string {
  return paintTerminal(describeAccount(account, 1), options, longest);
}

function sayOutcome(outcome: MotionAccount['outcome']): string {
  return outcome.replaceAll('_', ' ');
}

function toRow(account: MotionAccount) {
  return { ...account, ...account.final, risk: account.risk_of_sample };
}

/** ` (more than 1/2 of 11 votes, 1 short)`, where votes stood against a threshold. */
function marginOf({ final, asked, outcome, roster_size, defer_above }: MotionAccount): string {
  if (final.threshold_type === 'revision_required' && defer_above !== null)
    return ` (more than ${defer_above.join('/')})`;
  if (!/_?majority$/.test(final.threshold_type) || asked !== null || outcome === 'incomplete')
    return '';
  const { threshold_share, threshold_of, margin } = final;
  const base =
    threshold_of === 'roster' ? count(roster_size, 'member') : `${final.eligible_votes} votes`;
  const least = `${threshold_share.strict ? 'more than' : 'at least'} ${threshold_share.share.join('/')}`;
  return ` (${least} of ${base}, ${margin < 0 ? `${-margin} short` : `${margin} to spare`})`;
}

/** Support that nobody said is told apart from what was said, always. */
function describeStances({ stances, counts_implicit, counts_amends }: MotionAccount): string {
  const { implicit_endorsements: implicit, no_response, not_assigned } = stances;
  return [
    `${stances.explicit_endorsements} endorse`,
    `${stances.oppositions} oppose`,
    `${stances.amendments_proposed} amend${counts_amends ? '' : ' (by these rules they abstain)'}`,
    `${stances.abstentions} abstain`,
    `${no_response} did not answer${not_assigned === null ? ' or were not asked (the record does not say which)' : ''}`,
    `${implicit} supported it before and were not asked${counts_implicit ? '' : ' (by these rules no vote)'}`,
    ...((not_assigned ?? 0) === 0 ? [] : [`${not_assigned} left out`]),
  ].join(', ');
}

/** What it came to as it was first put, why that was not enough, and who wrote the text of the second pass. */
function describeFirstPass({ first_pass, first_needed, second_pass, ...rest }: MotionAccount) {
  if (first_pass === null || second_pass === null) return null;
  const needed =
    first_needed === null
      ? ''
      : `; needed ${first_needed.threshold_required} of ${first_needed.eligible_votes} votes, with at most ${first_needed.tolerated_amends} amends`;
  return [
    `First pass: ${describeTally(first_pass)}${needed}. `,
    `Amended by ${rest.revised_by ?? 'merge'}; second pass ${secondPassWords[second_pass]}`,
  ];
}

/** `How close: with 1 of the nays as yeas it would be ratified`. */
function describeTurn({ fewest_to_turn: turn, based_on, stances, ...account }: MotionAccount) {
  if (turn !== null) {
    const kinds = Object.entries(turn.change) as [keyof Tally, number][];
    const from = kinds.flatMap(([kind, change]) =>
      change < 0 ? [`${-change} of the ${kind}`] : [],
    );
    const to = kinds.flatMap(([kind, change]) => (change > 0 ? [kind] : []));
    const how = turn.by_second_pass ? ', in a second pass' : '';
    return [
      `How close: with ${from.join(' and ')} as ${to.join(' or ')} it would be ${sayOutcome(turn.outcome)}${how}`,
    ];
  }
  const answered =
    stances.explicit_endorsements +
    stances.oppositions +
    stances.amendments_proposed +
    stances.abstentions;
  if (
    based_on === 'simulation' ||
    account.asked !== null ||
    account.outcome === 'incomplete' ||
    account.final.threshold_type === 'fast_track' ||
    answered === 0
  )
    return null;
  return [
    answered + stances.no_response > mostTried
      ? `How close: not even ${mostTried} other answers would have turned it`
      : 'How close: no other answers would have turned it',
  ];
}

function describePanel({ panel, outcome, based_on }: MotionAccount): Line | null {
  if (panel === null || based_on === 'simulation') return null;
  if (panel.skipped_because !== null) return say`Panel: none. ${panel.skipped_because}`;
  const then = panel.is_contrary ? 'against it, and votes decide' : 'not against it';
  return [
    panel.recommendation === null
      ? 'Panel: no recommendation; votes decide'
      : `Panel: recommends ${panel.recommendation}; the vote ${outcome === 'incomplete' ? 'is open' : `went ${then}`}`,
  ];
}

function describeRisk({ risk, roster_size }: MotionAccount): string {
  const { tier, because, supporting, conflicts, thresholds } = risk;
  const figures =
    supporting === null
      ? ''
      : `: ${supporting} of ${count(roster_size, 'member')} supported it before, ${conflicts ?? 0} in conflict`;
  const least =
    thresholds === null
      ? ''
      : `; medium from ${percent(thresholds.medium)}, low from ${percent(thresholds.low)}`;
  return `Risk: ${tier} (${because.replaceAll('_', ' ')})${figures}${least}`;
}

/** What the other rule sets that ship with Jury make of the same answers. */
function describeOtherwise({ otherwise }: MotionAccount): readonly Line[] {
  if (otherwise === null) return [];
  if (otherwise.length === 0) return [['Other shipped rules: the same']];
  return otherwise.map(({ rule_set, outcome, second_pass }) => [
    'By ',
    ...joined([rule_set]),
    `: ${sayOutcome(outcome)}${second_pass === null ? '' : `, second pass ${secondPassWords[second_pass]}`}`,
  ]);
}

function quoted(lead: string, said: Said | null, account: MotionAccount): readonly Section[] {
  if (said === null) return [];
  const sure = said.confidence === null ? '' : ` (${percent(said.confidence)} sure)`;
  const text = said.pass === 2 ? 'the amended text' : 'the motion as it was first put';
  const about = account.second_pass === 'asked' ? `, about ${text}` : '';
  return quote(say`${[lead]}, from ${said.archon_name}${[`${sure}${about}:`]}`, said.words);
}
