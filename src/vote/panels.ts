/**
 * Panels about what is contested, a motion or a claim: who sits where and why, whether holding one could come to anything, and what it
 * came to, kept whole: every argument and vote, counted by code, whether or not anybody reported. A panel advises; votes decide.
 */
import { nameBasedUuid } from '../core/hash.ts';
import type { CountedMotion } from './aggregation.ts';
import { drawMembers, type Session } from './triage.ts';
import type { Member } from '../core/words/roster.ts';
import { type FirstOutcome, Recommendation } from '../core/words/claim.ts';
import type { Facilitation } from './answers.ts';
import { type Argument, type PanelRecord, Side } from './records.ts';

/** Who sits where. Nobody sits twice. */
export interface Sides {
  readonly supporters: readonly Member[];
  readonly critics: readonly Member[];
  readonly neutrals: readonly Member[];
}

/** In the order of the seats: supporters, critics, neutrals. */
export function membersOf({ supporters, critics, neutrals }: Sides) {
  const sides = { supporter: supporters, critic: critics, neutral: neutrals };
  return Side.options.flatMap(side => sides[side].map(member => ({ ...member, side })));
}

/** A panel that is to be held. */
export type PanelSeating = ReturnType<typeof seatPanel>;

/** A contested motion about which no panel is held. */
export interface SkippedPanel {
  readonly mega_motion_id: string;
  /** One sentence. */
  readonly reason: string;
}

/**
 * Seats a panel for every contested motion: the first three who endorse it, the first three who oppose it, and three drawn from
 * those who abstained or were not asked.
 */
export function seatPanels(motions: readonly CountedMotion[], session: Session, runId: string) {
  // Both in motion order.
  const [panels, skipped]: [PanelSeating[], SkippedPanel[]] = [[], []];
  for (const motion of motions.filter(({ counts }) => counts.contested)) {
    const { mega_motion_id, endorsing_archons, opposing_archons } = motion.counts;
    const seated = seatPanel(motion, session, runId);
    const reason = whyNoPanel(seated, {
      for: endorsing_archons.length,
      against: opposing_archons.length,
    });
    if (reason === null) panels.push(seated);
    else skipped.push({ mega_motion_id, reason });
  }
  return { panels, skipped };
}

/** The first of each list who are among `members` and do not sit yet; neutrals in the order in which they were drawn. */
export function seatSides(
  standing: Readonly<Record<'for' | 'against' | 'neutral', readonly string[]>>,
  members: ReadonlyMap<string, Member>,
) {
  const seated = new Set<Member>();
  const seat = (names: readonly string[]) => {
    const free = names
      .flatMap(name => members.get(name) ?? [])
      .filter(member => !seated.has(member))
      .slice(0, seatsPerSide);
    for (const member of free) seated.add(member);
    return free;
  };
  const [supporters, critics] = [seat(standing.for), seat(standing.against)];
  return { supporters, critics, neutrals: seat(standing.neutral) };
}

const seatsPerSide = 3;

/** Seats of a panel at most. */
export const mostSeated = 3 * seatsPerSide;
/** Seats below which a panel is ceremony. */
export const leastSeated = 3;
export const panelTimeLimitMinutes = 45;

/**
 * Why a panel about it would be ceremony, in one sentence; null: it is held. `standing`: how many stand for it and against it,
 * also those who cannot sit, such as a tool that raised a claim.
 *
 * It is held when all three are so:
 * - Somebody stands on each side. What nobody stands for, or against, is not in dispute, however many oppose it.
 * - At least three sit. Of two, one on each side, both have said what they think, to each other as to everybody; their votes
 *   are a tie again unless one gives in to the other, and there is nobody whom either could win over. With a third, whether it
 *   takes no side or stands beside one of them, the votes of the panel can come to a majority.
 * - Somebody hears what it has not said itself: a neutral, who hears all, or members of both sides. Critics alone, against a
 *   tool that cannot argue, would only repeat what they answered when they were asked.
 */
export function whyNoPanel(sides: Sides, standing: Readonly<Record<'for' | 'against', number>>) {
  if (standing.for === 0) return 'Nobody stands for it: there is nothing to argue out.';
  if (standing.against === 0) return 'Nobody stands against it: there is nothing to argue out.';
  const { supporters, critics, neutrals } = sides;
  const able = `${supporters.length} for it, ${critics.length} against it and ${neutrals.length} neutral could sit`;
  if (membersOf(sides).length < leastSeated)
    return `Only ${able}: a panel of fewer than ${leastSeated} settles nothing that the vote has not.`;
  if (neutrals.length === 0 && (supporters.length === 0 || critics.length === 0))
    return `Only ${able}: nobody would hear an argument of another side.`;
  return null;
}

/** Outcomes that go against what a panel recommended. */
const contrary = {
  pass: ['rejected'],
  fail: ['ratified'],
  amend: ['rejected'],
  defer: ['ratified', 'rejected'],
};

/** Did the vote end otherwise than the panel advised? */
export function isContrary(recommendation: Recommendation | null, outcome: FirstOutcome) {
  return recommendation !== null && contrary[recommendation].includes(outcome);
}

function noteOn(neutrals: number) {
  if (neutrals >= seatsPerSide) return null;
  return neutrals === 0
    ? 'No neutrals: every member supported the motion from the start, took a stance on it or did not answer.'
    : `Only ${neutrals} of ${seatsPerSide} neutrals: nobody else abstained on the motion or was not asked about it.`;
}

