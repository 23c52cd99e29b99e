/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from. Written by
 * `bench/consensus/fit.mjs`; not to be changed by hand. Fitted on labelled findings of real review tools on open
 * pull requests, of which nothing but these numbers is kept.
 */
import type { ConfidenceModel } from './confidence/confidence.ts';
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
  method:
    'leave one repository out: each figure was measured on a repository that the numbers behind it were not fitted on',
  validation: {
    'opus-4.5': {
      pairs: {
        precision: 0.85992,
        recall: 0.78835,
        f1: 0.82258,
      },
      fused: 0.006135,
      act: {
        precision: 0.56818,
        recall: 0.57692,
        f1: 0.57252,
        above: 0.051307,
      },
      calibrationError: 0.032465,
      logLoss: 0.35882,
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
        precision: 0.50526,
        recall: 0.58974,
        f1: 0.54424,
        above: 0.11716,
      },
      calibrationError: 0.030105,
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
      calibrationError: 0.12866,
      logLoss: 0.35871,
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
    intercept: 1.0927,
    weights: [1.9037, -0.88827, 0.76695, -0.76695, -0.76515, 1.2105, 2.2],
  },
  matters: {
    intercept: -0.36152,
    weights: [1, 1.1681, 0.60979, -0.79156, -0.71325],
  },
  worth: {
    intercept: 0.34911,
    weights: [0.91454, 0.37476],
  },
  cases: {},
  cuts: [
    { cut: 0.05, precision: 0.2486, recall: 0.67218 },
    { cut: 0.075, precision: 0.27014, recall: 0.66019 },
    { cut: 0.1, precision: 0.3017, recall: 0.64182 },
    { cut: 0.125, precision: 0.33786, recall: 0.62062 },
    { cut: 0.15, precision: 0.37498, recall: 0.59408 },
    { cut: 0.175, precision: 0.4063, recall: 0.56653 },
    { cut: 0.2, precision: 0.44146, recall: 0.54104 },
    { cut: 0.225, precision: 0.4644, recall: 0.51021 },
    { cut: 0.25, precision: 0.4996, recall: 0.47979 },
    { cut: 0.275, precision: 0.52081, recall: 0.45314 },
    { cut: 0.3, precision: 0.54329, recall: 0.42442 },
    { cut: 0.325, precision: 0.56946, recall: 0.41384 },
    { cut: 0.35, precision: 0.58758, recall: 0.39456 },
    { cut: 0.375, precision: 0.60863, recall: 0.38222 },
    { cut: 0.4, precision: 0.62036, recall: 0.36673 },
    { cut: 0.425, precision: 0.64228, recall: 0.35034 },
    { cut: 0.45, precision: 0.65909, recall: 0.33863 },
    { cut: 0.475, precision: 0.6665, recall: 0.31901 },
    { cut: 0.5, precision: 0.68983, recall: 0.30153 },
    { cut: 0.525, precision: 0.70604, recall: 0.28721 },
    { cut: 0.55, precision: 0.71435, recall: 0.27707 },
    { cut: 0.575, precision: 0.72909, recall: 0.2639 },
    { cut: 0.6, precision: 0.75088, recall: 0.25267 },
    { cut: 0.625, precision: 0.76693, recall: 0.23967 },
    { cut: 0.65, precision: 0.77081, recall: 0.21726 },
    { cut: 0.675, precision: 0.79794, recall: 0.20711 },
    { cut: 0.7, precision: 0.81327, recall: 0.18659 },
    { cut: 0.725, precision: 0.81817, recall: 0.16828 },
    { cut: 0.75, precision: 0.82748, recall: 0.14366 },
    { cut: 0.775, precision: 0.81789, recall: 0.12206 },
    { cut: 0.8, precision: 0.87941, recall: 0.10376 },
    { cut: 0.825, precision: 0.90958, recall: 0.086448 },
    { cut: 0.85, precision: 0.92647, recall: 0.064631 },
  ],
  best: {
    base: 0.18225,
    growth: 0.041806,
    graded: 0,
    panels: [
      { reviewers: 2, precision: 0.38821, recall: 0.43898 },
      { reviewers: 3, precision: 0.48433, recall: 0.44662 },
      { reviewers: 5, precision: 0.5389, recall: 0.4943 },
      { reviewers: 8, precision: 0.50656, recall: 0.56113 },
      { reviewers: 12, precision: 0.5227, recall: 0.60069 },
    ],
  },
};
