/**
 * Sorts motions by how much of the roster already stands behind them: the more support and the fewer conflicts, the fewer
 * members have to be asked, one packet for each member of the roster.
 */
import type { Conflict } from './conflicts.ts';
import { byCodePoint, type Motion, type Session } from './motion.ts';
import type { Member } from '../core/words/roster.ts';
import type { MotionsSettings } from '../core/words/motions-settings.ts';

export const riskTiers = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof riskTiers)[number];

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
  settings: Thresholds,
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
      // Of ten thousand motions that nobody supports the gaps are one list.
      gap: supporting.size === 0 ? names : names.filter(name => !supporting.has(name)),
      conflicts: found,
      riskTier: riskTierOf(motion, { support, conflicts: found.length }, settings),
    };
  });
}

export type Thresholds = Pick<MotionsSettings, 'low' | 'medium' | 'max_conflicts' | 'triage'>;

/** The first that holds. */
export function riskTierOf(
  motion: Pick<Motion, 'isNovel' | 'consensusTier' | 'supporters'>,
  { support, conflicts }: Readonly<Record<'support' | 'conflicts', number>>,
  { low, medium, max_conflicts, triage: { low_from_tier } }: Thresholds,
): RiskTier {
  if (motion.isNovel) return 'high';
  if (support >= low && conflicts === 0) return 'low';
  if (support < medium || conflicts > max_conflicts) return 'high';
  const isBroadlySourced = motion.consensusTier === 'high' && motion.supporters.length >= 10;
  return low_from_tier && isBroadlySourced && conflicts === 0 ? 'low' : 'medium';
}

export type AssignmentReason = 'gap_archon' | 'conflict_review';

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
  const packets = new Map(roster.map(member => [member.name, emptyPacket(member)]));
  for (const { motion, riskTier, gap, contributing, conflicts } of triaged) {
    const motionId = motion.id;
    const isSampled = sampling !== null && riskTier === 'medium';
    const lotOf = (name: string): string =>
      sampling?.hash(`${id}|${motionId}|${packets.get(name)?.member.id ?? ''}`) ?? '';
    const drawn = riskTier === 'low' ? [] : isSampled ? draw(gap, sampling.size, lotOf) : gap;
    // One object for all of them: a large roster holds a million assignments.
    const unspoken: Assignment = { motionId, reason: 'gap_archon', conflict: null };
    const inConflict = new Set(conflicts.map(({ memberName }) => memberName));
    for (const conflict of conflicts)
      packets
        .get(conflict.memberName)
        ?.assigned.push({ motionId, reason: 'conflict_review', conflict });
    for (const name of drawn) if (!inConflict.has(name)) packets.get(name)?.assigned.push(unspoken);
    for (const name of contributing)
      if (!inConflict.has(name)) packets.get(name)?.alreadyEndorsed.push(motionId);
    const asked = new Set([...(isSampled ? drawn : []), ...inConflict]);
    for (const name of isSampled ? gap : [])
      if (!asked.has(name)) packets.get(name)?.notDrawn.push(motionId);
  }
  return Array.from(packets.values(), ({ notDrawn, ...packet }) => ({
    ...packet,
    ...(notDrawn.length > 0 && { notDrawn }),
  }));
}

function emptyPacket(member: Member) {
  const assigned: Assignment[] = [];
  const [notDrawn, alreadyEndorsed]: [string[], string[]] = [[], []];
  return { member, assigned, notDrawn, alreadyEndorsed };
}

function draw(
  names: readonly string[],
  size: number,
  lotOf: (name: string) => string,
): readonly string[] {
  return names
    .map(name => ({ name, lot: lotOf(name) }))
    .toSorted((one, other) => byCodePoint(one.lot, other.lot))
    .slice(0, size)
    .map(({ name }) => name);
}
