import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparePolarity as compare,
  findOpposites,
  polarityOf,
} from '../../src/agreement/polarity.ts';
import { findingOf, type FindingSample } from './sample.ts';

const readPolarity = (text: string) => polarityOf(findingOf('Alpha', text));

const here: FindingSample = { path: 'src/a.ts', line: 10 };

function compareTexts(one: string, other: string, there: FindingSample = here) {
  return compare(findingOf('a', one, here), findingOf('b', other, there));
}

describe('what a remark says of its subject', () => {
  it.each([
    'I checked the handler: it is removed on unmount.',
    'Verified, the lock is released on every path.',
    'Looked for SQL injection in the filter and found none.',
    'Already handled by the middleware.',
    'LGTM',
    'Nice use of a set here.',
    'This is intentional.',
    'The size is always validated by the schema.',
    'No SQL injection here, the value is bound.',
    'The cookie is not exposed to scripts.',
    'Nothing wrong with this loop.',
    'Works as designed.',
    'Ignoring this error is intentional.',
    'The migration does create the index, see step two.',
    'Checked the export with umlauts: every character arrives.',
    'Good that the list is copied instead of shared.',
  ])('is that all is well: %s', text => expect(readPolarity(text).says).toBe('fine'));

  it.each([
    'SQL injection in the name filter.',
    'The handler leaks.',
    'Missing validation of the amount.',
    'The amount is not validated.',
    'The limit is too low.',
    'The lock should be taken before the read.',
    'Use a parameter instead.',
    'The table is correct, but the year 2100 is wrong.',
    'The code is not safe.',
    'Pass a timeout to the client, otherwise it hangs forever.',
    'The lock is never released. Nice naming otherwise.',
    'Pass a timeout to this call; a stalled remote would otherwise block our thread indefinitely',
    'The weekly export of the ledger drops the last day of the month',
  ])('is that something is wrong: %s', text => expect(readPolarity(text).says).toBe('trouble'));

  it.each([
    'The table is correct. A leap year crashes the parser.',
    'The value is validated only by the client, so anyone may bypass it.',
    'The mail goes to the old address. The rollback is fine.',
    'If the input is safe, this works.',
    'Requests are collected in a list.',
    'Runs `isSafe` and `checked` on each row.',
    'Looks correct, but the second branch has no test.',
    'The certificate is checked for its date only.',
    'The comment says that it is safe.',
    'Is the amount validated anywhere?',
    'Access is granted before the password is checked.',
    'Making it impossible to validate the header.',
    'There is no regression test for the fix.',
    'All new tests are gated behind a flag and no workflow sets it, so they never run.',
    'The report is logged together with its query, and that has the name in it.',
    'No owner is named in the plan',
    '',
  ])('is never that all is well where that cannot be told: %s', text =>
    expect(readPolarity(text).says).not.toBe('fine'),
  );

  it('is not read from what a label announces', () =>
    expect(readPolarity('The last row is dropped. Fix: it is safe to keep the order.').says).toBe(
      readPolarity('The last row is dropped.').says,
    ));
});

describe('two remarks about one place', () => {
  it.each([
    ['SQL injection in the name filter', 'No SQL injection: the filter is parameterised'],
    ['The redirect target is not validated', 'The redirect target is validated by the router'],
    ['The tooltip is clipped by the card', 'The tooltip is not clipped by the card'],
    ['No zero case in the plural message', 'The plural message has a zero case'],
    ['The lock is never released', 'The lock is always released'],
    ['The timeout is too long', 'The timeout is too short'],
    ['Raise the timeout of the client', 'Lower the timeout of the client'],
    ['Remove the retry around the call', 'Keep the retry around the call'],
    ['The entry is written before the commit', 'The entry is written after the commit'],
    ['The bucket of the receipts is public', 'The bucket of the receipts is private'],
    ['Times are stored as local time', 'Times are stored as UTC'],
    ['Rows are sorted ascending', 'Rows are sorted descending'],
    ['Access is allowed for guests', 'Access is denied for guests'],
    ['The entry is evicted before the commit', 'The entry is evicted only after the commit'],
    ['The price is never cached', 'The price is always cached, which hides changes'],
    ['The owner can be null here', 'The owner cannot be null here'],
    ['The entry lives too long, lower it. It is stale', 'The entry lives too short and is stale'],
  ])('are opposite: %j and %j', (one, other) => expect(compareTexts(one, other)).toBe('opposite'));

  it.each([
    ['The amount is not validated', 'The amount should be validated'],
    ['No validation of the amount', 'Missing validation of the amount'],
    ['The retry loop has no backoff', 'The retry loop also retries on 400'],
    ['The timeout is too long', 'Lower the timeout'],
    ['The lock is taken after the read', 'The lock should be taken before the read'],
    ['The cleanup does not delete thumbnails', 'The cleanup also deletes exports'],
    ['No size limit for uploads', 'Uploads accept any type of file'],
    ['The list is sorted. Fix: keep the old order', 'The last order of a page is dropped'],
    ['The rows are slow to load', 'The rows are duplicated'],
    ['LGTM', 'Checked, it is fine'],
    ['The flush is not awaited', 'Missing await before the flush'],
    ['The lock is never released on an exception', 'The exception path leaves the mutex locked'],
    ['The flag can never be enabled', 'The flag stays disabled for good'],
  ])('are not: %j and %j', (one, other) => expect(compareTexts(one, other)).toBe('unknown'));

  it('are not where one of them tells of several things', () => {
    const long =
      'The entry is written before the commit, and a reader that comes between sees the former name, an address of the owner, the picture and a count of messages, which the inbox shows beside the new one until the page is loaded again, while search lists both accounts twice and mails go to neither of them';
    expect(compareTexts(long, 'The entry is written after the commit')).toBe('unknown');
  });
});

