/**
 * What a vote was held on, as `vote_inputs.json` keeps it: with the answers it is all that the results follow from. It holds no
 * key, no address with a password and no path of a machine.
 */
import { z } from 'zod';
import { inputError } from '../core/errors.ts';
import { canonicalJson, type Hash } from './audit-trail.ts';
import type { Contradiction } from './conflicts.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import { ReviewResponse } from './records.ts';
import { RuleSet } from './rule-set.ts';
import { readSession, type SessionInput } from './session-input.ts';
import { Count, NullableText, Texts } from '../core/words/fields.ts';

const Name = z.string();
const Known = NullableText;

/** In the keys of the files of a session, so that they are read, and refused, as those are. */
const RecordedSession = z.object({
  session_id: Name,
  session_name: Name,
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
    sample: z.int().positive().nullable(),
    /** Null: no member answered, so there was none. */
    second_pass: z.enum(['ask', 'assume']).nullable(),
  });

export const RecordedInputs = z.object({
  schema: z.literal('jury.vote-inputs/2'),
  /** Neutrals are drawn by it; null where no run holds the vote. */
  run_id: Known,
  mode: z.enum(['packets', 'simulated', 'real']),
  session: RecordedSession,
  roster: z.array(z.unknown()),
  settings: RecordedSettings,
  rules: RuleSet,
  /** All that shipped with Jury then: `explanations.json` tells what they would have decided. */
  shipped_rules: z.array(RuleSet),
  /** Every kind of prompt about one example, by kind; empty where no member was asked. */
  prompts: z.record(z.string(), z.string()),
  /** Which members could be asked with, and where, as `shownEndpoint` writes it; each once, sorted. */
  models: Texts,
  endpoints: Texts,
  /** What a model named that was asked about conflicts; null where no member was asked. */
  conflicts_named: z
    .object({
      is_finished: z.boolean(),
      dropped: Count,
      contradictions: z.array(
        z.object({
          mega_motion_id: Name,
          archon_names: z.array(Name),
          source: z.string(),
          own: z.string(),
          against: z.string(),
        }),
      ),
    })
    .nullable(),
});
export type RecordedInputs = z.infer<typeof RecordedInputs>;

/** A row of `review_responses.json`. */
export const RecordedAnswer = ReviewResponse.extend({
  pass: z.union([z.literal(1), z.literal(2)]),
});

/** Of a row of `ratification_history.json`. */
export const RecordedRevision = z.object({
  mega_motion_id: Name,
  revised_by: Known,
  revised_motion_text: Known,
});

/** Of the details of `pipeline_started`. */
export const RecordedStart = z.object({ consolidator_path: Name });

