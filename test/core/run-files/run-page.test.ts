import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkHandoff,
  handoffOf,
  Handoff,
  handoffPath,
  renderContextSnapshots,
  renderTeamPanel,
  parseResourceUri,
  runResourceUri,
} from '../../../src/core/run-files/run-page.ts';
import { reasonOf, runOf } from './samples.ts';
import { readTeamPanels } from './team-panels.ts';

describe('the Team Panel of a journal', () => {
  it('keeps its headings when there is nothing below them', () =>
    expect(
      renderTeamPanel({
        assumptions: ['The router is fixed.'],
        openQuestions: [],
        proposedSpikes: [],
      }),
    ).toBe(
      '### Team Panel\n**Assumptions**\n- The router is fixed.\n**Open Questions**\n**Proposed Spikes**\n\n',
    ));

  it('is read back from a journal with other blocks in it', () => {
    // Seven digits of a commit would be shown as code.
    const entry = fc
      .string({ unit: fc.constantFrom('x', 'W', ' ', 'é') })
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
          readTeamPanels(panels.map(each => renderTeamPanel(each) + snapshots).join('')),
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
});

const handoff: Parameters<typeof checkHandoff>[0] = {
  from: 'Implementer',
  to: 'Reviewer',
  task_id: 'T-1',
  diff_refs: ['b2d3c1a'],
  evidence: ['resources://runs/r1/context/Implementer.lcp.json'],
  risks: [],
  notes: 'Look at the telemetry.',
};

describe('a handoff', () => {
  it('has exactly its keys', () => {
    expect(Handoff.parse(handoff)).toEqual(handoff);
    expect(Handoff.safeParse({ ...handoff, extra: 1 }).success).toBe(false);
    const { risks: _left, ...short } = handoff;
    expect(Handoff.safeParse(short).success).toBe(false);
    expect(Handoff.safeParse({ ...handoff, from: '../x' }).success).toBe(false);
  });

  it('lies in a file named after both roles', () =>
    expect(handoffPath(handoff)).toBe('handoff/Implementer\u2192Reviewer.json'));

  it('is refused when a piece of evidence does not resolve', async () => {
    await expect(checkHandoff(handoff, () => Promise.resolve(true))).resolves.toBeUndefined();
    await expect(checkHandoff(handoff, () => Promise.resolve(false))).rejects.toThrow(
      'evidence "resources://runs/r1/context/Implementer.lcp.json" does not resolve',
    );
    await expect(
      checkHandoff({ ...handoff, evidence: ['/etc/passwd'] }, () => Promise.resolve(true)),
    ).rejects.toThrow('does not resolve');
  });
});

describe('what is handed on of a run that left much unread', () => {
  it('is one line for all unread files, behind what fails and what the packs found', () => {
    const unread = Array.from({ length: 50 }, (_, at) =>
      reasonOf(`src/f${at}.ts was read by nobody.`, {
        rule: 'unread',
        effect: 'INCOMPLETE',
        subject: `src/f${at}.ts`,
      }),
    );
    const failing = reasonOf('A claim blocks.', { rule: 'claim', effect: 'FAIL' });
    const { record } = runOf({ reasons: [...unread, failing] });
    const note = 'src/a.ts:4 the check is gone (was line 4): `check()`';
    expect(handoffOf(record, [], [note, note]).risks).toEqual([
      'A claim blocks.',
      note,
      '50 files were read in full by nobody whose review counts: src/f0.ts, src/f1.ts and 48 more',
    ]);
  });
});

describe('the name of a resource', () => {
  it('names a file of a run, a handoff with its arrow, or a page of the knowledge base', () => {
    expect(
      parseResourceUri('resources://runs/20261121T101500Z-0a1b2c/context/Reviewer.lcp.json'),
    ).toEqual({ kind: 'run', run: '20261121T101500Z-0a1b2c', path: 'context/Reviewer.lcp.json' });
    expect(parseResourceUri('resources://runs/r1/handoff/Planner→Reviewer.json')).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'handoff/Planner→Reviewer.json',
    });
    expect(parseResourceUri('resources://runs/r1/handoff/Planner%E2%86%92Reviewer.json')).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'handoff/Planner→Reviewer.json',
    });
    expect(parseResourceUri('resources://kb/style.md')).toEqual({
      kind: 'knowledge',
      file: 'style.md',
    });
  });

  it.each([
    'resources://runs/r1/../r2/report.md',
    'resources://runs/../../etc/passwd',
    'resources://runs/r1//etc/passwd',
    'resources://runs/r1/%2e%2e/x',
    'resources://runs/r1/a%2F..%2Fb',
    'resources://runs/r1',
    'resources://runs/r1/',
    'resources://runs//x',
    'resources://kb/a/b',
    'resources://kb/..',
    'file:///etc/passwd',
    'resources://runs/r1/.hidden',
    'resources://runs/r1/a\\b',
    'resources://runs/r1/%zz',
    'resources://runs/r1/x\0',
    'resources://other/x',
    `resources://runs/${'a'.repeat(101)}/x`,
    '',
    `resources://runs/r/${'a/'.repeat(600)}b`,
  ])('is refused when it could lead elsewhere: %j', uri =>
    expect(parseResourceUri(uri)).toBeNull(),
  );

  it('never yields a path that leaves its folder', () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('.', '/', '%', '2', 'e', 'f', 'a', '\\', '\0', '→', ':'),
        }),
        text => {
          const resource = parseResourceUri(`resources://runs/r/${text}`);
          if (resource?.kind === 'run')
            expect(
              resource.path
                .split('/')
                .every(name => /^[A-Za-z0-9]/.test(name) && !name.includes('\\')),
            ).toBe(true);
        },
      ),
    ));

  it('is read back as it was written', () =>
    expect(parseResourceUri(runResourceUri('r1', 'reviews/alpha.md'))).toEqual({
      kind: 'run',
      run: 'r1',
      path: 'reviews/alpha.md',
    }));
});
