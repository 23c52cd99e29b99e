/** A change does not choose its judges: what it touches of them is that of its base, is named, and keeps the review from being proof. */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from '../cli/jury.ts';
import { stateOf } from '../state-of.ts';

const name = 'jury.config.yaml';

/** Says nothing is wrong, and leaves a line that says who it was and as whom it was asked. */
function reviewer(sample: SampleRepository, mark: string, before = ''): string {
  return (
    `import fs from 'node:fs';\n${before}let prompt = '';\nprocess.stdin.on('data', text => (prompt ` +
    `+= text)).on('end', () => {\n  fs.appendFileSync(${JSON.stringify(logOf(sample))}, '${mark} ' + ` +
    `(/As the (\\w+)/.exec(prompt)?.[1] ?? 'nobody') + '\\n');\n  console.log('None\\nVERDICT: ` +
    `safe');\n});\n`
  );
}

function logOf(sample: SampleRepository): string {
  return path.join(sample.root, '../asked');
}

function askedOf(sample: SampleRepository): string[] {
  return existsSync(logOf(sample)) ? readFileSync(logOf(sample), 'utf8').trim().split('\n') : [];
}

/** A panel of one whose program lies outside of the repository. */
function guardOutside(sample: SampleRepository, id = 'guard'): string {
  sample.write(`../panel/${id}.mjs`, reviewer(sample, id));
  return (
    `reviewers:\n  - { id: ${id}, runner: command, command: [node, ` +
    `${path.join(sample.root, `../panel/${id}.mjs`)}], isolation: { write: ` +
    `[${path.dirname(sample.root)}] } }\n`
  );
}

const planted =
  'reviewers:\n  - { id: planted, runner: command, command: [sh, -c, "cat > /dev/null; touch PLACE; ' +
  "echo None; echo 'VERDICT: safe'\"], isolation: { sandbox: false } }\n";

function plantedIn(sample: SampleRepository): string {
  return planted.replace('PLACE', markOf(sample));
}

function markOf(sample: SampleRepository): string {
  return path.join(sample.root, '../planted');
}

interface Wanted {
  readonly touched: string;
  readonly by?: readonly string[];
  readonly args?: readonly string[];
  readonly cwd?: string;
}

function sentencesOf({ reasons }: ReturnType<typeof juryJson>['record']): string {
  return reasons.map(({ sentence }) => sentence).join('\n');
}

function expectHeld(
  sample: SampleRepository,
  { touched, by = ['guard'], args = ['review'], cwd = '.' }: Wanted,
): void {
  const { code, record } = juryJson(path.join(sample.root, cwd), args);
  expect([code, record.outcome, record.exitCode]).toEqual([2, 'INCOMPLETE', 2]);
  expect(record.reviewers.map(({ id }) => id)).toEqual(by);
  expect(sentencesOf(record)).toContain(touched);
  expect(existsSync(markOf(sample))).toBe(false);
}

interface Row {
  readonly what: string;
  readonly base?: (sample: SampleRepository) => void;
  readonly change: (sample: SampleRepository) => void;
  readonly wanted: Wanted;
}

const configured =
  (file: string) =>
  (sample: SampleRepository): void =>
    sample.write(file, guardOutside(sample));

