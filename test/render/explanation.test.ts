import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import type { ClaimExplanation } from '../../src/core/printed/checks.ts';
import { renderExplanation } from '../../src/render/explanation.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { at, claim, finding } from './sample-run.ts';
import { sampleDisposition } from '../core/sample.ts';
import { createCalibratedMatcher } from '../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../src/agreement/claims.ts';
import { createAssessor } from '../../src/agreement/confidence/confidence.ts';
import { explainClaim } from '../../src/agreement/explaining/explain.ts';
import { printedIdsOf } from '../../src/core/run-files/finding-names.ts';
import { findingOf, reviewOf } from '../agreement/sample.ts';

function sampleExplanation(words = 'The name reaches the statement unescaped'): ClaimExplanation {
  const place = at('src/db/query.ts', 42);
  const said = [
    finding(
      {
        reviewer: 'alpha',
        severity: 'critical',
        text: 'SQL injection through the name',
        location: place,
      },
      1,
    ),
    finding({ reviewer: 'beta', severity: 'high', text: words, location: place }, 2),
  ] as const;
  return {
    schema: 'jury.explanation/1',
    run: '20261121T221400Z-a1b2c3',
    sentence: [
      `2 of 3 reviewers say it, alpha and beta. Taken for the same are alpha/1 “SQL injection through the name” and beta/2 “${words}” (71%): Both name name.`,
      'gamma says the opposite: gamma/3 “The name is escaped”. The nearest other claim is c-00000000b1.',
      'That it is true is likely (too few judged claims are like it for a figure): 2 reviewers say it.',
    ].join('\n'),
    claim: claim(1, [said[0], said[1]], { state: 'reopened', matters: 0.8, act: true }),
    strategy: { name: 'calibrated', threshold: null, version: '1' },
    against: [
      {
        claim: 'c-00000000b3',
        supporters: ['gamma'],
        reviewer: 'gamma',
        finding: 'gamma/#3',
        statement: 'The name is escaped',
      },
    ],
    denies: [],
    names: { 'alpha/#1': 'alpha/1', 'beta/#2': 'beta/2', 'gamma/#3': 'gamma/3' },
    joined: [
      {
        one: 'alpha/#1',
        other: 'beta/#2',
        score: 71,
        same: true,
        reason: 'Both name name; they stand at the same lines.',
      },
    ],
    apart: [
      {
        claim: 'c-00000000b1',
        text: 'The name is logged',
        supporters: ['gamma'],
        nearest: {
          one: 'alpha/#1',
          other: 'gamma/#3',
          score: 31,
          same: false,
          reason: 'They share too little of what they say.',
        },
      },
      {
        claim: 'c-00000000b2',
        text: 'The statement is built twice',
        supporters: ['alpha', 'gamma'],
        nearest: {
          one: 'beta/#2',
          other: 'gamma/#4',
          score: 55,
          same: true,
          reason: 'Both say: statement.',
        },
      },
    ],
    confidence: {
      matters: { probability: 0.8, start: 0.5, contributions: [] },
      worth: 0.6,
      cases: 32,
      probability: 0.74,
      start: -0.2,
      contributions: [
        { evidence: 'voices', words: '2 reviewers say it', worth: 1.1 },
        {
          evidence: 'reliability',
          words: 'its reviewers were right more often than most',
          worth: 0.15,
        },
      ],
    },
    recorded: [],
    remembered: {
      history: [
        {
          run: '20261101T080000Z-aaaaaa',
          at: '2026-11-01T08:05:00Z',
          state: 'new',
          confidence: null,
        },
        {
          run: '20261110T080000Z-bbbbbb',
          at: '2026-11-10T08:05:00Z',
          state: 'fixed',
          confidence: null,
        },
        {
          run: '20261121T221400Z-a1b2c3',
          at: '2026-11-21T22:16:00Z',
          state: 'reopened',
          confidence: null,
        },
      ],
      wordings: [
        { reviewer: 'alpha', text: 'SQL injection through the name', category: null, run: 'r' },
        { reviewer: 'beta', text: words, category: null, run: 'r' },
      ],
      supporters: [
        { reviewer: 'alpha', family: null, run: 'r' },
        { reviewer: 'beta', family: null, run: 'r' },
      ],
    },
    decisions: [
      sampleDisposition({
        claim: 'c-aaaaaaaaa1',
        verdict: 'tolerated',
        reason: 'until the driver is replaced',
        until: '2026-11-15',
        at: '2026-11-02T09:00:00.000Z',
        severity: 'critical',
        path: 'src/db/query.ts',
        text: 'SQL injection through the name',
      }),
    ],
  };
}

function asked(reasoning: string) {
  return {
    confidence: 0.62,
    cases: 312,
    deliberation: {
      risk: 'medium' as const,
      outcome: 'confirmed' as const,
      for: ['alpha', 'delta'],
      against: [],
      votes: [
        { reviewer: 'delta', stance: 'ENDORSE' as const, reasoning, concerns: [], confidence: 0.9 },
      ],
      noResponse: [{ reviewer: 'epsilon', error: 'timeout after 120s' }],
      panel: null,
      panelSkipped: null,
      dissent: [],
      confidenceBefore: 0.41,
      error: null,
    },
  };
}

