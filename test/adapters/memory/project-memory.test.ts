import { describe, expect, it } from 'vitest';
import { createMemory, openMemoryFile } from '../../../src/adapters/memory/memory-file.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import type { Disposition } from '../../../src/core/words/run.ts';
import { describeMemory } from '../../contracts/memory.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from '../store/temporary.ts';
import { sampleDisposition } from '../../core/sample.ts';

async function create(baseline: readonly Disposition[] = []) {
  const folder = createFolder();
  return () =>
    createMemory({
      file: openMemoryFile(stateIn(folder)),
      baseline,
      createMatcher: () => Promise.resolve(createCalibratedMatcher(matcherModel)),
      known: { claims: [], dispositions: [] },
      onNote: () => {},
    });
}

describe('the memory of this machine', () => {
  describeMemory(create);
});

describe('the memory with a baseline', () => {
  it('rates nobody for a claim that only the baseline knows', async () => {
    const open = await create([sampleDisposition()]);
    expect(await open().reliability()).toEqual([]);
  });
});
