/**
 * What a vote was held on, as `vote_inputs.json` keeps it: with the answers it is all that the results follow from. It holds no
 * key, no address with a password and no path of a machine.
 */
import { z } from 'zod';
import { inputError } from '../errors.ts';
import { canonicalJson, type Hash } from './audit-trail.ts';
import type { Contradiction } from './conflicts.ts';
import { byCodePoint, memberIdOf } from './motion.ts';
import { MotionsSettings } from './motions-settings.ts';
import { ReviewResponse } from './records.ts';
import { RuleSet } from './rule-set.ts';
import type { SessionInput } from './session-input.ts';
import { Count, NullableText, Texts } from '../words/fields.ts';

const Name = z.string();
const Known = NullableText;

const RecordedSession = z.object({
  session_id: Name,
  session_name: Name,
  deferred_skipped: Count,
  motions: z.array(
    z.object({
      mega_motion_id: Name,
      mega_motion_title: Name,
      theme: z.string(),
      text: z.string(),
      rationale: Known,
      source_motion_ids: z.array(Name),
      supporters: z.array(Name),
      unknown_supporters: z.array(Name),
      consensus_tier: z.enum(['high', 'medium', 'low']),
      is_novel_proposal: z.boolean(),
      constitutional: z.boolean().nullable(),
    }),
  ),
  positions: z.array(
    z.object({
      archon_name: Name,
      mega_motion_id: Known,
      stance: Known,
      text: Known,
      source: Known,
    }),
  ),
});

/** How many are asked at a time decides nothing. */
const RecordedSettings = MotionsSettings.strip()
  .omit({ concurrency: true, panel_concurrency: true })
  .extend({
    /** Gap members to ask on each motion of medium risk; null: all. */
    sample: z.int().positive().nullable(),
    /** Null: nobody answered, so there was none. */
    second_pass: z.enum(['ask', 'assume']).nullable(),
  });

export const RecordedInputs = z.object({
  schema: z.literal('jury.vote-inputs/1'),
  /** Neutrals are drawn by it; null where no run holds the vote. */
  run_id: Known,
  mode: z.enum(['packets', 'simulated', 'real']),
  session: RecordedSession,
  roster: z
    .array(
      z.object({ archon_name: Name, role: Known, backstory: Known, model: Known, endpoint: Known }),
    )
    .min(1),
  settings: RecordedSettings,
  rules: RuleSet,
  /** All that shipped with Jury then: `explanations.json` tells what they would have decided. */
  shipped_rules: z.array(RuleSet),
  /** Every kind of prompt about one example, by kind; empty where nobody was asked. */
  prompts: z.record(z.string(), z.string()),
  /** Which members could be asked with, and where, as `shownEndpoint` writes it; each once, sorted. */
  models: Texts,
  endpoints: Texts,
  /** What a model named that was asked about conflicts; null where nobody was asked. */
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
  // The schema puts the keys in order.
  return RecordedInputs.parse({
    schema: 'jury.vote-inputs/1',
    run_id: runId,
    mode,
    session: {
      session_id: id,
      session_name: name,
      deferred_skipped: input.deferredSkipped,
      motions: motions.map(motion => ({
        ...motion,
        mega_motion_id: motion.id,
        mega_motion_title: motion.title,
        source_motion_ids: motion.sourceMotionIds,
        unknown_supporters: motion.unknownSupporters,
        consensus_tier: motion.consensusTier,
        is_novel_proposal: motion.isNovel,
      })),
      positions: input.positions.map(position => ({
        ...position,
        archon_name: position.memberName,
        mega_motion_id: position.motionId,
      })),
    },
    roster: roster.map(member => ({
      ...member,
      archon_name: member.name,
      endpoint: member.baseUrl === null ? null : shownEndpoint(member.baseUrl),
    })),
    settings: { ...settings, sample, second_pass: secondPass },
    rules,
    shipped_rules: shipped,
    ...asked,
    conflicts_named: null,
  } satisfies Record<keyof RecordedInputs, unknown>);
}

/** As they were read from the session folder; warnings are not kept. */
export function inputIn({ session, roster }: RecordedInputs): SessionInput {
  const motions = session.motions.map(motion => ({
    ...motion,
    id: motion.mega_motion_id,
    title: motion.mega_motion_title,
    sourceMotionIds: motion.source_motion_ids,
    unknownSupporters: motion.unknown_supporters,
    consensusTier: motion.consensus_tier,
    isNovel: motion.is_novel_proposal,
  }));
  const novel = motions.filter(({ isNovel }) => isNovel).length;
  const unknown = new Set(motions.flatMap(({ unknownSupporters }) => unknownSupporters));
  return {
    session: {
      id: session.session_id,
      name: session.session_name,
      motions,
      roster: roster.map(({ archon_name: name, endpoint: baseUrl, ...member }) => ({
        ...member,
        name,
        id: memberIdOf(name),
        baseUrl,
      })),
    },
    positions: session.positions.map(position => ({
      ...position,
      memberName: position.archon_name,
      motionId: position.mega_motion_id,
    })),
    megaMotions: motions.length - novel,
    novelProposals: novel,
    deferredSkipped: session.deferred_skipped,
    unknownSupporters: [...unknown].sort(byCodePoint),
    warnings: [],
  };
}

export interface ConflictsNamed {
  readonly contradictions: readonly Contradiction[];
  readonly isFinished: boolean;
  readonly dropped: number;
}

/** Of what was compared only who stands behind it and where it stands: texts are in the session. */
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
