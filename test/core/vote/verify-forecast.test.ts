import { describe, expect, test } from 'vitest';
import { BandSettings, type VerifySettings } from '../../../src/core/vote/band-settings.ts';
import { forecastVerify } from '../../../src/core/vote/verify-forecast.ts';

const settings = (more: Partial<VerifySettings> = {}): VerifySettings => ({
  level: 'band',
  batch: 5,
  band: BandSettings.parse({}),
  ...more,
});
const price = { input: 1, output: 10 };

describe('what asking about uncertain claims may take', () => {
  test('two calls for each reviewer at most, and those at the price of the dearest', () => {
    const dear = { input: 2, output: 20 };
    const forecast = forecastVerify(settings(), [price, dear, price]);
    expect(forecast.calls).toEqual({ expected: 2, ceiling: 6 });
    expect(forecast.tokens).toBe(6 * (11_250 + 5 * 220));
    expect(forecast.cost).toBeCloseTo((6 * (11_250 * 2 + 1_100 * 20)) / 1e6, 9);
  });

  test('as many as somebody sets, and no cost is known where one price is not', () => {
    const band = BandSettings.parse({ calls: 1 });
    expect(forecastVerify(settings({ band }), [price, null])).toMatchObject({
      calls: { expected: 1, ceiling: 1 },
      cost: null,
    });
  });

  test.each([
    ['nobody', settings(), []],
    ['one reviewer, who says everything there is', settings(), [price]],
    ['nobody is asked for what is looked up', settings({ level: 'checks' }), [price, null]],
  ])('nothing: %s', (_, given, prices) => {
    expect(forecastVerify(given, prices)).toMatchObject({
      calls: { expected: 0, ceiling: 0 },
      tokens: 0,
      cost: 0,
    });
  });
});
