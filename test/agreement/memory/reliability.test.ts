import { describe, expect, it } from 'vitest';
import { reliabilityOf } from '../../../src/agreement/memory/decision.ts';
import { familyNamed, familyOf } from '../../../src/core/words/runner.ts';
import type { RunToRemember } from '../../../src/core/words/run.ts';
import { rememberRun } from '../../../src/agreement/memory/remember-run.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { findingOf, reviewOf, sha256 } from '../sample.ts';
import { sampleChange } from '../../core/sample.ts';
import { createProject } from './sample-project.ts';

describe('the family of a reviewer', () => {
  it.each([
    ['claude-code', 'anthropic'],
    ['review-sonnet-5#2', 'anthropic'],
    ['opus', 'anthropic'],
    ['haiku-fast', 'anthropic'],
    ['gpt-5', 'openai'],
    ['codex#1', 'openai'],
    ['arm#1', 'arm'],
    ['My Arm#12', 'my arm'],
    ['arm', null],
    ['arm#', null],
    ['magnum-opusculum', null],
  ])('named %s is %s', (name, family) => expect(familyNamed(name)).toBe(family));

  it('told by the model comes before the runner', () => {
    expect(familyOf({ model: 'claude/haiku-4', runner: 'command' })).toBe('anthropic');
    expect(familyOf({ model: 'vertex/opus-4', runner: 'gemini' })).toBe('anthropic');
  });
});

describe('what is known of a reviewer', () => {
  it('counts what was fixed without a word apart from what people decided', async () => {
    const project = createProject({ 'src/a.ts': 'one();\ntwo();\nthree();\nfour();\n' });
    await project.hold([
      { reviewer: 'alpha', text: 'The pool is never drained', path: 'src/a.ts', line: 1 },
    ]);
    expect(reliabilityOf(project.memory)).toEqual([]);
    const { fixed } = await project.hold([]);
    expect(fixed).toHaveLength(1);
    expect(reliabilityOf(project.memory)).toEqual([
      { reviewer: 'alpha', family: null, confirmed: 0, rejected: 0, fixed: 1 },
    ]);
    project.decide(fixed[0]?.id ?? '', { verdict: 'rejected' });
    expect(reliabilityOf(project.memory)).toEqual([
      { reviewer: 'alpha', family: null, confirmed: 0, rejected: 1, fixed: 0 },
    ]);
  });
});

describe('what is remembered of how sure a run was', () => {
  it('is what was shown, and what the model said before decisions corrected it', async () => {
    expect(await rememberConfidence(0.8)).toEqual({ stated: 0.8, modelled: 0.8 });
    const corrected = await rememberConfidence(0.5, {
      recalibration: { intercept: Math.log(4), slope: 1, decisions: 100 },
    });
    expect(corrected?.stated).toBe(0.5);
    expect(corrected?.modelled).toBeCloseTo(0.2, 10);
  });

  it('is nothing where none was computed', async () =>
    expect(await rememberConfidence(null)).toBeNull());
});

/** What the memory keeps of the confidence of a claim after the run that showed it. */
async function rememberConfidence(
  confidence: number | null,
  corrected: Pick<RunToRemember, 'recalibration'> = {},
) {
  const [claim] = await formClaims({
    findings: [findingOf('alpha', 'The pool is never drained')],
    matcher: createCalibratedMatcher(matcherModel),
    panel: ['alpha'],
    reviews: [reviewOf('alpha')],
    hash: sha256,
  });
  if (claim === undefined) throw new Error('There should be a claim.');
  const { changed } = await rememberRun(
    { claims: [], dispositions: [] },
    {
      run: 'run',
      at: '2026-11-21T12:00:00.000Z',
      change: sampleChange(),
      reviews: [],
      claims: [{ ...claim, confidence }],
      families: new Map(),
      hash: sha256,
      read: () => Promise.resolve(null),
      matcher: createCalibratedMatcher(matcherModel),
      isDecided: () => true,
      ...corrected,
    },
  );
  return changed[0]?.history[0]?.confidence;
}
