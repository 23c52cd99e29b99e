import { gzipSync } from 'node:zlib';
import type { Log } from 'sarif';
import { expect, it } from 'vitest';
import { renderSarif } from '../../../src/render/formats/sarif.ts';
import { manyClaims } from './runs.ts';

it('SARIF keeps to what GitHub takes of thirty thousand claims, and says how many it leaves out', () => {
  const text = renderSarif(manyClaims(30_000, 120));
  const run = (JSON.parse(text) as Log).runs[0];
  expect(run?.results).toHaveLength(25_000);
  expect(run?.invocations?.[0]?.toolExecutionNotifications?.at(-1)?.message.text).toBe(
    '5000 more results are left out.',
  );
  expect(gzipSync(text).length).toBeLessThan(10_000_000);
  expect(
    Math.max(...(run?.results ?? []).map(each => each.relatedLocations?.length ?? 0)),
  ).toBeLessThan(100);
  expect(Math.max(...(run?.tool.driver.rules ?? []).map(({ id }) => id.length))).toBeLessThan(256);
});
