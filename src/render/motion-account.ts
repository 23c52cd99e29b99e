/** Why a motion came to what it came to, a line for each thing one would ask: for the report of a vote, the terminal and agents. */
import { implicitYeas, type MotionAccount } from '../core/printed/motion-account.ts';
import { mostTried, secondPassWords, type Tally } from '../vote/index.ts';
import { count, percent } from './figures.ts';
import { data, joined, lines, quote, say, type Section, title } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';
import { present } from '../core/groups.ts';

/** The answer first, then what it rests on. Words of others stand as quotes. */
export function describeAccount(account: MotionAccount, level: 1 | 3): readonly Section[] {
  const { number, mega_motion_title, outcome, text_cut: cut, based_on } = account;
  const isInvented = based_on === 'simulation';
  return [
    title(
      level,
      `${number}. `,
      data(mega_motion_title),
      `: ${outcome.replaceAll('_', ' ')}${account.simulated ? ` (${simulatedWords})` : ''}`,
    ),
    ...lines(
      [describeDecision(account)],
      [
        isInvented
          ? 'Nobody was asked: this is a simulation, and its votes are invented.'
          : describeStances(account),
      ],
      cut !== null && [
        `Those who were asked about it were shown the first ${cut.shown} of the ${cut.length} characters of its text.`,
      ],
      describeSecondPass(account),
      isInvented ? null : describeTurn(account),
      isInvented ? null : describePanel(account),
      [describeRisk(account)],
      describeOtherwise(account),
      based_on === 'counts' && ['Only counts were recorded: who said what, and why, is not known.'],
    ),
    ...quoted('Strongest objection', account.strongest_objection, account),
    ...quoted('Strongest support', account.strongest_support, account),
  ];
}

/** No person reads more of one saying. */
const longest = 20_000;

export function renderAccount(account: MotionAccount, options: RenderOptions) {
  return paintTerminal(describeAccount(account, 1), options, longest);
}

/** What became of it. */
const ends = {
  ratified: 'passed',
  rejected: 'did not pass',
  deferred: 'was put off',
  incomplete: 'is undecided',
  accepted_with_amendments: 'went to a second pass',
};

function describeDecision(account: MotionAccount) {
  const { outcome, final, first_pass: first, roster_size: size } = account;
  const { threshold_of: of, threshold_share: least, eligible_votes: votes } = final;
  const whole = of === 'roster' ? `${size} members` : `${votes} votes that count`;
  return (
    `It ${ends[outcome]}${first === null ? '' : ' as amended'}: ${describeTally(final)}; ${describeThreshold(account)}. ` +
    `These rules ask for ${least.strict ? 'more than' : 'at least'} ${least.share.join('/')} of the ${whole}.`
  );
}

/** Support that nobody said is told apart from what was said, always. */
function describeStances({ stances, counts_implicit, counts_amends }: MotionAccount) {
  const { implicit_endorsements: implicit, no_response: silent, not_assigned: left } = stances;
  const said = describeTally({
    yeas: stances.explicit_endorsements,
    nays: stances.oppositions,
    amends: stances.amendments_proposed,
    abstentions: stances.abstentions,
  });
  return present(
    implicit > 0 &&
      `${implicit} supported it before the vote and were not ` +
        `asked${counts_implicit ? ', which counts as yea' : '; by these rules that is no vote'}.`,
    `Those who were asked: ${said}, ${silent} without answer${left === null ? ' or not asked (the record does not say which)' : ''}` +
      `${counts_amends || stances.amendments_proposed === 0 ? '' : '; by these rules an amend is an abstention'}.`,
    (left ?? 0) > 0 && `${left} were left out.`,
  ).join(' ');
}

const authors = {
  panel: 'amended by its panel',
  facilitator: 'amended by a facilitator',
  merge: 'with the changes set below it',
};

/** What the first pass came to, and what those who were asked again said; nothing where there was no second. */
function describeSecondPass(account: MotionAccount) {
  const { first_pass: first, first_needed: needed, second_pass: how, final } = account;
  if (first === null || how === null) return null;
  const need =
    needed === null
      ? ''
      : `; it needed ${needed.threshold_required} of ${needed.eligible_votes} votes, and at most ` +
        count(needed.tolerated_amends, 'amend');
  const again = describeTally({
    yeas: final.yeas - first.yeas,
    nays: final.nays,
    amends: final.amends,
    abstentions: final.abstentions - first.abstentions,
  });
  return [
    `As it was first put: ${describeTally(first)}${need}. Second pass on the text ${authors[account.revised_by ?? 'merge']}: ` +
      `${secondPassWords[how]}${how === 'asked' ? `, of ${first.nays + first.amends} who had said no or wanted changes ${again}` : ''}.`,
  ];
}

const kinds = { yeas: 'yea', nays: 'nay', amends: 'amend', abstentions: 'abstain' } as const;

