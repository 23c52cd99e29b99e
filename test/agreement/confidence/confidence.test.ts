import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { createAssessor, type PanelRecord } from '../../../src/agreement/confidence/confidence.ts';
import type { ReviewerReliability } from '../../../src/agreement/memory/decision.ts';
import { findingOf, reviewOf } from '../sample.ts';

const panel = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'];

function partialOf(...reviewers: readonly string[]) {
  return reviewers.map(reviewer => reviewOf(reviewer, { status: 'partial' }));
}

interface Case {
  readonly supporters?: readonly string[];
  readonly electors?: readonly string[];
  readonly against?: readonly string[];
  readonly record?: Partial<PanelRecord>;
}

/** Each in words of its own. */
function confidenceOf({ supporters = ['Alpha'], electors = panel, against = [], record }: Case) {
  const findings = supporters.map(reviewer =>
    findingOf(reviewer, `The lock is released twice, says ${reviewer}`),
  );
  const assess = createAssessor(confidenceModel, {
    findings,
    reviews: [],
    reliability: [],
    families: new Map(),
    ...record,
  });
  return assess({
    findings,
    supporters: [...supporters],
    electors: [...electors],
    against: against.map(reviewer => ({
      reviewer,
      finding: `${reviewer}/#1`,
      statement: `denied by ${reviewer}`,
    })),
  }).probability;
}

