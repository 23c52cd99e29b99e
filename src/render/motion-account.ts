/** Why a motion came to what it came to, in a few plain sentences: for the report of a vote, the terminal and agents. */
import type { MotionAccount, RiskAccount, Said } from '../core/printed/motion-account.ts';
import { mostTried, type Tally, secondPassWords } from '../vote/index.ts';
import type { FirstOutcome } from '../core/words/vote.ts';
import { count } from './figures.ts';
import type { RenderOptions } from './page.ts';
import { describeSample, simulatedWords } from './passes.ts';
import { data, type Line, list, type Section, title } from './section.ts';
import { paintTerminal } from './to-terminal.ts';

/** The answer first, then what it rests on, in the order in which somebody would ask. Words of others stand as quotes. */
export function describeAccount(account: MotionAccount, level: 1 | 3): Section[] {
  const { number, mega_motion_title, outcome } = account;
  return [
    title(
      level,
      `${number}. `,
      data(mega_motion_title),
      `: ${outcomeWords[outcome]}${account.simulated ? ` (${simulatedWords})` : ''}`,
    ),
    ...list(
      [
        [describeDecision(account)],
        ...sentences(
          describeStances(account),
          describeCut(account),
          describeSecondPass(account),
          describeTurn(account),
        ),
        ...describePanel(account),
        [describeRisk(account.risk, account.roster_size)],
        ...describeOtherwise(account),
        ...sentences(describeSilence(account)),
      ],
      { bullets: false },
    ),
    ...quoted('Strongest objection', account.strongest_objection, account),
    ...quoted('Strongest support', account.strongest_support, account),
  ];
}

/** No person reads more of one saying. */
const longest = 20_000;

export function renderAccount(account: MotionAccount, options: RenderOptions): string {
  return paintTerminal(describeAccount(account, 1), options, longest);
}

const outcomeWords: Readonly<Record<FirstOutcome, string>> = {
  ratified: 'ratified',
  rejected: 'rejected',
  deferred: 'deferred',
  incomplete: 'incomplete',
  accepted_with_amendments: 'accepted with amendments',
};

/** What became of it. */
const ends: Readonly<Record<FirstOutcome, string>> = {
  ratified: 'passed',
  rejected: 'did not pass',
  deferred: 'was put off',
  incomplete: 'is undecided',
  accepted_with_amendments: 'went to a second pass',
};

/** What would have become of it. */
const otherEnds: Readonly<Record<FirstOutcome, string>> = {
  ratified: 'it would have passed',
  rejected: 'it would not have passed',
  deferred: 'it would have been put off',
  incomplete: 'it would be undecided',
  accepted_with_amendments: 'it would have gone to a second pass',
};

function sentences(...said: readonly (string | null)[]): Line[] {
  return said.flatMap(sentence => (sentence === null ? [] : [[sentence]]));
}

function describeDecision(account: MotionAccount): string {
  const { outcome, final, first_pass } = account;
  const { missing, amends, eligible_votes: votes, margin } = final;
  const sampled = describeSample({ ...account, risk: account.risk_of_sample });
  if (outcome === 'incomplete' && sampled !== null)
    return `It is undecided: ${sampled}. So far ${votesFor(final)}.`;
  if (outcome === 'incomplete')
    return `It is undecided: ${count(missing, 'member')} who ${missing === 1 ? 'was' : 'were'} asked did not answer, and what they would say could still change the result. So far ${votesFor(final)}.`;
  if (final.threshold_type === 'fast_track')
    return 'It passed without a vote: its risk is low, and by these rules such a motion needs none.';
  if (sampled !== null)
    return `It ${ends[outcome]}, ${sampled}. Of those who were heard and those who supported it before, ${votesFor(final)}.`;
  if (final.threshold_type === 'revision_required')
    return `It was put off: ${amends} of the ${votes} votes ask for changes${tooMany(account)}, so somebody has to write it anew.`;
  if (!final.quorum_met)
    return `It was put off: only ${count(votes, 'vote')} ${votes === 1 ? 'counts' : 'count'}, and the quorum is ${final.quorum_required}. ${upperFirst(votesFor(final))}.`;
  const passed = outcome === 'ratified';
  const result = first_pass === null ? '' : passed ? ' with changes' : ', not even with changes';
  const more = margin === 0 ? 'and had exactly that' : `and had ${margin} more than that`;
  return `It ${passed ? 'passed' : 'did not pass'}${result}: ${votesFor(final)}. ${neededVotes(account)}, ${passed ? more : `so it was ${-margin} short`}.`;
}

function tooMany({ defer_above: share }: MotionAccount): string {
  return share === null
    ? ', too many to vote on it as amended'
    : `, and where more than ${shareWords(share)} do, it is not voted on as amended`;
}