describe('a denial', () => {
  const trouble = findingOf('a', 'The redirect target comes from the request', here);

  it.each([
    [{ path: 'src/a.ts', line: 10 }, 'opposite'],
    [{ path: 'src/a.ts', line: 11 }, 'unknown'],
    [{ path: 'src/b.ts', line: 10 }, 'unknown'],
    [{ path: 'src/a.ts' }, 'unknown'],
    [{}, 'unknown'],
  ] as const)('that names nothing is about its own line: at %j %s', (sample, expected) =>
    expect(compare(trouble, findingOf('b', 'Already fixed', sample))).toBe(expected),
  );

  it.each([
    [{ path: 'src/a.ts', line: 13 }, 'The target is validated', 'opposite'],
    [{ path: 'src/a.ts', line: 18 }, 'The picture target is validated by the router', 'opposite'],
    [{ path: 'src/a.ts', line: 90 }, 'The redirect target is validated', 'unknown'],
    [{ path: 'src/a.ts', line: 90 }, 'The upload of the picture is validated', 'unknown'],
    [{ path: 'src/b.ts', line: 13 }, 'The redirect target is validated', 'unknown'],
    [{}, 'The redirect target is validated', 'opposite'],
  ] as const)('is about what it names: at %j %s', (sample, text, expected) =>
    expect(compare(trouble, findingOf('b', text, sample))).toBe(expected),
  );
});

it.each([
  ['`readRow` never closes the handle', '`readRow` always closes the handle', 'opposite'],
  ['It never closes the handle', 'It always closes the handle', 'unknown'],
])('of two far from each other a symbol tells whether they are one thing: %j', (one, other, said) =>
  expect(compareTexts(one, other, { path: 'src/a.ts', line: 90 })).toBe(said),
);

describe('of any remarks', () => {
  const words = fc.constantFrom(
    ...'the lock is not never released before after timeout too long short safe wrong keep remove no missing query , . : but should'.split(
      ' ',
    ),
  );
  const texts = fc.array(words, { maxLength: 14 }).map(list => list.join(' '));

  it('the order of the two is nothing', () =>
    fc.assert(
      fc.property(texts, texts, fc.nat(20), (one, other, line) => {
        const [first, second] = [
          findingOf('a', one, here),
          findingOf('b', other, { path: 'src/a.ts', line: line + 1 }),
        ];
        expect(compare(first, second)).toBe(compare(second, first));
      }),
    ));

  it('none is opposite to itself, and no reviewer to what the same reviewer says', () =>
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(compareTexts(one, one)).toBe('unknown');
        expect(compare(findingOf('a', one, here), findingOf('a', other, here))).toBe('unknown');
      }),
    ));
});

describe('a list', () => {
  it('holds each pair once, the smaller position first, near and by what is named', () => {
    const findings = [
      findingOf('a', 'The lock is always released by the caller', { path: 'src/a.ts', line: 10 }),
      findingOf('b', 'The lock is never released', { path: 'src/a.ts', line: 12 }),
      findingOf('c', 'The query is slow', { path: 'src/b.ts', line: 10 }),
      findingOf('d', 'The lock is never released by the caller'),
    ];
    expect(findOpposites(findings)).toEqual([
      [0, 1],
      [0, 3],
    ]);
  });

  it('of thousands is compared in part', () => {
    const findings = Array.from({ length: 4000 }, (_, index) =>
      findingOf(`r${index % 3}`, `The lock of job${index} is never released`, {
        path: `src/${index % 40}.ts`,
        line: 1 + (index % 500),
      }),
    );
    expect(findOpposites(findings)).toEqual([]);
  });
});
