/** Panels of `jury motions --real-agent` through the built program: who sits on them, what is kept, and what is left of one that fails. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PanelRecord, ReviewResponse } from '../../src/vote/records.ts';
import { runsOf } from '../state-of.ts';
import { sha256 } from '../../src/core/hash.ts';
import { startMemberServer, type MemberRequest } from './member-server.ts';
import { createSession, readResult, type SessionSample } from './motions-session.ts';
import { juryBeside } from './jury.ts';

const names = Array.from({ length: 12 }, (_, index) => `Member-${index}`);

/** By motion: m-0 has two sides and five abstentions, m-1 two sides alone, m-2 one of each, m-3 nobody for it. */
const stances: Readonly<Record<string, (member: number) => string | null>> = {
  'm-0': member =>
    member < 3 ? 'endorse' : member < 6 ? 'oppose' : member < 11 ? 'abstain' : null,
  'm-1': member => (member % 2 === 0 ? 'endorse' : 'oppose'),
  'm-2': member => (member === 0 ? 'endorse' : member === 1 ? 'oppose' : 'amend'),
  'm-3': member => (member < 4 ? 'oppose' : 'abstain'),
};

const report = {
  recommendation: 'pass',
  recommendation_rationale: 'It is time.',
  votes: Object.fromEntries(names.map(name => [name, 'pass'])),
  revised_motion_text: null,
  key_points_discussed: ['Who pays for it.'],
  consensus_areas: ['That it is late.'],
  unresolved_concerns: ['Who watches it.'],
  dissenting_opinions: [],
};

/** `facilitate` sees the prompt about one motion. */
function scriptOf(facilitate: (prompt: string) => string): (asked: MemberRequest) => string {
  return ({ member, prompt }) => {
    if (member === 'facilitator') return facilitate(prompt);
    const number = Number(member.slice(7));
    const ids = [...prompt.matchAll(/motion_id: "(m-\d+)"/g)].map(([, id]) => id ?? '');
    if (ids.length === 0)
      return `${member} weighed it:\n  twice.\nVOTE: ${prompt.includes('those who oppose it') ? 'fail' : 'pass'}`;
    return JSON.stringify(
      ids.flatMap(motion_id => {
        const stance = stances[motion_id]?.(number) ?? null;
        return stance === null
          ? []
          : [
              {
                motion_id,
                stance,
                reasoning: 'Weighed.',
                opposition_concerns: ['It is too broad to be carried out within the year.'],
                amendment_text: 'With care.',
                amendment_type: 'add_clause',
                amendment_rationale: 'Safer.',
              },
            ];
      }),
    );
  };
}

