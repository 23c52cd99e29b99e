import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { readChange, refusal, withRepository } from './reading.ts';
import { createFolder, createSampleRepository, runGitIn } from './sample-repository.ts';

/** A git that writes down how it was called and then does its work. */
function createSpy() {
  const folder = createFolder();
  const [gitPath, log, names] = [
    join(folder, 'git'),
    join(folder, 'calls'),
    join(folder, 'environment'),
  ];
  writeFileSync(
    gitPath,
    `#!/bin/sh\nprintf '%s\\037' "$@" >> ${log}\nprintf '\\036' >> ${log}\nenv > ${names}\nexec git "$@"\n`,
    { mode: 0o755 },
  );
  return {
    gitPath,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\u001e')
        .slice(0, -1)
        .map(call => call.split('\u001f').slice(0, -1)),
    environment: () => readFileSync(names, 'utf8').trim().split('\n'),
  };
}

function twoCommits() {
  const sample = createSampleRepository();
  for (const content of ['a', 'b', 'c']) {
    sample.write('a', content);
    sample.commit(content);
  }
  sample.write('a', 'changed\n');
  return sample;
}

describe('every call of git', () => {
  it('comes from one module', () => {
    const folder = join(import.meta.dirname, '../../../src/adapters/git');
    const spawning = readdirSync(folder).filter(name =>
      /node:child_process|shell: true/.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(spawning).toEqual(['git-process.ts']);
  });

  it("has a fixed environment, without anything of the caller's", async () => {
    const spy = createSpy();
    await readChange(
      twoCommits().root,
      { source: 'worktree', untracked: true },
      { gitPath: spy.gitPath },
    );
    const values = spy.environment().filter(line => !/^(?:PWD|_|SHLVL|OLDPWD)=/.test(line));
    expect(values.toSorted().map(line => line.replace(/(PATH|DIRECTORIES)=.*/, '$1'))).toEqual(
      (
        'GIT_ALLOW_PROTOCOL=https GIT_ATTR_NOSYSTEM=1 GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL=/dev/null ' +
        'GIT_CONFIG_NOSYSTEM=1 GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1 GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 ' +
        'HOME=/nonexistent LC_ALL=C PATH'
      ).split(' '),
    );
  });

  it("works on the engine's own git directory and takes what is variable behind --end-of-options", async () => {
    const spy = createSpy();
    const sample = twoCommits();
    await withRepository(
      sample.root,
      async repository => {
        await repository.change({ source: 'revision', revision: 'main~1...HEAD' });
        await repository.mergeBase(
          await repository.resolve('HEAD'),
          await repository.resolve('main^{/a}'),
        );
        await repository.change({ source: 'worktree', untracked: true });
        await repository.change({ source: 'staged' }).catch(() => null);
        await repository.readAt('HEAD', '-a');
        await repository.tree('HEAD');
      },
      { gitPath: spy.gitPath },
    );
    const calls = spy.calls().filter(([first]) => first !== 'version' && first !== 'init');
    expect(calls.length).toBeGreaterThan(10);
    for (const call of calls) {
      expect(call.slice(0, 3)).toEqual([
        '--no-pager',
        '--no-replace-objects',
        '--literal-pathspecs',
      ]);
      expect(call[3]).toMatch(/^--git-dir=.*\/shadow$/);
      expect(call.slice(4, 16).filter(word => word !== '-c')).toEqual([
        'core.commitGraph=false',
        'core.hooksPath=/dev/null',
        'core.fsmonitor=false',
        'core.quotePath=true',
        'gc.auto=0',
        'maintenance.auto=false',
      ]);
      const end = call.indexOf('--end-of-options');
      const before = end === -1 ? call : call.slice(0, end);
      expect(before.filter(word => /^[0-9a-f]{40}/.test(word) || /\bmain\b/.test(word))).toEqual(
        [],
      );
    }
    const patches = calls.filter(call => call.includes('-p'));
    expect(patches.length).toBeGreaterThan(1);
    for (const call of patches)
      expect(call).toEqual(
        expect.arrayContaining(['--text', '--no-ext-diff', '--no-textconv', '--no-renames']),
      );
    expect(
      new Set(calls.map(call => call.find(word => /^[a-z]/.test(word) && !/[.=]/.test(word)))),
    ).toEqual(
      new Set(
        'rev-parse merge-base diff-tree cat-file ls-files update-index add write-tree ls-tree'.split(
          ' ',
        ),
      ),
    );
  });

  it("finds no HEAD, no hooks and no configuration of the repository's", async () => {
    const sample = twoCommits();
    sample.git('config', 'core.pager', 'evil');
    const temporaryFolder = createFolder();
    await withRepository(
      sample.root,
      async repository => {
        const head = await repository.resolve('HEAD');
        const shadow = join(temporaryFolder, readdirSync(temporaryFolder)[0] ?? '', 'shadow');
        expect(runGitIn(temporaryFolder, ['--git-dir', shadow, 'rev-parse', 'main'])).toBe(head);
        expect(() =>
          runGitIn(temporaryFolder, ['--git-dir', shadow, 'rev-parse', '--verify', 'HEAD']),
        ).toThrow('Needed a single revision');
        expect(readFileSync(join(shadow, 'config'), 'utf8')).not.toContain('evil');
        expect(existsSync(join(shadow, 'hooks'))).toBe(false);
        expect(statSync(join(shadow, '..')).mode & 0o777).toBe(0o700);
      },
      { temporaryFolder },
    );
  });

  it('ends after its time, in words', async () => {
    const sample = twoCommits();
    for (const [name, command] of [
      ['HEAD:a', 'cat-file'],
      ['HEAD', 'cat-file'],
    ] as const) {
      const id = sample.git('rev-parse', name);
      const path = join(sample.root, '.git/objects', id.slice(0, 2), id.slice(2));
      rmSync(path);
      execFileSync('mkfifo', [path]);
      expect(
        await refusal(sample.root, { source: 'revision', revision: 'HEAD' }, { timeoutMs: 1_500 }),
      ).toMatchObject({
        kind: 'input',
        message: `git ${command} did not finish within 1.5 seconds.`,
      });
    }
  });
});

describe('a change of 5,000 files', () => {
  it('is read with as many processes as a change of one file', async () => {
    const sample = createSampleRepository();
    runGitIn(
      sample.root,
      ['fast-import', '--quiet'],
      commitOf5000Files('one') + commitOf5000Files('two'),
    );
    const spy = createSpy();
    const change = await readChange(
      sample.root,
      { source: 'revision', revision: 'main' },
      { gitPath: spy.gitPath, timeoutMs: 120_000 },
    );
    expect(change.files).toHaveLength(5_000);
    expect(change.files.every(file => file.additions === 1 && file.deletions === 1)).toBe(true);
    expect(spy.calls().length).toBeLessThan(12);
  });
});

describe('when the process exits', () => {
  it("the engine's folder and its git processes are gone", async () => {
    const earlier = new Set(process.listeners('exit'));
    const temporaryFolder = createFolder();
    const repository = await openRepository(twoCommits().root, { temporaryFolder });
    await repository.change({ source: 'revision', revision: 'HEAD' });
    const [folder] = readdirSync(temporaryFolder);
    expect(folder).toMatch(/^jury-git-/);
    expect(countProcesses(temporaryFolder)).toBe(1);

    // Files of one worker share the list of what runs: another one may have brought what kills it.
    for (const listener of process.listeners('exit'))
      if (!earlier.has(listener) || listener.name === 'killRunning') listener(0);
    expect(existsSync(join(temporaryFolder, folder ?? ''))).toBe(false);
    await expect.poll(() => countProcesses(temporaryFolder), { timeout: 10_000 }).toBe(0);
    await repository.close();
  });
});

function commitOf5000Files(text: string) {
  const files = Array.from({ length: 5_000 }, (_, index) => {
    const content = `${text} ${index}\n`;
    return `M 644 inline d${index % 70}/f${index}\ndata ${content.length}\n${content}\n`;
  });
  return `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 0\n${files.join('')}\n`;
}

function countProcesses(folder: string) {
  return execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(folder) && !line.startsWith('Z') && !line.includes('jury-reaper'))
    .length;
}
