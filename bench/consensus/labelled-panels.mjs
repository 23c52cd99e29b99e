// Reads labelled review data: per file one repository with pull requests, the known issues of each, and what each reviewer
// said about it in one or more labellings. Findings become Jury's own, with their text and what place and severity they state.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { severityOf, unstatedSeverity } from '../../dist/core/words/severity.js';
import { makeFinding, placeAt } from './finding.mjs';

/**
 * One panel for each pull request and labelling:
 * - `repository`: what a fit leaves out together; `group`: the repository as the data names it; `pull`: its number there
 * - `reviewers`, those included who found nothing
 * - `findings`, and for each in `issues` the known issue it was matched with, or null; `known`: the ids of all
 * - `grades`, for each finding: what an adjudicator made of it: `defect`, `non-material` (true, but a trifle),
 *   `false-finding` or `unresolved`; null where the data holds no such judgement
 */
export function readPanels(folder) {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .toSorted();
  return files.flatMap(name => {
    const { repository, pull_requests: pulls } = JSON.parse(
      readFileSync(path.join(folder, name), 'utf8'),
    );
    return pulls.flatMap(({ golden, panels }, pull) =>
      Object.entries(panels).map(([labelling, tools]) => ({
        repository,
        group: repository,
        pull,
        labelling,
        known: golden.map(issue => issue.id ?? issue),
        ...flatten(tools),
      })),
    );
  });
}

/**
 * What is left out of a fit together. Of several repositories it is each repository. A single one is parted into its pull
 * requests where there is data `beside` to fit on too, for what is fitted on one group alone knows only that group; without
 * such data nothing is left out (`isLeftOut` false). `isWhole`: whole repositories are left out.
 */
export function planFolds(panels, beside) {
  const isWhole = repositoriesOf(panels).length > 1;
  const isLeftOut = isWhole || beside.length > 0;
  return {
    panels:
      isLeftOut && !isWhole
        ? panels.map(panel => ({ ...panel, repository: `${panel.group} ${panel.pull + 1}` }))
        : panels,
    beside,
    isLeftOut,
    isWhole,
  };
}

function flatten(tools) {
  const said = Object.entries(tools).flatMap(([reviewer, list]) =>
    list.map((entry, index) => ({ reviewer, index, ...entry })),
  );
  return {
    reviewers: Object.keys(tools),
    findings: said.map(toFinding),
    issues: said.map(({ golden }) => golden ?? null),
    grades: said.map(({ label }) => label?.split(':')[0] ?? null),
  };
}

function toFinding({ reviewer, index, text, path: file, line, severity }) {
  return makeFinding(reviewer, index, text, {
    label: severity ?? '',
    severity: severityOf(severity ?? '') ?? unstatedSeverity,
    location: file ? placeAt(file, line ?? null) : null,
  });
}

/** The same panel with some of its reviewers. */
export function seat(panel, reviewers) {
  const kept = panel.findings
    .map((finding, index) => index)
    .filter(index => reviewers.includes(panel.findings[index].reviewer));
  return {
    ...panel,
    reviewers,
    findings: kept.map(index => panel.findings[index]),
    issues: kept.map(index => panel.issues[index]),
    grades: kept.map(index => panel.grades[index]),
  };
}

export function repositoriesOf(panels) {
  return [...new Set(panels.map(({ repository }) => repository))];
}

export function labellingsOf(panels) {
  return [...new Set(panels.map(({ labelling }) => labelling))];
}

/** Small panels of the same data, drawn with a fixed seed: models must also serve two or three reviewers. */
export function drawPanels(panel, sizes, seed = 1) {
  const next = createDraw(`${panel.group}/${panel.pull}/${seed}`);
  return sizes.map(size => seat(panel, shuffle(panel.reviewers, next).slice(0, size)));
}

/** Park and Miller's generator, started from a text: numbers from 0 to 1, the same ones each time. */
export function createDraw(text) {
  let state = 1;
  for (const character of text) state = (state * 31 + character.codePointAt(0)) % 2147483647;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

function shuffle(list, next) {
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  return shuffled;
}
