/**
 * Asks the members of a motion a part at a time, in an order that a hash decides, and stops where those who were asked decide it
 * at a stated risk. Everything here follows from who was asked and what they said, so that it can be gone through again.
 */
import { z } from 'zod';
import { decideEarly, type EarlyDecision, looks, sizeAt } from './early-decision.ts';
import { byCodePoint, type Session } from './motion.ts';
import { defaultBatch } from './motions-settings.ts';
import { type Counts, type Tally, tallyOf } from './ratification.ts';
import type { ReviewResponse, Stance } from './records.ts';
import type { RuleSet } from './rule-set.ts';
import type { Packet, TriagedMotion } from './triage.ts';

/** By what a motion is decided by a sample of those who could be asked. */
export interface SampleTerms {
  /** Chosen, of each motion; above 0 and below 1/2. */
  readonly risk: number;
  readonly rules: RuleSet;
  readonly rosterSize: number;
}

/** Who is asked about a motion, and in which order. Names. */
export interface MotionSample {
  readonly subject: TriagedMotion;
  /** In conflict with the motion: asked in the first look, whoever is drawn. */
  readonly certain: readonly string[];
  /** Everybody else, in the order in which they are drawn. */
  readonly order: readonly string[];
}

/** Decided before everybody was asked. */
export interface SampledDecision extends EarlyDecision {
  /** Members of the order who were asked: those drawn, and those asked ahead of their turn to fill a call. */
  readonly asked: number;
  /** Members of the order. */
  readonly population: number;
  /** The look that decided, from 1, and how many were drawn by then. */
  readonly look: number;
  readonly drawn: number;
}

export interface Lots {
  /** Of the run that holds the vote: another run draws others. */
  readonly runId: string;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
}

/** Motions about which anybody is asked, by id. Ordered by SHA-256 of `run|motion|member`, ids all three: nobody chooses who is asked. */
export function drawSamples(
  { roster }: Session,
  { triaged, packets }: Assigned,
  { runId, hash }: Lots,
): ReadonlyMap<string, MotionSample> {
  const ids = new Map(roster.map(({ name, id }) => [name, id]));
  const members = new Map<string, { readonly certain: string[]; readonly drawn: string[] }>();
  for (const { member, assigned } of packets)
    for (const { motionId, reason } of assigned) {
      const own = members.get(motionId) ?? { certain: [], drawn: [] };
      (reason === 'conflict_review' ? own.certain : own.drawn).push(member.name);
      members.set(motionId, own);
    }
  return new Map(
    triaged.flatMap(subject => {
      const own = members.get(subject.motion.id);
      if (own === undefined) return [];
      const order = own.drawn
        .map(name => ({ name, lot: hash(`${runId}|${subject.motion.id}|${ids.get(name) ?? ''}`) }))
        .toSorted((one, other) => byCodePoint(one.lot, other.lot))
        .map(({ name }) => name);
      return [[subject.motion.id, { subject, certain: own.certain, order }] as const];
    }),
  );
}

interface Assigned {
  readonly triaged: readonly TriagedMotion[];
  /** All who could be asked. */
  readonly packets: readonly Packet[];
}

/** What members said about a motion by their names; null: asked, and no answer. */
export type Said = ReadonlyMap<string, Stance | null>;

const nothingSaid: Said = new Map();

/** Ids of the motions of a look, as the journal of a run has them. */
export const OpenMotions = z.array(z.string());

/** Who was asked about what so far. */
export interface AskedSoFar {
  on(motionId: string): Said;
  add(responses: Iterable<Pick<ReviewResponse, 'archon_name' | 'mega_motion_id' | 'stance'>>): void;
}

export function createAskedSoFar(): AskedSoFar {
  const said = new Map<string, Map<string, Stance | null>>();
  return {
    on: motionId => said.get(motionId) ?? nothingSaid,
    add(responses) {
      for (const { archon_name, mega_motion_id, stance } of responses) {
        const own = said.get(mega_motion_id) ?? new Map<string, Stance | null>();
        own.set(archon_name, stance);
        said.set(mega_motion_id, own);
      }
    },
  };
}

