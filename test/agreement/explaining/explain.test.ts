import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/core/words/claim.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import {
  type Assessment,
  type Assessor,
  createAssessor,
} from '../../../src/agreement/confidence/confidence.ts';
import type { ClaimExplanation } from '../../../src/core/printed/reports.ts';
import { explainClaim, mostTelling } from '../../../src/agreement/explaining/explain.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../../src/agreement/calibrated-model.ts';
import { barriers } from '../../../src/agreement/guards.ts';
import { probabilityOf } from '../../../src/core/words/odds.ts';
import { partsOf } from '../../../src/agreement/explaining/tell-claim.ts';
import { findingOf, reviewOf, sha256 } from '../sample.ts';

const panel = ['alpha', 'beta', 'gamma'];

function formed(findings: readonly Finding[]): Promise<Claim[]> {
  return formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews: panel.map(id => reviewOf(id)),
    hash: sha256,
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
  });
}

function explain(
  claim: Claim,
  claims: readonly Claim[],
  assess: Assessor | null = null,
): Promise<ClaimExplanation> {
  return explainClaim({
    printed: new Map(),
    formed: {
      run: null,
      claims: [...claims],
      dismissed: [],
      completedAt: null,
      strategy: { name: 'calibrated', threshold: null, version: '1' },
    },
    claim,
    matcher: createCalibratedMatcher(matcherModel),
    assess,
    recorded: [],
    known: null,
    decisions: [],
  });
}

async function explained(
  words: string,
  sayings: readonly (readonly [reviewer: string, text: string])[],
) {
  const claims = await formed(
    sayings.map(([reviewer, text], index) => findingOf(reviewer, text, { id: `#${index + 1}` })),
  );
  return explain(claims.find(({ text }) => text.includes(words)) as Claim, claims);
}

describe('an explanation', () => {
  it('tells for each finding which other one it is most like, with the score of the run', async () => {
    const { joined, claim } = await explained('injection', [
      ['alpha', 'SQL injection in the user search endpoint'],
      ['beta', 'User search endpoint open to SQL injection'],
      ['gamma', 'The user search endpoint has an SQL injection'],
      ['alpha', 'Missing tests'],
    ]);
    expect(claim.findings).toHaveLength(3);
    expect(joined.map(({ other, same }) => [other, same])).toEqual([
      ['beta/#2', true],
      ['gamma/#3', true],
    ]);
    expect(
      joined.every(
        ({ score, reason }) => score >= 50 && /^Both .*(?:endpoint|search|injection)/.test(reason),
      ),
    ).toBe(true);
  });

  it('names the nearest other claims, and beside them who says the opposite', async () => {
    const { apart, against, denies, sentence } = await explained('is the cache', [
      ['alpha', 'Root cause is the cache'],
      ['beta', 'Root cause is not the cache'],
      ['gamma', 'The cache is slow'],
      ['gamma', 'Unrelated remark'],
    ]);
    expect(apart.map(({ text }) => text)).toEqual(['The cache is slow']);
    expect(against).toEqual([
      {
        claim: expect.stringMatching(/^c-/),
        supporters: ['beta'],
        reviewer: 'beta',
        finding: 'beta/#2',
        statement: 'Root cause is not the cache',
      },
    ]);
    expect(denies).toEqual([]);
    expect(sentence).toMatch(/; beta says the opposite\.$/);
  });

  it('tells of a claim that is no more than a denial what it denies', async () => {
    const findings = [
      ['alpha', 'The counter is incremented without the mutex'],
      ['beta', 'Guarded by the mutex'],
    ].map(([reviewer = '', text = ''], index) =>
      findingOf(reviewer, text, { id: `#${index + 1}`, path: 'src/a.ts', line: 12 }),
    );
    const claims = await formed(findings);
    const [one, other] = findings.map(({ text }) => claims.find(claim => claim.text === text));
    if (one === undefined || other === undefined) throw new Error('The two are one claim.');
    const { denies, against, sentence } = await explain(other, claims);
    expect([against, denies]).toEqual([
      [],
      [{ id: one.id, text: one.text, supporters: ['alpha'] }],
    ]);
    expect(sentence).toBe(
      `It denies what alpha says (${one.id}); only beta says it, and nothing was put together.`,
    );
    expect(await explain(one, claims)).toMatchObject({
      denies: [],
      against: [{ claim: other.id, finding: 'beta/#2' }],
    });
  });

  it('says what a denial does to the confidence, where it does anything', async () => {
    const claims = await formed([
      findingOf('alpha', 'Root cause is the cache', { id: '#1' }),
      findingOf('beta', 'Root cause is not the cache', { id: '#2' }),
    ]);
    const [claim] = claims as [Claim];
    expect(await explain(claim, claims, loweredByDenial)).toMatchObject({
      unopposed: 0.7,
      sentence: expect.stringMatching(/^As likely true as not \(40%\); \w+ says the opposite\.$/),
    });
    expect((await explain(claim, claims)).unopposed).toBeNull();
  });

  it('of a run that kept nobody as against a claim takes the claims that contradict it', async () => {
    const claims = (
      await formed([
        findingOf('alpha', 'Root cause is the cache', { id: '#1' }),
        findingOf('beta', 'Root cause is not the cache', { id: '#2' }),
      ])
    ).map((claim): Claim => ({ ...claim, against: [] }));
    const claim = claims[0] as Claim;
    expect((await explain(claim, claims)).against).toMatchObject([
      { reviewer: expect.stringMatching(/alpha|beta/), claim: claims[1]?.id },
    ]);
  });

  it('of a claim alone joins nothing', async () => {
    expect(await explained('only', [['alpha', 'The only one']])).toMatchObject({
      joined: [],
      apart: [],
    });
  });

  it('looks at the nearest of thousands only', async () => {
    const { apart } = await explained(
      'number 7 ',
      Array.from(
        { length: 1500 },
        (_, index) => ['alpha', `Problem number ${index} is about thing${index}x`] as const,
      ),
    );
    expect(apart).toHaveLength(3);
  });
});