describe('the confidence of a claim', () => {
  it('grows with each reviewer that says the same', () => {
    const sure = [1, 2, 3, 4, 5].map(count => confidenceOf({ supporters: panel.slice(0, count) }));
    expect(sure).toEqual(sure.toSorted((one, other) => one - other));
    expect(sure[0]).toBeLessThan(0.5);
    expect(sure[4]).toBeGreaterThan(0.5);
  });

  it('sinks with each reviewer that could have said it and did not', () =>
    expect(confidenceOf({ electors: panel.slice(0, 2) })).toBeGreaterThan(
      confidenceOf({ electors: panel }),
    ));

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
    const partial = confidenceOf({ supporters, record: { reviews: partialOf('Beta') } });
    expect(partial).toBeLessThan(confidenceOf({ supporters }));
    expect(partial).toBeGreaterThan(
      confidenceOf({ supporters, record: { reviews: partialOf(...supporters) } }),
    );
  });

  it('follows the record of the reviewer, and starts from what is expected of any', () => {
    const [poor, fixed, good, unknown] = [
      { confirmed: 0, rejected: 40, fixed: 0 },
      { confirmed: 0, rejected: 0, fixed: 40 },
      { confirmed: 40, rejected: 0, fixed: 0 },
      { confirmed: 0, rejected: 0, fixed: 0 },
    ].map(tally =>
      confidenceOf({ record: { reliability: [{ reviewer: 'Alpha', family: null, ...tally }] } }),
    );
    expect(poor).toBeLessThan(confidenceOf({}));
    expect(fixed).toBeGreaterThan(confidenceOf({}));
    expect(good).toBeGreaterThan(fixed ?? 1);
    expect(unknown).toBeCloseTo(confidenceOf({}) ?? 1);
  });

  it('sinks with each reviewer that says the opposite, less with each further one of a family', () => {
    const supporters = ['Alpha', 'Beta'];
    const record = {
      families: new Map([
        ['Delta', 'x'],
        ['Epsilon', 'x'],
      ]),
    };
    const [none, one, two, kin, half] = [
      confidenceOf({ supporters }),
      confidenceOf({ supporters, against: ['Gamma'] }),
      confidenceOf({ supporters, against: ['Gamma', 'Delta'] }),
      confidenceOf({ supporters, against: ['Delta', 'Epsilon'], record }),
      confidenceOf({ supporters, against: ['Gamma'], record: { reviews: partialOf('Gamma') } }),
    ];
    expect(one).toBeLessThan(none);
    expect(two).toBeLessThan(kin);
    expect(kin).toBeLessThan(one);
    expect(half).toBeGreaterThan(one);
  });

  it('counts one voice against it for the same words', () => {
    const findings = [findingOf('Alpha', 'The lock is released twice')];
    const assess = createAssessor(confidenceModel, {
      findings,
      reviews: [],
      reliability: [],
      families: new Map(),
    });
    const told = (...statements: string[]) =>
      assess({
        findings,
        supporters: ['Alpha'],
        electors: panel,
        against: statements.map((statement, index) => ({
          reviewer: panel[index + 1] ?? '',
          finding: `#${index}`,
          statement,
        })),
      });
    const [one, copied, own] = [
      told('It is released once'),
      told('It is released once', 'it is released ONCE.'),
      told('It is released once', 'Nothing releases it twice'),
    ];
    expect(copied.probability).toBe(one.probability);
    expect(own.probability).toBeLessThan(one.probability);
    const words = copied.contributions.find(({ evidence }) => evidence === 'against')?.words;
    expect(words).toBe('Beta and Gamma say the opposite');
  });

  it('counts one voice for the same words, whatever their case and punctuation', () => {
    const rate = (...texts: string[]) => assessTexts(...texts).probability;
    const told = assessTexts('The lock is released twice', 'the LOCK is released, twice!');
    expect(told.contributions.map(({ words }) => words)).not.toContain('2 reviewers say it');
    const own = rate('The lock is released twice', 'unlock runs two times on error');
    const copied = rate('The lock is released twice', 'the LOCK is released, twice!');
    expect(copied).toBeLessThan(own);
    // A copy is no voice of its own, and no silence either.
    expect(copied).toBeGreaterThanOrEqual(rate('The lock is released twice'));
  });

  it('is lower the less sure it is that its findings are one thing, and never below that of one of them', () => {
    const findings = ['Alpha', 'Beta'].map(name => findingOf(name, `The lock, says ${name}`));
    const assess = createAssessor(confidenceModel, {
      findings,
      reviews: [],
      reliability: [],
      families: new Map(),
    });
    const [lone, ...sure] = [0, 0.3, 0.54, 0.9, 1].map(
      sureness =>
        assess({
          findings,
          supporters: ['Alpha', 'Beta'],
          electors: panel,
          ...(sureness < 1 && { sureness }),
        }).probability,
    );
    expect([lone, ...sure]).toEqual([lone, ...sure].toSorted((one = 0, other = 0) => one - other));
    const alone = assess({
      findings: findings.slice(0, 1),
      supporters: ['Alpha'],
      electors: panel,
    });
    expect(lone).toBeGreaterThanOrEqual(alone.probability - 1e-12);
    expect(sure[3]).toBeGreaterThan(sure[0] ?? 1);
  });

  it('tells how many judged claims of its kind it comes from', () => {
    const claim = {
      findings: [findingOf('Alpha', 'x')],
      supporters: ['Alpha'],
      electors: ['Alpha'],
    };
    const cases = { '1 of 1, without places': 40, '1 of 1, with places': 7 };
    const record = { findings: claim.findings, reviews: [], reliability: [], families: new Map() };
    const model = { ...confidenceModel, cases };
    expect(createAssessor(model, record)(claim).cases).toBe(40);
    const recalibration = { intercept: 0, slope: 1, decisions: 120 };
    expect(createAssessor(model, { ...record, recalibration })(claim).cases).toBe(120);
    expect(createAssessor({ ...model, cases: {} }, record)(claim).cases).toBe(0);
  });

  it('is lower for what a talkative reviewer says', () => {
    const said = Array.from({ length: 12 }, (_, index) => findingOf('Alpha', `Thing ${index}`));
    const [few, many] = [said.slice(0, 2), said].map(
      findings =>
        createAssessor(confidenceModel, {
          findings,
          reviews: [],
          reliability: [],
          families: new Map(),
        })({ findings: said.slice(0, 1), supporters: ['Alpha'], electors: panel }).probability,
    );
    expect(many).toBeLessThan(few ?? 0);
  });

  it('is corrected by the decisions of the project, and tells so', () => {
    const findings = [findingOf('Alpha', 'The lock is released twice')];
    const assessBy = (recalibration: PanelRecord['recalibration']) =>
      createAssessor(confidenceModel, {
        findings,
        reviews: [],
        reliability: [],
        families: new Map(),
        recalibration: recalibration ?? null,
      })({ findings, supporters: ['Alpha'], electors: panel });
    const plain = assessBy(null);
    const corrected = assessBy({ intercept: -1, slope: 0.5, decisions: 120 });
    expect(oddsOf(corrected)).toBeCloseTo(0.5 * oddsOf(plain) - 1, 10);
    expect(corrected.contributions.map(({ words }) => words).join()).toContain('120 decisions');
    expect(corrected.worth).toBe(plain.worth);
  });

  it('is made of parts that add up to it', () =>
    fc.assert(
      fc.property(
        fc.subarray(panel, { minLength: 1 }),
        fc.subarray(panel),
        fc.subarray(panel),
        fc.nat(30),
        fc.nat(30),
        (supporters, partial, against, confirmed, rejected) => {
          const findings = supporters.map(reviewer => findingOf(reviewer, 'Text'));
          const assess = createAssessor(confidenceModel, {
            findings,
            reviews: partialOf(...partial),
            reliability: [{ reviewer: 'Beta', family: null, confirmed, rejected, fixed: 3 }],
            families: new Map([
              ['Alpha', 'x'],
              ['Gamma', 'x'],
            ]),
          });
          const { probability, start, contributions } = assess({
            findings,
            supporters,
            electors: panel,
            against: against.map(reviewer => ({
              reviewer,
              finding: '',
              statement: `denied by ${reviewer}`,
            })),
          });
          expect(probability).toBeGreaterThan(0);
          expect(probability).toBeLessThan(1);
          expect(
            1 / (1 + Math.exp(-contributions.reduce((sum, { worth }) => sum + worth, start))),
          ).toBeCloseTo(probability, 10);
          for (const { words } of contributions) expect(words).toMatch(/\S/);
        },
      ),
    ));
});

