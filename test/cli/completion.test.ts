/** What `jury completion` prints is tried in the shells themselves: bash always, zsh and fish where this machine has them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, program } from './jury.ts';

/** Where a shell finds `jury`: this script. */
function commandOf(script: string) {
  const folder = path.join(createFolder(), 'bin');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'jury'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

const started = () => commandOf(`exec node ${program} "$@"`);

const scripts = new Map(
  ['bash', 'zsh', 'fish'].map(shell => {
    const file = path.join(createFolder(), `jury.${shell}`);
    writeFileSync(file, jury('/', ['completion', shell]).stdout);
    return [shell, file];
  }),
);

/**
 * What bash offers for the last of the words. Its script asks for what the program answers, which is asked here, without a start of
 * the program for each: what it asked with is looked at.
 */
function bashOffers(words: readonly string[], cwd = '/', state?: string) {
  const surroundings = state === undefined ? {} : { environment: { JURY_STATE: state } };
  const asking = ['completion', 'words', '--', ...words];
  const file = path.join(createFolder(), 'asked');
  writeFileSync(`${file}-answer`, jury(cwd, asking, surroundings).stdout);
  const folder = commandOf(`printf '%s\\n' "$@" >'${file}'\ncat '${file}-answer'`);
  const offers = bashRuns(words, cwd, environment(folder));
  expect(readFileSync(file, 'utf8')).toBe(`${asking.join('\n')}\n`);
  return offers;
}

function bashRuns(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const line = ['jury', ...words].join(' ');
  // As Readline splits a line: a colon and an equals sign are words of their own.
  const parts = ['jury', ...words].flatMap(word => (word === '' ? [''] : word.split(/([:=])/)));
  const script = `
    source ${scripts.get('bash') ?? ''}
    COMP_WORDS=(${parts.map(word => `'${word}'`).join(' ')})
    COMP_CWORD=${parts.length - 1}
    COMP_LINE='${line}'
    COMP_POINT=${line.length}
    _jury
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync('bash', ['--norc', '-c', script], { cwd, encoding: 'utf8', env });
  expect(bash.stderr).toBe('');
  return bash.stdout.split('\n').filter(Boolean);
}

/** These among others. */
const some = (...offers: string[]) => expect.arrayContaining(offers) as string[];

describe('bash completes', () => {
  it.each<[string, string[], string[]]>([
    ['commands', ['re'], ['review', 'research', 'report', 'resume']],
    ['commands', [''], some('doctor', 'completion')],
    ['subcommands', ['motions', 's'], some('show')],
    ['what stands behind them', ['motions', 'ratify', '--rules', 'q'], ['quorum']],
    ['what stands behind them', ['motions', 'ratify', '--a'], ['--aggregations']],
    ['flags of a command', ['review', '--fa'], ['--fail-on']],
    ['flags of its other name', ['consensus-review', '--fa'], ['--fail-on']],
    ['flags of a command', ['doctor', '--off'], ['--offline']],
    ['formats', ['review', '--format', ''], some('markdown')],
    ['formats', ['review', '--format=mark'], ['markdown']],
    ['severities behind a colon', ['review', '--fail-on', 'majority:c'], ['critical']],
    ['lists behind a comma', ['review', '--reviewers', 'diff,sec'], ['diff,secrets']],
    ['values', ['review', '--protocol', 'v'], ['veto', 'vote']],
    ['words behind a command', ['approve', ''], ['require-human', 'unread']],
    ['no more than it takes', ['approve', 'unread', ''], []],
    ['words behind a command', ['verdict', ''], ['write']],
    ['words behind a command', ['help', 'doc'], ['document', 'doctor']],
    ['as many as it takes', ['hook', 'install', 'pre-commit', ''], ['pre-commit', 'pre-push']],
    ['nothing where a person alone knows', ['review', '--description', ''], []],
  ])('%s: %j', (_, words, offers) => expect(bashOffers(words)).toEqual(offers));

  it('files with blanks in their names, whole', () => {
    const folder = createFolder();
    writeFileSync(path.join(folder, 'my plan.md'), '');
    expect(bashOffers(['review', '--plan', 'my'], folder)).toEqual(['my plan.md']);
  });

  it('branches, runs and claims of the project', () => {
    const sample = createChangedRepository();
    const state = createFolder();
    sample.write('src/key.js', 'const key = "AKIAIOSFODNN7EXAMPLE";\neval(key);\n');
    sample.commit('three');
    const { record } = juryJson(sample.root, ['review'], { environment: { JURY_STATE: state } });
    const claims = record.claims.map(({ id }) => id);
    expect(claims.length).toBeGreaterThan(0);
    expect(bashOffers(['review', 'HE'], sample.root)).toContain('HEAD');
    for (const [words, offers] of [
      [['report'], ['latest', record.run]],
      [
        ['explain', '--run'],
        ['latest', record.run],
      ],
      [['explain', '--run', 'latest'], claims],
      [['show', 'latest'], claims],
      [['show', '--full', 'latest'], claims],
      [['show', 'latest', '--full'], claims],
      [['show', 'latest', '1'], []],
    ] as const)
      expect(bashOffers([...words, ''], sample.root, state), words.join(' ')).toEqual(offers);
    const asked = { ...environment(), JURY_STATE: state };
    expect(bashRuns(['explain', 'c-'], sample.root, asked)).toEqual(claims);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', shell => {
  it.runIf(spawnSync(shell, ['--version']).status === 0)(
    'reads its script without a complaint',
    () => {
      const { status, stderr } = spawnSync(shell, ['-n', scripts.get(shell) ?? ''], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});

/** With `jury` where a shell looks for programs. */
const environment = (folder = started()) => ({
  ...process.env,
  PATH: `${folder}:${process.env['PATH'] ?? ''}`,
});

function fishOffers(line: string) {
  return spawnSync(
    'fish',
    ['--no-config', '-c', `source ${scripts.get('fish') ?? ''}; complete -C '${line}'`],
    { cwd: createFolder(), encoding: 'utf8', env: environment() },
  )
    .stdout.split('\n')
    .filter(Boolean)
    .map(row => row.split('\t')[0] ?? '');
}

describe.runIf(spawnSync('fish', ['--version']).status === 0)('fish completes', () => {
  it.each<[string, string[]]>([
    ['re', ['report', 'research', 'resume', 'review']],
    ['motions ratify --rules q', ['quorum']],
    ['review --fail-on majority:c', ['majority:critical']],
    ['doctor --off', ['--offline']],
    ['approve unr', ['unread']],
    ['hook install pre-c', ['pre-commit']],
    ['github publish --hand', ['--handover']],
    ['github publish --form', []],
    ['motions ratify --ag', ['--aggregations']],
  ])('jury %s', (line, offers) => expect(fishOffers(`jury ${line}`)).toEqual(offers));
});

/** Its completion runs in its editor alone: a terminal of its own (zpty) shows what Tab makes of a line. */
function zshShows(line: string) {
  const script = `
    zmodload zsh/zpty
    zpty shell 'PS1= zsh -f -i'
    zpty -w shell 'autoload -U compinit && compinit -u -D; source ${scripts.get('zsh') ?? ''}; bindkey "^I" complete-word; echo re""ady'
    zpty -r shell seen '*ready*'
    zpty -w -n shell '${line}'$'\\t'
    sleep 3
    zpty -w -n shell $'\\x15'
    while zpty -r -t shell seen; do print -rn -- $seen; done
    zpty -d shell`;
  return spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', env: environment() }).stdout;
}

describe.runIf(spawnSync('zsh', ['--version']).status === 0)('zsh completes', () => {
  it.each([
    ['doct', 'jury doctor'],
    ['motions ratify --rules qu', '--rules quorum'],
    ['motions ratify --ag', '--aggregations'],
    ['review --fail-on majority:cr', 'majority:critical'],
    ['hook install pre-c', 'pre-commit'],
    ['github publish --hand', '--handover'],
  ])('jury %s', (line, shown) => expect(zshShows(`jury ${line}`)).toContain(shown));
});

it('a shell that it does not know is refused by name', () => {
  const { code, stderr } = jury('/', ['completion', 'tcsh']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('bash, zsh, fish')]);
});

it('asks for nothing where there is no run', () => {
  const environment = { JURY_STATE: createFolder() };
  for (const words of [
    ['show', 'latest', 'c-'],
    ['nonsense', ''],
  ])
    expect(jury(createFolder(), ['completion', 'words', '--', ...words], { environment })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
});
