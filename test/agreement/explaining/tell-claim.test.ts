import { describe, expect, it } from 'vitest';
import { logOddsOf } from '../../../src/core/words/odds.ts';
import { openingOf } from '../../../src/agreement/explaining/tell-claim.ts';

type Told = Parameters<typeof openingOf>[0];

const told: Told = {
  claim: { supporters: ['alpha', 'beta'], electorate: 3 },
  joined: [],
  against: [],
  denies: [],
  confidence: null,
  moved: null,
  dismissal: null,
};

/** A probability with what it is made of, the rest standing at the start. */
function of(
  probability: number,
  ...parts: readonly (readonly [words: string, worth: number])[]
): Told {
  const sum = parts.reduce((total, [, worth]) => total + worth, 0);
  const contributions = parts.map(([words, worth]) => ({ evidence: 'x', words, worth }));
  return {
    ...told,
    confidence: { probability, start: logOddsOf(probability) - sum, contributions },
  };
}

describe('the sentence an explanation begins with', () => {
  it.each([
    [
      of(0.97, ['9 reviewers say it', 3]),
      'Almost certainly true (97%), because 9 reviewers say it.',
    ],
    [
      of(0.7, ['2 reviewers say it', 1], ['it is long', 0.2]),
      'Probably true (70%), above all because 2 reviewers say it.',
    ],
    [
      of(0.45, ['2 reviewers say it', 1], ['3 do not', -0.9]),
      'As likely true as not (45%): 2 reviewers say it, but 3 do not.',
    ],
    [
      of(0.2, ['2 reviewers say it', 1]),
      'Probably not true (20%): 2 reviewers say it, but that alone does not settle it.',
    ],
    [of(0.02, ['3 do not', -2]), 'Almost certainly not true (2%), because 3 do not.'],
    [of(0.6), 'Probably true (60%).'],
  ])('gives the verdict and its main reason', (given, sentence) => {
    expect(openingOf(given)).toBe(sentence);
  });

  it('names who says the opposite, each once', () => {
    const against = ['gamma', 'delta', 'gamma'].map(reviewer => ({ reviewer }));
    expect(openingOf({ ...of(0.6), against })).toBe(
      'Probably true (60%); gamma and delta say the opposite.',
    );
  });

  const dismissal = {
    by: 'c-0000000001',
    verdict: 'rejected',
    reason: 'prices are whole cents.',
    scope: 'claim',
    until: null,
    at: '2026-11-02T09:00:00.000Z',
    isLater: false,
  } as const;
  it.each([
    [{}, 'A person dismissed it as false on 2026-11-02: prices are whole cents.'],
    [
      { verdict: 'tolerated', until: '2027-01-31', reason: '' },
      'A person dismissed it as tolerated on 2026-11-02, until 2027-01-31.',
    ],
    [
      { scope: 'file', at: null },
      'A person dismissed its whole file (given for c-0000000001) as false: prices are whole cents.',
    ],
    [
      { isLater: true },
      'After this run a person dismissed it as false on 2026-11-02: prices are whole cents.',
    ],
    [{ protectedBy: 'plans/**' }, 'Set aside by its path, which is protected (plans/**).'],
  ] as const)('says first that it was dismissed, by whom, when and why', (terms, sentence) => {
    expect(openingOf({ ...of(0.6), dismissal: { ...dismissal, ...terms } })).toBe(
      `${sentence} Apart from that: probably true (60%).`,
    );
  });

  it('takes what holds for the whole panel for a reason only where nothing else speaks so', () => {
    const given = of(0.8, ['they name places', 3], ['3 do not', -0.5]);
    const contributions = (given.confidence?.contributions ?? []).map((part, index) => ({
      ...part,
      evidence: index === 0 ? 'places' : 'silence',
    }));
    const confidence = { probability: 0.8, start: -1.11, contributions };
    expect(openingOf({ ...given, confidence })).toBe(
      'Probably true (80%): 3 do not, but they name places.',
    );
  });

  it.each([
    [0.2, 'Probably not true (20%), down from 70% by what was looked up and asked about it.'],
    [0.97, 'Almost certainly true (97%), up from 70% by what was looked up and asked about it.'],
  ])('gives the figure that was reached, and where it came from', (after, sentence) => {
    const given = of(0.7, ['2 reviewers say it', 1]);
    expect(openingOf({ ...given, moved: { before: 0.7, after } })).toBe(sentence);
  });

  it('says once who says the opposite, and that of nobody who says both', () => {
    const against = [{ reviewer: 'gamma' }, { reviewer: 'alpha' }];
    for (const words of [
      'gamma says the opposite',
      '2 reviewers say the opposite and count as 1',
    ]) {
      const [denial, rest] = [
        { evidence: 'against', words, worth: -0.8 },
        { evidence: 'x', words: 'x', worth: -0.1 },
      ];
      const confidence = { probability: 0.3, start: 0.05, contributions: [denial, rest] };
      expect(openingOf({ ...told, against, confidence })).toBe(
        `Probably not true (30%), above all because ${words}.`,
      );
    }
    expect(openingOf({ ...of(0.6), against: [{ reviewer: 'alpha' }] })).toBe(
      'Probably true (60%).',
    );
  });

  it('says with the voices which of them only repeat others', () => {
    const given = of(
      0.6,
      ['3 reviewers say it', 2],
      ['one of them repeats the words of another', -0.4],
    );
    const contributions = given.confidence?.contributions.map((part, index) => ({
      ...part,
      evidence: index === 1 ? 'copies' : 'voices',
    }));
    const confidence = { probability: 0.6, start: 0, contributions: contributions ?? [] };
    expect(openingOf({ ...given, confidence })).toBe(
      'Probably true (60%), above all because 3 reviewers say it; one of them repeats the words of another.',
    );
  });

  it('of a denial tells first what it denies', () => {
    const denies = [{ id: 'c-0123456789', supporters: ['gamma', 'delta', 'omega', 'pi'] }];
    expect(openingOf({ ...of(0.6), denies })).toBe(
      'It denies what gamma and 3 others say (c-0123456789), and is itself probably true (60%).',
    );
  });

  it('without a confidence says who says it, and what the surest pair has in common', () => {
    const pair = { score: 60, reason: 'A. B.', contributions: [] };
    const surer = { score: 90, reason: 'They report one check. X.', contributions: [] };
    expect(openingOf({ ...told, joined: [pair, surer] })).toBe(
      '2 of 3 reviewers say the same thing: they report one check.',
    );
    const alone = { supporters: ['alpha'], electorate: 3 };
    expect(openingOf({ ...told, claim: alone, joined: [pair] })).toBe(
      'Only alpha says it, 2 times: a.',
    );
    expect(openingOf({ ...told, claim: alone })).toBe(
      'Only alpha says it, and nothing was put together.',
    );
  });
});