/** `8 were for it, 3 against it and 2 wanted changes`. */
function votesFor(votes: Omit<Tally, 'abstentions'>): string {
  return joinWords(partsOf(votes));
}

function partsOf({ yeas, nays, amends }: Omit<Tally, 'abstentions'>): string[] {
  const against = nays === 0 ? 'nobody' : yeas === 0 ? were(nays) : String(nays);
  return [
    `${were(yeas)} for it`,
    `${against} against it`,
    ...(amends > 0 ? [`${amends} wanted changes`] : []),
  ];
}

function were(amount: number): string {
  return amount === 0 ? 'nobody was' : `${amount} ${amount === 1 ? 'was' : 'were'}`;
}

/** `It needed 6, more than half of the 11 votes`. */
function neededVotes({ final, roster_size }: MotionAccount): string {
  const {
    threshold_of: of,
    threshold_share: { share, strict },
    threshold_required: required,
    supermajority_because: because,
  } = final;
  const base =
    of === 'roster'
      ? `the ${count(roster_size, 'member')}`
      : `the ${count(final.eligible_votes, 'vote')}${final.abstentions > 0 ? ' (abstentions left out)' : ''}`;
  const why: Readonly<Record<NonNullable<typeof because>, string>> = {
    declared: 'Because it is declared constitutional, it',
    title: 'Because its title makes it constitutional, it',
  };
  return `${because === null ? 'It' : why[because]} needed ${required}, ${strict ? 'more than' : 'at least'} ${shareWords(share)} of ${base}`;
}

function shareWords([part, whole]: readonly [number, number]): string {
  if (part === whole) return 'all';
  const named: Readonly<Record<string, string>> = {
    '1/2': 'half',
    '2/3': 'two thirds',
    '3/4': 'three quarters',
    '3/5': 'three fifths',
  };
  return named[`${part}/${whole}`] ?? `${part}/${whole}`;
}

/** Who decided on a part of it should be known to have. */
function describeCut({ text_cut: cut }: MotionAccount): string | null {
  return cut === null
    ? null
    : `Those who were asked about it were shown the first ${cut.shown} of the ${cut.length} characters of its text.`;
}

/** Support that nobody said is told apart from what was said, always. */
function describeStances(account: MotionAccount): string {
  if (account.based_on === 'simulation')
    return 'Nobody was asked: this is a simulation, and its votes are invented.';
  const { stances, counts_implicit } = account;
  const { implicit_endorsements: implicit, no_response: silent, not_assigned: left } = stances;
  const said = saidBy(account);
  const supporters =
    implicit === 0
      ? []
      : [
          counts_implicit
            ? `Of those for it, ${implicit} had supported it before the vote and ${implicit === 1 ? 'was' : 'were'} not asked.`
            : `Before the vote, ${implicit} supported it and ${implicit === 1 ? 'was' : 'were'} not asked; by these rules that is no vote.`,
        ];
  if (left === null)
    return [
      ...supporters,
      `${upperFirst(joinWords([...said, `${silent} did not answer or were not asked (the record does not say which)`]))}.`,
    ].join(' ');
  const answered = askedIn(account) - silent;
  const asked = answered + silent;
  return [
    ...supporters,
    asked === 0
      ? 'Nobody was asked.'
      : answered === 0
        ? `None of the ${asked} who were asked answered.`
        : silent === 0
          ? describeAll(asked, said)
          : `Of the ${asked} who were asked, ${joinWords([...said, `${silent} did not answer`])}.`,
    ...(left === 0 ? [] : [`${left} ${left === 1 ? 'was' : 'were'} left out.`]),
  ].join(' ');
}

/** `All 8 who were asked said no.`, or with who said what. */
function describeAll(asked: number, said: readonly string[]): string {
  const [only = '', other] = said;
  const who = asked === 1 ? 'The one who was' : `All ${asked} who were`;
  return other === undefined
    ? `${who} asked ${only.slice(String(asked).length + 1)}.`
    : `${who} asked answered: ${joinWords(said)}.`;
}

function saidBy({ stances, counts_amends }: MotionAccount): string[] {
  return wordsOfVotes(
    {
      yeas: stances.explicit_endorsements,
      nays: stances.oppositions,
      amends: stances.amendments_proposed,
      abstentions: stances.abstentions,
    },
    counts_amends ? '' : ' (by these rules they abstained)',
  );
}

/** `5 said yes`, `3 said no` …; kinds that nobody voted for are left out. */
function wordsOfVotes(votes: Tally, aboutAmends: string): string[] {
  return (
    [
      [votes.yeas, 'said yes'],
      [votes.nays, 'said no'],
      [votes.amends, `wanted changes${aboutAmends}`],
      [votes.abstentions, 'abstained'],
    ] as const
  ).flatMap(([amount, words]) => (amount === 0 ? [] : [`${amount} ${words}`]));
}

