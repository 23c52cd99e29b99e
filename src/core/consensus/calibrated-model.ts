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
        precision: 0.84364,
        recall: 0.82759,
        f1: 0.83553,
      },
      fused: 0.0063291,
      confident: {
        f1: 0.57755,
        above: 0.05634,
      },
      calibrationError: 0.031161,
      logLoss: 0.35966,
      precisionFromFive: 0.7381,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.85839,
        recall: 0.80256,
        f1: 0.82953,
      },
      fused: 0.0099338,
      confident: {
        f1: 0.55639,
        above: 0.12931,
      },
      calibrationError: 0.032413,
      logLoss: 0.32348,
      precisionFromFive: 0.7,
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
    join: -0.15,
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
    intercept: 0.30467,
    weights: [1.5337, -0.78288, 0.6, -0.20221, -0.6255],
  },
};
