/** A vote as a Markdown file: one table of motions, why each ended so, every panel with its dissent word for word, then amended texts. */
import { structuredPatch } from 'diff';
import { implicitYeas, type MotionAccount } from '../core/printed/motion-account.ts';
import {
  countOutcomes,
  isDecided,
  type MotionsReport,
  type MotionsRun,
  type PanelRecord,
  type RatificationRow,
  secondPassWords,
  type Side,
} from '../vote/index.ts';
import { describeAccount, describeTally, simulatedWords } from './motion-account.ts';
import { describeOutcomes, describePanelVotes, factsOf } from './motions.ts';
import { data, list, literal, part, quote, say, table, title } from './section.ts';
import { paintMarkdown } from './to-markup.ts';

export function renderMotionsMarkdown(report: MotionsReport) {
  const { run, folder } = report;
  const vote = run.mode === 'simulated' ? 'Simulated vote' : 'Vote';
  return paintMarkdown([
    title(
      1,
      isDecided(run)
        ? `${vote} on motions: ${describeOutcomes(countOutcomes(run.results))}`
        : 'Motions before the vote',
    ),
    ...list([
      ...factsOf(report).map(fact => fact !== '' && [data(fact.replace(/^--- (.*?) ---/, '$1:'))]),
      say`Time: ${literal(run.startedAt)} to ${literal(run.completedAt)}`,
      say`Audit trail: head ${literal(run.audit.head)}`,
      folder !== null && say`Results: ${literal(folder)}`,
    ]),
    ...part('Motions', isDecided(run) ? decisionTable(run) : triageTable(run)),
    ...part(
      'Why each motion ended so',
      run.accounts.flatMap(account => describeAccount(account, 3)),
    ),
    ...part(
      'Panels',
      run.accounts.flatMap(account => describePanel(account, run.panels)),
    ),
    ...part(
      'Amended texts',
      run.results.flatMap((row, index) =>
        amendedText(row, index + 1, run.triaged[index]?.motion.text ?? ''),
      ),
    ),
  ]);
}

function decisionTable({ accounts }: MotionsRun) {
  const figures = ['Yeas', 'Nays', 'Amends', 'Abstentions', 'No response', 'First pass'];
  return table(
    ['#', 'Motion', 'Risk', 'Outcome', ...figures],
    accounts.map(account => {
      const { yeas, nays, amends, abstentions } = account.final;
      const implicit = implicitYeas(account);
      return [
        account.number,
        titleOf(account.mega_motion_title),
        account.risk.tier,
        `${account.outcome}${account.simulated ? ` (${simulatedWords})` : ''}`,
        `${yeas}${implicit === 0 ? '' : ` (${implicit} implicit)`}`,
        nays,
        amends,
        abstentions,
        account.stances.no_response,
        firstPassOf(account),
      ];
    }),
  );
}

/** On one line: unlike a path, a title loses nothing by a blank in the place of a line end. */
function titleOf(title: string) {
  return literal(title.replace(/\s+/g, ' '));
}

/** What it came to, and whether anybody was asked again. */
function firstPassOf({ first_pass: first, second_pass: second }: MotionAccount) {
  return first === null || second === null
    ? '–'
    : `${describeTally(first)}; second pass ${secondPassWords[second]}`;
}

function triageTable({ triaged, input }: MotionsRun) {
  return table(
    ['#', 'Motion', 'Risk', 'Support', 'Gap', 'In conflict'],
    triaged.map(({ motion, riskTier, gap, conflicts }, index) => [
      index + 1,
      titleOf(motion.title),
      riskTier,
      `${motion.supporters.length} of ${input.session.roster.length}`,
      gap.length,
      conflicts.length,
    ]),
  );
}

