/**
 * What a vote was held on, as `vote_inputs.json` keeps it: with the answers it is all that the results follow from. It holds no
 * key, no address with a password and no path of a machine.
 */
import { z } from 'zod';
import { sha256 } from '../core/hash.ts';
import { inputError } from '../core/errors.ts';
import { describeFault } from '../core/given-json.ts';
import type { Clock } from '../core/ports/runner.ts';
import { Amount, Count, NullableText, Text, Texts, Whole } from '../core/words/fields.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import { byCodePoint, type Motion } from './triage.ts';
import { ConflictsNamed, ReviewResponse } from './records.ts';
import { RuleSet } from './aggregation.ts';
import type { SessionInput } from './session-input.ts';

/** In the keys of the files of a session, so that they are read, and refused, as those are. */
const RecordedSession = z.object({
  session_id: Text,
  session_name: Text,
  deferred_skipped: Count,
  mega_motions: z.array(z.unknown()),
  novel_proposals: z.array(z.unknown()),
  positions: z.array(z.unknown()),
});

/** How many are asked at a time decides nothing. */
const RecordedSettings = MotionsSettings.strip()
  .omit({ concurrency: true, panel_concurrency: true })
  .extend({
    /** Gap members to ask on each motion of medium risk; null: all. */
    sample: Whole.positive().nullable(),
    /** Null: no member answered, so there was none. */
    second_pass: z.enum(['ask', 'assume']).nullable(),
  });

const schema = 'jury.vote-inputs/2';

export const RecordedInputs = z.object({
  schema: z.literal(schema),
  /** Neutrals are drawn by it; null where no run holds the vote. */
  run_id: NullableText,
  mode: z.enum(['packets', 'simulated', 'real']),
  session: RecordedSession,
  roster: z.array(z.unknown()),
  settings: RecordedSettings,
  rules: RuleSet,
  /** All that shipped with Jury then: `explanations.json` tells what they would have decided. */
  shipped_rules: z.array(RuleSet),
  /** Every kind of prompt about one example, by kind; empty where no member was asked. */
  prompts: z.record(Text, Text),
  /** Which members could be asked with, and where, as `shownEndpoint` writes it; each once, sorted. */
  models: Texts,
  endpoints: Texts,
  /** Null where no member was asked. */
  conflicts_named: ConflictsNamed.nullable(),
});
export type RecordedInputs = z.infer<typeof RecordedInputs>;

/** A row of `review_responses.json`; what else is read of one of `ratification_history.json`, and of `pipeline_result.json`. */
export const RecordedAnswer = ReviewResponse.extend({ pass: z.literal([1, 2]) });
export const RecordedRevision = z.object({
  mega_motion_id: Text,
  revised_by: NullableText,
  revised_motion_text: NullableText,
});
export const RecordedSpending = z.object({
  calls: Count,
  tokens: Count,
  cost: Amount.nonnegative().nullable(),
});

/** Of the audit trail. */
export const Moment = z.iso.datetime();

/** Throws `UserError` (kind `input`) naming file and key. */
export function checkResult<Schema extends z.ZodType>(
  file: string,
  value: unknown,
  schema: Schema,
  told?: Parameters<Schema['safeParse']>[1],
) {
  const checked = schema.safeParse(value, told);
  if (checked.success) return checked.data;
  throw inputError(`${file}: ${describeFault(checked.error)}`);
}

/** `settings_sha256` and so on, for `pipeline_started`: of the canonical JSON of the part of that name. */
export function hashParts(inputs: RecordedInputs) {
  return Object.fromEntries(
    hashedParts.map(name => [`${name}_sha256`, sha256(canonicalJson(inputs[name]))]),
  );
}

const hashedParts = [
  'session',
  'roster',
  'settings',
  'rules',
  'prompts',
  'models',
  'endpoints',
] as const;

/** What members are told, and where they can be asked. */
export type AskedBy = Pick<RecordedInputs, 'prompts' | 'models' | 'endpoints'>;

/** Who answers for the members, as far as it is recorded. */
interface Answering {
  run: string | null;
  asked?: AskedBy;
  /** Null: the second pass is assumed. */
  holdSecondPass: unknown;
}

/** What a vote is held on. */
export interface Recording {
  readonly input: SessionInput;
  readonly rules: RuleSet;
  /** All that ship with Jury: by which of them a motion would have ended otherwise is part of its account. */
  readonly shipped: readonly RuleSet[];
  readonly settings: MotionsSettings;
  /** Gap members to ask on each motion of medium risk; null: all. */
  readonly sample: number | null;
  /** Answers are invented, and every artifact says so. */
  readonly isSimulated: boolean;
}

/** `answering` null: no member is asked. */
export function recordInputs(
  { input, rules, shipped, settings, sample, isSimulated }: Recording,
  answering: Answering | null,
): RecordedInputs {
  const mode = isSimulated ? 'simulated' : answering === null ? 'packets' : 'real';
  const second_pass =
    mode === 'packets' ? null : (answering?.holdSecondPass ?? null) === null ? 'assume' : 'ask';
  return {
    schema,
    run_id: answering?.run ?? null,
    mode,
    session: keepSession(input),
    roster: input.session.roster.map(({ id: _id, baseUrl, ...member }) => ({
      ...member,
      base_url: baseUrl && shownEndpoint(baseUrl),
    })),
    settings: RecordedSettings.parse({ ...settings, sample, second_pass }),
    rules,
    shipped_rules: [...shipped],
    ...(answering?.asked ?? { prompts: {}, models: [], endpoints: [] }),
    conflicts_named: null,
  };
}

/** An address without what could let anybody in: name, password, query. Names of runners stay as they are. */
export function shownEndpoint(endpoint: string) {
  return endpoint.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}

// What happened in a vote, each event bound to the one before by its hash: a change of one changes all that follow.

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

/** `stamp` is added to every event before it is hashed. */
export function createAuditTrail(
  session: string,
  stamp: { readonly rule_set: string; readonly simulated: boolean },
  clock: Clock,
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
  ) => {
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
    head = sha256(canonicalJson(event));
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
export function findBreak(events: readonly AuditEvent[], head: string | null) {
  let expected = noPredecessor;
  for (const event of events) {
    if (event.prev_sha256 !== expected) return event.seq;
    expected = sha256(canonicalJson(event));
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

/** In the keys in which the files of a session give it; `readSession` makes the same of it. */
function keepSession({ session, positions, deferredSkipped }: SessionInput) {
  return {
    session_id: session.id,
    session_name: session.name,
    deferred_skipped: deferredSkipped,
    mega_motions: session.motions
      .filter(({ isNovel }) => !isNovel)
      .map(motion => ({
        mega_motion_id: motion.id,
        title: motion.title,
        theme: motion.theme,
        consolidated_text: motion.text,
        rationale: motion.rationale,
        source_motion_ids: motion.sourceMotionIds,
        all_supporting_archons: supportersOf(motion),
        consensus_tier: motion.consensusTier,
        constitutional: motion.constitutional,
      })),
    novel_proposals: session.motions
      .filter(({ isNovel }) => isNovel)
      .map(motion => ({
        proposal_id: motion.id,
        recommendation_id: motion.sourceMotionIds[0],
        archon_name: supportersOf(motion)[0],
        text: motion.text,
        novelty_reason: motion.rationale,
        category: motion.theme,
        constitutional: motion.constitutional,
      })),
    positions: [...positions],
  };
}

function supportersOf({ supporters, unknownSupporters }: Motion) {
  return [...supporters, ...unknownSupporters];
}
