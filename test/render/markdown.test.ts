import { describe, expect, it } from 'vitest';
import { code, codeCell, quoteBlock } from '../../src/render/markdown-text.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { golden } from './golden.ts';
import { sentencesOf, skeleton } from './markdown-skeleton.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { review, runOf, sampleRun } from './sample-run.ts';

describe('the Markdown report', () => {
  it('reads as agreed', () => {
    const text = renderMarkdown(sampleRun());
    expect(text).toBe(golden('report.md', text));
  });

  it('holds every word of every finding, whoever agreed with whom', () => {
    const text = renderMarkdown(sampleRun());
    for (const one of sampleRun().reviews) {
      for (const finding of one.findings.filter(found => found.reviewer !== 'epsilon')) expect(text).toContain(finding.text);
    }
  });

  it('puts all data in code: what is left without it is ours alone', () => {
    const ours = skeleton(renderMarkdown(poisonedRun('harmless')));
    for (const payload of payloads) expect(skeleton(renderMarkdown(poisonedRun(payload)))).toBe(ours);
  });

  it('starts no line with data', () => {
    const ours = sentencesOf(renderMarkdown(poisonedRun('harmless')));
    for (const payload of payloads) expect(sentencesOf(renderMarkdown(poisonedRun(payload)))).toEqual(ours);
  });

  it('says so when there is no claim', () => {
    expect(renderMarkdown(runOf([review('alpha', [])], []))).toContain('## Claims\n\nNone.\n');
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

  it('escapes the bar of a table cell, also behind a backslash', () => {
    expect(codeCell('a|b \\| c')).toBe('`a\\|b \\\\| c`');
  });
});

describe('a quoted block', () => {
  it('has a fence longer than any run of backticks in it', () => {
    expect(quoteBlock('````\n::error::x')).toEqual(['> `````', '> ````', '> ::error::x', '> `````']);
  });
});
