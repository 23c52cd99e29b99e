/**
 * What a vote was held on, as `vote_inputs.json` keeps it: with the answers it is all that the results follow from. It holds no
 * key, no address with a password and no path of a machine.
 */
import { z } from 'zod';
import { inputError } from '../core/errors.ts';
import { describeFault } from '../core/given-json.ts';
import { canonicalJson, type Hash } from './audit-trail.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import { ConflictsNamed, ReviewResponse } from './records.ts';
import { RuleSet } from './rule-set.ts';
import { keepSession, readSession, type SessionInput } from './session-input.ts';
import { Amount, Count, NullableText, Text, Texts, Whole } from '../core/words/fields.ts';

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

/** As an earlier or a later version of Jury records it. */
export const OtherInputs = z.object({ schema: Text.regex(/^jury\.vote-inputs\/(?!2$)\d+$/) });

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
): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw inputError(`${file}: ${describeFault(checked.error)}`);
}

/** `settings_sha256` and so on, for `pipeline_started`: of the canonical JSON of the part of that name. */
export function hashParts(inputs: RecordedInputs, hash: Hash) {
  const { session, roster, settings, rules, prompts, models, endpoints } = inputs;
  const parts = { session, roster, settings, rules, prompts, models, endpoints };
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [`${name}_sha256`, hash(canonicalJson(part))]),
  );
}

/** What members are told, and where they can be asked. */
export type AskedBy = Pick<RecordedInputs, 'prompts' | 'models' | 'endpoints'>;

/** Who answers for the members, as far as it is recorded. */
interface Answering {
  readonly simulated: boolean;
  /** Id of the run that holds the vote; null: no run does, as in a simulation. */
  readonly run: string | null;
  /** Absent where nobody is asked. */
  readonly asked?: AskedBy;
  /** Null: the second pass is assumed. */
  readonly holdSecondPass: unknown;
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
}

/** `answering` null: nobody answers. */
export function recordInputs(
  { input, rules, shipped, settings, sample }: Recording,
  answering: Answering | null,
): RecordedInputs {
  const second_pass = answering && (answering.holdSecondPass === null ? 'assume' : 'ask');
  return {
    schema,
    run_id: answering?.run ?? null,
    mode: answering === null ? 'packets' : answering.simulated ? 'simulated' : 'real',
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

/** `uuid`: as it was when the session was read. Throws `UserError` (kind `input`) for what is no session. */
export function inputIn(
  { session, roster }: RecordedInputs,
  uuid: (name: string) => string,
): SessionInput {
  const files = {
    id: session.session_id,
    roster,
    megaMotions: session.mega_motions,
    novelProposals: session.novel_proposals,
    deferredProposals: undefined,
    summary: session,
    positions: session.positions,
  };
  const input = readSession(files, { includeDeferred: false, defaultRoster: [], uuid });
  return { ...input, deferredSkipped: session.deferred_skipped };
}

/** An address without what could let anybody in: name, password, query. Names of runners stay as they are. */
export function shownEndpoint(endpoint: string) {
  return endpoint.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