function seatPanel({ subject, counts, said }: CountedMotion, session: Session, runId: string) {
  const { mega_motion_id: motionId, endorsing_archons, opposing_archons } = counts;
  const implicit = new Set(endorsing_archons.slice(0, counts.implicit_endorsements));
  /** Of those who were asked. */
  const abstained = new Map(
    said.map(({ archon_name, stance }) => [archon_name, stance === 'ABSTAIN']),
  );
  // Who was asked and did not answer is not seated: what it thinks is not known, and it may not answer here either.
  const neutral = session.roster.filter(({ name }) => abstained.get(name) ?? !implicit.has(name));
  const sides = seatSides(
    {
      for: endorsing_archons,
      against: opposing_archons,
      neutral: namesOf(drawMembers(neutral, motionId, runId)),
    },
    new Map(session.roster.map(member => [member.name, member])),
  );
  return {
    panelId: nameBasedUuid(`${session.id}|panel|${motionId}`),
    /** What neutrals were drawn by, beside the motion. */
    runId,
    subject,
    counts,
    ...sides,
    /** Why each member sits where it does, by name. */
    because: Object.fromEntries(
      membersOf(sides).map(({ name, side }) => {
        const because = {
          supporter: implicit.has(name) ? 'implicit' : 'endorsed',
          critic: 'opposed',
          neutral: abstained.get(name) ? 'abstained' : 'not_asked',
        } as const;
        return [name, because[side]];
      }),
    ),
  };
}

function namesOf(members: readonly Member[]) {
  return members.map(({ name }) => name);
}

/** A panel at its end, also when it was cut short. */
export interface HeldPanel {
  /** Of those who were reached, in any order. */
  readonly said: readonly Argument[];
  /** Null: the panel failed. */
  readonly report: Facilitation | null;
  /** Who did not speak, or why the panel failed; null when nothing went wrong. */
  readonly error: string | null;
  readonly began: Date;
  readonly concluded: Date;
}

/**
 * A failed panel has no recommendation and no synthesis, and nothing is made up in their place; what its members said and voted
 * stands all the same.
 */
export function recordPanel(
  seating: PanelSeating,
  { said, report, error, began, concluded }: HeldPanel,
): PanelRecord {
  const { subject, because, runId, supporters, critics, neutrals } = seating;
  const byName = new Map(said.map(argument => [argument.archon_name, argument]));
  // One for each seat: who was not reached said nothing.
  const rows = membersOf(seating).map(
    ({ name: archon_name, side }) =>
      byName.get(archon_name) ?? { archon_name, side, argument: null, vote: null },
  );
  const reported = reportedVotes(rows, report?.votes ?? []);
  const breakdown = { pass: 0, fail: 0, amend: 0, defer: 0 };
  for (const vote of [...rows.map(row => row.vote), ...Object.values(reported)])
    if (vote !== null) breakdown[vote] += 1;
  const most = Math.max(...Object.values(breakdown));
  const leading = most === 0 ? [] : Recommendation.options.filter(vote => breakdown[vote] === most);
  const synthesis = report?.synthesis ?? null;
  const { recommendation = null, revised_motion_text = null } = synthesis ?? {};
  // Without a report a tie has no majority that anybody could dissent from.
  const position = recommendation ?? (leading.length === 1 ? leading[0] : undefined);
  return {
    panel_id: seating.panelId,
    mega_motion_id: subject.motion.id,
    mega_motion_title: subject.motion.title,
    supporters: namesOf(supporters),
    critics: namesOf(critics),
    neutrals: namesOf(neutrals),
    panel_size: rows.length,
    time_limit_minutes: panelTimeLimitMinutes,
    neutrals_note: noteOn(neutrals.length),
    seated_because: because,
    run_id: runId,
    scheduled_at: began.toISOString(),
    recommendation,
    revised_motion_text,
    revision_rationale: synthesis?.revision_summary ?? synthesis?.rationale ?? null,
    dissenting_opinions: position === undefined ? [] : dissentFrom(position, synthesis, rows),
    vote_breakdown: breakdown,
    concluded_at: concluded.toISOString(),
    deliberation_duration_minutes: (concluded.getTime() - began.getTime()) / 60_000,
    status: report === null ? 'failed' : 'concluded',
    error,
    votes_agree: recommendation === null ? null : leading.includes(recommendation),
    arguments: rows,
    reported_votes: reported,
    synthesis,
  };
}

/** A vote that a member cast itself counts for it, whatever is reported. Nobody votes who said nothing, or who does not sit. */
function reportedVotes(rows: readonly Argument[], votes: Facilitation['votes']) {
  const stated = new Map(votes.map(([name, vote]) => [plainName(name), vote]));
  return Object.fromEntries(
    rows.flatMap(({ archon_name, argument, vote }) => {
      const reported = stated.get(plainName(archon_name));
      const isCast = vote !== null || argument === null || reported === undefined;
      return isCast ? [] : [[archon_name, reported]];
    }),
  );
}

/** What the facilitator quotes, and the own words of every other member that voted otherwise. */
function dissentFrom(
  position: Recommendation,
  synthesis: PanelRecord['synthesis'],
  rows: readonly Argument[],
) {
  const quotes = synthesis?.dissenting_opinions ?? [];
  const quoted = new Set(quotes.map(({ archon_name }) => plainName(archon_name)));
  const others = rows.flatMap(({ archon_name, argument: opinion, vote }) => {
    const isOther = vote !== null && vote !== position && !quoted.has(plainName(archon_name));
    return isOther && opinion !== null ? [{ archon_name, opinion }] : [];
  });
  return [...quotes, ...others];
}

/** Facilitators write names and ids as they please. */
function plainName(name: string) {
  return name.trim().toLowerCase().replace(/[\s-]/g, '_');
}
