/** B: JSON and text that are broken. */
import {
  all,
  bases,
  briefsOf,
  everyJson,
  indexed,
  json,
  lined,
  type Kinds,
  type Sample,
} from './samples.ts';

const one = json(bases[0] ?? []);

function cuts(clean: string) {
  return [0.4, 0.6, 0.9].map(share => clean.slice(0, Math.floor(clean.length * share)));
}

const partialLines: Sample[] = bases.slice(1).flatMap(base =>
  [lined(base, null), indexed(base, null)].map(clean => ({
    answer: clean.slice(0, -5),
    options: { stop: 'cut' as const },
    expected: {
      findings: briefsOf(base).map((brief, index) =>
        index === base.length - 1 ? brief.slice(0, -5) : brief,
      ),
      status: 'partial' as const,
    },
  })),
);

export const malformed: Kinds = {
  B1: [
    ...bases.map(base => ({
      answer: json(base).slice(0, json(base).indexOf('issue') + 15),
      expected: 'truncated' as const,
    })),
    ...partialLines.filter(
      ({ answer }) => answer.startsWith('HIGH') || answer.startsWith('MEDIUM'),
    ),
  ],
  B2: bases.flatMap(base =>
    cuts(json(base)).map(answer => ({ answer, expected: 'truncated' as const })),
  ),
  B3: [
    ...everyJson(clean => clean.replace(/\}$/, ',}'), 'syntax'),
    ...everyJson(clean => clean.replace('}]', '},]'), 'syntax'),
  ],
  B4: everyJson(clean => clean.replaceAll('"', "'"), 'syntax'),
  B5: [
    ...everyJson(clean => clean.replace('"findings"', 'findings'), 'syntax'),
    ...all('syntax', ['{findings: [{"severity":"LOW","issue":"x"}]}']),
  ],
  // A comment is taken off like white space; where the subject may have written it, nothing is.
  B6: [
    (clean: string) => clean.replace('{', '{ // the answer\n'),
    (clean: string) => clean.replace('"findings":', '"findings": /* all */ '),
  ].flatMap(comment => [
    ...everyJson(comment, 'syntax').map(sample => ({ ...sample, mode: 'strict' as const })),
    ...everyJson(comment, {}).map(sample => ({ ...sample, mode: 'lenient' as const })),
  ]),
  B7: everyJson(clean => clean.replaceAll(/"(\w+)":/g, '“$1”:'), 'syntax'),
  B8: ['NaN', 'Infinity', '-Infinity'].map(word => ({
    answer: one.replace('"line":3', `"line":${word}`),
    expected: 'syntax' as const,
  })),
  B9: ['1e999', '-1e999', '1E+400'].map(word => ({
    answer: one.replace('"line":3', `"line":${word}`),
    expected: 'schema' as const,
  })),
  B10: [
    ...everyJson(clean => clean.replace('"issue":"', '"issue":"\n'), {}),
    ...everyJson(clean => clean.replace('"issue":"', '"issue":"\t'), {}),
  ],
  B11: everyJson(
    (clean, [first]) => clean.replace(first?.issue ?? '', 'The "key" is wrong'),
    'syntax',
  ),
  B12: everyJson(
    (clean, [first]) => clean.replace(first?.issue ?? '', 'The k\uFFFDy is wrong'),
    'encoding',
  ),
  B13: everyJson(
    (clean, [first]) => clean.replace(first?.issue ?? '', 'The k\0y is wrong'),
    'syntax',
  ),
  B14: ['The key\\u0000 leaks', '\\u0000The key leaks', 'The \\u0000key leaks'].map(issue => ({
    answer: one.replace('The key is written to the log', issue),
    expected: {
      findings: [
        `critical src/a.ts:3 The key${issue.startsWith('The key') ? ' ' : ''} leaks`.replace(
          '  ',
          ' ',
        ),
      ],
      note: 'Control characters',
    },
  })),
  B15: ['\\ud800', '\\udc00', '\\udc00\\ud800'].map(half => ({
    answer: one.replace('The key is', `The ${half} key is`),
    expected: {
      findings: [
        `critical src/a.ts:3 The ${half.replace(/\\u(\w{4})/g, (_, hex: string) => `⟦U+${hex.toUpperCase()}⟧`)} key is written to the log`,
      ],
    },
  })),
  B16: [
    ...everyJson(clean => clean + json([]), {}),
    ...everyJson(clean => `${clean}\n${clean}`, {}),
  ],
  B17: [
    ...everyJson(clean => clean.replace('"verdict"', '"verdict":"VETO","verdict"'), 'dupkey'),
    ...everyJson(clean => clean.replace('"file"', '"line":3,"line":3,"file"'), 'dupkey'),
  ],
  B18: [
    ...everyJson(clean => clean.replace('"verdict"', '"findings":[],"verdict"'), 'dupkey'),
    ...everyJson(clean => clean.replace('"issue"', '"severity":"LOW","issue"'), 'dupkey'),
  ],
  B19: all('depth', [
    '['.repeat(100_000),
    `{"findings":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    '['.repeat(65) + ']'.repeat(65),
  ]),
  B20: [
    ...all('size', [
      `CRITICAL|${'word '.repeat(1_048_576)}`,
      'é'.repeat(3 * 1024 * 1024),
      json([]) + ' '.repeat(5_000_000),
    ]),
    {
      answer: json(bases[0] ?? []) + ' '.repeat(1_000_000),
      expected: { findings: briefsOf(bases[0] ?? []) },
    },
  ],
  B21: ['0x10', '010', '+1', '1.', '.5'].map(number => ({
    answer: one.replace('"line":3', `"line":${number}`),
    expected: 'syntax' as const,
  })),
  B22: all('syntax', [
    one.replace('"VETO"', 'True'),
    one.replace('"VETO"', 'None'),
    "{'findings': [{'severity': 'HIGH', 'line': None}]}",
  ]),
  B23: [
    ...[
      'nonce: 5f0c9a\nfindings:\n  - severity: HIGH\n    issue: The key leaks\n',
      'nonce = "5f0c9a"\n\n[[findings]]\nseverity = "HIGH"\nissue = "The key leaks"\n',
    ].map(answer => ({ answer, expected: { findings: ['high - The key leaks'] } })),
    ...all('noformat', [
      '[[findings]]\nseverity = "HIGH"\n',
      '<review><finding severity="HIGH">The key leaks</finding></review>',
    ]),
    ...bases.map(base => ({ answer: lined(base), expected: { findings: briefsOf(base) } })),
  ],
};
