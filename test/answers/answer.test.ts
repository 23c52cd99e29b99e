import { describe, expect, test } from 'vitest';
import { scaleOf } from '../../src/core/words/finding.ts';
import { briefs, read, sent, unread } from './reading-options.ts';

describe('severity lines and headed bullets', () => {
  test('headings, bullets, lines and placeholders of one answer are told apart', () => {
    const answer =
      '## Critical Issues\n- a\n-b\n  - indented\n* star\n## CRITICAL Issue\n- c\n## Important\n- d\n## ' +
      'Suggestions\n- e\n## Suggestion\n- f\n## Strong Issues\n- CRITICAL|g\n## Weak\n- None\n## ' +
      'Critical issues\n- h\n# Other\n- i\nno dash\n-\n';
    const reading = read(answer);
    expect(reading.findings.map(({ label, text }) => `${label} ${text}`)).toEqual([
      'CRITICAL a',
      'CRITICAL b',
      'CRITICAL star',
      'CRITICAL c',
      'IMPORTANT d',
      'SUGGESTION e',
      'SUGGESTION f',
      'CRITICAL g',
      'CRITICAL h',
    ]);
    expect(reading.dropped).toEqual({ placeholder: 1, template: 0, prompt: 0 });
    expect(reading.unparsed).toEqual(['- i']);
    expect(reading.findings[1]?.evidence).toBe('- indented');
  });

  test.each([
    ['CRITICAL|src/a.ts:10|SQL injection', 'critical src/a.ts:10 SQL injection'],
    ['- **IMPORTANT**|src/b.ts|No test', 'high src/b.ts No test'],
    ['* `SUGGESTION`|rename limit (src/b.ts:7-9)', 'low src/b.ts:7-9 rename limit'],
    ['+ [CRITICAL] | a | b', 'critical - a | b'],
    ['**CRITICAL|all bold**', 'critical - all bold'],
    ['critical|Makefile:3|tabs', 'critical Makefile:3 tabs'],
  ])('%s', (line, brief) => expect(briefs(read(line))).toEqual([brief]));

  test('an answer of placeholders only is complete and finds nothing', () => {
    for (const answer of [
      'None',
      '"No issues found."',
      '- n/a',
      '## Critical Issues\n- None\n## Suggestions\n- Nothing to report\n',
    ]) {
      expect(read(answer)).toMatchObject({ status: 'complete', findings: [] });
    }
  });

  test('the instruction block said back is no review', () => {
    expect(unread(sent.instructions).cause).toBe('echo');
    expect(unread(' \n ').cause).toBe('empty');
    // Nothing found but for what was not read.
    expect(unread('I reviewed the change but for the keys and found no issues.').cause).toBe(
      'noformat',
    );
  });
});

const indexWithProse =
  '### Findings Index\n- P0 | A | "S" | t\nVerdict: risky\n### Summary\nIt was read.\n### Issues Found\n1. A, P0: it was ';

describe('how a hand-written answer ends', () => {
  const line = 'CRITICAL|src/a.ts:10|SQL injection';

  test.each([
    ['end', line, 'complete', null],
    ['unknown', line, 'partial', 'unmarked'],
    ['unknown', `${line}\n\n**Verdict:** risky\n`, 'complete', null],
    ['cut', `${line}\nVERDICT: risky`, 'partial', 'truncated'],
    ['unknown', `VERDICT: risky\n${line}`, 'partial', 'unmarked'],
    ['end', '### Findings Index\n- P0 | A | "S" | t', 'partial', 'truncated'],
    ['unknown', '### Findings Index\n- P0 | A | "S" | t\nVerdict: risky', 'complete', null],
    ['unknown', `${indexWithProse}cut o`, 'partial', 'unmarked'],
    ['end', `${line}\nVERD`, 'partial', 'unmarked'],
    ['end', `${line}\nEND OF`, 'partial', 'unmarked'],
    ['end', `- **Minor** a name\n- **Cri`, 'partial', 'unmarked'],
    ['end', `${line}\nSUGGESTION|2 ** 3 is eight`, 'complete', null],
    ['end', indexWithProse, 'complete', null],
    ['unknown', `${indexWithProse}\nEND OF ANSWER`, 'complete', null],
  ] as const)('stop %s: %s', (stop, answer, status, partialCause) =>
    expect(read(answer, { stop })).toMatchObject({ status, partialCause }),
  );

  test('an untrusted subject leaves hand-written answers unproven', () => {
    expect(read(`${line}\nVERDICT: risky`, { strict: true })).toMatchObject({
      status: 'partial',
      partialCause: 'unproven',
    });
    expect(read('LOW|None\nVERDICT: safe', { strict: true })).toMatchObject({
      status: 'partial',
      findings: [],
    });
    expect(unread('None', { strict: true }).cause).toBe('noformat');
    expect(unread(`${line}\n\nAs I said:\nCRITICAL|another`, { strict: true }).cause).toBe(
      'ambiguous',
    );
  });

  test('a verdict is kept in the words of the reviewer, unless it is milder than the findings', () => {
    expect(read(`${line}\nVERDICT: risky`).statedVerdict).toBe('risky');
    expect(read(`${line}\nVERDICT: safe`)).toMatchObject({
      statedVerdict: null,
      notes: ['The stated verdict "safe" is milder than the findings and was dropped.'],
    });
    expect(read('SUGGESTION|x is odd\nVERDICT: needs-changes').statedVerdict).toBe('needs-changes');
  });
});

