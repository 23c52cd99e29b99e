import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confidenceModel } from '../../../src/agreement/calibrated-model.ts';
import {
  type Assessor,
  confidenceEvidence,
  type ConfidenceModel,
  createAssessor,
  ownWordings,
  sumVoices,
} from '../../../src/agreement/confidence/confidence.ts';
import { type Finding, severities } from '../../../src/core/words/finding.ts';
import { findingOf, reviewOf } from '../sample.ts';

const reviewers = 'A B C D E F G'.split(' ');

/** Numbers as a fit may bring them: within the bounds the assessor states. */
const models = fc
  .tuple(...Array.from({ length: 5 }, () => fc.double({ min: 0, max: 4, noNaN: true })))
  .map(([heard = 0, voices = 0, sparing = 0, share = 0, places = 0]) => ({
    ...confidenceModel,
    evidence: {
      intercept: 0.3,
      weights: [heard + voices + sparing, -heard, sparing * share * 0.25, -sparing, places],
    },
  }));

const panels = fc.record({
  /** How many other things each says before and after. */
  talk: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 7, maxLength: 7 }),
  families: fc.array(fc.constantFrom('x', 'y', null), { minLength: 7, maxLength: 7 }),
  partial: fc.subarray(reviewers),
  records: fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 7, maxLength: 7 }),
  supporters: fc.subarray(reviewers.slice(0, 6), { minLength: 1 }),
  silent: fc.subarray(reviewers.slice(0, 6)),
  deniers: fc.subarray(reviewers),
  isListening: fc.boolean(),
  sureness: fc.double({ min: 0, max: 1, noNaN: true }),
  namesPlace: fc.boolean(),
  wording: fc.constantFrom('own', 'copy'),
  /** What each tells, and how grave it calls it. */
  tellings: fc.array(
    fc.tuple(
      fc.constantFrom('', ' so that it crashes', ' and loses data', ', a nit', ', is fine'),
      fc.constantFrom(...severities),
    ),
    { minLength: 7, maxLength: 7 },
  ),
});
type Panel = typeof panels extends fc.Arbitrary<infer Value> ? Value : never;

/** Of confidence, without and with the voice of the last reviewer. */
function rateBoth(panel: Panel, model: ConfidenceModel): readonly [before: number, after: number] {
  const [before, after] = assessBoth(panel, model);
  return [before.probability, after.probability];
}

/** `wording`: the last reviewer says it in words of its own, or in those of the first. */
function assessBoth(
  panel: Panel,
  model: ConfidenceModel,
): readonly [before: ReturnType<Assessor>, after: ReturnType<Assessor>] {
  const { talk, families, partial, records, supporters, silent, deniers, isListening } = panel;
  const said = new Map<string, Finding>();
  const findings = reviewers.flatMap((reviewer, index) => {
    const [before, after] = talk[index] ?? [0, 0];
    const isAdded = reviewer === 'G';
    const from = isAdded && panel.wording === 'copy' ? (supporters[0] ?? '') : reviewer;
    const [telling] = panel.tellings[reviewers.indexOf(from)] ?? [''];
    const [, label] = panel.tellings[index] ?? [];
    const told = findingOf(reviewer, `Told by ${from}${telling}`, {
      ...(label === undefined ? {} : { label }),
      ...(isAdded && panel.namesPlace ? { path: 'a.ts' } : {}),
    });
    said.set(reviewer, told);
    return [
      ...Array.from({ length: before }, () => findingOf(reviewer, 'Before')),
      told,
      ...Array.from({ length: after }, () => findingOf(reviewer, 'After')),
    ];
  });
  const electors = [...new Set([...supporters, ...silent])];
  const rate = (names: readonly string[], heard: readonly string[]): ReturnType<Assessor> =>
    createAssessor(model, {
      findings,
      reviews: partial.map(reviewer => reviewOf(reviewer, { status: 'partial' })),
      reliability: reviewers.map((reviewer, index) => ({
        reviewer,
        family: null,
        confirmed: records[index]?.[0] ?? 0,
        rejected: records[index]?.[1] ?? 0,
        fixed: 0,
      })),
      families: new Map(
        reviewers.flatMap((reviewer, index) => {
          const family = families[index] ?? null;
          return family === null ? [] : [[reviewer, family]];
        }),
      ),
    })({
      findings: names.map(name => said.get(name)).filter(finding => finding !== undefined),
      supporters: [...names],
      electors: [...new Set([...names, ...heard])],
      against: deniers.map(reviewer => ({ reviewer, finding: '', statement: '' })),
      sureness: panel.sureness,
    });
  return [
    rate(supporters, isListening ? [...electors, 'G'] : electors),
    rate([...supporters, 'G'], electors),
  ];
}

