// What a sandbox costs a reviewer: one panel of a hundred programs that answer at once, every other one with `sandbox: false`,
// asked one after another; the median of each half. Linux only.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withSampleRepository } from './sample-repository.mjs';

export const title = 'a reviewer in a sandbox, over one without';
export const aim = 2;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const count = 100;

export function measure() {
  return withSampleRepository({ count: 0, script: '' }, async folder => {
    const { writeFileSync } = await import('node:fs');
    const { join } = await import('node:path');
    const seats = Array.from(
      { length: count },
      (_, index) =>
        `  - { id: r${index}, runner: command, isolation: { sandbox: ${index % 2 === 0} }, command: [sh, ` +
        `-c, "cat > /dev/null; printf 'None\\\\nVERDICT: safe\\\\n'"] }\n`,
    );
    writeFileSync(
      join(folder, 'jury.config.yaml'),
      `concurrency: 1\nquorum: 1\nreviewers:\n${seats.join('')}`,
    );
    const { stdout } = spawnSync(process.execPath, [jury, 'review', '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    const { reviewers } = JSON.parse(stdout);
    const [inside, outside] = ['L1', 'L0'].map(level =>
      reviewers
        .filter(({ isolation, status }) => isolation?.level === level && status === 'complete')
        .map(({ durationMs }) => durationMs)
        .toSorted((one, other) => one - other),
    );
    const [one, other] = [medianOf(inside), medianOf(outside)];
    return {
      ratio: one / other,
      detail: `${one} ms over ${other} ms, ${inside.length} and ${outside.length} reviewers`,
    };
  });
}

function medianOf(sorted) {
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
