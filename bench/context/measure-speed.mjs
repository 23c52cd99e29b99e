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

/**
 * `refusal`: why there are no times.
 * @typedef {{ readonly ms: number, readonly cpuMs: number, readonly megabytes: number | null, readonly refusal: string | null }} TimedRun
 * @typedef {{ readonly root: string, readonly scratch: string, readonly dist: string }} Place
 */

/**
 * @typedef {typeof import('../../dist/adapters/git/repository.js')} RepositoryModule
 * @typedef {typeof import('../../dist/adapters/index/code-index.js')} IndexModule
 * @typedef {typeof import('../../dist/adapters/store/storage.js')} StorageModule
 * @typedef {typeof import('../../dist/library/own-state.js')} StateModule
 * @typedef {typeof import('../../dist/library/context/open-context.js')} ContextModule
 * @typedef {typeof import('../../dist/engine/context/pack-review-context.js')} PackModule
 * @typedef {typeof import('../../dist/adapters/system/clock.js')} ClockModule
 * @typedef {typeof import('../../dist/library/call.js')} CallModule
 */

const preloaded = new URL('usage-at-exit.mjs', import.meta.url).href;

/** Runs of each program, in turn, so that what else the machine does falls on all of them alike. */
const rounds = 5;

/**
 * Lines of text. `repomix`: folder of the pinned installation, or `null`; `dist`: the built tree.
 * @param {{ readonly repo: string, readonly dist: string, readonly repomix: string | null }} wanted
 */
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
      ...measurePrograms({ root, scratch, dist, repomix }),
      ...(await measureWithin({ root, scratch, dist })),
      ['packs of a review of 50 files', await measureLargeChange({ root, scratch, dist })],
    ];
    return [repo, ...rows.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @returns {string[][]} */
function measurePrograms(
  /** @type {Place & { readonly repomix: string | null }} */ { root, scratch, dist, repomix },
) {
  const state = path.join(scratch, 'state');
  const jury = (/** @type {string[]} */ ...words) =>
    measure([path.join(dist, 'cli/main.js'), ...words], {
      cwd: root,
      scratch,
      environment: { JURY_STATE: state },
    });
  const packed = (/** @type {string} */ folder, /** @type {string[]} */ ...words) =>
    measure(
      [
        repomixProgram(folder),
        '--quiet',
        ...words,
        '--output',
        path.join(scratch, 'repomix.xml'),
        root,
      ],
      { cwd: root, scratch, environment: {} },
    );
  const files = filesOf(root);
  /** @type {Map<string, TimedRun[]>} */
  const runs = new Map();
  const add = (/** @type {string} */ name, /** @type {TimedRun} */ run) =>
    runs.set(name, [...(runs.get(name) ?? []), run]);
  for (let round = 0; round < rounds; round += 1) {
    rmSync(state, { recursive: true, force: true });
    add('first index', jury('index'));
    add('index again, nothing changed', jury('index'));
    const file = files[round];
    if (file !== undefined) {
      appendFileSync(path.join(root, file), '\n');
      add('index again, one file changed', jury('index'));
    }
    add('search', jury('search', 'parse the options'));
    if (repomix === null) continue;
    add('Repomix over the same tree', packed(repomix));
    add('Repomix, compressed', packed(repomix, '--compress'));
  }
  if (repomix === null) return [...described(runs), ['Repomix', 'not installed, not measured']];
  return described(runs);
}

function described(/** @type {ReadonlyMap<string, readonly TimedRun[]>} */ runs) {
  return [...runs].map(([name, all]) => [name, describe(all)]);
}

/** Files of code of a usual size, the same ones every time. */
function filesOf(/** @type {string} */ root) {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => isCode(file) && existsSync(path.join(root, file)))
    .map(file => ({ file, bytes: statSync(path.join(root, file)).size }))
    .filter(({ bytes }) => bytes > 500 && bytes < 40_000)
    .toSorted((one, other) => Math.abs(one.bytes - 10_000) - Math.abs(other.bytes - 10_000))
    .map(({ file }) => file);
}

/**
 * Processor time with that of every child that was waited for, by the shell, which knows it.
 * @param {readonly string[]} words
 * @param {{ readonly cwd: string, readonly scratch: string, readonly environment: Readonly<Record<string, string>> }} where
 * @returns {TimedRun}
 */
function measure(words, { cwd, scratch, environment }) {
  const usage = path.join(scratch, 'usage.json');
  rmSync(usage, { force: true });
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      '"$@"; code=$?; times; exit $code',
      'sh',
      process.execPath,
      '--import',
      preloaded,
      ...words,
    ],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, ...environment, BENCH_USAGE: usage },
    },
  );
  const ms = performance.now() - began;
  const used = existsSync(usage) ? JSON.parse(readFileSync(usage, 'utf8')) : null;
  return {
    ms,
    cpuMs: childrenOf(stdout),
    megabytes: used?.megabytes ?? null,
    refusal: status === 0 ? null : `ended with ${status}: ${stderr.slice(-200)}`,
  };
}

