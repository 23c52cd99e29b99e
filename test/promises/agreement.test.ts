/**
 * What two reviewers agree on, and what they do not: what shares a line or a word is not therefore one trouble, and a lack is the
 * same lack however it is denied.
 */
import { describe, expect, it } from 'vitest';
import { createChangedRepository, jury, juryJson, writePanel } from '../cli/jury.ts';
import { createSampleRepository } from '../adapters/git/sample-repository.ts';

interface Claims {
  readonly claims: readonly {
    readonly findings: readonly number[];
    readonly supporters: readonly string[];
    readonly contradicts: readonly string[];
  }[];
}

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

/** One finding of each reviewer, all at one line or all without a place. */
function claimsOf(texts: readonly string[], line: number | null): Claims['claims'] {
  const findings = texts.map((text, index) => ({
    reviewer: names[index],
    text,
    severity: 'high',
    ...(line === null ? {} : { path: 'src/order.ts', line }),
  }));
  const { code, stdout } = jury(process.cwd(), ['consensus', '-', '--json'], {
    input: JSON.stringify({ findings }),
  });
  expect(code).toBe(0);
  return (JSON.parse(stdout) as Claims).claims;
}

describe('two reviewers with one finding each at one line', () => {
  it.each([
    ['The cache key ignores the user', 'The cache is never invalidated'],
    ['The token is compared in a way that leaks timing', 'The token never expires'],
    ['Password is logged in plain text', 'Password has no minimum length'],
    ['Missing null check before use', 'Missing error handling around the call'],
  ])('say two things: %j and %j', (...texts) => {
    expect(claimsOf(texts, 10).map(({ supporters }) => supporters)).toEqual([['alpha'], ['beta']]);
  });

  it.each([
    ['SQL injection in the search query', 'The search query is open to SQL injection'],
    ['Division by zero when the list is empty', 'An empty list leads to division by zero'],
    [
      'Possible null dereference of user when the session has expired',
      'user may be null if the session is gone, causing a crash',
    ],
  ])('say one thing in other words: %j and %j', (...texts) => {
    expect(claimsOf(texts, 10).map(({ supporters }) => supporters)).toEqual([['alpha', 'beta']]);
  });
});

describe('two reviewers with one finding each, without a place', () => {
  it.each([
    ['The loop never ends when the list is empty', 'The loop allocates a list in every iteration'],
    ['Timeout is never cleared', 'Timeout is hard coded'],
    ['No test for the empty list', 'No type for the returned list'],
  ])('say two things: %j and %j', (...texts) => {
    expect(claimsOf(texts, null)).toHaveLength(2);
  });
});

/** Of each claim how many say it; nobody contradicts any of them. */
function voicesOf(texts: readonly string[], line: number | null): number[] {
  const claims = claimsOf(texts, line);
  expect(claims.flatMap(({ contradicts }) => contradicts)).toEqual([]);
  return claims.map(({ supporters }) => supporters.length);
}

