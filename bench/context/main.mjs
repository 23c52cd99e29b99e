// `npm run bench:context -- --repo PATH --commits N`: what context packs are worth on the history of any repository, against
// what others show for the same tokens. What the figures mean: bench/context/README.md. Nothing is written to the repository.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';
import { hasCtags } from './definitions.mjs';
import { installRepomix } from './repomix.mjs';
import { measuresOf, methods, writeReport } from './report.mjs';
import { nameOf, readRecords, resultsFile } from './results.mjs';
import { plotMeasures } from './plot.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const usage = `Usage: npm run bench:context -- --repo PATH [--commits N]
  --repos A,B,C     several repositories, two at a time
  --commits N       commits of each; default 30
  --from REVISION   the newest of them; default HEAD
  --seed WORD       draw them from ten times as many instead of taking the last
  --files N         leave out commits that touch more files; default 30
  --caps A,B        tokens of a pack; default 3000,6000
  --removed N       functions deleted one at a time; default 10
  --dist DIR        the built tree that is measured; default: this one
  --minutes N       most time for all of them, in equal shares; the same command goes on later; default 60
  --out DIR         where table, plot and records go; default: a temporary folder
  --cache DIR       where clones and Repomix go
  --speed           measure the times of the index too`;

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    repos: { type: 'string' },
    commits: { type: 'string', default: '30' },
    from: { type: 'string' },
    seed: { type: 'string' },
    files: { type: 'string', default: '30' },
    caps: { type: 'string', default: '3000,6000' },
    removed: { type: 'string', default: '10' },
    dist: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    out: { type: 'string' },
    cache: { type: 'string' },
    speed: { type: 'boolean', default: false },
  },
});
const repos = [values.repo ?? [], values.repos?.split(',') ?? []].flat();
const numbers = [
  values.commits,
  values.files,
  values.removed,
  values.minutes,
  ...values.caps.split(','),
];
if (repos.length === 0 || !numbers.every(text => /^\d+$/.test(text))) stop(usage, 3);
if (new Set(repos.map(nameOf)).size < repos.length) stop('Two repositories have the same name.', 3);
if (!hasCtags())
  stop('The truth comes from Universal Ctags, which is not installed: install universal-ctags.', 2);
if (values.dist === undefined && isStale()) await build();

const dist = path.resolve(values.dist ?? path.join(here, '../../dist'));
const cache = path.resolve(
  values.cache ??
    path.join(
      process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
      'jury-bench-context',
    ),
);
const out = path.resolve(values.out ?? mkdtempSync(path.join(os.tmpdir(), 'jury-bench-context-')));
mkdirSync(out, { recursive: true });
const repomix = installRepomix(cache);
const choice = {
  commits: Number(values.commits),
  from: values.from ?? null,
  seed: values.seed ?? null,
  mostFiles: Number(values.files),
  caps: values.caps.split(',').map(Number),
  removed: Number(values.removed),
};

const waiting = repos.map(repo => ({
  repo,
  results: resultsFile(out, { repo, dist, ...choice, hasRepomix: repomix !== null }),
}));
const repositories = waiting.map(({ repo, results }) => ({ name: nameOf(repo), results }));
/** @type {string[]} */
const failed = [];
// Two at a time. What the first index costs comes before the clock is looked at.
const minutes = Number(values.minutes) / Math.ceil(repos.length / 2);
await Promise.all([work(), work()]);
console.log(report());
console.error(`table and plot: ${out}`);
if (values.speed) {
  const { measureSpeed } = await import('./measure-speed.mjs');
  for (const repo of repos)
    console.log(await measureSpeed({ repo: path.resolve(repo), dist, repomix }));
}
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const settings = { ...next, ...choice, dist, cache, repomix, minutes };
    const child = spawn(
      process.execPath,
      [path.join(here, 'measure-repository.mjs'), JSON.stringify(settings)],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const code = await new Promise(resolve => child.on('close', resolve));
    if (code !== 0) failed.push(nameOf(next.repo));
    report();
  }
}

/** Written after each repository, so that a run that is broken off leaves what it has. */
function report() {
  const measured = repositories
    .map(({ name, results }) => ({ name, records: readRecords(results) }))
    .filter(({ name, records }) => records.length > 0 || failed.includes(name));
  const text = writeReport({
    repositories: measured,
    settings:
      `${choice.commits} commits of each ` +
      `repository${choice.seed === null ? '' : ` (drawn with seed "${choice.seed}")`}, at most ` +
      `${choice.mostFiles} files; packs of role Planner with the cap of every class set to ` +
      `${choice.caps.join(' and ')} tokens, unless said otherwise; baselines get the cap for each pack.`,
    notes: [
      ...(repomix === null ? ['**Repomix could not be installed and is not measured.**'] : []),
      ...measured
        .map(({ name, records }) => ({ name, count: countCommits(records) }))
        .filter(({ count }) => count < choice.commits)
        .map(
          ({ name, count }) => `**${name}: ${count} of ${choice.commits} commits are measured.**`,
        ),
      ...failed.map(name => `**${name} broke off; what it had measured is counted.**`),
    ],
  });
  writeFileSync(path.join(out, 'table.md'), text);
  const all = measured.flatMap(({ name, records }) =>
    records.map(one => ({ ...one, commit: `${name} ${one.commit}` })),
  );
  writeFileSync(path.join(out, 'plot.svg'), plotMeasures(measuresOf(all), methods));
  return text;
}

function countCommits(/** @type {ReturnType<typeof readRecords>} */ records) {
  return new Set(records.flatMap(one => (one.kind === 'commit' ? [one.commit] : []))).size;
}

/** @returns {never} */
function stop(/** @type {string} */ sentence, /** @type {number} */ code) {
  console.error(sentence);
  process.exit(code);
}
