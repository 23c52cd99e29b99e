import { describe, expect, test } from 'vitest';
import { forecastDeliberation } from '../../src/vote/claim-vote.ts';

const price = { input: 1, output: 10 };
describe('what a vote about claims takes', () => {
  test('each reviewer is asked about the claims it did not raise, so many in a call', () => {
    // Of ten claims each of three did not raise seven: a call of five and one of two.
    const tokens = 3 * ((7 * 6000 + 2 * 6000) / 3.2 + 7 * 220);
    expect(forecastDeliberation({ batch: 5 }, [price, price, price])).toEqual({
      reviewers: 3,
      batch: 5,
      claims: 10,
      calls: 6,
      panelCalls: 4,
      tokens,
      cost: expect.closeTo((3 * (16_875 + 1_540 * 10)) / 1e6, 9) as number,
    });
  });

  test('at a table sit nine and who facilitates, however many there are', () => {
    const many = Array.from({ length: 20 }, () => price);
    expect(forecastDeliberation({ batch: 5 }, many).panelCalls).toBe(10);
  });

  test('two reviewers vote and hold no panel, which takes three', () => {
    const { calls, panelCalls } = forecastDeliberation({ batch: 5 }, [price, price]);
    expect([calls > 0, panelCalls]).toEqual([true, 0]);
  });

  test('no cost is known where one price is not, and one reviewer has nobody to vote', () => {
    expect(forecastDeliberation({ batch: 5 }, [price, null]).cost).toBeNull();
    for (const prices of [[], [price]])
      expect(forecastDeliberation({ batch: 5 }, prices)).toMatchObject({
        calls: 0,
        panelCalls: 0,
        tokens: 0,
        cost: 0,
      });
  });
});
