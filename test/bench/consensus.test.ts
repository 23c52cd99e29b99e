import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drawPulls,
  estimate,
  forecasterBand,
  intervalOf,
  less,
  meanOf,
} from '../../bench/consensus/bootstrap.mjs';
import { predictLabelling } from '../../bench/consensus/ceilings.mjs';
import { factsOf } from '../../bench/consensus/claims-of.mjs';
import { lessonsOf, panelRecord } from '../../bench/consensus/confidence-fit.mjs';
import { makeFinding } from '../../bench/consensus/finding.mjs';
import { judgePairs, pairTables, readPairs } from '../../bench/consensus/hand-pairs.mjs';
import { drawPanels, planFolds, readPanels } from '../../bench/consensus/labelled-panels.mjs';
import { chanceOf, oddsOf } from '../../bench/consensus/logistic-fit.mjs';
import { rankReviewers } from '../../bench/consensus/measures.mjs';
import { sizeTables } from '../../bench/consensus/size-tables.mjs';
import { between, gap, percentBetween } from '../../bench/consensus/tables.mjs';
import { pullsOf, statedOf, tallyPanels, targetsOf } from '../../bench/consensus/tallies.mjs';
import { createCalibratedMatcher } from '../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../src/agreement/calibrated-model.ts';
import { createAssessor } from '../../src/agreement/confidence/confidence.ts';
import { writeData } from './labelled-data.ts';

type Said = readonly [reviewer: string, text: string, issue: string | null, label?: string];

interface Sample {
  readonly pull?: number;
  readonly labelling?: string;
  readonly known?: readonly string[];
  readonly reviewers?: readonly string[];
}

function panelOf(
  said: readonly Said[],
  { pull = 0, labelling = 'one', known = ['G1', 'G2'], reviewers = ['a', 'b', 'c'] }: Sample = {},
) {
  return {
    repository: 'shop',
    group: 'shop',
    pull,
    labelling,
    known,
    reviewers,
    findings: said.map(([reviewer, text]) => ({ reviewer, text, severity: 'medium' })),
    issues: said.map(([, , issue]) => issue),
    grades: said.map(([, , , label]) => label ?? null),
  };
}

type Panel = ReturnType<typeof panelOf>;

function claimOf(panel: Panel, members: readonly number[], probability: number) {
  return {
    panel,
    members,
    supporters: [...new Set(members.map(index => panel.findings[index]?.reviewer))],
    probability,
    ...factsOf(panel, members),
  };
}

/** Two of three on G1 in one claim, the third apart; a fused claim; a false alarm. */
function sampleClaims(pull = 0, labelling = 'one') {
  const panel = panelOf(
    [
      ['a', 'lock taken twice', 'G1'],
      ['b', 'the lock is taken twice', 'G1'],
      ['c', 'deadlock', 'G1'],
      ['a', 'leaks a handle', 'G2'],
      ['b', 'spelling', null],
    ],
    { pull, labelling },
  );
  return {
    panel,
    claims: [
      claimOf(panel, [0, 1], 0.9),
      claimOf(panel, [2], 0.4),
      claimOf(panel, [3], 0.2),
      claimOf(panel, [4], 0.7),
    ],
  };
}

const ranks = {
  here: new Map([['one', ['b', 'a', 'c']]]),
  elsewhere: new Map([['one\nshop', ['a', 'b', 'c']]]),
};

interface Estimate {
  readonly value: number;
  readonly draws: readonly number[];
}

function estimatesOf(samples: readonly ReturnType<typeof sampleClaims>[]) {
  const panels = samples.map(({ panel }) => panel);
  const tallies = tallyPanels(
    panels,
    samples.flatMap(({ claims }) => claims),
    ranks,
  );
  const all = estimate(
    tallies,
    drawPulls(pullsOf([0, 1, 2].map(pull => panelOf([], { pull }))), 50),
  );
  return { tallies, of: (name: string) => all[name] as Estimate };
}

