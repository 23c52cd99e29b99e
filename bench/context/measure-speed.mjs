// Times: the whole tree for the first time, one changed file, and the packs of a large change.
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCode } from './commits.mjs';
import { openRepository } from '../../dist/adapters/git/repository.js';
import { repomixProgram } from './repomix.mjs';
import { openCodeIndex } from '../../dist/adapters/index/code-index.js';
import { packReviewContext } from '../../dist/engine/context/pack-review-context.js';
import { openContextAt } from '../../dist/library/context/open-context.js';
import { systemClock } from '../../dist/adapters/system/clock.js';

const child = fileURLToPath(new URL('index-once.mjs', import.meta.url));

/** Lines of text. `repomix`: folder of the pinned installation, or `null`. */
export async function measureSpeed(root, repomix) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'jury-bench-speed-'));
  const repository = await openRepository(root);
  try {
    const rows = await measureAll({ root, repository, scratch, repomix });
    return [
      path.basename(root),
      ...rows.map(
        ([name, value, aim]) => `  ${name}: ${value}${aim === '' ? '' : ` (aim ${aim})`}`,
      ),
    ].join('\n');
  } finally {
    await repository.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measureAll({ root, repository, scratch, repomix }) {
  const cold = JSON.parse(
    execFileSync(process.execPath, [child, root, mkdtempSync(path.join(scratch, 'cold-'))], {
      encoding: 'utf8',
    }),
  );
  return [
    [
      `cold index of ${cold.files} files`,
      `${(cold.ms / 1000).toFixed(1)} s, ${Math.round(cold.megabytes)} MB`,
      '',
    ],
    ['… Repomix packing the same tree', measureRepomix(root, scratch, repomix), 'slower'],
    [
      're-index after one changed file',
      millisecondsOf(await measureOneFile(repository, scratch)),
      '< 150 ms',
    ],
    [
      'packs for 8 reviewers, 50 files, 500 KB',
      await measureLargeChange(repository, scratch),
      '< 2000 ms',
    ],
  ];
}

const millisecondsOf = ms => (ms === null ? 'no file of code to change' : `${Math.round(ms)} ms`);

function measureRepomix(root, scratch, folder) {
  if (folder === null) return 'not installed, not measured';
  const began = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [repomixProgram(folder), '--quiet', '--output', path.join(scratch, 'repomix.xml'), root],
    { stdio: 'ignore' },
  );
  return status === 0
    ? `${((performance.now() - began) / 1000).toFixed(1)} s`
    : `ended with ${status}, not measured`;
}

async function measureOneFile(repository, scratch) {
  const tree = await repository.tree('HEAD');
  const index = await openCodeIndex(scratch);
  try {
    await index.refresh(tree, id => repository.content(id, 64 << 20));
    const times = [];
    const suitable = tree.files.filter(
      ({ path: name, size }) => isCode(name) && size > 500 && size < 40_000,
    );
    if (suitable.length === 0) return null;
    for (const round of [1, 2, 3]) {
      const file = suitable[(round * 7) % suitable.length];
      const bytes = Buffer.concat([
        await repository.content(file.id, 1 << 20),
        Buffer.from(`\n// ${round}\n`),
      ]);
      const id = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
      const changed = {
        ...tree,
        id: `${round}${tree.id.slice(1)}`,
        files: tree.files.map(one => (one === file ? { ...one, id, size: bytes.length } : one)),
      };
      const began = performance.now();
      await index.refresh(changed, wanted =>
        wanted === id ? Promise.resolve(bytes) : repository.content(wanted, 64 << 20),
      );
      times.push(performance.now() - began);
    }
    return times.toSorted((one, other) => one - other)[1];
  } finally {
    index.close();
  }
}

/** Fifty files, every line of which is new. */
async function measureLargeChange(repository, scratch) {
  const context = await openContextAt('HEAD', repository, scratch, {
    cwd: scratch,
    environment: {},
  });
  try {
    const chosen = context.index
      .files()
      .filter(({ path: name, bytes }) => isCode(name) && bytes > 2_000 && bytes < 40_000)
      .slice(0, 200)
      .toSorted((one, other) => Math.abs(one.bytes - 10_000) - Math.abs(other.bytes - 10_000))
      .slice(0, 50);
    if (chosen.length === 0) return 'no files of code to change';
    const files = await Promise.all(
      chosen.map(async ({ path: name }) => {
        const lines = (await context.read(name)).split('\n').slice(0, -1);
        return {
          path: name,
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
    );
    const kilobytes = Math.round(chosen.reduce((sum, { bytes }) => sum + bytes, 0) / 1024);
    const store = {
      runId: 'bench',
      folder: scratch,
      write: () => Promise.resolve(),
      append: () => Promise.resolve(),
      read: () => Promise.resolve(null),
      list: () => Promise.resolve([]),
    };
    const pack = changed =>
      packReviewContext(
        {
          kind: 'change',
          source: 'range',
          base: null,
          head: null,
          title: 'large',
          files: changed,
          warnings: [],
        },
        { taskId: 'bench', goal: 'Review', capability: 'reasoning_high', caps: {} },
        { ...context, store, clock: systemClock },
      );
    // The rules of the scanner for secrets are loaded once for a process.
    await pack(files.slice(0, 1));
    const [began, usedBefore] = [performance.now(), process.cpuUsage()];
    const packed = await pack(files);
    for (let reviewer = 0; reviewer < 8; reviewer += 1)
      packed.around(new Set(files.map(file => file.path)), 100_000);
    const used = process.cpuUsage(usedBefore);
    return `${Math.round(performance.now() - began)} ms, ${Math.round((used.user + used.system) / 1000)} ms of processor (${files.length} files, ${kilobytes} KB, ${packed.packs} packs${packed.unshown === 0 ? '' : `, ${packed.unshown} places not shown`})`;
  } finally {
    context.close();
  }
}