/**
 * Null: undecided, or nobody is left to be asked. It is looked where the last look stands whose members have all been asked.
 * What the sample says must hold twice: by those drawn alone, which is what the risk is stated of, and with all who were asked
 * ahead of their turn counted as they voted, so that no known vote speaks against the outcome. The second test only stops
 * fewer motions, and so adds no risk.
 */
export function decideSample(
  { subject, certain, order }: MotionSample,
  said: Said,
  terms: SampleTerms,
): SampledDecision | null {
  const look = lookReached(order, said);
  if (look === 0 || look === looks || !certain.every(name => said.has(name))) return null;
  const drawn = sizeAt(order.length, look);
  const ahead = order.slice(drawn).filter(name => said.has(name));
  if (drawn + ahead.length === order.length) return null;
  const { title, constitutional } = subject.motion;
  const implicit = implicitOf(subject);
  const first = countVotes(order.slice(0, drawn), said, terms.rules);
  const decide = (known: readonly string[], population: number): EarlyDecision | null => {
    const { tally, missing } = countVotes(known, said, terms.rules, implicit);
    return decideEarly(
      {
        title,
        constitutional,
        certain: tally,
        drawn: first.tally,
        missing: { certain: missing, drawn: first.missing },
        population,
      },
      terms,
    );
  };
  const alone = decide(certain, order.length);
  if (alone === null) return null;
  const withAhead =
    ahead.length === 0 ? alone : decide([...certain, ...ahead], order.length - ahead.length);
  if (withAhead?.outcome !== alone.outcome || withAhead.isQuorate !== alone.isQuorate) return null;
  return {
    ...alone,
    risk: Math.max(alone.risk, withAhead.risk),
    asked: drawn + ahead.length,
    population: order.length,
    look,
    drawn,
  };
}

/** The last look whose members were all asked; 0: not even the first. */
function lookReached(order: readonly string[], said: Said): number {
  const open = order.findIndex(name => !said.has(name));
  const asked = open < 0 ? order.length : open;
  let look = 0;
  while (look < looks && sizeAt(order.length, look + 1) <= asked) look += 1;
  return look;
}

/** Contributors without conflict: nobody asks them. */
function implicitOf({ contributing, conflicts }: TriagedMotion): number {
  const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
  return contributing.filter(name => !conflicted.has(name)).length;
}

function countVotes(
  names: readonly string[],
  said: Said,
  rules: RuleSet,
  implicit = 0,
): { readonly tally: Tally; readonly missing: number } {
  const count = (stance: Stance | null): number =>
    names.filter(name => said.get(name) === stance).length;
  const counts: Counts = {
    implicit_endorsements: implicit,
    explicit_endorsements: count('ENDORSE'),
    oppositions: count('OPPOSE'),
    amendments_proposed: count('AMEND'),
    abstentions: count('ABSTAIN'),
  };
  return { tally: tallyOf(counts, rules), missing: count(null) };
}

export interface LookWanted {
  /** From 1. */
  readonly look: number;
  /** Ids of the motions that are asked on about. */
  readonly open: ReadonlySet<string>;
  readonly samples: ReadonlyMap<string, MotionSample>;
  /** All that could be asked. */
  readonly packets: readonly Packet[];
  readonly asked: AskedSoFar;
  /** Motions in one call. */
  readonly batch: number;
  /** Motions of one member can share a call where this says the same. */
  readonly groupOf: (packet: Packet, motionId: string) => string;
}

/**
 * What is put to whom in a look; members to whom nothing is put are left out. Whoever is called for a motion whose turn has come
 * is asked about others that are open in the same call, those first whose turn comes soonest: no member is called more often
 * than if it was asked about everything at once.
 */