const subjects = ['connection pool', 'session token', 'upload handler', 'retry counter'];
const troubles = [
  'is never closed when the request fails',
  'is shared without a lock',
  'is not validated by parseInput',
  'leaks memory after a timeout in parseInput',
];
const openings = ['', 'Possible bug: ', 'I noticed that the '];
const panels = fc.array(
  fc.record({
    reviewer: fc.constantFrom(...panel),
    opening: fc.constantFrom(...openings),
    subject: fc.constantFrom(...subjects),
    trouble: fc.constantFrom(...troubles),
    line: fc.option(fc.integer({ min: 1, max: 60 })),
  }),
  { minLength: 2, maxLength: 16 },
);

/** Explains the claims of many panels; `check` looks at each with the matcher that formed them. */
async function ofManyPanels(
  check: (
    explanation: ClaimExplanation,
    findings: readonly Finding[],
    chance: (one: string, other: string) => number,
  ) => void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(panels, async sayings => {
      const findings = sayings.map(({ reviewer, opening, subject, trouble, line }, index) =>
        findingOf(reviewer, `${opening}${subject} ${trouble}`, {
          id: `#${index + 1}`,
          ...(line === null ? {} : { path: 'src/a.ts', line }),
        }),
      );
      const claims = await formed(findings);
      const assess = createAssessor(confidenceModel, {
        findings,
        partial: new Set(),
        reliability: [],
        families: new Map(),
      });
      const matcher = createCalibratedMatcher(matcherModel);
      await matcher.prepare(findings);
      const named = new Map(findings.map(finding => [finding.id, finding]));
      const chance = (one: string, other: string): number =>
        matcher.explain(named.get(one) as Finding, named.get(other) as Finding).probability;
      for (const claim of claims) check(await explain(claim, claims, assess), findings, chance);
    }),
    { numRuns: 40 },
  );
}

const pairsOf = ({ joined, apart }: ClaimExplanation): ClaimExplanation['joined'] => [
  ...joined,
  ...apart.flatMap(({ nearest, divided }) => (divided === null ? [nearest] : [nearest, divided])),
];

/** Said in the same words of the same place, so that both reviewers say it. */
function isSaidWith(one: Finding, other: Finding): boolean {
  return one.text === other.text && one.location?.line === other.location?.line;
}

function said(reviewer: string, ...texts: readonly string[]): Finding[] {
  return texts.map((text, index) => findingOf(reviewer, text, { id: `${reviewer}#${index}` }));
}

describe('the findings of a large claim that are told', () => {
  it.each([
    ['each reviewer in words of its own', 2, ['a: one', 'b: two']],
    ['then further wordings', 3, ['a: one', 'a: three', 'b: two']],
    ['then who only repeats', 4, ['a: one', 'a: three', 'b: two', 'c: One ']],
    ['all where there is room', 7, ['a: one', 'a: three', 'b: one', 'b: two', 'c: One ', 'c: one']],
  ])('%s', (_, most, told) => {
    const findings = [
      ...said('a', 'one', 'three'),
      ...said('b', 'one', 'two'),
      ...said('c', 'One ', 'one'),
    ];
    expect(mostTelling(findings, most).map(({ reviewer, text }) => `${reviewer}: ${text}`)).toEqual(
      told,
    );
  });
});

