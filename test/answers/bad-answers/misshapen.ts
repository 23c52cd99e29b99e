/** C: well-formed answers of the wrong shape, or with values that cannot be meant. */
import {
  all,
  bases,
  briefsOf,
  indexed,
  json,
  jsonWith,
  lined,
  nonce,
  units,
  type Kinds,
  type Sample,
  type Stated,
} from './samples.ts';

const plain = bases[0] ?? [];
const brief = briefsOf(plain)[0] ?? '';
const text = 'The key is written to the log';

function lenient(samples: readonly Sample[]): Sample[] {
  return samples.map(sample => ({ ...sample, mode: 'lenient' }));
}

function strict(samples: readonly Sample[]): Sample[] {
  return samples.map(sample => ({ ...sample, mode: 'strict' }));
}

const many: Stated[] = Array.from({ length: 2_000 }, (_, index) => ({
  severity: index === 1_999 ? 'CRITICAL' : 'LOW',
  file: 'src/a.ts',
  line: 1,
  issue: `Finding number ${index}`,
}));
const kept = briefsOf([...many.slice(0, 999), many[1_999] as Stated]);

export const misshapen: Kinds = {
  C1: ['issues', 'Findings', 'FINDINGS', 'results'].map(key => ({
    answer: JSON.stringify({ nonce, units, [key]: plain, verdict: 'VETO' }),
    expected: { findings: [brief] },
  })),
  C2: [null, {}, 'none', 3].map(findings => ({
    answer: JSON.stringify({ nonce, units, findings, verdict: 'OK' }),
    expected: 'schema',
  })),
  C3: (['42', '42-45', 'L42', 'lines 42-45'] as const).map(line => ({
    answer: jsonWith({ line }),
    expected: {
      findings: [`critical src/a.ts:42${line.includes('-') ? '-45' : ''} ${text}`],
      ...(line === '42' ? {} : { note: 'The line was stated as' }),
    },
  })),
  C4: [0, -3, 2.5, '0'].map(line => ({
    answer: jsonWith({ line }),
    expected: {
      findings: [`critical src/a.ts:${Number.MAX_SAFE_INTEGER} ${text}`],
      anchoring: ['unanchored'],
      note: 'is no line number',
    },
  })),
  C5: ['9007199254740993', '9007199254740992', '99999999999999999999'].map(line => ({
    answer: jsonWith({ line: 77 }).replace('77', line),
    expected: {
      findings: [`critical src/a.ts:${Number.MAX_SAFE_INTEGER} ${text}`],
      anchoring: ['unanchored'],
    },
  })),
  C6: [
    ...['spicy', 'ASAP'].map(severity => ({
      answer: jsonWith({ severity }),
      expected: {
        findings: [`medium src/a.ts:3 ${text}`],
        status: 'partial' as const,
        note: `Nobody declared the severity "${severity}"`,
      },
    })),
    ...[
      { label: 'SPICY', answer: 'SPICY|it burns', findings: ['medium - it burns'] },
      {
        label: 'ASAP',
        answer: `${lined(plain, null)}\nASAP|src/b.ts:2|now`,
        findings: [brief, 'medium src/b.ts:2 now'],
      },
      {
        label: 'SPICY',
        answer: '### Findings Index\n- SPICY | A | "S" | it burns\nVerdict: safe',
        findings: ['medium - it burns'],
      },
    ].map(({ label, answer, findings }) => ({
      answer,
      expected: { findings, note: `Nobody declared the severity "${label}"; medium was taken.` },
    })),
    ...all('schema', [jsonWith({ severity: '' })]),
  ],
  C7: ['Critical', 'critical', 'CRITICAL', ' critical '].map(severity => ({
    answer: jsonWith({ severity }),
    expected: { findings: [brief] },
  })),
  C8: (
    [
      ['élevée', 'high'],
      ['高', 'high'],
      ['krytyczny', 'critical'],
    ] as const
  ).flatMap(([label, severity]) => [
    {
      answer: jsonWith({ severity: label }),
      expected: { findings: [brief.replace('critical', severity)] },
    },
    { answer: `${label}|la clé fuit`, expected: { findings: [`${severity} - la clé fuit`] } },
  ]),
  C9: [
    ...all(
      'schema',
      [1, 5, 9.8, '9.8'].map(severity => jsonWith({ severity })),
    ),
    ...all('schema', ['5|it leaks', '9.8|it leaks']),
  ],
  C10: [
    ...all(
      'schema',
      ['CRITICAL/HIGH', 'high-critical', 'HIGH or LOW'].map(severity => jsonWith({ severity })),
    ),
    ...all('schema', ['CRITICAL/HIGH|it leaks']),
  ],
  C11: [85, '85%', 'high', -0.1].map(confidence => ({
    answer: jsonWith({ confidence }),
    expected: { findings: [brief], note: 'confidence' },
  })),
  C12: [json(many), lined(many), indexed(many)].map(answer => ({
    answer,
    expected: { findings: kept, note: '2000 findings were stated' },
  })),
  C13: ['word '.repeat(20_000), 'x'.repeat(100_000), '長'.repeat(100_000)].map(issue => ({
    answer: jsonWith({ issue: `${issue}.` }),
    expected: { findings: [`critical src/a.ts:3 ${issue.slice(0, 3_999)}…`], note: 'was cut' },
  })),
  C14: [
    ...['', 'None', 'N/A', ' none found. '].map(issue => ({
      answer: json([...plain, { severity: 'LOW', issue }]),
      expected: { findings: [brief], note: 'without content' },
    })),
    ...['LOW|', 'LOW|None', 'LOW|N/A'].map(line => ({
      answer: `${line}\n${lined(plain)}`,
      expected: { findings: [brief] },
    })),
  ],
  C15: [
    ...[0, 3, 99].map(count => ({
      answer: json(plain, { count }),
      expected: 'truncated' as const,
    })),
    {
      answer: json([], { verdict: 'OK', summary: { critical: 1, high: 0, medium: 0, low: 0 } }),
      expected: 'truncated',
    },
  ],
  C16: [
    ...strict(
      bases.map(base => ({
        answer: JSON.stringify({ nonce, units, findings: base }),
        expected: 'schema',
      })),
    ),
    ...lenient(
      bases.map(base => ({
        answer: JSON.stringify({ findings: base }),
        expected: { findings: briefsOf(base) },
      })),
    ),
    ...bases.map(base => ({
      answer: indexed(base, null),
      expected: { findings: briefsOf(base), status: 'partial' as const },
    })),
    ...bases.map(base => ({ answer: lined(base, null), expected: { findings: briefsOf(base) } })),
  ],
  C17: [
    ...['OK', 'APPROVE', 'safe'].map(verdict => ({
      answer: json(plain, { verdict }),
      expected: { findings: [brief], note: 'milder' },
    })),
    ...['safe', 'needs-changes'].flatMap(verdict =>
      [indexed(plain, `Verdict: ${verdict}`), lined(plain, `VERDICT: ${verdict}`)].map(answer => ({
        answer,
        expected: { findings: [brief], note: 'milder' },
      })),
    ),
  ],
  C18: [
    ...all(
      'contradict',
      ['VETO', 'reject', 'REQUEST_CHANGES'].map(verdict => json([], { verdict })),
    ),
    ...all('contradict', [
      '### Findings Index\nVerdict: risky',
      'LOW|None\nVERDICT: risky',
      'VERDICT: reject',
    ]),
  ],
  C19: [
    ...all(
      'schema',
      ['LGTM', 'ship it', 'perfect'].flatMap(word => [
        json(plain, { verdict: word }),
        indexed(plain, `Verdict: ${word}`),
      ]),
    ),
    ...['LGTM', 'ship it'].map(word => ({
      answer: lined(plain, `VERDICT: ${word}`),
      expected: { findings: [brief] },
    })),
  ],
  C20: [
    ...all(
      'schema',
      ['approve?', 'with reservations', 'approve with reservations'].flatMap(word => [
        json(plain, { verdict: word }),
        indexed(plain, `Verdict: ${word}`),
      ]),
    ),
    ...['approve?', 'with reservations'].map(word => ({
      answer: lined(plain, `VERDICT: ${word}`),
      expected: { findings: [brief] },
    })),
  ],
  C21: [
    ...all(
      'schema',
      ['approve or reject', 'I would approve, yet reject', 'safe / risky'].map(word =>
        json(plain, { verdict: word }),
      ),
    ),
    ...['Some would approve, some reject.', 'I neither approve nor reject this.'].map(prose => ({
      answer: `${prose}\n${lined(plain)}`,
      expected: { findings: [brief] },
    })),
  ],
  C22: [
    {
      answer: json(plain, { mood: 'grim', weather: 'rain' }),
      expected: { findings: [brief], note: '2 unknown fields' },
    },
    {
      answer: jsonWith({ mood: 'grim' }),
      expected: { findings: [brief], note: '1 unknown field' },
    },
    {
      answer: json(plain, { extra: { deep: [1] } }),
      expected: { findings: [brief], note: '1 unknown field' },
    },
    ...lenient([
      {
        answer: JSON.stringify({
          findings: ['HIGH: it leaks in src/a.ts:3', 'src/a.ts:3 waits for ever'],
          verdict: 'risky',
        }),
        expected: {
          findings: [
            'high src/a.ts:3 it leaks in src/a.ts:3',
            'medium src/a.ts:3 src/a.ts:3 waits for ever',
          ],
        },
      },
      ...[[''], [' ', 'LOW: name it'], [{ issue: '' }]].map(findings => ({
        answer: JSON.stringify({ findings, verdict: 'safe' }),
        expected: 'schema' as const,
      })),
    ]),
  ],
  C23: all('schema', [
    json(plain).replace('{', '{"__proto__":{"a":1},'),
    json(plain).replace('"file"', '"__proto__":1,"file"'),
    '{"findings":[],"verdict":"OK","x":{"__proto__":null}}',
  ]),
  C24: [
    ...strict(bases.map(base => ({ answer: JSON.stringify(base), expected: 'schema' }))),
    ...lenient(
      bases.map(base => ({ answer: JSON.stringify(base), expected: { findings: briefsOf(base) } })),
    ),
  ],
  C25: all('empty', ['{}', '[]', 'null', ' { } ']),
  C26: all('empty', ['', ' ', '\n\t\r\n', '\uFEFF', '\u001B[0m']),
  C27: [
    {
      answer: json([
        { ...plain[0], id: 'A' },
        { ...plain[0], id: 'A', issue: 'Another one' },
      ]),
      expected: { findings: [brief, 'critical src/a.ts:3 Another one'], note: 'called A#2' },
    },
    {
      answer: json(['x', 'y', 'z'].map(issue => ({ ...plain[0], id: 1, issue }))),
      expected: {
        findings: ['x', 'y', 'z'].map(issue => `critical src/a.ts:3 ${issue}`),
        note: 'called 1#3',
      },
    },
    {
      answer:
        '### Findings Index\n- P0 | A | "S" | one thing\n- P0 | A | "S" | another\nVerdict: risky',
      expected: {
        findings: ['critical - one thing', 'critical - another'],
        repair: 'duplicate-id',
      },
    },
  ],
  C28: bases.flatMap(base => {
    const repeated = Array.from({ length: 50 }, () => base).flat();
    return [json(repeated), lined(repeated), indexed(repeated)].map(answer => ({
      answer,
      expected: { findings: briefsOf(base), note: '50 times' },
    }));
  }),
  C29: [
    {
      answer: jsonWith({ reviewer: 'beta' }),
      expected: { findings: [brief], note: 'names a reviewer' },
    },
    {
      answer: jsonWith({ agent: 'gamma' }),
      expected: { findings: [brief], note: 'names a reviewer' },
    },
    { answer: json(plain, { agent: 'beta' }), expected: { findings: [brief] } },
  ],
  C30: bases.map(base => ({
    answer: json(base, { partial: true }),
    expected: { findings: briefsOf(base), status: 'partial' },
  })),
  C31: all('schema', [
    json(plain, { version: 2 }),
    json(plain, { schema: 'jury.answer/2' }),
    json(plain, { version: '0.9' }),
  ]),
};
