import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/core/words/claim.ts';
import { createCalibratedMatcher } from '../../../src/core/matching/calibrated.ts';
import { confidenceModel, matcherModel } from '../../../src/core/matching/calibrated-model.ts';
import { formClaims } from '../../../src/core/matching/claims.ts';
import {
  createAssessor,
  precisionOf,
  type PanelRecord,
} from '../../../src/core/matching/confidence.ts';
import type { ReviewerReliability } from '../../../src/core/memory/reliability.ts';
import { severities, type Severity } from '../../../src/core/words/severity.ts';
import { findingOf, reviewOf, sha256 } from './sample.ts';

const panel = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'];

interface Case {
  readonly supporters?: readonly string[];
  readonly electors?: readonly string[];
  readonly severity?: Severity;
  readonly category?: string;
  readonly record?: Partial<PanelRecord>;
}

function confidenceOf({
  supporters = ['Alpha'],
  electors = panel,
  severity = 'medium',
  category,
  record,
}: Case): number {
  const findings = supporters.map(reviewer =>
    findingOf(reviewer, 'The lock is released twice', category === undefined ? {} : { category }),
  );
  const assess = createAssessor(confidenceModel, {
    findings,
    partial: new Set(),
    reliability: [],
    families: new Map(),
    ...record,
  });
  return assess({ findings, supporters: [...supporters], electors: [...electors], severity })
    .probability;
}

describe('the confidence of a claim', () => {
  it('grows with each reviewer that says the same', () => {
    const sure = [1, 2, 3, 4, 5].map(count => confidenceOf({ supporters: panel.slice(0, count) }));
    expect(sure).toEqual(sure.toSorted((one, other) => one - other));
    expect(sure[0]).toBeLessThan(0.5);
    expect(sure[4]).toBeGreaterThan(0.5);
  });

  it('sinks with each reviewer that could have said it and did not', () => {
    expect(confidenceOf({ electors: panel.slice(0, 2) })).toBeGreaterThan(
      confidenceOf({ electors: panel }),
    );
  });

  it('is lower for two seats of one family than for two families', () => {
    const supporters = ['Alpha', 'Beta'];
    const one = confidenceOf({
      supporters,
      record: {
        families: new Map([
          ['Alpha', 'maker'],
          ['Beta', 'maker'],
        ]),
      },
    });
    expect(one).toBeLessThan(
      confidenceOf({
        supporters,
        record: {
          families: new Map([
            ['Alpha', 'maker'],
            ['Beta', 'other'],
          ]),
        },
      }),
    );
    expect(one).toBeGreaterThan(
      confidenceOf({
        supporters: ['Alpha'],
        record: {
          families: new Map([
            ['Alpha', 'maker'],
            ['Beta', 'maker'],
          ]),
        },
      }),
    );
  });

  it('counts the voice of a partial review half', () => {
    const supporters = ['Alpha', 'Beta'];
    const partial = confidenceOf({ supporters, record: { partial: new Set(['Beta']) } });
    expect(partial).toBeLessThan(confidenceOf({ supporters }));
    expect(partial).toBeGreaterThan(
      confidenceOf({ supporters, record: { partial: new Set(supporters) } }),
    );
  });

  it('follows the record of the reviewer, and starts from what is expected of any', () => {
    const [poor, good] = [
      { confirmed: 0, rejected: 40 },
      { confirmed: 40, rejected: 0 },
    ].map(tally =>
      confidenceOf({ record: { reliability: [{ reviewer: 'Alpha', family: null, ...tally }] } }),
    );
    expect(poor).toBeLessThan(confidenceOf({}));
    expect(good).toBeGreaterThan(confidenceOf({}));
    expect(precisionOf({ confirmed: 0, rejected: 0 }, confidenceModel)).toBeCloseTo(
      confidenceModel.prior.precision,
    );
  });

  it('is a little higher for what is called critical, and lower for matters of taste', () => {
    const bySeverity = severities.map(severity => confidenceOf({ severity }));
    expect(bySeverity).toEqual(bySeverity.toSorted((one, other) => other - one));
    expect(confidenceOf({ category: 'naming' })).toBeLessThan(
      confidenceOf({ category: 'security' }),
    );
  });

  it('is lower for what a talkative reviewer says late', () => {
    const said = Array.from({ length: 12 }, (_, index) => findingOf('Alpha', `Thing ${index}`));
    const assess = createAssessor(confidenceModel, {
      findings: said,
      partial: new Set(),
      reliability: [],
      families: new Map(),
    });
    const [first, last] = [said[0], said[11]].map(
      finding =>
        assess({
          findings: finding === undefined ? [] : [finding],
          supporters: ['Alpha'],
          electors: panel,
          severity: 'medium',
        }).probability,
    );
    expect(last).toBeLessThan(first ?? 0);
  });

  it('is made of parts that add up to it', () => {
    fc.assert(
      fc.property(
        fc.subarray(panel, { minLength: 1 }),
        fc.subarray(panel),
        fc.constantFrom(...severities),
        fc.nat(30),
        fc.nat(30),
        (supporters, partial, severity, confirmed, rejected) => {
          const findings = supporters.map(reviewer => findingOf(reviewer, 'Text'));
          const assess = createAssessor(confidenceModel, {
            findings,
            partial: new Set(partial),
            reliability: [{ reviewer: 'Beta', family: null, confirmed, rejected }],
            families: new Map([
              ['Alpha', 'x'],
              ['Gamma', 'x'],
            ]),
          });
          const { probability, start, contributions } = assess({
            findings,
            supporters,
            electors: panel,
            severity,
          });
          expect(probability).toBeGreaterThan(0);
          expect(probability).toBeLessThan(1);
          expect(
            1 / (1 + Math.exp(-contributions.reduce((sum, { worth }) => sum + worth, start))),
          ).toBeCloseTo(probability, 10);
          for (const { words } of contributions) expect(words).toMatch(/\S/);
        },
      ),
    );
  });
});

