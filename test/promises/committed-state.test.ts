/** What a repository brings in `.jury` is never read: not executed, not believed, not shown. What this machine keeps is gone on with. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFolder,
  openSample,
  runGitIn,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  goodAnswer,
  jury,
  juryJson,
  juryProcess,
  writePanel,
} from '../cli/jury.ts';
import { connect } from '../mcp/connect.ts';
import { runsOf, stateOf } from '../state-of.ts';
import { sealed } from '../sealed.ts';

const forgedId = '20991122T000000Z-aaaaaa';
const secret = { SECRET_TOKEN: 'hunter2' };

type Json = Record<string, unknown>;

function listRuns(root: string): string[] {
  return readdirSync(runsOf(root)).filter(name => /^\d{8}T/.test(name));
}

function editJson(file: string, edit: (value: Json) => Json): void {
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')) as Json)));
}

/** Two files that a reviewer leaves where it was started: that it was, and what it saw of the environment. */
function marksOf(root: string): {
  readonly started: string;
  readonly seen: string;
  readonly command: string[];
} {
  const [started, seen] = [path.join(root, '../started'), path.join(root, '../seen')];
  return {
    started,
    seen,
    command: [
      'sh',
      '-c',
      `touch ${started}; env > ${seen}; cat > /dev/null; echo None; echo 'VERDICT: safe'`,
    ],
  };
}

/** The plan of a question that was asked honestly, with somebody else in its only seat. */
function forgePlan(victim: string, command: readonly string[]): string {
  const honest = createChangedRepository();
  jury(honest.root, [
    'ask',
    'Is it good?',
    '--config',
    writePanel(honest, [{ id: 'one', script: goodAnswer }]),
  ]);
  const [run = ''] = listRuns(honest.root);
  const plan = JSON.parse(
    readFileSync(path.join(runsOf(honest.root), run, 'plan.json'), 'utf8'),
  ) as Json & { seats: Json[]; policy: Json };
  const seats = plan.seats.map(seat => ({
    ...seat,
    home: '/',
    command,
    environment: Object.keys(secret),
  }));
  return JSON.stringify(
    sealed({
      ...plan,
      run: forgedId,
      cwd: victim,
      seats,
      policy: { ...plan.policy, quorum: 1 },
    }),
  );
}

interface Hostile {
  readonly root: string;
  readonly started: string;
  readonly seen: string;
}

/** A repository that holds a run nobody held; `place`: where its folder of runs is committed. */
function createHostile({ place = '.jury/runs', link = false, commit = true } = {}): Hostile {
  const sample = createChangedRepository();
  const { command, ...marks } = marksOf(sample.root);
  sample.write(`${place}/${forgedId}/plan.json`, forgePlan(sample.root, command));
  if (link) symlinkSync(path.dirname(place), path.join(sample.root, '.jury'));
  sample.git('add', '-f', '.');
  if (commit) sample.git('commit', '-q', '-m', 'three');
  return { root: sample.root, ...marks };
}

