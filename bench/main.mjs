// Benchmarks: each prints a ratio whose two sides were measured in one run on this machine, with the aim beside it.
// `npm run bench` runs all, `npm run bench -- NAME` those whose file name contains NAME.
import { readdirSync } from 'node:fs';
import { build, isStale } from '../scripts/build.mjs';
import { setUp } from '../scripts/setup.mjs';

setUp();
if (isStale()) await build();

const wanted = process.argv[2] ?? '';
const files = readdirSync(new URL('.', import.meta.url))
  .filter(name => name.endsWith('.bench.mjs') && name.includes(wanted))
  .toSorted();
for (const file of files) {
  const { title, aim, measure } = await import(new URL(file, import.meta.url).href);
  const { ratio, detail } = await measure();
  console.log(`${title}: ${ratio.toFixed(2)} (aim ≤ ${aim}) — ${detail}`);
}
