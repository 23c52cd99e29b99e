// How long a run takes and what it costs in memory, from findings to claims with confidence. Each shape has a process of its own,
// because what a process held at most is never given back: beside another shape, the peak would be that of the larger one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** As it goes in earnest, then as somebody would make it who means ill. */
const shapes = [
  '2,000',
  '10,000',
  '20,000 copies of one text',
  '20,000 on one line',
  '100,000 of one reviewer',
  '100,000',
  '2,000 of 50 kB',
];

/**
 * `{ shape, milliseconds, processorMilliseconds, megabytes, heldMegabytes, peakMegabytes, claims, apart }` for each shape: time
 * on the clock and of the processor (all threads, compiler and collector included), what heap and buffers grew by, what the
 * process held with the findings before they were matched, the most it ever held, and how many findings were compared with
 * nothing because there was no room.
 */
export function measureSpeed(
  /** @type {readonly import('./labelled-panels.mjs').Panel[]} */ panels,
) {
  const texts = panels.flatMap(({ findings }) => findings.map(({ text }) => text));
  return shapes.map(shape => measureAlone(shape, texts));
}

/**
 * @param {string} shape
 * @param {readonly string[]} texts
 * @returns {{ shape: string, milliseconds: number, processorMilliseconds: number, megabytes: number, heldMegabytes: number,
 *   peakMegabytes: number, claims: number, apart: number }}
 */
function measureAlone(shape, texts) {
  const program = fileURLToPath(new URL('speed-shape.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program, shape], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Speed of ${shape}: ${stderr}`);
  return JSON.parse(stdout);
}