const form = (
  isRated: boolean,
  reliability: readonly ReviewerReliability[] = [],
): Promise<Claim[]> =>
  formClaims({
    findings: [
      findingOf('Alpha', 'SQL injection in the user search'),
      findingOf('Beta', 'SQL injection in the user search endpoint'),
      findingOf('Beta', 'README names a removed flag'),
    ],
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews: [reviewOf('Alpha'), reviewOf('Beta', { status: 'partial' }), reviewOf('Gamma')],
    hash: sha256,
    ...(isRated
      ? {
          confidence: {
            model: confidenceModel,
            reliability,
            families: new Map<string, string>(),
          },
        }
      : {}),
  });

describe('claims that are formed with confidence', () => {
  it('carry a probability each, and the one that two reviewers support the higher', async () => {
    const [shared, lone] = await form(true);
    expect(shared?.supporters).toEqual(['Alpha', 'Beta']);
    expect(shared?.confidence).toBeGreaterThan(lone?.confidence ?? 1);
  });

  it.each([
    ['dismissed', 0, 1e9],
    ['accepted', 1e9, 0],
  ])(
    'stay a probability when everything that was ever decided was %s',
    async (_, confirmed, rejected) => {
      const record = { family: null, confirmed, rejected };
      const usual = await form(true);
      const rated = await form(true, [
        { reviewer: 'Alpha', ...record },
        { reviewer: 'Beta', ...record },
      ]);
      for (const [index, { confidence }] of rated.entries()) {
        const before = usual[index]?.confidence ?? 0;
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThan(1);
        expect(Math.sign((confidence ?? before) - before)).toBe(Math.sign(confirmed - rejected));
      }
    },
  );

  it('carry none when nobody asks for it', async () => {
    expect((await form(false)).map(({ confidence }) => confidence)).toEqual([null, null]);
  });
});
