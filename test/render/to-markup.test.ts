import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderers } from '../../src/render/formats.ts';
import { paintMarkdown, paintHtml } from '../../src/render/to-markup.ts';
import { actingWords, showMarkdown, showPage } from './gfm.ts';
import { golden } from './golden.ts';
import { hostileText, sectionsWith } from './hostile-sections.ts';
import { review, runOf, sampleRun } from './sample-run.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';

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

const options = { color: false, width: 80 };
const steering =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

/** As a browser reads them. */
function tagsOf(page: string) {
  return showPage(page).elements;
}

describe('the HTML report', () => {
  it('reads as agreed', () => {
    const text = renderers.html(sampleRun(), options);
    expect(text).toBe(golden('report.html', text));
  });

  it('needs nothing from anywhere: no script, no address', () => {
    expect(renderers.html({ ...sampleRun(), folder: '/run' }, options)).not.toMatch(
      /<script|<link|<img|<iframe|\ssrc=|\shref=|@import|url\(/i,
    );
    expect(renderers.html(sampleRun(), options)).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'"`,
    );
  });

  it('shows who said what: said, silent, not read, failed', () => {
    const rows = renderers
      .html(sampleRun(), options)
      .split('\n')
      .filter(line => /[●○]/.test(line) && line.startsWith('<tr>'));
    expect(
      rows.map(row => (row.replace(/<[^>]*>/g, ' ').match(/[●≠○–✗]/g) ?? []).join('')),
    ).toEqual(['●●●✗–', '○≠●✗–', '●●○✗–', '○●○✗–', '○○○✗●']);
  });

  it('has the tags we gave it, whatever the world says in it', () => {
    const [ours, inLines] = ['harmless', 'harm\nless'].map(text =>
      tagsOf(renderers.html(poisonedRun(text), options)),
    );
    for (const payload of payloads) {
      const text = renderers.html(poisonedRun(payload), options);
      expect(tagsOf(text), JSON.stringify(payload)).toEqual(
        payload.includes('\n') ? inLines : ours,
      );
      expect(text).not.toMatch(steering);
    }
  });
});

describe('a description as HTML', () => {
  const ours = tagsOf(paintHtml('harmless', sectionsWith('harmless')));

  it('keeps its tags under any text, and holds nothing invisible', () =>
    fc.assert(
      fc.property(hostileText, text => {
        const page = paintHtml(text, sectionsWith(text));
        expect(tagsOf(page)).toEqual(ours);
        expect(page).not.toMatch(steering);
      }),
      { numRuns: 150 },
    ));
});
