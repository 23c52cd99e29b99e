import { afterEach, describe, expect, it } from 'vitest';
import { createMemory, openMemoryFile } from '../../../src/adapters/memory/memory-file.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import type { Disposition } from '../../../src/core/words/known-claim.ts';
import type { Memory } from '../../../src/core/ports/memory.ts';
import { describeMemory } from '../../contracts/memory.ts';
import { sampleKnownClaim } from '../../core/sample.ts';
import { makeTemporary, stateIn } from '../store/temporary.ts';

const removals: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(removals.splice(0).map(remove => remove()))));

async function create(baseline: readonly Disposition[] = []): Promise<() => Memory> {
  const { folder, remove } = await makeTemporary();
  removals.push(remove);
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
    const open = await create([
      {
        claim: 'c-0000000001',
        verdict: 'rejected',
        reason: 'x',
        scope: 'claim',
        until: null,
        at: '2026-11-21T00:00:00Z',
        severity: 'low',
        category: null,
        path: null,
        code: null,
        text: 'x',
      },
    ]);
    expect(await open().reliability()).toEqual([]);
  });
});

it('keeps what was answered about a claim through later runs, for the same run again once', async () => {
  const { folder, remove } = await makeTemporary();
  removals.push(remove);
  const file = openMemoryFile(stateIn(folder));
  const claim = sampleKnownClaim({
    supporters: [{ reviewer: 'alpha', family: null, run: 'one' }],
  });
  await file.update(() => Promise.resolve({ claims: [claim], dispositions: [], result: null }));
  const memory = createMemory({
    file,
    baseline: [],
    createMatcher: () => Promise.resolve(createCalibratedMatcher(matcherModel)),
    known: { claims: [], dispositions: [] },
    onNote: () => {},
  });
  const answer = { claim: claim.id, reviewer: 'beta', family: null, isFor: false };
  await memory.noteAnswers({ run: 'one', answers: [answer] });
  await memory.noteAnswers({ run: 'one', answers: [{ ...answer, isFor: true }] });
  await memory.noteAnswers({ run: 'two', answers: [answer, { ...answer, claim: 'c-ffffffffff' }] });
  const { claims } = await file.read();
  expect(claims).toEqual([
    {
      ...claim,
      answers: [
        { reviewer: 'beta', family: null, isFor: true, run: 'one' },
        { reviewer: 'beta', family: null, isFor: false, run: 'two' },
      ],
    },
  ]);
});
