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
        precision: 0.84466,
        recall: 0.82759,
        f1: 0.83604,
      },
      fused: 0.0083507,
      confident: {
        f1: 0.56671,
        above: 0.045495,
      },
      calibrationError: 0.039243,
      logLoss: 0.35052,
      precisionFromFive: 0.775,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.86289,
        recall: 0.79675,
        f1: 0.8285,
      },
      fused: 0.0098522,
      confident: {
        f1: 0.53559,
        above: 0.1085,
      },
      calibrationError: 0.018123,
      logLoss: 0.33864,
      precisionFromFive: 0.74359,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, identifiers-contained, identifiers-apart, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '3',
  wording: {
    intercept: -7.0497,
    weights: [0.89502, 1.6921, 2.5889, 3.216, 1.5044, 1.2068, -0.37253, 2.1968, -0.084235],
  },
  rounds: [
    {
      intercept: -1.6663,
      weights: [0.0010768, 0.1998, 0.69609, 1.7227, -0.53215],
    },
    {
      intercept: -0.84822,
      weights: [0.31049, 0.10624, 0.21576, 1.415, -0.94413],
    },
    {
      intercept: -0.77089,
      weights: [0.49102, 0.15918, 0.13845, 0.73635, -0.48718],
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
  version: '2',
  prior: {
    precision: 0.32417,
    strength: 12.703,
  },
  evidence: {
    intercept: 0.2051,
    weights: [1.6261, -0.79278, 0.6, -0.16478, -0.54063],
  },
};