describe('panels of real reviewers', () => {
  let sample: SessionSample;
  let run: string;
  let stdout: string;
  let markdown: string;
  let panels: readonly PanelRecord[];
  const prompts: MemberRequest[] = [];
  const panelOn = (id: string): PanelRecord =>
    panels.find(({ mega_motion_id }) => mega_motion_id === id) ?? expect.fail(`no panel on ${id}`);

  beforeAll(async () => {
    const script = scriptOf(prompt =>
      prompt.includes('Motion 1') ? 'They could not agree on anything.' : JSON.stringify(report),
    );
    const server = await startMemberServer({
      delayMs: 1,
      say(asked) {
        prompts.push(asked);
        return script(asked);
      },
    });
    sample = createSession({
      members: names,
      motions: 4,
      settings: {
        // An eighth of those who took part is enough, so that one against ten is contested.
        contested: 0.08,
        endpoints: [{ baseUrl: server.url, model: 'scripted', concurrency: 8 }],
      },
    });
    ({ stdout } = await juryBeside(sample.folder, [
      'motions',
      'session',
      '--real-agent',
      '--concurrency',
      '8',
    ]));
    [run = ''] = readdirSync(runsOf(sample.folder));
    markdown = readFileSync(path.join(runsOf(sample.folder), run, 'report.md'), 'utf8');
    panels = readdirSync(path.join(sample.results, 'panel_deliberations')).map(
      name => readResult(sample.results, `panel_deliberations/${name}`) as PanelRecord,
    );
  }, 120_000);

  test('neutrals abstained or were not asked, in the order of the hash with the id of the run', () => {
    const responses = readResult(sample.results, 'review_responses.json') as ReviewResponse[];
    const abstained = responses
      .filter(({ mega_motion_id, stance }) => mega_motion_id === 'm-0' && stance === 'ABSTAIN')
      .map(({ archon_name, archon_id }) => ({
        archon_name,
        lot: sha256(`${run}|m-0|${archon_id}`),
      }))
      .toSorted((one, other) => (one.lot < other.lot ? -1 : 1));
    expect(abstained).toHaveLength(5);
    expect(panelOn('m-0')).toMatchObject({
      run_id: run,
      supporters: ['Member-0', 'Member-1', 'Member-2'],
      critics: ['Member-3', 'Member-4', 'Member-5'],
      neutrals: abstained.slice(0, 3).map(({ archon_name }) => archon_name),
      neutrals_note: null,
    });
    expect(panelOn('m-1')).toMatchObject({
      panel_size: 6,
      neutrals: [],
      neutrals_note: expect.stringContaining('No neutrals') as string,
    });
  });

  test('nobody who spoke for a motion or against it is told that it is on neither side', () => {
    const told = prompts.filter(({ prompt }) => prompt.includes('on neither side'));
    expect(told.map(({ member }) => member).toSorted()).toEqual(panelOn('m-0').neutrals.toSorted());
    expect(told.every(({ prompt }) => prompt.includes('Motion 0'))).toBe(true);
  });

  test('every argument and vote is kept, and no vote is what the facilitator says of it', () => {
    const { arguments: said, vote_breakdown, synthesis, reported_votes } = panelOn('m-0');
    expect(said.map(({ archon_name }) => archon_name).toSorted()).toEqual(
      [0, 1, 2, 3, 4, 5, ...panelOn('m-0').neutrals.map(name => Number(name.slice(7)))]
        .map(number => `Member-${number}`)
        .toSorted(),
    );
    expect(said[3]).toEqual({
      archon_name: 'Member-3',
      side: 'critic',
      argument: 'Member-3 weighed it:\n  twice.',
      vote: 'fail',
    });
    expect([vote_breakdown, reported_votes]).toEqual([
      { pass: 6, fail: 3, amend: 0, defer: 0 },
      {},
    ]);
    expect(synthesis).toEqual({
      recommendation: 'pass',
      rationale: 'It is time.',
      revised_motion_text: null,
      revision_summary: null,
      key_points_discussed: ['Who pays for it.'],
      consensus_areas: ['That it is late.'],
      unresolved_concerns: ['Who watches it.'],
      dissenting_opinions: [],
    });
  });

  test('a facilitator that answers prose leaves the votes and the arguments, and no synthesis', () => {
    expect(panelOn('m-1')).toMatchObject({
      status: 'failed',
      recommendation: null,
      synthesis: null,
      vote_breakdown: { pass: 3, fail: 3, amend: 0, defer: 0 },
      error: 'The facilitator did not report: The answer holds no recommendation.',
    });
    expect(panelOn('m-1').arguments.every(({ argument }) => argument !== null)).toBe(true);
  });

  test('a panel that would be ceremony is skipped, with one line in file and report', () => {
    expect(panels).toHaveLength(2);
    const { deliberation } = readResult(sample.results, 'pipeline_result.json') as {
      deliberation: { panels_convened: number; skipped: readonly object[] };
    };
    expect(deliberation).toMatchObject({
      panels_convened: 2,
      skipped: [
        { mega_motion_id: 'm-2', reason: expect.stringContaining('fewer than 3') as string },
        {
          mega_motion_id: 'm-3',
          reason: expect.stringContaining('Nobody stands for it') as string,
        },
      ],
    });
    expect(markdown).toMatch(/### No panel on motion 3\n\n- Motion: `Motion 2`\n- Only 1 for it/);
    expect(markdown).toMatch(
      /### No panel on motion 4\n\n- Motion: `Motion 3`\n- Nobody stands for/,
    );
  });

  test('the report tells who sat where and why, the votes, and where they went against the vote', () => {
    expect(markdown).toContain('| `Member-3` | critic | opposed it | fail |');
    expect(markdown).toMatch(/\| `Member-\d+` \| neutral \| abstained \| pass \|/);
    expect(markdown).toContain('- Recommendation: pass; votes: 6 pass, 3 fail, 0 amend, 0 defer\n');
    expect(markdown).toContain('- Synthesis: missing\n');
    expect(markdown).toContain('\n> - Who watches it.\n');
    expect(markdown).toMatch(/- Dissent of `Member-4`:\n\n> ```\n> Member-4 weighed it:\n/);
  });

  test('the terminal has one line for the panel of each contested motion', () => {
    expect(stdout).toContain('--- Phase 5: Panels --- 2 held, 1 of them failed, 2 skipped\n');
    expect(stdout.match(/^ {3}(?:Panel|No panel).*$/gm)).toEqual([
      '   Panel recommended: pass (6 pass, 3 fail, 0 amend, 0 defer)',
      '   Panel failed, its votes stand: 3 pass, 3 fail, 0 amend, 0 defer. ' +
        'The facilitator did not report: The answer holds no recommendation.',
      expect.stringMatching(/^ {3}No panel: Only 1 for it, 1 against it and 0 neutral/) as string,
      expect.stringMatching(/^ {3}No panel: Nobody stands for it/) as string,
    ]);
  });
});