describe('a run that came with the repository', () => {
  it.each<[string, Parameters<typeof createHostile>[0]]>([
    ['committed', {}],
    ['only staged', { commit: false }],
    ['behind a committed link', { place: 'notes/runs', link: true }],
  ])('is not gone on with: %s', (_how, how) => {
    const { root, started, seen } = createHostile(how);
    for (const wanted of ['latest', forgedId]) {
      const { code, stdout, stderr } = jury(root, ['resume', wanted], { environment: secret });
      expect([existsSync(started), existsSync(seen)]).toEqual([false, false]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('There is no run under')]);
      expect(stdout).not.toContain('PASS');
    }
  });

  it('is not gone on with in a clone, from a folder below its top', () => {
    const { root, started } = createHostile();
    const clone = path.join(createFolder(), 'clone');
    runGitIn(root, ['clone', '-q', root, clone]);
    expect(jury(path.join(clone, 'src'), ['resume', 'latest'], { environment: secret }).code).toBe(
      2,
    );
    expect(existsSync(started)).toBe(false);
  });

  it('is not gone on with for an agent', async () => {
    const { root, started, seen } = createHostile();
    const client = await connect('2.x as of 2026', { cwd: root, environment: secret });
    try {
      const { isError, text } = await client.call('start', {
        process: 'resume',
        subject: 'latest',
      });
      expect([isError, existsSync(started), existsSync(seen)]).toEqual([true, false, false]);
      expect(text).not.toContain('PASS');
      expect(await client.listResources()).toEqual([]);
    } finally {
      await client.close();
    }
  });

  it('is not gone on with when it is a vote on motions', () => {
    const sample = createChangedRepository();
    const started = path.join(sample.root, '../started');
    sample.write(
      'session/mega-motions.json',
      JSON.stringify([
        {
          mega_motion_id: 'm-1',
          title: 'One',
          theme: 'Care',
          consolidated_text: 'The members shall act with care.',
          source_motion_ids: ['s-1'],
          all_supporting_archons: [],
          unique_archon_count: 0,
        },
      ]),
    );
    sample.write('session/roster.json', JSON.stringify(['Ada']));
    sample.write(
      'voters.json',
      JSON.stringify({
        motions: {
          reviewer: {
            runner: 'command',
            command: ['node', './voter.mjs'],
            isolation: { sandbox: false },
          },
        },
      }),
    );
    sample.write(
      'voter.mjs',
      `import fs from 'node:fs';\nfs.writeFileSync(${JSON.stringify(started)}, '');\nprocess.kill(process.ppid, 'SIGKILL');\n`,
    );
    juryProcess(sample.root, [
      'motions',
      'session',
      '--real-agent',
      '--concurrency',
      '1',
      '--config',
      'voters.json',
    ]);
    expect(existsSync(started)).toBe(true);
    renameSync(started, `${started}-once`);
    bringState(sample);
    sample.git('add', '-f', '.');
    sample.git('commit', '-q', '-m', 'a vote');
    expect(jury(sample.root, ['resume', 'latest']).code).toBe(2);
    expect(existsSync(started)).toBe(false);
  });
});

const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
const evil = `export const key = '${key}';\n`;

/** A run about the file that really failed, made to say that it passed. */
function forgePass(root: string): string {
  const [run = ''] = listRuns(root);
  const folder = path.join(runsOf(root), run);
  editJson(path.join(folder, 'report.json'), record => ({
    ...record,
    outcome: 'PASS',
    exitCode: 0,
    reasons: [],
    blocking: [],
    claims: [],
  }));
  for (const name of readdirSync(path.join(folder, 'raw')).filter(file => file.endsWith('.json')))
    editJson(path.join(folder, 'raw', name), review => ({ ...review, findings: [] }));
  return run;
}

/** Puts the state of this machine into the repository, where its reader would have kept it, and takes it from the machine. */
function bringState(sample: SampleRepository): void {
  rmSync(path.join(sample.root, '.jury'), { recursive: true, force: true });
  cpSync(stateOf(sample.root), path.join(sample.root, '.jury'), { recursive: true });
  rmSync(stateOf(sample.root), { recursive: true });
}

/** Reviews the file once, takes it back, and commits the state that `forge` leaves before the file comes again. */
function commitStateBefore(sample: SampleRepository, forge: () => void): void {
  sample.write('src/key.js', evil);
  sample.commit('key');
  expect(juryJson(sample.root, ['review']).record.outcome).toBe('FAIL');
  forge();
  bringState(sample);
  sample.git('reset', '-q', '--hard', 'HEAD~1');
  sample.git('add', '-f', '.jury');
  sample.git('commit', '-q', '-m', 'state');
  sample.write('src/key.js', evil);
  sample.git('add', 'src');
  sample.git('commit', '-q', '-m', 'key');
}

describe('a passing run that came with the repository', () => {
  it("is no answer to a review, and is nobody's latest run", () => {
    const sample = createChangedRepository();
    let forged = '';
    commitStateBefore(sample, () => (forged = forgePass(sample.root)));
    for (const args of [
      ['report', 'latest'],
      ['report', forged],
      ['show', forged],
      ['resume', 'latest'],
      ['gates', '--run', forged],
    ]) {
      const { code, stdout } = jury(sample.root, args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
    }
    expect(jury(sample.root, ['runs', '--json']).stdout.trim()).toBe('[]');
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.outcome, record.reused, record.run === forged]).toEqual([
      1,
      'FAIL',
      false,
      false,
    ]);
    expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(record.run);
  });

  it('is no answer to a review of whole files, whichever was committed first', () => {
    const sample = createChangedRepository();
    sample.write('src/key.js', evil);
    sample.commit('key');
    expect(jury(sample.root, ['review', '--files', 'src']).code).toBe(1);
    const forged = forgePass(sample.root);
    bringState(sample);
    sample.git('add', '-f', '.jury');
    sample.git('commit', '-q', '-m', 'state');
    const { code, record } = juryJson(sample.root, ['review', '--files', 'src']);
    expect([code, record.run === forged]).toEqual([1, false]);
  });

  it('is no answer in the form of a copy either', () => {
    const sample = createChangedRepository();
    const { record } = juryJson(sample.root, ['review']);
    const copies = path.join(sample.root, '.jury/runs', record.run);
    expect(existsSync(path.join(copies, 'report.md'))).toBe(true);
    cpSync(path.join(runsOf(sample.root), record.run), copies, { recursive: true });
    rmSync(stateOf(sample.root), { recursive: true });
    const again = juryJson(sample.root, ['review']);
    expect([again.record.reused, again.record.run === record.run]).toEqual([false, false]);
  });

  it("still answers when it is one's own and nothing has changed", () => {
    const sample = createChangedRepository();
    const first = juryJson(sample.root, ['review']);
    const again = juryJson(sample.root, ['review']);
    expect([again.record.run, again.record.reused]).toEqual([first.record.run, true]);
  });
});

