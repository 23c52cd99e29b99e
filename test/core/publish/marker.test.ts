import { expect, test } from 'vitest';
import {
  inlineBody,
  readClaimMarker,
  readSummaryMarker,
  summaryMarker,
  withoutMarker,
} from '../../../src/core/publish/settle.ts';
import { cut } from '../../../src/core/text.ts';
import { payloads } from '../../render/payloads.ts';
import { packer } from '../../packer.ts';
import { sampleKnownClaim } from '../sample.ts';

const id = 'c-0123456789';

test.each([...payloads, '-->', '--!>', '\u{1F600}', '\uD800'])(
  'a claim of any words comes back as it was: %j',
  words => {
    const known = sampleKnownClaim({ id, text: words, path: words, wordings: [] });
    const body = inlineBody(
      { claim: id, standing: 'fixed', known },
      'a notice',
      'the text',
      packer,
    );
    const [marker = ''] = body.split('\n');
    expect(marker).toMatch(/^<!-- jury:claim c-0123456789 fixed [\w-]+ -->$/);
    const read = readClaimMarker(body.replaceAll('\n', '\r\n'), packer);
    expect(read).toMatchObject({ claim: id, standing: 'fixed' });
    // What is no character at all cannot be kept.
    if (Buffer.from(words).toString() === words)
      expect(read?.known).toMatchObject({ text: cut(words, 200), path: words });
    expect(withoutMarker(body)).toBe('the text');
  },
);

test('a marker of another claim, of other data or anywhere else is none', () => {
  const known = sampleKnownClaim({ id: 'c-ffffffffff' });
  expect(
    readClaimMarker(inlineBody({ claim: id, standing: 'open', known }, null, '', packer), packer)
      ?.known,
  ).toBeNull();
  for (const data of ['e30', 'bnVsbA', '-', '_', '%%', 'e'.repeat(9_999)])
    expect(
      readClaimMarker(`<!-- jury:claim ${id} open ${data} -->\n`, packer)?.known ?? null,
    ).toBeNull();
  const marker = `<!-- jury:claim ${id} open - -->`;
  for (const body of [
    '',
    marker,
    ` ${marker}\n`,
    `> ${marker}\n`,
    `text\n${marker}\n`,
    marker.replace(id, 'c-x'),
  ])
    expect(readClaimMarker(body, packer)).toBeNull();
});

const words = (index: number) =>
  Array.from({ length: 30 }, (_, at) => ((index + 1) * (at + 7919) ** 3).toString(36)).join(' ');

test('what does not fit is kept of the latest claims, and those that are fixed go first', () => {
  const posted = Array.from({ length: 500 }, (_, index) =>
    sampleKnownClaim({
      id: `c-${String(index).padStart(10, '0')}`,
      text: words(index),
      history: [{ run: 'r', at: '', state: index >= 490 ? 'fixed' : 'new', confidence: null }],
    }),
  );
  const state = { run: 'r', head: 'a'.repeat(40), created: '2026-11-25T12:00:00.000Z', posted };
  const marker = summaryMarker(state, packer);
  expect(marker.length).toBeLessThan(30_100);
  const kept = readSummaryMarker(`${marker}\n`, packer)?.state?.posted ?? [];
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.at(-1)?.id).toBe('c-0000000489');
  expect(readSummaryMarker('<!-- jury:summary e30 -->\n', packer)).toEqual({ state: null });
});

test('a claim of a megabyte leaves the marker short', () => {
  const noise = Array.from({ length: 50_000 }, (_, at) => (at * 7919 ** 2).toString(36)).join('');
  const known = sampleKnownClaim({ id, path: noise, text: 't'.repeat(1_000_000) });
  expect(inlineBody({ claim: id, standing: 'open', known }, null, '', packer)).toBe(
    `<!-- jury:claim ${id} open - -->\n`,
  );
});
