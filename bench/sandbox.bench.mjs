// What a sandbox costs a reviewer: one panel of a hundred programs that answer at once, every other one with `sandbox: false`,
// asked one after another; the median of each half. Linux only.
import { median, runRecorded, withSampleRepository } from './program.mjs';

export const title = 'a reviewer in a sandbox, over one without';
export const aim = 2;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const seats = Array.from(
    { length: size === 'full' ? 100 : 2 },
    (_, index) =>
      `{ id: r${index}, runner: command, isolation: { sandbox: ${index % 2 === 0} }, command: [sh, ` +
      `-c, "cat > /dev/null; printf 'None\\\\nVERDICT: safe\\\\n'"] }`,
  );
  const settings = 'concurrency: 1\nquorum: 1\n';
  return withSampleRepository({ seats, settings }, async folder => {
    const { record } = await runRecorded(['review'], folder);
    const [inside = [], outside = []] = ['L1', 'L0'].map(level =>
      record.reviewers
        .filter(({ isolation, status }) => isolation?.level === level && status === 'complete')
        .map(({ durationMs }) => durationMs),
    );
    const [one, other] = [median(inside), median(outside)];
    return {
      figure: one / other,
      detail: `${one} ms over ${other} ms, ${inside.length} and ${outside.length} reviewers`,
    };
  });
}