describe('decisions of people that came with the repository', () => {
  it("dismiss nothing, and those of one's own still do", () => {
    const sample = createChangedRepository();
    commitStateBefore(sample, () => {
      const { claims } = juryJson(sample.root, ['report']).record;
      for (const { id } of claims) jury(sample.root, ['dismiss', id, '--reason', 'meant']);
      expect([claims.length > 0, jury(sample.root, ['review']).code]).toEqual([true, 0]);
    });
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.outcome, record.dismissed]).toEqual([1, 'FAIL', []]);
  });
});

describe('the state folder', () => {
  it.each(['.', 'state', 'src/../state/deep'])(
    'is refused in the repository under review: %s',
    place => {
      const { root } = createChangedRepository();
      for (const command of [['review'], ['runs'], ['resume'], ['plan']]) {
        const { code, stdout, stderr } = jury(root, command, {
          environment: { JURY_STATE: path.join(root, place) },
        });
        expect([command, code, stdout]).toEqual([command, 3, '']);
        expect(stderr).toContain('lies inside the repository under review');
      }
      expect(readdirSync(root).toSorted()).toEqual(['.git', 'src']);
    },
  );

  it('is refused behind a link into the repository', () => {
    const { root } = createChangedRepository();
    const link = path.join(root, '../link');
    symlinkSync(root, link);
    const { code } = jury(root, ['review'], {
      environment: { JURY_STATE: path.join(link, 'state') },
    });
    expect(code).toBe(3);
  });

  it('is private, and refused when others can read it', () => {
    const { root } = createChangedRepository();
    jury(root, ['review']);
    const open: string[] = [];
    for (const entry of readdirSync(stateOf(root), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if ((statSync(file).mode & 0o077) !== 0) open.push(file);
    }
    expect([statSync(stateOf(root)).mode & 0o777, open]).toEqual([0o700, []]);
    chmodSync(stateOf(root), 0o755);
    const { code, stderr } = jury(root, ['review']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('can be read or written by others'),
    ]);
  });

  it('holds no record that others could have written', () => {
    const { root } = createChangedRepository();
    const { record } = juryJson(root, ['review']);
    chmodSync(path.join(runsOf(root), record.run, 'report.json'), 0o666);
    for (const args of [
      ['report', record.run],
      ['resume', record.run],
    ]) {
      const { code, stdout, stderr } = jury(root, args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain('can be read or written by others');
    }
  });

  it('that cannot be written is named in one sentence', () => {
    const { root } = createChangedRepository();
    const { code, stdout, stderr } = jury(root, ['review'], {
      environment: { JURY_STATE: '/proc/jury' },
    });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toBe('jury: No folder can be made at /proc/jury.\n');
  });

  it('is refused by the name of what stands in its way', () => {
    const { root } = createChangedRepository();
    const home = createFolder();
    writeFileSync(path.join(home, 'jury'), '');
    symlinkSync('/nowhere', path.join(home, 'link'));
    for (const [environment, name] of [
      [{ JURY_STATE: '', XDG_STATE_HOME: home }, 'jury'],
      [{ JURY_STATE: path.join(home, 'jury', 'deeper') }, 'jury'],
      [{ JURY_STATE: path.join(home, 'link', 'deeper') }, 'link'],
    ] as const) {
      for (const args of [['review'], ['runs']]) {
        const { code, stdout, stderr } = jury(root, args, { environment });
        expect([args, code, stdout]).toEqual([args, 3, '']);
        expect(stderr).toMatch(
          new RegExp(`: ${path.join(home, name)} is no folder\\. .*JURY_STATE`),
        );
      }
    }
    const real = createFolder();
    symlinkSync(real, path.join(home, 'home'));
    expect(
      jury(root, ['review'], { environment: { JURY_STATE: path.join(home, 'home/deeper') } }).code,
    ).not.toBe(3);
  });

  it('lies where the system keeps such things when nobody names one', () => {
    const { root } = createChangedRepository();
    const home = createFolder();
    jury(root, ['review'], { environment: { JURY_STATE: '', XDG_STATE_HOME: '', HOME: home } });
    jury(root, ['review', '--fresh'], {
      environment: { JURY_STATE: '', XDG_STATE_HOME: path.join(home, 'xdg'), HOME: home },
    });
    for (const place of ['.local/state/jury', 'xdg/jury'])
      expect(readdirSync(path.join(home, place))).toEqual([path.basename(stateOf(root))]);
  });
});

describe('copies in the project', () => {
  it('are there for people, are not made when nobody wants them, and go with their run', () => {
    const { root } = createChangedRepository();
    const { record } = juryJson(root, ['review']);
    const copies = path.join(root, '.jury/runs', record.run);
    expect(readdirSync(copies)).toEqual(
      expect.arrayContaining(['report.md', 'reviews', 'verdicts']),
    );
    expect(jury(root, ['report', record.run]).stdout).toContain(path.join(copies, 'report.md'));
    jury(root, ['clean']);
    expect(existsSync(copies)).toBe(false);
    const other = createChangedRepository();
    writeFileSync(path.join(other.root, '../none.json'), JSON.stringify({ copies: false }));
    jury(other.root, ['review', '--config', '../none.json']);
    expect(readdirSync(other.root).toSorted()).toEqual(['.git', 'src']);
  });

  it.each([
    ['.jury', 'No copies of this run are kept in the project: '],
    ['.jury/runs', 'No copies of this run are kept in the project: '],
    ['.jury/reviews', 'No reports are kept in the project: '],
  ])('are done without where a file stands at %s, which one line says', (name, sentence) => {
    const { root } = createChangedRepository();
    const { code: usual } = jury(root, ['review']);
    rmSync(path.join(root, '.jury'), { recursive: true });
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), 'mine');
    const { code, record, stderr } = juryJson(root, ['review', '--fresh']);
    expect([code, readFileSync(path.join(root, name), 'utf8')]).toEqual([usual, 'mine']);
    expect(stderr.split('\n').filter(line => line.includes('where Jury keeps a folder'))).toEqual([
      `${sentence}${path.join(root, name)} is a link or a file where Jury keeps a folder. Remove it, then try again.`,
    ]);
    expect(existsSync(path.join(runsOf(root), record.run, 'report.json'))).toBe(true);
  });

  it('are not written through a link, nor removed behind one', () => {
    const { root } = createChangedRepository();
    const outside = createFolder();
    symlinkSync(outside, path.join(root, '.jury'));
    const { code, record, stderr } = juryJson(root, ['review']);
    expect([code === 3, readdirSync(outside)]).toEqual([false, []]);
    expect(stderr).toContain('No copies of this run are kept in the project');
    mkdirSync(path.join(outside, 'runs', record.run), { recursive: true });
    jury(root, ['clean']);
    expect(existsSync(path.join(outside, 'runs', record.run))).toBe(true);
  });
});

