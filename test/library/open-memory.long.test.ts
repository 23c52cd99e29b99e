import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/adapters/store/sqlite.ts';
import { systemStorage } from '../../src/adapters/store/storage.ts';
import { createJury, type Jury, type RunEvent } from '../../src/index.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';

const answer = 'IMPORTANT|src/sum.js:2|An empty list throws\nVERDICT: needs-changes';
const request = { process: 'review', range: 'HEAD~1..HEAD', fresh: true } as const;

interface Lab {
  readonly jury: Jury;
  readonly project: string;
  readonly memory: string;
  readonly notes: string[];
  /** What the reviewer does before it answers. */
  meanwhile: () => Promise<void> | void;
}

/** The one claim of its change was dismissed by a person. */
async function createDismissed() {
  const { root: cwd } = createChangedRepository();
  const lab: { -readonly [Key in keyof Lab]: Lab[Key] } = {
    jury: createJury({
      cwd,
      environment: { PATH: process.env.PATH, JURY_STATE: process.env.JURY_STATE },
      config: { reviewers: [{ id: 'one', runner: 'mine' }], failOn: ['single:high'] },
      runners: {
        mine: async () => {
          await lab.meanwhile();
          return { text: answer };
        },
      },
      onEvent: (event: RunEvent) => {
        if (event.type === 'note') lab.notes.push(event.message);
      },
    }),
    project: cwd,
    memory: path.join(stateOf(cwd), 'memory.sqlite'),
    notes: [],
    meanwhile: () => {},
  };
  const first = await lab.jury.run(request);
  expect(first.outcome).toBe('FAIL');
  await lab.jury.decide({
    claim: first.claims[0]?.id ?? '',
    verdict: 'rejected',
    reason: 'It is never empty',
    scope: 'claim',
    until: null,
    baseline: false,
  });
  expect((await lab.jury.run(request)).outcome).toBe('PASS');
  lab.notes.splice(0);
  return lab;
}

async function hold(file: string) {
  const database = await openDatabase(systemStorage.disk, file);
  database.exec('BEGIN EXCLUSIVE');
  return database;
}

describe('a memory that cannot be used', () => {
  it('at the end of a review costs neither verdict nor report: what was known at its beginning decides', async () => {
    const lab = await createDismissed();
    const held: Database[] = [];
    lab.meanwhile = async () => void held.push(await hold(lab.memory));
    const run = await lab.jury.run(request);
    held[0]?.close();
    expect([run.outcome, run.record.dismissed.length]).toEqual(['PASS', 1]);
    expect((await lab.jury.report(run.record.run)).outcome).toBe('PASS');
    expect(lab.notes).toEqual([
      expect.stringMatching(/^This run is not remembered: .*memory\.sqlite.* Wait until that one/),
    ]);
  });

  it('at any time of it takes what was decided from the claims, and never adds to it', async () => {
    const lab = await createDismissed();
    const held = await hold(lab.memory);
    const run = await lab.jury.run(request);
    held.close();
    expect(run.outcome).toBe('FAIL');
    expect(lab.notes).toEqual([
      expect.stringMatching(/^This run is not remembered, and nothing .* counts: .*holds it/),
    ]);
    // The answer is for the one who waits: with what was decided it is another.
    const { outcome } = await lab.jury.run({ ...request, fresh: false });
    expect(outcome).toBe('PASS');
  });

  it('since a folder stands at its name is no fault', async () => {
    const lab = await createDismissed();
    lab.meanwhile = () => {
      rmSync(lab.memory);
      mkdirSync(lab.memory);
    };
    const run = await lab.jury.run(request);
    expect([run.outcome, lab.notes.length]).toEqual(['PASS', 1]);
  });
});

describe('a project that is closed while reviewers think', () => {
  it('gets no copies any more, which is said once, and the report is where they are not needed', async () => {
    const lab = await createDismissed();
    const project = path.join(lab.project, '.jury');
    lab.meanwhile = () => {
      rmSync(project, { recursive: true });
      writeFileSync(project, 'mine');
    };
    const run = await lab.jury.run(request);
    expect([run.outcome, run.copies, readFileSync(project, 'utf8')]).toEqual([
      'PASS',
      null,
      'mine',
    ]);
    expect(readdirSync(run.folder)).toContain('report.md');
    expect(lab.notes).toEqual([
      `No copies of this run are kept in the project: ${project} is a link or a file where Jury keeps a folder. Remove it, then try again.`,
    ]);
  });
});
