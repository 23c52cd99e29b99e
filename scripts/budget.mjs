// `node scripts/budget.mjs [--write]`: no figure of `budget.json` rises unnoticed. Exit code 1 when the tree is above one and the last
// commit does not say why, or when a commit has raised one and does not: in a line `budget: …` of its message. `--write` writes the
// figures of today. The settings of the formatter are among them: wider lines would make a file smaller on paper.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listNames, weigh } from './measure.mjs';
import { root as project } from './setup.mjs';

/** @typedef {Record<string, number | string>} Figures by name; those of settings are digests */

const processes = 'processes of npm test';
const formatter = 'settings of the formatter';
const reason = /^budget:[ \t]*\S/m;
/** Share of a figure: below it by more than that, the budget should be lowered. */
const slack = 0.01;

/**
 * Sentences: `faults` are red, `notes` ask for something, `rows` tell the figures of the tree in `root`. What is not committed counts
 * as it lies there.
 */
export function judgeBudget(/** @type {string} */ root) {
  const allowed = readBudget(root);
  const [head = '', message = ''] = git(root, 'log', '-1', '--format=%H%x1f%B').split('\x1f');
  const measured = measureTree(root, head);
  const above = Object.keys(allowed)
    .filter(name => name in measured && isAbove(measured[name], mostOf(name, allowed)))
    .map(name => describeRise(name, allowed, measured));
  const isExcused = reason.test(message);
  const history = judgeHistory(root, allowed);
  return {
    rows: Object.entries(measured).map(([name, figure]) => describeFigure(name, figure, allowed)),
    faults: [...(isExcused ? [] : above), ...history.faults],
    notes: [
      ...(isExcused ? above.map(sentence => `Excused by the last commit: ${sentence}`) : []),
      ...(processes in measured
        ? []
        : [`${processes}: not measured at this commit; run npm test first.`]),
      ...Object.keys(measured)
        .filter(
          name =>
            !(name in allowed) || Number(measured[name]) < Number(allowed[name]) * (1 - slack),
        )
        .map(
          name => `${name}: node scripts/budget.mjs --write puts today's figure into the budget.`,
        ),
      ...history.notes,
    ],
  };
}

/** Raises too; the commit must then say why. */
export function writeBudget(/** @type {string} */ root) {
  const figures = {
    ...readBudget(root),
    ...measureTree(root, git(root, 'rev-parse', 'HEAD').trim()),
  };
  writeFileSync(path.join(root, 'budget.json'), `${JSON.stringify(figures, null, 2)}\n`);
}