function askedIn({ stances }: MotionAccount): number {
  const { explicit_endorsements, oppositions, amendments_proposed, abstentions } = stances;
  return (
    explicit_endorsements + oppositions + amendments_proposed + abstentions + stances.no_response
  );
}

const authors: Readonly<Record<NonNullable<MotionAccount['revised_by']>, string>> = {
  panel: 'Its panel wrote the changes into the text',
  facilitator: 'A facilitator wrote the changes into the text',
  merge: 'The changes were set below the text',
};

function describeSecondPass(account: MotionAccount): string | null {
  const { first_pass: first, second_pass: how, revised_by, final } = account;
  if (first === null || how === null) return null;
  const { yeas, nays, amends, abstentions } = first;
  const parts = [...partsOf(first), ...(abstentions > 0 ? [`${abstentions} abstained`] : [])];
  const began = `As it was first put, ${joinWords(parts)}${whyChanged(account)}`;
  const wrote = authors[revised_by ?? 'merge'];
  if (how === 'assumed')
    return account.based_on === 'simulation'
      ? `${began} Second pass ${secondPassWords[how]}.`
      : `${began} ${wrote}, and whoever wanted changes was taken to say yes to that: second pass ${secondPassWords[how]}.`;
  const said = {
    yeas: final.yeas - yeas,
    nays: final.nays,
    amends: final.amends,
    abstentions: final.abstentions - abstentions,
  };
  const asked = nays + amends;
  const silent = asked - said.yeas - said.nays - said.amends - said.abstentions;
  const words = [
    ...wordsOfVotes(said, ' once more'),
    ...(silent > 0 ? [`${silent} did not answer`] : []),
  ];
  return `${began} ${wrote}, and the ${asked} who had said no or wanted changes were asked about it: ${joinWords(words)}.`;
}

/** Why it did not pass as it was: ` The 21 were too few (it needed 36 of the 71 votes), but enough with the 27 who wanted changes, …`. */
function whyChanged({ first_pass: first, first_needed: needed }: MotionAccount): string {
  if (first === null || needed === null) return ', so it could pass only with changes.';
  const { threshold_required: required, eligible_votes: votes, tolerated_amends: most } = needed;
  const need = `(it needed ${required} of the ${count(votes, 'vote')})`;
  const yeas =
    first.yeas === 0 ? 'That was' : first.yeas === 1 ? 'The 1 was' : `The ${first.yeas} were`;
  return first.yeas >= required
    ? `. ${yeas} enough ${need}, but more than ${most} wanted changes, so it could pass only with them.`
    : `. ${yeas} too few ${need}, but enough with the ${first.amends} who wanted changes, so it could pass only with them.`;
}

const kinds: readonly {
  readonly kind: keyof Tally;
  readonly from: string;
  readonly to: string;
}[] = [
  { kind: 'yeas', from: 'of those who said yes', to: 'said yes instead' },
  { kind: 'nays', from: 'of those who said no', to: 'said no instead' },
  { kind: 'amends', from: 'of those who wanted changes', to: 'asked for changes instead' },
  { kind: 'abstentions', from: 'of those who abstained', to: 'abstained instead' },
];

/** `How close it was: if 1 of those who said yes had said no instead, it would not have passed.` */
function describeTurn(account: MotionAccount): string | null {
  const { fewest_to_turn: turn, based_on, outcome, final } = account;
  const again = account.second_pass === 'asked' ? ' again' : '';
  if (turn === null)
    return based_on === 'simulation' ||
      account.asked !== null ||
      outcome === 'incomplete' ||
      final.threshold_type === 'fast_track' ||
      askedIn(account) === account.stances.no_response
      ? null
      : askedIn(account) > mostTried
        ? `How close it was: not even ${mostTried} other answers would have turned it.`
        : `How close it was: nothing that those who were asked${again} could have said would have turned it${enoughBefore(account)}.`;
  const { change } = turn;
  const from = kinds.flatMap(kind =>
    change[kind.kind] < 0 ? [`${-change[kind.kind]} ${kind.from}`] : [],
  );
  const to = kinds.flatMap(kind => (change[kind.kind] > 0 ? [kind.to] : []));
  const needsChanges = turn.by_second_pass && turn.outcome === 'ratified';
  return `How close it was: if${again === '' ? '' : ', asked again,'} ${joinWords(from)} had ${joinWords(to)}, ${otherEnds[turn.outcome]}${needsChanges ? ' as amended, if those who wanted changes then agreed' : ''}.`;
}

