// How much of a large change a panel reads: files read by somebody in the first run, runs until all are read, calls, tokens;
// and how reviewers that cannot read everything come to their end. Scripted reviewers; the built program.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createChange } from './large-changes/sample-changes.mjs';
import {
  inFolder,
  latestRunOf,
  percent,
  readJson,
  runRecorded,
  stateOf,
  tableOf,
} from './program.mjs';

export const title =
  'large changes that are not read in the runs they may take, and reviewers made to return below 95 %';
export const aim = 0;

const personas = ['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona'];
const kilobyte = 1_000;

/**
 * `window`: tokens each reviewer's model takes; null where nobody knows. `most`: runs.
 * @type {{ name: string, files: number, bytes: number, window: number | null, most: number, flags: string[] }[]}
 */
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

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const small = {
    name: '3 files',
    files: 3,
    bytes: 2 * kilobyte,
    window: null,
    most: 1,
    flags: [],
  };
  const rows = [];
  for (const scenario of size === 'full' ? scenarios : [small]) rows.push(await review(scenario));
  const ends = [];
  for (const change of size === 'full' ? degrading : []) ends.push(...(await degrade(change)));
  console.log(tableOf([head, ...rows.map(cellsOf)]));
  console.log(tableOf([headOfEnds, ...ends.map(cellsOfEnd)]));
  const unread = rows.filter(({ read, files }) => read < files).length;
  const forced = ends.flatMap(({ forced: at }) => at ?? []);
  return {
    figure: unread + forced.filter(share => share < 0.95).length,
    detail:
      `${unread} of ${rows.length} changes not read whole; of ${ends.length} degraded reviewers ` +
      `${ends.filter(({ band }) => band !== null).length} passed through the band, ${forced.length} were made to return`,
  };
}

/** @param {typeof scenarios[number]} scenario */
function review({ name, files, bytes, window, most, flags }) {
  return inSample({ files, bytes, window }, async ({ root, config }) => {
    const began = performance.now();
    const { record: first } = await runRecorded(['review', '--config', config, ...flags], root);
    let record = first;
    let runs = 1;
    for (; readIn(record) < files && runs < most; runs++) {
      const before = readIn(record);
      ({ record } = await runRecorded(['resume', record.run], root));
      if (readIn(record) === before) break;
    }
    return {
      name,
      files,
      tokens: readJson(path.join(latestRunOf(stateOf(root)), 'budget.json')).total_tokens,
      first,
      record,
      runs,
      read: readIn(record),
      seconds: (performance.now() - began) / 1000,
    };
  });
}

const head = [
  'change',
  'tokens',
  'read in run 1',
  'runs until complete',
  'calls',
  'tokens sent',
  'calls in run 1',
  'seconds',
];

/** @param {Awaited<ReturnType<typeof review>>} row */
function cellsOf({ name, files, tokens, first, record, runs, read, seconds }) {
  return [
    name,
    tokens,
    `${readIn(first)} of ${files}`,
    read === files ? runs : `not after ${runs} (${read} read)`,
    record.usage.calls,
    record.usage.tokens,
    first.usage.calls,
    seconds.toFixed(1),
  ];
}

/**
 * How each reviewer that could not read everything came to its end, in shares of its tokens.
 * @param {typeof degrading[number]} change
 */
function degrade({ files, bytes }) {
  return inSample({ files, bytes, window: null }, async ({ root, config }) => {
    const { record } = await runRecorded(['review', '--config', config], root);
    const folder = latestRunOf(stateOf(root));
    /** @type {{ type: string, reviewer?: string, mode?: string, used: number, total: number }[]} */
    const events = readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    return record.reviewers
      .filter(({ status }) => status === 'partial')
      .map(({ id, filesReviewed }) => {
        const { spending, failure } = readJson(path.join(folder, `raw/${id}.json`));
        const at = (/** @type {string} */ wanted) => {
          const event = events.find(
            ({ type, reviewer, mode }) => type === 'mode' && reviewer === id && mode === wanted,
          );
          return event === undefined ? null : event.used / event.total;
        };
        return {
          id,
          files,
          filesReviewed,
          band: at('high_severity_only'),
          forced: at('force_return'),
          end: spending.used / spending.total,
          cause: failure?.cause ?? '',
        };
      });
  });
}

const headOfEnds = [
  'change',
  'reviewer',
  'files read',
  'band began at',
  'force-return at',
  'ended at',
  'cause',
];

/** @param {Awaited<ReturnType<typeof degrade>>[number]} end */
function cellsOfEnd({ files, id, filesReviewed, band, forced, end, cause }) {
  const [began, forcedAt] = [band, forced].map(share => (share === null ? '–' : percent(share, 1)));
  return [`${files} files`, id, filesReviewed, began ?? '', forcedAt ?? '', percent(end, 1), cause];
}

/**
 * @template T
 * @param {{ readonly files: number, readonly bytes: number, readonly window: number | null }} change
 * @param {(sample: { readonly root: string, readonly config: string }) => Promise<T>} work
 */
function inSample({ files, bytes, window }, work) {
  return inFolder(folder => {
    const root = path.join(folder, 'repository');
    createChange(root, { files, bytes });
    const panel = path.join(folder, 'panel');
    mkdirSync(panel);
    copyFileSync(
      new URL('./large-changes/reviewer.mjs', import.meta.url),
      path.join(panel, 'reviewer.mjs'),
    );
    const config = path.join(panel, 'jury.config.yaml');
    const context = window === null ? '' : `, context: ${window}`;
    const seats = personas.map(
      name =>
        `  - { id: ${name}, persona: ${name}-reviewer, runner: command, command: [node, ./reviewer.mjs], ` +
        `isolation: { sandbox: false }${context} }`,
    );
    writeFileSync(config, `failOn: [never]\nreviewers:\n${seats.join('\n')}\n`);
    return work({ root, config });
  });
}

function readIn(/** @type {import('../dist/index.js').RunRecord} */ { coverage }) {
  return coverage.files.filter(({ by }) => by.length > 0).length;
}
