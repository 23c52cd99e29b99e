/** Each file of a run that is read back, damaged where a crash damages: gone on with all the same or refused by name, and never a pass. */
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createLab,
  createTally,
  findingsOf,
  killWhenRecorded,
  resume,
  review,
  run,
  type Lab,
} from './panel.ts';
import { filesBelow } from '../files-below.ts';

const isWhole = process.env.JURY_FAULTS === 'all';
const limit = pLimit(isWhole ? availableParallelism() : 2);

const sector = 512;

const damages: Readonly<Record<string, (file: string) => void>> = {
  'loses its last sector': file =>
    truncateSync(file, Math.max(0, (Math.ceil(statSync(file).size / sector) - 1) * sector)),
  'loses half of its last line': file => {
    const text = readFileSync(file);
    const line = text.lastIndexOf(0x0a, -2) + 1;
    truncateSync(file, line + Math.floor((text.length - line) / 2));
  },
  'is empty': file => truncateSync(file, 0),
  'has a bit turned near its end': file => {
    const bytes = readFileSync(file);
    if (bytes.length === 0) return;
    const place = Math.max(0, bytes.length - Math.min(bytes.length, sector) / 2 - 1) | 0;
    bytes.writeUInt8(bytes.readUInt8(place) ^ 4, place);
    writeFileSync(file, bytes);
  },
  'ends in zeros': file => {
    const bytes = readFileSync(file);
    bytes.fill(0, Math.max(0, bytes.length - sector));
    writeFileSync(file, bytes);
  },
};

/** Puts the state back as it was at the end of the run, or at its kill. */
function restore(lab: Lab, copy: string) {
  rmSync(lab.state, { recursive: true, force: true });
  cpSync(copy, lab.state, { recursive: true, preserveTimestamps: true });
}

const stage = describe.skipIf(process.platform === 'win32').each([
  ['killed', [resume]],
  ['finished', [resume, ['report', 'latest', '--format', 'json']]],
] as const);

stage('a run that was %s, not on Windows', (how, commands) => {
  const tally = createTally();
  let tried = 0;
  afterAll(() => {
    console.log(tally.told(`${how} runs with ${tried} damaged files`));
  });

  it(
    'never passes for the damage, and loses nothing without a word',
    { timeout: 3_600_000 },
    async () => {
      const calm = createLab();
      const findings = findingsOf(await run(calm, review(calm)));
      const lab = how === 'killed' ? createLab() : calm;
      if (how === 'killed') await killWhenRecorded(lab);
      const copy = `${lab.state}-copy`;
      cpSync(lab.state, copy, { recursive: true, preserveTimestamps: true });
      const files = filesBelow(copy).map(file => path.relative(copy, file));
      const points = files.flatMap(file =>
        Object.entries(damages).map(([name, damage]) => ({ file, name, damage })),
      );
      const chosen = points.filter(
        (_, index) => isWhole || index % Math.ceil(points.length / 3) === 1,
      );
      // One project, one state: one after another.
      for (const { file, name, damage } of chosen) {
        tried += 1;
        for (const words of commands) {
          restore(lab, copy);
          damage(path.join(lab.state, file));
          const ended = await limit(() => run(lab, words));
          tally.add(`${file} ${name}, ${words[0]}`, ended, findings);
          if (ended.code === null || ended.code >= 4)
            tally.wrong.push(
              `${file} ${name}, ${words[0]}: ${ended.code} ${ended.stderr.slice(-300)}`,
            );
        }
      }
      expect(tally.wrong).toEqual([]);
    },
  );
});