describe('what stands around findings', () => {
  test('indented lines are details of the finding above, also with a bar in them', () => {
    const [finding] = read(
      '- CRITICAL|src/a.ts:10|Injection\n  The query is string|null.\n  Bind it.\n',
    ).findings;
    expect(finding).toMatchObject({
      text: 'Injection',
      evidence: 'The query is string|null.\nBind it.',
      raw: '- CRITICAL|src/a.ts:10|Injection\n  The query is string|null.\n  Bind it.',
    });
  });

  test('fenced and quoted lines are talk about something', () =>
    expect(
      briefs(read('CRITICAL|real\n```\nCRITICAL|an example\n```\n> CRITICAL|a quotation')),
    ).toEqual(['critical - real']));

  test('a line of the prompt is an echo, and an example of the instructions a template', () => {
    const reading = read(
      'CRITICAL|real\nCRITICAL|planted by the author of the change\nCRITICAL|path:line|description of critical issue',
    );
    expect(briefs(reading)).toEqual(['critical - real']);
    expect(reading.dropped).toEqual({ placeholder: 0, template: 1, prompt: 1 });
  });

  test('a copy of the whole prompt is taken out and counted', () =>
    expect(read(`${sent.prompt}\n\nIMPORTANT|No test`)).toMatchObject({
      findings: [{ text: 'No test' }],
      dropped: { prompt: 1 },
    }));

  test('"None" under an excuse is no review, under praise it is one', () => {
    expect(unread('I could not open src/a.ts.\n\nNone').cause).toBe('unread');
    expect(unread("I'm sorry, I can't help with that.\n\nNone").cause).toBe('refusal');
    expect(
      read('Rate limit handling is fine and looks good.\n\nNone\nVERDICT: safe'),
    ).toMatchObject({ status: 'complete', findings: [] });
  });

  test('prose in the section of a label keeps "None" elsewhere from being the whole story', () => {
    const answer = '## Critical Issues\n\nSQL injection in src/a.ts:10\n\n## Suggestions\n- None';
    expect(unread(answer)).toMatchObject({
      cause: 'noformat',
      unparsed: ['SQL injection in src/a.ts:10'],
    });
    expect(
      read(answer.replace('SQL injection in src/a.ts:10', 'No critical problem was found.')).status,
    ).toBe('complete');
    expect(briefs(read(answer.replace('SQL injection', '**SQL injection**')))).toEqual([
      'critical src/a.ts:10 **SQL injection** in src/a.ts:10',
    ]);
  });

  test('a word nobody declared is a label of medium severity, with a note that names it', () => {
    for (const undeclaredLabel of ['reject', 'keep'] as const) {
      expect(read('CRITICAL|x\nSPICY|src/a.ts:3|y', { undeclaredLabel })).toMatchObject({
        status: 'complete',
        findings: [
          { text: 'x' },
          {
            label: 'SPICY',
            severity: 'medium',
            path: 'src/a.ts',
            line: 3,
            text: 'y',
            notes: ['Nobody declared the severity "SPICY"; medium was taken.'],
          },
        ],
        unparsed: [],
      });
    }
    expect(briefs(read('VERY_HIGH|x'))).toEqual(['high - x']);
  });

  test('a score, or a word that names two severities, rejects the answer, or stays unparsed where the caller says so', () => {
    for (const label of ['9.8', 'CRITICAL/LOW', 'CRITICAL-LOW']) {
      expect(unread(`CRITICAL|x\n${label}|y`).cause).toBe('schema');
      expect(read(`CRITICAL|x\n${label}|y`, { undeclaredLabel: 'keep' })).toMatchObject({
        findings: [{ text: 'x' }],
        unparsed: [`${label}|y`],
      });
    }
  });

  test.each([
    [
      'the row of a table with bars at its edges',
      '| File | State |\n| --- | --- |\n| README | fine |',
      'complete',
    ],
    ['the row of a table without', 'File | State\n--- | ---\nREADME | fine\nMAJOR | 2', 'partial'],
    ['a heading', '## Overview | all of it', 'partial'],
    ['code', '`text|null` is what it returns', 'partial'],
    ['a quotation', '> SPICY|quoted', 'complete'],
    ['a fence', '```\nSPICY|fenced\n```', 'complete'],
    ['a verdict', 'VERDICT|risky', 'complete'],
    ['a summary', 'SUMMARY|one defect', 'complete'],
    ['praise', 'PASS|everything else', 'complete'],
    ['a placeholder', 'SPICY|None', 'complete'],
  ])('%s with a bar makes no finding', (_what, lines, status) => {
    const reading = read(`CRITICAL|x\n\n${lines}\n`);
    expect([briefs(reading), reading.status]).toEqual([['critical - x'], status]);
    expect(briefs(read(`CRITICAL|x\n\n${lines}\n`, { undeclaredLabel: 'keep' }))).toEqual([
      'critical - x',
    ]);
  });

  test('labels of other tools are known, those of the mode and ours come first', () => {
    const labels = 'BLOCKER MAJOR Error warning MINOR NIT TRIVIAL MODERATE'.split(' ');
    expect(
      read(labels.map(label => `${label}|about ${label}`).join('\n')).findings.map(
        ({ severity, notes }) => [severity, ...notes],
      ),
    ).toEqual([['critical'], ['high'], ['high'], ['medium'], ['low'], ['low'], ['low'], ['high']]);
    expect(
      read('MINOR|x', { scale: scaleOf(['MINOR', 'MAJOR']) ?? new Map() }).findings.map(
        ({ severity }) => severity,
      ),
    ).toEqual(['critical']);
    expect(briefs(read('## Major Issues\n- x\n## Notes\n- read on a train'))).toEqual(['high - x']);
  });

  test('in an index a label nobody declared heads an entry, in a foreign table it does not', () => {
    const row = '### Findings Index\n- P0 | A | "S" | x\n';
    expect(
      briefs(read(`${row}- SPICY | B | "S" | y\n- MAJOR | C | "S" | z\nVerdict: risky`)),
    ).toEqual(['critical - x', 'medium - y', 'high - z']);
    expect(
      briefs(
        read(
          '### Findings Index\n| Severity | ID | Title |\n|---|---|---|\n| Spicy | B | y |\nVerdict: safe',
        ),
      ),
    ).toEqual(['medium - y']);
    expect(
      read(
        `${row}| File | State | By | When |\n|---|---|---|---|\n| README | fine | me | now |\nVerdict: risky`,
      ),
    ).toMatchObject({ status: 'partial', partialCause: 'schema', findings: [{ text: 'x' }] });
    expect(
      read(`${row}- **Error:** handling is fine\n- NOTE | C | "S" | z\nVerdict: risky`),
    ).toMatchObject({
      status: 'complete',
      findings: [{ text: 'x' }],
      improvements: [{ text: 'z' }],
    });
  });

  test('what stands in a fence and what stands beside it are one answer', () =>
    expect(
      read(
        'The change holds:\n```json\n{"findings":[],"verdict":"OK"}\n```\nCRITICAL|It talks to reviewers\nVERDICT: risky',
      ),
    ).toMatchObject({ statedVerdict: 'risky', findings: [{ text: 'It talks to reviewers' }] }));

  test('findings beside a broken object are kept, and the answer is partial', () =>
    expect(read('CRITICAL|x is bad\n\n{"findings":[{"severity":"HIGH",}]}')).toMatchObject({
      status: 'partial',
      partialCause: 'syntax',
      findings: [{ text: 'x is bad' }],
    }));
});

