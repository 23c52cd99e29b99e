/**
 * Sorts motions by how much of the roster already stands behind them, and who stands against them: by what they stated, or because a
 * clause they wrote or support contradicts them, as a model shows by quoting both. The more support and the fewer conflicts, the fewer
 * members have to be asked, one packet for each member of the roster.
 */
import { sha256 } from '../core/hash.ts';
import { by, groupBy } from '../core/groups.ts';
import type { MotionsSettings } from '../core/words/motions-settings.ts';
import type { Member } from '../core/words/roster.ts';
import { type ConflictsNamed, type Position, readStance } from './records.ts';

export const riskTiers = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof riskTiers)[number];

export type TriagedMotion = ReturnType<typeof triage>[number];

/** `conflicts` by motion id. */
export function triage(
  { motions, roster }: Session,
  conflicts: ReadonlyMap<string, readonly Conflict[]>,
  settings: Thresholds,
) {
  const names = roster.map(({ name }) => name).sort(byCodePoint);
  return motions.map(motion => {
    const supporting = new Set(motion.supporters);
    const found = conflicts.get(motion.id) ?? [];
    const support = names.length === 0 ? 0 : motion.supporters.length / names.length;
    return {
      motion,
      /** Share of the roster that contributes. */
      support,
      /** Members who have not spoken, sorted by code point: of ten thousand motions that nobody supports one list. */
      gap: supporting.size === 0 ? names : names.filter(name => !supporting.has(name)),
      /** One for each member in conflict, in roster order. */
      conflicts: found,
      riskTier: riskTierOf(motion, { support, conflicts: found.length }, settings),
    };
  });
}

type Thresholds = Pick<MotionsSettings, 'low' | 'medium' | 'max_conflicts' | 'triage'>;

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

interface Assignment {
  readonly motionId: string;
  /** Share of the roster that contributes. */
  readonly support: number;
  /** Null: the member has not spoken. */
  readonly conflict: Conflict | null;
}

export type Packet = ReturnType<typeof buildPackets>[number];

/**
 * By SHA-256 of `run|motion|member`, ids all three: nobody chooses who is heard, nobody is heard in every vote, and whoever
 * knows the run can draw again. `subjectId`: of the motion, or of the claim. `runId`: of the run that holds the vote; of the session for
 * a sample, and where no run holds it. Does not depend on the order of the candidates.
 */
export function drawMembers(candidates: readonly Member[], subjectId: string, runId: string) {
  return candidates
    .map(member => ({ member, lot: sha256(`${runId}|${subjectId}|${member.id}`) }))
    .toSorted(by(({ lot }) => lot))
    .map(({ member }) => member);
}

/**
 * In roster order. Low risk: nobody is asked. Otherwise those who have not spoken are, and everybody in conflict, supporter or
 * not. `sample`: so many of those who have not spoken are asked about a motion of medium risk; null: all.
 */
export function buildPackets(
  { id, roster }: Session,
  triaged: readonly TriagedMotion[],
  sample: number | null,
) {
  const packets = new Map(
    roster.map(member => [
      member.name,
      {
        member,
        /** In the order of the session. */
        assigned: [] as Assignment[],
        /** Ids of motions about which others were drawn in its place. */
        notDrawn: [] as string[],
        /** Ids of motions the member supports and is not asked about. */
        alreadyEndorsed: [] as string[],
      },
    ]),
  );
  for (const { motion, support, riskTier, gap, conflicts } of triaged) {
    const motionId = motion.id;
    const unheard = riskTier === 'low' ? [] : gap.flatMap(name => packets.get(name) ?? []);
    const candidates = unheard.map(({ member }) => member);
    const drawn =
      sample !== null && riskTier === 'medium'
        ? new Set(drawMembers(candidates, motionId, id).slice(0, sample))
        : null;
    const inConflict = new Set(conflicts.map(({ memberName }) => memberName));
    // One object for all of them: a large roster holds a million assignments.
    const unspoken: Assignment = { motionId, support, conflict: null };
    for (const conflict of conflicts)
      packets.get(conflict.memberName)?.assigned.push({ motionId, support, conflict });
    for (const { member, assigned, notDrawn } of unheard)
      if (!inConflict.has(member.name))
        if (drawn?.has(member) ?? true) assigned.push(unspoken);
        else notDrawn.push(motionId);
    for (const name of motion.supporters)
      if (!inConflict.has(name)) packets.get(name)?.alreadyEndorsed.push(motionId);
  }
  return [...packets.values()];
}

