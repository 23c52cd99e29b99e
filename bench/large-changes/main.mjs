// How much of a large change a panel reads: files read by somebody in the first run, runs until all are read, calls, tokens;
// and how reviewers that cannot read everything come to their end. Scripted reviewers; the built program.
//   node bench/large-changes/main.mjs [--dist DIST] [--only NAME]
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createChange } from './sample-changes.mjs';

const { values } = parseArgs({
  options: { dist: { type: 'string' }, only: { type: 'string' } },
});
const dist = values.dist ?? fileURLToPath(new URL('../../dist', import.meta.url));
const program = path.join(dist, 'cli/main.js');

const personas = ['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona'];
const kilobyte = 1_000;

/** `window`: tokens each reviewer's model takes; null where nobody knows. */
const scenarios = [
  { name: '50 files', files: 50, bytes: 138 * kilobyte, window: null, most: 6, flags: [] },
  { name: '300 files', files: 300, bytes: 770 * kilobyte, window: null, most: 8, flags: [] },
  {
    name: '300 files, window of 200,000',
    files: 300,
    bytes: 770 * kilobyte,
    window: 200_000,
    most: 3,
    flags: [],
  },
  {
    name: '300 files, window of 200,000, --cover all',
    files: 300,
    bytes: 770 * kilobyte,
    window: 200_000,
    most: 3,
    flags: ['--cover', 'all'],
  },
  { name: '1,000 files', files: 1_000, bytes: 2_570 * kilobyte, window: null, most: 14, flags: [] },
  {
    name: '1,000 files, window of 200,000',
    files: 1_000,
    bytes: 2_570 * kilobyte,
    window: 200_000,
    most: 3,
    flags: [],
  },
];

/** Changes at which five reviewers each run short. */
const degrading = [
  { files: 60, bytes: 220 * kilobyte },
  { files: 90, bytes: 200 * kilobyte },
  { files: 140, bytes: 640 * kilobyte },
];

const isWanted = name => values.only === undefined || name.includes(values.only);

function main() {
  const rows = scenarios.filter(({ name }) => isWanted(name)).map(measure);
  if (rows.length > 0)
    print(
      [
        'change',
        'tokens',
        'read in run 1',
        'runs until complete',
        'calls',
        'tokens sent',
        'calls in run 1',
        'seconds',
      ],
      rows,
    );
  if (isWanted('degraded')) printDegraded(degrading.flatMap(degrade));
}

function measure({ name, files, bytes, window, most, flags }) {
  return inSample({ files, bytes, window }, ({ root, config }) => {
    const began = performance.now();
    const first = review(root, ['review', '--config', config, ...flags]);
    const readFirst = readIn(first.record);
    let { record } = first;
    let runs = 1;
    for (; readIn(record) < files && runs < most; runs++) {
      const before = readIn(record);
      ({ record } = review(root, ['resume', record.run]));
      if (readIn(record) === before) break;
    }
    const isComplete = readIn(record) === files;
    return [
      name,
      JSON.parse(readFileSync(path.join(folderOf(root, record), 'budget.json'), 'utf8'))
        .total_tokens,
      `${readFirst} of ${files}`,
      isComplete ? runs : `not after ${runs} (${readIn(record)} read)`,
      record.usage.calls,
      record.usage.tokens,
      first.record.usage.calls,
      ((performance.now() - began) / 1000).toFixed(1),
    ];
  });
}

/** How each reviewer that could not read everything came to its end. */
function degrade({ files, bytes }) {
  return inSample({ files, bytes, window: null }, ({ root, config }) => {
    const { record } = review(root, ['review', '--config', config]);
    const folder = folderOf(root, record);
    const events = readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    return record.reviewers
      .filter(({ status }) => status === 'partial')
      .map(({ id, filesReviewed }) => {
        const modes = events.filter(({ type, reviewer }) => type === 'mode' && reviewer === id);
        const { spending, failure } = JSON.parse(
          readFileSync(path.join(folder, `raw/${id}.json`), 'utf8'),
        );
        const at = mode => {
          const event = modes.find(each => each.mode === mode);
          return event === undefined ? null : (100 * event.used) / event.total;
        };
        return {
          id,
          files,
          filesReviewed,
          band: at('high_severity_only'),
          forced: at('force_return'),
          end: (100 * spending.used) / spending.total,
          cause: failure?.cause ?? '',
        };
      });
  });
}

const percent = share => (share === null ? '–' : `${share.toFixed(1)} %`);

function printDegraded(rows) {
  print(
    ['change', 'reviewer', 'files read', 'band began at', 'force-return at', 'ended at', 'cause'],
    rows.map(row => [
      `${row.files} files`,
      row.id,
      row.filesReviewed,
      percent(row.band),
      percent(row.forced),
      percent(row.end),
      row.cause,
    ]),
  );
  const early = rows.filter(({ forced }) => forced !== null && forced < 95).length;
  console.log(
    `\n${rows.length} degraded reviewers: ${rows.filter(({ band }) => band !== null).length} passed ` +
      `through the band, ${rows.filter(({ forced }) => forced !== null).length} were forced to return, ` +
      `${early} of them below 95 %.`,
  );
}

function inSample({ files, bytes, window }, work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'large-'));
  try {
    const root = path.join(folder, 'repository');
    createChange(root, { files, bytes });
    const panel = path.join(folder, 'panel');
    mkdirSync(panel);
    copyFileSync(new URL('./reviewer.mjs', import.meta.url), path.join(panel, 'reviewer.mjs'));
    const config = path.join(panel, 'jury.config.yaml');
    const context = window === null ? '' : `, context: ${window}`;
    writeFileSync(
      config,
      `failOn: [never]\nreviewers:\n${personas
        .map(
          name =>
            `  - { id: ${name}, persona: ${name}-reviewer, runner: command, command: [node, ./reviewer.mjs], ` +
            `isolation: { sandbox: false }${context} }`,
        )
        .join('\n')}\n`,
    );
    return work({ root, config });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function review(root, args) {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args, '--format', 'json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    env: { ...process.env, JURY_STATE: path.join(root, '../state') },
  });
  try {
    return { record: JSON.parse(stdout) };
  } catch {
    throw new Error(`jury ${args.join(' ')} printed no record: ${stderr.slice(0, 2_000)}`);
  }
}

function readIn({ coverage }) {
  return coverage.files.filter(({ by }) => by.length > 0).length;
}

function folderOf(root, { run }) {
  const found = spawnSync('find', [path.join(root, '../state'), '-name', run, '-type', 'd'], {
    encoding: 'utf8',
  });
  return found.stdout.trim().split('\n')[0];
}

function print(titles, rows) {
  const all = [titles, ...rows.map(row => row.map(String))];
  const widths = titles.map((_, column) => Math.max(...all.map(row => row[column].length)));
  console.log('');
  for (const row of all)
    console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
}

main();