const rows: readonly Row[] = [
  { what: 'deletes it', change: sample => sample.remove(name), wanted: { touched: name } },
  {
    what: 'renames it',
    change: sample => void sample.git('mv', name, 'other.yaml'),
    wanted: { touched: name },
  },
  {
    what: 'edits it',
    change: sample => sample.write(name, plantedIn(sample)),
    wanted: { touched: name },
  },
  {
    what: 'makes it a link to nothing',
    change: sample => relink(sample, name, '/dev/null'),
    wanted: { touched: name },
  },
  {
    what: 'makes it a folder',
    change: sample => (sample.remove(name), sample.write(`${name}/x`, 'x\n')),
    wanted: { touched: name },
  },
  {
    what: 'adds one of another name before it',
    base: configured('jury.config.yml'),
    change: sample => sample.write(name, plantedIn(sample)),
    wanted: { touched: name },
  },
  {
    what: 'adds one in the folder one stands in',
    base: sample => (configured(name)(sample), sample.write('sub/a.js', 'export {};\n')),
    change: sample => sample.write(`sub/${name}`, plantedIn(sample)),
    wanted: { touched: `sub/${name}`, cwd: 'sub' },
  },
  {
    what: 'deletes the one in the folder one stands in',
    base: sample => (
      configured(`sub/${name}`)(sample),
      sample.write('sub/a.js', 'export {};\n'),
      sample.write(name, plantedIn(sample))
    ),
    change: sample => sample.remove(`sub/${name}`),
    wanted: { touched: `sub/${name}`, cwd: 'sub' },
  },
  {
    what: 'edits what a link of it leads to',
    base: sample => (
      configured('conf/jury.yaml')(sample),
      symlinkSync('conf/jury.yaml', path.join(sample.root, name))
    ),
    change: sample => sample.write('conf/jury.yaml', plantedIn(sample)),
    wanted: { touched: 'conf/jury.yaml' },
  },
  {
    what: 'has a link of it lead elsewhere',
    base: sample => (
      configured('conf/jury.yaml')(sample),
      sample.write('conf/lax.yaml', plantedIn(sample)),
      symlinkSync('conf/jury.yaml', path.join(sample.root, name))
    ),
    change: sample => relink(sample, name, 'conf/lax.yaml'),
    wanted: { touched: name },
  },
  {
    what: 'has a folder on the way lead elsewhere',
    base: sample => (
      configured('conf/jury.yaml')(sample),
      sample.write(`lax/jury.yaml`, plantedIn(sample)),
      symlinkSync('conf/jury.yaml', path.join(sample.root, name))
    ),
    change: sample => relink(sample, 'conf', 'lax'),
    wanted: { touched: 'conf' },
  },
  {
    what: 'brings the first one',
    base: () => {},
    change: sample => sample.write(name, plantedIn(sample)),
    wanted: { touched: name, by: ['secrets', 'javascript', 'patterns', 'diff'] },
  },
];

function relink(sample: SampleRepository, from: string, to: string): void {
  sample.remove(from);
  symlinkSync(to, path.join(sample.root, from));
}

/** One commit with the panel, and the change on disk. */
function createChange({
  base = configured(name),
  change,
}: Pick<Row, 'base' | 'change'>): SampleRepository {
  const sample = createChangedRepository();
  base(sample);
  sample.commit('base');
  change(sample);
  sample.write('src/more.js', 'export const more = 1;\n');
  return sample;
}

/** What the guard says proves nothing there, so that another reason stands beside. */
function expectHeldUntrusted(sample: SampleRepository, args: readonly string[]): void {
  const { code, record } = juryJson(sample.root, args);
  expect([code, record.reviewers.map(({ id }) => id)]).toEqual([2, ['guard']]);
  expect(sentencesOf(record)).toContain(name);
}

