// `npm run bench:consensus -- --data DIR… [--with DIR…] [--baseline CHECKOUT] [--list] [--out DIR]`: what agreement is
// worth, measured on repositories that the numbers behind it were not fitted on. DIR holds labelled findings; --data is
// measured, --with only fitted on; --baseline is a built checkout of another version; the plot goes to --out. Exit code 1: an aim of
// `aims.json` is missed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';

const usage =
  'Usage: npm run bench:consensus -- --data DIR… [--with DIR…] [--baseline CHECKOUT] [--list] [--out DIR]';
const { data, with: besides, baseline, list, out } = readOptions();
if (data.length === 0) refuse(usage, 3);
for (const folder of [...data, ...besides])
  if (!existsSync(folder))
    refuse(
      `${folder}: no such folder. It should hold a JSON file of labelled findings for each repository.`,
    );
if (isStale()) await build();

const { lackingIn, openVersion } = await import('./versions.mjs');
const { readPanels } = await import('./labelled-panels.mjs');
const { report } = await import('./report.mjs');
const lacking = baseline === undefined ? [] : lackingIn(baseline);
if (lacking.length > 0)
  refuse(`${baseline}: no built checkout of Jury, for it lacks ${lacking.join(', ')}.`);
const [panels, others] = [data, besides].map(folders => folders.flatMap(readOrRefuse));
if (panels.length === 0) refuse(`${data.join(', ')}: no labelled findings.`);
const { text, plot, isMissed } = await report(
  { panels, beside: others },
  {
    version: await openVersion(),
    other: baseline === undefined ? undefined : await openVersion(baseline),
    isListing: list,
  },
);
console.log(text);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'reliability.svg'), plot);
console.log(`Plot: ${path.join(out, 'reliability.svg')}`);
process.exitCode = isMissed ? 1 : 0;

function readOptions() {
  try {
    return parseArgs({
      options: {
        data: { type: 'string', multiple: true, default: [] },
        with: { type: 'string', multiple: true, default: [] },
        baseline: { type: 'string' },
        list: { type: 'boolean', default: false },
        out: { type: 'string', default: path.join(os.tmpdir(), 'jury-bench-consensus') },
      },
    }).values;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 3);
  }
}

function readOrRefuse(/** @type {string} */ folder) {
  try {
    return readPanels(folder);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** @returns {never} */
function refuse(/** @type {string} */ message, code = 2) {
  console.error(message);
  process.exit(code);
}
