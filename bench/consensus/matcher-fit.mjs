// Fits the `calibrated` matcher: wording first, then rounds over what the panel looks like after the step before.
import { barrierBetween, shareReviewer } from '../../dist/core/matching/guards.js';
import { judgePanel, structureEvidence } from '../../dist/core/matching/judged-panel.js';
import { readPanel } from '../../dist/core/matching/panel-statements.js';
import { gatherWordingEvidence, wordingEvidence } from '../../dist/core/matching/evidence.js';
import { drawPanels } from './labelled-panels.mjs';
import { fitLogistic } from './logistic-fit.mjs';

const rounds = 3;

/** Panels of fewer reviewers that are learned from beside each whole one, and what their lessons weigh. */
const smallSizes = [2, 2, 3, 3, 5];
const smallWeight = 0.5;
const small = new Map();

function smallOf(panel) {
  if (!small.has(panel)) small.set(panel, drawPanels(panel, smallSizes));
  return small.get(panel);
}

/** Chosen once for all repositories by the curve that `bench:consensus` prints; not fitted. */
export const linkage = { join: -0.15, veto: -1.8, most: 4 };

const read = new Map();

/** Reading does not depend on the model, so each panel is read once. */
export function readOnce(panel) {
  if (!read.has(panel)) read.set(panel, readPanel(panel.findings));
  return read.get(panel);
}

/**
 * Learns from pairs of two reviewers of which at least one finding matches a known issue; of the rest nobody knows.
 * `without`: groups of evidence to leave out, for the ablation.
 */
export function fitMatcher(panels, { without = [], penalty = 20 } = {}) {
  const taught = panels.flatMap(panel => [
    { panel, weight: 1 },
    ...smallOf(panel).map(small => ({ panel: small, weight: smallWeight })),
  ]);
  const blind = wordingEvidence.map(
    ([name, group]) => without.includes(group) || without.includes(name),
  );
  const wording = fitLessons(
    taught.flatMap(({ panel, weight }) =>
      wordingLessons(panel).map(lesson => ({ ...lesson, weight })),
    ),
    blind,
    penalty,
  );
  const model = { version: 'fit', wording, rounds: [], linkage };
  const unseen = structureEvidence.map(
    name =>
      (without.includes('mutual best match') && name.endsWith('margin')) ||
      (without.includes('common neighbours') && name.startsWith('neighbours')),
  );
  for (let round = 0; round < rounds && !without.includes('panel'); round += 1) {
    const next = {
      ...model,
      rounds: [...model.rounds, { intercept: 0, weights: structureEvidence.map(() => 0) }],
    };
    model.rounds.push(
      fitLessons(
        taught.flatMap(({ panel, weight }) =>
          structureLessons(panel, next).map(lesson => ({ ...lesson, weight })),
        ),
        unseen,
        penalty,
      ),
    );
  }
  return model;
}

function fitLessons(lessons, silent, penalty) {
  const rows = lessons.map(({ evidence }) =>
    evidence.map((value, index) => (silent[index] ? 0 : value)),
  );
  return silence(
    fitLogistic(
      rows,
      lessons.map(({ truth }) => truth),
      { penalty, weights: lessons.map(({ weight }) => weight) },
    ),
    silent,
  );
}

function silence({ intercept, weights }, silent) {
  return { intercept, weights: weights.map((weight, index) => (silent[index] ? 0 : weight)) };
}

function wordingLessons(panel) {
  const { statements, pairs } = readOnce(panel);
  return lessonsOf(panel, pairs, ([one, other]) =>
    gatherWordingEvidence(statements[one].weighed, statements[other].weighed),
  );
}

function structureLessons(panel, model) {
  const { graph, structure, isSettled } = judgePanel(readOnce(panel), model);
  const pairs = [...graph.ones]
    .map((one, link) => [one, graph.others[link], link])
    .filter(([, , link]) => !isSettled[link]);
  return lessonsOf(panel, pairs, ([, , link]) => structure(link));
}

function lessonsOf(panel, pairs, evidenceOf) {
  const { statements } = readOnce(panel);
  return pairs.flatMap(pair => {
    const [one, other] = [statements[pair[0]], statements[pair[1]]];
    const truth = truthOf(issuesOf(panel, one), issuesOf(panel, other));
    return truth === null || shareReviewer(one, other) || barrierBetween(one, other) !== null
      ? []
      : [{ evidence: evidenceOf(pair), truth }];
  });
}

function issuesOf({ issues }, { positions }) {
  return positions.map(position => issues[position]).find(issue => issue !== null) ?? null;
}

/** 1 for one issue, 0 for two or for an issue and none, null when nobody knows. */
export function truthOf(one, other) {
  if (one === null && other === null) return null;
  return Number(one === other);
}
