/** What `jury completion` prints is tried in the shells themselves: bash always, zsh and fish where this machine has them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, program } from './jury.ts';

/** A folder with `jury` as a program, for the ids that a script asks for. */
function programs() {
  const folder = path.join(createFolder(), 'bin');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'jury'), `#!/bin/sh\nexec node ${program} "$@"\n`);
  chmodSync(path.join(folder, 'jury'), 0o755);
  return folder;
}

const scripts = new Map(
  ['bash', 'zsh', 'fish'].map(shell => {
    const file = path.join(createFolder(), `jury.${shell}`);
    writeFileSync(file, jury('/', ['completion', shell]).stdout);
    return [shell, file];
  }),
);

/** What bash offers for the last of the words. */
function bashOffers(words: readonly string[], cwd = '/', state = '') {
  const line = words.join(' ');
  // As Readline splits a line: a colon and an equals sign are words of their own.
  const parts = words.flatMap(word => (word === '' ? [''] : word.split(/([:=])/)));
  const script = `
    source ${scripts.get('bash') ?? ''}
    COMP_WORDS=(${parts.map(word => `'${word}'`).join(' ')})
    COMP_CWORD=${parts.length - 1}
    COMP_LINE='${line}'
    COMP_POINT=${line.length}
    _jury
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...environment(), ...(state !== '' && { JURY_STATE: state }) },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('bash completes', () => {
  it('commands', () => {
    expect(bashOffers(['jury', 're'])).toEqual(['review', 'research', 'report', 'resume']);
    expect(bashOffers(['jury', ''])).toEqual(expect.arrayContaining(['doctor', 'completion']));
  });

  it('subcommands, and what stands behind them', () => {
    expect(bashOffers(['jury', 'motions', 's'])).toContain('show');
    expect(bashOffers(['jury', 'motions', 'ratify', '--rules', 'q'])).toEqual(['quorum']);
    expect(bashOffers(['jury', 'motions', 'ratify', '--a'])).toEqual(['--aggregations']);
  });

  it('flags of a command and of its other name', () => {
    expect(bashOffers(['jury', 'review', '--fa'])).toEqual(['--fail-on']);
    expect(bashOffers(['jury', 'consensus-review', '--fa'])).toEqual(['--fail-on']);
    expect(bashOffers(['jury', 'doctor', '--off'])).toEqual(['--offline']);
  });

  it('values: formats, severities behind a colon, lists behind a comma', () => {
    expect(bashOffers(['jury', 'review', '--format', ''])).toContain('markdown');
    expect(bashOffers(['jury', 'review', '--format=mark'])).toEqual(['markdown']);
    expect(bashOffers(['jury', 'review', '--fail-on', 'majority:c'])).toEqual(['critical']);
    expect(bashOffers(['jury', 'review', '--reviewers', 'diff,sec'])).toEqual(['diff,secrets']);
    expect(bashOffers(['jury', 'review', '--protocol', 'v'])).toEqual(['veto', 'vote']);
  });

  it('words behind a command, as many as it takes', () => {
    expect(bashOffers(['jury', 'approve', ''])).toEqual(['require-human', 'unread']);
    expect(bashOffers(['jury', 'approve', 'unread', ''])).toEqual([]);
    expect(bashOffers(['jury', 'verdict', ''])).toEqual(['write']);
    expect(bashOffers(['jury', 'help', 'doc'])).toEqual(['document', 'doctor']);
    expect(bashOffers(['jury', 'hook', 'install', 'pre-commit', ''])).toEqual([
      'pre-commit',
      'pre-push',
    ]);
  });

  it('nothing where a person alone knows', () =>
    expect(bashOffers(['jury', 'review', '--description', ''])).toEqual([]));

  it('files with blanks in their names, whole', () => {
    const folder = createFolder();
    writeFileSync(path.join(folder, 'my plan.md'), '');
    expect(bashOffers(['jury', 'review', '--plan', 'my'], folder)).toEqual(['my plan.md']);
  });

  it('branches, runs and claims of the project', () => {
    const sample = createChangedRepository();
    const state = createFolder();
    sample.write('src/key.js', 'const key = "AKIAIOSFODNN7EXAMPLE";\neval(key);\n');
    sample.commit('three');
    const { record } = juryJson(sample.root, ['review'], { environment: { JURY_STATE: state } });
    expect(bashOffers(['jury', 'review', 'HE'], sample.root)).toContain('HEAD');
    expect(bashOffers(['jury', 'report', ''], sample.root, state)).toEqual(['latest', record.run]);
    expect(bashOffers(['jury', 'explain', 'c-'], sample.root, state)).toEqual(
      record.claims.map(({ id }) => id),
    );
    expect(record.claims.length).toBeGreaterThan(0);
    const claims = record.claims.map(({ id }) => id);
    for (const before of [['latest'], ['--full', 'latest'], ['latest', '--full']])
      expect(bashOffers(['jury', 'show', ...before, ''], sample.root, state)).toEqual(claims);
    expect(bashOffers(['jury', 'show', 'latest', '1', ''], sample.root, state)).toEqual([]);
    expect(bashOffers(['jury', 'explain', '--run', 'latest', ''], sample.root, state)).toEqual(
      claims,
    );
    expect(bashOffers(['jury', 'explain', '--run', ''], sample.root, state)).toEqual([
      'latest',
      record.run,
    ]);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', shell => {
  const isHere = spawnSync(shell, ['--version']).status === 0;
  it.runIf(isHere)('reads its script without a complaint', () => {
    const { status, stderr } = spawnSync(shell, ['-n', scripts.get(shell) ?? ''], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

/** With `jury` where a shell looks for programs. */
const environment = () => ({
  ...process.env,
  PATH: `${programs()}:${process.env['PATH'] ?? ''}`,
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

it.runIf(spawnSync('fish', ['--version']).status === 0)('fish completes', () => {
  expect(fishOffers('jury re')).toEqual(['report', 'research', 'resume', 'review']);
  expect(fishOffers('jury motions ratify --rules q')).toEqual(['quorum']);
  expect(fishOffers('jury review --fail-on majority:c')).toEqual(['majority:critical']);
  expect(fishOffers('jury doctor --off')).toEqual(['--offline']);
  expect(fishOffers('jury approve unr')).toEqual(['unread']);
  expect(fishOffers('jury hook install pre-c')).toEqual(['pre-commit']);
  expect(fishOffers('jury github publish --hand')).toEqual(['--handover']);
  expect(fishOffers('jury github publish --form')).toEqual([]);
  expect(fishOffers('jury motions ratify --ag')).toEqual(['--aggregations']);
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

it.runIf(spawnSync('zsh', ['--version']).status === 0)('zsh completes', () => {
  expect(zshShows('jury doct')).toContain('jury doctor');
  expect(zshShows('jury motions ratify --rules qu')).toContain('--rules quorum');
  expect(zshShows('jury motions ratify --ag')).toContain('--aggregations');
  expect(zshShows('jury review --fail-on majority:cr')).toContain('majority:critical');
  expect(zshShows('jury hook install pre-c')).toContain('pre-commit');
  expect(zshShows('jury github publish --hand')).toContain('--handover');
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