describe('a supporter more', () => {
  it('never lowers the confidence of a claim, whoever it is and whether it was heard before', () =>
    fc.assert(
      fc.property(panels, panel => {
        const [before, after] = rateBoth(panel, confidenceModel);
        expect(after).toBeGreaterThanOrEqual(before - 1e-12);
      }),
      { numRuns: 800 },
    ));

  it('never lowers it with any numbers that keep to the bounds', () =>
    fc.assert(
      fc.property(panels, models, (panel, model) => {
        const [before, after] = rateBoth(panel, model);
        expect(after).toBeGreaterThanOrEqual(before - 1e-12);
      }),
      { numRuns: 500 },
    ));

  it('raises it where it is independent and was taken for silent', () =>
    fc.assert(
      fc.property(panels, panel => {
        const [before, after] = rateBoth(
          { ...panel, wording: 'own', isListening: true, sureness: 1 },
          confidenceModel,
        );
        if (before < 1 - 1e-9) expect(after).toBeGreaterThan(before);
      }),
    ));

  it('of the same panel never takes a claim out of what is worth acting on, however it puts it', () =>
    fc.assert(
      fc.property(panels, panel => {
        const [before, after] = assessBoth({ ...panel, isListening: true }, confidenceModel);
        expect(after.worth).toBeGreaterThanOrEqual(before.worth - 1e-12);
      }),
      { numRuns: 1_500 },
    ));

  it('is what the bounds of the numbers are for', () => {
    expect(weightOf('silence')).toBeLessThanOrEqual(0);
    expect(weightOf('loudness')).toBeLessThanOrEqual(0);
    expect(weightOf('places')).toBeGreaterThanOrEqual(0);
    expect(weightOf('reliability')).toBeGreaterThanOrEqual(0);
    expect(weightOf('reliability')).toBeLessThanOrEqual(-weightOf('loudness'));
    // Five significant digits are kept of each.
    expect(weightOf('voices') + weightOf('silence') + weightOf('loudness')).toBeGreaterThanOrEqual(
      -1e-4,
    );
    const [ofTruth = 0, ofMatter = 0] = confidenceModel.worth.weights;
    const loudnessOfMatter = confidenceModel.matters.weights[4] ?? 0;
    expect(Math.min(ofTruth, ofMatter, -loudnessOfMatter)).toBeGreaterThanOrEqual(0);
    expect(ofTruth * (weightOf('voices') + weightOf('loudness'))).toBeGreaterThanOrEqual(0);
  });
});

function weightOf(name: (typeof confidenceEvidence)[number]) {
  return confidenceModel.evidence.weights[confidenceEvidence.indexOf(name)] ?? 0;
}

describe('voices', () => {
  it('of one family stay below two, and never get fewer', () =>
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (worths, added) => {
          expect(sumOfKin(worths)).toBeLessThanOrEqual(2);
          expect(sumOfKin([...worths, added])).toBeGreaterThanOrEqual(sumOfKin(worths) - 1e-12);
        },
      ),
    ));

  it('are as many as there are wordings to give to each, and a speaker more takes none away', () => {
    const both = sayings(['A', 'one'], ['B', 'two']);
    expect(ownWordings(['A', 'B'], both)).toHaveLength(2);
    // Who repeats both others takes neither voice away, wherever it stands.
    expect(
      ownWordings(['C', 'A', 'B'], [...both, ...sayings(['C', 'One'], ['C', 'two!'])]),
    ).toHaveLength(2);
    expect(ownWordings(['C', 'A'], sayings(['C', 'one'], ['C', 'two'], ['A', 'one']))).toHaveLength(
      2,
    );
    expect(ownWordings(['A', 'B', 'C'], sayings(['A', 'x'], ['B', 'X'], ['C', ' x.']))).toEqual([
      'A',
    ]);
    expect(ownWordings(['A', 'B'], sayings(['A', '…'], ['B', '!']))).toHaveLength(2);
  });
});

/** Of voices that all are of one family, by what each is worth. */
function sumOfKin(worths: readonly number[]) {
  return sumVoices(
    worths.map((_, index) => String(index)),
    name => worths[Number(name)] ?? 0,
    { families: new Map(worths.map((_, index) => [String(index), 'kin'])) },
  );
}

function sayings(
  ...pairs: readonly (readonly [reviewer: string, text: string])[]
): { readonly reviewer: string; readonly text: string }[] {
  return pairs.map(([reviewer, text]) => ({ reviewer, text }));
}
