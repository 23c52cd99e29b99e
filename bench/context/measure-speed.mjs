// Times: the whole tree for the first time, one changed file, and the packs of a large change.
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCodeIndex } from '../../dist/adapters/index/code-index.js';
import { packReviewContext } from '../../dist/engine/context/pack-review-context.js';
import { openContextAt } from '../../dist/library/context/open-context.js';
import { systemClock } from '../../dist/adapters/system/clock.js';

const child = fileURLToPath(new URL('index-once.mjs', import.meta.url));

export async function measureSpeed({ root, repository, scratch }) {
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
    ['… Repomix packing the same tree', measureRepomix(root, scratch), '≥ 2 times slower'],
    [
      're-index after one changed file',
      `${Math.round(await measureOneFile(repository, scratch))} ms`,
      '< 150 ms',
    ],
    [
      'packs for 8 reviewers, 50 files, 500 KB',
      await measureLargeChange(repository, scratch),
      '< 2000 ms',
    ],
  ];
}

function measureRepomix(root, scratch) {
  const began = performance.now();
  const { status } = spawnSync(
    'repomix',
    ['--quiet', '--output', path.join(scratch, 'repomix.xml'), root],
    { stdio: 'ignore' },
  );
  return status === 0
    ? `${((performance.now() - began) / 1000).toFixed(1)} s`
    : 'not installed, not measured';
}

async function measureOneFile(repository, scratch) {
  const tree = await repository.tree('HEAD');
  const index = await openCodeIndex(scratch);
  try {
    await index.refresh(tree, id => repository.content(id, 64 << 20));
    const times = [];
    for (const round of [1, 2, 3]) {
      const file = tree.files.filter(
        ({ path: name, size }) =>
          /\.(?:[jt]sx?|py|go)$/.test(name) && size > 2_000 && size < 20_000,
      )[round * 7];
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
      .filter(
        ({ path: name, bytes }) =>
          /\.(?:[jt]sx?|py|go)$/.test(name) && bytes > 4_000 && bytes < 20_000,
      )
      .slice(0, 200)
      .toSorted((one, other) => Math.abs(one.bytes - 10_000) - Math.abs(other.bytes - 10_000))
      .slice(0, 50);
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
