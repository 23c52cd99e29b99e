/** A run that was brought from elsewhere is data: shown with a mark, and used for nothing else, whatever it holds. */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from '../cli/jury.ts';
import { atFileEnd } from '../file-end.ts';
import { runsOf, stateOf } from '../state-of.ts';

type Json = Record<string, unknown>;

function editJson(file: string, edit: (value: Json) => Json): void {
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')) as Json)));
}

interface Brought {
  readonly sample: SampleRepository;
  readonly root: string;
  readonly run: string;
  /** Run folder in the `.jury` of the project. */
  readonly folder: string;
}

/** A project whose `.jury` holds a run and whose machine knows nothing of it, as after a clone. */
function bringRun(): Brought {
  made ??= reviewOnce();
  const sample = createChangedRepository();
  const { root } = sample;
  const folder = path.join(root, '.jury/runs', path.basename(made));
  cpSync(made, folder, { recursive: true });
  writeFileSync(path.join(root, '.jury/memory.sqlite'), '');
  return { sample, root, run: path.basename(made), folder };
}

let made: string | undefined;

/** Folder of a run of some other machine. */
function reviewOnce(): string {
  atFileEnd(() => (made = undefined));
  const { root } = createChangedRepository();
  return path.join(runsOf(root), juryJson(root, ['review']).record.run);
}

function importJson(
  root: string,
  ...args: string[]
): {
  readonly code: number | null;
  readonly imported: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  readonly left: readonly string[];
} {
  const { code, stdout } = jury(root, ['import', ...args, '--yes', '--json']);
  return { code, ...(JSON.parse(stdout) as Omit<ReturnType<typeof importJson>, 'code'>) };
}

