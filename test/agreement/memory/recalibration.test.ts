import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Disposition, KnownClaim } from '../../../src/core/words/run.ts';
import {
  type DecidedConfidence,
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withoutRecalibration,
  withRecalibration,
} from '../../../src/agreement/memory/remember-run.ts';
import { computeStatistics } from '../../../src/render/statistics.ts';
import { sampleDisposition, sampleKnownClaim } from '../../core/sample.ts';

function decisions(
  ...groups: readonly (readonly [modelled: number, right: number, wrong: number])[]
): DecidedConfidence[] {
  return groups.flatMap(([modelled, right, wrong]) =>
    Array.from({ length: right + wrong }, (_, index) => ({
      stated: modelled,
      modelled,
      isTrue: index < right,
    })),
  );
}

const claim = (
  id: string,
  history: readonly (readonly [at: string, confidence: number | null])[],
): KnownClaim =>
  sampleKnownClaim({
    id,
    history: history.map(([at, stated], index) => ({
      run: String(index),
      at,
      state: 'new',
      confidence: stated === null ? null : { stated, modelled: stated / 2 },
    })),
  });

const decision = (id: string, at: string, verdict: Disposition['verdict'] = 'accepted') =>
  sampleDisposition({ claim: id, verdict, at });

describe('the correction of confidence by decisions', () => {
  it.each<[string, DecidedConfidence[]]>([
    ['nobody decided', []],
    ['one too few are decided', decisions([0.8, 60, 39])],
    ['too few are false', decisions([0.8, 200, 19])],
    ['all are false', decisions([0.8, 0, 500])],
  ])('is none where %s', (_, decided) => expect(recalibrationOf(decided)).toBeNull());

  it('begins with a hundred decisions, twenty of each kind', () => {
    expect(fewestDecisions).toEqual({ all: 100, ofEachKind: 20 });
    expect(recalibrationOf(decisions([0.8, 80, 20]))).toMatchObject({ decisions: 100 });
  });

  it('leaves figures alone that were right', () => {
    const correction = recalibrationOf(decisions([0.2, 40, 160], [0.8, 160, 40]));
    expect(correction?.intercept).toBeCloseTo(0, 5);
    expect(correction?.slope).toBeCloseTo(1, 2);
  });

  it('moves figures towards what was decided, never past it', () => {
    const correction = recalibrationOf(decisions([0.8, 100, 100], [0.3, 10, 90]));
    if (correction === null) throw new Error('There should be a correction.');
    const [high, low] = [0.8, 0.3].map(figure => withRecalibration(figure, correction));
    expect(high).toBeGreaterThan(0.49);
    expect(high).toBeLessThan(0.6);
    expect(low).toBeGreaterThan(0.09);
    expect(low).toBeLessThan(0.2);
  });

  it('stays in order and finite whatever was decided, and can be undone', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            stated: fc.double({ min: 0, max: 1, noNaN: true }),
            modelled: fc.double({ min: 0, max: 1, noNaN: true }),
            isTrue: fc.boolean(),
          }),
          { minLength: 100, maxLength: 200 },
        ),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (decided, figure) => {
          const correction = recalibrationOf(decided);
          if (correction === null) return;
          expect(correction.slope).toBeGreaterThan(0);
          expect(Number.isFinite(correction.intercept)).toBe(true);
          const shown = withRecalibration(figure, correction);
          if (shown > 0.001 && shown < 0.999)
            expect(withoutRecalibration(shown, correction)).toBeCloseTo(figure, 6);
        },
      ),
    ));

  it('takes what was said in the last run before the decision', () => {
    const memory = {
      claims: [
        claim('c-0000000001', [
          ['2026-11-01T00:00:00Z', 0.4],
          ['2026-11-03T00:00:00Z', 0.6],
          ['2026-11-09T00:00:00Z', 0.9],
        ]),
        claim('c-0000000002', [['2026-11-09T00:00:00Z', 0.9]]),
        claim('c-0000000003', [['2026-11-01T00:00:00Z', null]]),
        claim('c-0000000004', [['2026-11-01T00:00:00Z', 0.2]]),
      ],
      dispositions: [
        decision('c-0000000001', '2026-11-05T00:00:00Z', 'tolerated'),
        decision('c-0000000002', '2026-11-05T00:00:00Z'),
        decision('c-0000000003', '2026-11-05T00:00:00Z'),
        decision('c-0000000004', '2026-11-05T00:00:00Z', 'rejected'),
      ],
    };
    expect(decidedConfidences(memory)).toEqual([
      { stated: 0.6, modelled: 0.3, isTrue: true },
      { stated: 0.2, modelled: 0.1, isTrue: false },
    ]);
    expect(computeStatistics(memory, []).calibration).toMatchObject({
      decisions: 2,
      confirmed: 1,
      bins: [
        { least: 0.2, most: 0.4, claims: 1, stated: 0.2, confirmed: 0 },
        { least: 0.6, most: 0.8, claims: 1, stated: 0.6, confirmed: 1 },
      ],
      recalibration: null,
    });
  });
});
