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
        precision: 0.53,
        recall: 0.57692,
        f1: 0.55247,
        above: 0.031255,
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
        precision: 0.44954,
        recall: 0.60256,
        f1: 0.51492,
        above: 0.087841,
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
        precision: 0.5,
        recall: 0.71429,
        f1: 0.58824,
        above: -0.12605,
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
  version: '3',
  prior: {
    precision: 0.32199,
    strength: 10,
  },
  evidence: {
    intercept: 1.0865,
    weights: [1.9113, -0.88991, 0.76431, -0.76431, -0.76154, 1.2071, 2.2],
  },
  matters: {
    intercept: 0.15787,
    weights: [1.1864, 0.49348, -0.88212, -0.90279],
  },
  worth: {
    intercept: 0.33959,
    weights: [0.94118, 0.37049],
  },
  cuts: [
    { cut: 0.05, precision: 0.24951, recall: 0.67051 },
    { cut: 0.075, precision: 0.27149, recall: 0.65829 },
    { cut: 0.1, precision: 0.30521, recall: 0.64374 },
    { cut: 0.125, precision: 0.33761, recall: 0.61858 },
    { cut: 0.15, precision: 0.37701, recall: 0.59439 },
    { cut: 0.175, precision: 0.40402, recall: 0.56395 },
    { cut: 0.2, precision: 0.44012, recall: 0.54633 },
    { cut: 0.225, precision: 0.46139, recall: 0.51604 },
    { cut: 0.25, precision: 0.4945, recall: 0.47871 },
    { cut: 0.275, precision: 0.52071, recall: 0.45619 },
    { cut: 0.3, precision: 0.54607, recall: 0.43152 },
    { cut: 0.325, precision: 0.56898, recall: 0.41091 },
    { cut: 0.35, precision: 0.58522, recall: 0.39804 },
    { cut: 0.375, precision: 0.59693, recall: 0.37795 },
    { cut: 0.4, precision: 0.62071, recall: 0.36707 },
    { cut: 0.425, precision: 0.63107, recall: 0.35198 },
    { cut: 0.45, precision: 0.65341, recall: 0.33535 },
    { cut: 0.475, precision: 0.66817, recall: 0.31823 },
    { cut: 0.5, precision: 0.68925, recall: 0.30453 },
    { cut: 0.525, precision: 0.71844, recall: 0.2901 },
    { cut: 0.55, precision: 0.72076, recall: 0.27483 },
    { cut: 0.575, precision: 0.74676, recall: 0.26266 },
    { cut: 0.6, precision: 0.76471, recall: 0.24859 },
    { cut: 0.625, precision: 0.7746, recall: 0.23315 },
    { cut: 0.65, precision: 0.78544, recall: 0.21747 },
    { cut: 0.675, precision: 0.81092, recall: 0.19906 },
    { cut: 0.7, precision: 0.81275, recall: 0.18013 },
    { cut: 0.725, precision: 0.82881, recall: 0.1608 },
    { cut: 0.75, precision: 0.83271, recall: 0.14196 },
    { cut: 0.775, precision: 0.85956, recall: 0.12173 },
    { cut: 0.8, precision: 0.87253, recall: 0.10368 },
    { cut: 0.825, precision: 0.93401, recall: 0.087513 },
  ],
  bestCut: 0.275,
};
