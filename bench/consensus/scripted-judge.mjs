// What a judge is worth that answers about uncertain pairs and is right as often as stated: no model is called. A wrong answer
// is drawn for each pair by itself, or because a finding was misread, which then spoils every answer about it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { linkByAverage } from '../../dist/agreement/grouping.js';
import { judgePanel } from '../../dist/agreement/judged-panel.js';
import { readPanel } from '../../dist/agreement/panel-statements.js';
import { factsOf } from './claims-of.mjs';
import { fitOnce, leaveOneOut } from './cross-validation.mjs';
import { createDraw, foldByRepository } from './labelled-panels.mjs';
import { tallyPanels } from './tallies.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/judged-panel.js').MatcherModel} MatcherModel
 * @typedef {{ readonly same: number, readonly different: number, readonly isCorrelated: boolean }} Quality How often it is
 *   right about pairs that are the same, and about the others.
 * @typedef {readonly [one: number, other: number]} Pair
 * @typedef {{ readonly one: number, readonly other: number, readonly odds: number, readonly isOneVoice: boolean }} PairOdds
 * @typedef {(pairs: readonly PairOdds[]) => number[][]} Linking
 * @typedef {(count: number, pairs: readonly PairOdds[], link: Linking, accuracy: typeof prior) => {
 *   next(most: number): readonly Pair[], hear(pair: Pair, answer: 'same' | 'different'): void,
 *   pairs(): readonly PairOdds[] }} CreateJudging
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
 * A row for each judge, all whole panels by numbers that never saw their repository; none for a build without a judge.
 * @param {import('./labelled-panels.mjs').Folds<ReadPanel>} data
 * @returns {Promise<import('./measurement.mjs').Measured[]>}
 */
export async function measureJudges(data) {
  const folds = foldByRepository(data.panels, data.beside);
  const createJudging = await openJudge();
  if (folds === null || createJudging === null) return [];
  const measured = new Set(folds.panels);
  const left = leaveOneOut([...folds.panels, ...folds.beside], panel =>
    measured.has(panel) ? [panel] : [],
  );
  const open = left.flatMap(({ asked, taught }) =>
    asked.map(panel => ({ panel, ...openPairs(panel, fitOnce(taught)) })),
  );
  return qualities.map(quality => {
    const claims = Array.from({ length: seeds }, (_, seed) =>
      open.flatMap(({ panel, statements, pairs, link }) => {
        const judging = createJudging(statements.length, pairs, link, prior);
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

async function openJudge() {
  const file = new URL('../../dist/agreement/judge.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return null;
  /** @type {{ createJudging: CreateJudging }} */
  const { createJudging } = await import(file.href);
  return createJudging;
}

/**
 * The statements of a panel as positions of their findings, and the pairs that the matcher leaves more or less open.
 * @param {ReadPanel} panel
 * @param {MatcherModel} model
 */
function openPairs({ findings }, model) {
  const { statements, graph, odds } = judgePanel(readPanel(findings), model);
  const { linkage } = model;
  const pairs = Array.from(odds, (value, number) => {
    const [one, other] = [graph.ones[number], graph.others[number]];
    const isOneVoice = statements[one].reviewers.some(each =>
      statements[other].reviewers.includes(each),
    );
    return { one, other, odds: value - linkage.join, isOneVoice };
  });
  return {
    statements: statements.map(({ positions }) => positions),
    pairs,
    link: (/** @type {readonly PairOdds[]} */ links) =>
      linkByAverage(statements.length, links, { ...linkage, join: 0 }),
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
