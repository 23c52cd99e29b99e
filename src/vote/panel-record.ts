/** What a panel came to, kept whole: every argument and vote by member, counted by code, whether or not anybody reported. */
import type { Facilitation } from './answers.ts';
import { announcePanel, type Argument, type PanelSeating } from './panels.ts';
import type { PanelRecord } from './records.ts';
import { type Recommendation, recommendations } from '../core/words/vote.ts';

/** A panel at its end, also when it was cut short. */
export interface HeldPanel {
  /** Of those who were reached, in any order. */
  readonly said: readonly Argument[];
  /** Null: the panel failed. */
  readonly report: Facilitation | null;
  /** Who did not speak, or why the panel failed; null when nothing went wrong. */
  readonly error: string | null;
}

/**
 * A failed panel has no recommendation and no synthesis, and nothing is made up in their place; what its members said and voted
 * stands all the same.
 */
export function recordPanel(
  seating: PanelSeating,
  { said, report, error }: HeldPanel,
  { began, concluded }: { readonly began: Date; readonly concluded: Date },
): PanelRecord {
  const byName = new Map(said.map(argument => [argument.name, argument]));
  const seats = {
    supporter: seating.supporters,
    critic: seating.critics,
    neutral: seating.neutrals,
  };
  // One for each seat: who was not reached said nothing.
  const rows = (['supporter', 'critic', 'neutral'] as const).flatMap(side =>
    seats[side].map(({ name: archon_name }) => {
      const { text: argument = null, vote = null } = byName.get(archon_name) ?? {};
      return { archon_name, side, argument, vote };
    }),
  );
  const reported = reportedVotes(rows, report?.votes ?? []);
  const breakdown = { pass: 0, fail: 0, amend: 0, defer: 0 };
  for (const vote of [...rows.map(row => row.vote), ...Object.values(reported)])
    if (vote !== null) breakdown[vote] += 1;
  const most = Math.max(...Object.values(breakdown));
  const leading = most === 0 ? [] : recommendations.filter(vote => breakdown[vote] === most);
  const { synthesis = null, dissent = [] } = report ?? {};
  const { recommendation = null, revised_motion_text = null } = synthesis ?? {};
  // Without a report a tie has no majority that anybody could dissent from.
  const position = recommendation ?? (leading.length === 1 ? leading[0] : undefined);
  return {
    ...announcePanel(seating),
    scheduled_at: began.toISOString(),
    recommendation,
    revised_motion_text,
    revision_rationale: synthesis?.revision_summary ?? synthesis?.rationale ?? null,
    dissenting_opinions: position === undefined ? [] : dissentFrom(position, dissent, rows),
    vote_breakdown: breakdown,
    concluded_at: concluded.toISOString(),
    deliberation_duration_minutes: (concluded.getTime() - began.getTime()) / 60_000,
    status: report === null ? 'failed' : 'concluded',
    error,
    votes_agree: recommendation === null ? null : leading.includes(recommendation),
    arguments: rows,
    reported_votes: reported,
    synthesis: synthesis && { ...synthesis, dissenting_opinions: [...dissent] },
  };
}

type ArgumentRow = PanelRecord['arguments'][number];

/** A vote that a member cast itself counts for it, whatever is reported. Nobody votes who said nothing, or who does not sit. */
function reportedVotes(
  rows: readonly ArgumentRow[],
  votes: Facilitation['votes'],
): Record<string, Recommendation> {
  const stated = new Map(votes.map(([name, vote]) => [plainName(name), vote]));
  return Object.fromEntries(
    rows.flatMap(({ archon_name, argument, vote }) => {
      const reported = stated.get(plainName(archon_name));
      const isCast = vote !== null || argument === null || reported === undefined;
      return isCast ? [] : [[archon_name, reported] as const];
    }),
  );
}

/** What the facilitator quotes, and the own words of every other member that voted otherwise. */
function dissentFrom(
  position: Recommendation,
  quotes: PanelRecord['dissenting_opinions'],
  rows: readonly ArgumentRow[],
): PanelRecord['dissenting_opinions'] {
  const quoted = new Set(quotes.map(({ archon_name }) => plainName(archon_name)));
  const others = rows.flatMap(({ archon_name, argument: opinion, vote }) => {
    const isOther = vote !== null && vote !== position && !quoted.has(plainName(archon_name));
    return isOther && opinion !== null ? [{ archon_name, opinion }] : [];
  });
  return [...quotes, ...others];
}

/** Facilitators write names and ids as they please. */
function plainName(name: string): string {
  return name.trim().toLowerCase().replace(/[\s-]/g, '_');
}

/** Whose words or votes are kept, also of a panel that failed. */
export function speakersOf(panel: PanelRecord): string[] {
  return panel.arguments.flatMap(({ archon_name, argument, vote }) =>
    argument === null && vote === null ? [] : archon_name,
  );
}
