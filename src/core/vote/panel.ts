/** A small panel that argues a contested motion out: who sits on it, and what it leaves. It advises; votes decide. */
import { z } from 'zod';
import type { Aggregation } from './aggregation.ts';
import type { Member } from './motion.ts';
import type { TriagedMotion } from './triage.ts';

export const recommendations = ['pass', 'fail', 'amend', 'defer'] as const;
export const Recommendation = z.enum(recommendations);
export type Recommendation = z.infer<typeof Recommendation>;

const AnnouncedPanel = z.object({
  panel_id: z.string(),
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  supporters: z.array(z.string()),
  critics: z.array(z.string()),
  neutrals: z.array(z.string()),
  panel_size: z.int().nonnegative(),
  time_limit_minutes: z.number(),
});

/** A file of `panel_deliberations/` without what the writer of artifacts stamps on it (`rule_set`, `simulated`). */
export const PanelRecord = AnnouncedPanel.extend({
  /** ISO 8601, UTC. */
  scheduled_at: z.string(),
  /** Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  revised_motion_text: z.string().nullable(),
  revision_rationale: z.string().nullable(),
  /** Word for word. */
  dissenting_opinions: z.array(z.object({ archon_name: z.string(), opinion: z.string() })),
  /** Counted by code, over members of the panel. */
  vote_breakdown: z.object({ pass: z.int(), fail: z.int(), amend: z.int(), defer: z.int() }),
  concluded_at: z.string().nullable(),
  deliberation_duration_minutes: z.number().nullable(),
  status: z.enum(['concluded', 'failed']),
  error: z.string().nullable(),
  /** False when the largest group of votes is not the recommendation; null when the panel failed. */
  votes_agree: z.boolean().nullable(),
});
export type PanelRecord = z.infer<typeof PanelRecord>;

/** Who sits where. */
export interface Sides {
  readonly supporters: readonly Member[];
  readonly critics: readonly Member[];
  readonly neutrals: readonly Member[];
}

export function membersOf({ supporters, critics, neutrals }: Sides): Member[] {
  return [...supporters, ...critics, ...neutrals];
}

/** A panel that is to be held. */
export interface PanelSeating extends Sides {
  readonly panelId: string;
  readonly subject: TriagedMotion;
  /** The counted stances, with amendments proposed and reasons of opposition. */
  readonly aggregation: Aggregation;
}

/** The first keys of its record: what is known before it is held. */
export function announcePanel({
  panelId,
  subject: { motion },
  supporters,
  critics,
  neutrals,
}: PanelSeating): z.infer<typeof AnnouncedPanel> {
  const namesOf = (members: readonly Member[]): string[] => members.map(({ name }) => name);
  return {
    panel_id: panelId,
    mega_motion_id: motion.id,
    mega_motion_title: motion.title,
    supporters: namesOf(supporters),
    critics: namesOf(critics),
    neutrals: namesOf(neutrals),
    panel_size: supporters.length + critics.length + neutrals.length,
    time_limit_minutes: panelTimeLimitMinutes,
  };
}

export const panelTimeLimitMinutes = 45;
const seatsPerSide = 3;

/** Three of each side, then three who are on neither. `panelId` names the panel for good. */
export function seatPanel(
  subject: TriagedMotion,
  aggregation: Aggregation,
  roster: readonly Member[],
  panelId: string,
): PanelSeating {
  const members = new Map(roster.map(member => [member.name, member]));
  const { endorsing_archons: inFavour, opposing_archons: against } = aggregation;
  return {
    panelId,
    subject,
    aggregation,
    ...seatSides({ for: inFavour, against, others: [...members.keys()] }, members),
  };
}

/** The first of each list who are among `members` and do not sit yet. */
export function seatSides(
  standing: Readonly<Record<'for' | 'against' | 'others', readonly string[]>>,
  members: ReadonlyMap<string, Member>,
): Sides {
  const seated = new Set<Member>();
  const seat = (names: readonly string[]): Member[] => {
    const free = names
      .flatMap(name => members.get(name) ?? [])
      .filter(member => !seated.has(member))
      .slice(0, seatsPerSide);
    for (const member of free) seated.add(member);
    return free;
  };
  return {
    supporters: seat(standing.for),
    critics: seat(standing.against),
    neutrals: seat(standing.others),
  };
}
