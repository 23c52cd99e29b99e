import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { confidenceModel } from '../../src/agreement/calibrated-model.ts';
import type { Grouping } from '../../src/agreement/linkage.ts';
import { createMatcher, createOverlapMatcher } from '../../src/agreement/calibrated.ts';
import { pureStrategies } from '../../src/core/settings.ts';
import { type Finding, rankOf } from '../../src/core/words/finding.ts';
import type { Matcher } from '../../src/core/ports/matcher.ts';
import type { Review } from '../../src/core/words/review.ts';
import { findingOf, readInFull, reviewOf } from './sample.ts';

const panel = ['Claude', 'Gemini', 'Codex'];
const allCompleted = panel.map(reviewer => reviewOf(reviewer));

function claimsOf(
  findings: readonly Finding[],
  reviews: readonly Review[] = allCompleted,
  matcher: Matcher = createOverlapMatcher(60),
) {
  return formClaims({ findings, matcher, panel, reviews });
}

function rated(finding: Finding) {
  return formClaims({
    findings: [finding],
    matcher: createOverlapMatcher(60),
    panel,
    reviews: allCompleted,
    confidence: { model: confidenceModel, reliability: [], families: new Map() },
  });
}

describe('a reviewer who says that all is well', () => {
  it('has no vote in what the others call a trouble, whatever the matcher holds to be the same', async () => {
    const place = { path: 'src/a.ts', line: 3 };
    const matcher = { ...createOverlapMatcher(0), group: groupAll, capacity: 10 };
    const claims = await claimsOf(
      [
        findingOf('Claude', 'The lock leaks when the callback throws', place),
        findingOf('Gemini', 'The callback throws and the lock is never released', place),
        findingOf('Codex', 'The lock is handled correctly when the callback throws', place),
      ],
      allCompleted,
      matcher,
    );
    expect(claims.map(({ supporters }) => supporters)).toEqual([['Claude', 'Gemini'], ['Codex']]);
  });
});

function groupAll(findings: readonly Finding[]): Grouping {
  return { groups: [findings.map((_, index) => index)], contradictions: [] };
}

describe('a finding without a word', () => {
  it.each(pureStrategies)('agrees with nobody and stays listed, by strategy %s', async name => {
    const place = { path: 'src/a.ts', line: 3 };
    const matcher = createMatcher(name);
    const findings = [
      findingOf('Claude', '!', place),
      findingOf('Gemini', '!', place),
      findingOf('Gemini', '!', place),
      findingOf('Codex', '🔥', place),
      findingOf('Codex', '???'),
      findingOf('Claude', '42'),
      findingOf('Codex', '42'),
    ].map((finding, index): Finding => ({ ...finding, id: `#${index}` }));
    const claims = await claimsOf(findings, allCompleted, matcher);
    const told = claims
      .filter(({ text }) => text !== '42')
      .map(({ text, supporters, findings: said }) => `${text} ${supporters.join()} ${said.length}`);
    expect(told.toSorted()).toEqual(['! Claude 1', '! Gemini 2', '??? Codex 1', '🔥 Codex 1']);
    expect(claims.flatMap(claim => claim.findings)).toHaveLength(findings.length);
  });

  it('is worth nobody’s time, unless its evidence says something', async () => {
    const [shout] = await rated(findingOf('Claude', '!!!', { label: 'CRITICAL' }));
    expect(shout).toMatchObject({ severity: 'critical', worth: 0 });
    expect(shout?.confidence).toBeLessThan(0.001);
    expect(shout?.matters).toBeLessThan(0.001);
    const [told] = await rated({
      ...findingOf('Claude', '!!!', { label: 'CRITICAL' }),
      evidence: 'The name reaches the statement unescaped.',
    });
    expect(told?.worth).toBeGreaterThan(0.1);
  });
});

