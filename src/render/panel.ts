/** What panels about motions came to, for people: a line for the terminal, and in the report who sat where, why, and what they said. */
import {
  type MotionsRun,
  isContrary,
  type RatificationRow,
  type PanelRecord,
  type SeatReason,
  type Side,
} from '../vote/index.ts';
import { code, quoteBlock, tableOf } from '../core/safety/markdown-text.ts';
import { toOneLine } from '../core/text.ts';

type VoteWithPanels = Pick<MotionsRun, 'panels' | 'skippedPanels'>;

/** By the id of each contested motion: what its panel recommended, that it failed, or why none was held. */
export function panelLines({ panels, skippedPanels }: VoteWithPanels): ReadonlyMap<string, string> {
  return new Map([
    ...panels.map(panel => [panel.mega_motion_id, panelLine(panel)] as const),
    ...skippedPanels.map(
      ({ mega_motion_id, reason }) => [mega_motion_id, `No panel: ${reason}`] as const,
    ),
  ]);
}

const longestError = 120;

function panelLine({ recommendation, error, vote_breakdown }: PanelRecord): string {
  const votes = describeVotes(vote_breakdown);
  return recommendation === null
    ? `Panel failed, its votes stand: ${votes}. ${toOneLine(error ?? '').slice(0, longestError)}`
    : `Panel recommended: ${recommendation} (${votes})`;
}

/** A section for each contested motion, in the order of the motions. */
export function listPanels({ panels, skippedPanels, results }: MotionsRun): string[][] {
  const byMotion = new Map(panels.map(panel => [panel.mega_motion_id, panel]));
  const skipped = new Map(
    skippedPanels.map(({ mega_motion_id, reason }) => [mega_motion_id, reason]),
  );
  return results.flatMap((row, index) => {
    const panel = byMotion.get(row.mega_motion_id);
    if (panel !== undefined) return [listPanel(panel, row, index + 1)];
    const reason = skipped.get(row.mega_motion_id);
    if (reason === undefined) return [];
    return [
      [
        `### No panel on motion ${index + 1}`,
        '',
        `- Motion: ${code(row.mega_motion_title)}`,
        `- ${reason}`,
      ],
    ];
  });
}

function listPanel(panel: PanelRecord, row: RatificationRow, number: number): string[] {
  const { synthesis, dissenting_opinions } = panel;
  return [
    `### Panel on motion ${number}`,
    '',
    `- Motion: ${code(panel.mega_motion_title)}`,
    ...recommendationLines(panel),
    ...voteLines(panel, row),
    ...(panel.neutrals_note === null ? [] : [`- ${panel.neutrals_note}`]),
    ...(panel.error === null ? [] : [`- Went wrong: ${code(panel.error)}`]),
    '',
    ...seatTable(panel),
    '',
    ...(synthesis === null ? [`- Synthesis: ${whyMissing(panel)}`] : []),
    ...quoted('Why:', synthesis?.rationale ?? panel.revision_rationale),
    ...quoted('Text it proposes:', panel.revised_motion_text),
    ...quoted('What that changes:', synthesis?.revision_summary ?? null),
    ...quoted('Key points:', listed(synthesis?.key_points_discussed)),
    ...quoted('Agreed on:', listed(synthesis?.consensus_areas)),
    ...quoted('Concerns that remain:', listed(synthesis?.unresolved_concerns)),
    ...dissenting_opinions.flatMap(({ archon_name, opinion }) =>
      quoted(`Dissent of ${code(archon_name)}:`, opinion),
    ),
    ...(panel.arguments.length === 0
      ? []
      : [`- Every argument, word for word: ${code(`panel_deliberations/${panel.panel_id}.json`)}`]),
  ];
}

function recommendationLines({
  recommendation,
  vote_breakdown,
  votes_agree,
}: PanelRecord): string[] {
  const votes = describeVotes(vote_breakdown);
  if (recommendation === null)
    return ['- No recommendation: the panel failed', `- Votes, which stand: ${votes}`];
  const agreement = votes_agree === false ? '; this is not what most of them voted for' : '';
  return [`- Recommendation: ${recommendation}; votes: ${votes}${agreement}`];
}

function voteLines({ recommendation }: PanelRecord, { outcome }: RatificationRow): string[] {
  if (recommendation === null || outcome === 'incomplete') return [];
  return [
    `- The vote decided: ${outcome}, ${isContrary(recommendation, outcome) ? 'against' : 'not against'} what the panel recommended`,
  ];
}

const reasonWords: Readonly<Record<SeatReason, string>> = {
  implicit: 'supported it from the start',
  endorsed: 'endorsed it',
  opposed: 'opposed it',
  abstained: 'abstained',
  not_asked: 'was not asked',
};

/** Where nobody argued, as in a simulation, no member has a vote. */
function seatTable(panel: PanelRecord): string[] {
  const said = new Map(panel.arguments.map(argument => [argument.archon_name, argument]));
  const rowsOf = (names: readonly string[], side: Side): string[][] =>
    names.map(name => {
      const reason = panel.seated_because[name];
      return [
        code(name),
        side,
        reason === undefined ? '–' : reasonWords[reason],
        said.get(name)?.vote ?? reportedVote(panel, name),
      ];
    });
  return tableOf(
    ['Member', 'Sat as', 'Because it', 'Vote'],
    [
      ...rowsOf(panel.supporters, 'supporter'),
      ...rowsOf(panel.critics, 'critic'),
      ...rowsOf(panel.neutrals, 'neutral'),
    ],
  );
}

function reportedVote({ reported_votes }: PanelRecord, name: string): string {
  const vote = reported_votes[name];
  return vote === undefined ? '–' : `${vote}, as the facilitator reports`;
}

/** A panel at which nobody could have argued is a simulated one. */
function whyMissing({ arguments: said }: PanelRecord): string {
  return said.length === 0 ? 'none, as nobody argued: the panel is simulated' : 'missing';
}

function describeVotes({ pass, fail, amend, defer }: PanelRecord['vote_breakdown']): string {
  return `${pass} pass, ${fail} fail, ${amend} amend, ${defer} defer`;
}

function listed(texts: readonly string[] | undefined): string | null {
  return texts === undefined || texts.length === 0
    ? null
    : texts.map(text => `- ${text}`).join('\n');
}

function quoted(title: string, text: string | null): string[] {
  return text === null ? [] : [`- ${title}`, '', ...quoteBlock(text, '  '), ''];
}
