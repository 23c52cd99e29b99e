/** A vote as a Markdown file: one table of motions, why each ended so, every panel with its dissent word for word, then amended texts. */
import { structuredPatch } from 'diff';
import { implicitYeas } from '../core/printed/motion-account.ts';
import {
  countOutcomes,
  isContrary,
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
import { paintMarkdown } from './to-markdown.ts';

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
      run.results.flatMap((row, index) => describePanel(row, index + 1, run)),
    ),
    ...part(
      'Amended texts',
      run.results.flatMap((row, index) =>
        amendedText(row, index + 1, run.triaged[index]?.motion.text ?? ''),
      ),
    ),
  ]);
}

function decisionTable({ triaged, results, aggregations, accounts }: MotionsRun) {
  const figures = ['Yeas', 'Nays', 'Amends', 'Abstentions', 'No response', 'First pass'];
  return table(
    ['#', 'Motion', 'Risk', 'Outcome', ...figures],
    results.map((row, index) => {
      const account = accounts[index];
      const implicit = implicitYeas(account);
      return [
        index + 1,
        titleOf(row.mega_motion_title),
        triaged[index]?.riskTier ?? '–',
        `${row.outcome}${account?.simulated === true ? ` (${simulatedWords})` : ''}`,
        `${row.yeas}${implicit === 0 ? '' : ` (${implicit} implicit)`}`,
        row.nays,
        row.amends,
        row.abstentions,
        aggregations[index]?.no_response ?? '–',
        firstPassOf(row),
      ];
    }),
  );
}

/** On one line: unlike a path, a title loses nothing by a blank in the place of a line end. */
function titleOf(title: string) {
  return literal(title.replace(/\s+/g, ' '));
}

/** What it came to, and whether anybody was asked again. */
function firstPassOf({ first_pass: first, second_pass: second }: RatificationRow) {
  return first === null || second === null
    ? '–'
    : `${describeTally(first)}; second pass ${secondPassWords[second]}`;
}

function triageTable({ triaged, input }: MotionsRun) {
  return table(
    ['#', 'Motion', 'Risk', 'Support', 'Gap', 'In conflict'],
    triaged.map(({ motion, riskTier, contributing, gap, conflicts }, index) => [
      index + 1,
      titleOf(motion.title),
      riskTier,
      `${contributing.length} of ${input.session.roster.length}`,
      gap.length,
      conflicts.length,
    ]),
  );
}

/** Who sat where, why, and what they said; or why there was no panel. Nothing on a motion that was not contested. */
function describePanel(
  row: RatificationRow,
  number: number,
  { panels, skippedPanels }: MotionsRun,
) {
  const isMeant = ({ mega_motion_id: id }: { readonly mega_motion_id: string }) =>
    id === row.mega_motion_id;
  const motion = say`Motion: ${titleOf(row.mega_motion_title)}`;
  const panel = panels.find(isMeant);
  if (panel === undefined) {
    const skipped = skippedPanels.find(isMeant);
    return skipped === undefined
      ? []
      : [title(3, `No panel on motion ${number}`), ...list([motion, [skipped.reason]])];
  }
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
        row.outcome !== 'incomplete' && [
          `The vote decided: ${row.outcome}, ${isContrary(advice, row.outcome) ? 'against' : 'not against'} what the panel recommended`,
        ],
      panel.neutrals_note !== null && [panel.neutrals_note],
      error !== null && say`Went wrong: ${literal(error)}`,
    ]),
    ...seatTable(panel),
    ...list([synthesis === null && [`Synthesis: ${whyMissing(panel)}`]]),
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

/** A panel at which nobody could have argued is a simulated one. */
function whyMissing({ arguments: said }: PanelRecord) {
  return said.length === 0 ? 'none, as nobody argued: the panel is simulated' : 'missing';
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