describe('what a pull request adds to the figures', () => {
  const { of } = estimatesOf([sampleClaims()]);

  it('counts labelled pairs of two reviewers, together where they belong together', () => {
    expect(of('pairPrecision').value).toBe(1);
    expect(of('pairRecall').value).toBeCloseTo(1 / 3);
    expect(of('pairF1').value).toBeCloseTo(0.5);
  });

  it('scores what is put before a person: right claims of the named, issues found of the known', () => {
    expect(of('precision').value).toBe(0.5);
    expect(of('recall').value).toBe(0.5);
    expect(of('f1').value).toBe(0.5);
  });

  it('compares with the best reviewer seated, by a rank that no draw changes', () => {
    expect(of('bestF1').value).toBeCloseTo(2 / (2 + 2));
    expect(of('above').value).toBeCloseTo(0);
    expect(of('fairF1').value).toBeCloseTo(1);
    expect(of('aboveFair').value).toBeCloseTo(-0.5);
  });

  it('ranks reviewers for a repository by all others', () => {
    const good = panelOf([['a', 'lock taken twice', 'G1']], { known: ['G1'] });
    const bad = panelOf([['b', 'leaks a handle', 'G2']], { known: ['G2'] });
    const { here, elsewhere } = rankReviewers([good, { ...bad, repository: 'mill' }]);
    expect(here.get('one')).toHaveLength(3);
    expect(elsewhere.get('one\nshop')?.[0]).toBe('b');
    expect(elsewhere.get('one\nmill')?.[0]).toBe('a');
  });

  it('measures stated probabilities by what came of them', () => {
    expect(of('truth error').value).toBeCloseTo((0.1 + 0.6 + 0.8 + 0.7) / 4);
    expect(of('truth loss').value).toBeCloseTo(
      -(Math.log(0.9) + Math.log(0.4) + Math.log(0.2) + Math.log(0.3)) / 4,
    );
  });

  it('knows the issues of a panel in which nobody found anything', () => {
    const silent = { panel: panelOf([], { pull: 1 }), claims: [] };
    expect(estimatesOf([sampleClaims(), silent]).of('recall').value).toBe(0.25);
  });

  it('adds up the panels drawn of one pull request', () => {
    expect(estimatesOf([sampleClaims(), sampleClaims()]).tallies).toHaveLength(1);
    expect(estimatesOf([sampleClaims(), sampleClaims()]).of('f1').value).toBe(0.5);
  });

  it('names by worth where a version tells it, and by its own cut where it has one', () => {
    const { panel, claims } = sampleClaims();
    const named = (change: object) =>
      estimatesOf([{ panel, claims: claims.map(claim => ({ ...claim, ...change })) }] as never).of(
        'recall',
      ).value;
    expect(named({ matters: 0.1 })).toBe(0);
    expect(named({ matters: 0.1, act: true })).toBe(1);
  });

  it('asks what matters of true claims alone', () => {
    const panel = panelOf([
      ['a', 'x', null, 'non-material'],
      ['b', 'y', null, 'false-finding'],
      ['c', 'z', 'G1', 'defect'],
      ['a', 'u', null, 'unresolved'],
    ]);
    const claims = panel.findings.map((_, index) => ({
      ...claimOf(panel, [index], 0.5),
      matters: 0.3,
    }));
    const outcomes = (target: 'truth' | 'matters' | 'worth') =>
      statedOf(target, claims).map((one: { readonly isSo: boolean }) => one.isSo);
    expect(outcomes('matters')).toEqual([false, true]);
    expect(outcomes('truth')).toEqual([true, false, true]);
    expect(outcomes('worth')).toEqual([false, false, true, false]);
    expect(targetsOf(claims)).toEqual(['truth', 'matters', 'worth']);
    expect(targetsOf(sampleClaims().claims)).toEqual(['truth']);
  });
});

describe('draws of pull requests', () => {
  it('draw as many of each repository as it has, the same each time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), counts => {
        const pulls = counts.flatMap((count, group) =>
          Array.from({ length: count }, (_, index) => ({
            pull: `${group}/${index}`,
            group: `${group}`,
          })),
        );
        const drawn = drawPulls([...pulls, ...pulls], 20);
        expect(drawPulls(pulls, 20)).toEqual(drawn);
        for (const times of drawn)
          for (const [group, count] of counts.entries())
            expect(
              [...times]
                .filter(([pull]) => pull.startsWith(`${group}/`))
                .reduce((sum, [, each]) => sum + each, 0),
            ).toBe(count);
      }),
    );
  });

  it('leave no doubt about pull requests that are all alike', () => {
    const { of } = estimatesOf([0, 1, 2].map(pull => sampleClaims(pull)));
    expect(intervalOf(of('f1'))).toEqual([0.5, 0.5]);
  });

  it('differ where pull requests differ, around the figure itself', () => {
    const { panel, claims } = sampleClaims(1);
    const worse = { panel, claims: claims.map(claim => ({ ...claim, probability: 0.1 })) };
    const { of } = estimatesOf([sampleClaims(), worse, sampleClaims(2)]);
    const [low = 0, high = 0] = intervalOf(of('recall')) ?? [];
    expect(low).toBeLessThan(of('recall').value);
    expect(high).toBeGreaterThan(of('recall').value);
  });

  it('are the same for all that was measured on one pull request', () => {
    const { panel, claims } = sampleClaims(1);
    const worse = { panel, claims: claims.map(claim => ({ ...claim, probability: 0.1 })) };
    const { of } = estimatesOf([sampleClaims(), worse, sampleClaims(2)]);
    expect(intervalOf(less(of('recall'), of('recall')))).toEqual([0, 0]);
    expect(meanOf([of('recall'), of('recall')]).draws).toEqual(of('recall').draws);
  });

  it('leave out what cannot be told in a draw', () => {
    const known = { value: 1, draws: [1, Number.NaN, 3] };
    const unknown = { value: Number.NaN, draws: [Number.NaN, Number.NaN, 5] };
    expect(meanOf([known, unknown])).toEqual({ value: 1, draws: [1, Number.NaN, 4] });
    expect(intervalOf(known)).toEqual([1.05, 2.95]);
    expect(intervalOf({ draws: [Number.NaN] })).toBeNull();
  });

  it('give the interval that holds 95 of 100', () => {
    const draws = Array.from({ length: 1001 }, (_, index) => 1000 - index);
    expect(intervalOf({ draws })).toEqual([25, 975]);
  });
});