function enoughBefore({ second_pass, outcome, first_pass }: MotionAccount): string {
  return second_pass === 'asked' && outcome === 'ratified' && first_pass !== null
    ? `: the ${first_pass.yeas} who were for it at first are enough by themselves`
    : '';
}

const advice: Readonly<Record<'pass' | 'fail' | 'amend' | 'defer', string>> = {
  pass: 'to pass it',
  fail: 'to reject it',
  amend: 'to amend it',
  defer: 'to put it off',
};

function describePanel({ panel, outcome, based_on }: MotionAccount): Line[] {
  if (panel === null || based_on === 'simulation') return [];
  if (panel.skipped_because !== null)
    return [['No panel argued it out. ', data(panel.skipped_because)]];
  if (panel.recommendation === null)
    return [['A panel argued it out and came to no recommendation; votes decide.']];
  const then =
    outcome === 'incomplete'
      ? 'the vote is still open'
      : panel.is_contrary
        ? 'the vote went the other way, and votes decide'
        : 'the vote did not go against that';
  return [[`A panel argued it out and recommended ${advice[panel.recommendation]}; ${then}.`]];
}

function describeRisk(risk: RiskAccount, rosterSize: number): string {
  const { tier, because, supporting, conflicts, thresholds } = risk;
  const share = supporting === null || rosterSize === 0 ? 0 : supporting / rosterSize;
  const [low, medium] = [percent(thresholds?.low ?? 0), percent(thresholds?.medium ?? 0)];
  const support =
    supporting === 0
      ? 'nobody supported it by then'
      : `${supporting ?? 0} of ${count(rosterSize, 'member')} (${percent(share)}) already supported it`;
  const against = `${count(conflicts ?? 0, 'member')} said or support${conflicts === 1 ? 's' : ''} what contradicts it`;
  const reasons: Readonly<Record<RiskAccount['because'], string>> = {
    novel: ', as every novel proposal is',
    well_supported: `, because ${support} (${low} are enough) and nobody said what contradicts it`,
    broadly_sourced: `, because ${support} and it comes from many sources`,
    some_support:
      share >= (thresholds?.low ?? 1)
        ? `, because ${against}, although ${support}`
        : `, because ${support}; it takes ${medium} for medium risk and ${low} for low`,
    little_support: `, because ${supporting === 0 ? '' : 'only '}${support}; it takes ${medium} for medium risk`,
    conflicts: `, because ${against}, although ${support}`,
    recorded: ', as it was recorded; the reason was not',
    guessed: ', guessed from the counts, as no risk was recorded',
  };
  return `Before the vote it was put at ${tier} risk${reasons[because]}.`;
}

function describeOtherwise({ otherwise, outcome }: MotionAccount): Line[] {
  if (otherwise === null) return [];
  if (otherwise.length === 0)
    return [
      [
        `Every other rule set that ships with Jury ${outcome === 'incomplete' ? 'leaves it open, too' : 'would have decided the same'}.`,
      ],
    ];
  const ends = [...new Set(otherwise.map(endBy))];
  return ends.map(end => [
    'By other rules that ship with Jury (',
    ...otherwise
      .filter(row => endBy(row) === end)
      .flatMap(({ rule_set }, index) => (index === 0 ? [data(rule_set)] : [', ', data(rule_set)])),
    `) ${end}.`,
  ]);
}

function endBy({ outcome, second_pass }: NonNullable<MotionAccount['otherwise']>[number]): string {
  return `${otherEnds[outcome]}${second_pass === null ? '' : ` (second pass ${secondPassWords[second_pass]})`}`;
}

/** Reasons that one would look for below, and that nobody gave. */
function describeSilence(account: MotionAccount): string | null {
  const { based_on, stances, strongest_objection, strongest_support } = account;
  if (based_on === 'counts')
    return 'Only counts were recorded: who said what, and why, is not known.';
  if (based_on === 'simulation') return null;
  const silent = [
    ...(stances.oppositions > 0 && strongest_objection === null ? ['no'] : []),
    ...(stances.explicit_endorsements > 0 && strongest_support === null ? ['yes'] : []),
  ];
  return silent.length === 0 ? null : `Nobody who said ${silent.join(' or ')} gave a reason.`;
}

function quoted(lead: string, said: Said | null, { second_pass }: MotionAccount): Section[] {
  if (said === null) return [];
  const sure = said.confidence === null ? '' : ` (${percent(said.confidence)} sure)`;
  const text =
    second_pass === 'asked'
      ? said.pass === 2
        ? ', about the amended text'
        : ', about the motion as it was first put'
      : '';
  return [
    ...list([[`${lead}, from `, data(said.archon_name), `${sure}${text}:`]]),
    { kind: 'quote', text: said.words },
  ];
}

function joinWords(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
