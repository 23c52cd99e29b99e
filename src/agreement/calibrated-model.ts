/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from. Written by
 * `bench/consensus/fit.mjs`; not to be changed by hand. Fitted on labelled findings of real review tools on open
 * pull requests, of which nothing but these numbers is kept.
 */
import type { ConfidenceModel } from './confidence/confidence.ts';
import type { MatcherModel } from './panel.ts';

export const provenance = {
  fitted: '2026-11-27',
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
        precision: 0.85992,
        recall: 0.78835,
        f1: 0.82258,
      },
      fused: 0.006135,
      act: {
        precision: 0.60494,
        recall: 0.5641,
        f1: 0.58381,
        above: 0.062595,
      },
      calibrationError: 0.029488,
      logLoss: 0.35967,
      precisionFromFive: 0.75676,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.86625,
        recall: 0.80488,
        f1: 0.83444,
      },
      fused: 0.0098361,
      act: {
        precision: 0.53933,
        recall: 0.58974,
        f1: 0.56341,
        above: 0.13633,
      },
      calibrationError: 0.028754,
      logLoss: 0.31276,
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
      calibrationError: 0.13185,
      logLoss: 0.35247,
      precisionFromFive: 0.71429,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '4',
  wording: {
    intercept: -7.0675,
    weights: [1.1209, 2.0064, 3.1244, 5.3711, 1.3584, 1.7375, -0.42265],
  },
  rounds: [
    {
      intercept: -1.0778,
      weights: [0.235, 0.142, 0.66985, 1.8521, -0.33066],
    },
    {
      intercept: -0.28704,
      weights: [0.71912, -0.0017422, 0.13558, 0.97997, -0.59798],
    },
  ],
  lone: { intercept: -1.2, weights: [0.4, 6] },
  join: -0.1,
};

/** Evidence of truth: voices, silence, reliability, loudness, place, repetition, places. Of mattering: stated, severity, harm, trifle, loudness. Cuts: expected figures, out of fold. */
export const confidenceModel: ConfidenceModel = {
  version: '5',
  prior: {
    precision: 0.32199,
    strength: 10,
  },
  evidence: {
    intercept: 0.45586,
    weights: [1.9195, -0.88864, 0.66512, -0.66512, -0.80742, 1.2079, 2.2],
  },
  matters: {
    intercept: -0.58871,
    weights: [0.99366, 0.92469, 0.5128, -0.78329, -0.64058],
  },
  worth: {
    intercept: 0.3684,
    weights: [0.89836, 0.36943],
  },
  cases: {
    '1 of 2–3, with places': 66,
    '1 of 2–3, without places': 1349,
    '1 of 4–6, with places': 66,
    '1 of 4–6, without places': 957,
    '1 of 7 and more, with places': 55,
    '1 of 7 and more, without places': 1081,
    '2–3 of 2–3, with places': 32,
    '2–3 of 2–3, without places': 339,
    '2–3 of 4–6, with places': 29,
    '2–3 of 4–6, without places': 333,
    '2–3 of 7 and more, with places': 17,
    '2–3 of 7 and more, without places': 434,
    '4–6 of 4–6, with places': 11,
    '4–6 of 4–6, without places': 95,
    '4–6 of 7 and more, with places': 19,
    '4–6 of 7 and more, without places': 227,
    '7 and more of 7 and more, with places': 5,
    '7 and more of 7 and more, without places': 78,
  },
  cuts: [
    { cut: 0.05, precision: 0.24759, recall: 0.67218 },
    { cut: 0.075, precision: 0.26969, recall: 0.66045 },
    { cut: 0.1, precision: 0.30039, recall: 0.64065 },
    { cut: 0.125, precision: 0.33944, recall: 0.61695 },
    { cut: 0.15, precision: 0.37613, recall: 0.5936 },
    { cut: 0.175, precision: 0.40988, recall: 0.56227 },
    { cut: 0.2, precision: 0.44206, recall: 0.53931 },
    { cut: 0.225, precision: 0.46668, recall: 0.50824 },
    { cut: 0.25, precision: 0.50453, recall: 0.4815 },
    { cut: 0.275, precision: 0.52752, recall: 0.45181 },
    { cut: 0.3, precision: 0.54896, recall: 0.42865 },
    { cut: 0.325, precision: 0.57631, recall: 0.41097 },
    { cut: 0.35, precision: 0.58898, recall: 0.39451 },
    { cut: 0.375, precision: 0.60295, recall: 0.38059 },
    { cut: 0.4, precision: 0.62443, recall: 0.36841 },
    { cut: 0.425, precision: 0.64336, recall: 0.35724 },
    { cut: 0.45, precision: 0.65988, recall: 0.34408 },
    { cut: 0.475, precision: 0.67125, recall: 0.32532 },
    { cut: 0.5, precision: 0.69021, recall: 0.30992 },
    { cut: 0.525, precision: 0.70106, recall: 0.29326 },
    { cut: 0.55, precision: 0.71395, recall: 0.28003 },
    { cut: 0.575, precision: 0.72458, recall: 0.2669 },
    { cut: 0.6, precision: 0.74628, recall: 0.25044 },
    { cut: 0.625, precision: 0.76447, recall: 0.23883 },
    { cut: 0.65, precision: 0.77712, recall: 0.22419 },
    { cut: 0.675, precision: 0.78737, recall: 0.20719 },
    { cut: 0.7, precision: 0.80373, recall: 0.19085 },
    { cut: 0.725, precision: 0.82973, recall: 0.1701 },
    { cut: 0.75, precision: 0.82972, recall: 0.14503 },
    { cut: 0.775, precision: 0.86015, recall: 0.12454 },
    { cut: 0.8, precision: 0.88316, recall: 0.10897 },
    { cut: 0.825, precision: 0.88962, recall: 0.089916 },
    { cut: 0.85, precision: 0.90895, recall: 0.067061 },
  ],
  best: {
    base: 0.17373,
    growth: 0.044276,
    graded: 0.074397,
    panels: [
      { reviewers: 2, precision: 0.38651, recall: 0.43566 },
      { reviewers: 3, precision: 0.48191, recall: 0.44484 },
      { reviewers: 5, precision: 0.53782, recall: 0.49133 },
      { reviewers: 8, precision: 0.50799, recall: 0.56586 },
      { reviewers: 12, precision: 0.51469, recall: 0.60069 },
    ],
  },
};
