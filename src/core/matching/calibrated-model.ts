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
        precision: 0.85455,
        recall: 0.7824,
        f1: 0.81688,
      },
      fused: 0.006135,
      act: {
        precision: 0.4958,
        recall: 0.62821,
        f1: 0.5542,
        above: 0.032991,
      },
      calibrationError: 0.024805,
      logLoss: 0.36579,
      precisionFromFive: 0.76923,
    },
    'gpt-5.2': {
      pairs: {
        precision: 0.86534,
        recall: 0.80604,
        f1: 0.83464,
      },
      fused: 0.0099174,
      act: {
        precision: 0.44444,
        recall: 0.66667,
        f1: 0.53333,
        above: 0.10625,
      },
      calibrationError: 0.033228,
      logLoss: 0.31482,
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
        precision: 0.47059,
        recall: 1,
        f1: 0.64,
        above: -0.074286,
      },
      calibrationError: 0.11101,
      logLoss: 0.36481,
      precisionFromFive: 0.71429,
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, letters, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '4',
  wording: {
    intercept: -7.0712,
    weights: [1.1203, 2.0063, 3.1258, 5.3811, 1.3576, 1.7368, -0.42126],
  },
  rounds: [
    {
      intercept: -1.0635,
      weights: [0.23255, 0.13684, 0.67776, 1.7925, -0.29414],
    },
    {
      intercept: -0.26997,
      weights: [0.72437, -0.0089108, 0.13508, 0.97551, -0.59592],
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
  version: '3',
  prior: {
    precision: 0.32199,
    strength: 10,
  },
  evidence: {
    intercept: 1.0974,
    weights: [1.8926, -0.88316, 0.76575, -0.76575, -0.78027, 1.2199, 3.118],
  },
  matters: {
    intercept: 0.1531,
    weights: [1.1757, 0.50056, -0.88186, -0.88828],
  },
  worth: {
    intercept: 0.33265,
    weights: [0.93907, 0.37189],
  },
  cuts: [
    { cut: 0.05, precision: 0.25009, recall: 0.67051 },
    { cut: 0.075, precision: 0.27114, recall: 0.65864 },
    { cut: 0.1, precision: 0.30158, recall: 0.64444 },
    { cut: 0.125, precision: 0.33592, recall: 0.61893 },
    { cut: 0.15, precision: 0.37327, recall: 0.59666 },
    { cut: 0.175, precision: 0.40271, recall: 0.56577 },
    { cut: 0.2, precision: 0.43727, recall: 0.54814 },
    { cut: 0.225, precision: 0.45818, recall: 0.51567 },
    { cut: 0.25, precision: 0.49015, recall: 0.47694 },
    { cut: 0.275, precision: 0.5186, recall: 0.45714 },
    { cut: 0.3, precision: 0.54444, recall: 0.43186 },
    { cut: 0.325, precision: 0.56374, recall: 0.41104 },
    { cut: 0.35, precision: 0.58342, recall: 0.39621 },
    { cut: 0.375, precision: 0.59698, recall: 0.37518 },
    { cut: 0.4, precision: 0.61812, recall: 0.36591 },
    { cut: 0.425, precision: 0.63012, recall: 0.34941 },
    { cut: 0.45, precision: 0.65155, recall: 0.33247 },
    { cut: 0.475, precision: 0.66252, recall: 0.31325 },
    { cut: 0.5, precision: 0.68809, recall: 0.30186 },
    { cut: 0.525, precision: 0.71705, recall: 0.28801 },
    { cut: 0.55, precision: 0.72024, recall: 0.27235 },
    { cut: 0.575, precision: 0.74552, recall: 0.25974 },
    { cut: 0.6, precision: 0.76767, recall: 0.24577 },
    { cut: 0.625, precision: 0.77666, recall: 0.23097 },
    { cut: 0.65, precision: 0.78746, recall: 0.21464 },
    { cut: 0.675, precision: 0.80162, recall: 0.19468 },
    { cut: 0.7, precision: 0.81744, recall: 0.17634 },
    { cut: 0.725, precision: 0.82602, recall: 0.15687 },
    { cut: 0.75, precision: 0.83217, recall: 0.13913 },
    { cut: 0.775, precision: 0.85703, recall: 0.11954 },
    { cut: 0.8, precision: 0.86556, recall: 0.10096 },
    { cut: 0.825, precision: 0.93037, recall: 0.085159 },
  ],
  bestCut: 0.2,
};
