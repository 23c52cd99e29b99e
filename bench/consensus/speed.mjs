// How long a run takes and what it costs in memory, from findings to claims with confidence. Each shape has a process of its own,
// because what a process held at most is never given back: beside another shape, the peak would be that of the larger one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tableOf } from '../program.mjs';

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
 * Time, what heap and buffers grew by, claims, and how many findings were compared with nothing because there was no room.
 */
export function speedTable(
  /** @type {readonly import('./labelled-panels.mjs').ReadPanel[]} */ panels,
) {
  const texts = panels.flatMap(({ findings }) => findings.map(({ text }) => text));
  const measured = shapes.map(shape => measureAlone(shape, texts));
  const rows = measured.map(({ shape, milliseconds, megabytes, claims, apart }) => [
    shape,
    `${Math.round(milliseconds)} ms`,
    `${Math.round(megabytes)} MB`,
    claims,
    apart,
  ]);
  const head = ['findings of 12 reviewers', 'time', 'memory', 'claims', 'not compared'];
  return {
    text: tableOf([head, ...rows]).trimEnd(),
    figures: Object.fromEntries(
      measured.map(({ shape, milliseconds }) => [`milliseconds, ${shape}`, milliseconds]),
    ),
  };
}

/**
 * @param {string} shape
 * @param {readonly string[]} texts
 * @returns {{ shape: string, milliseconds: number, megabytes: number, claims: number, apart: number }}
 */
function measureAlone(shape, texts) {
  const program = fileURLToPath(new URL('speed-shape.mjs', import.meta.url));
  // With what the program tells V8 in `launch`.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--no-regexp-tier-up', program, shape],
    {
      input: JSON.stringify(texts),
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`Speed of ${shape}: ${stderr}`);
  return JSON.parse(stdout);
}
