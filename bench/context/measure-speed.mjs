// Times of the index through its door, beside Repomix over the same tree, and of the packs that a review of a large change gets.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCode } from './commits.mjs';
import { repomixProgram } from './repomix.mjs';

const preloaded = new URL('usage-at-exit.mjs', import.meta.url).href;

/** Lines of text. `repomix`: folder of the pinned installation, or `null`; `dist`: the built tree. */
export async function measureSpeed({ repo, dist, repomix }) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'jury-bench-speed-'));
  try {
    const root = path.join(scratch, 'clone');
    execFileSync('git', [
      '-c',
      'advice.detachedHead=false',
      'clone',
      '--quiet',
      '--shared',
      repo,
      root,
    ]);
    const rows = [
      ...measureIndex({ root, scratch, dist }),
      ['Repomix over the same tree', measureRepomix(root, scratch, repomix)],
      ['packs of a review of 50 files', await measureLargeChange({ root, scratch, dist })],
    ];
    return [repo, ...rows.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function measureIndex({ root, scratch, dist }) {
  const index = () =>
    measure([path.join(dist, 'cli/main.js'), 'index'], {
      cwd: root,
      scratch,
      environment: { JURY_STATE: path.join(scratch, 'state') },
    });
  const cold = index();
  const same = index();
  const changed = filesOf(root)
    .slice(0, 3)
    .map(file => {
      appendFileSync(path.join(root, file), '\n');
      return index();
    });
  return [
    ['first index', describe(cold)],
    ['index again, nothing changed', describe(same)],
    [
      'index again, one file changed',
      changed[0] === undefined
        ? 'no file of code to change'
        : describe(changed.toSorted((one, other) => one.ms - other.ms)[changed.length >> 1]),
    ],
  ];
}

/** Files of code of a usual size, the same ones every time. */
function filesOf(root) {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => isCode(file) && existsSync(path.join(root, file)))
    .map(file => ({ file, bytes: statSync(path.join(root, file)).size }))
    .filter(({ bytes }) => bytes > 500 && bytes < 40_000)
    .toSorted((one, other) => Math.abs(one.bytes - 10_000) - Math.abs(other.bytes - 10_000))
    .map(({ file }) => file);
}

function measureRepomix(root, scratch, folder) {
  if (folder === null) return 'not installed, not measured';
  const output = path.join(scratch, 'repomix.xml');
  return describe(
    measure([repomixProgram(folder), '--quiet', '--output', output, root], {
      cwd: root,
      scratch,
      environment: {},
    }),
  );
}

function measure(words, { cwd, scratch, environment }) {
  const usage = path.join(scratch, 'usage.json');
  rmSync(usage, { force: true });
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', preloaded, ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment, BENCH_USAGE: usage },
  });
  const ms = performance.now() - began;
  const used = existsSync(usage) ? JSON.parse(readFileSync(usage, 'utf8')) : null;
  return { ms, used, refusal: status === 0 ? null : `ended with ${status}: ${stderr.slice(-200)}` };
}

function describe({ ms, used, refusal }) {
  if (refusal !== null) return refusal;
  const more =
    used === null
      ? ''
      : `, ${Math.round(used.cpuMs)} ms of processor, ${Math.round(used.megabytes)} MB`;
  return `${Math.round(ms)} ms${more}`;
}

/** Fifty files, every line of which is new, for reviewers that are asked at once: the packs are made once for all of them. */
async function measureLargeChange({ root, scratch, dist }) {
  const inside = name => import(pathToFileURL(path.join(dist, name)).href);
  const files = filesOf(root).slice(0, 50);
  if (files.length === 0) return 'no files of code to change';
  try {
    const [git, state, contexts, packs, clock] = await Promise.all(
      [
        'adapters/git/repository.js',
        'library/own-state.js',
        'library/context/open-context.js',
        'engine/context/pack-review-context.js',
        'adapters/system/clock.js',
      ].map(inside),
    );
    execFileSync('git', ['checkout', '--quiet', '--force', 'HEAD'], { cwd: root });
    const call = {
      cwd: root,
      environment: { ...process.env, JURY_STATE: path.join(scratch, 'own') },
    };
    mkdirSync(path.join(scratch, 'own'), { mode: 0o700, recursive: true });
    const repository = await git.openRepository(root);
    const own = await state.openState(root, call);
    const tree = { revision: 'HEAD', base: null, repository, state: own };
    const context = await contexts.openContextAt(tree, call);
    try {
      const change = changeOfAll(root, files);
      const world = { ...context, store: emptyStore(scratch), clock: clock.systemClock };
      const settings = { taskId: 'bench', goal: 'Review', capability: 'reasoning_high', caps: {} };
      const pack = one => packs.packReviewContext(one, settings, world);
      // The rules of the scanner for secrets are loaded once for a process.
      await pack({ ...change, files: change.files.slice(0, 1) });
      const [began, usedBefore] = [performance.now(), process.cpuUsage()];
      const packed = await pack(change);
      for (let reviewer = 0; reviewer < 8; reviewer += 1) packed.around(new Set(files), 100_000);
      const used = process.cpuUsage(usedBefore);
      const places = packed.unshown === 0 ? '' : `, ${packed.unshown} places not shown`;
      return `${Math.round(performance.now() - began)} ms, ${Math.round((used.user + used.system) / 1000)} ms of processor (${files.length} files, 8 reviewers, ${packed.packs} packs${places})`;
    } finally {
      context.close();
      await repository.close();
    }
  } catch (error) {
    return `not measured: ${error.message}`;
  }
}

function changeOfAll(root, files) {
  return {
    kind: 'change',
    source: 'range',
    base: null,
    head: null,
    title: 'large',
    warnings: [],
    files: files.map(file => {
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, -1);
      return {
        path: file,
        oldPath: null,
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        oldId: '0',
        newId: '1',
        content: 'text',
        additions: lines.length,
        deletions: 0,
        hunks: [
          {
            oldStart: 0,
            oldLines: 0,
            newStart: 1,
            newLines: lines.length,
            heading: '',
            lines: lines.map(line => `+${line}`),
          },
        ],
      };
    }),
  };
}

function emptyStore(folder) {
  return {
    runId: 'bench',
    folder,
    write: () => Promise.resolve(),
    append: () => Promise.resolve(),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
  };
}
