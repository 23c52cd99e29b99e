import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeStep, type StepCandidate } from '../../../src/core/context/step.ts';

function candidate(path: string, tokens: number, reduced: number | null = null): StepCandidate {
  return {
    path,
    tokens,
    bytes: tokens * 4,
    reduced: reduced === null ? null : { tokens: reduced, bytes: reduced * 4 },
  };
}

const room = { tokens: 100, left: 150, bytes: 10_000 };

describe('the next step of a review', () => {
  it('takes files in their order until the next does not fit', () => {
    const step = takeStep([candidate('a', 60), candidate('b', 40), candidate('c', 1)], room);
    expect(step.files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(step.pending.map(({ path }) => path)).toEqual(['c']);
  });

  it('gives a large file all that is left, alone', () => {
    expect(takeStep([candidate('large', 150), candidate('b', 1)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: false }],
      pending: [{ path: 'b' }],
    });
  });

  it('offers a file that is larger than what is left as its changed lines', () => {
    expect(takeStep([candidate('large', 151, 149)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: true }],
      skipped: [],
    });
  });

  it('skips what fits in no way, says why, and goes on', () => {
    const step = takeStep(
      [candidate('huge', 200, 160), candidate('wide', 3_000), candidate('b', 5)],
      { ...room, bytes: 2_000 },
    );
    expect(step.skipped).toEqual([
      { path: 'huge', why: 'does not fit what is left of the budget' },
      { path: 'wide', why: 'does not fit the prompt' },
    ]);
    expect(step.files).toEqual([{ path: 'b', isReduced: false }]);
  });

  it('accounts for every file, one way or the other, and never takes more than is left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200)), sizes => {
        const candidates = sizes.map((tokens, index) => candidate(`f${index}`, tokens));
        const { files, skipped, pending } = takeStep(candidates, room);
        expect(files.length + skipped.length + pending.length).toBe(sizes.length);
        expect(
          files.reduce((sum, { path }) => sum + (sizes[Number(path.slice(1))] ?? 0), 0),
        ).toBeLessThanOrEqual(room.left);
      }),
    );
  });
});