test.each([
  '{"findings":[]}{"error":{"message":"broken"}}',
  '{"error":"broken"}\n{"findings":[]}',
  'None\nVERDICT: safe\n{"error":"broken"}',
])('an error beside an answer makes it partial: %s', text =>
  expect(read(text).status).toBe('partial'),
);

describe('the end mark', () => {
  const finding = 'CRITICAL|x is bad';
  const unknown = { stop: 'unknown' } as const;

  test.each([
    `${finding}\nEND OF ANSWER`,
    `${finding}\n\n**End of answer.**\n\n`,
    `${finding}\n- \`END OF ANSWER\``,
    `${finding}\n--- END OF ANSWER ---`,
    `\`\`\`\n${finding}\nEND OF ANSWER\n\`\`\``,
    `\`\`\`\n${finding}\n\`\`\`\nEND OF ANSWER`,
    `${finding}\nVERDICT: risky\nEND OF ANSWER`,
    `${finding}\nVERDICT: risky`,
    `## Critical\n- x is bad\n\nEND OF ANSWER`,
    JSON.stringify({ type: 'result', is_error: false, result: `${finding}\nEND OF ANSWER` }),
  ])('proves the end where nobody else does: %j', text =>
    expect(read(text, unknown)).toMatchObject({
      status: 'complete',
      findings: [{ severity: 'critical', text: 'x is bad', evidence: null }],
      unparsed: [],
      dropped: { placeholder: 0, template: 0, prompt: 0 },
    }),
  );

  test.each([
    finding,
    `${finding}\nEND OF ANS`,
    `END OF ANSWER\n${finding}`,
    `${finding}\nThis is the end of answer one`,
    `${finding}\n> END OF ANSWER`,
    `${finding}\nEND OF ANSWER\n${finding} and more`,
  ])('is not to be had from %j', text =>
    expect(read(text, unknown)).toMatchObject({ status: 'partial', partialCause: 'unmarked' }),
  );

  test('is no part of the answer wherever it stands', () => {
    expect(
      read(`## Critical\n- x is bad\nEND OF ANSWER\nLet me know.\n\nEND OF ANSWER`),
    ).toMatchObject({
      findings: [{ text: 'x is bad', evidence: null }],
      unparsed: ['Let me know.'],
    });
    expect(read('PASS|1\nEND OF ANSWER', { voting: true, ...unknown })).toMatchObject({
      status: 'complete',
      votes: [{ criterion: 1, vote: 'PASS' }],
      unparsed: [],
    });
    expect(
      read('### Findings Index\n- P0 | A | "S" | x\nVerdict: risky\n\nEND OF ANSWER', unknown),
    ).toMatchObject({ status: 'complete', unparsed: [] });
  });

  test('alone, or among pieces of the instructions, proves nothing; of an index its verdict does', () => {
    expect(unread('END OF ANSWER', unknown).cause).toBe('empty');
    const echo = 'You review a change. Write one line for each issue.\nNone\nEND OF ANSWER';
    expect(unread(echo).cause).toBe('echo');
    expect(read('None\nEND OF ANSWER', unknown).status).toBe('complete');
    expect(read('### Findings Index\n- P0 | A | "S" | x\nEND OF ANSWER', unknown).status).toBe(
      'partial',
    );
  });
});

