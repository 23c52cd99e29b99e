import { describe, expect, it } from 'vitest';
import { builtinPanel, choosePanel, defaultQuorum, judgeNextStage } from '../../src/core/panel.ts';
import { Config } from '../../src/core/words/config.ts';
import { failedReview, findingOf, reviewOf } from './run-files/samples.ts';

const config = Config.parse({
  reviewers: [
    { id: 'Alpha', runner: 'command', command: ['a'] },
    { id: 'claude', runner: 'claude', model: 'own' },
  ],
});
const ids = (...args: Parameters<typeof choosePanel>) => choosePanel(...args).map(({ id }) => id);

describe('the panel', () => {
  it('is the embedded one when nobody configured another', () =>
    expect(choosePanel(Config.parse({}), null, [])).toEqual(builtinPanel));

  it('is the configured one in its order', () =>
    expect(ids(config, null, [])).toEqual(['Alpha', 'claude']));

  it('is what is named, once each, whatever the letter case, built-in analysers and clients included', () =>
    expect(ids(config, ['secrets', 'alpha', 'ALPHA', 'gemini'], [])).toEqual([
      'secrets',
      'Alpha',
      'gemini',
    ]));

  it('prefers the configured reviewer to the nameable one of the same name', () =>
    expect(choosePanel(config, ['Claude'], [])[0]).toMatchObject({ model: 'own' }));

  it('marks those that must complete', () =>
    expect(choosePanel(config, null, ['alpha']).map(({ required }) => required)).toEqual([
      true,
      false,
    ]));

  it('refuses a name nobody knows, and a required one that does not sit on it', () => {
    expect(() => choosePanel(config, ['clade'], [])).toThrow('Unknown reviewer "clade"');
    expect(() => choosePanel(config, ['alpha'], ['claude'])).toThrow('Unknown reviewer "claude"');
  });

  it('needs more than half by default', () =>
    expect([1, 2, 3, 4, 5].map(defaultQuorum)).toEqual([1, 2, 2, 3, 3]));
});

const policy = { quorum: 1, all: false };
const calm = reviewOf({
  findings: [
    findingOf({ severity: 'medium' }),
    findingOf({ severity: 'critical', isImprovement: true }),
  ],
});

describe('a later stage of reviewers', () => {
  it('is left out when the first is complete and found nothing of weight', () =>
    expect(judgeNextStage([calm], policy).warranted).toBe(false));

  it.each([
    ['a finding of P1', [calm, reviewOf({ findings: [findingOf()] })], policy, 'alpha/A-1 is high'],
    ['a reviewer that did not complete', [failedReview], policy, 'alpha did not complete'],
    [
      'a quorum that the first stage cannot reach',
      [calm],
      { quorum: 2, all: false },
      'the quorum is 2',
    ],
    ['somebody who asks for all', [calm], { quorum: 1, all: true }, 'every stage was asked for'],
  ])('is asked because of %s', (_what, reviews, rule, why) =>
    expect(judgeNextStage(reviews, rule)).toEqual({ warranted: true, why }),
  );
});
