// Fits the `calibrated` matcher: wording first, then rounds over what the panel looks like after the step before.
import {
  gatherWording,
  shareReviewer,
  structureEvidence,
  tellWall,
  weighPanel,
} from '../../dist/agreement/panel.js';
import { pairsAmong } from '../../dist/agreement/linkage.js';
import { readStatements } from '../../dist/agreement/statements.js';
import { drawPanels } from './labelled-panels.mjs';
import { fitLogistic } from './logistic-fit.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/panel.js').MatcherModel} MatcherModel
 * @typedef {import('../../dist/agreement/statements.js').Statement} Statement
 * @typedef {{ readonly panel: ReadPanel, readonly size: number | 'all' }} Taught
 * @typedef {{ readonly evidence: readonly number[], readonly truth: number }} Lesson
 */

const rounds = 2;
const penalty = 20;

/** Whole panels count most; those of each drawn size together weigh so much of what the whole ones do. */
const weightOfDrawn = 0.06;

/** Reviewers of the panels that are drawn of each whole one: as many lessons of every size, about. */
const drawnSizes = [
  [2, 8],
  [3, 6],
  [5, 4],
  [8, 3],
].flatMap(([size, times]) => Array.from({ length: times }, () => size));

/** Not fitted: chosen once on whole panels, by the rule of CHOICE.md. */
const join = -0.1;

/** Not fitted: chosen on the open pairs that are written by hand, for real panels hold a dozen such pairs. */
const lone = { intercept: -1.5, weights: [0.85, 14] };

/** Neither depends on the model, so each panel is drawn from and read once. */
const drawnOf = remember((/** @type {ReadPanel} */ panel) => drawPanels(panel, drawnSizes));
const readOnce = remember(
  (/** @type {ReadPanel} */ panel) => readStatements(panel.findings).statements,
);

/**
 * @template {object} Key
 * @template Made
 * @param {(key: Key) => Made} make
 * @returns {(key: Key) => Made}
 */
function remember(make) {
  /** @type {WeakMap<Key, Made>} */
  const known = new WeakMap();
  return key => {
    const own = known.get(key) ?? make(key);
    known.set(key, own);
    return own;
  };
}

/**
 * Learns from pairs of two reviewers of which at least one finding matches a known issue; of the rest nobody knows.
 * @param {readonly ReadPanel[]} panels
 * @returns {MatcherModel}
 */
export function fitMatcher(panels) {
  /** @type {Taught[]} */
  const taught = panels.flatMap(panel => [
    { panel, size: /** @type {const} */ ('all') },
    ...drawnOf(panel).map((small, index) => ({ panel: small, size: drawnSizes[index] })),
  ]);
  const model = {
    version: 'fit',
    wording: fitLessons(taught, wordingLessons),
    /** @type {MatcherModel['rounds'][number][]} */
    rounds: [],
    lone,
    join,
  };
  const untaught = { intercept: 0, weights: structureEvidence.map(() => 0) };
  for (let round = 0; round < rounds; round += 1) {
    model.rounds.push(
      fitLessons(taught, panel =>
        structureLessons(panel, { ...model, rounds: [...model.rounds, untaught] }),
      ),
    );
  }
  return model;
}

/**
 * @param {readonly Taught[]} taught
 * @param {(panel: ReadPanel) => readonly Lesson[]} lessonsOfPanel
 */
function fitLessons(taught, lessonsOfPanel) {
  const lessons = taught.flatMap(({ panel, size }) =>
    lessonsOfPanel(panel).map(lesson => ({ ...lesson, size })),
  );
  /** @type {Map<Taught['size'], number>} */
  const counts = new Map();
  for (const { size } of lessons) counts.set(size, (counts.get(size) ?? 0) + 1);
  const whole = counts.get('all') ?? 0;
  const { intercept, weights } = fitLogistic(
    lessons.map(({ evidence }) => evidence),
    lessons.map(({ truth }) => truth),
    {
      penalty,
      weights: lessons.map(({ size }) =>
        size === 'all' ? 1 : (weightOfDrawn * whole) / (counts.get(size) ?? 1),
      ),
    },
  );
  return { intercept, weights };
}

const wordingLessons = remember((/** @type {ReadPanel} */ panel) => {
  const statements = readOnce(panel);
  return pairsAmong(statements).flatMap(([one, other]) => {
    const ends = /** @type {const} */ ([statements[one], statements[other]]);
    const truth = truthOf(panel, ends);
    return truth === null || shareReviewer(...ends) || tellWall(...ends) !== null
      ? []
      : [{ evidence: gatherWording(...ends), truth }];
  });
});

function structureLessons(/** @type {ReadPanel} */ panel, /** @type {MatcherModel} */ model) {
  const { statements, links, structure, isSettled } = weighPanel(readOnce(panel), model);
  return links.flatMap(({ one, other }, link) => {
    const truth = truthOf(panel, [statements[one], statements[other]]);
    return truth === null || isSettled[link] ? [] : [{ evidence: structure?.(link) ?? [], truth }];
  });
}

/**
 * 1 for one issue, 0 for two or for an issue and none, null when nobody knows.
 * @param {ReadPanel} panel
 * @param {readonly [Statement, Statement]} ends
 */
function truthOf({ issues }, ends) {
  const [one, other] = ends.map(
    ({ positions }) =>
      positions.map(position => issues[position]).find(issue => issue !== null) ?? null,
  );
  return one === null && other === null ? null : Number(one === other);
}