describe('a lack that is told in several ways', () => {
  it.each([
    [
      [
        'No validation of the amount',
        'The amount is not validated',
        'The amount has no validation',
      ],
    ],
    [['There is no validation of the email field', 'Email field is not validated']],
    [['No test of expired codes', 'Expired codes are not tested']],
    [['No input validation', 'Input is not validated']],
    [['No error handling', 'Errors are not handled']],
    [
      [
        'No null check of the session',
        'The session is not checked for null',
        'Missing null check of the session',
      ],
    ],
    [
      [
        'The lock is not released on error',
        'The lock is never released on error',
        "On error the lock isn't released",
        'Missing release of the lock on error',
        'Fails to release the lock on error',
      ],
    ],
    [
      [
        'Missing validation of the page number in the list handler',
        'No validation of the page number in the list handler',
      ],
    ],
    [
      [
        'No timeout on the request',
        'The request has no timeout',
        'The request is sent without a timeout',
        'Missing timeout on the request',
        'The request lacks a timeout',
      ],
    ],
  ])('is one claim at one line, and of most of them without a place: %j', texts => {
    expect(voicesOf(texts, 10)).toEqual([texts.length]);
    expect(Math.max(...voicesOf(texts, null))).toBeGreaterThan(texts.length / 2);
  });

  it('is one claim of most of them where one tells it in two words', () => {
    const texts = [
      'The plan does not name an owner',
      'No owner is named in the plan',
      'The plan names no owner',
      'The plan lacks an owner',
    ];
    for (const line of [10, null])
      expect(Math.max(...voicesOf(texts, line))).toBeGreaterThan(texts.length / 2);
  });

  it.each([
    ['The amount is validated', 'The amount is not validated'],
    ['The amount is validated', 'No validation of the amount'],
    ['The amount has validation', 'The amount has no validation'],
    ['The amount is validated', 'The amount is no longer validated'],
    ['The amount is validated', "The amount isn't validated"],
    ['The amount is validated', 'The amount is never validated'],
    ['The amount is validated', 'Missing validation of the amount'],
    ['The amount is validated', 'The amount lacks validation'],
    ['The amount is validated', 'The handler fails to validate the amount'],
    ['The password is hashed', 'The password is stored without hashing'],
    ['Expired codes are tested', 'No test of expired codes'],
    ['The plan names an owner', 'The plan names no owner'],
    ['The overflow is a bug', 'The overflow is not a bug'],
    ['Root cause is the missing index', 'Root cause is not the missing index'],
  ])('is none for who says the opposite: %j and %j', (...texts) => {
    const claims = claimsOf(texts, 10);
    expect(claims).toHaveLength(2);
    for (const { contradicts } of claims) expect(contradicts).toHaveLength(1);
  });
});

function says(text: string): string {
  return `console.log(${JSON.stringify(`IMPORTANT|src/sum.js:2|${text}\nVERDICT: needs-changes`)});`;
}

describe('jury review', () => {
  it('does not make agreement of two remarks about two troubles of one line', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'alpha', script: says('The token is compared in a way that leaks timing') },
      { id: 'beta', script: says('The token never expires') },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.claims.map(({ supporters, agreement }) => [supporters, agreement])).toEqual([
      [['alpha'], 'single'],
      [['beta'], 'single'],
    ]);
  });

  it('shows no contradiction where three reviewers miss one thing', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'alpha', script: says('No validation of the amount') },
      { id: 'beta', script: says('The amount is not validated') },
      { id: 'gamma', script: says('The amount has no validation') },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.claims).toMatchObject([
      { agreement: 'all', supporters: ['alpha', 'beta', 'gamma'], contradicts: [] },
    ]);
    expect(jury(sample.root, ['report', 'latest', '--format', 'markdown']).stdout).not.toMatch(
      /contradict/i,
    );
  });
});

