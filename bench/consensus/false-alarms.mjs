// False alarms: findings of two reviewers that match one known issue, and one is shown as the opposite of the other.
import { percent, tableOf } from '../program.mjs';
import { judgePair } from './hand-pairs.mjs';
import { labelledPairs } from './measures.mjs';

/**
 * The share of alarms in each repository, and every alarm with both texts.
 * @param {Pick<import('./versions.mjs').Version, 'claimPair'>} version
 * @param {readonly import('./labelled-panels.mjs').ReadPanel[]} panels
 */
export async function falseAlarms(version, panels) {
  const rows = [];
  const alarms = [];
  /** @type {Record<string, number>} */
  const figures = {};
  for (const group of new Set(panels.map(panel => panel.group))) {
    let [all, wrong] = [0, 0];
    for (const { findings, issues, labelling, pull } of panels.filter(
      panel => panel.group === group,
    ))
      for (const { one, other } of labelledPairs({ findings, issues }).filter(
        ({ isSame }) => isSame,
      )) {
        const pair = [findings[one], findings[other]];
        all += 1;
        if (!(await judgePair(version, pair)).isAgainst) continue;
        wrong += 1;
        const texts = pair.map(({ reviewer, text }) => `  ${reviewer}: ${text}`);
        alarms.push([
          `False alarm in ${group}, pull request ${pull + 1} by ${labelling}`,
          ...texts,
        ]);
      }
    rows.push([group, all, wrong, percent(wrong / Math.max(all, 1))]);
    figures[`false alarms, ${group}`] = wrong / Math.max(all, 1);
  }
  const head = ['repository', 'pairs of one issue', 'shown as against', 'share'];
  return { text: [tableOf([head, ...rows]), ...alarms.flat()].join('\n').trimEnd(), figures };
}