describe('labels', () => {
  test('a scale of its own comes first, one of another is understood', () => {
    expect(read('STRONG|Missing error handling').findings).toMatchObject([
      { originalId: '#1', label: 'STRONG', severity: 'critical', text: 'Missing error handling' },
    ]);
    const scale = scaleOf(['BLOCKER', 'NIT']) ?? new Map();
    expect(
      read('NIT|x is odd\nBLOCKER|y is bad', { scale }).findings.map(
        ({ label, severity }) => `${label} ${severity}`,
      ),
    ).toEqual(['NIT low', 'BLOCKER critical']);
  });

  test('markdown reviews with a verdict heading and lists are read', () => {
    const reading = read(
      '## Review\n\n### Verdict: REQUEST_CHANGES\n\n#### Critical\n1. Injection in src/a.ts:10\n2. Key ' +
        'in the log\n\n#### High\n- None\n\n#### Medium\n- Names differ\n',
    );
    expect(reading).toMatchObject({ format: 'bullets', statedVerdict: 'REQUEST_CHANGES' });
    expect(briefs(reading)).toEqual([
      'critical src/a.ts:10 Injection in src/a.ts:10',
      'critical - Key in the log',
      'medium - Names differ',
    ]);
  });
});

describe('what clients wrap around an answer', () => {
  const line = 'CRITICAL|x is bad';

  test.each([
    ['a result object', JSON.stringify({ type: 'result', is_error: false, result: line })],
    ['a completion', JSON.stringify({ choices: [{ message: { content: line } }] })],
    [
      'a message of parts',
      JSON.stringify({
        type: 'message',
        content: [
          { type: 'text', text: 'CRITICAL|x ' },
          { type: 'text', text: 'is bad' },
        ],
      }),
    ],
    ['a response with figures', JSON.stringify({ response: line, stats: {} })],
    [
      'a stream that ends in a result',
      [{ type: 'system' }, { type: 'assistant' }, { type: 'result', result: line }]
        .map(event => JSON.stringify(event))
        .join('\n'),
    ],
    [
      'a result object behind warnings',
      `npm warn x\n${JSON.stringify({ type: 'result', result: line })}`,
    ],
    [
      'a string in a fence in a result',
      JSON.stringify({ type: 'result', result: `\`\`\`json\n${JSON.stringify(line)}\n\`\`\`` }),
    ],
  ])('%s is taken off', (_name, answer) =>
    expect(briefs(read(answer))).toEqual(['critical - x is bad']),
  );

  test('an error inside is named, not read', () => {
    expect(
      unread(JSON.stringify({ type: 'result', is_error: true, result: "You've hit your limit" }))
        .cause,
    ).toBe('quota');
    expect(
      unread(JSON.stringify({ type: 'result', subtype: 'error_during_execution' })).cause,
    ).toBe('provider');
    expect(unread(JSON.stringify({ error: { message: 'Invalid API key' } })).cause).toBe('auth');
  });
});