describe('a perfect forecaster', () => {
  it('shows no error when sure of everything', () => {
    const stated = [0, 0, 1, 1].map(probability => ({ probability }));
    expect(forecasterBand(stated)).toMatchObject({ mean: 0, low: 0, high: 0 });
  });

  it('shows the error that chance makes of a hundred even odds', () => {
    const { mean, low, high, bins } = forecasterBand(
      Array.from({ length: 100 }, () => ({ probability: 0.5 })),
    );
    // The mean distance of 100 fair coins from their mean: the square root of 2 p (1 - p) / (pi n).
    expect(Math.abs(mean - Math.sqrt(0.5 / (100 * Math.PI)))).toBeLessThan(0.004);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(0.08);
    expect(high).toBeLessThan(0.12);
    expect(bins[5]?.[0]).toBeCloseTo(0.4, 1);
    expect(bins[0]).toBeNull();
  });
});

function estimateOf(value: number, low: number, high: number) {
  const draws = Array.from(
    { length: 1001 },
    (_, index) => low + ((high - low) * (index - 25)) / 950,
  );
  return { value, draws };
}

describe('figures in tables', () => {
  it('stand with their interval', () => {
    expect(between(estimateOf(0.8361, 0.76, 0.89))).toBe('.836 .76–.89');
    expect(between(estimateOf(0.9996, 0.994, 1.26))).toBe('1.00 .99–1.3');
    expect(percentBetween(estimateOf(0.0084, 0.002, 0.016))).toBe('0.84 0.2–1.6');
    expect(gap(estimateOf(-0.0212, -0.1, 0.04))).toBe('−.021 −.10 .04');
    expect(gap(estimateOf(0.0212, 0.01, 0.04))).toBe('+.021 .01 .04');
    expect(between({ value: Number.NaN, draws: [] })).toBe('');
  });
});

function names(list: readonly { readonly repository: string }[]) {
  return [...new Set(list.map(({ repository }) => repository))];
}

describe('what is left out of a fit', () => {
  const panels = [0, 1, 2].map(pull => panelOf([], { pull }));
  const elsewhere = panels.map(panel => ({ ...panel, repository: 'bank', group: 'bank' }));

  it('is a repository where there are several', () => {
    const plan = planFolds([...panels, ...elsewhere], []);
    expect(plan).toMatchObject({ isLeftOut: true, isWhole: true });
    expect(names(plan.panels)).toEqual(['shop', 'bank']);
  });

  it('is a pull request of the only one, where there is other data to fit on', () => {
    const plan = planFolds(panels, elsewhere);
    expect(plan).toMatchObject({ isLeftOut: true, isWhole: false });
    expect(names(plan.panels)).toEqual(['shop 1', 'shop 2', 'shop 3']);
    expect(names(plan.beside)).toEqual(['bank']);
  });

  it('is nothing where one repository is all there is', () => {
    expect(planFolds(panels, []).isLeftOut).toBe(false);
  });

  it('does not change which panels are drawn', () => {
    const panel = panelOf([['a', 'x', null]], { reviewers: ['a', 'b', 'c', 'd', 'e', 'f'] });
    const [plan] = planFolds([panel], elsewhere).panels;
    const seated = (one: Panel) =>
      drawPanels(one, [2, 3, 5]).map(({ reviewers }: Panel) => reviewers);
    expect(plan?.repository).not.toBe(panel.repository);
    expect(seated(plan as Panel)).toEqual(seated(panel));
  });
});