describe('support and electorate', () => {
  it('an issue that all completed reviewers report is agreed by all, whoever failed', async () => {
    const reviews = [
      reviewOf('Claude'),
      reviewOf('Gemini'),
      reviewOf('Codex', { status: 'failed' }),
    ];
    const [claim] = await claimsOf(
      [
        findingOf('Claude', 'SQL injection in the search endpoint'),
        findingOf('Gemini', 'SQL injection'),
      ],
      reviews,
    );
    expect(claim).toMatchObject({
      agreement: 'all',
      supporters: ['Claude', 'Gemini'],
      electorate: 2,
    });
  });

  it('a reviewer that completed without it makes the agreement a majority', async () => {
    const [claim] = await claimsOf([
      findingOf('Gemini', 'SQL injection'),
      findingOf('Claude', 'SQL injection'),
    ]);
    expect(claim).toMatchObject({
      agreement: 'majority',
      supporters: ['Claude', 'Gemini'],
      electors: panel,
      electorate: 3,
    });
  });

  it('a reviewer who says a thing twice supports it once', async () => {
    const claims = await claimsOf([
      findingOf('Claude', 'SQL injection'),
      findingOf('Claude', 'SQL injection here'),
    ]);
    expect(claims).toHaveLength(1);
    expect(claims[0]).toMatchObject({ agreement: 'single', supporters: ['Claude'], electorate: 3 });
    expect(claims[0]?.findings).toHaveLength(2);
  });

  it('a reviewer that was not sent the file is no elector of it', async () => {
    const reviews = [
      reviewOf('Claude', { coverage: readInFull('f.js') }),
      reviewOf('Gemini', { coverage: readInFull('f.js') }),
      reviewOf('Codex', { coverage: [{ path: 'f.js', extent: 'skipped', why: 'too large' }] }),
    ];
    const [claim] = await claimsOf(
      [
        findingOf('Claude', 'no check', { path: 'f.js' }),
        findingOf('Gemini', 'no check', { path: 'f.js' }),
      ],
      reviews,
    );
    expect(claim).toMatchObject({
      agreement: 'all',
      electors: ['Claude', 'Gemini'],
      electorate: 2,
    });
  });

  it('a partial review counts for the files it read and not for the subject as a whole', async () => {
    const reviews = [
      reviewOf('Claude', { coverage: readInFull('f.js', 'g.js') }),
      reviewOf('Gemini', { status: 'partial', coverage: readInFull('f.js') }),
    ];
    const claims = await claimsOf(
      [
        findingOf('Claude', 'one lock', { path: 'f.js' }),
        findingOf('Claude', 'two races', { path: 'g.js' }),
        findingOf('Claude', 'three leaks'),
      ],
      reviews,
    );
    expect(claims.map(claim => [claim.text, claim.electors])).toEqual([
      ['one lock', ['Claude', 'Gemini']],
      ['two races', ['Claude']],
      ['three leaks', ['Claude']],
    ]);
  });

  it('a place that nobody was shown makes nobody leave the electorate', async () => {
    const reviews = panel.map(reviewer => reviewOf(reviewer, { coverage: readInFull('f.js') }));
    const [claim] = await claimsOf(
      [
        findingOf('Claude', 'no check', { path: 'ghost.js' }),
        findingOf('Gemini', 'no check', { path: 'ghost.js' }),
      ],
      reviews,
    );
    expect(claim).toMatchObject({ agreement: 'majority', electorate: 3 });
  });

  it('findings of a failed review do not count, those of a partial one do', async () => {
    const reviews = [
      reviewOf('Claude'),
      reviewOf('Gemini', { status: 'failed' }),
      reviewOf('Codex', { status: 'partial' }),
    ];
    const claims = await claimsOf(
      [findingOf('Gemini', 'first race'), findingOf('Codex', 'second leak')],
      reviews,
    );
    expect(claims.map(claim => claim.text)).toEqual(['second leak']);
  });

  it('improvements form no claims', async () =>
    expect(await claimsOf([findingOf('Claude', 'rename it', { isImprovement: true })])).toEqual(
      [],
    ));
});