type Body = readonly [key: string, value: unknown];

/** As somebody would write it who knows the format: every checksum holds. */
function editJournal(file: string, edit: (bodies: readonly Body[]) => readonly Body[]): void {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const bodies = edit(lines.map(line => JSON.parse(bodyOf(line)) as Body));
  let [text, previous] = ['', '0'.repeat(64)];
  for (const [number, body] of [
    bodyOf(first),
    ...bodies.map(each => JSON.stringify(each)),
  ].entries()) {
    const head = `${number} ${Buffer.byteLength(body)} ${previous}`;
    previous = createHash('sha256').update(`${head} ${body}`).digest('hex');
    text += `${head} ${previous} ${body}\n`;
  }
  writeFileSync(file, text);
}

function bodyOf(line: string): string {
  return line.split(' ').slice(4).join(' ');
}

/** One reviewer that answers and one that fails as long as nobody says go; each call leaves a line. */
function createUndecided(): { sample: SampleRepository; config: string; calls: () => string[] } {
  const sample = createChangedRepository();
  const [log, go] = [path.join(sample.root, '../calls'), path.join(sample.root, '../go')];
  const called = (id: string): string => `fs.appendFileSync(${JSON.stringify(log)}, '${id}\\n');`;
  const config = writePanel(
    sample,
    [
      { id: 'one', script: `${called('one')}\n${goodAnswer}` },
      {
        id: 'two',
        script: `${called('two')}\nif (!fs.existsSync(${JSON.stringify(go)})) process.exit(7);\n${goodAnswer}`,
      },
    ],
    'quorum: 2\nfailOn: [never]\n',
  );
  expect(jury(sample.root, ['review', '--config', config]).code).toBe(2);
  writeFileSync(go, '');
  return { sample, config, calls: () => readFileSync(log, 'utf8').trim().split('\n').toSorted() };
}

