import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIdeasAnswer, readResearchAnswer, summaryIn } from '../../src/answers/prose-answer.ts';

const asked = { prompt: 'the question', stop: 'end' } as const;
const read = (text: string) => readResearchAnswer(text, asked);
const whole =
  '### Ideas\n- One\n### Sources\n- official | S1 | Manual | https://x.example/manual\n### Findings\n- F1 | One ' +
  '[thing] | S1\n- F2 | Two | S1, S2\n### Confidence\nHigh: tried\n### Gaps\n- version 5';

describe.each([
  ['a researcher', readResearchAnswer],
  ['a brainstorm', readIdeasAnswer],
] as const)('where %s was asked', (_, readAnswerOf) => {
  it.each([
    ['end', '', 'complete', null],
    ['cut', '', 'partial', 'truncated'],
    ['cut', '\n\nEND OF ANSWER', 'partial', 'truncated'],
    ['unknown', '', 'partial', 'unmarked'],
    ['unknown', '\n\nEND OF ANSWER\n', 'complete', null],
  ] as const)('an answer that ended %j with %j is %s', (stop, ending, status, partialCause) => {
    const reading = readAnswerOf(whole + ending, { ...asked, stop });
    expect(reading).toMatchObject({ ok: true, status, partialCause });
    expect(JSON.stringify(reading)).not.toContain('END OF ANSWER');
  });
});

describe('the answer of a researcher', () => {
  it('is read from its four blocks, in any level and order of headings, in a fence or not', () => {
    for (const text of [
      whole,
      whole.replaceAll('### ', '## ').replace('Sources', 'SOURCES:'),
      `\`\`\`markdown\n${whole}\n\`\`\``,
    ]) {
      expect(read(text)).toMatchObject({
        ok: true,
        status: 'complete',
        findings: [
          { originalId: 'F1', text: 'One [thing]', evidence: 'S1' },
          { originalId: 'F2', evidence: 'S1, S2' },
        ],
        research: {
          sources: [
            { rank: 'official', id: 'S1', title: 'Manual', address: 'https://x.example/manual' },
          ],
          confidence: 'high',
          gaps: ['version 5'],
          missing: [],
        },
      });
    }
  });

  it.each([
    ['a block is missing', whole.replace(/### Gaps[\s\S]*/, '')],
    ['the confidence is low', whole.replace('High', 'Low')],
    ['no confidence is stated', whole.replace('High: tried', 'who knows')],
    ['the gaps are as many as the findings', `${whole}\n- version 6`],
  ])('is partial when %s', (_what, text) =>
    expect(read(text)).toMatchObject({ ok: true, status: 'partial' }),
  );

  it.each([
    ['', 'empty'],
    [
      '### Sources\nNone\n### Findings\n- F1 | x\n### Confidence\nhigh\n### Gaps\nNone',
      'unsourced',
    ],
    ['### Sources\n- KIND | ID | Title | Address\n### Findings\n- ID | Statement', 'unsourced'],
    ['It is well known.', 'noformat'],
    ["I'm sorry, but I can't help with that.", 'refusal'],
  ])('is none in %j', (text, cause) => expect(read(text)).toMatchObject({ ok: false, cause }));

  it.each([
    ['- internal | S1 | Notes | docs/notes.md', 'internal'],
    ['- Official docs: https://x.example/', 'official'],
    ['1. https://docs.x.example/reference/a', 'official'],
    ['* https://stackoverflow.com/q/1', 'community'],
    ['- https://github.com/a/b/blob/main/c.ts', 'code'],
    ['- docs/solutions/retry.md says so', 'internal'],
    ['- somebody told me', 'community'],
  ])('ranks the source %s as %s', (source, rank) =>
    expect(read(whole.replace(/- official.*/, source))).toMatchObject({
      research: { sources: [{ rank }] },
    }),
  );

  it('never throws, and never makes a success of an answer without a source', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '### Sources\n',
            '### Findings\n',
            '### Confidence\nhigh\n',
            '### Gaps\n',
            '- a | b | c\n',
            '- None\n',
            '```\n',
            '| x |\n',
            'text\n',
            '#',
          ),
          { maxLength: 30 },
        ),
        pieces => {
          const reading = read(pieces.join(''));
          if (reading.ok) expect(reading.research?.sources.length).toBeGreaterThan(0);
        },
      ),
    ));
});

describe('the answer to a brainstorm', () => {
  it('is any text that is no excuse, with the ideas it lists', () => {
    expect(
      readIdeasAnswer('### Summary\nTwo.\n\n### Ideas\n- I1 | A | b\n1. Another\n', asked),
    ).toMatchObject({
      ok: true,
      status: 'complete',
      findings: [
        { originalId: 'I1', text: 'A | b' },
        { originalId: 'I2', text: 'Another' },
      ],
    });
    expect(readIdeasAnswer('Just do it in one file.', asked)).toMatchObject({
      ok: true,
      status: 'partial',
      findings: [],
      said: 'Just do it in one file.',
    });
    expect(readIdeasAnswer("I'm sorry, but I can't help with that.", asked)).toMatchObject({
      ok: false,
      cause: 'refusal',
    });
  });

  it('has a summary: its block, else its first paragraph', () =>
    expect([
      summaryIn('### Summary\nShort.\n### Ideas\n- a'),
      summaryIn('First.\n\nSecond.'),
    ]).toEqual(['Short.', 'First.']));
});
