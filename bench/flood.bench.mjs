// Resident memory of the engine while 32 reviewers would write 20 MB each.
import { runRecorded, withSampleRepository } from './program.mjs';

export const title = 'peak memory under 32 floods of 20 MB, over 256 MB';
export const aim = 1;

/** Writes so many pieces of 64 KiB. */
const scriptOf = (/** @type {number} */ pieces) =>
  `const line = 'x'.repeat(65535) + '\\n'; let left = ${pieces}; const more = () => { while (left-- > 0) ` +
  `if (!process.stdout.write(line)) return process.stdout.once('drain', more); }; ` +
  `process.stdin.resume().on('end', more);`;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const [count, pieces] = size === 'full' ? [32, 320] : [2, 1];
  const panel = { count, script: scriptOf(pieces), settings: `concurrency: ${count}\n` };
  return withSampleRepository(panel, async folder => {
    const { megabytes, record } = await runRecorded(['review'], folder);
    const causes = [...new Set(record.reviewers.map(({ cause }) => cause ?? 'none'))];
    return {
      figure: megabytes / 256,
      detail: `${Math.round(megabytes)} MB, stopped by ${causes.join(' and ')}`,
    };
  });
}