/**
 * By motion id, where there are any; one for each member, in roster order. The first that is found counts, stated stances before
 * all else.
 */
export function gatherConflicts(
  { roster }: Session,
  positions: readonly Position[],
  contradictions: ConflictsNamed['contradictions'],
) {
  const stated = positions.flatMap(
    ({ stance: own, mega_motion_id: motionId, archon_name: memberName, source }) =>
      motionId !== null && own !== null && readStance(own) === 'OPPOSE'
        ? { memberName, motionId, own, against: null, source: source ?? unnamedSource }
        : [],
  );
  const named = contradictions.flatMap(({ archon_names, mega_motion_id: motionId, ...words }) =>
    archon_names.map(memberName => ({ memberName, motionId, ...words })),
  );
  const byMotion = groupBy<Conflict, string>([...stated, ...named], ({ motionId }) => motionId);
  return new Map(
    [...byMotion].map(([id, all]) => {
      const firsts = new Map(all.toReversed().map(found => [found.memberName, found]));
      return [id, roster.flatMap(({ name }) => firsts.get(name) ?? [])];
    }),
  );
}

export const unnamedSource = 'positions.json';

/** Why a member is taken to stand against a motion, with the words that show it. */
export interface Conflict {
  readonly memberName: string;
  readonly motionId: string;
  /** The member's own words, verbatim: the stance, or the clause. */
  readonly own: string;
  /** The clause of the motion, verbatim; null for a stance. */
  readonly against: string | null;
  /** Where the member's words stand: `positions.json`, `novel proposal p-1`, `motion m-2`. */
  readonly source: string;
}

/** The conflict as artifacts and prompts state it: both quotations and their sources in one line. */
export function describeConflict({ own, against, source }: Conflict) {
  return against === null
    ? `${source} states "${own}" on this motion`
    : `${source} says "${own}" where this motion says "${against}"`;
}

// What is voted on and who votes: motions of one session and the members of a roster.

export interface Motion {
  /** Unique within the session. */
  readonly id: string;
  readonly title: string;
  readonly theme: string;
  readonly text: string;
  readonly rationale: string | null;
  readonly sourceMotionIds: readonly string[];
  /** Names on the roster, each once, sorted by code point. */
  readonly supporters: readonly string[];
  /** Names the source gave that are on no roster: reported, never counted. */
  readonly unknownSupporters: readonly string[];
  /** How many supporters the source saw: high from 10, medium from 4. */
  readonly consensusTier: 'high' | 'medium' | 'low';
  readonly isNovel: boolean;
  /** What the session declares; null: the title decides. */
  readonly constitutional: boolean | null;
}

/** What is put to the vote, by whom. */
export interface Session {
  readonly id: string;
  readonly name: string;
  /** In the order of the session: mega-motions, then novel proposals. */
  readonly motions: readonly Motion[];
  readonly roster: readonly Member[];
}

/** Each of them once, sorted by code point. */
export function eachOnce(names: readonly string[]) {
  return [...new Set(names)].sort(byCodePoint);
}

/** Order of text by code point, the same on every machine and in every language. */
export function byCodePoint(one: string, other: string) {
  for (let index = 0; ; index += 1) {
    const [left, right] = [one.codePointAt(index), other.codePointAt(index)];
    if (left !== right || left === undefined) return (left ?? -1) - (right ?? -1);
  }
}
