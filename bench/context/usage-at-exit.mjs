// Preloaded into a measured program: leaves how much memory the process had at most, threads included, in the file that BENCH_USAGE names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  writeFileSync(process.env.BENCH_USAGE ?? '', JSON.stringify({ megabytes: maxRSS / 1024 }));
});
