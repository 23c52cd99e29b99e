import { readFileSync } from 'node:fs';
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
import { factsOf } from '../../bench/consensus/claims-of.mjs';
import { lessonsOf, panelRecord } from '../../bench/consensus/confidence-fit.mjs';
import { between, gap, percentBetween } from '../../bench/consensus/estimate-text.mjs';
import { falseAlarms } from '../../bench/consensus/false-alarms.mjs';
import { figureTable } from '../../bench/consensus/figure-table.mjs';
import { makeFinding } from '../../bench/consensus/finding.mjs';
import { handPairs, judgePairs, readPairs, readSets } from '../../bench/consensus/hand-pairs.mjs';
import {
  drawPanels,
  foldByRepository,
  foldsBySet,
  readPanels,
} from '../../bench/consensus/labelled-panels.mjs';
import { chanceOf, oddsOf } from '../../bench/consensus/logistic-fit.mjs';
import { rankReviewers } from '../../bench/consensus/measures.mjs';
import { checkAims } from '../../bench/consensus/report.mjs';
import { answerBy } from '../../bench/consensus/scripted-judge.mjs';
import { statedOf, tallyPanels } from '../../bench/consensus/tallies.mjs';
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
    set: 'tools',
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
    probability,
    worth: probability,
    act: probability >= 0.5,
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

const ranks = new Map([['one', ['b', 'a', 'c']]]);

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
    drawPulls(
      [0, 1, 2].map(pull => ({ pull: `shop/${pull}`, group: 'shop' })),
      50,
    ),
  );
  return { tallies, of: (name: string) => all[name] as Estimate };
}

