/** The `motions` key of the configuration, with the names of its settings as the vote's own documents have them. */
import { z } from 'zod';
import { Amount, Count, Flag, Share, Text, Whole, optional, orNull, preset } from './fields.ts';

/** Motions in one call. */
export const defaultBatch = 5;

/** At which those who were drawn decide for all. A motion that every second draw may decide otherwise is not decided. */
export const SampleRisk = Amount.gt(0)
  .lt(0.5)
  .describe(
    'With --sample: let those asked decide where the others would with at most this chance turn it; default .05',
  );
export const defaultSampleRisk = 0.05;
const Characters = Whole.positive();

const MotionsLimits = z.strictObject({
  motion_text: preset(
    Characters,
    3000,
    'Characters of a motion that a member is shown when it is asked for its stance.',
  ),
  panel_text: preset(Characters, 2000, 'Characters of a motion that a panel is shown.'),
  facilitator_text: preset(Characters, 1500, 'Characters of a motion that a facilitator is shown.'),
  argument_to_panel: preset(
    Characters,
    500,
    'Characters of an argument that the other members of a panel are shown.',
  ),
  argument_to_facilitator: preset(
    Characters,
    400,
    'Characters of an argument, and of a proposed amendment, that a facilitator is shown.',
  ),
  answer_tokens: orNull(Whole.positive()).describe(
    'Most tokens of one answer, for runner api; what a cut answer lacks is asked again alone. null: as the model has it.',
  ),
});
export type MotionsLimits = z.infer<typeof MotionsLimits>;

const Model = Text.min(1).optional();

const MotionsModels = z
  .strictObject({
    low: Model.describe('Model for motions of low risk.'),
    medium: Model.describe('Model for motions of medium risk.'),
    high: Model.describe('Model for motions of high risk.'),
  })
  .describe(
    'Model by the risk of the motion that is asked about, named as in a reviewer; a member with a model of its own keeps it.',
  );

export const MotionsSettings = z.strictObject({
  low: preset(
    Share,
    0.66,
    'Share of the roster from which a motion without conflict is fast-tracked; lower it to fast-track more.',
  ),
  medium: preset(
    Share,
    0.33,
    'Share of the roster from which a motion needs a targeted review only.',
  ),
  max_conflicts: preset(Count, 5, 'Conflicts up to which a motion is of medium risk.'),
  conflicts: z
    .strictObject({
      detector: preset(
        z.enum(['model', 'off']),
        'model',
        'Who looks for contradictions between texts: the reviewer of the vote, who must quote both, or nobody.',
      ),
    })
    .prefault({})
    .describe('How members in conflict with a motion are found.'),
  consensus: preset(Share, 0.75, 'Share of endorsements at which consensus is reached.'),
  contested: preset(Share, 0.25, 'Share of oppositions at which a motion goes to a panel.'),
  triage: z
    .strictObject({
      low_from_tier: preset(
        Flag,
        false,
        'A medium motion without conflict, of consensus tier high and with 10 supporters, becomes low.',
      ),
    })
    .prefault({})
    .describe('Further rules of triage.'),
  save_packets: preset(Flag, true, 'Write one packet file for each member.'),
  concurrency: optional(Whole.positive(), 'Members reviewed at once; default 4.'),
  panel_concurrency: optional(Whole.positive(), 'Panels at once; default 2.'),
  batch: optional(Whole.positive(), `Motions in one call; default ${defaultBatch}.`),
  sample_risk: SampleRisk.optional(),
  limits: MotionsLimits.prefault({}).describe(
    'How much of the texts is shown, and how long answers may be.',
  ),
  models: MotionsModels.optional(),
});
export type MotionsSettings = z.infer<typeof MotionsSettings>;

export const defaultLimits: MotionsLimits = MotionsLimits.parse({});

// How claims are put to the vote.

/** Shares of those who took part. */
export type StanceThresholds = Readonly<Record<'consensus' | 'contested', number>>;

export interface ClaimThresholds extends StanceThresholds {
  /** Shares of the electorate: of what is well supported, and of what few support. */
  readonly low: number;
  readonly medium: number;
}

/** How claims are deliberated, settled with the plan. */
export interface DeliberationSettings extends ClaimThresholds {
  /** Claims in one call. */
  readonly batch: number;
  readonly panelConcurrency: number;
}
