/** What a vote on motions is asked with: one schema each for the library, its command and its tool. */
import { z } from 'zod';
import { limits } from '../core/settings.ts';
import { SampleRisk } from '../core/words/motions-settings.ts';

const PositiveCount = z.int().positive();

export const MotionsRequest = z.strictObject({
  dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Session folder with mega-motions.json; default: the newest in _bmad-output/consolidator/',
    )
    .meta({ positional: true, value: 'DIR' }),
  triageOnly: z
    .boolean()
    .default(false)
    .describe('Sort the motions by risk, print the table and write nothing'),
  simulate: z
    .boolean()
    .optional()
    .describe('Simulate reviews, panels and votes; every artifact says so'),
  noSimulate: z.boolean().default(false).describe('Triage and packets only; the default'),
  realAgent: z
    .boolean()
    .default(false)
    .describe('Ask real reviewers; never falls back to simulation'),
  includeDeferred: z.boolean().default(false).describe('Load deferred novel proposals too'),
  rules: z
    .string()
    .min(1)
    .default('guarded')
    .describe('Rule set that decides: explicit, seed, quorum, guarded, or the path of a file')
    .meta({ value: 'NAME', usual: ['explicit', 'seed', 'quorum', 'guarded'] }),
  sample: PositiveCount.optional()
    .describe('Ask at most K of those who have not spoken on a motion of medium risk')
    .meta({ value: 'K' }),
  sampleRisk: SampleRisk.optional().meta({ value: 'SHARE' }),
  concurrency: PositiveCount.optional()
    .describe('Members reviewed at once; default 4')
    .meta({ value: 'N' }),
  panelConcurrency: PositiveCount.optional()
    .describe('Panels at once; default 2')
    .meta({ value: 'N' }),
  batch: PositiveCount.optional().describe('Motions in one call; default 5').meta({ value: 'N' }),
  secondPass: z
    .enum(['ask', 'assume'])
    .optional()
    .describe(
      'Motions accepted with amendments: ask those who amended or opposed about the amended text, or assume that who amended says yes; default: ask real reviewers',
    )
    .meta({ value: 'ask|assume' }),
  maxCalls: z
    .int()
    .positive()
    .optional()
    .describe('Ceiling of calls to real reviewers')
    .meta({ value: 'N' }),
  maxTokens: limits.maxTokens.meta({ value: 'N' }),
  maxCost: limits.maxCost.meta({ value: 'USD' }),
  maxCostPerMonth: limits.maxCostPerMonth.meta({ value: 'USD' }),
  fresh: z
    .boolean()
    .default(false)
    .describe('Ask again even if nothing has changed since the last run'),
  out: z
    .string()
    .min(1)
    .optional()
    .describe('Base folder of the results; default: _bmad-output/review-pipeline')
    .meta({ value: 'DIR' }),
  compact: z.boolean().default(false).describe('Write JSON without indentation'),
  config: z
    .string()
    .optional()
    .describe('Configuration file; default: jury.config.yaml or .json, found upwards')
    .meta({ value: 'FILE' }),
});
export type MotionsRequest = z.input<typeof MotionsRequest>;

export const RatifyRequest = z.strictObject({
  aggregations: z
    .string()
    .min(1)
    .describe('Recorded counts: an aggregations.json')
    .meta({ value: 'FILE' }),
  rules: z
    .string()
    .min(1)
    .default('guarded')
    .describe(
      'Rule set to apply: explicit, seed, quorum, guarded, the path of a file, or all to compare',
    )
    .meta({ value: 'NAME', usual: ['explicit', 'seed', 'quorum', 'guarded', 'all'] }),
});
export type RatifyRequest = z.input<typeof RatifyRequest>;
