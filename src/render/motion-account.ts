/** Why a motion came to what it came to, in a few plain sentences: for the report of a vote and for the terminal. */
import type { MotionAccount, RiskAccount, Said } from '../core/vote/motion-account.ts';
import type { Turn } from '../core/vote/margin.ts';
import type { FirstOutcome, Tally } from '../core/vote/ratification.ts';
import type { RatificationRow } from '../core/vote/ratification-rows.ts';
import { count } from './figures.ts';
import { constitutionalWords, describeSecondPass, describeVotes } from './passes.ts';

/** Sentences under the names of what they tell, in the order in which somebody would ask. */
export interface AccountLine {
  readonly name: string;
  readonly sentence: string;
  /** Foreign words that belong to the sentence, quoted as they were said; null: none. */
  readonly quote: string | null;
}

export function describeAccount(account: MotionAccount): AccountLine[] {
  const { row, risk, panel, objection, support, otherwise, turn } = account;
  return [
    ...plain('Risk', describeRisk(risk)),
    ...plain('Votes', describeFirstVotes(account)),
    ...plain('Second pass', describePasses(row)),
    ...plain('Decision', describeDecision(row)),
    ...plain('Margin', turn === null ? null : describeTurn(turn)),
    ...plain(
      'Other rules',
      otherwise.length === 0
        ? null
        : `${otherwise.map(({ rules, outcome }) => `by ${rules} it would be ${outcomeWords[outcome]}`).join('; ')}.`,
    ),
    ...quoted('Strongest objection', objection),
    ...quoted('Strongest support', support),
    ...plain(
      'Panel',
      panel === null
        ? null
        : panel.recommendation === null
          ? 'The panel came to no recommendation.'
          : `The panel recommended "${panel.recommendation}"${panel.isContrary ? '; the vote went against it, and votes decide' : ''}.`,
    ),
  ];
}

function plain(name: string, sentence: string | null): AccountLine[] {
  return sentence === null ? [] : [{ name, sentence, quote: null }];
}

export const outcomeWords: Readonly<Record<FirstOutcome, string>> = {
  ratified: 'ratified',
  rejected: 'rejected',
  deferred: 'deferred',
  incomplete: 'incomplete',
  accepted_with_amendments: 'accepted with amendments',
};

function describeRisk({
  tier,
  because,
  supporting,
  rosterSize,
  conflicts,
  share,
}: RiskAccount): string {
  const stand = `${supporting} of ${rosterSize} stood behind it before the vote`;
  const bound = share === null ? '' : percent(share);
  const reasons: Readonly<Record<RiskAccount['because'], string>> = {
    novel: 'a novel proposal always is',
    well_supported: `${stand}, ${bound} or more, and nobody's own words speak against it`,
    broadly_sourced: `${stand}, and many sources brought it`,
    some_support: `${stand}, ${bound} or more`,
    little_support: `${stand}, less than ${bound}`,
    conflicts: `${stand}, but ${count(conflicts, 'member')} said what speaks against it`,
  };
  return `${tier[0]?.toUpperCase()}${tier.slice(1)}: ${reasons[because]}.`;
}

/** Implicit support is told apart from what was said, always. */
function describeFirstVotes({ row, votes }: MotionAccount): string {
  const asked =
    votes.endorsing + votes.opposing + votes.amending + votes.abstaining + votes.noResponse;
  if (row.cast !== null && asked === 0)
    return `Nobody was asked: ${votes.implicit} support it implicitly, ${votes.notAsked} were not asked.`;
  return [
    `${votes.implicit} support it implicitly (they were not asked); of ${count(asked, 'member')} asked,`,
    `${votes.endorsing} endorsed, ${votes.opposing} opposed, ${votes.amending} amended, ${votes.abstaining} abstained`,
    `and ${votes.noResponse} gave no answer${votes.notAsked === 0 ? '' : `; ${votes.notAsked} were not asked`}.`,
  ].join(' ');
}

function describePasses(row: RatificationRow): string | null {
  const how = describeSecondPass(row);
  if (how === null || row.first_pass === null) return null;
  const { first_pass: first } = row;
  return `The first pass accepted it with amendments (${describeVotes(first)}, ${first.abstentions} abstain); ${how}.`;
}

function describeDecision(row: RatificationRow): string {
  const { outcome, threshold_type: threshold, yeas, threshold_required: required } = row;
  const result = `${outcomeWords[outcome][0]?.toUpperCase()}${outcomeWords[outcome].slice(1)}`;
  if (outcome === 'incomplete')
    return `Incomplete: ${count(row.missing, 'answer')} that never came could still change the result. So far ${describeVotes(row)}.`;
  if (threshold === 'fast_track')
    return `${result} without a vote: the rules ask for none at low risk.`;
  if (threshold === 'revision_required')
    return `${result}: ${row.amends} of ${row.eligible_votes} votes ask for amendments, so it has to be written anew by hand.`;
  if (!row.quorum_met)
    return `${result}: ${row.eligible_votes} votes count, and the quorum is ${row.quorum_required}.`;
  const because = row.supermajority_because;
  const kind =
    because === null ? 'a simple majority' : `two thirds (${constitutionalWords[because]})`;
  const away = Math.abs(yeas - required);
  const margin =
    yeas === required ? 'exactly as many' : `${away} ${yeas > required ? 'more' : 'fewer'}`;
  return `${result}: ${yeas} yeas, and ${kind} takes ${required}: ${margin}${row.quorum_required > 0 ? `; ${row.eligible_votes} votes count, and the quorum is ${row.quorum_required}` : ''}.`;
}

/** `Had 2 answers been others (2 nays more, 2 yeas fewer), it would be rejected.` */
function describeTurn({ answers, outcome, change }: Turn): string {
  const kinds: readonly (readonly [keyof Tally, string])[] = [
    ['yeas', 'yea'],
    ['nays', 'nay'],
    ['amends', 'amend'],
    ['abstentions', 'abstention'],
  ];
  const moved = kinds
    .filter(([kind]) => change[kind] !== 0)
    .sort(([one], [other]) => change[other] - change[one])
    .map(
      ([kind, noun]) =>
        `${count(Math.abs(change[kind]), noun)} ${change[kind] > 0 ? 'more' : 'fewer'}`,
    );
  return `Had ${count(answers, 'answer')} been ${answers === 1 ? 'another' : 'others'} (${moved.join(', ')}), it would be ${outcomeWords[outcome]}.`;
}

function quoted(name: string, said: Said | null): AccountLine[] {
  if (said === null) return [];
  const sure = said.confidence === null ? '' : `, ${percent(said.confidence)} sure`;
  return [{ name, sentence: `${said.name}${sure}:`, quote: said.words }];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
