/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from. Written by
 * `bench/consensus/fit.mjs`; not to be changed by hand. Fitted on labelled findings of real review tools on open
 * pull requests, of which nothing but these numbers is kept.
 */
import type { ConfidenceModel } from './confidence.ts';
import type { MatcherModel } from './judged-panel.ts';

export const provenance = {
  fitted: '2026-11-23',
  data: {
    repositories: 4,
    pulls: 36,
    reviewers: 22,
    findings: 2028,
    labellings: 3,
  },
  method: 'leave one repository out: each figure was measured on a repository that the numbers behind it were not fitted on',
  validation: {
    'opus-4.5': {
      pairs: {
        precision: 0.85566,
        recall: 0.7824,
        f1: 0.81739,
      },
      fused: 0.006135,
      confident: {
        f1: 0.54264,
        above: 0.021424,
      },
      calibrationError: 0.032956,
      logLoss: 0.37198,
      precisionFromFive: 0.76923,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.87245,
        recall: 0.79443,
        f1: 0.83161,
      },
      fused: 0.0098522,
      confident: {
        f1: 0.51163,
        above: 0.084545,
      },
      calibrationError: 0.023765,
      logLoss: 0.31643,
      precisionFromFive: 0.72973,
    },
    claims: {
      pairs: {
        precision: 1,
        recall: 0.60993,
        f1: 0.75771,
      },
      fused: 0,
      confident: {
        f1: 0.50633,
        above: -0.20796,
      },
      calibrationError: 0.072189,
      logLoss: 0.36882,
      precisionFromFive: 0.71429,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '4',
  wording: {
    intercept: -7.0443,
    weights: [1.1254, 1.9909, 3.0731, 5.5255, 1.3003, 1.7798, -0.42042],
  },
  rounds: [
    {
      intercept: -1.0752,
      weights: [0.22995, 0.14943, 0.67375, 1.7474, -0.28145],
    },
    {
      intercept: -0.2676,
      weights: [0.73, -0.0037654, 0.12827, 0.95718, -0.58988],
    },
  ],
  linkage: {
    join: 0,
    veto: -1.8,
    most: 4,
  },
};

/** Evidence: voices, silence, reliability, loudness, place. */
export const confidenceModel: ConfidenceModel = {
  version: '2',
  prior: {
    precision: 0.32199,
    strength: 4,
  },
  evidence: {
    intercept: 0.3472,
    weights: [1.4711, -0.74395, 0.6, -0.3267, -0.62559],
  },
};