export function putInLook(wanted: LookWanted): Packet[] {
  const { packets, groupOf } = wanted;
  const due = findDue(wanted);
  const turns = findTurns(wanted);
  return packets.flatMap(packet => {
    const { member, assigned } = packet;
    const own = due.get(member.name);
    if (own === undefined) return [];
    const put = new Set(own);
    for (const group of new Set([...own].map(id => groupOf(packet, id)))) {
      const inGroup = (id: string): boolean => groupOf(packet, id) === group;
      const room = roomBeside([...own].filter(inGroup).length, wanted.batch);
      const ahead = assigned
        .map(({ motionId: id }) => ({ id, turn: turns.get(id)?.get(member.name) ?? 0 }))
        .filter(({ id }) => isOpenTo(id, member.name, wanted) && !own.has(id) && inGroup(id))
        .toSorted((one, other) => one.turn - other.turn);
      for (const { id } of ahead.slice(0, room)) put.add(id);
    }
    return [{ ...packet, assigned: assigned.filter(({ motionId }) => put.has(motionId)) }];
  });
}

/** Ids of motions by the names of those whose turn has come. */
function findDue(wanted: LookWanted): ReadonlyMap<string, ReadonlySet<string>> {
  const due = new Map<string, Set<string>>();
  for (const id of wanted.open) {
    const { certain, order } = wanted.samples.get(id) ?? { certain: [], order: [] };
    for (const name of [...certain, ...order.slice(0, sizeAt(order.length, wanted.look))]) {
      if (!isOpenTo(id, name, wanted)) continue;
      const own = due.get(name);
      if (own) own.add(id);
      else due.set(name, new Set([id]));
    }
  }
  return due;
}

/** The place of each member in the order of each open motion, as a share of its order. */
function findTurns({ open, samples }: LookWanted): Map<string, ReadonlyMap<string, number>> {
  return new Map(
    [...open].map(id => {
      const order = samples.get(id)?.order ?? [];
      return [id, new Map(order.map((name, index) => [name, index / order.length]))] as const;
    }),
  );
}

function isOpenTo(id: string, name: string, { open, asked }: LookWanted): boolean {
  return open.has(id) && !asked.on(id).has(name);
}

/** So many more fill the last call. */
function roomBeside(due: number, batch: number): number {
  return Math.ceil(due / batch) * batch - due;
}

/** Packets as they were put in the end, and which motions were never put to a member they were assigned to. */
export function withoutUnput(packets: readonly Packet[], asked: AskedSoFar): Packet[] {
  return packets.map(packet => {
    const isPut = (id: string): boolean => asked.on(id).has(packet.member.name);
    return {
      ...packet,
      assigned: packet.assigned.filter(({ motionId }) => isPut(motionId)),
      neverPut: packet.assigned.flatMap(({ motionId }) => (isPut(motionId) ? [] : motionId)),
    };
  });
}

export interface CallsWanted {
  /** Motions in one call. */
  readonly batch?: number | undefined;
  /** By the risk of a motion; where they differ, motions of different risks share no call. */
  readonly models?:
    { readonly medium?: string | undefined; readonly high?: string | undefined } | undefined;
}

/** Against asking everybody at once. Only first questions are counted: nobody knows how often others would have been asked again. */
export function savedBySampling(
  { triaged, packets }: Assigned,
  responses: Iterable<Pick<ReviewResponse, 'archon_name' | 'mega_motion_id' | 'look'>>,
  { batch = defaultBatch, models = {} }: CallsWanted,
): { readonly reviews: number; readonly calls: number } {
  const tiers = new Map(triaged.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const isSplit = models.medium !== models.high;
  const own = new Set(packets.flatMap(({ member }) => (member.model === null ? [] : member.name)));
  const countCalls = (
    asked: Iterable<readonly [name: string, id: string, look: number]>,
  ): number => {
    const items = new Map<string, number>();
    for (const [name, id, look] of asked) {
      const part = isSplit && !own.has(name) ? tiers.get(id) : '';
      const key = `${look}|${part ?? ''}|${name}`;
      items.set(key, (items.get(key) ?? 0) + 1);
    }
    return [...items.values()].reduce((sum, count) => sum + Math.ceil(count / batch), 0);
  };
  const all = packets.flatMap(({ member, assigned }) =>
    assigned.map(({ motionId }) => [member.name, motionId, 0] as const),
  );
  const put = Array.from(
    responses,
    ({ archon_name, mega_motion_id, look = 0 }) => [archon_name, mega_motion_id, look] as const,
  );
  return { reviews: all.length - put.length, calls: countCalls(all) - countCalls(put) };
}
