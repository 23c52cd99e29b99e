import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LocalPack, SideFile } from '../../src/core/context/packing/local-pack.ts';
import { createHistory, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, startJury } from './jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

const words = ['context', '--task', 'task-1', '--json'];
const text = (index: number) =>
  `export function makePart${index}() {\n${`  step('number ${index} of many');\n`.repeat(1_400)}}\n`;

/** More text than the index writes at once, which is 4 MiB; the empty tables are about 150 kB. */
function createProject() {
  const parts = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`src/part${index}.ts`, text(index)]),
  );
  return createHistory(
    { ...parts, 'src/all.ts': 'export const all = [];\n' },
    {
      'src/all.ts':
        "import { makePart7 } from './part7.ts';\n\nexport const all = [makePart7()];\n",
    },
  );
}

/** The folder for passing files is one of the test's own: a killed process leaves what it had there. */
function environmentOf(sample: SampleRepository) {
  const folder = join(sample.root, '../passing');
  mkdirSync(folder, { recursive: true });
  return { JURY_RUN_ID: 'run-1', TMPDIR: folder };
}

/** Kills `jury context` as soon as `isThen` holds, or lets it end; the signal it ended by. */
async function killWhen(sample: SampleRepository, isThen: () => boolean) {
  const child = startJury(sample.root, words, environmentOf(sample));
  const closed = once(child, 'close');
  while (!isThen() && child.exitCode === null) await new Promise(resolve => setImmediate(resolve));
  child.kill('SIGKILL');
  return ((await closed) as [unknown, string | null])[1];
}

function pack(sample: SampleRepository) {
  const { code, stdout } = jury(sample.root, words, { environment: environmentOf(sample) });
  expect(code).toBe(0);
  return LocalPack.parse(JSON.parse(stdout));
}

it('after kills half way the next pack is the one that undisturbed packing makes', async () => {
  const sample = createProject();
  const context = join(runsOf(sample.root), 'run-1/context');
  const index = join(stateOf(sample.root), 'index.sqlite');
  const filesIn = (ending: string) =>
    existsSync(context) ? readdirSync(context).filter(name => name.endsWith(ending)) : [];
  const read = (name: string) => JSON.parse(readFileSync(join(context, name), 'utf8'));

  expect(await killWhen(sample, () => existsSync(index))).toBe('SIGKILL');
  expect(await killWhen(sample, () => statSync(index).size > 250_000)).toBe('SIGKILL');
  expect(filesIn('')).toEqual([]);
  const halfWay = statSync(index).size;
  // On a busy machine these two may be over before the signal comes: what follows holds all the same.
  await killWhen(sample, () => filesIn('').length > 0);
  await killWhen(sample, () => filesIn('.lcp.json').length > 0);

  const next = pack(sample);
  expect(statSync(index).size).toBeGreaterThan(halfWay);
  const written = filesIn('.lcp.json').map(read);
  for (const name of filesIn('.meta.json')) expect(SideFile.parse(read(name)).run_id).toBe('run-1');
  rmSync(stateOf(sample.root), { recursive: true });
  const undisturbed = pack(sample);
  expect([next, ...written]).toEqual([next, ...written].map(() => undisturbed));
}, 240_000);
