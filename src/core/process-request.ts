/** What a caller may ask of the processes besides a review and a question: one schema each, like those beside it. */
import { z } from 'zod';
import { modeNames } from './words/mode.ts';
import { PanelRequest, ReviewRequest } from './request.ts';
import { Strategy } from './settings.ts';
import type { LabelScale } from './words/severity.ts';

const background = {
  context: z.string().optional().describe('Background for the reviewers').meta({ value: 'TEXT' }),
  contextFile: z.string().optional().describe('File with the background').meta({ value: 'FILE' }),
} as const;

export const DocumentRequest = PanelRequest.extend({
  path: z
    .string()
    .min(1)
    .describe('A design, plan or specification; of a folder, its Markdown files')
    .meta({ positional: true, value: 'FILE|DIR' }),
  description: z
    .string()
    .optional()
    .describe('What the document is for, for the reviewers')
    .meta({ value: 'TEXT' }),
  allStages: z
    .boolean()
    .default(false)
    .describe('Ask the reviewers of every stage, whatever the first ones find'),
  untrusted: z
    .boolean()
    .default(false)
    .describe("The document is somebody else's: demand full evidence from every reviewer"),
});
export type DocumentRequest = z.input<typeof DocumentRequest>;

export const ResearchRequest = PanelRequest.extend({
  question: z
    .string()
    .min(1)
    .describe('The question; - reads standard input')
    .meta({ positional: true, value: 'QUESTION' }),
  ...background,
});
export type ResearchRequest = z.input<typeof ResearchRequest>;

export const BrainstormRequest = PanelRequest.extend({
  topic: z
    .string()
    .min(1)
    .describe('The topic; - reads standard input')
    .meta({ positional: true, value: 'TOPIC' }),
  ...background,
});
export type BrainstormRequest = z.input<typeof BrainstormRequest>;

/** Without a range: what is staged and what is not, as one diff. `run` judges an existing run and asks nobody. */
export const GatesRequest = PanelRequest.extend({
  ...ReviewRequest.pick({
    base: true,
    head: true,
    untracked: true,
    patch: true,
    plan: true,
    description: true,
    exclude: true,
    complexity: true,
    untrusted: true,
  }).shape,
  range: z
    .string()
    .optional()
    .describe('A..B, A...B, one commit or a branch; default: staged and unstaged changes')
    .meta({ positional: true, value: 'RANGE' }),
  run: z
    .string()
    .optional()
    .describe('Judge this run (id, beginning of one, or latest) and ask nobody')
    .meta({ value: 'RUN' }),
});
export type GatesRequest = z.input<typeof GatesRequest>;

/** What `multi-consensus` asks for once its own arguments are read. */
export const ConsensusRequest = z.strictObject({
  mode: z.enum(modeNames),
  /** Full ids of two commits; null when the question is about no change. */
  commits: z
    .strictObject({ base: z.string(), head: z.string(), isUnchanged: z.boolean() })
    .nullable(),
  description: z.string().nullable(),
  /** Text of the plan or requirements. */
  requirements: z.string().nullable(),
  /** Null in a code review only. */
  prompt: z.string().nullable(),
  context: z.string().nullable(),
  /** Labels instead of those of the mode. */
  scale: z.custom<LabelScale>(value => value instanceof Map).nullable(),
  strategy: Strategy.nullable(),
  /** Seconds for each reviewer that sets none of its own. */
  timeout: z.number().positive().nullable(),
  fresh: z.literal(true).default(true),
});
export type ConsensusRequest = z.input<typeof ConsensusRequest>;

export const GroundRequest = z.strictObject({
  dir: z
    .string()
    .min(1)
    .describe('Folder with findings.json and the files of the agents')
    .meta({ positional: true, value: 'DIR' }),
  strict: z.boolean().default(false).describe('Any ungrounded entry or warning is a violation'),
});
export type GroundRequest = z.input<typeof GroundRequest>;

export const CleanRequest = z.strictObject({
  olderThan: z
    .number()
    .nonnegative()
    .optional()
    .describe('Only runs that began more than this many days ago')
    .meta({ value: 'DAYS' }),
  dryRun: z.boolean().default(false).describe('Name the runs and remove none'),
});
export type CleanRequest = z.input<typeof CleanRequest>;
