/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from. Written by
 * `bench/consensus/fit.mjs`; not to be changed by hand. Fitted on labelled findings of real review tools on open
 * pull requests, of which nothing but these numbers is kept.
 */
import type { ConfidenceModel } from './confidence/confidence.ts';
import type { MatcherModel } from './panel.ts';

export const provenance = {
  fitted: '2026-11-27',
  data: { repositories: 4, pulls: 36, reviewers: 22, findings: 2028, labellings: 3 },
  method:
    'leave one repository out: each figure was measured on a repository that the numbers behind it were not fitted on',
  validation: {
    'opus-4.5': {
      pairs: { precision: 0.84652, recall: 0.83948, f1: 0.84299 },
      fused: 0.0083507,
      act: { f1: 0.57959, above: 0.058376 },
      calibrationError: { worth: 0.034285, confidence: 0.024526 },
    },
    'gpt-5.2': {
      pairs: { precision: 0.83937, recall: 0.8072, f1: 0.82297 },
      fused: 0.0081037,
      act: { f1: 0.57695, above: 0.14987 },
      calibrationError: { worth: 0.016959, confidence: 0.019557 },
    },
    claims: {
      pairs: { precision: 1, recall: 0.60993, f1: 0.75771 },
      fused: 0,
      act: { f1: 0.60432, above: -0.10997 },
      calibrationError: { worth: 0.087633, confidence: 0.60215 },
    },
  },
} as const;

/** Evidence of wording: stems-contained, stems-shared, opening, neighbours, kinds, names, length. Of a round: odds, larger-margin, smaller-margin, neighbours-shared, neighbours-apart. */
export const matcherModel: MatcherModel = {
  version: '4',
  wording: { intercept: -7.8274, weights: [2.4263, 1.6285, 3.0258, 3.671, 1.679, 1.5699, 0.20788] },
  rounds: [
    { intercept: -1.3741, weights: [0.12546, 0.094594, 0.68467, 1.8097, -0.39276] },
    { intercept: -0.57181, weights: [0.47606, 0.025558, 0.20466, 1.2518, -0.76939] },
  ],
  lone: { intercept: -1.8, weights: [0.85, 8] },
  join: -0.1,
};

/** Evidence of truth: voices, silence, reliability, loudness, place, repetition, places. Of mattering: stated, severity, harm, trifle, loudness. Cuts: expected figures, out of fold. */
export const confidenceModel: ConfidenceModel = {
  version: '5',
  prior: { precision: 0.32199, strength: 10 },
  evidence: {
    intercept: 0.47956,
    weights: [1.9415, -0.88957, 0.65189, -0.65189, -0.7614, 1.5602, 2.2],
  },
  matters: { intercept: -0.47822, weights: [0.98218, 0.88788, 0.49125, -0.7458, -0.67918] },
  worth: { intercept: 0.34217, weights: [0.88712, 0.37107] },
  cases: {
    '1 of 2–3, with places': 68,
    '1 of 2–3, without places': 1378,
    '1 of 4–6, with places': 66,
    '1 of 4–6, without places': 990,
    '1 of 7 and more, with places': 51,
    '1 of 7 and more, without places': 1108,
    '2–3 of 2–3, with places': 30,
    '2–3 of 2–3, without places': 308,
    '2–3 of 4–6, with places': 30,
    '2–3 of 4–6, without places': 319,
    '2–3 of 7 and more, with places': 20,
    '2–3 of 7 and more, without places': 417,
    '4–6 of 4–6, with places': 10,
    '4–6 of 4–6, without places': 92,
    '4–6 of 7 and more, with places': 18,
    '4–6 of 7 and more, without places': 221,
    '7 and more of 7 and more, with places': 5,
    '7 and more of 7 and more, without places': 75,
  },
  cuts: [
    { cut: 0.05, precision: 0.25137, recall: 0.67558 },
    { cut: 0.075, precision: 0.27081, recall: 0.66563 },
    { cut: 0.1, precision: 0.29965, recall: 0.6503 },
    { cut: 0.125, precision: 0.33749, recall: 0.62602 },
    { cut: 0.15, precision: 0.37397, recall: 0.59964 },
    { cut: 0.175, precision: 0.40557, recall: 0.57281 },
    { cut: 0.2, precision: 0.44363, recall: 0.5526 },
    { cut: 0.225, precision: 0.4604, recall: 0.51743 },
    { cut: 0.25, precision: 0.4955, recall: 0.48789 },
    { cut: 0.275, precision: 0.52308, recall: 0.46534 },
    { cut: 0.3, precision: 0.54755, recall: 0.43897 },
    { cut: 0.325, precision: 0.56698, recall: 0.42018 },
    { cut: 0.35, precision: 0.58924, recall: 0.40395 },
    { cut: 0.375, precision: 0.59971, recall: 0.38519 },
    { cut: 0.4, precision: 0.62217, recall: 0.37301 },
    { cut: 0.425, precision: 0.6478, recall: 0.36 },
    { cut: 0.45, precision: 0.6572, recall: 0.34566 },
    { cut: 0.475, precision: 0.66724, recall: 0.328 },
    { cut: 0.5, precision: 0.69566, recall: 0.3154 },
    { cut: 0.525, precision: 0.70367, recall: 0.29678 },
    { cut: 0.55, precision: 0.71463, recall: 0.28264 },
    { cut: 0.575, precision: 0.72978, recall: 0.26563 },
    { cut: 0.6, precision: 0.74662, recall: 0.24779 },
    { cut: 0.625, precision: 0.75763, recall: 0.23315 },
    { cut: 0.65, precision: 0.76304, recall: 0.21807 },
    { cut: 0.675, precision: 0.7911, recall: 0.20019 },
    { cut: 0.7, precision: 0.80607, recall: 0.18657 },
    { cut: 0.725, precision: 0.82343, recall: 0.166 },
    { cut: 0.75, precision: 0.81652, recall: 0.14487 },
    { cut: 0.775, precision: 0.83379, recall: 0.12352 },
    { cut: 0.8, precision: 0.84481, recall: 0.10856 },
    { cut: 0.825, precision: 0.89414, recall: 0.088959 },
    { cut: 0.85, precision: 0.90667, recall: 0.071606 },
  ],
  best: {
    base: 0.17371,
    growth: 0.047074,
    graded: 0.067097,
    panels: [
      { reviewers: 2, precision: 0.3849, recall: 0.45423 },
      { reviewers: 3, precision: 0.46155, recall: 0.45172 },
      { reviewers: 5, precision: 0.54711, recall: 0.49792 },
      { reviewers: 8, precision: 0.51924, recall: 0.56789 },
      { reviewers: 12, precision: 0.51435, recall: 0.61814 },
    ],
  },
};
