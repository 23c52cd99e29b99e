import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/core/words/claim.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { type Assessor, createAssessor } from '../../../src/agreement/confidence/confidence.ts';
import { explainClaim, mostTelling } from '../../../src/agreement/explaining/explain.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../../src/agreement/calibrated-model.ts';
import type { Disposition } from '../../../src/core/words/run.ts';
import { findingOf, reviewOf } from '../sample.ts';
import { sampleDisposition } from '../../core/sample.ts';

const panel = ['alpha', 'beta', 'gamma'];

function formed(findings: readonly Finding[]) {
  return formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews: panel.map(id => reviewOf(id)),
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
  });
}

function explain(
  claim: Claim,
  claims: readonly Claim[],
  assess: Assessor | null = null,
  {
    decisions = [],
    ...formed
  }: Partial<Parameters<typeof explainClaim>[0]['formed']> & {
    readonly decisions?: readonly Disposition[];
  } = {},
) {
  return explainClaim({
    printed: new Map(),
    formed: {
      run: null,
      claims: [...claims],
      dismissed: [],
      completedAt: null,
      strategy: { name: 'calibrated', threshold: null, version: '1' },
      ...formed,
    },
    claim,
    matcher: createCalibratedMatcher(matcherModel),
    assess,
    recorded: [],
    known: null,
    decisions,
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
    expect(sentence).toContain(
      '\nbeta says the opposite: beta/#2 “Root cause is not the cache”. The nearest other claim is c-',
    );
    expect(sentence).toContain('gamma/#3 “The cache is slow”');
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
    expect(sentence.split('\n').slice(0, 2)).toEqual([
      'Only beta says it, once: beta/#2 “Guarded by the mutex”; nothing was put together.',
      `It denies what alpha said (${one.id}): “${one.text}”. No further claim shares a word with it.`,
    ]);
    expect(await explain(one, claims)).toMatchObject({
      denies: [],
      against: [{ claim: other.id, finding: 'beta/#2' }],
    });
  });

  it('of a claim alone joins nothing', async () =>
    expect(await explained('only', [['alpha', 'The only one']])).toMatchObject({
      joined: [],
      apart: [],
    }));

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

function said(reviewer: string, ...texts: readonly string[]) {
  return texts.map((text, index) => findingOf(reviewer, text, { id: `${reviewer}#${index}` }));
}

describe('the findings of a large claim that are told', () => {
  it.each([
    ['of each wording one, of each reviewer the first', 2, ['a: one', 'c: One ']],
    ['then further wordings', 4, ['a: one', 'c: One ', 'a: three', 'b: two']],
    ['all where there is room', 7, ['a: one', 'c: One ', 'a: three', 'b: two', 'b: one', 'c: one']],
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

function merged() {
  return formed([
    findingOf('alpha', 'SQL injection in the user search endpoint', { id: '#1' }),
    findingOf('beta', 'User search endpoint open to SQL injection', { id: '#2' }),
    findingOf('gamma', 'The user search endpoint has an SQL injection', { id: '#3' }),
    findingOf('gamma', 'Tests of the endpoint are missing', { id: '#4' }),
  ]);
}

describe('the sentences of an explanation', () => {
  it('quote the two findings that are least alike, and the two that come nearest to going together', async () => {
    const claims = await merged();
    const [claim] = claims as [Claim];
    const { sentence, joined, apart } = await explain(claim, claims);
    const [merge = '', split = ''] = sentence.split('\n');
    expect(merge).toMatch(/^3 of 3 reviewers say it, alpha, beta and gamma\. The least alike are /);
    const [least = 100] = /\d+(?=%)/.exec(merge) ?? [];
    expect(joined.every(({ score }) => score >= Number(least))).toBe(true);
    const nearest = apart[0]?.nearest;
    expect(split).toContain(`(${nearest?.score}%): ${nearest?.reason}`);
    for (const [text, ids] of [
      [merge, ['alpha/#1', 'beta/#2']],
      [split, [nearest?.one, nearest?.other]],
    ] as const)
      for (const id of ids) {
        const finding = claims.flatMap(each => each.findings).find(each => each.id === id);
        expect(text).toContain(`${id} “${finding?.text}”`);
      }
  });

  it.each<[Partial<Claim>, string]>([
    [
      { confidence: 0.74, cases: 312 },
      'That it is true has a probability of 74% (312 judged claims are like it)',
    ],
    [{ confidence: 0.74, cases: 99 }, 'That it is true is likely (too few judged claims'],
    [{ confidence: 0.5 }, 'That it is true is about even (too few'],
    [{ confidence: 0.2 }, 'That it is true is unlikely (too few'],
    [{ confidence: null }, 'No confidence was computed'],
    [
      {
        confidence: 0.7,
        deliberation: {
          risk: 'medium',
          outcome: 'confirmed',
          for: [],
          against: [],
          votes: [],
          noResponse: [],
          panel: null,
          panelSkipped: null,
          dissent: [],
          confidenceBefore: 0.5,
          error: null,
        },
      },
      'That it is true is likely, after the vote about it',
    ],
    [{ confidence: 0.7, matters: 0.3, act: false }, 'That it matters if so is unlikely'],
    [{ confidence: 0.7, act: true }, 'It is marked as worth a person’s time.'],
  ])('give a figure only where it is earned: %j', async (facts, words) => {
    const [claim] = (await merged()) as [Claim];
    const { sentence } = await explain({ ...claim, act: null, matters: null, cases: 0, ...facts }, [
      claim,
    ]);
    expect(sentence.split('\n').at(-1)).toContain(words);
  });

  it('say what speaks for the figure and what against it', async () => {
    const claims = await merged();
    const [claim] = claims as [Claim];
    const findings = claims.flatMap(each => each.findings);
    const assess = createAssessor(confidenceModel, {
      findings,
      reviews: [],
      reliability: [],
      families: new Map(),
    });
    const { sentence, confidence } = await explain(claim, claims, assess);
    expect(sentence).toMatch(/That it is true [^.]*: 3 reviewers say it/);
    expect(confidence?.contributions.length).toBeGreaterThan(1);
  });

  const decision = sampleDisposition({
    reason: 'prices are whole cents.',
    at: '2026-11-02T09:00:00.000Z',
  });
  it.each([
    [{}, {}, 'A person dismissed it as false on 2026-11-02: prices are whole cents.'],
    [
      { verdict: 'tolerated', until: '2027-01-31', reason: '' },
      {},
      'A person dismissed it as tolerated on 2026-11-02, until 2027-01-31.',
    ],
    [
      { scope: 'file' },
      {},
      'A person dismissed its whole file (given for c-0000000001) as false on 2026-11-02: prices are whole cents.',
    ],
    [
      {},
      { completedAt: '2026-11-01T00:00:00.000Z' },
      'After this run a person dismissed it as false on 2026-11-02: prices are whole cents.',
    ],
    [{ verdict: 'accepted' }, {}, null],
  ] as const)('begin with a dismissal: %j %j', async (terms, run, sentence) => {
    const claims = await merged();
    const explained = await explain(claims[0] as Claim, claims, null, {
      ...run,
      decisions: [{ ...decision, ...terms }],
    });
    const lines = explained.sentence.split('\n');
    expect(lines.length).toBe(sentence === null ? 3 : 4);
    if (sentence !== null) expect(lines[0]).toBe(sentence);
  });

  it('begin with the terms that the run went by, and with a path that is protected', async () => {
    const claims = await merged();
    const { id } = claims[0] as Claim;
    const taken = {
      id,
      verdict: 'rejected',
      reason: 'known',
      scope: 'claim',
      until: null,
    } as const;
    const tell = async (more: { readonly protectedBy?: string }) => {
      const dismissed = [{ ...taken, by: 'c-0000000001', ...more }];
      const run = { dismissed, completedAt: '2026-11-03T00:00:00.000Z' };
      return (await explain(claims[0] as Claim, claims, null, run)).sentence.split('\n')[0] ?? '';
    };
    expect(await tell({})).toBe('A person dismissed it as false: known.');
    expect(await tell({ protectedBy: 'plans/**' })).toBe(
      'Set aside by its path, which is protected (plans/**).',
    );
  });
});
