/**
 * The numbers of the `calibrated` strategy and of confidence, with where they come from: written by
 * `bench/consensus/fit.mjs`, not to be changed by hand. Fitted on labelled findings of real review tools on open pull
 * requests, of which nothing but these numbers is kept.
 */
import numbers from './calibrated-model.json' with { type: 'json' };
import type { ConfidenceModel } from './confidence/confidence.ts';
import type { MatcherModel } from './panel.ts';

export const matcherModel: MatcherModel = numbers.matcher;
export const confidenceModel: ConfidenceModel = numbers.confidence;
