// Every benchmark, alone in a process of its own: `npm run bench` all of them, `npm run bench -- NAME` those whose name contains NAME.
// A figure above its aim, a crash and a hang are red and the others still run: 1 where anything is red. What was measured last is
// kept in `figures.json`.
import { fork } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isStale } from '../scripts/build.mjs';
import { setUp } from '../scripts/setup.mjs';
import { readJson, tableOf } from './program.mjs';

/**
 * A file `NAME.bench.mjs` exports its `title`, its `aim` (the most that its figure may be) and `measure`.
 * - `size`: `small` ends within two seconds and proves only that the benchmark runs
 * - `data`: the folder of recorded data, or of another benchmark's `--ranges`, `--list`, `--fixes`; null where none is named
 * - `open`: what is missed is printed
 * @typedef {{ readonly size: 'full' | 'small', readonly data?: string | undefined, readonly ranges?: string,
 *   readonly list?: string, readonly fixes?: string, readonly open?: boolean }} Choice
 * @typedef {{ readonly figure: number, readonly detail: string } | { readonly notRun: string }} Measured
 * @typedef {(choice: Choice) => Measured | Promise<Measured>} Measure
 */

/**
 * What `figures.json` keeps of each. `ok` and `figure` are null where it was not run; `detail` then says why.
 * @typedef {{ readonly name: string, readonly title: string, readonly figure: number | null, readonly aim: number | null,
 *   readonly detail: string, readonly ok: boolean | null, readonly seconds: number }} Figure
 */

const here = fileURLToPath(new URL('.', import.meta.url));
const ending = '.bench.mjs';

/**
 * `--from FOLDER` runs the benchmarks of another folder, `--seconds N` is the most that each may take. The data are named by
 * `--data DIR` or `JURY_BENCH_DATA`.
 * @param {readonly string[]} args
 * @param {Record<'stdout' | 'stderr', { write(text: string): unknown }>} streams
 * @returns {Promise<0 | 1>}
 */
export async function main(args, streams) {
  const {
    values: { from = here, seconds = '3600', data = process.env.JURY_BENCH_DATA, ...others },
    positionals: [wanted = ''],
  } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      seconds: { type: 'string' },
      data: { type: 'string' },
      ranges: { type: 'string' },
      list: { type: 'string' },
      fixes: { type: 'string' },
      open: { type: 'boolean' },
    },
  });
  const names = readdirSync(from)
    .filter(file => file.endsWith(ending))
    .map(file => file.slice(0, -ending.length))
    .toSorted();
  const figures = [];
  for (const name of names.filter(each => each.includes(wanted))) {
    streams.stdout.write(`${name}…\n`);
    figures.push(await runAlone(name, { from, seconds, streams, choice: { ...others, data } }));
    keep(figures, path.join(from, 'figures.json'), names);
  }
  streams.stdout.write(
    `\n${tableOf([['result', 'figure', 'aim', 'seconds', 'benchmark', 'what'], ...figures.map(rowOf)])}`,
  );
  // A name that nothing has is no success.
  return figures.length === 0 || figures.some(({ ok }) => ok === false) ? 1 : 0;
}

/**
 * @param {string} name
 * @param {{ readonly from: string, readonly seconds: string, readonly choice: Omit<Choice, 'size'>,
 *   readonly streams: Parameters<typeof main>[1] }} how
 * @returns {Promise<Figure>}
 */
function runAlone(name, { from, seconds, choice, streams }) {
  const began = performance.now();
  const child = fork(
    path.join(here, 'alone.mjs'),
    [path.join(from, name + ending), JSON.stringify({ size: 'full', ...choice })],
    { detached: true, silent: true },
  );
  /** @type {Pick<Figure, 'title' | 'aim' | 'detail'> & { figure: number, notRun: string | null }} */
  const told = { title: name, aim: null, figure: NaN, detail: '', notRun: null };
  let [errors, isLate] = ['', false];
  child.on('message', message => Object.assign(told, message));
  child.stdout?.on('data', chunk => streams.stdout.write(String(chunk)));
  child.stderr?.on('data', chunk => {
    errors += chunk;
    streams.stderr.write(String(chunk));
  });
  const bound = setTimeout(
    () => {
      isLate = true;
      process.kill(-Number(child.pid), 'SIGKILL');
    },
    Number(seconds) * 1000,
  );
  return new Promise(resolve =>
    child.once('close', (code, signal) => {
      clearTimeout(bound);
      const { title, aim, figure, detail, notRun } = told;
      const broken = isLate
        ? `no end within ${seconds} seconds`
        : code !== 0
          ? `ended with ${code ?? signal} ${/^\w*Error.*$/m.exec(errors)?.[0] ?? ''}`.trim()
          : Number.isFinite(figure) || notRun !== null
            ? null
            : 'its figure is no finite number';
      resolve({
        name,
        title,
        figure: broken === null && notRun === null ? figure : null,
        aim,
        detail: broken ?? notRun ?? detail,
        ok: broken !== null ? false : notRun === null ? aim !== null && figure <= aim : null,
        seconds: Math.round((performance.now() - began) / 100) / 10,
      });
    }),
  );
}

/**
 * Those that were not asked for keep what they had.
 * @param {readonly Figure[]} figures
 * @param {string} file
 * @param {readonly string[]} names
 */
function keep(figures, file, names) {
  const before = /** @type {Figure[]} */ (existsSync(file) ? readJson(file) : []);
  const all = new Map([...before, ...figures].map(one => [one.name, one]));
  const kept = names.flatMap(name => all.get(name) ?? []);
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

/** @param {Figure} figure */
function rowOf({ name, title, figure, aim, detail, ok, seconds }) {
  const result = ok === null ? 'not run' : ok ? 'met' : figure === null ? 'BROKEN' : 'MISSED';
  return [result, figure?.toFixed(2) ?? '–', aim ?? '–', seconds, name, `${title}: ${detail}`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setUp();
  if (isStale()) await build();
  process.exitCode = await main(process.argv.slice(2), process);
}