describe('what a claim says', () => {
  it('comes from its most severe finding, the display order breaking ties, and other severities are recorded', async () => {
    const [claim] = await claimsOf([
      findingOf('Codex', 'injection in search endpoint', {
        label: 'CRITICAL',
        path: 'src/a.js',
        line: 3,
      }),
      findingOf('Gemini', 'SQL injection in search endpoint', {
        label: 'CRITICAL',
        path: 'a.js',
        line: 4,
      }),
      findingOf('Claude', 'search endpoint injection', { label: 'SUGGESTION' }),
    ]);
    expect(claim).toMatchObject({
      severity: 'critical',
      label: 'CRITICAL',
      text: 'SQL injection in search endpoint',
      location: { path: 'a.js', line: 4 },
      severityConflict: { Claude: 'low', Gemini: 'critical', Codex: 'critical' },
      confidence: null,
      state: 'new',
    });
    expect(claim?.findings.map(finding => finding.reviewer)).toEqual(panel);
  });

  it('has an id made of the lower-cased text and the file, so that later runs find it again', async () => {
    const [one] = await claimsOf([findingOf('Claude', 'SQL Injection', { path: 'a.js', line: 3 })]);
    const [other] = await claimsOf([
      findingOf('Codex', 'sql injection', { path: 'a.js', line: 9, label: 'SUGGESTION' }),
    ]);
    const [elsewhere] = await claimsOf([findingOf('Codex', 'sql injection', { path: 'b.js' })]);
    expect(one?.id).toMatch(/^c-[0-9a-f]{10}$/);
    expect(other?.id).toBe(one?.id);
    expect(elsewhere?.id).not.toBe(one?.id);
  });

  it('two claims with the same words get two ids, the first of them the usual one', async () => {
    const never: Matcher = {
      name: 'never',
      version: '1',
      threshold: null,
      prepare: async () => {},
      compare: () => ({ same: false, score: 0, reason: '' }),
    };
    const findings = [findingOf('Claude', 'x'), findingOf('Gemini', 'x'), findingOf('Codex', 'x')];
    const ids = (await claimsOf(findings, allCompleted, never)).map(claim => claim.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe((await claimsOf(findings.slice(0, 1)))[0]?.id);
  });

  it('names the claims that say the opposite, on both sides', async () => {
    const matcher: Matcher = {
      name: 'opposites',
      version: '1',
      threshold: null,
      prepare: async () => {},
      compare: (one, other) => ({
        same: false,
        score: 0,
        contradicts: [one.text, other.text].sort().join() === 'no,yes',
        reason: '',
      }),
    };
    const claims = await claimsOf(
      [findingOf('Claude', 'yes'), findingOf('Gemini', 'no'), findingOf('Codex', 'perhaps')],
      allCompleted,
      matcher,
    );
    const [yes, no, perhaps] = ['yes', 'no', 'perhaps'].map(text =>
      claims.find(claim => claim.text === text),
    );
    expect(yes?.contradicts).toEqual([no?.id]);
    expect(no?.contradicts).toEqual([yes?.id]);
    expect(perhaps).toMatchObject({ contradicts: [], against: [] });
    expect(yes?.against).toEqual([
      { reviewer: 'Gemini', finding: no?.findings[0]?.id, statement: 'no' },
    ]);
  });
});

function like(pairs: Readonly<Record<string, number>>): Matcher {
  return {
    name: 'table',
    version: '1',
    threshold: 50,
    prepare: async () => {},
    compare: (one, other) => {
      const score = pairs[[one.text, other.text].sort().join('')] ?? 0;
      return { same: score >= 50, score, reason: '' };
    },
  };
}

async function texts(matcher: Matcher) {
  const findings = ['a', 'b', 'c', 'd'].map(text => findingOf('Claude', text));
  return (await claimsOf(findings, allCompleted, matcher))
    .map(claim => claim.findings.map(finding => finding.text).join(''))
    .sort();
}

describe('grouping', () => {
  it('joins two groups only when every cross pair is the same', async () => {
    expect(await texts(like({ ab: 90, bc: 80 }))).toEqual(['ab', 'c', 'd']);
    expect(await texts(like({ ab: 90, bc: 80, ac: 60 }))).toEqual(['abc', 'd']);
    expect(await texts(like({ ab: 90, cd: 90, ac: 60, ad: 60, bc: 60 }))).toEqual(['ab', 'cd']);
    expect(await texts(like({ ab: 90, cd: 90, ac: 60, ad: 60, bc: 60, bd: 50 }))).toEqual(['abcd']);
  });

  it('takes the better pair first, and of equal ones the earlier', async () => {
    expect(await texts(like({ ab: 60, bc: 70 }))).toEqual(['a', 'bc', 'd']);
    expect(await texts(like({ ab: 60, bc: 60 }))).toEqual(['ab', 'c', 'd']);
  });
});

const phrases = [
  'race in the cache',
  'cache race',
  'null deref in a.js',
  'null deref',
  'missing lock',
  'a lock is missing in b.js',
  'lock missing',
  'slow query',
];
const reviewers = [...panel, 'Extra'];
const spoken = fc
  .array(
    fc.record({
      reviewer: fc.constantFrom(...reviewers),
      text: fc.constantFrom(...phrases),
      label: fc.constantFrom('CRITICAL', 'IMPORTANT', 'SUGGESTION'),
      path: fc.constantFrom(undefined, 'a.js', 'b.js'),
    }),
    { maxLength: 14 },
  )
  .map(list =>
    list.map(({ reviewer, text, label, path }) =>
      findingOf(reviewer, text, { label, ...(path === undefined ? {} : { path }) }),
    ),
  );
const outcomes = fc.tuple(
  ...reviewers.map(reviewer =>
    fc
      .constantFrom('complete' as const, 'partial' as const, 'failed' as const)
      .map(status => reviewOf(reviewer, { status, coverage: readInFull('a.js') })),
  ),
);

describe('whatever a panel says', () => {
  it('every finding that counts is in exactly one claim, unchanged', () =>
    fc.assert(
      fc.asyncProperty(spoken, outcomes, async (findings, reviews) => {
        const claims = await claimsOf(findings, reviews);
        const failed = new Set(
          reviews.filter(review => review.status === 'failed').map(review => review.reviewer),
        );
        const kept = claims.flatMap(claim => claim.findings);
        expect(kept).toHaveLength(new Set(kept).size);
        expect(new Set(kept)).toEqual(
          new Set(findings.filter(finding => !failed.has(finding.reviewer))),
        );
      }),
    ));

  it('the order in which the reviewers answered changes nothing', () =>
    fc.assert(
      fc.asyncProperty(
        spoken,
        outcomes,
        fc.shuffledSubarray(reviewers, { minLength: reviewers.length }),
        async (findings, reviews, order) => {
          const rearranged = order.flatMap(reviewer =>
            findings.filter(finding => finding.reviewer === reviewer),
          );
          expect(await claimsOf(rearranged, reviews.toReversed())).toEqual(
            await claimsOf(findings, reviews),
          );
        },
      ),
    ));

  it('support is at least one, never above the electorate, and only of reviewers that said it', () =>
    fc.assert(
      fc.asyncProperty(spoken, outcomes, async (findings, reviews) => {
        for (const claim of await claimsOf(findings, reviews)) {
          expect(claim.supporters.length).toBeGreaterThanOrEqual(1);
          expect(claim.electorate).toBe(claim.electors.length);
          expect(claim.electors).toEqual(expect.arrayContaining(claim.supporters));
          expect(new Set(claim.supporters)).toEqual(
            new Set(claim.findings.map(finding => finding.reviewer)),
          );
        }
      }),
    ));

  it('a merge keeps the worst severity, whoever else joins', () =>
    fc.assert(
      fc.asyncProperty(spoken, async findings => {
        for (const claim of await claimsOf(findings)) {
          expect(rankOf(claim.severity)).toBe(
            Math.min(...claim.findings.map(finding => rankOf(finding.severity))),
          );
        }
      }),
    ));

  it('the ids of a run are all different', () =>
    fc.assert(
      fc.asyncProperty(spoken, async findings => {
        const ids = (await claimsOf(findings)).map(claim => claim.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    ));

  it('a hostile reviewer neither removes nor lowers what an honest one found', () =>
    fc.assert(
      fc.asyncProperty(spoken, async noise => {
        const honest = findingOf('Claude', 'race in the cache', {
          label: 'CRITICAL',
          path: 'a.js',
        });
        const claims = await claimsOf([
          honest,
          ...noise.filter(finding => finding.reviewer !== 'Claude'),
        ]);
        const own = claims.filter(claim => claim.findings.includes(honest));
        expect(own).toHaveLength(1);
        expect(own[0]?.severity).toBe('critical');
        expect(own[0]?.supporters).toContain('Claude');
      }),
    ));
});
