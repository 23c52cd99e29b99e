/**
 * A change that no budget holds is read in rounds that are killed at random moments and meet random ceilings: no question whose
 * answer is kept is put again, and what comes of it is what comes of rounds that nobody disturbs. With `JURY_FAULTS=all` twenty
 * times, from the seed `JURY_SEED`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import type { jury } from '../cli/jury.ts';
import { createLargeChange, type LargeChange } from '../promises/large-change.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { runsOf } from '../state-of.ts';

const isWhole = process.env.JURY_FAULTS === 'all';
const wanted = isWhole ? 20 : 2;
const seed = Number(process.env.JURY_SEED ?? 20_261_123);
/** No run here takes more commands than this to be whole. */
const mostCommands = 40;

const makeLab = () => createLargeChange({ folders: { a: 12, b: 12 }, tokens: 1_500, every: 1 });

interface Undisturbed {
  readonly result: string;
  readonly ms: number;
  readonly questions: number;
}

let whole: Undisturbed;
const told = { kills: 0, ceilings: 0, commands: 0, repeated: 0, lost: 0, questions: 0 };

beforeAll(() => {
  const lab = makeLab();
  const began = performance.now();
  let ended = lab.run('review', '--config', lab.config, '--format', 'json');
  const ms = performance.now() - began;
  for (let count = 0; count < mostCommands && !isRead(ended); count++)
    ended = lab.run('review', '--continue', 'latest', '--format', 'json');
  whole = { result: resultOf(ended), ms, questions: lab.questions().length };
}, 600_000);

afterAll(() => {
  console.log(
    `seed ${seed}: ${told.kills} kills and ${told.ceilings} ceilings in ${told.commands} commands, ` +
      `${told.questions} questions (${whole.questions} in a run that nobody disturbs), ${told.lost} put ` +
      `again since their answer was not kept, ${told.repeated} although it was`,
  );
});

type Ended = ReturnType<typeof jury>;

function recordOf({ stdout }: Pick<Ended, 'stdout'>) {
  return stdout.trim() === '' ? null : (JSON.parse(stdout) as PrintedRecord);
}

function isRead(ended: Pick<Ended, 'stdout'>) {
  return recordOf(ended)?.reviewers.every(({ status }) => status === 'complete') === true;
}

/** What must be the same however it came about. */
function resultOf(ended: Pick<Ended, 'stdout'>) {
  const record = recordOf(ended);
  return JSON.stringify([
    record?.outcome,
    record?.claims.map(({ severity, text, supporters }) => [severity, text, supporters]).toSorted(),
    record?.coverage.files.map(({ path: name, by }) => [name, by]),
  ]);
}

/** Files of every question whose answer is in the journal. */
function keptFiles(lab: LargeChange) {
  const runs = runsOf(lab.sample.root);
  const [run] = existsSync(runs) ? readdirSync(runs).filter(name => /^\d{8}T/.test(name)) : [];
  const file = path.join(runs, run ?? 'none', 'journal.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return new Set(
    lines
      .filter(line =>
        /\["[ab]\/\d+(?:\/step\/\d+)?\/call\/\d+\/\d+",\{"status":"answered"/.test(line),
      )
      .flatMap(line =>
        [...line.matchAll(/IMPORTANT\|([ab]\/part\d+\.js)/g)].map(([, name]) => name ?? ''),
      ),
  );
}

function isBegun(lab: LargeChange) {
  const runs = runsOf(lab.sample.root);
  return (
    existsSync(runs) &&
    readdirSync(runs).some(name => existsSync(path.join(runs, name, 'plan.json')))
  );
}

/** One command, killed or not, under a ceiling or not; null where it was killed. */
async function step(lab: LargeChange, chance: Chance, isLast: boolean) {
  const made = lab.questions().length;
  const isCeiling = !isLast && chance.isTrue(0.3);
  const ceiling = isCeiling ? made + 1 + chance.below(2) : 1_000;
  if (isCeiling) told.ceilings += 1;
  const words = [
    'review',
    ...(isBegun(lab) ? ['--continue', 'latest'] : ['--config', lab.config]),
    '--max-calls',
    String(ceiling),
    '--format',
    'json',
  ];
  told.commands += 1;
  if (isLast || chance.isTrue(0.3)) return lab.run(...words);
  told.kills += 1;
  const child = lab.start(...words);
  const over = new Promise(resolve => child.on('close', resolve));
  await Promise.race([over, wait(chance.below(Math.round(whole.ms)))]);
  child.kill('SIGKILL');
  await over;
  return null;
}

describe.skipIf(process.platform === 'win32')(
  'a review that goes on after kills and ceilings, not on Windows',
  () => {
    it(
      'puts no question again whose answer it has, and comes to the same',
      { timeout: 3_600_000 },
      async () => {
        for (let index = 0; told.kills < wanted; index++) {
          const chance = createChance(seed, `onward ${index}`);
          const lab = makeLab();
          let ended: Ended | null = null;
          for (let count = 0; count < mostCommands && (ended === null || !isRead(ended)); count++) {
            const kept = keptFiles(lab);
            const before = lab.questions().length;
            ended = await step(lab, chance, told.kills >= wanted || count > mostCommands / 2);
            const again = lab
              .questions()
              .slice(before)
              .flatMap(({ files }) => files);
            told.repeated += again.filter(file => kept.has(file)).length;
          }
          const questions = lab.questions();
          told.questions += questions.length;
          const files = questions.flatMap(question => question.files);
          told.lost += files.length - new Set(files).size;
          expect([index, ended === null ? null : resultOf(ended)]).toEqual([index, whole.result]);
        }
        expect(told.repeated).toBe(0);
      },
    );
  },
);
