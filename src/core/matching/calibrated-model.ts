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

/** Evidence of truth: voices, silence, reliability, loudness, place, repetition, places. Of mattering: severity, harm, trifle, loudness. Cuts: expected figures, out of fold. */
export const confidenceModel: ConfidenceModel = {
  version: '3',
  prior: {
    precision: 0.32199,
    strength: 10,
  },
  evidence: {
    intercept: 1.0125,
    weights: [1.8324, -0.8432, 0.72186, -0.72186, -0.70925, 1.6984, 3.034],
  },
  matters: {
    intercept: 0.23844,
    weights: [1.1628, 0.43868, -0.91405, -0.87211],
  },
  worth: {
    intercept: 0.32704,
    weights: [0.93213, 0.38805],
  },
  cuts: [
    { cut: 0.05, precision: 0.25287, recall: 0.67282 },
    { cut: 0.075, precision: 0.27018, recall: 0.6613 },
    { cut: 0.1, precision: 0.29844, recall: 0.64728 },
    { cut: 0.125, precision: 0.3311, recall: 0.62886 },
    { cut: 0.15, precision: 0.36212, recall: 0.60124 },
    { cut: 0.175, precision: 0.3895, recall: 0.57091 },
    { cut: 0.2, precision: 0.42831, recall: 0.54783 },
    { cut: 0.225, precision: 0.45489, recall: 0.51964 },
    { cut: 0.25, precision: 0.48192, recall: 0.48375 },
    { cut: 0.275, precision: 0.50444, recall: 0.45582 },
    { cut: 0.3, precision: 0.52796, recall: 0.42788 },
    { cut: 0.325, precision: 0.54637, recall: 0.40851 },
    { cut: 0.35, precision: 0.57159, recall: 0.39324 },
    { cut: 0.375, precision: 0.58711, recall: 0.37112 },
    { cut: 0.4, precision: 0.60495, recall: 0.36062 },
    { cut: 0.425, precision: 0.62925, recall: 0.34133 },
    { cut: 0.45, precision: 0.64438, recall: 0.32348 },
    { cut: 0.475, precision: 0.66518, recall: 0.31091 },
    { cut: 0.5, precision: 0.68095, recall: 0.3 },
    { cut: 0.525, precision: 0.6964, recall: 0.29168 },
    { cut: 0.55, precision: 0.72609, recall: 0.27216 },
    { cut: 0.575, precision: 0.74395, recall: 0.25514 },
    { cut: 0.6, precision: 0.7563, recall: 0.24087 },
    { cut: 0.625, precision: 0.78052, recall: 0.22482 },
    { cut: 0.65, precision: 0.79317, recall: 0.20552 },
    { cut: 0.675, precision: 0.81649, recall: 0.1848 },
    { cut: 0.7, precision: 0.81727, recall: 0.16596 },
    { cut: 0.725, precision: 0.83508, recall: 0.14945 },
    { cut: 0.75, precision: 0.85467, recall: 0.12855 },
    { cut: 0.775, precision: 0.86927, recall: 0.11602 },
    { cut: 0.8, precision: 0.91091, recall: 0.091576 },
    { cut: 0.825, precision: 0.94298, recall: 0.075417 },
  ],
  bestCut: 0.225,
};