/** Of a claim that the first of the panel say, one text each; three could have said it. */
function assessTexts(...texts: readonly string[]) {
  const findings = texts.map((text, index) => findingOf(panel[index] ?? '', text));
  return createAssessor(confidenceModel, {
    findings,
    reviews: [],
    reliability: [],
    families: new Map(),
  })({
    findings,
    supporters: [...new Set(findings.map(({ reviewer }) => reviewer))],
    electors: panel.slice(0, 3),
  });
}

/** Of a claim that one reviewer says, and says once more in the words of `again`. */
/** In logarithms. */
function oddsOf({ probability }: { readonly probability: number }) {
  return Math.log(probability / (1 - probability));
}

const form = (isRated: boolean, reliability: readonly ReviewerReliability[] = []) =>
  formClaims({
    findings: [
      findingOf('Alpha', 'SQL injection in the user search'),
      findingOf('Beta', 'SQL injection in the user search endpoint'),
      findingOf('Beta', 'README names a removed flag'),
    ],
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews: [reviewOf('Alpha'), reviewOf('Beta', { status: 'partial' }), reviewOf('Gamma')],
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
      const record = { family: null, confirmed, rejected, fixed: 0 };
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

  it('are rated by what readers say: a check that says the same takes nothing away', async () => {
    const said = ['Alpha', 'lint'].map(reviewer =>
      findingOf(reviewer, 'SQL injection in the user search', { path: 'a.ts', line: 3 }),
    );
    const rate = async (...names: readonly string[]) => {
      const [claim] = await formClaims({
        findings: said.filter(({ reviewer }) => names.includes(reviewer)),
        matcher: createCalibratedMatcher(matcherModel),
        panel,
        reviews: [reviewOf('Alpha'), reviewOf('Beta'), reviewOf('lint', { role: 'check' })],
        confidence: { model: confidenceModel, reliability: [], families: new Map() },
      });
      return claim;
    };
    const [alone, both, check] = [
      await rate('Alpha'),
      await rate('Alpha', 'lint'),
      await rate('lint'),
    ];
    expect(both?.supporters).toEqual(['Alpha', 'lint']);
    expect([both?.confidence, both?.worth]).toEqual([alone?.confidence, alone?.worth]);
    expect([check?.confidence, check?.worth]).toEqual([null, null]);
  });

  it('carry none when nobody asks for it', async () =>
    expect((await form(false)).map(({ confidence }) => confidence)).toEqual([null, null]));
});