describe('one labelling as prediction of the other', () => {
  const texts = ['lock is taken twice', 'the same lock twice', 'leaks an open handle'];
  const labelled = (issues: readonly (string | null)[], labelling: string) =>
    panelOf(
      texts.map((text, index): Said => ['abc'[index] as string, text, issues[index] ?? null]),
      { labelling },
    );

  it('is perfect where both say the same, and finds nothing where one saw none', () => {
    const panels = [
      labelled(['G1', 'G1', null], 'one'),
      labelled(['G1', 'G1', null], 'two'),
      labelled([null, 'G1', 'G1'], 'three'),
    ];
    expect(predictLabelling(panels, 'two', 'one')).toMatchObject({ precision: 1, recall: 1 });
    expect(predictLabelling(panels, 'three', 'one')).toMatchObject({ precision: 0, recall: 0 });
  });
});

function versionThat(claims: readonly object[]) {
  return { claimPair: async () => claims as never };
}

describe('pairs written by hand', () => {
  const pairs = [
    { theme: 't', relation: 'opposite', usual: true, one: 'is locked', other: 'is not locked' },
  ] as const;
  const lone = { supporters: ['first'], against: [], contradicts: [] };

  it('are together when one claim has both voices, whatever stands against it', async () => {
    const both = { ...lone, supporters: ['first', 'second'] };
    const denied = { ...lone, against: [{ reviewer: 'second' }] };
    for (const [claims, isTogether, isAgainst] of [
      [[both], true, false],
      [[denied], false, true],
      [[lone, lone], false, false],
      [[lone, { ...lone, contradicts: ['c-1'] }], false, true],
    ] as const) {
      const judged = await judgePairs(versionThat(claims), pairs);
      expect(judged).toHaveLength(3);
      expect(judged[0]).toMatchObject({ isTogether, isAgainst });
    }
  });

  it('are listed where open, never where set aside', async () => {
    const always = versionThat([{ ...lone, supporters: ['first', 'second'] }]);
    const text = await pairTables(always, undefined, true);
    const told = (set: string) =>
      readPairs(set).filter((pair: { readonly one: string }) => text.includes(pair.one)).length;
    expect(told('open')).toBeGreaterThan(100);
    expect([told('validation'), told('set-aside')]).toEqual([0, 0]);
    const each = readPairs('open').length / 3;
    expect(text).toMatch(
      new RegExp(
        `^all +one line +${each}/${each} 100 % +0/${each} 0 % \\(0\\) +0/${each} 0 %$`,
        'mu',
      ),
    );
  });
});

describe('bench:consensus', () => {
  it('reads what reviewers said, those included who said nothing, and what an adjudicator made of it', () => {
    const [panel] = readPanels(writeData());
    expect(panel?.reviewers).toHaveLength(4);
    expect(panel?.issues).toEqual(['G1', 'G1', null]);
    expect(panel?.grades).toEqual(['defect', 'defect', 'non-material']);
  });
});

describe('what confidence is fitted on', () => {
  it('is the evidence of which the shipped numbers make what a claim is told to be', async () => {
    const findings = [
      makeFinding('a', 0, 'The parser crashes on an empty list', { severity: 'high' }),
      makeFinding('a', 1, 'Rename the helper'),
      makeFinding('a', 2, 'The total is wrong for negative amounts'),
      makeFinding('b', 0, 'An empty list makes the parser crash'),
    ];
    const issues = ['G1', null, 'G2', 'G1'];
    const panel = { ...panelOf([]), findings, issues, grades: issues.map(() => null) };
    const lessons = await lessonsOf(
      { panel, size: 'all', draw: 0 },
      createCalibratedMatcher(matcherModel),
    );
    const assess = createAssessor(confidenceModel, panelRecord(panel));
    expect(lessons.length).toBeGreaterThan(2);
    for (const { claim, truth, matters } of lessons) {
      const told = assess(claim);
      expect(chanceOf(oddsOf(confidenceModel.evidence, truth))).toBeCloseTo(told.probability, 9);
      expect(chanceOf(oddsOf(confidenceModel.matters, matters))).toBeCloseTo(
        told.matters.probability,
        9,
      );
    }
  });
});

describe('two versions side by side', () => {
  it('are compared draw by draw, in the mean and in each labelling', () => {
    const samples = [0, 1, 2].flatMap(pull =>
      ['one', 'two'].map(labelling => sampleClaims(pull, labelling)),
    );
    const tallies = tallyPanels(
      samples.map(({ panel }) => panel),
      samples.flatMap(({ claims }) => claims),
      ranks,
    );
    const measured = new Map([['all', { tallies }]]);
    const text = sizeTables(measured, measured);
    expect(text).toMatch(/^all +one +\.500 \.50–\.50 /mu);
    for (const labelling of ['one', 'two'])
      expect(text).toMatch(new RegExp(`^all +${labelling} +\\.000 \\.00 \\.00 `, 'mu'));
    expect(text).toMatch(/^mean +\.000 \.00 \.00 /mu);
  });
});
