// `npm run bench:consensus -- --data DIR [--out DIR]`: what agreement is worth, measured on repositories that the numbers
// behind it were not fitted on. DIR holds labelled findings; plots go to --out.
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';

const { values: { data, out } } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string', default: path.join(os.tmpdir(), 'jury-bench-consensus') } } });
if (data === undefined) {
  console.error('Usage: npm run bench:consensus -- --data DIR [--out DIR]');
  process.exit(3);
}
if (isStale()) await build();

const { readPanels } = await import('./labelled-panels.mjs');
const { report } = await import('./report.mjs');
const { text, plots } = await report(readPanels(data));
console.log(text);
mkdirSync(out, { recursive: true });
for (const [name, svg] of Object.entries(plots)) writeFileSync(path.join(out, name), svg);
console.log(`Plots: ${Object.keys(plots).map(name => path.join(out, name)).join(' ')}`);
