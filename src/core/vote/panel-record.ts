/** What a panel came to, kept whole: every argument and vote by member, counted by code, whether or not anybody reported. */
import type { Facilitation } from './answers.ts';
import {
  announcePanel,
  type Argument,
  membersOf,
  type PanelSeating,
  type Sides,
} from './panels.ts';
import { type PanelRecord, type Recommendation, recommendations, type Side } from './records.ts';

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
  const rows = argumentsOf(seating, said);
  const reported = report === null ? {} : reportedVotes(rows, report);
  const breakdown = countVotes([
    ...rows.flatMap(({ vote }) => vote ?? []),
    ...Object.values(reported),
  ]);
  const synthesis = report?.synthesis ?? null;
  const recommendation = synthesis?.recommendation ?? null;
  return {
    ...announcePanel(seating),
    scheduled_at: began.toISOString(),
    recommendation,
    revised_motion_text: synthesis?.revised_motion_text ?? null,
    revision_rationale: synthesis?.revision_summary ?? synthesis?.rationale ?? null,
    dissenting_opinions: dissentOf(rows, report, breakdown),
    vote_breakdown: breakdown,
    concluded_at: concluded.toISOString(),
    deliberation_duration_minutes: (concluded.getTime() - began.getTime()) / 60_000,
    status: report === null ? 'failed' : 'concluded',
    error,
    votes_agree: recommendation === null ? null : agrees(breakdown, recommendation),
    arguments: rows,
    reported_votes: reported,
    synthesis:
      report === null ? null : { ...report.synthesis, dissenting_opinions: [...report.dissent] },
  };
}

type ArgumentRow = PanelRecord['arguments'][number];
type Breakdown = PanelRecord['vote_breakdown'];

/** One for each seat: who was not reached said nothing. */
function argumentsOf(sides: Sides, said: readonly Argument[]): ArgumentRow[] {
  const byName = new Map(said.map(argument => [argument.name, argument]));
  const sideOf = (name: string): Side =>
    sides.supporters.some(member => member.name === name)
      ? 'supporter'
      : sides.critics.some(member => member.name === name)
        ? 'critic'
        : 'neutral';
  return membersOf(sides).map(({ name }) => ({
    archon_name: name,
    side: sideOf(name),
    argument: byName.get(name)?.text ?? null,
    vote: byName.get(name)?.vote ?? null,
  }));
}

/** A vote that a member cast itself counts for it, whatever is reported. Nobody votes who said nothing, or who does not sit. */
function reportedVotes(
  rows: readonly ArgumentRow[],
  { votes }: Facilitation,
): Record<string, Recommendation> {
  const stated = new Map(votes.map(([name, vote]) => [plainName(name), vote]));
  return Object.fromEntries(
    rows.flatMap(({ archon_name, argument, vote }) => {
      const reported = stated.get(plainName(archon_name));
      return vote === null && argument !== null && reported !== undefined
        ? [[archon_name, reported] as const]
        : [];
    }),
  );
}

function countVotes(votes: readonly Recommendation[]): Breakdown {
  const breakdown = { pass: 0, fail: 0, amend: 0, defer: 0 };
  for (const vote of votes) breakdown[vote] += 1;
  return breakdown;
}

/** Is the recommendation what most voted for? False when nobody voted. */
function agrees(breakdown: Breakdown, recommendation: Recommendation): boolean {
  const largest = Math.max(...Object.values(breakdown));
  return largest > 0 && breakdown[recommendation] === largest;
}

/**
 * What the facilitator quotes, and the own words of every other member that voted against the recommendation; without a report,
 * against what most voted for. A tie has no majority that anybody could dissent from.
 */
function dissentOf(
  rows: readonly ArgumentRow[],
  report: Facilitation | null,
  breakdown: Breakdown,
): PanelRecord['dissenting_opinions'] {
  const quotes = report?.dissent ?? [];
  const position = report?.synthesis.recommendation ?? majorityOf(breakdown);
  if (position === null) return [];
  const quoted = new Set(quotes.map(({ archon_name }) => plainName(archon_name)));
  return [
    ...quotes,
    ...rows.flatMap(({ archon_name, argument, vote }) =>
      argument === null || vote === null || vote === position || quoted.has(plainName(archon_name))
        ? []
        : [{ archon_name, opinion: argument }],
    ),
  ];
}

function majorityOf(breakdown: Breakdown): Recommendation | null {
  const largest = Math.max(...Object.values(breakdown));
  const leading = recommendations.filter(vote => breakdown[vote] === largest);
  const [only = null] = leading;
  return largest > 0 && leading.length === 1 ? only : null;
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