/** Who sat where, why, and what they said; or why there was no panel. Nothing on a motion that was not contested. */
function describePanel(
  { number, mega_motion_id, mega_motion_title, outcome, panel: told }: MotionAccount,
  panels: readonly PanelRecord[],
) {
  const motion = say`Motion: ${titleOf(mega_motion_title)}`;
  const skipped = told?.skipped_because ?? null;
  if (skipped !== null)
    return [title(3, `No panel on motion ${number}`), ...list([motion, [skipped]])];
  const panel = panels.find(held => held.mega_motion_id === mega_motion_id);
  if (panel === undefined) return [];
  const { synthesis, recommendation: advice, error } = panel;
  const votes = describePanelVotes(panel.vote_breakdown);
  const isOther = panel.votes_agree === false;
  return [
    title(3, `Panel on motion ${number}`),
    ...list([
      motion,
      advice === null
        ? [`No recommendation: the panel failed. Votes, which stand: ${votes}`]
        : [
            `Recommendation: ${advice}; votes: ${votes}${isOther ? '; this is not what most of them voted for' : ''}`,
          ],
      advice !== null &&
        outcome !== 'incomplete' && [
          `The vote decided: ${outcome}, ${told?.is_contrary ? 'against' : 'not against'} what the panel recommended`,
        ],
      panel.neutrals_note !== null && [panel.neutrals_note],
      error !== null && say`Went wrong: ${literal(error)}`,
    ]),
    ...seatTable(panel),
    ...list([
      synthesis === null && [
        // A panel at which nobody could have argued is a simulated one.
        `Synthesis: ${panel.arguments.length === 0 ? 'none, as nobody argued: the panel is simulated' : 'missing'}`,
      ],
    ]),
    ...quote(['Why:'], synthesis?.rationale ?? panel.revision_rationale),
    ...quote(['Text it proposes:'], panel.revised_motion_text),
    ...quote(['What that changes:'], synthesis?.revision_summary ?? null),
    ...quote(['Key points:'], listed(synthesis?.key_points_discussed)),
    ...quote(['Agreed on:'], listed(synthesis?.consensus_areas)),
    ...quote(['Concerns that remain:'], listed(synthesis?.unresolved_concerns)),
    ...panel.dissenting_opinions.flatMap(({ archon_name, opinion }) =>
      quote(say`Dissent of ${literal(archon_name)}:`, opinion),
    ),
    ...list([
      panel.arguments.length > 0 &&
        say`Every argument, word for word: ${literal(`panel_deliberations/${panel.panel_id}.json`)}`,
    ]),
  ];
}

const reasonWords = {
  implicit: 'supported it from the start',
  endorsed: 'endorsed it',
  opposed: 'opposed it',
  abstained: 'abstained',
  not_asked: 'was not asked',
};

/** Where nobody argued, as in a simulation, no member has a vote. */
function seatTable(panel: PanelRecord) {
  const rowsOf = (names: readonly string[], side: Side) =>
    names.map(name => {
      const reason = panel.seated_because[name];
      const reported = panel.reported_votes[name];
      return [
        literal(name),
        side,
        reason === undefined ? '–' : reasonWords[reason],
        panel.arguments.find(({ archon_name }) => archon_name === name)?.vote ??
          (reported === undefined ? '–' : `${reported}, as the facilitator reports`),
      ];
    });
  return table(
    ['Member', 'Sat as', 'Because it', 'Vote'],
    [
      ...rowsOf(panel.supporters, 'supporter'),
      ...rowsOf(panel.critics, 'critic'),
      ...rowsOf(panel.neutrals, 'neutral'),
    ],
  );
}

function listed(texts: readonly string[] = []) {
  return texts.map(text => `- ${text}`).join('\n');
}

const amendedBy = {
  panel: 'as its panel amended it',
  facilitator: 'as a facilitator merged the amendments',
  merge: 'with the suggestions below it',
};

/** As a difference from the motion as it was put; whole it stands in the results. */
function amendedText(row: RatificationRow, number: number, text: string) {
  const { revised_motion_text: revised, revised_by: by } = row;
  return by === null || revised === null
    ? []
    : quote([`Motion ${number}, ${amendedBy[by]}:`], diffText(text, revised));
}

/** Changed lines up to which the shortest way from one text to the other is looked for. */
const mostChanges = 2000;

/** What an amended text changes, with two lines around it; sentences are lines, because a motion is often one long paragraph. */
export function diffText(before: string, after: string) {
  const patch = structuredPatch('', '', sentencesOf(before), sentencesOf(after), '', '', {
    context: 2,
    maxEditLength: mostChanges,
  });
  // Texts that have next to nothing in common are shown as they are.
  return patch === undefined
    ? after
    : patch.hunks
        .map(({ lines }) => lines.map(line => line.replace(/^./, '$& ')).join('\n'))
        .join('\n…\n');
}

function sentencesOf(text: string) {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  const ends = /(?<=[\p{L}\p{N})"”][.!?;])[^\S\n]+(?=[\p{Lu}\p{N}"“(])/gu;
  return trimmed === '' ? '' : `${trimmed.replace(ends, '\n')}\n`;
}
