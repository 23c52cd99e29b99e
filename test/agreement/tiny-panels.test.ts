import { describe, expect, it } from 'vitest';
import { createCalibratedMatcher } from '../../src/agreement/calibrated.ts';
import { matcherModel } from '../../src/agreement/calibrated-model.ts';
import { findingOf, type FindingSample } from './sample.ts';

const line: FindingSample = { path: 'src/a.ts', line: 10 };

/** Two reviewers with one finding each: nothing else in the run tells which words are common. */
async function countClaims([one, other]: readonly [string, string], sample: FindingSample) {
  const findings = [findingOf('alpha', one, sample), findingOf('beta', other, sample)];
  const matcher = createCalibratedMatcher(matcherModel);
  await matcher.prepare(findings);
  return matcher.group(findings).groups.length;
}

const same: readonly (readonly [string, string])[] = [
  [
    'Race condition: two requests can both pass the balance check',
    'Balance check is not atomic, concurrent requests may overdraw the account',
  ],
  [
    'The timeout is given in seconds but the client expects milliseconds',
    'Wrong unit: the timeout must be in milliseconds, not seconds',
  ],
  [
    'Possible null dereference of user when the session has expired',
    'user may be null if the session is gone, causing a crash',
  ],
  [
    'Off-by-one error in the loop bound skips the last element',
    'The loop stops one element too early and misses the last item',
  ],
  [
    'Password is written to the log in plain text',
    'Logging the plaintext password leaks credentials',
  ],
  ['fetchProfile() is awaited without a try/catch', 'Rejections of fetchProfile are not handled'],
];

/** Hardly a word in common, were it not for the place and one weakness that both speak of. */
const sameByWeakness: readonly (readonly [string, string])[] = [
  [
    'The lock is never released when an exception is thrown',
    'Exception path leaves the mutex locked',
  ],
  [
    'SQL injection through string concatenation in query',
    'User input is concatenated into the SQL query',
  ],
  ['SQL injection in the lookup', 'User input is concatenated into the SQL query'],
  ['Cache entries are never evicted, so memory grows without bound', 'Unbounded cache growth'],
  ['SSRF in the image proxy', 'The server can be made to request internal addresses'],
  ['add() subtracts instead of adding', 'Wrong operator: minus instead of plus'],
  ['Exceptions of the mailer vanish', 'Failed sends are silently ignored'],
  ['Use a constant-time comparison', 'Signature check leaks through timing'],
  ['Prints cent amounts a penny off', 'Money is held in a float'],
];

const different: readonly (readonly [string, string])[] = [
  ['Missing null check before use', 'Missing error handling around the call'],
  ['Function is too long and hard to read', 'Function does not validate its input'],
  ['The variable name is misleading', 'The variable is used before it is initialised'],
  ['Missing test for the empty list', 'Missing documentation of the return value'],
  [
    'Potential memory leak because the listener is not removed',
    'Potential race condition when two tabs write at once',
  ],
  [
    'Error message does not name the file',
    'Error is swallowed and the caller never learns about it',
  ],
  ['Unused import', 'Unused parameter in the callback'],
  ['The query is executed in a loop, once per row', 'The query is vulnerable to SQL injection'],
  ['Incorrect return type in the signature', 'Incorrect handling of negative values'],
  ['Method should be private', 'Method blocks the event loop'],
  ['Errors from the upload are swallowed', 'The upload buffers the whole file'],
];

describe('a panel of two, with one finding each', () => {
  it.each(same)('says one thing at one line, or without a line: %j and %j', async (...pair) =>
    expect([await countClaims(pair, line), await countClaims(pair, {})]).toEqual([1, 1]),
  );

  it.each(sameByWeakness)('says one thing at one line: %j and %j', async (...pair) =>
    expect(await countClaims(pair, line)).toBe(1),
  );

  it('does not join what shares a single word, at whatever place, for want of anything better to join', async () =>
    expect(
      await countClaims(['The cache key ignores the user', 'The cache is never invalidated'], line),
    ).toBe(2));

  it.each(different)('says two things, although at one line: %j and %j', async (...pair) =>
    expect([await countClaims(pair, line), await countClaims(pair, {})]).toEqual([2, 2]),
  );
});

/** They share their subject, and what else they say is of other things: to have no rival is no merit of so few words. */
const oneSubject: readonly (readonly [string, string])[] = [
  ['errors from the upload are swallowed', 'the upload buffers the whole file'],
  ['parseDate() ignores the time zone', 'parseDate() is called once for every row'],
];

describe('a panel of two, with two findings each', () => {
  it.each(oneSubject)('says two things of one subject: %j and %j', async (one, other) => {
    const findings = [
      findingOf('alpha', one, line),
      findingOf('alpha', 'The README names a flag that is gone', { path: 'README.md', line: 3 }),
      findingOf('beta', other, line),
      findingOf('beta', 'Colours are hard-coded in the theme', { path: 'src/theme.ts', line: 90 }),
    ];
    const matcher = createCalibratedMatcher(matcherModel);
    await matcher.prepare(findings);
    expect(matcher.group(findings).groups).toHaveLength(4);
  });
});

/** Hardly a word in common, and too long to be told by few words alone. */
const longer = [
  'Requests to the rates service carry no deadline, so a partner that stops answering hangs the nightly worker for good',
  'Pass a timeout to this HTTP call; a stalled remote would otherwise block our thread indefinitely',
] as const;

describe('two longer remarks', () => {
  it('of one weakness are one claim where nothing else comes near', async () =>
    expect(await countClaims(longer, line)).toBe(1));

  it.each([
    [
      'The weekly export of the ledger drops the last day of the month',
      'The weekly export of the ledger is sent to the bank without encryption',
    ],
    [
      'The nightly import of the customers holds one transaction for hours',
      'The nightly import of the customers skips rows that have no postcode',
    ],
    [
      'The upload of the avatar accepts files of any size',
      'The upload of the avatar never removes the former picture',
    ],
  ])('of one subject are two claims of two troubles: %j and %j', async (...pair) =>
    expect([await countClaims(pair, line), await countClaims(pair, {})]).toEqual([2, 2]),
  );
});

describe('three reviewers of one small commit', () => {
  it('make one claim of one mistake, each in words of their own', async () => {
    const findings = [
      'add() subtracts instead of adding',
      'Wrong operator: minus instead of plus',
      'The sum of two numbers comes out as their difference, because of a minus sign',
    ].map((text, index) => findingOf(['alpha', 'beta', 'gamma'][index] ?? '', text, line));
    const matcher = createCalibratedMatcher(matcherModel);
    await matcher.prepare(findings);
    expect(matcher.group(findings).groups).toEqual([[0, 1, 2]]);
  });
});

describe('two analysers that say the same of many lines', () => {
  it('agree line by line, however common their words are in the run', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => 10 * index + 1);
    const findings = lines.flatMap(at => [
      findingOf('eslint', "'next' is defined but never used.", { path: 'src/a.js', line: at }),
      findingOf(
        'oxlint',
        "Parameter 'next' is declared but never used. Unused parameters should start with a '_'.",
        { path: 'src/a.js', line: at },
      ),
    ]);
    const matcher = createCalibratedMatcher(matcherModel);
    await matcher.prepare(findings);
    expect(matcher.group(findings).groups).toEqual(
      lines.map((_, index) => [2 * index, 2 * index + 1]),
    );
  });
});