describe('votes', () => {
  test.each([
    'PASS|1\n- FAIL|2 no rollback in src/a.ts:3\nFAIL|3\nPASS|4 see above',
    '1. PASS\n2. **FAIL**: no rollback in src/a.ts:3\n3. FAIL\n4) PASS – see above',
  ])('PASS and FAIL lines are votes, and a FAIL is a critical finding too: %j', answer => {
    const reading = read(answer, { voting: true });
    expect(reading.votes).toEqual([
      { criterion: 1, vote: 'PASS' },
      { criterion: 2, vote: 'FAIL' },
      { criterion: 3, vote: 'FAIL' },
      { criterion: 4, vote: 'PASS' },
    ]);
    expect(briefs(reading)).toEqual([
      'critical src/a.ts:3 Criterion 2: no rollback in src/a.ts:3',
      'critical - Criterion 3 is not met',
    ]);
  });

  test.each(['FAIL|1 after all', 'Criterion 1 is not met'])(
    'whoever votes both ways has failed the criterion: %s',
    said =>
      expect(read(`PASS|1\n${said}\nPASS|1`, { voting: true })).toMatchObject({
        votes: [{ criterion: 1, vote: 'FAIL' }],
        notes: [expect.stringContaining('both ways')],
      }),
  );

  test.each([
    'could not check',
    'assumed, not verified',
    'I assume so',
    'except that any user can cancel',
    "can't be tested here",
    'the build is unverified',
    'Not checked.',
    'the file was not reviewed',
  ])('a PASS that nobody looked at is none: %s', said => {
    const reading = read(`PASS|1 ${said}\nPASS|2`, { voting: true });
    expect([reading.votes, reading.unparsed]).toEqual([
      [{ criterion: 2, vote: 'PASS' }],
      [`PASS|1 ${said}`],
    ]);
    const votes = [
      { criterion: 1, vote: 'PASS', reason: said },
      { criterion: 2, vote: 'PASS' },
    ];
    expect(read(JSON.stringify({ findings: [], votes }), { voting: true }).votes).toEqual(
      reading.votes,
    );
  });

  test.each([
    'no order is assumed',
    'the token cannot be read twice',
    'what could not be parsed is checked and refused',
    'untested branches are gone',
    'verified, nothing is left',
    'the except clause logs it\nCriterion 1 is met: failures are logged',
  ])('a PASS says in any words why it is one: %s', said => {
    expect(read(`PASS|1 ${said}`, { voting: true }).votes).toEqual([
      { criterion: 1, vote: 'PASS' },
    ]);
  });

  test("without voting the words are nobody's severities", () =>
    expect(unread('PASS|1').cause).toBe('noformat'));
});

