// Runs every measurement on one repository and prints the table.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { openRepository } from '../../dist/adapters/git/repository.js';
import { measureCommit } from './measure-commit.mjs';
import { measureRecall } from './measure-recall.mjs';
import { measureSpeed } from './measure-speed.mjs';
import { loadOtherTokenizer } from './other-tokenizer.mjs';

export async function measureRepository({ repo, commits, tokenizer }) {
  const root = path.resolve(repo);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'jury-bench-context-'));
  const repository = await openRepository(root);
  try {
    const ids = execFileSync('git', ['log', '--no-merges', `-n${commits}`, '--format=%H'], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    const other = await loadOtherTokenizer(tokenizer);
    const totals = {
      packs: 0,
      over: 0,
      refused: 0,
      tokens: 0,
      symbols: 0,
      ours: 0,
      files: 0,
      map: 0,
      worst: 0,
      hidden: 0,
      found: [0, 0, 0],
      missing: new Map(),
    };
    for (const id of ids) {
      await measureCommit({ id, repository, scratch, other, totals });
      await measureRecall({ id, repository, scratch, totals });
    }
    return table(
      root,
      ids.length,
      totals,
      await measureSpeed({ root, repository, scratch }),
      other,
    );
  } finally {
    await repository.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function table(root, commits, totals, speed, other) {
  const missing = [...totals.missing]
    .toSorted(([, one], [, another]) => another - one)
    .slice(0, 12)
    .map(([name, count]) => `${name} ${count}`);
  const rows = [
    ['packs over budget', `${totals.over} of ${totals.packs}`, '0'],
    ['places that fit no pack', totals.refused, '0'],
    [`token estimate against ${other.name}`, `${totals.worst.toFixed(2)} % at worst`, '≤ 2 %'],
    [
      'symbols shown or external, packs of 3,000 tokens',
      `${percent(totals.ours, totals.symbols)} of ${totals.symbols}`,
      '≥ 95 %',
    ],
    ['… whole files, equal tokens', percent(totals.files, totals.symbols), 'behind'],
    ['… repository map, equal tokens', percent(totals.map, totals.symbols), 'behind'],
    [
      'hidden files anchored, 24 anchors',
      `${percent(totals.found[0], totals.hidden)} of ${totals.hidden}`,
      'ahead',
    ],
    ['… whole files', percent(totals.found[1], totals.hidden), ''],
    ['… repository map', percent(totals.found[2], totals.hidden), ''],
    ...speed,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${path.basename(root)}, ${commits} commits, ${totals.tokens} tokens in packs`,
    ...rows.map(
      ([name, value, aim]) =>
        `  ${name.padEnd(width)}  ${value}${aim === '' ? '' : `  (aim ${aim})`}`,
    ),
    `  most missed: ${missing.join(', ') || 'nothing'}`,
  ].join('\n');
}
