import { describe, expect, it } from 'vitest';
import {
  count,
  duration,
  elapsed,
  money,
  moneyOfAll,
  shortCount,
} from '../../src/render/figures.ts';

describe('figures for people', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.0k'],
    [9949, '9.9k'],
    [9951, '10k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [12_400_000, '12M'],
  ])('prints %i tokens as %s', (amount, text) => expect(shortCount(amount)).toBe(text));

  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [14_230, '14.2s'],
    [59_949, '59.9s'],
    [59_950, '1m 00s'],
    [125_000, '2m 05s'],
    [3_720_000, '1h 02m'],
  ])('prints %i milliseconds as %s', (ms, text) => expect(duration(ms)).toBe(text));

  it('tells an unknown price from a free one', () =>
    expect([money(null), money(0), money(0.0042), money(1.5)]).toEqual([
      'cost unknown',
      '$0.00',
      '$0.0042',
      '$1.50',
    ]));

  it('takes tokens of unknown price for none that were free', () =>
    expect([moneyOfAll(0, 1), moneyOfAll(1.5, 2), moneyOfAll(1.5, 0), moneyOfAll(0, 0)]).toEqual([
      'cost unknown',
      'at least $1.50 (2 reviewers of unknown cost)',
      '$1.50',
      '$0.00',
    ]));

  it('gives a noun its number', () =>
    expect([count(1, 'file'), count(0, 'file'), count(2, 'pass', 'passes')]).toEqual([
      '1 file',
      '0 files',
      '2 passes',
    ]));

  it('knows no time between words that are no times', () => {
    expect(elapsed('2026-11-21T22:14:00Z', '2026-11-21T22:14:02Z')).toBe(2000);
    expect(elapsed('', 'now')).toBeNull();
  });
});
