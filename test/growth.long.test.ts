/** What must grow with its size and no faster, and is no more than one call: each by the steps it takes. */
import { describe, expect, it } from 'vitest';
import { walkedUnits } from '../bench/growth/hostile-texts.mjs';
import { parsePatch } from '../src/adapters/git/patch.ts';
import { readJsonLines } from '../src/adapters/runners/client.ts';
import { createSecretScanner } from '../src/checks/index.ts';
import { readAnswer } from '../src/answers/answer.ts';
import { renderConsensusReport } from '../src/render/consensus-report.ts';
import { renderers } from '../src/render/formats.ts';
import { nonce, units } from './answers/bad-answers/samples.ts';
import { optionsWith } from './answers/reading-options.ts';
import { superlinear } from './growth.ts';
import { floodedRun, manyClaims } from './render/formats/runs.ts';

function add(amount: number) {
  let sum = 0;
  for (let at = 0; at < amount; at += 1) sum += at;
  return sum;
}

/** The same, in another function. */
function addFew(amount: number) {
  let sum = 0;
  for (let at = 0; at < amount / 100; at += 1) sum += at;
  return sum;
}

async function hideFew(size: number) {
  await Promise.resolve();
  return add(20 * size) + addFew(size * size);
}

const match = (size: number) => /(?:a|b)*c/.exec('a'.repeat(size));

describe('how work grows', () => {
  it('is the same each time, whatever else the machine does', async () => {
    const squared = (size: number) => add(size * size);
    expect(await superlinear(1_000, add)).toEqual([]);
    for (const _ of [1, 2])
      expect(await superlinear(100, squared)).toEqual([
        'the whole: 640001 steps, 64.0 times',
        expect.stringMatching(/^add of .*growth\.long\.test\.ts.*: 640000 steps, 64\.0 times$/),
      ]);
  });

  it('is seen of a part that is small, and of work that waits', async () =>
    expect(await superlinear(100, hideFew)).toEqual([expect.stringMatching(/^addFew of /)]));

  it('is not told where natives do the work', () =>
    expect(superlinear(100, match)).rejects.toThrow('no steps to count'));
});

const options = optionsWith({ nonce, units });
const { record } = manyClaims(1);
const scanner = createSecretScanner();

const works: Readonly<Record<string, (size: number) => unknown>> = {
  'printing a report': size => renderers.terminal(floodedRun(size), { color: true, width: 80 }),
  'printing a consensus report': size =>
    renderConsensusReport({
      mode: 'code-review',
      scale: new Map(),
      commits: null,
      strategy: { name: 'overlap', threshold: 60, version: '1' },
      quorum: { required: 1, completed: 2, met: true },
      verification: null,
      folder: null,
      reviews: [],
      claims: Array.from({ length: size }, () => record.claims[0] ?? expect.fail()),
    }),
  'reading a patch': size =>
    parsePatch(
      `${'--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'.repeat(size)}${'"'.repeat(20 * size)}\n${'\\'.repeat(20 * size)}`,
    ),
  'reading a line of JSON that comes in pieces': size => {
    const lines = readJsonLines(() => {});
    for (const piece of ['{"a":"', ...Array.from({ length: size }, () => 'x'), '"}'])
      lines.add(piece);
    lines.end();
  },
  'scanning many texts for secrets': async size => {
    for (let at = 0; at < size; at += 1) {
      await scanner.scan('const a = 1;\n', `src/${at}.ts`);
      // A library may wait for the turns of the event loop to let go of what it made.
      await new Promise(resolve => setImmediate(resolve));
    }
  },
  ...Object.fromEntries(
    walkedUnits.map(unit => [
      `reading an answer of ${JSON.stringify(unit)}`,
      (size: number) => {
        const text = unit.repeat((4 * size) / unit.length);
        readAnswer(`CRITICAL|x\n${text}`, options);
        readAnswer(`### Findings Index\n- P1 | a | b | ${text}x\nVerdict: safe`, options);
      },
    ]),
  ),
};

describe('linear work', () => {
  it.each(Object.entries(works))('is %s', async (_, work) =>
    expect(await superlinear(500, work)).toEqual([]),
  );
});