/** The last line of `times`: minutes and seconds of the children, user and system. */
function childrenOf(/** @type {string} */ stdout) {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

function describe(/** @type {readonly TimedRun[]} */ runs) {
  const [refusal] = runs.flatMap(run => run.refusal ?? []);
  if (refusal !== undefined) return refusal;
  const megabytes = Math.max(...runs.map(run => run.megabytes ?? 0));
  return (
    `${spread(runs.map(({ ms }) => ms))}; processor ` +
    `${spread(runs.map(({ cpuMs }) => cpuMs))}${megabytes === 0 ? '' : `; at most ${Math.round(megabytes)} MB`}`
  );
}

function spread(/** @type {readonly number[]} */ times) {
  const sorted = times.toSorted((one, other) => one - other);
  return `${Math.round(sorted[0])} ms at least, ${Math.round(sorted[sorted.length >> 1])} in the middle of ${sorted.length}`;
}

/** What a process that keeps running pays: for one edited file, and for a search. */
async function measureWithin(/** @type {Place} */ { root, scratch, dist }) {
  const inside = insideOf(dist);
  const [{ openRepository }, { openCodeIndex }, { systemStorage }] =
    /** @type {[RepositoryModule, IndexModule, StorageModule]} */ (
      await Promise.all(
        [
          'adapters/git/repository.js',
          'adapters/index/code-index.js',
          'adapters/store/storage.js',
        ].map(inside),
      )
    );
  const state = path.join(scratch, 'within');
  mkdirSync(state, { mode: 0o700 });
  const repository = await openRepository(root);
  const tree = await repository.tree('HEAD');
  /** @type {Map<string, Uint8Array>} */
  const edited = new Map();
  const open = (/** @type {typeof tree} */ one) =>
    openCodeIndex(
      { root: state, project: root, ...systemStorage },
      {
        tree: one,
        read: async (/** @type {string} */ id) =>
          edited.get(id) ?? (await repository.content(id, 1 << 26)),
      },
    );
  let { index } = await open(tree);
  try {
    /** @type {Map<string, TimedRun[]>} */
    const runs = new Map();
    const time = async (/** @type {string} */ name, /** @type {() => unknown} */ work) => {
      const [began, before] = [performance.now(), process.cpuUsage()];
      await work();
      const used = process.cpuUsage(before);
      const run = {
        ms: performance.now() - began,
        cpuMs: (used.user + used.system) / 1000,
        megabytes: null,
        refusal: null,
      };
      runs.set(name, [...(runs.get(name) ?? []), run]);
    };
    const wanted = new Set(filesOf(root).slice(0, 20));
    for (const file of tree.files.filter(one => wanted.has(one.path))) {
      const before = await repository.content(file.id, 1 << 26);
      const id = `${file.id.slice(0, -8)}${String(edited.size).padStart(8, '0')}`;
      edited.set(id, Buffer.concat([before ?? Buffer.alloc(0), Buffer.from('\n')]));
      const files = tree.files.map(one => (one === file ? { ...one, id } : one));
      index.close();
      await time('one edited file, in a process that runs', async () => {
        ({ index } = await open({ ...tree, id: `${tree.id} ${edited.size}`, files }));
      });
      await time('a search, in a process that runs', () => index.search('parse the options', 10));
    }
    return described(runs);
  } finally {
    index.close();
    await repository.close();
  }
}

/** Fifty files, every line of which is new, for reviewers that are asked at once: the packs are made once for all of them. */
async function measureLargeChange(/** @type {Place} */ { root, scratch, dist }) {
  const inside = insideOf(dist);
  const files = filesOf(root).slice(0, 50);
  if (files.length === 0) return 'no files of code to change';
  try {
    const [git, state, contexts, packs, clock, calls] =
      /** @type {[RepositoryModule, StateModule, ContextModule, PackModule, ClockModule, CallModule]} */ (
        await Promise.all(
          [
            'adapters/git/repository.js',
            'library/own-state.js',
            'library/context/open-context.js',
            'engine/context/pack-review-context.js',
            'adapters/system/clock.js',
            'library/call.js',
          ].map(inside),
        )
      );
    execFileSync('git', ['checkout', '--quiet', '--force', 'HEAD'], { cwd: root });
    const call = calls.fillCall({
      cwd: root,
      environment: { ...process.env, JURY_STATE: path.join(scratch, 'own') },
    });
    mkdirSync(path.join(scratch, 'own'), { mode: 0o700, recursive: true });
    const repository = await git.openRepository(root);
    const own = await state.openState(root, call);
    const tree = { revision: 'HEAD', base: null, repository, state: own };
    const context = await contexts.openContextAt(tree, call);
    try {
      const change = changeOfAll(root, files);
      const world = { ...context, store: emptyStore(scratch), clock: clock.systemClock };
      const settings = {
        taskId: 'bench',
        goal: 'Review',
        capability: /** @type {const} */ ('reasoning_high'),
        caps: {},
      };
      const pack = (/** @type {ReturnType<typeof changeOfAll>} */ one) =>
        packs.packReviewContext(one, settings, world);
      // The rules of the scanner for secrets are loaded once for a process.
      await pack({ ...change, files: change.files.slice(0, 1) });
      const [began, usedBefore] = [performance.now(), process.cpuUsage()];
      const packed = await pack(change);
      for (let reviewer = 0; reviewer < 8; reviewer += 1) packed.around(new Set(files), 100_000);
      const used = process.cpuUsage(usedBefore);
      const places = packed.unshown === 0 ? '' : `, ${packed.unshown} places not shown`;
      return (
        `${Math.round(performance.now() - began)} ms, ${Math.round((used.user + used.system) / 1000)} ms ` +
        `of processor (${files.length} files, 8 reviewers${places})`
      );
    } finally {
      context.close();
      await repository.close();
    }
  } catch (error) {
    return `not measured: ${String(error)}`;
  }
}

/** Modules of a built tree, which may be another version than this one. */
function insideOf(/** @type {string} */ dist) {
  return (/** @type {string} */ name) => import(pathToFileURL(path.join(dist, name)).href);
}

/** @returns {import('../../dist/index.js').Change} */
function changeOfAll(/** @type {string} */ root, /** @type {readonly string[]} */ files) {
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

function emptyStore(/** @type {string} */ folder) {
  return {
    runId: 'bench',
    folder,
    copies: null,
    write: () => Promise.resolve(),
    append: () => Promise.resolve(),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
  };
}
