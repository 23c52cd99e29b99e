/** What every implementation of the `Memory` port keeps. */
import { beforeEach, expect, it } from 'vitest';
import type { Claim } from '../../src/core/words/claim.ts';
import type { Memory } from '../../src/core/ports/steps.ts';
import {
  sampleChange,
  sampleClaim,
  sampleFile,
  sampleFinding,
  sampleHunk,
  sampleLocation,
  sampleReview,
} from '../core/sample.ts';

const text = 'one();\nsave(name);\nthree();\n';

function runOf(
  run: string,
  claims: readonly Claim[],
  parts: Partial<Parameters<Memory['remember']>[0]> = {},
) {
  return {
    run,
    claims,
    at: '2026-11-21T12:00:00.000Z',
    reviews: [sampleReview()],
    families: new Map([['alpha', 'anthropic']]),
    change: sampleChange({
      files: [
        sampleFile({
          additions: 3,
          hunks: [sampleHunk([1, 3], [1, 3])],
        }),
      ],
    }),
    read: () => Promise.resolve(text),
    isDecided: () => true,
    ...parts,
  };
}

function claimOf(words: string) {
  const location = sampleLocation({ line: 2 });
  return sampleClaim({
    text: words,
    location,
    findings: [sampleFinding({ text: words, location })],
  });
}

/** `open` opens the same memory again: whatever it yields shares what is remembered. */
export function describeMemory(create: () => Promise<() => Memory>): void {
  let open: () => Memory;
  beforeEach(async () => void (open = await create()));

  it('recognises claims as it would remember them, and keeps nothing', async () => {
    const known = claimOf('The name is saved without a check');
    await open().remember(runOf('one', [known]));
    const other = runOf('two', [{ ...known, id: 'c-00000000ff' }]);
    const { claims } = await open().recognise(other);
    expect(claims[0]).toMatchObject({ id: 'c-0000000001', state: 'persisting' });
    const fresh = runOf('three', [claimOf('A retry never ends')]);
    await open().recognise(fresh);
    expect((await open().remember({ ...fresh, run: 'four' })).claims[0]?.state).toBe('new');
  });

  it('knows a claim again in the next run, by another door', async () => {
    expect(
      (await open().remember(runOf('one', [claimOf('The name is saved without a check')])))
        .claims[0]?.state,
    ).toBe('new');
    const again = await open().remember(
      runOf('two', [
        { ...claimOf('The name is saved unchecked, without a check'), id: 'c-00000000ff' },
      ]),
    );
    expect(again.claims[0]).toMatchObject({ id: 'c-0000000001', state: 'persisting' });
  });

  it('says the same when a run is remembered again', async () => {
    await open().remember(runOf('one', [claimOf('The name is saved without a check')]));
    const first = await open().remember(runOf('two', []));
    expect(first.fixed.map(({ id }) => id)).toEqual(['c-0000000001']);
    expect((await open().remember(runOf('two', []))).fixed).toEqual(first.fixed);
    expect((await open().remember(runOf('three', []))).fixed).toEqual([]);
  });

  it('remembers all of several runs at once', async () => {
    const words = ['The pool leaks', 'Sessions never end', 'Names are logged', 'Locks are missing'];
    await Promise.all(
      words.map((each, index) =>
        open().remember(
          runOf(`run-${index}`, [{ ...claimOf(each), id: `c-000000000${index}` }], {
            isDecided: () => false,
          }),
        ),
      ),
    );
    const { claims } = await open().remember(
      runOf(
        'last',
        words.map((each, index) => ({ ...claimOf(each), id: `c-00000000f${index}` })),
      ),
    );
    expect(claims.map(({ state }) => state)).toEqual([
      'persisting',
      'persisting',
      'persisting',
      'persisting',
    ]);
  });

  it('leaves nothing behind when deciding fails', async () => {
    const broken = runOf('one', [claimOf('The name is saved without a check')], {
      isDecided: () => {
        throw new Error('no gate');
      },
    });
    await expect(open().remember(broken)).rejects.toThrow('no gate');
    expect(
      (await open().remember(runOf('two', [claimOf('The name is saved without a check')])))
        .claims[0]?.state,
    ).toBe('new');
  });

  it('rates nobody before anybody decided', async () => {
    await open().remember(runOf('one', [claimOf('The name is saved without a check')]));
    expect(await open().reliability()).toEqual([]);
    expect(await open().recalibration()).toBeNull();
  });
}
