/** Whatever a client prints: its records are read or ignored, never believed without the closing one, and never an exception. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claude } from '../../../../src/adapters/runners/claude.ts';
import {
  type Client,
  isTooOld,
  parseVersion,
  readJsonLines,
  versionWarning,
} from '../../../../src/adapters/runners/client.ts';
import { faultOf } from '../../../../src/adapters/runners/provider-failure.ts';
import { codex } from '../../../../src/adapters/runners/codex.ts';
import { gemini } from '../../../../src/adapters/runners/gemini.ts';
import { opencode } from '../../../../src/adapters/runners/opencode.ts';
import { rows } from './rows.ts';

describe('lines of JSON', () => {
  test('are the same records however the stream is cut', () => {
    const records = fc.array(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
    );
    fc.assert(
      fc.property(records, fc.array(fc.nat(60)), fc.boolean(), (values, cuts, endsWithNewline) => {
        const text =
          values.map(value => JSON.stringify(value)).join('\n') + (endsWithNewline ? '\n' : '');
        expect(recordsOf(cut(text, cuts))).toEqual(
          values.map(value => JSON.parse(JSON.stringify(value)) as unknown),
        );
      }),
    );
  });

  test('that are not JSON are passed over', () =>
    expect(recordsOf(['warning\n{"a":', '1}\r\n{broken}\n', '12\n"text"\n\n{"b":2}'])).toEqual([
      { a: 1 },
      { b: 2 },
    ]));

  test('may come in small pieces', () => {
    const pieces = Array.from({ length: 200_000 }, () => 'x'.repeat(10));
    expect(recordsOf(['{"a":"', ...pieces, '"}'])).toHaveLength(1);
  });
});

function recordsOf(chunks: readonly string[]) {
  const records: unknown[] = [];
  const lines = readJsonLines(record => records.push(record));
  for (const chunk of chunks) lines.add(chunk);
  lines.end();
  return records;
}

function cut(text: string, lengths: readonly number[]) {
  const chunks: string[] = [];
  let rest = text;
  for (const length of lengths) {
    chunks.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return [...chunks, rest];
}

const clients: readonly (readonly [Client, readonly unknown[], string])[] = [
  [claude, rows.claude.flatMap(row => row.scenario.lines), 'result'],
  [codex, rows.codex.flatMap(row => row.scenario.lines), 'turn.completed'],
  [gemini, rows.gemini.flatMap(row => row.scenario.lines), 'result'],
  [opencode, rows.opencode.flatMap(row => row.scenario.lines), 'step_finish'],
];

describe.each(clients)('the records of $name', (client, known, closing) => {
  const types = [
    ...new Set(known.map(record => (record as { readonly type?: string }).type ?? '')),
  ];
  const anything = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...types), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([type, rest]) => ({ ...rest, type })),
    fc.constantFrom(...known),
  );

  test('in any order and shape are judged, and usage stays a count', () =>
    fc.assert(
      fc.property(fc.array(anything), fc.nat(255), (records, exitCode) => {
        const reading = client.read();
        for (const record of records) reading.take(record);
        const judgement = reading.conclude({ exitCode, stderr: '' });
        const { cost, estimated: _isEstimated, ...counts } = reading.usage(10);
        expect('cause' in judgement || judgement.text.trim() !== '').toBe(true);
        expect([cost ?? 0, ...Object.values(counts)].every(count => count >= 0)).toBe(true);
      }),
    ));

  test('without the closing one are no answer', () => {
    const open = known.filter(record => (record as { readonly type?: string }).type !== closing);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...open)),
        fc.constantFrom(0, 1),
        (records, exitCode) => {
          const reading = client.read();
          for (const record of records) reading.take(record);
          expect(reading.conclude({ exitCode, stderr: '' })).toHaveProperty('cause');
        },
      ),
    );
  });
});

describe('the error of a provider', () => {
  test.each([
    [401, 'anything', 'auth'],
    [403, 'anything', 'auth'],
    [402, 'anything', 'quota'],
    [404, 'no such model', 'provider'],
    [413, 'too many tokens', 'context'],
    [400, 'bad request', 'provider'],
    [400, 'prompt is too long', 'context'],
    [429, 'slow down', 'rate-limited'],
    [429, 'You exceeded your current quota', 'quota'],
    [500, 'x', 'provider'],
    [502, 'x', 'provider'],
    [529, 'x', 'rate-limited'],
    [null, 'connect ECONNREFUSED 127.0.0.1:1', 'unreachable'],
    [null, 'request timed out', 'deadline'],
    [null, 'something else', 'provider'],
  ] as const)('%s "%s" is %s', (status, words, cause) =>
    expect(faultOf(words, status)).toMatchObject({ cause, httpStatus: status }),
  );

  test('names the wait that the provider asks for', () => {
    expect(faultOf('Rate limit. Please try again in 250ms.', 429).retryAfterMs).toBe(250);
    expect(faultOf('Suggested retry after 1.5s.', 429).retryAfterMs).toBe(1500);
    expect(faultOf('Rate limit.', 429).retryAfterMs).toBeNull();
  });
});

describe('the version of a client', () => {
  test.each([
    ['2.1.330 (Claude Code)\n', '2.1.330'],
    ['codex-cli 0.169.0\n', '0.169.0'],
    ['0.61.0\n', '0.61.0'],
    ['v1.2.3-beta.1', '1.2.3'],
    ['{"type":"system","version":"1.2.3"}', null],
    ['', null],
    ['127.0.0.1', null],
  ])('is read from %j', (output, version) => expect(parseVersion(output)).toBe(version));

  test('is too old below the one that closed a known hole, and doubtful when it is not verified', () => {
    expect([
      isTooOld(codex, '0.22.99'),
      isTooOld(codex, '0.23.0'),
      isTooOld(claude, '1.0.110'),
      isTooOld(claude, '1.1.0'),
      isTooOld(gemini, '0.0.1'),
      isTooOld(codex, null),
    ]).toEqual([true, false, true, false, false, false]);
    expect(versionWarning(codex, '0.169.0')).toBeNull();
    expect(versionWarning(codex, '0.170.0')).toBe(
      'codex 0.170.0 is not a verified version; verified: 0.169.0.',
    );
    expect(versionWarning(codex, null)).toContain('does not tell its version');
  });
});
