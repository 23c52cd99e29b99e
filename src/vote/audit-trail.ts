/** What happened in a vote, each event bound to the one before by its hash: a change of one changes all that follow. */
import { z } from 'zod';
import type { Clock } from '../core/ports/clock.ts';
import { byCodePoint } from './motion.ts';
import { Text, Texts, Whole } from '../core/words/fields.ts';

export const AuditEvent = z.looseObject({
  /** 1-based. */
  seq: Whole,
  event_type: Text,
  occurred_at: Text,
  session_id: Text,
  /** Members whose answers the event used. */
  attributed_to: Texts,
  details: z.record(Text, z.unknown()),
  /** Hash of the event before as canonical JSON; 64 zeros for the first. */
  prev_sha256: Text,
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const noPredecessor = '0'.repeat(64);

export type Hash = (text: string) => string;

export type AuditTrail = ReturnType<typeof createAuditTrail>;

/** `stamp` is added to every event before it is hashed. */
export function createAuditTrail(
  session: string,
  stamp: { readonly rule_set: string; readonly simulated: boolean },
  hash: Hash,
  clock: Pick<Clock, 'now'>,
) {
  const events: AuditEvent[] = [];
  let head = noPredecessor;
  let moment: string | null = null;
  /** ISO 8601, UTC: the moment of the next event, and of all that is told with it. */
  const time = () => (moment ??= clock.now().toISOString());
  /** In a simulation no member answered: no event is attributed. */
  const record = (
    event_type: string,
    attributed_to: readonly string[],
    details: Readonly<Record<string, unknown>>,
  ): void => {
    const event = {
      seq: events.length + 1,
      event_type,
      occurred_at: time(),
      session_id: session,
      attributed_to: stamp.simulated ? [] : [...attributed_to],
      details: { ...details },
      prev_sha256: head,
      ...stamp,
    };
    moment = null;
    events.push(event);
    head = hash(canonicalJson(event));
  };
  return {
    events: events as readonly AuditEvent[],
    time,
    record,
    /** Hash of the last event. */
    get head() {
      return head;
    },
  };
}

/**
 * The `seq` of the first event that does not follow from the one before it; null when all do. With `head`, the recorded hash
 * of the last event, a change of that event shows too: as the `seq` that would follow.
 */
export function findBreak(events: readonly AuditEvent[], head: string | null, hash: Hash) {
  let expected = noPredecessor;
  for (const event of events) {
    if (event.prev_sha256 !== expected) return event.seq;
    expected = hash(canonicalJson(event));
  }
  return head === null || head === expected ? null : events.length + 1;
}

/** Hashes of the artifacts by name, as the last event that holds any has them; null: none does. */
export function fingerprintsIn(events: readonly AuditEvent[]) {
  const last = events.findLast(({ details }) => 'artifacts_sha256' in details);
  return Fingerprints.safeParse(last?.details['artifacts_sha256']).data ?? null;
}

const Fingerprints = z.record(Text, Text);

/** Keys sorted by code point, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => byCodePoint(one, other));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** Compares what is recorded of a vote with what its answers give. */

/** Where the two differ first: `motion M, key: says X, the answers give Y`; null: nowhere. */
export function findDifference(recorded: unknown, given: unknown, place = ''): string | null {
  if (!isTree(recorded) || !isTree(given) || Array.isArray(recorded) !== Array.isArray(given))
    return recorded === given
      ? null
      : `${place}${place === '' ? '' : ': '}says ${shorten(recorded)}, the answers give ${shorten(given)}`;
  const [own, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(given))];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const [one, another] = [own.get(key), other.get(key)];
    const name = nameOf(another ?? one) || (Array.isArray(given) ? `[${key}]` : key);
    const found = findDifference(one, another, place === '' ? name : `${place}, ${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** A row is named by what it is about, not by its number. Empty: it is no such row. */
function nameOf(row: unknown) {
  const { archon_name: member, mega_motion_id: motion } = isTree(row) ? row : {};
  return Object.entries({ member, motion })
    .flatMap(([what, name]) => (typeof name === 'string' ? `${what} ${name}` : []))
    .join(', ');
}

const mostShown = 160;

/** What is recorded may be of any size: lists and objects are not written out. */
function shorten(value: unknown) {
  if (value === undefined) return 'nothing';
  const text = isTree(value) ? `${Object.keys(value).length} entries` : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