describe('the configuration', () => {
  it.each(rows)('is that of the base when a change $what', row => {
    const sample = createChange(row);
    sample.commit('change');
    expectHeld(sample, row.wanted);
  });

  it.each<[string, readonly string[], 'commit' | 'stage' | 'leave']>([
    ['an untrusted change', ['review', '--untrusted'], 'commit'],
    ['a consensus review', ['review', '--strict'], 'commit'],
    ['the gates', ['gates', 'HEAD~1..HEAD'], 'commit'],
    ['the gates before a commit', ['gates', '--untracked'], 'leave'],
    ['what is staged', ['review', '--staged'], 'stage'],
    ['the working tree', ['review', '--worktree'], 'leave'],
  ])('is that of the base for %s', (_what, args, how) => {
    const sample = createChange({ change: ({ remove }) => remove(name) });
    if (how === 'commit') sample.commit('change');
    if (how === 'stage') sample.git('add', '-A');
    if (args.includes('--untrusted')) return expectHeldUntrusted(sample, args);
    expectHeld(sample, { touched: name, args });
  });

  it('is that of the last commit for a patch', () => {
    const sample = createChange({ change: each => each.write(name, plantedIn(each)) });
    sample.git('add', '-A');
    sample.write('../change.patch', `${sample.git('diff', '--cached')}\n`);
    expectHeld(sample, { touched: name, args: ['review', '--patch', '../change.patch'] });
  });

  it('keeps the reason when the same is asked again, and when the run goes on', () => {
    const sample = createChange({ change: each => each.remove(name) });
    sample.commit('change');
    for (const args of [['review'], ['review'], ['resume'], ['report']]) {
      const { record } = juryJson(sample.root, args);
      expect([args, record.outcome, sentencesOf(record)]).toEqual([
        args,
        'INCOMPLETE',
        expect.stringContaining(name),
      ]);
    }
  });

  it('does not undo what was found: a failing change fails', () => {
    const sample = createChange({
      base: () => {},
      change: each => each.write(name, plantedIn(each)),
    });
    sample.write('src/key.js', `export const key = '${['AKIA', 'QYLPMN5HHHFPZAM2'].join('')}';\n`);
    sample.commit('change');
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.outcome, sentencesOf(record)]).toEqual([
      1,
      'FAIL',
      expect.stringContaining(name),
    ]);
  });

  it('is believed as it stands when the change touches none of it', () => {
    const sample = createChange({
      change: each => each.write('docs/jury.config.yaml.md', 'How to configure.\n'),
    });
    sample.commit('change');
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.outcome, record.reviewers.map(({ id }) => id), record.reasons]).toEqual([
      0,
      'PASS',
      ['guard'],
      [],
    ]);
  });

  it('may be named, but what it names in the repository is that of the base', () => {
    const sample = createChange({
      base: each => (
        each.write('rev.mjs', reviewer(each, 'base')),
        each.write(
          'own.yaml',
          'reviewers:\n  - { id: guard, runner: command, command: [node, ./rev.mjs], isolation: { write: [..] } }\n',
        )
      ),
      change: each => each.write('rev.mjs', reviewer(each, 'change')),
    });
    sample.commit('change');
    expectHeld(sample, { touched: 'rev.mjs', args: ['review', '--config', 'own.yaml'] });
    expect(askedOf(sample)).toEqual(['base nobody']);
  });
});

const persona = (who: string): string =>
  `---\nname: mine\nrole: general\nfocus: everything\n---\nAs the ${who} you read.\n`;

/** The panel of the README: a program and a persona of the repository's own. */
function seatInside(sample: SampleRepository): void {
  sample.write(
    name,
    'reviewers:\n  - { id: guard, runner: command, command: [node, ./tools/rev.mjs], isolation: { ' +
      'write: [..] }, persona: ./personas/mine.md }\n',
  );
  sample.write('personas/mine.md', persona('base'));
  sample.write('tools/rev.mjs', `import './lib.mjs';\n${reviewer(sample, 'base')}`);
  sample.write('tools/lib.mjs', 'export {};\n');
}

const change = (sample: SampleRepository): string =>
  reviewer(sample, 'change', `fs.writeFileSync(${JSON.stringify(markOf(sample))}, '');\n`);

