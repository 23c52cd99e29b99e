// What the second review of a branch costs over the first, as a model server sees it: calls and tokens. Files that have not changed
// and are asked about again, since they use what has, are told apart. Branches of the history here are shown beside the made ones and
// not judged: they are others with every commit, and a small one is mostly instructions.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cloneHistory, makeBranch, patchesOf, pushes } from './pushes/branches.mjs';
import { startCountingServer } from './pushes/counting-server.mjs';

export const title =
  'tokens of a second review over the first, beyond the share of the branch that it is about';
export const aim = 0.15;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Commits of the history of this repository that make a branch. */
const commits = [4, 8];

export async function measure() {
  const rows = [];
  for (const [name, push] of Object.entries(pushes))
    rows.push(
      await inFolder(name, root => {
        const git = makeBranch(root);
        return { git, isMade: true, next: () => push({ root, git }) };
      }),
    );
  for (const amount of commits)
    rows.push(
      await inFolder(`the last of ${amount} commits here`, root => cloneHistory(root, amount)),
    );
  const measured = rows.filter(row => row !== null);
  print(measured);
  const made = measured.filter(({ isMade }) => isMade);
  const worst = made.toSorted((one, other) => beyond(other) - beyond(one))[0];
  return {
    ratio: beyond(worst),
    detail: `${made.length} branches, the worst: ${worst.name}`,
  };
}

const beyond = ({ changed, leaning, ratio }) => ratio - changed - leaning;

/** Null where there is no such branch. */
async function inFolder(name, open) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-pushes-'));
  const server = await startCountingServer();
  try {
    const root = path.join(folder, 'repository');
    const branch = open(root);
    if (branch === null) return null;
    const config = writePanel(path.join(folder, 'panel'), server.url);
    const before = patchesOf(branch.git);
    const first = await review(root, config, server);
    branch.next();
    const after = patchesOf(branch.git);
    const second = await review(root, config, server);
    return {
      name,
      isMade: branch.isMade === true,
      ...sharesOf(before, after, second.record),
      ratio: second.tokens / first.tokens,
      first,
      second,
      carried: second.record.carried,
    };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writePanel(folder, url) {
  mkdirSync(folder);
  const config = path.join(folder, 'jury.config.yaml');
  const seats = ['alpha', 'beta', 'gamma'].map(
    id =>
      `  - { id: ${id}, runner: api, model: openai-compatible/scripted, baseUrl: '${url}', context: 400000 }`,
  );
  writeFileSync(config, `failOn: [never]\nreviewers:\n${seats.join('\n')}\n`);
  return config;
}

function review(root, config, server) {
  const child = spawn(
    process.execPath,
    [jury, 'review', 'main..work', '--cover', 'all', '--config', config, '--format', 'json'],
    {
      cwd: root,
      env: { ...process.env, JURY_STATE: path.join(root, '../state') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [out, told] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => (out += text));
  child.stderr.setEncoding('utf8').on('data', text => (told += text));
  return new Promise((resolve, reject) => {
    child.once('close', code => {
      // INCOMPLETE where the history touches what a person must look at: reviewers are asked all the same.
      if (code !== 0 && code !== 2)
        reject(new Error(`jury ended with ${code}: ${told.slice(0, 2_000)}`));
      else resolve({ ...server.take(), record: JSON.parse(out) });
    });
  });
}

/** Of the bytes that are reviewed now, those in files whose patch was another or none, and those that somebody was asked about again. */
function sharesOf(before, after, { coverage }) {
  const kept = new Set(coverage.files.filter(file => file.kept).map(file => file.path));
  let [all, changed, leaning] = [0, 0, 0];
  for (const [name, patch] of after) {
    all += patch.length;
    if (before.get(name) !== patch) changed += patch.length;
    else if (!kept.has(name)) leaning += patch.length;
  }
  return { changed: changed / all, leaning: leaning / all };
}

const percent = share => `${(100 * share).toFixed(1)} %`;

function print(rows) {
  const table = [
    [
      'branch',
      'changed',
      'leaning',
      'calls',
      'then',
      'tokens',
      'then',
      'second over first',
      'asked',
      'kept',
    ],
    ...rows.map(({ name, changed, leaning, ratio, first, second, carried }) => [
      name,
      percent(changed),
      percent(leaning),
      String(first.calls),
      String(second.calls),
      String(first.tokens),
      String(second.tokens),
      percent(ratio),
      String(carried?.asked ?? 'all'),
      String(carried?.kept ?? 0),
    ]),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)));
  for (const row of table)
    console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
}
