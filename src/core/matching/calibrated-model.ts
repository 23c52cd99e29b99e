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
        precision: 0.8577,
        recall: 0.78835,
        f1: 0.82156,
      },
      fused: 0.006135,
      act: {
        precision: 0.55682,
        recall: 0.57692,
        f1: 0.56669,
        above: 0.04548,
      },
      calibrationError: 0.028021,
      logLoss: 0.36013,
      precisionFromFive: 0.76316,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.86625,
        recall: 0.80488,
        f1: 0.83444,
      },
      fused: 0.0098361,
      act: {
        precision: 0.5,
        recall: 0.58974,
        f1: 0.54118,
        above: 0.11409,
      },
      calibrationError: 0.031155,
      logLoss: 0.3164,
      precisionFromFive: 0.71053,
    },
    claims: {
      pairs: {
        precision: 1,
        recall: 0.60993,
        f1: 0.75771,
      },
      fused: 0,
      act: {
        precision: 0.53846,
        recall: 0.85714,
        f1: 0.66142,
        above: -0.052868,
      },
      calibrationError: 0.11391,
      logLoss: 0.35093,
      precisionFromFive: 0.71429,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '4',
  wording: {
    intercept: -7.0657,
    weights: [1.1214, 2.0063, 3.1249, 5.3731, 1.358, 1.737, -0.4233],
  },
  rounds: [
    {
      intercept: -1.0791,
      weights: [0.23655, 0.14284, 0.66955, 1.8435, -0.32489],
    },
    {
      intercept: -0.28166,
      weights: [0.72462, -0.0024313, 0.1326, 0.96708, -0.58987],
    },
  ],
  linkage: {
    join: 0,
    veto: -1.8,
    most: 4,
  },
};

/** Evidence of truth: voices, silence, reliability, loudness, place, repetition, places. Of mattering: severity, harm, trifle, loudness. Cuts: expected figures, out of fold. */
export const confidenceModel: ConfidenceModel = {
  version: '4',
  prior: {
    precision: 0.32199,
    strength: 10,
  },
  evidence: {
    intercept: 1.0865,
    weights: [1.9113, -0.88991, 0.76431, -0.76431, -0.76154, 1.2071, 2.2],
  },
  matters: {
    intercept: -0.44985,
    weights: [1.2, 0.61272, -0.78012, -0.68748],
  },
  worth: {
    intercept: 0.36728,
    weights: [0.91852, 0.37236],
  },
  cuts: [
    { cut: 0.05, precision: 0.24786, recall: 0.6718 },
    { cut: 0.075, precision: 0.26946, recall: 0.65981 },
    { cut: 0.1, precision: 0.30196, recall: 0.64143 },
    { cut: 0.125, precision: 0.33912, recall: 0.61947 },
    { cut: 0.15, precision: 0.37363, recall: 0.59355 },
    { cut: 0.175, precision: 0.40722, recall: 0.56706 },
    { cut: 0.2, precision: 0.43847, recall: 0.53964 },
    { cut: 0.225, precision: 0.46484, recall: 0.51011 },
    { cut: 0.25, precision: 0.49833, recall: 0.47868 },
    { cut: 0.275, precision: 0.52015, recall: 0.45113 },
    { cut: 0.3, precision: 0.54365, recall: 0.42442 },
    { cut: 0.325, precision: 0.56855, recall: 0.41354 },
    { cut: 0.35, precision: 0.5891, recall: 0.39565 },
    { cut: 0.375, precision: 0.6087, recall: 0.3825 },
    { cut: 0.4, precision: 0.62269, recall: 0.36714 },
    { cut: 0.425, precision: 0.64313, recall: 0.35142 },
    { cut: 0.45, precision: 0.65397, recall: 0.3377 },
    { cut: 0.475, precision: 0.66766, recall: 0.31936 },
    { cut: 0.5, precision: 0.6981, recall: 0.30279 },
    { cut: 0.525, precision: 0.71019, recall: 0.28867 },
    { cut: 0.55, precision: 0.72378, recall: 0.27837 },
    { cut: 0.575, precision: 0.73633, recall: 0.26504 },
    { cut: 0.6, precision: 0.75441, recall: 0.25231 },
    { cut: 0.625, precision: 0.77425, recall: 0.2426 },
    { cut: 0.65, precision: 0.777, recall: 0.21767 },
    { cut: 0.675, precision: 0.80371, recall: 0.20731 },
    { cut: 0.7, precision: 0.81802, recall: 0.18685 },
    { cut: 0.725, precision: 0.81644, recall: 0.16797 },
    { cut: 0.75, precision: 0.8267, recall: 0.14472 },
    { cut: 0.775, precision: 0.82402, recall: 0.12361 },
    { cut: 0.8, precision: 0.87753, recall: 0.10543 },
    { cut: 0.825, precision: 0.90256, recall: 0.086917 },
    { cut: 0.85, precision: 0.92424, recall: 0.065108 },
  ],
  best: {
    base: 0.18361,
    growth: 0.040434,
    panels: [
      { reviewers: 2, precision: 0.38736, recall: 0.43898 },
      { reviewers: 3, precision: 0.50009, recall: 0.445 },
      { reviewers: 5, precision: 0.53914, recall: 0.4943 },
      { reviewers: 8, precision: 0.50335, recall: 0.56113 },
      { reviewers: 12, precision: 0.51308, recall: 0.60069 },
    ],
  },
};
