import { expect, test } from 'vitest';
import {
  claimMarker,
  inlineBody,
  longestState,
  readClaimMarker,
  readSummaryMarker,
  summaryMarker,
  trimKnown,
  withoutMarker,
} from '../../../src/core/publish/marker.ts';
import { payloads } from '../../render/payloads.ts';
import { sampleKnownClaim } from '../sample.ts';

const id = 'c-0123456789';

test.each([...payloads, '-->', '--!>', '\u{1F600}', '\uD800'])(
  'a claim of any words comes back as it was: %j',
  words => {
    const known = trimKnown(sampleKnownClaim({ id, text: words, path: words }));
    const body = inlineBody({ claim: id, standing: 'fixed', known }, 'a notice', 'the text');
    const [marker = ''] = body.split('\n');
    expect(marker).toMatch(/^<!-- jury:claim c-0123456789 fixed [\w-]+ -->$/);
    const read = readClaimMarker(body.replaceAll('\n', '\r\n'));
    expect(read).toMatchObject({ claim: id, standing: 'fixed' });
    // What is no character at all cannot be kept.
    if (Buffer.from(words).toString() === words) expect(read?.known).toEqual(known);
    expect(withoutMarker(body)).toBe('the text');
  },
);

test('a marker of another claim, of other data or anywhere else is none', () => {
  const known = sampleKnownClaim({ id: 'c-ffffffffff' });
  expect(
    readClaimMarker(inlineBody({ claim: id, standing: 'open', known }, null, ''))?.known,
  ).toBeNull();
  for (const data of ['e30', 'bnVsbA', '-', '_', '%%', 'e'.repeat(9_999)])
    expect(readClaimMarker(`<!-- jury:claim ${id} open ${data} -->\n`)?.known ?? null).toBeNull();
  const marker = claimMarker({ claim: id, standing: 'open', known: null });
  for (const body of [
    '',
    marker,
    ` ${marker}\n`,
    `> ${marker}\n`,
    `text\n${marker}\n`,
    marker.replace(id, 'c-x'),
  ])
    expect(readClaimMarker(body)).toBeNull();
});

test('what does not fit is kept of the latest claims, and those that are fixed go first', () => {
  const posted = Array.from({ length: 300 }, (_, index) =>
    sampleKnownClaim({
      id: `c-${String(index).padStart(10, '0')}`,
      text: 'x'.repeat(300),
      history: [{ run: 'r', at: '', state: index >= 290 ? 'fixed' : 'new', confidence: null }],
    }),
  );
  const state = { run: 'r', head: 'a'.repeat(40), created: '2026-11-25T12:00:00.000Z', posted };
  const marker = summaryMarker(state);
  expect(marker.length).toBeLessThan(longestState + 100);
  const kept = readSummaryMarker(`${marker}\n`)?.state?.posted ?? [];
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.at(-1)?.id).toBe('c-0000000289');
  expect(readSummaryMarker('<!-- jury:summary e30 -->\n')).toEqual({ state: null });
});

test('a claim of a megabyte leaves the marker short', () => {
  const known = trimKnown(
    sampleKnownClaim({ id, path: 'p'.repeat(1_000_000), text: 't'.repeat(1_000_000) }),
  );
  expect(claimMarker({ claim: id, standing: 'open', known })).toBe(
    `<!-- jury:claim ${id} open - -->`,
  );
});
