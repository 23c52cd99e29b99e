import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPulls, estimate, intervalOf } from '../../bench/consensus/bootstrap.mjs';
import { factsOf } from '../../bench/consensus/claims-of.mjs';
import { lessonsOf, panelRecord } from '../../bench/consensus/confidence-fit.mjs';
import { falseAlarms } from '../../bench/consensus/false-alarms.mjs';
import { makeFinding } from '../../bench/consensus/finding.mjs';
import { handPairs, judgePairs, readPairs, readSets } from '../../bench/consensus/hand-pairs.mjs';
import {
  drawPanels,
  foldByRepository,
  foldsBySet,
  readPanels,
} from '../../bench/consensus/labelled-panels.mjs';
import { chanceOf, oddsOf } from '../../bench/consensus/logistic-fit.mjs';
import { checkAims } from '../../bench/consensus/report.mjs';
import { statedOf, tallyPanels } from '../../bench/consensus/tallies.mjs';
import { createCalibratedMatcher } from '../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../src/agreement/calibrated-model.ts';
import { createAssessor } from '../../src/agreement/confidence/confidence.ts';
import { writeData } from './labelled-data.ts';

interface Sample {
  readonly pull?: number;
  readonly labelling?: string;
  readonly known?: readonly string[];
  readonly reviewers?: readonly string[];
}

function panelOf(
  said: readonly (readonly [
    reviewer: string,
    text: string,
    issue: string | null,
    label?: string,
  ])[],
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

interface Estimate {
  readonly value: number;
  readonly draws: readonly number[];
}

function estimatesOf(samples: readonly ReturnType<typeof sampleClaims>[]) {
  const panels = samples.map(({ panel }) => panel);
  const tallies = tallyPanels(
    panels,
    samples.flatMap(({ claims }) => claims),
    new Map([['one', ['b', 'a', 'c']]]),
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

  it('scores what is marked: right claims of those marked, issues found of the known', () =>
    expect(of('act').value).toBe(0.5));

  it('compares with the best reviewer seated, by a rank that no draw changes', () =>
    expect(of('above').value).toBeCloseTo(0.5 - 2 / (2 + 2)));

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
  it('draw as many of each repository as it has, the same each time', () =>
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
    ));

  it('differ where pull requests differ, around the figure itself', () => {
    const { panel, claims } = sampleClaims(1);
    const worse = { panel, claims: claims.map(claim => ({ ...claim, act: false })) };
    const { of } = estimatesOf([sampleClaims(), worse, sampleClaims(2)]);
    const [low = 0, high = 0] = intervalOf(of('act')) ?? [];
    expect(low).toBeLessThan(of('act').value);
    expect(high).toBeGreaterThan(of('act').value);
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
      // How sure the merge is comes on top.
      const told = assess({ ...claim, sureness: 1 });
      expect(chanceOf(oddsOf(confidenceModel.evidence, truth))).toBeCloseTo(told.probability, 9);
      expect(chanceOf(oddsOf(confidenceModel.matters, matters))).toBeCloseTo(
        told.matters.probability,
        9,
      );
    }
  });
});
