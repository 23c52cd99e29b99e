/** A description in which one piece of hostile text stands in every place that data can have. */
import * as fc from 'fast-check';
import {
  data,
  folded,
  joined,
  list,
  literal,
  remark,
  title,
  type Line,
  type Section,
} from '../../src/render/section.ts';
import { payloads } from './payloads.ts';

export function sectionsWith(text: string): readonly Section[] {
  const line: Line = [
    'Ours ',
    data(text),
    ' and ',
    literal(text),
    ', ',
    remark(text),
    ': ',
    ...joined([text, text]),
  ];
  return [
    title(1, 'Title ', data(text)),
    ...list([[data(text)], line, [literal(text)]], { bullets: false }),
    ...list([[data(text)], line, [literal(text)]]),
    {
      kind: 'table',
      columns: [{ title: 'Name' }, { title: 'What' }],
      rows: [
        [[data(text)], line],
        [[literal(text)], [data(text)]],
      ],
    },
    { kind: 'quote', text },
    {
      kind: 'frame',
      frame: { first: 9, lines: [text, text.replace(/\n/g, ' '), text], from: 10, to: 10 },
    },
    { kind: 'group', head: line, folded: false, body: [...list([line]), { kind: 'quote', text }] },
    ...folded('Folded', [{ kind: 'group', head: [data(text)], folded: true, body: list([line]) }]),
    title(2, 'End'),
  ];
}

const words = [
  'fixes',
  '#1',
  '@team',
  '@org/team',
  'GH-7',
  'deadbeef1',
  'www.evil.example',
  'https://evil.example',
  'me@evil.example',
  '<b>',
  '</details>',
  '<!--',
  '-->',
  '&lt;',
  '&#60;',
  '`',
  '``',
  '```',
  '~~~',
  '|',
  '\\',
  '\\|',
  '*',
  '**x**',
  '_x_',
  '[x](y)',
  '![x](y)',
  '[x]:',
  '1.',
  '2)',
  '-',
  '+',
  '>',
  '#',
  '===',
  '---',
  '::error::x',
  '\n',
  '\t',
  '\r',
  '\u001B[31m',
  '\u202E',
  '\u200B',
  '\u0000',
  'x',
  '"',
  "'",
  '漢字。',
  ':smile:',
  '$x$',
  '`a`',
  '`a`b',
  '--',
  '{{x}}',
];

/** Payloads, any characters at all, and heaps of what markup is made of. */
export const hostileText = fc.oneof(
  fc.constantFrom(...payloads),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 12 }).map(parts => parts.join('')),
  fc.array(fc.constantFrom(...words), { maxLength: 12 }).map(parts => parts.join(' ')),
);
