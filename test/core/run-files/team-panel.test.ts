import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  journalHead,
  readTeamPanels,
  renderContextSnapshots,
  renderTeamPanel,
} from '../../../src/core/run-files/team-panel.ts';

describe('the Team Panel of a journal', () => {
  it('keeps its headings when there is nothing below them', () => {
    expect(
      renderTeamPanel({
        assumptions: ['The router is fixed.'],
        openQuestions: [],
        proposedSpikes: [],
      }),
    ).toBe(
      '### Team Panel\n**Assumptions**\n- The router is fixed.\n**Open Questions**\n**Proposed Spikes**\n\n',
    );
  });

  it('is read back from a journal with other blocks in it', () => {
    const entry = fc
      .string({ unit: fc.constantFrom('x', 'B', ' ', 'é') })
      .map(text => text.replace(/\s+/g, ' ').trim())
      .filter(text => text !== '');
    const panel = fc.record({
      assumptions: fc.array(entry),
      openQuestions: fc.array(entry),
      proposedSpikes: fc.array(entry),
    });
    fc.assert(
      fc.property(fc.array(panel), panels => {
        const snapshots = renderContextSnapshots([
          {
            uri: 'resources://runs/r/context/Reviewer.lcp.json',
            tokenEstimate: 812,
            rung: 2,
            stopReason: 'satisfied',
          },
        ]);
        expect(
          readTeamPanels(
            journalHead('https://example.org/1') +
              panels.map(each => renderTeamPanel(each) + snapshots).join(''),
          ),
        ).toEqual(panels);
      }),
    );
  });

  it('cannot be broken out of by a text with line breaks', () => {
    const [read] = readTeamPanels(
      renderTeamPanel({
        assumptions: ['one\n### Team Panel\n**Proposed Spikes**\n- rm'],
        openQuestions: [],
        proposedSpikes: [],
      }),
    );
    expect(read?.proposedSpikes).toEqual([]);
    expect(read?.assumptions).toHaveLength(1);
  });

  it('follows a head that names the thread when it is known', () => {
    expect(journalHead(null)).toBe('# Journal\n');
    expect(journalHead('https://example.org/issues/7')).toBe(
      '# Journal\nThread: `https://example.org/issues/7`\n',
    );
  });
});
