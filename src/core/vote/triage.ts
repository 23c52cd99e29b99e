/**
 * Sorts motions by how much of the roster already stands behind them: the more support and the fewer conflicts, the fewer
 * members have to be asked, one packet for each member of the roster.
 */
import type { Conflict } from './conflicts.ts';
import { byCodePoint, type Member, type Motion, type Session } from './motion.ts';

export const riskTiers = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof riskTiers)[number];

export interface Thresholds {
  /** Share of the roster from which a motion without conflict is fast-tracked. Lower it to fast-track more. */
  readonly low: number;
  /** Share of the roster from which a motion with few conflicts needs a targeted review only. */
  readonly medium: number;
  readonly maxConflicts: number;
  /** A medium motion without conflict, of consensus tier high and with 10 supporters or more, becomes low. */
  readonly lowFromTier: boolean;
}

export interface TriagedMotion {
  readonly motion: Motion;
  readonly contributing: readonly string[];
  /** Members who have not spoken, sorted by code point. */
  readonly gap: readonly string[];
  /** Share of the roster that contributes. */
  readonly support: number;
  /** One for each member in conflict, in roster order. */
  readonly conflicts: readonly Conflict[];
  readonly riskTier: RiskTier;
}

/** `conflicts` by motion id. */
export function triage(
  { motions, roster }: Session,
  conflicts: ReadonlyMap<string, readonly Conflict[]>,
  thresholds: Thresholds,
): TriagedMotion[] {
  const names = roster.map(({ name }) => name).sort(byCodePoint);
  return motions.map(motion => {
    const supporting = new Set(motion.supporters);
    const found = conflicts.get(motion.id) ?? [];
    const support = names.length === 0 ? 0 : motion.supporters.length / names.length;
    return {
      motion,
      support,
      contributing: motion.supporters,
      gap: names.filter(name => !supporting.has(name)),
      conflicts: found,
      riskTier: riskTierOf(motion, { support, conflicts: found.length }, thresholds),
    };
  });
}

interface TriageFigures {
  readonly support: number;
  readonly conflicts: number;
}

/** The first that holds. */
export function riskTierOf(
  motion: Pick<Motion, 'isNovel' | 'consensusTier' | 'supporters'>,
  { support, conflicts }: TriageFigures,
  { low, medium, maxConflicts, lowFromTier }: Thresholds,
): RiskTier {
  if (motion.isNovel) return 'high';
  if (support >= low && conflicts === 0) return 'low';
  if (support < medium || conflicts > maxConflicts) return 'high';
  const isBroadlySourced = motion.consensusTier === 'high' && motion.supporters.length >= 10;
  return lowFromTier && isBroadlySourced && conflicts === 0 ? 'low' : 'medium';
}

type AssignmentReason = 'gap_archon' | 'conflict_review';

interface Assignment {
  readonly motionId: string;
  readonly reason: AssignmentReason;
  /** The evidence; null unless the reason is `conflict_review`. */
  readonly conflict: Conflict | null;
}

export interface Packet {
  readonly member: Member;
  /** In the order of the session. */
  readonly assigned: readonly Assignment[];
  /** Ids of motions about which others were drawn in its place; absent where there are none. */
  readonly notDrawn?: readonly string[];
  /** Ids of motions the member supports and is not asked about. */
  readonly alreadyEndorsed: readonly string[];
}

/** Asks only some of the members who have not spoken on a motion of medium risk. */
export interface Sampling {
  /** Gap members to ask for each motion. */
  readonly size: number;
  /** SHA-256 in hex: whose figure for session, motion and member is smallest is asked. */
  readonly hash: (text: string) => string;
}

/**
 * In roster order. Low risk: nobody is asked. Otherwise those who have not spoken are, and everybody in conflict, supporter or
 * not.
 */
export function buildPackets(
  { id, roster }: Session,
  triaged: readonly TriagedMotion[],
  sampling: Sampling | null,
): Packet[] {
  const drafts = new Map(
    roster.map(member => [
      member.name,
      {
        member,
        assigned: [] as Assignment[],
        notDrawn: [] as string[],
        alreadyEndorsed: [] as string[],
      },
    ]),
  );
  for (const subject of triaged) {
    const { motion, riskTier, gap, contributing, conflicts } = subject;
    const asked = new Map<string, Assignment>();
    if (riskTier !== 'low') {
      // One object for all of them: a large roster holds a million assignments.
      const unspoken: Assignment = { motionId: motion.id, reason: 'gap_archon', conflict: null };
      const names =
        sampling !== null && riskTier === 'medium'
          ? sample(subject, { session: id, roster, sampling })
          : gap;
      for (const name of names) asked.set(name, unspoken);
      for (const conflict of conflicts)
        asked.set(conflict.memberName, {
          motionId: motion.id,
          reason: 'conflict_review',
          conflict,
        });
      if (names.length < gap.length)
        for (const name of gap) if (!asked.has(name)) drafts.get(name)?.notDrawn.push(motion.id);
    }
    for (const [name, assignment] of asked) drafts.get(name)?.assigned.push(assignment);
    for (const name of contributing)
      if (!asked.has(name)) drafts.get(name)?.alreadyEndorsed.push(motion.id);
  }
  return Array.from(drafts.values(), ({ notDrawn, ...packet }) =>
    notDrawn.length === 0 ? packet : { ...packet, notDrawn },
  );
}

interface Draw {
  readonly session: string;
  readonly roster: readonly Member[];
  readonly sampling: Sampling;
}

function sample({ motion, gap }: TriagedMotion, { session, roster, sampling }: Draw): string[] {
  const ids = new Map(roster.map(({ name, id }) => [name, id]));
  return gap
    .map(name => ({
      name,
      figure: sampling.hash(`${session}|${motion.id}|${ids.get(name) ?? ''}`),
    }))
    .toSorted((one, other) => byCodePoint(one.figure, other.figure))
    .slice(0, sampling.size)
    .map(({ name }) => name);
}