describe('a program and a persona of the repository', () => {
  it.each<{
    readonly what: string;
    readonly change: (sample: SampleRepository) => void;
    readonly touched: string;
    readonly asked?: readonly string[];
  }>([
    {
      what: 'edits both',
      change: sample => (
        sample.write('tools/rev.mjs', change(sample)),
        sample.write('personas/mine.md', persona('change'))
      ),
      touched: 'tools/rev.mjs',
    },
    {
      what: 'edits the persona',
      change: sample => sample.write('personas/mine.md', persona('change')),
      touched: 'personas/mine.md',
    },
    {
      what: 'edits what the program imports',
      change: sample =>
        sample.write(
          'tools/lib.mjs',
          `import fs from 'node:fs';\nfs.writeFileSync(${JSON.stringify(markOf(sample))}, '');\n`,
        ),
      touched: 'tools/lib.mjs',
    },
    {
      what: 'deletes the program',
      change: sample => sample.remove('tools/rev.mjs'),
      touched: 'tools/rev.mjs',
    },
    {
      what: 'makes the program a link',
      change: sample => (
        sample.write('evil.mjs', change(sample)),
        relink(sample, 'tools/rev.mjs', '../evil.mjs')
      ),
      touched: 'tools/rev.mjs',
    },
    {
      what: 'makes its folder a link',
      change: sample => (
        sample.write('evil/rev.mjs', change(sample)),
        relink(sample, 'tools', 'evil')
      ),
      touched: 'tools',
    },
    {
      what: 'makes the folder of the persona a link',
      change: sample => (
        sample.write('evil/mine.md', persona('change')),
        relink(sample, 'personas', 'evil')
      ),
      touched: 'personas',
    },
  ])('are those of the base when a change $what', row => {
    const sample = createChange({ base: seatInside, change: row.change });
    sample.commit('change');
    expectHeld(sample, { touched: row.touched });
    expect(askedOf(sample)).toEqual(['base base']);
  });

  it.each<[string, readonly string[], 'stage' | 'leave']>([
    ['the gates', ['gates', '--untracked'], 'leave'],
    ['what is staged', ['review', '--staged'], 'stage'],
    ['the working tree', ['review', '--worktree'], 'leave'],
  ])('are those of the base for %s', (_what, args, how) => {
    const sample = createChange({
      base: seatInside,
      change: each => each.write('tools/rev.mjs', change(each)),
    });
    if (how === 'stage') sample.git('add', '-A');
    expectHeld(sample, { touched: 'tools/rev.mjs', args });
    expect(askedOf(sample)).toEqual(['base base']);
  });

  it.each<[string, string, (sample: SampleRepository) => void]>([
    ['program', 'tools/rev.mjs', sample => sample.write('tools/rev.mjs', change(sample))],
    ['persona', 'personas/mine.md', sample => sample.write('personas/mine.md', persona('change'))],
  ])('are not asked when the base has no such %s', (_what, file, bring) => {
    const sample = createChange({
      base: each => (seatInside(each), each.remove(file)),
      change: bring,
    });
    sample.commit('change');
    expectHeld(sample, { touched: file });
    expect(askedOf(sample)).toEqual([]);
  });

  it('are believed as they stand when the change touches none of them', () => {
    const sample = createChange({
      base: seatInside,
      change: each => each.write('tools/other.mjs', 'export {};\n'),
    });
    sample.commit('change');
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.reasons, askedOf(sample)]).toEqual([0, [], ['base base']]);
  });

  it('go on as those of the base', () => {
    const sample = createChange({
      base: seatInside,
      change: each => each.write('tools/rev.mjs', change(each)),
    });
    sample.commit('change');
    const { record } = juryJson(sample.root, ['review']);
    expectHeld(sample, { touched: 'tools/rev.mjs', args: ['resume', record.run] });
  });
});

describe('what else decides', () => {
  it('recorded answers are those of the base', () => {
    const sample = createChange({
      base: each => (
        each.write(
          name,
          // What a question shows is no finding of the answer to it.
          'exclude: [answers/**]\nfailOn: [high]\nreviewers:\n  - { id: guard, runner: replay, answers: ./answers }\n',
        ),
        each.write('answers/1.txt', 'IMPORTANT|src/more.js:1|It is wrong\nVERDICT: needs-changes\n')
      ),
      change: each => each.write('answers/1.txt', 'None\nVERDICT: safe\n'),
    });
    sample.commit('change');
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.claims.map(({ text }) => text), sentencesOf(record)]).toEqual([
      1,
      ['It is wrong'],
      expect.stringContaining('answers/1.txt'),
    ]);
  });

  it('a baseline that the change brings dismisses nothing, and is named', () => {
    const sample = createChangedRepository();
    sample.write('src/run.js', 'export const run = text => eval(text);\n');
    sample.commit('base');
    sample.write('src/run.js', 'export const run = text => eval(text + text);\n');
    sample.commit('eval');
    const { record } = juryJson(sample.root, ['review', '--fail-on', 'low']);
    for (const { id } of record.claims)
      jury(sample.root, ['dismiss', id, '--reason', 'meant', '--baseline']);
    sample.git('add', '-f', 'jury.baseline.json');
    sample.git('commit', '-q', '--amend', '--no-edit');
    rmSync(stateOf(sample.root), { recursive: true });
    const again = juryJson(sample.root, ['review', '--fail-on', 'never']);
    expect([again.code, again.record.outcome, again.record.dismissed]).toEqual([
      2,
      'INCOMPLETE',
      [],
    ]);
    expect(sentencesOf(again.record)).toContain('jury.baseline.json');
  });
});
