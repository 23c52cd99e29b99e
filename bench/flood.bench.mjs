// Resident memory of the engine while 32 reviewers write 20 MB each. Linux only: the peak is read from /proc.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withSampleRepository } from './sample-repository.mjs';

export const title = 'peak memory under 32 floods of 20 MB, over 256 MB';
export const aim = 1;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const script =
  `const line = 'x'.repeat(65535) + '\\n'; let left = 320; const more = () => { while (left-- > 0) ` +
  `if (!process.stdout.write(line)) return process.stdout.once('drain', more); }; ` +
  `process.stdin.resume().on('end', more);`;

export function measure() {
  return withSampleRepository(
    { count: 32, script, settings: 'concurrency: 32\n' },
    async folder => {
      const child = spawn(process.execPath, [jury, 'review', '--format', 'json'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let output = '';
      child.stdout.on('data', chunk => (output += chunk));
      let peak = 0;
      const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid))), 20);
      await new Promise(resolve => child.once('close', resolve));
      clearInterval(timer);
      const { reviewers } = JSON.parse(output);
      const flooded = reviewers.filter(({ cause }) => cause === 'flood').length;
      return {
        ratio: peak / 256,
        detail: `${Math.round(peak)} MB, ${flooded} of ${reviewers.length} stopped as floods`,
      };
    },
  );
}

/** Megabytes; 0 once the process is gone. */
function peakOf(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
