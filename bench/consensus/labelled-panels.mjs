// Reads labelled review data: per file one repository with pull requests, the known issues of each, and what each reviewer
// said about it in one or more labellings. Findings become Jury's own, with their text and what place and severity they state.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fractionsFrom, readJson } from '../program.mjs';
import { readRemark } from './finding.mjs';

/**
 * One panel for each pull request and labelling, as it is measured:
 * - `set`: the folder that it was read from; `group`: the repository as the data names it; `pull`: its number there
 * - `repository`: what a fit leaves out together
 * - `reviewers`, those included who found nothing
 * - `findings`, and for each in `issues` the known issue it was matched with, or null; `known`: the ids of all
 * - `grades`, for each finding: what an adjudicator made of it: `defect`, `non-material` (true, but a trifle),
 *   `false-finding` or `unresolved`; null where the data holds no such judgement
 * @typedef {{ readonly set: string, readonly repository: string, readonly group: string, readonly pull: number,
 *   readonly labelling: string, readonly known: readonly string[], readonly reviewers: readonly string[],
 *   readonly findings: readonly { readonly reviewer: string, readonly text: string }[],
 *   readonly issues: readonly (string | null)[], readonly grades: readonly (string | null)[] }} Panel
 */

/**
 * The same with findings that can be matched.
 * @typedef {Panel & { readonly findings: readonly import('./finding.mjs').Finding[] }} ReadPanel
 */

/**
 * As the data have it: by labelling and reviewer.
 * @typedef {import('./finding.mjs').Remark & { readonly golden?: string | null, readonly label?: string }} Remark
 * @typedef {Readonly<Record<string, readonly Remark[]>>} Remarks
 * @typedef {{ readonly repository: string, readonly pull_requests: readonly {
 *   readonly golden: readonly (string | { readonly id: string })[], readonly panels: Readonly<Record<string, Remarks>> }[] }} LabelledData
 */

/** @returns {ReadPanel[]} */
export function readPanels(/** @type {string} */ folder) {
  const set = path.basename(path.resolve(folder));
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .toSorted();
  return files.flatMap(name => {
    const data = readJson(path.join(folder, name));
    if (!Array.isArray(data.pull_requests))
      throw new Error(
        `${path.join(folder, name)}: no labelled findings, for it lists no pull_requests.`,
      );
    return panelsOf(data, set);
  });
}

/**
 * @param {LabelledData} data
 * @param {string} set
 * @returns {ReadPanel[]}
 */
export function panelsOf({ repository, pull_requests: pulls }, set) {
  return pulls.flatMap(({ golden, panels }, pull) =>
    Object.entries(panels).map(([labelling, tools]) => ({
      set,
      repository,
      group: repository,
      pull,
      labelling,
      known: golden.map(issue => (typeof issue === 'string' ? issue : issue.id)),
      ...flatten(tools),
    })),
  );
}

/**
 * What is measured and what is only fitted on: each `repository` of `panels` is left out of a fit in its turn.
 * @template {Panel} P
 * @typedef {{ readonly panels: readonly P[], readonly beside: readonly P[] }} Folds
 */

/**
 * Leaves out one repository. A set with a single repository is parted into its pull requests: left out whole, it would be
 * left out as a set. Null where nothing would be left to fit on.
 * @template {Panel} P
 * @param {readonly P[]} panels
 * @param {readonly P[]} beside
 * @returns {Folds<P> | null}
 */
export function foldByRepository(panels, beside) {
  const groups = new Set([...panels, ...beside].map(({ group }) => group));
  if (groups.size < 2) return null;
  const parted = panels.map(panel => {
    const isAlone = panels.every(({ set, group }) => set !== panel.set || group === panel.group);
    return isAlone ? { ...panel, repository: `${panel.group} ${panel.pull + 1}` } : panel;
  });
  return { panels: parted, beside };
}

/**
 * Leaves out one set, in folds of their own; none where there is no other set to fit on.
 * @template {Panel} P
 * @param {readonly P[]} panels
 * @param {readonly P[]} beside
 * @returns {Folds<P>[]}
 */
export function foldsBySet(panels, beside) {
  return [...new Set(panels.map(({ set }) => set))].flatMap(set => {
    const own = panels.filter(panel => panel.set === set);
    const others = [...panels.filter(panel => panel.set !== set), ...beside];
    return others.length === 0
      ? []
      : [{ panels: own.map(panel => ({ ...panel, repository: set })), beside: others }];
  });
}

function flatten(/** @type {Remarks} */ tools) {
  const said = Object.entries(tools).flatMap(([reviewer, list]) =>
    list.map((entry, index) => ({ reviewer, index, ...entry })),
  );
  return {
    reviewers: Object.keys(tools),
    findings: said.map(({ reviewer, index, ...remark }) => readRemark(reviewer, index, remark)),
    issues: said.map(({ golden }) => golden ?? null),
    grades: said.map(({ label }) => label?.split(':')[0] ?? null),
  };
}

/**
 * The same panel with some of its reviewers.
 * @template {Panel} P
 * @param {P} panel
 * @param {readonly string[]} reviewers
 * @returns {P}
 */
export function seat(panel, reviewers) {
  const kept = panel.findings
    .map((_, index) => index)
    .filter(index => reviewers.includes(panel.findings[index].reviewer));
  return {
    ...panel,
    reviewers,
    findings: kept.map(index => panel.findings[index]),
    issues: kept.map(index => panel.issues[index]),
    grades: kept.map(index => panel.grades[index]),
  };
}

export function repositoriesOf(/** @type {readonly Pick<Panel, 'repository'>[]} */ panels) {
  return [...new Set(panels.map(({ repository }) => repository))];
}

export function labellingsOf(/** @type {readonly Pick<Panel, 'labelling'>[]} */ panels) {
  return [...new Set(panels.map(({ labelling }) => labelling))];
}

/**
 * Small panels of the same data, drawn with a fixed seed: models must also serve two or three reviewers.
 * @template {Panel} P
 * @param {P} panel
 * @param {readonly number[]} sizes
 */
export function drawPanels(panel, sizes, seed = 1) {
  const next = createDraw(`${panel.group}/${panel.pull}/${seed}`);
  return sizes.map(size => seat(panel, shuffle(panel.reviewers, next).slice(0, size)));
}

/** Park and Miller's generator, started from a text: numbers from 0 to 1, the same ones each time. */
export function createDraw(/** @type {string} */ text) {
  let state = 1;
  for (const character of text)
    state = (state * 31 + Number(character.codePointAt(0))) % 2147483647;
  return fractionsFrom(state);
}

function shuffle(/** @type {readonly string[]} */ list, /** @type {() => number} */ next) {
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  return shuffled;
}
