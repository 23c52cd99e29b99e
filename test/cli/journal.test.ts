import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Handoff } from '../../src/core/run-files/run-page.ts';
import { readTeamPanels } from '../core/run-files/team-panels.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

/** By one that answers and one that fails. */
function reviewed() {
  const sample = createChangedRepository();
  const { root } = sample;
  const config = writePanel(sample, [
    { id: 'good', script: goodAnswer },
    { id: 'seven', script: 'process.exit(7);' },
  ]);
  const { record } = juryJson(root, ['review', '--config', config]);
  const read = (name: string) => readFileSync(path.join(runsOf(root), record.run, name), 'utf8');
  return { root, record, read };
}

describe('the journal for people', () => {
  it('says what was assumed and what is open, and hands the reviews on by reference', () => {
    const { record, read } = reviewed();
    const journal = read('journal.md');
    expect(journal).toMatch(
      /^# Journal\n### Team Panel\n\*\*Assumptions\*\*\n- The panel answers for the change: good as code-quality-reviewer, seven as/,
    );
    const [panel] = readTeamPanels(journal);
    expect(panel?.openQuestions).toContain(
      'What would seven have said? It did not review: ✗ (error (exit 7)).',
    );
    expect(panel?.proposedSpikes[0]).toMatch(/^spike\/.*-1: reproduce `?c-/);
    const handoff = Handoff.parse(JSON.parse(read('handoff/Reviewer→Supervisor.json')));
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
    const { root, record, read } = reviewed();
    jury(root, ['resume', record.run]);
    expect(readTeamPanels(read('journal.md'))).toHaveLength(2);
  });
});
