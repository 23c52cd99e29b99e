import { describe, expect, it } from 'vitest';
import { modeNamed, modeNames, modes } from '../../../src/core/words/mode.ts';

describe('the five modes', () => {
  it.each([
    [
      'code-review',
      '# Code Review Consensus Report',
      ['CRITICAL', 'IMPORTANT', 'SUGGESTION'],
      ['--base-sha', '--head-sha'],
    ],
    [
      'general-prompt',
      '# General Prompt Consensus Report',
      ['STRONG', 'MODERATE', 'WEAK'],
      ['--prompt'],
    ],
    ['debugging', '# Debugging Consensus Report', ['STRONG', 'MODERATE', 'WEAK'], ['--prompt']],
    [
      'architecture',
      '# Architecture Consensus Report',
      ['CRITICAL', 'IMPORTANT', 'SUGGESTION'],
      ['--prompt'],
    ],
    ['verification', '# Verification Consensus Report', ['PASS', 'FAIL'], ['--prompt']],
  ] as const)('%s is titled %j, labels %j, needs %j', (name, title, labels, required) =>
    expect(modes[name]).toMatchObject({ title, labels, required }),
  );

  it('rank their labels critical, high, low; PASS makes no finding', () => {
    expect([...modes['code-review'].scale]).toEqual([
      ['CRITICAL', 'critical'],
      ['IMPORTANT', 'high'],
      ['SUGGESTION', 'low'],
    ]);
    expect([...modes.debugging.scale]).toEqual([
      ['STRONG', 'critical'],
      ['MODERATE', 'high'],
      ['WEAK', 'low'],
    ]);
    expect([...modes.verification.scale]).toEqual([['FAIL', 'critical']]);
  });

  it('are known by their names and by the short word for a general prompt', () => {
    expect(modeNames.map(modeNamed)).toEqual(modeNames);
    expect(modeNamed('general')).toBe('general-prompt');
    expect(modeNamed('review')).toBeNull();
  });
});
