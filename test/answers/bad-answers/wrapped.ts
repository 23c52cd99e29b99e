/** A: answers inside something. */
import {
  all,
  bases,
  briefsOf,
  everyFormat,
  everyJson,
  indexed,
  json,
  lined,
  type Kinds,
} from './samples.ts';

const other = [
  { severity: 'LOW', file: 'src/a.ts', line: 2, issue: 'Something else altogether' },
] as const;

export const wrapped: Kinds = {
  A1: everyFormat(clean => `\`\`\`json\n${clean}\n\`\`\``, { repair: 'A1' }),
  A2: [
    ...everyFormat(clean => `\`\`\`\n${clean}\n\`\`\`\n`, { repair: 'A1' }),
    ...everyFormat(clean => `~~~\n${clean}\n~~~`, { repair: 'A2' }),
  ],
  A3: everyFormat(clean => `I looked at every hunk. Here is what I found:\n\n${clean}`, {}),
  A4: everyFormat(clean => `${clean}\n\nLet me know if anything is unclear.`, {
    status: 'complete',
  }).map(sample => ({ ...sample, mode: 'lenient' })),
  A5: everyJson(clean => `The template uses {braces} and { "so": on }.\n${clean}`, {
    repair: 'A5',
  }),
  A6: everyFormat(
    clean => `\`\`\`\n${clean}\n\`\`\`\nor, once more:\n\`\`\`\n${clean}\n\`\`\``,
    {},
  ),
  A7: bases.flatMap(base =>
    [json, indexed, lined].map(write => ({
      answer: `\`\`\`\n${write(base)}\n\`\`\`\nand in the other:\n\`\`\`\n${write(other)}\n\`\`\``,
      expected: { findings: [...briefsOf(base), ...briefsOf(other)] },
    })),
  ),
  A8: everyJson(clean => `<result>${clean}</result>`, {}),
  A9: [
    ...everyFormat(
      clean => `<think>\nFirst I thought ${json(other)}\n${lined(other)}\n</think>\n${clean}`,
      { repair: 'A9' },
    ),
    ...everyFormat(clean => `LOW|a thought\n</think>\n${clean}`, { repair: 'A9' }),
  ],
  A10: everyFormat(
    clean =>
      clean
        .split('\n')
        .map(line => `> ${line}`)
        .join('\n'),
    'noformat',
  ),
  A11: everyFormat(clean => JSON.stringify(clean), { repair: 'A11' }),
  A12: everyJson(clean => clean.replaceAll('"', '&quot;'), { repair: 'A12' }),
  A13: bases.map(base => ({
    answer: [...base, ...other].map(finding => JSON.stringify(finding)).join('\n'),
    mode: 'lenient' as const,
    expected: { findings: [...briefsOf(base), ...briefsOf(other)] },
  })),
  A14: everyFormat(
    clean => JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: clean }),
    { repair: 'A14' },
  ),
  A15: everyFormat(
    clean =>
      [
        { type: 'system', subtype: 'init' },
        { type: 'assistant', message: { content: [{ type: 'text', text: clean }] } },
      ]
        .map(event => JSON.stringify(event))
        .join('\n'),
    'truncated',
  ),
  A16: [
    ...everyFormat(clean => `\u001B[32m${clean}\u001B[0m`, {
      repair: 'A16',
      note: 'Terminal sequences',
    }),
    ...everyFormat(clean => clean.replaceAll('|', '|\u001B[1m').replaceAll('"', '\u001B[33m"'), {
      repair: 'A16',
    }),
  ],
  A17: everyFormat(
    clean => `npm warn deprecated x@1\nUpdate available 1.2.3 → 1.3.0\nLoading… 100 %\n${clean}`,
    {},
  ),
  A18: [
    ...everyFormat(clean => `\uFEFF${clean.replaceAll('\n', '\r\n')}\r\n`, { repair: 'A18' }),
    ...bases.map(base => ({
      answer: indexed(base).replaceAll('\n', '\r'),
      expected: { findings: briefsOf(base), repair: 'A18' },
    })),
  ],
  A19: everyFormat(clean => clean.split('').join('\0'), 'encoding'),
  A20: [
    ...everyFormat(clean => `\`\`\`json\n${clean}`, 'truncated'),
    ...all('truncated', [`\`\`\`json\n{"findings":[${'x'.repeat(5 * 1024 * 1024)}`]),
  ],
  A21: everyJson(clean => `| answer |\n| --- |\n| ${clean} |`, 'noformat'),
};
