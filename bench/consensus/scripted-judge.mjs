// What a judge is worth that answers about uncertain pairs and is right as often as stated: no model is called. A wrong answer
// is drawn for each pair by itself, or because a finding was misread, which then spoils every answer about it.
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { createJudging } from '../../dist/agreement/judge.js';
import { factsOf } from './claims-of.mjs';
import { fitOnce, leaveOneOut } from './cross-validation.mjs';
import { createDraw, foldByRepository } from './labelled-panels.mjs';
import { tallyPanels } from './tallies.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {{ readonly same: number, readonly different: number, readonly isCorrelated: boolean }} Quality How often it is
 *   right about pairs that are the same, and about the others.
 * @typedef {import('../../dist/agreement/linkage.js').Pair} Pair Numbers of statements.
 */

/** @type {readonly Quality[]} */
const qualities = [0.75, 0.65].flatMap(different =>
  [false, true].map(isCorrelated => ({ same: 0.9, different, isCorrelated })),
);

/** What the product takes for granted of a judge of whom nothing is known. */
const prior = { same: 0.9, different: 0.75 };

/** The most pairs of each call. */
const calls = [14, 13, 13];

const seeds = 5;

/**
 * A row for each judge, all whole panels by numbers that never saw their repository.
 * @param {import('./labelled-panels.mjs').Folds<ReadPanel>} data
 * @returns {Promise<import('./measurement.mjs').Measured[]>}
 */
export async function measureJudges(data) {
  const folds = foldByRepository(data.panels, data.beside);
  if (folds === null) return [];
  const measured = new Set(folds.panels);
  /** @type {Awaited<ReturnType<typeof openPanel>>[]} */
  const open = [];
  for (const { asked, taught } of leaveOneOut([...folds.panels, ...folds.beside], panel =>
    measured.has(panel) ? [panel] : [],
  ))
    for (const panel of asked)
      open.push(await openPanel(panel, createCalibratedMatcher(fitOnce(taught))));
  return qualities.map(quality => {
    const claims = Array.from({ length: seeds }, (_, seed) =>
      open.flatMap(({ panel, statements, pairs, link }) => {
        const judging = createJudging({ statements: [], pairs, link }, prior);
        const answer = answerBy(quality, panel, statements, seed);
        for (const most of calls)
          for (const pair of judging.next(most)) judging.hear(pair, answer(pair));
        const groups = link(judging.pairs());
        const own = { ...panel };
        return groups.map(group => {
          const members = group.flatMap(number => statements[number]).toSorted((a, b) => a - b);
          return { panel: own, members, ...factsOf(panel, members) };
        });
      }),
    ).flat();
    const panels = [...new Set(claims.map(({ panel }) => panel))];
    return { way: nameOf(quality), parts: [{ claims, tallies: tallyPanels(panels, claims) }] };
  });
}

function nameOf(/** @type {Quality} */ { same, different, isCorrelated }) {
  return `judge ${100 * same}/${100 * different}${isCorrelated ? ', correlated' : ''}`;
}

/**
 * Statements as positions of their findings, and the pairs that are more or less open.
 * @param {ReadPanel} panel
 * @param {ReturnType<typeof createCalibratedMatcher>} matcher
 */
async function openPanel(panel, matcher) {
  const { findings } = panel;
  await matcher.prepare(findings);
  const { statements, pairs, link } = matcher.panel();
  const position = new Map(findings.map((finding, index) => [finding, index]));
  return {
    panel,
    statements: statements.map(said => said.map(finding => position.get(finding) ?? 0)),
    pairs,
    link,
  };
}

/**
 * @param {Quality} quality
 * @param {ReadPanel} panel
 * @param {readonly (readonly number[])[]} statements
 * @param {number} seed
 * @returns {(pair: Pair) => 'same' | 'different'}
 */
export function answerBy({ same, different, isCorrelated }, panel, statements, seed) {
  const next = createDraw(`judge ${panel.group}/${panel.pull}/${panel.labelling}/${seed}`);
  const attention = statements.map(() => next());
  const issueOf = (/** @type {number} */ number) =>
    statements[number].map(at => panel.issues[at]).find(issue => issue !== null) ?? null;
  return ([one, other]) => {
    const isSame = issueOf(one) !== null && issueOf(one) === issueOf(other);
    const accuracy = isSame ? same : different;
    // Both must be read well, each by itself, so that the pair is right as often as the other judge is.
    const isRight = isCorrelated
      ? Math.min(attention[one], attention[other]) >= 1 - Math.sqrt(accuracy)
      : next() < accuracy;
    return isSame === isRight ? 'same' : 'different';
  };
}
