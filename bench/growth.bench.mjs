// Time of the processor for eight times the text over that for the text, where regular expressions and other natives do the
// work: what they do has no steps that a test could count. Linear work takes eight times as long, quadratic work sixty-four.
import { tmpdir } from 'node:os';
import { parsePatch } from '../dist/adapters/git/patch.js';
import { readJsonLines } from '../dist/adapters/runners/client.js';
import { createSecretScanner, openChecks } from '../dist/checks/index.js';
import { fileOfFinding, wordsOfWording } from '../dist/agreement/wording/words.js';
import { readAnswer } from '../dist/answers/answer.js';
import { escapeXml, withoutCommands } from '../dist/core/safety/visible-text.js';
import { scaleOf } from '../dist/core/words/finding.js';
import { growingFiles, matchedUnits, walkedUnits } from './growth/hostile-texts.mjs';

export const title =
  'time for eight times a hostile text, over 32 times that for the text, at worst';
export const aim = 1;

const larger = 8;
/** Milliseconds. What takes less is the clock. */
const least = 1;

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const isFull = size === 'full';
  /** @type {{ name: string, times: number }[]} */
  const grown = [];
  for (const [name, amount, work] of works.filter((_, at) => isFull || at % 7 === 0))
    grown.push({ name, times: await growthOf(isFull ? amount : Math.ceil(amount / 64), work) });
  grown.sort((one, other) => other.times - one.times);
  return {
    figure: (grown[0]?.times ?? NaN) / 32,
    detail: `${grown.length} texts; ${grown
      .slice(0, 3)
      .map(({ name, times }) => `${name} ${times.toFixed(1)} times`)
      .join(', ')}`,
  };
}

/**
 * Each the least of three, so that what else the machine does decides little.
 * @param {number} size
 * @param {(size: number) => unknown} work
 */
async function growthOf(size, work) {
  /** @param {number} amount */
  const spent = async amount => {
    let fewest = Infinity;
    for (let at = 0; at < 3; at += 1) {
      const before = process.cpuUsage();
      await work(amount);
      const { user, system } = process.cpuUsage(before);
      fewest = Math.min(fewest, (user + system) / 1_000);
    }
    return fewest;
  };
  // What is compiled and remembered from call to call is warm for both.
  await work(size);
  return (await spent(size * larger)) / Math.max(await spent(size), least);
}

const scanner = createSecretScanner();
const secretPieces = [
  'a',
  'password="',
  'eyJ',
  '-----BEGIN RSA PRIVATE KEY-----\n',
  'https://a:',
  'sk-ant-',
  'aws secret ',
  '"\'',
  'A_KEY=',
  'xoxb-',
  ';password=',
];

const scale = scaleOf(['CRITICAL', 'IMPORTANT', 'SUGGESTION']);
if (scale === null) throw new Error('The labels are unusable.');

/** @type {import('../dist/answers/reading.js').ReadingOptions} */
const options = {
  scale,
  sent: { instructions: '', prompt: '' },
  stop: 'end',
  strict: false,
  undeclaredLabel: 'reject',
  nonce: null,
  units: ['src/a.ts'],
  voting: false,
};

/** @typedef {[name: string, size: number, work: (size: number) => unknown]} Work */

/** @type {(name: string, units: string[], size: number, work: (text: string) => unknown) => Work[]} */
const repeating = (name, units, size, work) =>
  units.map(unit => [
    `${name} ${JSON.stringify(unit)}`,
    size,
    length => work(unit.repeat(length / unit.length)),
  ]);

/** @type {Work[]} */
const works = [
  ...repeating('secrets in', secretPieces, 250_000, text => scanner.scan(text, '.env')),
  ...repeating('a log of', ['\n', ' \n', ' ', ':'], 20_000, withoutCommands),
  ...repeating('XML of', ['\n', ' \n', ' ', ':'], 20_000, escapeXml),
  ...repeating('the name of a file in', ['-a'], 40_000, text =>
    fileOfFinding({ location: null, text: `${text}.x` }),
  ),
  ...repeating('a wording of', ['line ', 'a.'], 100_000, text => wordsOfWording(`${text}!`)),
  ...repeating('an answer of', [...walkedUnits, ...matchedUnits], 16_384, text => {
    readAnswer(`CRITICAL|x\n${text}`, options);
    readAnswer(`### Findings Index\n- P1 | a | b | ${text}x\nVerdict: safe`, options);
  }),
  [
    'a patch',
    10_000,
    size =>
      parsePatch(
        `${'--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'.repeat(size)}${'"'.repeat(20 * size)}\n${'\\'.repeat(20 * size)}`,
      ),
  ],
  [
    'a line of JSON that comes in pieces',
    20_000,
    size => {
      const lines = readJsonLines(() => {});
      for (const piece of ['{"a":"', ...Array.from({ length: size }, () => 'xxxxxxxxxx'), '"}'])
        lines.add(piece);
      lines.end();
    },
  ],
  ...Object.entries(growingFiles).flatMap(([name, write]) =>
    /** @type {const} */ (['secrets', 'diff', 'patterns']).map(
      /** @returns {Work} */
      analyser => [`${analyser} in ${name}`, 6, size => analyse(analyser, write(size))],
    ),
  ),
];

const runner = await openChecks({
  environment: { PATH: process.env.PATH },
  temporaryFolder: tmpdir(),
});

/** @typedef {{ old: string, new: string }} Sides */

/** @type {(analyser: string, files: Record<string, string | Sides>) => Promise<void>} */
async function analyse(analyser, files) {
  const sides = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === 'string' ? { old: '', new: text } : text,
    ]),
  );
  const turn = {
    seat: { id: analyser, runner: 'builtin', analyser, environment: [], timeout: 60, home: '/' },
    change: { kind: 'change', source: 'range', files: [...sides].map(toFile), warnings: [] },
    read: /** @type {import('../dist/core/ports/runner.js').Turn['read']} */ (
      async ({ path }, side) => sides.get(path)?.[side] ?? null
    ),
    deadlines: { firstOutputMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
  };
  const answer = await runner.ask(
    /** @type {import('../dist/core/ports/runner.js').Turn} */ (/** @type {unknown} */ (turn)),
    new AbortController().signal,
  );
  if (answer.status !== 'answered') throw new Error(answer.failure.message);
}

/** @param {[path: string, sides: Sides]} file */
function toFile([path, sides]) {
  const [removed, added] = [linesOf(sides.old), linesOf(sides.new)];
  return {
    path,
    oldPath: null,
    content: 'text',
    status: removed.length === 0 ? 'added' : 'modified',
    hunks: [
      {
        oldStart: Math.min(removed.length, 1),
        oldLines: removed.length,
        newStart: 1,
        newLines: added.length,
        heading: '',
        lines: [...removed.map(line => `-${line}`), ...added.map(line => `+${line}`)],
      },
    ],
    oldMode: '100644',
    newMode: '100644',
  };
}

/** @param {string} text */
function linesOf(text) {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
