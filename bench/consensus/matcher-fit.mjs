// Fits the `calibrated` matcher: wording first, then rounds over what the panel looks like after the step before.
import { barrierBetween, shareReviewer } from '../../dist/agreement/guards.js';
import { judgePanel, structureEvidence } from '../../dist/agreement/judged-panel.js';
import { readPanel } from '../../dist/agreement/panel-statements.js';
import { gatherWordingEvidence, wordingEvidence } from '../../dist/agreement/evidence.js';
import { drawPanels } from './labelled-panels.mjs';
import { fitLogistic } from './logistic-fit.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/judged-panel.js').MatcherModel} MatcherModel
 * @typedef {import('../../dist/agreement/panel-statements.js').PanelStatement} PanelStatement
 * @typedef {{ readonly panel: ReadPanel, readonly size: number | 'all' }} Taught
 * @typedef {{ readonly evidence: readonly number[], readonly truth: number }} Lesson
 */

const rounds = 2;

/** Reviewers of the panels that are drawn of each whole one and learned from beside it: as many lessons of every size, about. */
const drawnSizes = [
  [2, 8],
  [3, 6],
  [5, 4],
  [8, 3],
].flatMap(([size, times]) => Array.from({ length: times }, () => size));
/** @type {Map<ReadPanel, ReadPanel[]>} */
const drawn = new Map();

function drawnOf(/** @type {ReadPanel} */ panel) {
  const own = drawn.get(panel) ?? drawPanels(panel, drawnSizes);
  drawn.set(panel, own);
  return own;
}

/** Not fitted: what is rather one than two is joined, and the rest was chosen once for all repositories. */
export const linkage = { join: 0, veto: -1.8, most: 4 };

/** @type {Map<ReadPanel, ReturnType<typeof readPanel>>} */
const read = new Map();

/** Reading does not depend on the model, so each panel is read once. */
function readOnce(/** @type {ReadPanel} */ panel) {
  const own = read.get(panel) ?? readPanel(panel.findings);
  read.set(panel, own);
  return own;
}

/**
 * Learns from pairs of two reviewers of which at least one finding matches a known issue; of the rest nobody knows.
 * `without`: groups of evidence to leave out, for the ablation.
 * @param {readonly ReadPanel[]} panels
 * @param {{ readonly without?: readonly string[], readonly penalty?: number }} settings
 * @returns {MatcherModel}
 */
export function fitMatcher(panels, { without = [], penalty = 20 } = {}) {
  const taught = panels.flatMap(panel => [
    { panel, size: /** @type {const} */ ('all') },
    ...drawnOf(panel).map((small, index) => ({ panel: small, size: drawnSizes[index] })),
  ]);
  const blind = wordingEvidence.map(
    ([name, group]) => without.includes(group) || without.includes(name),
  );
  const wording = fitLessons(gatherLessons(taught, wordingLessons), blind, penalty);
  /** @type {MatcherModel['rounds'][number][]} */
  const fitted = [];
  const model = { version: 'fit', wording, rounds: fitted, linkage };
  const unseen = structureEvidence.map(
    name =>
      (without.includes('mutual best match') && name.endsWith('margin')) ||
      (without.includes('common neighbours') && name.startsWith('neighbours')),
  );
  for (let round = 0; round < rounds && !without.includes('panel'); round += 1) {
    const next = {
      ...model,
      rounds: [...fitted, { intercept: 0, weights: structureEvidence.map(() => 0) }],
    };
    const lessons = gatherLessons(taught, panel => structureLessons(panel, next));
    fitted.push(fitLessons(lessons, unseen, penalty));
  }
  return model;
}

/**
 * Panels of every size weigh as much as the whole ones: to two reviewers their own case is all there is.
 * @param {readonly Taught[]} taught
 * @param {(panel: ReadPanel) => readonly Lesson[]} lessonsOfPanel
 */
function gatherLessons(taught, lessonsOfPanel) {
  const lessons = taught.flatMap(({ panel, size }) =>
    lessonsOfPanel(panel).map(lesson => ({ ...lesson, size })),
  );
  /** @type {Map<Taught['size'], number>} */
  const counts = new Map();
  for (const { size } of lessons) counts.set(size, (counts.get(size) ?? 0) + 1);
  return lessons.map(lesson => ({
    ...lesson,
    weight: (counts.get('all') ?? 0) / (counts.get(lesson.size) ?? 0),
  }));
}

/**
 * @param {ReturnType<typeof gatherLessons>} lessons
 * @param {readonly boolean[]} silent
 * @param {number} penalty
 */
function fitLessons(lessons, silent, penalty) {
  const rows = lessons.map(({ evidence }) =>
    evidence.map((value, index) => (silent[index] ? 0 : value)),
  );
  const { intercept, weights } = fitLogistic(
    rows,
    lessons.map(({ truth }) => truth),
    { penalty, weights: lessons.map(({ weight }) => weight) },
  );
  return { intercept, weights: weights.map((weight, index) => (silent[index] ? 0 : weight)) };
}

function wordingLessons(/** @type {ReadPanel} */ panel) {
  const { statements, pairs } = readOnce(panel);
  return lessonsOf(panel, pairs, ([one, other]) =>
    gatherWordingEvidence(statements[one].weighed, statements[other].weighed),
  );
}

function structureLessons(/** @type {ReadPanel} */ panel, /** @type {MatcherModel} */ model) {
  const { graph, structure, isSettled } = judgePanel(readOnce(panel), model);
  const pairs = [...graph.ones]
    .map((one, link) => /** @type {const} */ ([one, graph.others[link], link]))
    .filter(([, , link]) => !isSettled[link]);
  return lessonsOf(panel, pairs, ([, , link]) => Array.from(structure?.(link) ?? []));
}

/**
 * @template {readonly [one: number, other: number, ...unknown[]]} P
 * @param {ReadPanel} panel
 * @param {readonly P[]} pairs
 * @param {(pair: P) => readonly number[]} evidenceOf
 */
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

function issuesOf(
  /** @type {ReadPanel} */ { issues },
  /** @type {PanelStatement} */ { positions },
) {
  return positions.map(position => issues[position]).find(issue => issue !== null) ?? null;
}

/** 1 for one issue, 0 for two or for an issue and none, null when nobody knows. */
function truthOf(/** @type {string | null} */ one, /** @type {string | null} */ other) {
  if (one === null && other === null) return null;
  return Number(one === other);
}