function finds(id: string, text: string): string {
  return `console.log(${JSON.stringify(
    `### Findings Index\n- P1 | ${id} | "Codes" | ${text}\nVerdict: needs-changes\n### ` +
      `Summary\nRead.\n### Issues Found\n### Improvements`,
  )});`;
}

describe('jury document', () => {
  it('counts no conflict between two who miss one thing in one section', () => {
    const sample = createSampleRepository();
    sample.write('plan.md', '# Plan\n\n## Codes\n\nCodes expire after a day.\n');
    const config = writePanel(sample, [
      { id: 'alpha', script: finds('A-1', 'No test of expired codes') },
      { id: 'beta', script: finds('B-1', 'Expired codes are not tested') },
    ]);
    const { stdout } = jury(sample.root, [
      'document',
      'plan.md',
      '--config',
      config,
      '--format',
      'brief',
    ]);
    expect(stdout).toMatch(/^Conflicts: none$/m);
    expect(stdout).toMatch(/P1: 1 /);
  });
});

describe('a word that reads as a denial', () => {
  const wordings = [
    [
      'Passing ../../etc/passwd returns the file',
      'I checked this locally: passing `../../etc/passwd` returns the file',
    ],
    [
      'SQL injection: the query concatenates user input',
      'Verified: the query concatenates user input, so SQL injection works',
    ],
    [
      'When the policy service times out every request is approved',
      'All requests are approved by default when the policy service times out',
    ],
    [
      'The permission check runs after the row is deleted',
      'The row is deleted before the permission check runs',
    ],
    [
      'The buffer is freed before it is used in the log call',
      'The log call uses the buffer after it is freed',
    ],
  ] as const;
  const sample = createChangedRepository();
  const review = (rule: string, remarks: Readonly<Record<string, string>>) =>
    juryJson(sample.root, [
      'review',
      '--fresh',
      '--config',
      writePanel(
        sample,
        Object.entries(remarks).map(([id, remark]) => ({
          id,
          script: `console.log(${JSON.stringify(`${remark}\nVERDICT: ${remark === 'None' ? 'safe' : 'needs-changes'}`)})`,
        })),
        `failOn: ["${rule}"]\n`,
      ),
    ]);

  it.each(wordings)('takes no vote from a stated severity: %j and %j', (one, other) => {
    const place = 'CRITICAL|src/sum.js:2|';
    const three = { alpha: place + one, beta: place + other, gamma: 'None' };
    expect(review('majority:critical', three).code).toBe(1);
    const { code, record } = review('single:critical', { alpha: three.alpha, beta: three.beta });
    expect([code, record.blocking.length > 0]).toEqual([1, true]);
  });

  it('about something else at one line casts no doubt on a blocker', () => {
    const remarks = {
      alpha: 'CRITICAL|src/sum.js:2|SQL injection: the query concatenates user input',
      beta: 'MINOR|src/sum.js:2|Tested with Node 20: startup takes 3 s',
    };
    expect(review('single:critical', remarks).code).toBe(1);
  });

  it('of who states no such severity makes no pass: a person decides, and can', () => {
    const place = 'src/sum.js:2|';
    const remarks = {
      alpha: `CRITICAL|${place}The endpoint returns rows of other tenants`,
      beta: `LOW|${place}I verified that the endpoint returns other tenants' rows`,
      gamma: 'None',
    };
    const { code, record } = review('majority:critical', remarks);
    expect([code, record.reasons.map(({ rule }) => rule)]).toEqual([2, ['vote']]);
    jury(sample.root, ['dismiss', record.reasons[0]?.subject ?? '', '--reason', 'It is tested.']);
    expect(review('majority:critical', remarks).code).toBe(0);
  });

  it('is told where what blocks is shown, under the claim that complains', () => {
    const remarks = {
      alpha: 'HIGH|src/sum.js:2|Looked for SQL injection in the filter, none',
      beta: 'HIGH|src/sum.js:2|SQL injection in the filter',
      gamma: 'None',
    };
    const { record } = review('majority:high', remarks);
    const blocking = record.claims.find(({ id }) => record.blocking.includes(id));
    expect(blocking?.supporters).toEqual(['beta']);
    const { stdout } = jury(sample.root, ['show', record.run]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'By the severities stated, whatever the words deny',
    );
  });

  it.each([
    ['`close()` is never called', 'The stream is not closed'],
    ['Call `escape()` on the name', 'The name is not escaped'],
  ])('is none where both miss one call: %j and %j', (...texts) => {
    expect(claimsOf(texts, 10).flatMap(({ contradicts }) => contradicts)).toEqual([]);
  });

  it('of who states no such severity is a denial still, which a person decides about', () => {
    const remarks = {
      alpha: 'CRITICAL|src/sum.js:2|SQL injection through the id',
      beta: 'MINOR|src/sum.js:2|The id is bound as a parameter, so no SQL injection is possible',
    };
    const { code, record } = review('single:critical', remarks);
    expect([code, record.reasons[0]?.sentence]).toEqual([
      2,
      expect.stringContaining('denied-blocker'),
    ]);
  });
});