describe('a run that is imported', () => {
  it('is asked about, and without a terminal taken only by who says so', () => {
    const { root, run } = bringRun();
    const { code, stdout, stderr } = jury(root, ['import']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /\njury: Nothing was imported: there is no terminal to ask on\. .*--yes\.\n$/,
    );
    expect(existsSync(stateOf(root))).toBe(false);
    const taken = importJson(root);
    expect([taken.code, taken.imported, taken.skipped]).toEqual([0, [run], []]);
    expect(taken.left).toEqual([expect.stringContaining('memory.sqlite')]);
    expect(existsSync(path.join(root, '.jury/runs', run, 'report.json'))).toBe(true);
  });

  it('is listed and shown with a mark, and no pass', () => {
    const { root, run, folder } = bringRun();
    importJson(root);
    const listed = jury(root, ['runs']).stdout;
    expect(listed).toMatch(new RegExp(`${run}.*IMPORTED \\(PASS\\)`));
    for (const format of ['brief', 'terminal', 'markdown', 'html', 'json']) {
      const { code, stdout } = jury(root, ['report', run, '--format', format]);
      expect([format, code]).toEqual([format, 2]);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('It was imported from');
    }
    expect(jury(root, ['show', run]).stdout).toContain('INCOMPLETE');
    expect(jury(root, ['show', run.slice(0, 17), 'diff']).stdout).toContain('diff');
    const { code, record } = juryJson(root, ['report', run]);
    expect([code, record.outcome, record.imported]).toEqual([
      2,
      'INCOMPLETE',
      { from: folder, at: expect.any(String), said: 'PASS' },
    ]);
  });

  it('still failed where it had failed', () => {
    const { root, run, folder } = bringRun();
    editJson(path.join(folder, 'report.json'), record => ({ ...record, outcome: 'FAIL' }));
    importJson(root);
    const { code, record } = juryJson(root, ['report', run]);
    expect([code, record.outcome, record.imported?.said]).toEqual([1, 'FAIL', 'FAIL']);
  });

  it('is gone on with, judged and explained by nobody, and is never the latest', () => {
    const { root, run } = bringRun();
    importJson(root);
    for (const args of [
      ['resume', run],
      ['resume', run.slice(0, 18)],
      ['gates', '--run', run],
      ['verdicts', '--run', run],
      ['explain', 'c-', '--run', run],
      ['approve', 'require-human', '--run', run, '--reason', 'looked at it'],
    ]) {
      const { code, stdout, stderr } = jury(root, args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain(`Run ${run} was imported: it is shown, and used for nothing else.`);
    }
    for (const args of [['resume'], ['report'], ['show'], ['gates', '--run', 'latest']]) {
      const { code, stdout } = jury(root, args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
    }
    expect(JSON.parse(jury(root, ['stats', '--json']).stdout)).toMatchObject({ runs: 0 });
  });

  it('is no answer to a review, and its reviews are not taken over', () => {
    const sample = createChangedRepository();
    const calls = path.join(sample.root, '../calls');
    const config = writePanel(sample, [
      {
        id: 'one',
        script: `fs.appendFileSync(${JSON.stringify(calls)}, 'one\\n');\n${goodAnswer}`,
      },
    ]);
    const args = ['review', '--config', config];
    const { run } = juryJson(sample.root, args).record;
    const away = createFolder();
    renameSync(path.join(runsOf(sample.root), run), path.join(away, 'artifact'));
    rmSync(stateOf(sample.root), { recursive: true });
    expect(importJson(sample.root, path.join(away, 'artifact')).imported).toEqual([run]);
    const { record } = juryJson(sample.root, args);
    expect([record.run === run, record.reused]).toEqual([false, false]);
    expect(readFileSync(calls, 'utf8')).toBe('one\none\n');
  });

  it('is skipped where it is here already', () => {
    const { root, run } = bringRun();
    importJson(root);
    expect(importJson(root)).toMatchObject({
      code: 0,
      imported: [],
      skipped: [{ name: run, why: 'it is here already', isHere: true }],
    });
    const own = juryJson(root, ['review']).record.run;
    cpSync(path.join(runsOf(root), own), path.join(root, '../artifact'), { recursive: true });
    expect(importJson(root, '../artifact').skipped).toEqual([
      { name: 'artifact', why: 'it is here already', isHere: true },
    ]);
  });

  it('is taken from a project, its .jury, a folder of runs or a run folder alike', () => {
    const { root, run, folder } = bringRun();
    for (const dir of ['.', '.jury', '.jury/runs', folder]) {
      expect([dir, importJson(root, dir).imported]).toEqual([dir, [run]]);
      jury(root, ['clean']);
    }
  });

  it('goes with the others, by the time of its import', () => {
    const { root, run } = bringRun();
    const folder = path.join(stateOf(root), 'imported', run);
    importJson(root);
    jury(root, ['clean', '--older-than', '1']);
    expect(existsSync(folder)).toBe(true);
    editJson(path.join(folder, 'report.json'), record => ({
      ...record,
      imported: { ...(record['imported'] as Json), at: '2020-01-01T00:00:00.000Z' },
    }));
    jury(root, ['review']);
    expect(existsSync(folder)).toBe(false);
  });
});

const isRoot = process.getuid?.() === 0;

describe('what is no run is skipped by its reason, and read by nobody:', () => {
  it.each<[what: string, why: string, spoil: (folder: string) => void, needsRoot?: boolean]>([
    [
      'a record that is no JSON',
      'report.json is damaged',
      folder => writeFileSync(path.join(folder, 'report.json'), '{'),
    ],
    [
      'a record of another shape',
      'report.json is damaged',
      folder => writeFileSync(path.join(folder, 'report.json'), '{"schema":"jury.run/1"}'),
    ],
    [
      'a record nested without end',
      'report.json is damaged',
      folder => writeFileSync(path.join(folder, 'report.json'), '['.repeat(2_000_000)),
    ],
    [
      'a huge record',
      'report.json is larger than 32 MiB',
      folder => truncateSync(path.join(folder, 'report.json'), 40 << 20),
    ],
    [
      'a record of another run',
      'report.json names another run',
      folder =>
        editJson(path.join(folder, 'report.json'), record => ({
          ...record,
          run: '20200101T000000Z-aaaaaa',
        })),
    ],
    [
      'a way out in the name of a run',
      'report.json does not name a run',
      folder =>
        editJson(path.join(folder, 'report.json'), record => ({ ...record, run: '../../x' })),
    ],
    [
      'a way out in the name of a reviewer',
      'the id of a reviewer is no name of a file',
      folder =>
        editJson(path.join(folder, 'report.json'), record => ({
          ...record,
          reviewers: (record['reviewers'] as Json[]).map((reviewer, index) =>
            index === 0 ? { ...reviewer, id: '../../../../etc/passwd' } : reviewer,
          ),
        })),
    ],
    [
      'a process nobody knows',
      'it is of a process nobody knows',
      folder => editJson(path.join(folder, 'report.json'), record => ({ ...record, command: 'x' })),
    ],
    [
      'the review of another reviewer',
      'raw/diff.json is the review of another',
      folder =>
        editJson(path.join(folder, 'raw/diff.json'), review => ({ ...review, reviewer: 'other' })),
    ],
    [
      'a review that is missing',
      'raw/diff.json is missing',
      folder => rmSync(path.join(folder, 'raw/diff.json')),
    ],
    [
      'a pipe',
      'raw/diff.json is no plain file',
      folder => {
        rmSync(path.join(folder, 'raw/diff.json'));
        execFileSync('mkfifo', [path.join(folder, 'raw/diff.json')]);
      },
    ],
    [
      'a link to a file',
      'report.json is no plain file',
      folder => {
        renameSync(path.join(folder, 'report.json'), path.join(folder, 'other.json'));
        symlinkSync('other.json', path.join(folder, 'report.json'));
      },
    ],
    [
      'a link to a device',
      'subject.json is no plain file',
      folder => {
        rmSync(path.join(folder, 'subject.json'));
        symlinkSync('/dev/zero', path.join(folder, 'subject.json'));
      },
    ],
    [
      'a folder behind a link',
      'raw/ is no folder of this user',
      folder => {
        renameSync(path.join(folder, 'raw'), path.join(folder, '../../raw'));
        symlinkSync('../../raw', path.join(folder, 'raw'));
      },
    ],
    [
      'a run behind a link',
      'it is a link',
      folder => {
        renameSync(folder, path.join(folder, '../../away'));
        symlinkSync('../away', folder);
      },
    ],
    [
      'a file of another user',
      'report.json belongs to another user',
      folder => chownSync(path.join(folder, 'report.json'), 4242, 4242),
      true,
    ],
    [
      'a folder of another user',
      'it belongs to another user',
      folder => chownSync(folder, 4242, 4242),
      true,
    ],
  ])('%s', (_what, why, spoil, needsRoot = false) => {
    if (needsRoot && !isRoot) return;
    const { root, run, folder } = bringRun();
    spoil(folder);
    const { code, imported, skipped } = importJson(root);
    expect([code, imported]).toEqual([2, []]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toMatchObject({ name: run });
    expect(skipped[0]?.why.split('/').slice(-2).join('/')).toContain(
      why.split('/').slice(-2).join('/'),
    );
    expect(existsSync(stateOf(root))).toBe(false);
  });

  it('a folder of another name, which stays among others that are runs', () => {
    const { root, run, folder } = bringRun();
    mkdirSync(path.join(folder, '..', '..evil'));
    writeFileSync(path.join(folder, '..', 'notes.txt'), '');
    const { imported, skipped } = importJson(root);
    expect(imported).toEqual([run]);
    expect(skipped.map(({ name }) => name).toSorted()).toEqual(['..evil', 'notes.txt']);
  });

  it.each([
    ['a file', 'file.txt', 'it is no folder'],
    ['nothing', 'nowhere', 'there is no such folder'],
    ['a link', 'link', 'it is a link'],
    ['a folder without runs', 'src', 'there is no run in it'],
  ])('%s that is named, in one sentence', (_what, name, why) => {
    const { root } = createChangedRepository();
    writeFileSync(path.join(root, 'file.txt'), '');
    symlinkSync('src', path.join(root, 'link'));
    const { code, stdout, stderr } = jury(root, ['import', name, '--yes']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `jury: There is nothing to import from ${path.join(root, name)}: ${why}. Name a run folder, a ` +
        `folder of runs, or the .jury of an earlier version.\n`,
    );
  });
});

it('words of an imported run steer no terminal, and paths of it lead nowhere', () => {
  const { root, run, folder } = bringRun();
  editJson(path.join(folder, 'report.json'), record => ({
    ...record,
    subject: { ...(record['subject'] as Json), title: '\u001b[2J\u202Eowned' },
    uri: 'resources://runs/../../x',
    imported: { from: '/trusted', at: '2020-01-01T00:00:00.000Z', said: 'PASS' },
    reused: true,
  }));
  const { stderr } = jury(root, ['import', '--yes']);
  const shown = jury(root, ['report', run, '--format', 'terminal']).stdout;
  for (const text of [stderr, shown, jury(root, ['runs']).stdout])
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
  expect(juryJson(root, ['report', run]).record).toMatchObject({
    imported: { from: folder },
    reused: false,
  });
  expect(readdirSync(path.join(stateOf(root), 'imported'))).toEqual([run]);
});