describe('JSON answers', () => {
  test('an object with findings is read bare, in a fence and between prose', () => {
    const json =
      '{"agent":"a","findings":[{"id":"S-1","severity":"HIGH","file":"src/a.ts","line":3,"issue":"No ' +
      'check","recommendation":"Add one"}],"verdict":"WARN"}';
    for (const answer of [
      json,
      `\`\`\`json\n${json}\n\`\`\``,
      `I read {both} files.\n\n${json}\nGood luck!`,
    ]) {
      const reading = read(answer);
      expect(reading).toMatchObject({ status: 'complete', format: 'json', statedVerdict: 'WARN' });
      expect(reading.findings).toMatchObject([
        {
          originalId: 'S-1',
          label: 'HIGH',
          severity: 'high',
          path: 'src/a.ts',
          line: 3,
          text: 'No check',
          recommendation: 'Add one',
        },
      ]);
    }
  });

  test('the location comes first; one that is no place is a section; title and description are both kept', () => {
    const answer = JSON.stringify({
      findings: [
        { severity: 'HIGH', location: 'src/a.ts:3-5', file: 'x', issue: 'one' },
        { severity: 'LOW', location: 'Section 2', title: 'two', description: 'more' },
        { severity: 'LOW', issue: 'three, see src/b.ts:9' },
      ],
    });
    const reading = read(answer);
    expect(briefs(reading)).toEqual([
      'high src/a.ts:3-5 one',
      'low - two',
      'low src/b.ts:9 three, see src/b.ts:9',
    ]);
    expect(reading.findings[1]).toMatchObject({ section: 'Section 2', evidence: 'more' });
    expect(reading.findings[0]?.raw).toBe(
      '{"severity":"HIGH","location":"src/a.ts:3-5","file":"x","issue":"one"}',
    );
  });

  test('a partial answer says why, and the files it skipped were not read', () => {
    const answer = JSON.stringify({
      partial: true,
      cutoff_reason: 'budget',
      skipped_files: ['src/b.ts'],
      findings: [{ severity: 'HIGH', issue: 'x is bad' }],
    });
    expect(read(answer)).toMatchObject({
      status: 'partial',
      partialCause: 'budget',
      filesReviewed: ['src/a.ts'],
    });
  });

  test('fewer files than were sent make it partial; a bare number of files says nothing', () => {
    expect(read('{"findings":[],"files_reviewed":["src/a.ts"]}')).toMatchObject({
      status: 'partial',
      partialCause: 'unread',
      filesReviewed: ['src/a.ts'],
    });
    expect(read('{"findings":[],"files_reviewed":["./src/a.ts","b/src/b.ts"]}')).toMatchObject({
      status: 'complete',
      filesReviewed: ['src/a.ts', 'src/b.ts'],
    });
    expect(read('{"findings":[],"files_reviewed":1}')).toMatchObject({
      status: 'complete',
      filesReviewed: null,
    });
  });

  test('a veto with reasons and no findings is read as the findings it names', () => {
    expect(
      briefs(read('{"veto_exercised":true,"veto_reasons":["Key in src/a.ts:3"],"findings":[]}')),
    ).toEqual(['critical src/a.ts:3 Key in src/a.ts:3']);
    expect(unread('{"verdict":"VETO","findings":[]}').cause).toBe('contradict');
  });

  test('a summary that counts more than arrived means that findings were lost', () => {
    expect(unread('{"findings":[],"summary":{"critical":1}}').cause).toBe('truncated');
    expect(
      read(
        '{"findings":[],"mode":"high_severity_only","summary":{"medium":3},"skipped":{"medium_count":3,"low_count":0}}',
      ).status,
    ).toBe('complete');
  });
});