describe("a run of one's own", () => {
  it('goes on without asking anybody twice, with the configuration that was named', () => {
    const { sample, calls } = createUndecided();
    const { code, record } = juryJson(sample.root, ['resume']);
    expect([code, record.outcome, calls()]).toEqual([0, 'PASS', ['one', 'two', 'two']]);
  });

  it.each([
    ['is whole', {}, false],
    ['has no transcript', { transcript: undefined }, true],
    ['ends in no known way', { stop: 'well' }, true],
    ['ran where nobody runs', { isolation: { level: 'L9' } }, true],
  ])(
    'asks again only for an answer in its journal that is none: one that %s',
    (_, other, isAskedAgain) => {
      const { sample, calls } = createUndecided();
      const [run = ''] = listRuns(sample.root);
      editJournal(path.join(runsOf(sample.root), run, 'journal.jsonl'), bodies =>
        bodies
          .filter(([key]) => !/^(?:review|spent|end)\//.test(key))
          .map(([key, value]) =>
            key.startsWith('one/1/call') ? [key, { ...(value as Json), ...other }] : [key, value],
          ),
      );
      jury(sample.root, ['resume']);
      expect(calls().filter(id => id === 'one')).toHaveLength(isAskedAgain ? 2 : 1);
    },
  );

  it('takes its reviewers from the configuration, never from its plan', () => {
    const { sample, calls } = createUndecided();
    const { command, started, seen } = marksOf(sample.root);
    const [run = ''] = listRuns(sample.root);
    editJson(path.join(runsOf(sample.root), run, 'plan.json'), plan =>
      sealed({
        ...plan,
        seats: (plan['seats'] as Json[]).map(seat => ({
          ...seat,
          command,
          environment: Object.keys(secret),
        })),
      }),
    );
    const { code, stderr } = jury(sample.root, ['resume'], { environment: secret });
    expect([existsSync(started), existsSync(seen), calls()]).toEqual([
      false,
      false,
      ['one', 'two'],
    ]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('command')]);
  });

  it.each<[string, (seat: string) => string]>([
    ['program', text => text.replace('./two.mjs', './three.mjs')],
    ['model', text => text.replace('./two.mjs]', './two.mjs], model: another')],
    ['persona', text => text.replace('./two.mjs]', './two.mjs], persona: security-reviewer')],
  ])('is over when a reviewer has another %s since', (_what, edit) => {
    const { sample, config, calls } = createUndecided();
    sample.write(
      '../panel/three.mjs',
      `import fs from 'node:fs';\nfs.appendFileSync(${JSON.stringify(path.join(sample.root, '../calls'))}, 'three\\n');\n`,
    );
    writeFileSync(config, edit(readFileSync(config, 'utf8')));
    const { code, stderr } = jury(sample.root, ['resume']);
    expect([code, stderr, calls()]).toEqual([3, expect.stringContaining('two'), ['one', 'two']]);
  });

  it('is that of the repository one stands in, not of one planted around it', () => {
    const { root, started } = createHostile({ place: 'sub/.jury/runs' });
    const bare = openSample(root);
    bare.write('sub/HEAD', 'ref: refs/heads/main\n');
    bare.write('sub/objects/.keep', '');
    bare.write('sub/refs/.keep', '');
    bare.git('add', '-f', '.');
    bare.git('commit', '-q', '-m', 'a bare repository among the files');
    editJson(path.join(root, 'sub/.jury/runs', forgedId, 'plan.json'), plan =>
      sealed({ ...plan, cwd: path.join(root, 'sub') }),
    );
    expect(jury(path.join(root, 'sub'), ['resume', 'latest'], { environment: secret }).code).toBe(
      2,
    );
    expect(existsSync(started)).toBe(false);
  });
});
