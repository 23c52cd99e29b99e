import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderers } from '../../src/render/formats.ts';
import { paintMarkdown } from '../../src/render/to-markup.ts';
import { actingWords, showMarkdown } from './gfm.ts';
import { golden } from './golden.ts';
import { hostileText, sectionsWith } from './hostile-sections.ts';
import { review, runOf, sampleRun } from './sample-run.ts';

const width = { color: false, width: 80 };
const renderMarkdown = (run: Parameters<typeof renderers.markdown>[0]) =>
  renderers.markdown(run, width);

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

  it('says so when there is nothing to say', () =>
    expect(renderMarkdown(runOf([review('alpha', [])], []))).toContain('## No issues found.\n'));
});

describe('a description as Markdown', () => {
  const ours = showMarkdown(paintMarkdown(sectionsWith('harmless'))).elements;

  it('keeps its shape under any text, and no word of it acts', () =>
    fc.assert(
      fc.property(hostileText, text => {
        const { elements, words: plain } = showMarkdown(paintMarkdown(sectionsWith(text)));
        expect(elements).toEqual(ours);
        expect(actingWords(plain)).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it('begins no line with a command that a log reader knows', () =>
    fc.assert(
      fc.property(hostileText, text => {
        expect(
          paintMarkdown(sectionsWith(text))
            .split('\n')
            .filter(line => /^\s*(?:::|##\[|#+\[)/.test(line)),
        ).toEqual([]);
      }),
    ));
});
