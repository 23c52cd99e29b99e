import { describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { comparePolarity, polarityOf } from '../../src/agreement/polarity.ts';
import { createMatcher } from '../../src/agreement/calibrated.ts';
import { pureStrategies } from '../../src/core/settings.ts';
import type { Claim } from '../../src/core/words/claim.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import { findingOf, readInFull, reviewOf, type FindingSample } from './sample.ts';

const line: FindingSample = { path: 'src/a.ts', line: 10 };

async function claimsOf(
  strategy: (typeof pureStrategies)[number],
  said: readonly (readonly [reviewer: string, text: string, sample?: FindingSample])[],
) {
  const findings = said.map(([reviewer, text, sample]) =>
    findingOf(reviewer, text, sample ?? line),
  );
  return formClaims({
    findings,
    matcher: createMatcher(strategy),
    panel: [],
    reviews: [...new Set(said.map(([reviewer]) => reviewer))].map(reviewer =>
      reviewOf(reviewer, { coverage: readInFull('src/a.ts') }),
    ),
  });
}

/** Of each claim: who supports it, and who stands against it. */
const standing = (claims: readonly Claim[]) =>
  claims
    .map(({ supporters, against }) => ({
      for: supporters,
      against: against.map(({ reviewer }) => reviewer),
    }))
    .sort((one, other) => (one.for.join() < other.for.join() ? -1 : 1));

const opposites: readonly (readonly [string, string])[] = [
  ['The counter is guarded by the mutex', 'The counter is changed without the mutex'],
  ['Access to the map is guarded by the mutex', 'The map is accessed without the mutex'],
  ['The timeout is too long, lower it', 'The timeout is too short, raise it'],
  ['SQL injection here', 'I looked for SQL injection, none'],
  ['SQL injection in the name filter', 'Looked for SQL injection in the filter and found none'],
  ['SQL injection in the name filter', 'No SQL injection: the filter is parameterised'],
  ['The redirect target comes from the request', 'This is safe'],
  ['The redirect target comes from the request', 'Already fixed'],
  ['The redirect target comes from the request', 'Fixed in the last commit.'],
  ['The redirect target comes from the request', 'LGTM'],
  ['The redirect target comes from the request', 'Looks good to me, nice work'],
  ['The redirect target comes from the request', 'False positive.'],
  ['The redirect target comes from the request', 'No problem here'],
  ['The redirect target is not validated', 'The redirect target is validated by the router'],
  ['Errors of the upload are swallowed', 'Upload errors are handled properly'],
  ['user may be null when the session has expired', 'user is never null here, it is safe'],
  ['Missing index on the email column', 'The email column has an index'],
  ['Remove the retry around the call', 'Keep the retry around the call'],
  ['The cache is cleared before the write', 'The cache is cleared after the write'],
  ['SQL-Injection über den Namen', 'Keine SQL-Injection gefunden'],
  ['Injection SQL dans le filtre', "Pas d'injection SQL dans le filtre"],
];

const contradict = (one: Finding, other: Finding) => comparePolarity(one, other) === 'opposite';

describe.each(pureStrategies)('whatever the strategy (%s)', strategy => {
  it.each(opposites)('a denial is against, and no support: %j and %j', async (one, other) => {
    const expected = [
      { for: ['a'], against: ['b'] },
      { for: ['b'], against: ['a'] },
    ];
    expect(
      standing(
        await claimsOf(strategy, [
          ['a', one],
          ['b', other],
        ]),
      ),
    ).toEqual(expected);
    expect(
      standing(
        await claimsOf(strategy, [
          ['a', other],
          ['b', one],
        ]),
      ),
    ).toEqual(expected);
  });

  it.each([
    ['add() subtracts instead of adding', 'Wrong operator: minus instead of plus'],
    ['No validation of the amount', 'The amount is not validated'],
    ['Missing validation of the amount', 'The amount should be validated'],
    ['The timeout is too long', 'Lower the timeout'],
    ['The lock is taken after the read', 'The lock should be taken before the read'],
    ['The lock is never released', 'Release the lock'],
    ['The token is written to the log', 'The token must not be written to the log'],
    ['The query is not safe against injection', 'Injection through the query'],
    ['The file is closed twice', 'Double close of the file'],
  ])('two ways to tell one trouble do not deny each other: %j and %j', async (one, other) => {
    const claims = await claimsOf(strategy, [
      ['a', one],
      ['b', other],
    ]);
    expect(claims.flatMap(({ against }) => against)).toEqual([]);
  });

  it('a denial stands against the whole claim, says what it said, and is lost nowhere', async () => {
    const trouble = 'SQL injection through the name filter of the query';
    const claims = await claimsOf(strategy, [
      ['a', trouble],
      ['b', `${trouble}.`],
      ['c', 'Looked for SQL injection in the query, found none'],
    ]);
    expect(standing(claims)).toEqual([
      { for: ['a', 'b'], against: ['c'] },
      { for: ['c'], against: ['a', 'b'] },
    ]);
    expect(claims.map(({ agreement }) => agreement)).toEqual(['majority', 'single']);
    expect(claims[0]?.against[0]?.statement).toBe(
      'Looked for SQL injection in the query, found none',
    );
  });

  it('a denial that names nothing is about its own place only', async () => {
    const claims = await claimsOf(strategy, [
      ['a', 'The redirect target comes from the request'],
      ['b', 'Already fixed', { path: 'src/a.ts', line: 90 }],
      ['c', 'Already fixed', { path: 'src/b.ts', line: 10 }],
      ['d', 'Already fixed', {}],
    ]);
    expect(claims.flatMap(({ against }) => against)).toEqual([]);
  });
});

describe('what is told as done', () => {
  it('denies what it keeps off', () => {
    const checked = findingOf('alpha', 'The size of the upload is checked before it is used', line);
    const unchecked = findingOf('beta', 'The size of the upload is not validated', line);
    expect(contradict(checked, unchecked)).toBe(true);
  });
});

/** Written for these tests, by the kind of language. */
const denials: Readonly<Record<string, readonly string[]>> = {
  'all is well': [
    'The extra copy is negligible',
    'Reading the header again is harmless',
    'The new step is reversible and safe to run again',
  ],
  'done elsewhere': [
    'Closing is taken care of by the pool',
    'The race in the counter was already fixed',
    'Cache invalidation looks correct to me',
  ],
  deliberate: ['Intentional: we want the import to stop at the first bad row'],
  'looked for, none found': ['Looked for leaks of the handle, none found', 'No concerns'],
  'looked for and found none': ['I went looking for leaks of the handle and found none'],
  praise: [
    'Good call to stream the export instead of loading it whole',
    'Neat: failed sends end up in one queue',
  ],
};

const complaints: Readonly<Record<string, readonly string[]>> = {
  'a no before what is good': ['The reader is never closed', 'No validation of the header'],
  'a contrast': [
    'Looks fine at first, but the lock is released before the write',
    'The month table is correct. Still, 2100 gets a 29 February',
    'The comment says that it is safe, it is not',
  ],
  'well for a part': [
    'The comparison is correct for ASCII only',
    'The handle is safe unless two threads share it',
  ],
  'praise of something else': [
    'Week view begins on Sunday everywhere. The keyboard handling looks fine.',
  ],
  'deeds that are no remedy': ['The counter keeps growing', 'The retry masks real failures'],
  'an order': ['Correct the encoding here', 'Would raise the limit'],
  'what may be': ['The title may exceed the maximum of the column'],
  'a guard of something else': ['It is guarded by a different lock than the writer uses'],
};

const rowsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([kind, texts]) => texts.map(text => [kind, text]));

describe('how a remark stands', () => {
  it.each(rowsOf(denials))('denies (%s): %s', (_, text) =>
    expect(polarityOf(findingOf('alpha', text)).says).toBe('fine'),
  );

  it.each(rowsOf(complaints))('denies nothing (%s): %s', (_, text) =>
    expect(polarityOf(findingOf('alpha', text)).says).not.toBe('fine'),
  );

  it.each([
    ['The limit of 5 is too cheap', 'The limit should go down'],
    ['The wait of 30 s is far too long', 'Could we be more generous with the wait of 30 s?'],
    ['The age of the entry is too short', 'I would lower the age of the entry'],
    ['Remove the lock around the flush', 'Do not remove the lock around the flush'],
    ['Drop the sleep of the reader', 'The sleep of the reader should stay'],
  ])('wishes the opposite: %j and %j', (one, other) => {
    const [left, right] = [findingOf('alpha', one, line), findingOf('beta', other, line)];
    expect([contradict(left, right), contradict(right, left)]).toEqual([true, true]);
  });
});
