// What the second review of a branch costs over the first, as a model server sees it: calls and tokens. Files that have not changed
// and are asked about again, since they use what has, are told apart. Branches of the history here are shown beside the made ones and
// not judged: they are others with every commit, and a small one is mostly instructions.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder, percent, runRecorded, tableOf } from './program.mjs';
import { cloneHistory, makeBranch, patchesOf, pushes } from './pushes/branches.mjs';
import { startModelServers } from './votes/model-servers.mjs';

export const title =
  'tokens of a second review over the first, beyond the share of the branch that it is about';
export const aim = 0.15;

const panel = ['alpha', 'beta', 'gamma'];

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const rows = [];
  const isFull = size === 'full';
  for (const [name, push] of Object.entries(pushes).slice(0, isFull ? undefined : 1))
    rows.push(
      await reviewTwice(name, isFull ? panel : panel.slice(0, 1), root => {
        const git = makeBranch(root, isFull ? 20 : 4);
        return { git, isMade: true, next: () => push({ root, git }) };
      }),
    );
  // Commits of the history of this repository that make a branch.
  for (const amount of isFull ? [4, 8] : [])
    rows.push(
      await reviewTwice(`the last of ${amount} commits here`, panel, root =>
        cloneHistory(root, amount),
      ),
    );
  const measured = rows.filter(row => row !== null);
  console.log(tableOf([head, ...measured.map(cellsOf)]));
  const made = measured.filter(({ isMade }) => isMade);
  const worst = made.toSorted((one, other) => beyond(other) - beyond(one))[0];
  return {
    figure: beyond(worst),
    detail: `${made.length} branches, the worst: ${worst?.name}`,
  };
}

/** @typedef {Readonly<Record<'changed' | 'dependants' | 'ratio', number>>} Shares */

function beyond(/** @type {Shares | undefined} */ shares) {
  return shares === undefined ? NaN : shares.ratio - shares.changed - shares.dependants;
}

/**
 * Null where there is no such branch.
 * @param {string} name
 * @param {readonly string[]} reviewers
 * @param {(root: string) => import('./pushes/branches.mjs').Branch | null} open
 */
function reviewTwice(name, reviewers, open) {
  return inFolder(async folder => {
    const root = path.join(folder, 'repository');
    const branch = open(root);
    if (branch === null) return null;
    const server = await startModelServers([{ model: 'scripted', price: { input: 0, output: 0 } }]);
    server.set({ answer: () => 'None\n\nVERDICT: safe\n\nEND OF ANSWER\n' });
    try {
      const config = writePanel(path.join(folder, 'panel'), reviewers, server.endpoints[0]?.url);
      // INCOMPLETE where the history touches what a person must look at: reviewers are asked all the same.
      const review = async () => {
        const args = ['review', 'main..work', '--cover', 'all', '--config', config];
        const { record } = await runRecorded(args, root);
        return { ...server.take(), record };
      };
      const before = patchesOf(branch.git);
      const first = await review();
      branch.next();
      const after = patchesOf(branch.git);
      const second = await review();
      return {
        name,
        isMade: branch.isMade,
        ...sharesOf(before, after, second.record),
        ratio: second.tokens / first.tokens,
        first,
        second,
        carried: second.record.carried,
      };
    } finally {
      await server.close();
    }
  });
}

/**
 * @param {string} folder
 * @param {readonly string[]} reviewers
 * @param {string | undefined} url
 */
function writePanel(folder, reviewers, url) {
  mkdirSync(folder);
  const config = path.join(folder, 'jury.config.yaml');
  const seats = reviewers.map(
    id =>
      `  - { id: ${id}, runner: api, model: openai-compatible/scripted, baseUrl: '${url}', context: 400000 }`,
  );
  writeFileSync(config, `failOn: [never]\nreviewers:\n${seats.join('\n')}\n`);
  return config;
}

/**
 * Of the bytes that are reviewed now, those in files whose patch was another or none, and those that somebody was asked about again.
 * @param {ReturnType<typeof patchesOf>} before
 * @param {ReturnType<typeof patchesOf>} after
 * @param {import('../dist/index.js').RunRecord} record
 */
function sharesOf(before, after, { coverage }) {
  const kept = new Set(coverage.files.filter(file => file.kept).map(file => file.path));
  let [all, changed, dependants] = [0, 0, 0];
  for (const [name, patch] of after) {
    all += patch.length;
    if (before.get(name) !== patch) changed += patch.length;
    else if (!kept.has(name)) dependants += patch.length;
  }
  return { changed: changed / all, dependants: dependants / all };
}

const head = [
  'branch',
  'changed',
  'dependants',
  'calls',
  'then',
  'tokens',
  'then',
  'second over first',
  'asked',
  'kept',
];

/** @param {NonNullable<Awaited<ReturnType<typeof reviewTwice>>>} row */
function cellsOf({ name, changed, dependants, ratio, first, second, carried }) {
  return [
    name,
    percent(changed, 1),
    percent(dependants, 1),
    first.calls,
    second.calls,
    first.tokens,
    second.tokens,
    percent(ratio, 1),
    carried?.asked ?? 'all',
    carried?.kept ?? 0,
  ];
}