describe('what a pull request adds to the figures', () => {
  const { of } = estimatesOf([sampleClaims()]);

  it('counts labelled pairs of two reviewers, together where they belong together', () => {
    expect(of('precision').value).toBe(1);
    expect(of('recall').value).toBeCloseTo(1 / 3);
    expect(of('pairs').value).toBeCloseTo(0.5);
  });

  it('scores what is marked: right claims of those marked, issues found of the known', () => {
    expect(of('act').value).toBe(0.5);
  });

  it('compares with the best reviewer seated, by a rank that no draw changes', () => {
    expect(of('above').value).toBeCloseTo(0.5 - 2 / (2 + 2));
  });

  it('ranks reviewers by the known issues they find and what else they say', () => {
    const panel = panelOf(
      [
        ['a', 'lock taken twice', 'G1'],
        ['b', 'leaks a handle', null],
        ['c', 'lock taken twice', 'G1'],
        ['c', 'spelling', null],
      ],
      { known: ['G1'] },
    );
    expect(rankReviewers([panel]).get('one')).toEqual(['a', 'c', 'b']);
  });

  it('measures stated probabilities by what came of them', () => {
    expect(of('confidence').value).toBeCloseTo((0.1 + 0.6 + 0.8 + 0.7) / 4);
  });

  it('knows the issues of a panel in which nobody found anything', () => {
    const silent = { panel: panelOf([], { pull: 1 }), claims: [] };
    expect(estimatesOf([sampleClaims(), silent]).of('act').value).toBeCloseTo(1 / 3);
  });

  it('adds up the panels drawn of one pull request', () => {
    expect(estimatesOf([sampleClaims(), sampleClaims()]).tallies).toHaveLength(1);
    expect(estimatesOf([sampleClaims(), sampleClaims()]).of('act').value).toBe(0.5);
  });

  it('asks of an adjudicator what is true, and of the issues what is worth acting on', () => {
    const panel = panelOf([
      ['a', 'x', null, 'non-material'],
      ['b', 'y', null, 'false-finding'],
      ['c', 'z', 'G1', 'defect'],
      ['a', 'u', null, 'unresolved'],
    ]);
    const claims = panel.findings.map((_, index) => claimOf(panel, [index], 0.5));
    const outcomes = (target: 'confidence' | 'worth') =>
      statedOf(target, claims).map((one: { readonly isSo: boolean }) => one.isSo);
    expect(outcomes('confidence')).toEqual([true, false, true]);
    expect(outcomes('worth')).toEqual([false, false, true, false]);
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
    expect(intervalOf(of('act'))).toEqual([0.5, 0.5]);
  });

  it('differ where pull requests differ, around the figure itself', () => {
    const { panel, claims } = sampleClaims(1);
    const worse = { panel, claims: claims.map(claim => ({ ...claim, act: false })) };
    const { of } = estimatesOf([sampleClaims(), worse, sampleClaims(2)]);
    const [low = 0, high = 0] = intervalOf(of('act')) ?? [];
    expect(low).toBeLessThan(of('act').value);
    expect(high).toBeGreaterThan(of('act').value);
  });

  it('are the same for all that was measured on one pull request', () => {
    const { panel, claims } = sampleClaims(1);
    const worse = { panel, claims: claims.map(claim => ({ ...claim, act: false })) };
    const { of } = estimatesOf([sampleClaims(), worse, sampleClaims(2)]);
    expect(intervalOf(less(of('act'), of('act')))).toEqual([0, 0]);
    expect(meanOf([of('act'), of('act')]).draws).toEqual(of('act').draws);
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
  const agents = panels.map(panel => ({ ...panel, set: 'agents', repository: 'x', group: 'x' }));

  it('is a repository, and of a set with a single one a pull request', () => {
    const folds = foldByRepository([...panels, ...elsewhere, ...agents], []);
    expect(names(folds?.panels ?? [])).toEqual(['shop', 'bank', 'x 1', 'x 2', 'x 3']);
    expect(names(foldByRepository(panels, elsewhere)?.panels ?? [])).toEqual([
      'shop 1',
      'shop 2',
      'shop 3',
    ]);
  });

  it('is nothing where one repository is all there is', () => {
    expect(foldByRepository(panels, [])).toBeNull();
    expect(foldsBySet(panels, [])).toEqual([]);
  });

  it('is a whole set where there is another', () => {
    const folds = foldsBySet([...panels, ...elsewhere, ...agents], []);
    expect(folds.map(fold => [names(fold.panels), names(fold.beside)])).toEqual([
      [['tools'], ['x']],
      [['agents'], ['shop', 'bank']],
    ]);
  });

  it('does not change which panels are drawn', () => {
    const panel = panelOf([['a', 'x', null]], { reviewers: ['a', 'b', 'c', 'd', 'e', 'f'] });
    const [parted] = foldByRepository([panel], elsewhere)?.panels ?? [];
    const seated = (one: Panel) =>
      drawPanels(one, [2, 3, 5]).map(({ reviewers }: Panel) => reviewers);
    expect(parted?.repository).not.toBe(panel.repository);
    expect(seated(parted as Panel)).toEqual(seated(panel));
  });
});

function versionThat(claims: readonly object[]) {
  return { claimPair: async () => claims as never };
}

describe('pairs written by hand', () => {
  const remark = { text: 'is locked', severity: 'medium', path: null, line: null } as const;
  const pairs = [{ theme: 't', relation: 'opposite', one: remark, other: remark }] as const;
  const lone = { supporters: ['first'], against: [], contradicts: [] };
  const both = { ...lone, supporters: ['first', 'second'] };

  it('are together when one claim has both voices, whatever is against it', async () => {
    const denied = { ...lone, against: [{ reviewer: 'second' }] };
    for (const [claims, isTogether, isAgainst] of [
      [[both], true, false],
      [[denied], false, true],
      [[lone, lone], false, false],
      [[lone, { ...lone, contradicts: ['c-1'] }], false, true],
    ] as const)
      expect(await judgePairs(versionThat(claims), pairs)).toMatchObject([
        { isTogether, isAgainst },
      ]);
  });

  it('are listed where open, and never where set aside', async () => {
    const { text, figures } = await handPairs(versionThat([both]), { isListing: true });
    const told = (set: string) =>
      readPairs(set).filter((pair: { readonly one: string }) => text.includes(pair.one)).length;
    expect(told('open')).toBeGreaterThan(100);
    expect([told('validation'), told('set-aside')]).toEqual([0, 0]);
    const { pairs } = readSets().find(({ name }) => name === 'everyday-set-aside') ?? {};
    expect(pairs?.filter(({ one }) => text.includes(one.text))).toEqual([]);
    expect(figures).toMatchObject({ 'open, one line, same': 1, 'open, one line, different': 0 });
    const short = await handPairs(versionThat([both]), { isListing: false });
    expect(short.text).toContain('everyday · ');
    expect(short.text).not.toContain('open, one line · ');
  });

  it('are as many distant ones as a hundred, of two themes each', () => {
    const { pairs = [] } = readSets().find(({ name }) => name === 'distant') ?? {};
    expect(pairs).toHaveLength(100);
    for (const { theme } of pairs) {
      const [one, other] = theme.split(' / ');
      expect(one).not.toBe(other);
    }
  });
});

describe('false alarms', () => {
  const panel = {
    ...panelOf([
      ['a', 'lock taken twice', 'G1'],
      ['b', 'the lock is taken twice', 'G1'],
      ['c', 'leaks a handle', 'G2'],
    ]),
    findings: ['lock taken twice', 'the lock is taken twice', 'leaks a handle'].map((text, index) =>
      makeFinding('abc'[index] as string, 0, text),
    ),
  };

  it('are pairs of one issue that are shown as against each other, each with both texts', async () => {
    const against = { supporters: ['a'], against: [{ reviewer: 'b' }], contradicts: [] };
    const { text, figures } = await falseAlarms(versionThat([against]), [panel]);
    expect(figures).toEqual({ 'false alarms, shop': 1 });
    expect(text).toContain('a: lock taken twice');
    expect(text).toContain('b: the lock is taken twice');
    expect(text).not.toContain('leaks a handle');
  });
});

/** Every other finding is of one issue. */
function isSame([one, other]: readonly [number, number]) {
  return one % 2 === 0 && other % 2 === 0;
}

function isRight(pair: readonly [number, number], answer: string) {
  return (answer === 'same') === isSame(pair);
}

describe('a scripted judge', () => {
  const said = Array.from({ length: 60 }, (_, index): Said => [
    'a',
    `text ${index}`,
    index % 2 === 0 ? 'G1' : null,
  ]);
  const panel = panelOf(said);
  const statements = said.map((_, index) => [index]);
  const pairs = statements.flatMap((_, one) =>
    statements.slice(0, one).map((__, other) => [one, other] as const),
  );
  const rate = (isCorrelated: boolean, isAsked: (pair: readonly [number, number]) => boolean) => {
    const asked = pairs.filter(isAsked);
    const right = Array.from({ length: 40 }, (_, seed) => {
      const quality = { same: 0.9, different: 0.75, isCorrelated };
      const answer = answerBy(quality, panel as never, statements, seed);
      return asked.filter(pair => isRight(pair, answer(pair))).length;
    });
    return right.reduce((sum, each) => sum + each, 0) / (40 * asked.length);
  };
  it.each([false, true])('is right as often as stated, errors correlated: %s', isCorrelated => {
    expect(rate(isCorrelated, isSame)).toBeCloseTo(0.9, 1);
    expect(rate(isCorrelated, pair => !isSame(pair))).toBeCloseTo(0.75, 1);
  });

  it('misreads a finding in all its pairs where errors are correlated', () => {
    const quality = { same: 0.5, different: 0.5, isCorrelated: true };
    const answer = answerBy(quality, panel as never, statements, 1);
    const wrong = pairs.filter(pair => isSame(pair) && !isRight(pair, answer(pair)));
    const misread = statements.filter(([one = 0]) =>
      pairs
        .filter(pair => isSame(pair) && pair.includes(one))
        .every(pair => !isRight(pair, answer(pair))),
    );
    const reads = new Set(misread.flat());
    expect(wrong.length).toBeGreaterThan(0);
    for (const pair of wrong) expect(pair.some(one => reads.has(one))).toBe(true);
  });
});

describe('what agreement is worth', () => {
  it('is told on one screen', () => {
    const page = readFileSync(new URL('../../docs/consensus.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## What it is worth\n');
    expect(section).toContain('npm run bench:consensus');
    expect(section.split('\n').length).toBeLessThanOrEqual(50);
  });
});

describe('aims', () => {
  it('are missed only by what was measured', () => {
    expect(checkAims({})).toMatchObject({ isMissed: false });
    expect(checkAims({ 'distant, against': 0 })).toMatchObject({ isMissed: false });
    const { text, isMissed } = checkAims({ 'distant, against': 1, 'false alarms, shop': 0.001 });
    expect(isMissed).toBe(true);
    expect(text).toMatch(/^MISSED +distant, against +1 +≤ 0$/mu);
    expect(text).toMatch(/^met +false alarms, shop +0\.001 +≤ 0\.003$/mu);
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
  it('are compared draw by draw, in each labelling and in the mean of a set', () => {
    const samples = [0, 1, 2].flatMap(pull =>
      ['one', 'two'].map(labelling => sampleClaims(pull, labelling)),
    );
    const claims = samples.flatMap(each => each.claims);
    const panels = samples.map(({ panel }) => panel);
    const measured = [
      { way: 'whole panels', parts: [{ claims, tallies: tallyPanels(panels, claims, ranks) }] },
    ];
    const { text, figures } = figureTable(measured, measured);
    for (const labelling of ['one', 'two', 'tools'])
      expect(text).toMatch(
        new RegExp(
          `^whole panels +${labelling} +\\.500 \\.50–\\.50 .*\n +over the baseline +\\.000 \\.00 \\.00 `,
          'mu',
        ),
      );
    expect(figures).toMatchObject({
      'pair F1, whole panels, tools': 0.5,
      'pair F1, whole panels, one, over the baseline': 0,
    });
  });
});