/** Of `pipeline_result.json`. */
export const RecordedFigures = z.object({
  calls: Count,
  tokens: Count,
  cost: z.number().nonnegative().nullable(),
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
  const { path = [], message = '' } = checked.error.issues[0] ?? {};
  throw inputError([file, ...(path.length === 0 ? [] : [path.join('.')]), message].join(': '));
}

/** Parts that `pipeline_started` holds a hash of. */
const hashedParts = [
  'session',
  'roster',
  'settings',
  'rules',
  'prompts',
  'models',
  'endpoints',
] as const;

/** `settings_sha256` and so on: of the canonical JSON of the part of that name. */
export function hashParts(inputs: RecordedInputs, hash: Hash): Record<string, string> {
  return Object.fromEntries(
    hashedParts.map(part => [`${part}_sha256`, hash(canonicalJson(inputs[part]))]),
  );
}

/** What members are told, and where they can be asked. */
export type AskedBy = Pick<RecordedInputs, 'prompts' | 'models' | 'endpoints'>;

export const nobodyAsked: AskedBy = { prompts: {}, models: [], endpoints: [] };

export interface Recording {
  readonly input: SessionInput;
  readonly rules: RuleSet;
  readonly shipped: readonly RuleSet[];
  readonly settings: MotionsSettings;
  readonly sample: number | null;
  readonly secondPass: RecordedInputs['settings']['second_pass'];
  readonly mode: RecordedInputs['mode'];
  readonly runId: string | null;
  readonly asked: AskedBy;
}

export function recordInputs(recording: Recording): RecordedInputs {
  const { input, rules, shipped, settings, sample, secondPass, mode, runId, asked } = recording;
  const { id, name, motions, roster } = input.session;
  return {
    schema: 'jury.vote-inputs/2',
    run_id: runId,
    mode,
    session: {
      session_id: id,
      session_name: name,
      deferred_skipped: input.deferredSkipped,
      mega_motions: motions
        .filter(({ isNovel }) => !isNovel)
        .map(motion => ({
          mega_motion_id: motion.id,
          title: motion.title,
          theme: motion.theme,
          consolidated_text: motion.text,
          rationale: motion.rationale,
          source_motion_ids: motion.sourceMotionIds,
          all_supporting_archons: [...motion.supporters, ...motion.unknownSupporters],
          consensus_tier: motion.consensusTier,
          constitutional: motion.constitutional,
        })),
      novel_proposals: motions
        .filter(({ isNovel }) => isNovel)
        .map(motion => ({
          proposal_id: motion.id,
          recommendation_id: motion.sourceMotionIds[0],
          archon_name: [...motion.supporters, ...motion.unknownSupporters][0],
          text: motion.text,
          novelty_reason: motion.rationale,
          category: motion.theme,
          constitutional: motion.constitutional,
        })),
      positions: input.positions.map(({ memberName, motionId, ...stated }) => ({
        archon_name: memberName,
        mega_motion_id: motionId,
        ...stated,
      })),
    },
    roster: roster.map(({ id: _id, baseUrl, ...member }) => ({
      ...member,
      base_url: baseUrl === null ? null : shownEndpoint(baseUrl),
    })),
    settings: RecordedSettings.parse({ ...settings, sample, second_pass: secondPass }),
    rules,
    shipped_rules: [...shipped],
    ...asked,
    conflicts_named: null,
  };
}

/** `uuid`: as it was when the session was read. Throws `UserError` (kind `input`) for what is no session. */
export function inputIn(
  { session, roster }: RecordedInputs,
  uuid: (name: string) => string,
): SessionInput {
  const { session_id: id, session_name, deferred_skipped: deferredSkipped } = session;
  const input = readSession(
    {
      id,
      roster,
      megaMotions: session.mega_motions,
      novelProposals: session.novel_proposals,
      deferredProposals: undefined,
      summary: { session_name },
      positions: session.positions,
    },
    { includeDeferred: false, defaultRoster: [], uuid },
  );
  return { ...input, deferredSkipped };
}

export interface ConflictsNamed {
  readonly contradictions: readonly Contradiction[];
  readonly isFinished: boolean;
  readonly dropped: number;
}

/** Of what was compared only who said it and where: texts are in the session. */
export function recordConflicts({
  contradictions,
  isFinished,
  dropped,
}: ConflictsNamed): RecordedInputs['conflicts_named'] {
  return {
    is_finished: isFinished,
    dropped,
    contradictions: contradictions.map(({ said, motionId, own, against }) => ({
      mega_motion_id: motionId,
      archon_names: [...said.members],
      source: said.source,
      own,
      against,
    })),
  };
}

export function conflictsNamedIn(
  named: NonNullable<RecordedInputs['conflicts_named']>,
): ConflictsNamed {
  return {
    isFinished: named.is_finished,
    dropped: named.dropped,
    contradictions: named.contradictions.map(one => ({
      motionId: one.mega_motion_id,
      own: one.own,
      against: one.against,
      said: { source: one.source, members: one.archon_names, motionId: null, text: '' },
    })),
  };
}

/** An address without what could let anybody in: name, password, query. Names of runners stay as they are. */
export function shownEndpoint(endpoint: string): string {
  return endpoint.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
