/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from. Written by
 * `bench/consensus/fit.mjs`; not to be changed by hand. Fitted on labelled findings of real review tools on open
 * pull requests, of which nothing but these numbers is kept.
 */
import type { ConfidenceModel } from './confidence.ts';
import type { MatcherModel } from './judged-panel.ts';

export const provenance = {
  fitted: '2026-11-22',
  data: {
    repositories: 3,
    pulls: 30,
    reviewers: 12,
    findings: 1891,
    labellings: 2,
  },
  method: 'leave one repository out: each figure was measured on a repository that the numbers behind it were not fitted on',
  validation: {
    'opus-4.5': {
      pairs: {
        precision: 0.83037,
        recall: 0.83234,
        f1: 0.83135,
      },
      fused: 0.0065217,
      confident: {
        f1: 0.57755,
        above: 0.05634,
      },
      calibrationError: 0.044998,
      logLoss: 0.35791,
      precisionFromFive: 0.7381,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.85414,
        recall: 0.80256,
        f1: 0.82754,
      },
      fused: 0.010135,
      confident: {
        f1: 0.56296,
        above: 0.13588,
      },
      calibrationError: 0.033952,
      logLoss: 0.32986,
      precisionFromFive: 0.68293,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, identifiers-contained, identifiers-apart, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '1',
  wording: {
    intercept: -6.7939,
    weights: [-0.017737, 1.8742, 3.4094, 1.9256, 1.2853, 1.2155, -0.46361, 2.5188, -0.36223],
  },
  rounds: [
    {
      intercept: -1.6604,
      weights: [0.0026368, 0.18146, 0.69416, 1.7899, -0.54873],
    },
    {
      intercept: -0.80566,
      weights: [0.33343, 0.088153, 0.20636, 1.4086, -0.93175],
    },
    {
      intercept: -0.7835,
      weights: [0.48826, 0.15709, 0.14558, 0.73858, -0.47706],
    },
  ],
  linkage: {
    join: -0.3,
    veto: -1.8,
    most: 4,
  },
};

/** Evidence: voices, silence, reliability, loudness, place. */
export const confidenceModel: ConfidenceModel = {
  version: '1',
  prior: {
    precision: 0.32417,
    strength: 12.703,
  },
  evidence: {
    intercept: 0.2701,
    weights: [1.545, -0.78849, 0.6, -0.17767, -0.64406],
  },
};
