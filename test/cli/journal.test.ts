import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Handoff } from '../../src/core/run-files/run-page.ts';
import { readTeamPanels } from '../core/run-files/team-panels.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

describe('the journal for people', () => {
  it('says what was assumed and what is open, and hands the reviews on by reference', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'good', script: goodAnswer },
      { id: 'seven', script: 'process.exit(7);' },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    const folder = path.join(runsOf(sample.root), record.run);
    const journal = readFileSync(path.join(folder, 'journal.md'), 'utf8');
    expect(journal).toMatch(
      /^# Journal\n### Team Panel\n\*\*Assumptions\*\*\n- The panel answers for the change: good as code-quality-reviewer, seven as/,
    );
    const [panel] = readTeamPanels(journal);
    expect(panel?.openQuestions).toContain(
      'What would seven have said? It did not review: ✗ (error (exit 7)).',
    );
    expect(panel?.proposedSpikes[0]).toMatch(/^spike\/.*-1: reproduce `?c-/);
    const handoff = Handoff.parse(
      JSON.parse(readFileSync(path.join(folder, 'handoff/Reviewer→Supervisor.json'), 'utf8')),
    );
    expect(handoff).toMatchObject({
      task_id: record.run,
      risks: [
        'src/sum.js:1 1 public name is given another signature: sum (`export const sum = list`)',
        ...record.reasons.map(({ sentence }) => sentence),
      ],
    });
    expect(handoff.evidence).toEqual(
      expect.arrayContaining(
        ['good', 'seven'].map(id => `resources://runs/${record.run}/reviews/${id}.md`),
      ),
    );
  });

  it('gets another page when the run goes on', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'good', script: goodAnswer },
      { id: 'seven', script: 'process.exit(7);' },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    jury(sample.root, ['resume', record.run]);
    expect(
      readTeamPanels(
        readFileSync(path.join(runsOf(sample.root), record.run, 'journal.md'), 'utf8'),
      ),
    ).toHaveLength(2);
  });
});