describe('what holds for every explanation', () => {
  it('the weightiest reason is told first', async () => {
    const sentences: readonly string[] = Object.values(barriers);
    await ofManyPanels(explanation => {
      const { confidence, sentence } = explanation;
      const parts = confidence === null ? [] : partsOf(confidence).ofClaim;
      const [first] = parts;
      for (const { worth } of parts)
        expect(Math.abs(worth)).toBeLessThanOrEqual(Math.abs(first?.worth ?? 0));
      const places = parts
        .map(({ words }) => sentence.indexOf(words))
        .filter(place => place !== -1);
      expect(sentence.indexOf(first?.words ?? '')).toBe(Math.min(...places));
      for (const { reason, contributions } of pairsOf(explanation)) {
        if (sentences.includes(reason)) continue;
        const [most] = contributions;
        for (const { worth } of contributions)
          expect(Math.abs(worth)).toBeLessThanOrEqual(Math.abs(most?.worth ?? 0));
        expect(reason.toLowerCase().startsWith((most?.words ?? 'they share').toLowerCase())).toBe(
          true,
        );
      }
    });
  });

  it('the figures of a pair add up, and what is missing is', async () => {
    const seen = new Set<string>();
    const look = (explanation: ClaimExplanation, findings: readonly Finding[]): void => {
      for (const { one, other, score, start, contributions, reason } of pairsOf(explanation)) {
        const odds = contributions.reduce((sum, { worth }) => sum + worth, start ?? 0);
        // What is worth next to nothing is left out of the parts.
        if (score > 0) expect(Math.abs(100 * probabilityOf(odds) - score)).toBeLessThan(1.5);
        const [left, right] = [one, other].map(id => findings.find(finding => finding.id === id));
        const lines = /they stand (\d+) lines apart/.exec(reason);
        const distance = (left?.location?.line ?? 0) - (right?.location?.line ?? 0);
        if (lines !== null) expect(Math.abs(distance)).toBe(Number(lines[1]));
        if (/no name of code/.test(reason))
          expect([left, right].every(each => each?.text.includes('parseInput'))).toBe(false);
        if (/neither names a place/.test(reason))
          expect([left?.location, right?.location]).toEqual([null, null]);
        for (const words of ['lines apart', 'no name of code', 'neither names a place', 'telling'])
          if (reason.includes(words)) seen.add(words);
      }
    };
    // Chance may leave one of them out of forty panels.
    do await ofManyPanels(look);
    while (seen.size < 4);
    expect(seen.size).toBe(4);
  });

  it('what is said of others is so', async () => {
    const seen = new Set<string>();
    await ofManyPanels((explanation, findings, chance) => {
      for (const pair of pairsOf(explanation)) {
        const [one, other] = [pair.one, pair.other].map(id =>
          findings.find(finding => finding.id === id),
        ) as [Finding, Finding];
        const own = chance(one.id, other.id);
        const sayers = (end: Finding): string[] =>
          findings.filter(each => isSaidWith(each, end)).map(({ reviewer }) => reviewer);
        const fits = (finding: Finding): number =>
          [one, other].filter(end => chance(finding.id, end.id) >= 0.5).length;
        const outside = findings.filter(
          ({ reviewer }) => ![...sayers(one), ...sayers(other)].includes(reviewer),
        );
        const isRival = (finding: Finding, near: Finding, far: Finding): boolean =>
          sayers(far).includes(finding.reviewer) &&
          !isSaidWith(finding, far) &&
          chance(finding.id, near.id) > own;
        const rivals = findings.filter(
          finding => isRival(finding, one, other) || isRival(finding, other, one),
        );
        const says = (words: RegExp, isSo: boolean): void => {
          if (!words.test(pair.reason)) return;
          seen.add(String(words));
          expect({ reason: pair.reason, isSo }).toEqual({ reason: pair.reason, isSo: true });
        };
        says(/^[^.]*neither \w+ nor \w+ says anything that comes closer/i, rivals.length === 0);
        says(/nobody else says anything that fits both/i, !outside.some(each => fits(each) === 2));
        says(/another finding of \w+ comes closer to what [\w ,]+ says?: “/i, rivals.length > 0);
        says(
          /what [\w ,]+ says? fits both/i,
          outside.some(each => fits(each) === 2),
        );
        says(
          /fits one of the two and not the other/i,
          outside.some(each => fits(each) === 1),
        );
      }
    });
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });
});

function loweredByDenial(told: Parameters<Assessor>[0]): Assessment {
  return {
    probability: (told as Claim).against.length > 0 ? 0.4 : 0.7,
    start: 0,
    contributions: [],
    matters: { probability: 0.5, start: 0, contributions: [] },
    worth: 0.4,
  };
}