describe('an explanation in the terminal', () => {
  it('reads as agreed', () => {
    const text = renderExplanation(sampleExplanation(), { color: false, width: 90 });
    expect(text).toBe(golden('explanation.txt', text));
  });

  it('leaves out what there is nothing to tell of', () => {
    const whole = sampleExplanation();
    const text = renderExplanation(
      {
        ...whole,
        claim: { ...whole.claim, supporters: ['alpha'] },
        joined: [],
        apart: [],
        against: [],
        confidence: null,
        remembered: null,
        decisions: [],
      },
      { color: false, width: 90 },
    );
    expect(text).toContain('Nothing is remembered of it.');
    for (const title of ['Who says the opposite', 'Claims near it', 'What was asked'])
      expect(text).not.toContain(title);
  });

  it('tells who was asked about it, and in which words', () => {
    const whole = sampleExplanation();
    const text = renderExplanation(
      { ...whole, claim: { ...whole.claim, ...asked('It is so.') } },
      { color: false, width: 200 },
    );
    expect(text.replace(/\s+/g, ' ')).toContain(
      [
        'What was asked about it',
        'vote: confirmed, 2 for and 0 against, 1 did not answer',
        'confidence before: 41%, after: 62%',
        'delta ENDORSE: It is so.',
        'epsilon did not answer: timeout after 120s',
      ].join(' - '),
    );
    const read = renderExplanation(
      { ...whole, recorded: [{ source: 'latest', id: 'c-00000000b9', ...asked('It is so.') }] },
      { color: false, width: 200 },
    );
    expect(read.replace(/\s+/g, ' ')).toContain(
      'In latest, where it is c-00000000b9; the figures above are worked out anew, without this. - vote: confirmed',
    );
    expect(renderExplanation(whole, { color: false, width: 200 })).not.toContain('asked about it');
  });

  it.each([40, 80, 200])('keeps within %i columns', width =>
    expect(
      renderExplanation(sampleExplanation('漢'.repeat(200)), { color: false, width })
        .split('\n')
        .filter(line => stringWidth(line) > width),
    ).toEqual([]),
  );

  it('lets no wording steer the terminal', () => {
    for (const payload of payloads)
      expect(
        renderExplanation(
          {
            ...sampleExplanation(payload),
            recorded: [{ source: payload, id: 'c-00000000b9', ...asked(payload) }],
          },
          { color: false, width: 80 },
        ),
      ).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
      );
  });
});

/**
 * Six explanations to be read by eye: a merge, a near miss, a lone claim that is true, one that is not, an opposite, a copy. The
 * findings are made up; the golden files hold what people read.
 */
const swallowed = 'Errors of the upload are swallowed: the catch block in storeFile is empty';
const sayings: readonly (readonly [reviewer: string, line: number, label: string, text: string])[] =
  [
    ['alpha', 40, 'HIGH', swallowed],
    ['beta', 41, 'HIGH', 'storeFile catches every error of the upload and drops it'],
    ['gamma', 40, 'MEDIUM', 'The empty catch in storeFile hides failed uploads'],
    [
      'delta',
      52,
      'HIGH',
      'Reading the whole upload into memory means that one large file exhausts the server',
    ],
    [
      'alpha',
      88,
      'CRITICAL',
      'The signature of the webhook is compared with ==, which leaks its length and content by timing',
    ],
    ['beta', 12, 'LOW', 'Consider renaming tmp to temporaryFolder'],
    ['beta', 13, 'LOW', 'The comment above readLimit repeats the code'],
    ['beta', 14, 'LOW', 'Prefer const over let for maxSize'],
    ['gamma', 60, 'HIGH', 'The amount is validated before the charge'],
    ['delta', 60, 'HIGH', 'The amount is not validated before the charge'],
    ['gamma', 71, 'MEDIUM', 'Temporary files stay on disk when the client hangs up'],
    ['delta', 71, 'MEDIUM', 'Temporary files stay on disk when the client hangs up'],
  ];

const panel = ['alpha', 'beta', 'gamma', 'delta'];

async function explanationOf(words: string) {
  const findings = sayings.map(([reviewer, line, label, text], index) =>
    findingOf(reviewer, text, { id: `#${index + 1}`, path: 'src/upload.ts', line, label }),
  );
  const matcher = createCalibratedMatcher(matcherModel);
  const record = { reliability: [], families: new Map<string, string>() };
  const claims = await formClaims({
    findings,
    matcher,
    panel,
    reviews: panel.map(reviewer => reviewOf(reviewer)),
    confidence: { model: confidenceModel, ...record },
  });
  const claim = claims.find(({ text }) => text.includes(words));
  if (claim === undefined) throw new Error(`No claim says ${words}.`);
  const explanation = await explainClaim({
    formed: {
      run: null,
      claims,
      dismissed: [],
      completedAt: null,
      strategy: { name: matcher.name, threshold: null, version: matcher.version },
    },
    printed: printedIdsOf(
      panel.map(reviewer => ({
        reviewer,
        findings: findings.filter(finding => finding.reviewer === reviewer),
      })),
    ),
    claim,
    matcher,
    assess: createAssessor(confidenceModel, { ...record, findings, reviews: [] }),
    recorded: [],
    known: null,
    decisions: [],
  });
  return renderExplanation(explanation, { color: false, width: 100 });
}

describe('six explanations', () => {
  it.each([
    ['a merge', 'merge', 'are swallowed'],
    ['a near miss', 'near-miss', 'the whole upload'],
    ['a lone claim that is true', 'lone-true', 'signature of the webhook'],
    ['a lone claim that is not', 'lone-false', 'renaming tmp'],
    ['an opposite', 'opposite', 'is not validated'],
    ['a copy', 'copy', 'Temporary files'],
  ])('%s reads as agreed', async (_, name, words) => {
    const text = await explanationOf(words);
    expect(text).toBe(golden(`explanation-${name}.txt`, text));
    expect(text).not.toMatch(/log-odds|evidence|panel bears/);
  });
});
