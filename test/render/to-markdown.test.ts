import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { renderers } from '../../src/render/formats.ts';
import { code, paintMarkdown, quoteBlock, tableOf, words } from '../../src/render/to-markdown.ts';
import { golden } from './golden.ts';
import { hostileText, sectionsWith } from './hostile-sections.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { review, runOf, sampleRun } from './sample-run.ts';

const width = { color: false, width: 80 };
const renderMarkdown = (run: Parameters<typeof renderers.markdown>[0]): string =>
  renderers.markdown(run, width);

/** The blocks and the inline marks a reader of Markdown sees, without the words: all of them must be ours. */
function shapeOf(markdown: string): readonly string[] {
  const reader = new MarkdownIt({ html: true, linkify: true });
  return reader
    .parse(markdown, {})
    .flatMap(token => [
      `${token.type} ${token.tag}${token.type === 'html_block' ? ` ${token.content.replace(/<code>.*?<\/code>/gs, 'DATA')}` : ''}`,
      ...(token.children ?? [])
        .map(({ type }) => type)
        .filter(
          type => !['text', 'code_inline', 'text_special', 'softbreak', 'hardbreak'].includes(type),
        ),
    ]);
}

/** What a host would make a mention, a reference or a link of, where it stands in plain words. */
function actingWords(markdown: string): readonly string[] {
  const reader = new MarkdownIt({ html: true, linkify: true });
  const texts = reader
    .parse(markdown, {})
    .flatMap(({ children }) =>
      (children ?? []).filter(({ type }) => type === 'text').map(({ content }) => content),
    );
  return texts.filter(text => /(?:@|#|GH-)\w|www\.|:\/\/|\b[0-9a-f]{7,40}\b|[<>]/i.test(text));
}

describe('the Markdown report', () => {
  it('reads as agreed', () => {
    const text = renderMarkdown(sampleRun());
    expect(text).toBe(golden('report.md', text));
  });

  it('holds every word of every finding, whoever agreed with whom', () => {
    const text = renderMarkdown(sampleRun()).replaceAll('`', '');
    for (const one of sampleRun().reviews) {
      for (const finding of one.findings.filter(found => found.reviewer !== 'epsilon'))
        expect(text).toContain(finding.text.replaceAll('`', ''));
    }
  });

  it('has the shape we gave it, whatever the world says in it', () => {
    // What was said in several lines stands in a block.
    const [ours, inLines] = ['harmless', 'harm\nless'].map(text =>
      shapeOf(renderMarkdown(poisonedRun(text))),
    );
    for (const payload of payloads) {
      const text = renderMarkdown(poisonedRun(payload));
      expect(shapeOf(text), JSON.stringify(payload)).toEqual(
        payload.includes('\n') ? inLines : ours,
      );
      expect(actingWords(text), JSON.stringify(payload)).toEqual([]);
    }
  });

  it('says so when there is nothing to say', () => {
    expect(renderMarkdown(runOf([review('alpha', [])], []))).toContain('## No issues found.\n');
  });
});

describe('a description as Markdown', () => {
  const ours = shapeOf(paintMarkdown(sectionsWith('harmless')));

  it('keeps its shape under any text, and no word of it acts', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const markdown = paintMarkdown(sectionsWith(`a ${text} b`));
        expect(shapeOf(markdown)).toEqual(ours);
        expect(actingWords(markdown)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('begins no line with a command that a log reader knows', () => {
    fc.assert(
      fc.property(hostileText, text => {
        expect(
          paintMarkdown(sectionsWith(text))
            .split('\n')
            .filter(line => /^\s*(?:::|##\[|#+\[)/.test(line)),
        ).toEqual([]);
      }),
    );
  });
});

describe('words of the world', () => {
  it.each([
    [
      'The value is joined to the statement, unchecked.',
      'The value is joined to the statement, unchecked.',
    ],
    [
      'Calling `.toLowerCase()` on it (again) throws',
      'Calling `.toLowerCase()` on it (again) throws',
    ],
    ['see req.query.id + x now', 'see `req.query.id +` x now'],
    ['fixes #1 by @team', 'fixes `#1` by `@team`'],
    ['1. first', '`1.` first'],
    ['GH-7fixes deadbeef1-x facade', '`GH-7fixes deadbeef1-x` facade'],
    ['see www.… there', 'see `www.…` there'],
    ['<b>bold</b>', '`<b>bold</b>`'],
    ['', '–'],
  ])('%j are written %j', (text, written) => {
    expect(words(text)).toBe(written);
  });
});

describe('a code span', () => {
  it.each([
    ['plain', '`plain`'],
    ['a ` b', '``a ` b``'],
    ['`', '`` ` ``'],
    ['``` x ``', '```` ``` x `` ````'],
    ['', '–'],
    ['two\nlines', '`two lines`'],
  ])('of %j is %j', (text, span) => {
    expect(code(text)).toBe(span);
  });

  it('has its bars escaped in a table cell, also behind a backslash', () => {
    expect(tableOf(['A'], [[code('a|b \\| c')]]).at(-1)).toBe('| `a\\|b \\\\| c` |');
  });
});

describe('a quoted block', () => {
  it('has a fence longer than any run of backticks in it', () => {
    expect(quoteBlock('````\n::error::x')).toEqual([
      '> `````',
      '> ````',
      '> ::error::x',
      '> `````',
    ]);
  });
});