/** `How close it was: if 1 nay had been yea, it would have been ratified.` */
function describeTurn(account: MotionAccount) {
  const { fewest_to_turn: turn, stances, outcome, final } = account;
  const answered =
    stances.explicit_endorsements +
    stances.oppositions +
    stances.amendments_proposed +
    stances.abstentions;
  const lead = 'How close it was: ';
  if (turn === null)
    return account.asked !== null ||
      outcome === 'incomplete' ||
      final.threshold_type === 'fast_track' ||
      answered === 0
      ? null
      : [
          lead,
          answered + stances.no_response > mostTried
            ? `not even ${mostTried} other answers would have turned it.`
            : 'no other answers of those who were asked last would have turned it.',
        ];
  const changes = Object.entries(kinds).map(
    ([kind, word]) => [turn.change[kind as keyof Tally], word] as const,
  );
  const from = changes.flatMap(([by, word]) => (by < 0 ? [`${-by} ${word}`] : []));
  const to = changes.flatMap(([by, word]) => (by > 0 ? [word] : []));
  const agreed = turn.by_second_pass && turn.outcome === 'ratified';
  return [
    `${lead}if ${from.join(' and ')} had been ${to.join(' and ')}, it would have been ${turn.outcome}`,
    agreed ? ' as amended, if those who wanted changes then agreed.' : '.',
  ];
}

function describePanel({ panel, outcome }: MotionAccount) {
  if (panel === null) return null;
  const { skipped_because: skipped, recommendation } = panel;
  if (skipped !== null) return say`No panel: ${skipped}`;
  const then =
    outcome === 'incomplete'
      ? 'the vote is still open'
      : panel.is_contrary
        ? 'the vote went the other way, and votes decide'
        : 'the vote did not go against that';
  return [
    recommendation === null
      ? 'A panel came to no recommendation; votes decide.'
      : `A panel recommended: ${recommendation}; ${then}.`,
  ];
}

function describeRisk({ risk, roster_size: size }: MotionAccount) {
  const { tier, because, supporting, conflicts, thresholds } = risk;
  const support = supporting !== null && `${supporting} of ${count(size, 'member')} supported it`;
  const facts = present(
    because.replaceAll('_', ' '),
    support,
    conflicts !== null && `${conflicts} in conflict with it`,
    thresholds !== null &&
      `low from ${percent(thresholds.low)}, medium from ${percent(thresholds.medium)}`,
  );
  return `Risk before the vote: ${tier} (${facts.join('; ')}).`;
}

function describeOtherwise({ otherwise }: MotionAccount) {
  if (otherwise === null) return null;
  if (otherwise.length === 0) return ['By every other rule set that ships with Jury: the same.'];
  const rows = otherwise.map(({ rule_set, outcome, second_pass }) =>
    data(
      `${rule_set} ${outcome}${second_pass === null ? '' : ` (second pass ${secondPassWords[second_pass]})`}`,
    ),
  );
  return say`By other rules that ship with Jury: ${joined(rows)}.`;
}

function quoted(
  lead: string,
  said: MotionAccount['strongest_support'],
  { second_pass }: MotionAccount,
) {
  if (said === null) return [];
  const sure = said.confidence === null ? '' : ` (${percent(said.confidence)} sure)`;
  const text =
    second_pass === 'asked' ? `, about the ${said.pass === 2 ? 'amended' : 'first'} text` : '';
  return quote(say`${[lead]}, from ${said.archon_name}${[sure, text, ':']}`, said.words);
}

// What is said of the passes of a vote wherever one is shown: its figures, what they stood against, and how a second was held.

/** Wherever a motion of a simulation is shown. */
export const simulatedWords = 'simulated';

/** `5 yea, 6 nay, 7 amend, 2 abstain`; without amends when there are none. */
export function describeTally({ yeas, nays, amends, abstentions }: Tally) {
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
  risk_of_sample: risk,
  not_drawn: others,
  more,
}: Pick<
  MotionAccount,
  'outcome' | 'asked' | 'answered' | 'risk_of_sample' | 'not_drawn' | 'more'
>) {
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
function percentAtMost(risk: number) {
  const percent = Math.max(100 * risk, 0.01);
  const digits = Math.max(0, 1 - Math.floor(Math.log10(percent)));
  // What stands behind the last digit only because fractions are binary is not rounded up.
  return String(Math.ceil(percent * 10 ** digits - 1e-9) / 10 ** digits);
}

const constitutionalWords = {
  declared: ' (declared constitutional)',
  title: ' (constitutional by its title)',
};

/** `supermajority 38/48 NOT MET (declared constitutional), second pass assumed, not asked`. */
export function describeThreshold(account: MotionAccount) {
  const { final: row, outcome, second_pass: how } = account;
  const second = how === null ? '' : `, second pass ${secondPassWords[how]}`;
  const sample = describeSample(account);
  if (outcome === 'incomplete')
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
  return (
    `${row.threshold_type} ${row.yeas}/${row.threshold_required} ` +
    `${met}${because === null ? '' : constitutionalWords[because]}${quorum}${second}`
  );
}

/** `12 yea, 6 nay, 6 abstain; second pass assumed, not asked; first pass 5 yea, 6 nay, 7 amend, 6 abstain; 4 of the yeas implicit`. */
export function describeFigures(account: MotionAccount) {
  const { second_pass: second, first_pass: first } = account;
  const implicit = implicitYeas(account);
  return present(
    describeTally(account.final),
    second !== null && `second pass ${secondPassWords[second]}`,
    first !== null && `first pass ${describeTally(first)}`,
    implicit > 0 && `${implicit} of the yeas implicit`,
    describeSample(account),
  ).join('; ');
}