/** @returns {Figures} */
function readBudget(/** @type {string} */ root) {
  const file = path.join(root, 'budget.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * Without the figure of the processes where `npm test` has not run whole at `head`.
 * @returns {Figures}
 */
function measureTree(/** @type {string} */ root, /** @type {string} */ head) {
  const names = listNames(root);
  const file = path.join(root, 'node_modules', '.cache', 'jury', 'processes.json');
  /** @type {{ commit: string, started: number } | { commit?: undefined, started?: undefined }} */
  const { commit, started } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return {
    ...weigh(root, names),
    ...(commit === head && { [processes]: started }),
    [formatter]: digestFormatter(root, names),
  };
}

/** Whatever Prettier reads its settings from, with the key of `package.json`. */
function digestFormatter(/** @type {string} */ root, /** @type {readonly string[]} */ names) {
  const textOf = (/** @type {string} */ name) => readFileSync(path.join(root, name), 'utf8');
  const settings = names
    .filter(name => /(^|\/)(\.prettier(rc|ignore)|prettier\.config\.|\.editorconfig)/.test(name))
    .toSorted()
    .map(name => [name, textOf(name)]);
  const { prettier = null } = names.includes('package.json')
    ? JSON.parse(textOf('package.json'))
    : {};
  return createHash('sha256')
    .update(JSON.stringify([settings, prettier]))
    .digest('hex')
    .slice(0, 16);
}

/** A test that waits for something may start a process more or less. */
function mostOf(/** @type {string} */ name, /** @type {Figures} */ allowed) {
  return name === processes ? Number(allowed[name]) * (1 + slack) : allowed[name];
}

/** Settings are neither more nor less: other ones count as risen. */
function isAbove(/** @type {Figures[string]} */ figure, /** @type {Figures[string]} */ most) {
  return typeof most === 'number' ? !(Number(figure) <= most) : figure !== most;
}

const shown = (/** @type {Figures[string]} */ figure) =>
  typeof figure === 'number' ? figure.toLocaleString('en') : figure;

function describeFigure(
  /** @type {string} */ name,
  /** @type {Figures[string]} */ figure,
  /** @type {Figures} */ allowed,
) {
  const below = Number(allowed[name]) - Number(figure);
  const distance =
    below > 0
      ? ` (${shown(below)} below the budget)`
      : below < 0
        ? ` (${shown(-below)} above)`
        : '';
  return `${name.padEnd(40)}${shown(figure).padStart(18)}${distance}`;
}

function describeRise(
  /** @type {string} */ name,
  /** @type {Figures} */ allowed,
  /** @type {Figures} */ measured,
) {
  const mend = name === formatter ? 'Put them back' : 'Take as much away';
  return (
    `${name}: ${shown(allowed[name])} allowed, ${shown(measured[name])} measured. ${mend}, or run ` +
    '"node scripts/budget.mjs --write" and say why in a line "budget: …" of the message of the commit.'
  );
}

/** Every commit that has touched the budget, as far as this clone knows them, and what is not committed yet. */
function judgeHistory(/** @type {string} */ root, /** @type {Figures} */ current) {
  const commits = git(root, 'log', '--format=%H%x1f%P%x1f%B%x1e', '--', 'budget.json')
    .split('\x1e')
    .map(entry => entry.trim().split('\x1f'))
    .filter(([id]) => id !== '')
    .map(([id = '', parents = '', message = '']) => ({
      id,
      parents: parents.split(' ').filter(Boolean),
      message,
    }));
  const budgets = readBudgets(root, [
    'HEAD',
    ...commits.flatMap(({ id, parents }) => [id, ...parents]),
  ]);
  const rises = (/** @type {Figures} */ after, /** @type {readonly string[]} */ parents) =>
    risesFrom(
      parents.map(id => budgets.get(id)),
      after,
    );
  const uncommitted = rises(current, ['HEAD']);
  // Where a clone is cut off a commit has no parents.
  const isShallow =
    commits.some(({ parents }) => parents.length === 0) &&
    git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true';
  return {
    faults: commits
      .filter(({ message }) => !reason.test(message))
      .map(({ id, parents }) => ({ id, names: rises(budgets.get(id) ?? {}, parents) }))
      .filter(({ names }) => names.length > 0)
      .map(
        ({ id, names }) =>
          `${id.slice(0, 10)} raises the budget (${names.join(', ')}) and does not say why: its message needs a line "budget: …".`,
      ),
    notes: [
      ...(uncommitted.length > 0
        ? [
            `Raised, not committed: ${uncommitted.join(', ')}. The message needs a line "budget: …".`,
          ]
        : []),
      ...(isShallow
        ? ['The history is cut off here: earlier changes of the budget were not seen.']
        : []),
    ],
  };
}

/** What is above every parent that has a budget, or in it no more: a merge raises nothing that one of its parents has. */
function risesFrom(
  /** @type {readonly (Figures | undefined)[]} */ parents,
  /** @type {Figures} */ after,
) {
  const risen = parents
    .filter(before => before !== undefined)
    .map(before =>
      Object.keys(before).filter(name => !(name in after) || isAbove(after[name], before[name])),
    );
  return (risen[0] ?? []).filter(name => risen.every(names => names.includes(name)));
}

/** The budgets of commits; of those that have none, or are not here, nothing. One process for all. */
function readBudgets(/** @type {string} */ root, /** @type {readonly string[]} */ commits) {
  const input = commits.map(id => `${id}:budget.json\n`).join('');
  const words = ['cat-file', '--batch=%(objecttype) %(objectsize)'];
  let rest = execFileSync('git', words, { cwd: root, input, maxBuffer: 1 << 28 });
  /** @type {Map<string, Figures>} */
  const budgets = new Map();
  for (const id of commits) {
    const end = rest.indexOf('\n');
    const [, size] = /^blob (\d+)$/.exec(rest.subarray(0, end).toString()) ?? [];
    rest = rest.subarray(end + 1);
    if (size === undefined) continue;
    budgets.set(id, JSON.parse(rest.subarray(0, Number(size)).toString()));
    rest = rest.subarray(Number(size) + 1);
  }
  return budgets;
}

function git(/** @type {string} */ root, /** @type {readonly string[]} */ ...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeBudget(project);
  const { rows, faults, notes } = judgeBudget(project);
  console.log([...rows, ...notes.map(note => `note: ${note}`)].join('\n'));
  for (const fault of faults) console.error(`budget: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
