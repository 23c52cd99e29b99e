/**
 * Six explanations to be read by eye: a merge, a near miss, a lone claim that is true, one that is not, an opposite, a copy. The
 * findings are made up; the golden files hold what people read.
 */
import { describe, expect, it } from 'vitest';
import { createCalibratedMatcher } from '../../src/agreement/calibrated.ts';
import { confidenceModel, matcherModel } from '../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../src/agreement/claims.ts';
import { createAssessor } from '../../src/agreement/confidence/confidence.ts';
import { explainClaim } from '../../src/agreement/explaining/explain.ts';
import { printedIdsOf } from '../../src/core/run-files/finding-names.ts';
import { renderExplanation } from '../../src/render/explanation.ts';
import { findingOf, reviewOf, sha256 } from '../agreement/sample.ts';
import { golden } from './golden.ts';

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
    hash: sha256,
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
