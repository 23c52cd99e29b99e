// `npm run bench:consensus -- --data DIR [--out DIR]`: what agreement is worth, measured on repositories that the numbers
// behind it were not fitted on. DIR holds labelled findings; plots go to --out.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';

const {
  values: { data, out },
} = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: path.join(os.tmpdir(), 'jury-bench-consensus') },
  },
});
if (data === undefined) {
  console.error('Usage: npm run bench:consensus -- --data DIR [--out DIR]');
  process.exit(3);
}
if (!existsSync(data)) {
  console.error(`${data}: no such folder.`);
  process.exit(2);
}
if (isStale()) await build();

const { readPanels, repositoriesOf } = await import('./labelled-panels.mjs');
const { report } = await import('./report.mjs');
const panels = readPanels(data);
if (repositoriesOf(panels).length < 2) {
  console.error(
    `${data}: at least two repositories with labelled findings are needed, because each is measured by numbers fitted on the others.`,
  );
  process.exit(2);
}
const { text, plots } = await report(panels);
console.log(text);
mkdirSync(out, { recursive: true });
for (const [name, svg] of Object.entries(plots)) writeFileSync(path.join(out, name), svg);
console.log(
  `Plots: ${Object.keys(plots)
    .map(name => path.join(out, name))
    .join(' ')}`,
);
