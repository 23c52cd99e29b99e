import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

const old = '20200101T000000Z-aaaaaa';
const young = '20990101T000000Z-bbbbbb';

function createRuns() {
  const sample = createSampleRepository();
  for (const id of [old, young])
    mkdirSync(path.join(runsOf(sample.root), id), { recursive: true, mode: 0o700 });
  return sample;
}

const runsIn = (sample: SampleRepository) => readdirSync(runsOf(sample.root)).toSorted();

describe('jury clean', () => {
  it('names all runs and removes them', () => {
    const sample = createRuns();
    expect(jury(sample.root, ['clean'])).toEqual({
      code: 0,
      stdout: `${young}\n${old}\n`,
      stderr: 'jury: 2 runs removed, 0 kept.\n',
    });
    expect(runsIn(sample)).toEqual([]);
  });

  it('only names them on a dry run', () => {
    const sample = createRuns();
    expect(jury(sample.root, ['clean', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: `${young}\n${old}\n`,
      stderr: 'jury: 2 runs would be removed, 0 kept.\n',
    });
    expect(runsIn(sample)).toEqual([old, young]);
  });

  it('spares those that are young enough', () => {
    const sample = createRuns();
    expect(
      JSON.parse(jury(sample.root, ['clean', '--older-than', '7', '--json']).stdout),
    ).toMatchObject({ removed: [old], kept: [young], dryRun: false });
    expect(runsIn(sample)).toEqual([young]);
  });

  it('leaves what is no run alone, and is content with nothing to do', () => {
    const sample = createRuns();
    writeFileSync(path.join(stateOf(sample.root), 'memory.json'), '{}');
    renameSync(path.join(runsOf(sample.root), young), path.join(runsOf(sample.root), 'notes'));
    expect(jury(sample.root, ['clean'])).toMatchObject({ code: 0, stdout: `${old}\n` });
    expect([runsIn(sample), existsSync(path.join(stateOf(sample.root), 'memory.json'))]).toEqual([
      ['notes'],
      true,
    ]);
    expect(jury(createSampleRepository().root, ['clean'])).toMatchObject({
      code: 0,
      stderr: 'jury: 0 runs removed, 0 kept.\n',
    });
  });
});
