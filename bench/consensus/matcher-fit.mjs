// Fits the `calibrated` matcher: wording first, then rounds over what the panel looks like after the step before.
import { barrierBetween, shareReviewer } from '../../dist/core/matching/guards.js';
import { judgePanel, structureEvidence } from '../../dist/core/matching/judged-panel.js';
import { readPanel } from '../../dist/core/matching/panel-statements.js';
import { gatherWordingEvidence, wordingEvidence } from '../../dist/core/matching/evidence.js';
import { drawPanels } from './labelled-panels.mjs';
import { fitLogistic } from './logistic-fit.mjs';

const rounds = 2;

/** Reviewers of the panels that are drawn of each whole one and learned from beside it: as many lessons of every size, about. */
const drawnSizes = [
  [2, 8],
  [3, 6],
  [5, 4],
  [8, 3],
].flatMap(([size, times]) => Array(times).fill(size));
const drawn = new Map();

function drawnOf(panel) {
  if (!drawn.has(panel)) drawn.set(panel, drawPanels(panel, drawnSizes));
  return drawn.get(panel);
}

/** Not fitted: what is rather one than two is joined, and the rest was chosen once for all repositories. */
export const linkage = { join: 0, veto: -1.8, most: 4 };

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
    { panel, size: 'all' },
    ...drawnOf(panel).map((small, index) => ({ panel: small, size: drawnSizes[index] })),
  ]);
  const blind = wordingEvidence.map(
    ([name, group]) => without.includes(group) || without.includes(name),
  );
  const wording = fitLessons(gatherLessons(taught, wordingLessons), blind, penalty);
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
        gatherLessons(taught, panel => structureLessons(panel, next)),
        unseen,
        penalty,
      ),
    );
  }
  return model;
}

/** Panels of every size weigh as much as the whole ones: to two reviewers their own case is all there is. */
function gatherLessons(taught, lessonsOfPanel) {
  const lessons = taught.flatMap(({ panel, size }) =>
    lessonsOfPanel(panel).map(lesson => ({ ...lesson, size })),
  );
  const counts = new Map();
  for (const { size } of lessons) counts.set(size, (counts.get(size) ?? 0) + 1);
  return lessons.map(lesson => ({
    ...lesson,
    weight: counts.get('all') / counts.get(lesson.size),
  }));
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
