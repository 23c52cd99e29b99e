import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refuseUnmeetable } from '../../../src/core/panel.ts';
import { OutcomeRules, settleRules } from '../../../src/core/verdict/rule-set.ts';

function rulesOf(name: string, hasFailRules: boolean) {
  const file = new URL(`../../../rules/outcome/${name}.json`, import.meta.url);
  return settleRules(OutcomeRules.parse(JSON.parse(readFileSync(file, 'utf8'))), { hasFailRules });
}

const one = [{ runner: 'api' }] as const;
const two = [{ runner: 'api' }, { runner: 'claude' }] as const;
const checked = [{ runner: 'api' }, { runner: 'builtin' }] as const;

describe('what no answers of a panel could meet', () => {
  it.each([
    [
      'a quorum above it',
      { quorum: 3, failOn: null },
      two,
      'The quorum is 3 and the panel has 2 reviewers',
    ],
    [
      'a quorum of more readers than are seated',
      { quorum: 2, failOn: null },
      checked,
      'The quorum is 2 and the panel has 1 reviewer',
    ],
    [
      'all of one',
      { quorum: null, failOn: ['all:low'] },
      one,
      'all:low takes two reviewers, and the panel has 1',
    ],
    [
      'a check where none is seated',
      { quorum: null, failOn: ['analyser:high'] },
      two,
      'takes a check',
    ],
  ])('is refused: %s', (_, demanded, panel, sentence) => {
    const rules = rulesOf('review', true);
    expect(() => refuseUnmeetable({ ...demanded, rules }, panel)).toThrow(sentence);
  });

  it.each([
    ['a quorum of everybody', { quorum: 2, failOn: null }, two, 'review'],
    ['a quorum under rules that count nobody', { quorum: 3, failOn: null }, two, 'veto'],
    ['the majority of one', { quorum: null, failOn: ['majority:high'] }, one, 'review'],
    ['a majority of two', { quorum: null, failOn: ['majority:high'] }, two, 'review'],
    [
      'one rule among others that can be met',
      { quorum: null, failOn: ['majority:high', 'critical'] },
      one,
      'review',
    ],
    ['nothing that fails, as was asked for', { quorum: null, failOn: ['never'] }, one, 'review'],
    ['a check that is seated', { quorum: null, failOn: ['analyser:high'] }, checked, 'review'],
    ['rules that nobody set', { quorum: null, failOn: null }, one, 'review'],
  ])('is not: %s', (_, demanded, panel, name) => {
    const rules = rulesOf(name, demanded.failOn !== null);
    expect(() => refuseUnmeetable({ ...demanded, rules }, panel)).not.toThrow();
  });
});
