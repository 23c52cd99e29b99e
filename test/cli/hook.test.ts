/** The hooks that `jury hook` installs, run by git itself: what stops a commit, and whose hooks are left alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderHook } from '../../src/core/hooks/hook.ts';
import { createFolder, runGitIn } from '../adapters/git/sample-repository.ts';
import {
  clean,
  commitsOf,
  createHooked,
  defect,
  hook,
  type Hooked,
  openHooked,
  writeProgram,
} from './hooked.ts';
import { jury, program } from './jury.ts';

const preCommit = '.git/hooks/pre-commit';

function installed(name?: string) {
  const hooked = createHooked(name);
  expect(hook(hooked, 'install').code).toBe(0);
  return hooked;
}

/** Stages these files and whatever else is new, and has git commit it. */
function commit(
  hooked: Hooked,
  message: string,
  files: Readonly<Record<string, string>>,
  environment?: Readonly<Record<string, string>>,
) {
  for (const [name, text] of Object.entries(files)) hooked.write(name, text);
  hooked.git(['add', '-A']);
  return hooked.git(['commit', '-m', message], environment);
}

describe('before a commit', () => {
  it('what is staged with a defect is not committed, and what is clean is', () => {
    const hooked = installed();
    const stopped = commit(hooked, 'bad', { 'list.js': defect });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^jury: FAIL \(static checks alone\), what is staged: /m);
    expect(stopped.stderr).toContain('list.js:2');
    expect(stopped.stderr).toContain('git commit --no-verify');
    expect(stopped.stderr.trim().split('\n').length).toBeLessThanOrEqual(15);
    const passed = commit(hooked, 'good', { 'list.js': clean });
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stderr).toContain(
      'jury: PASS (static checks alone), what is staged: 4 of 4 reviewers looked at 1 file.',
    );
    expect(commitsOf(hooked.root, 'main')).toEqual(['good', 'first']);
    expect(hooked.git(['status', '--porcelain', '--ignored']).stdout).toBe('');
  });

  it('is passed over with --no-verify, as with any hook', () => {
    const hooked = installed();
    hooked.write('list.js', defect);
    hooked.git(['add', '-A']);
    expect(hooked.git(['commit', '-q', '--no-verify', '-m', 'bad']).code).toBe(0);
  });

  it('lets pass, with a word, where nothing is staged', () => {
    const hooked = installed();
    const amended = hooked.git(['commit', '--amend', '-m', 'another word']);
    expect(amended).toMatchObject({ code: 0 });
    expect(amended.stderr).toContain('what is staged: Nothing to review.');
  });

  it('looks at what becomes the commit, also where git makes an index of its own for it', () => {
    const hooked = installed();
    hooked.write('first.js', defect);
    expect(hooked.git(['commit', '-a', '-m', 'all']).code).toBe(1);
    hooked.write('other.js', clean);
    hooked.git(['add', 'other.js']);
    expect(hooked.git(['commit', '-m', 'one of them', '--', 'first.js']).code).toBe(1);
    expect(hooked.git(['commit', '-m', 'the other', '--', 'other.js']).code).toBe(0);
    expect(commitsOf(hooked.root, 'main')).toEqual(['the other', 'first']);
  });

  it('of a merge looks at what neither side had', () => {
    const hooked = installed();
    hooked.git(['checkout', '-q', '-b', 'side']);
    hooked.write('side.js', defect);
    hooked.write('first.js', 'export const side = 1;\n');
    hooked.git(['add', '-A']);
    hooked.git(['commit', '-q', '--no-verify', '-m', 'side']);
    hooked.git(['checkout', '-q', 'main']);
    hooked.write('first.js', 'export const main = 1;\n');
    hooked.git(['commit', '-q', '-a', '-m', 'main']);
    expect(hooked.git(['merge', 'side']).code).toBe(1);
    hooked.write('first.js', defect);
    hooked.git(['add', '-A']);
    const stopped = hooked.git(['commit', '--no-edit']);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('first.js:2');
    expect(stopped.stderr).not.toContain('side.js');
    hooked.write('first.js', 'export const side = 1;\n');
    hooked.write('a\\xff.js', defect);
    hooked.git(['add', '-A']);
    expect(hooked.git(['commit', '--no-edit']).code).toBe(1);
    hooked.git(['rm', '-q', '-f', 'a\\\\xff.js']);
    const passed = hooked.git(['commit', '--no-edit']);
    expect(passed.stderr).toContain('The merge changes nothing that neither side had.');
    expect(passed.code).toBe(0);
  });

  it('stops what comes to no decision, unless it was installed to let that by, and never calls it a pass', () => {
    const hooked = installed();
    const stopped = commit(hooked, 'registry', { '.npmrc': 'registry=https://example.org/\n' });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^jury: INCOMPLETE \(static checks alone\), what is staged: /m);
    expect(stopped.stderr).toContain('jury approve require-human --run ');
    expect(hook(hooked, 'install', 'pre-commit', '--allow-incomplete').stdout).toContain('renewed');
    const passed = hooked.git(['commit', '-m', 'registry']);
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stderr).toContain('INCOMPLETE');
    expect(passed.stderr).toContain('it is no pass');
    expect(passed.stderr).not.toContain('PASS');
    expect(commit(hooked, 'bad', { 'list.js': defect }).code).toBe(1);
  });

  it('lets by what a person has approved, and what the configuration leaves out', () => {
    const hooked = installed();
    expect(commit(hooked, 'logo', { 'logo.bin': '\u0000\u0001\u0002' }).code).toBe(1);
    const words = ['--run', 'latest', '--path', 'logo.bin', '--reason', 'looked at it'];
    expect(jury(hooked.root, ['approve', 'unread', ...words]).code).toBe(0);
    expect(hooked.git(['commit', '-m', 'logo'])).toMatchObject({ code: 0 });
    hooked.write('jury.config.yaml', "exclude: ['*.bin']\n");
    hooked.git(['add', '-A']);
    hooked.git(['commit', '-q', '--no-verify', '-m', 'configuration']);
    hooked.write('logo.bin', '\u0000\u0001');
    const passed = hooked.git(['commit', '-a', '-m', 'another logo']);
    expect(passed.stderr).toContain('the configuration leaves out every file of it');
    expect(passed.code).toBe(0);
    expect(commit(hooked, 'bad', { 'list.js': defect, 'logo.bin': '\u0000' }).code).toBe(1);
  });

  it('stops, and says why, where the configuration cannot be read', () => {
    const hooked = installed();
    hooked.write('jury.config.yaml', 'reviewers: nobody\n');
    runGitIn(hooked.root, ['add', '-A']);
    runGitIn(hooked.root, ['commit', '-q', '--no-verify', '-m', 'configuration']);
    const stopped = commit(hooked, 'other', { 'other.js': clean });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('jury.config.yaml');
    expect(stopped.stderr).toContain('The commit is stopped.');
  });
});

function gone() {
  const hooked = createHooked();
  const text = renderHook({
    name: 'pre-commit',
    installed: { node: '/nonexistent/node', program: '/nonexistent/jury/main.js' },
    allowsIncomplete: false,
    checks: true,
  });
  writeProgram(path.join(hooked.root, preCommit), text);
  return hooked;
}

describe('where there is no Jury any more', () => {
  const bare = { PATH: path.join(createFolder(), 'bin') };
  mkdirSync(bare.PATH);
  for (const name of ['git', 'sh']) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(found.stdout.trim(), path.join(bare.PATH, name));
  }

  it('a commit is stopped with a sentence', () => {
    const hooked = gone();
    const stopped = commit(hooked, 'other', { 'other.js': clean }, bare);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('nothing was checked, because Jury is not there any more');
    expect(stopped.stderr).toContain('git commit --no-verify');
  });

  it('the one on PATH is taken', () => {
    const hooked = gone();
    writeProgram(
      path.join(bare.PATH, 'jury'),
      `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
    );
    const passed = commit(hooked, 'other', { 'other.js': clean }, bare);
    expect(passed.stderr).toContain('jury: PASS');
    expect(passed.code).toBe(0);
    expect(hook(hooked, 'status').stdout).toContain('"jury hook install" renews it');
    expect(hook(hooked, 'install', 'pre-commit').stdout).toContain('renewed');
  });
});

describe('what is installed', () => {
  it('twice is what it was once, and gone when it is removed', () => {
    const hooked = installed();
    const text = hooked.read(preCommit);
    expect(statSync(path.join(hooked.root, preCommit)).mode & 0o777).toBe(0o755);
    expect(hook(hooked, 'install')).toMatchObject({ code: 0 });
    expect(hooked.read(preCommit)).toBe(text);
    expect(hook(hooked, 'status').stdout).toMatch(
      /^pre-commit installed: .*\npre-push {3}installed: /,
    );
    expect(hook(hooked, 'remove').stdout).toMatch(/^pre-commit removed: /);
    expect(existsSync(path.join(hooked.root, preCommit))).toBe(false);
    expect(hook(hooked, 'remove')).toMatchObject({ code: 0 });
  });

  it.each([
    ["somebody else's", '#!/bin/sh\necho mine\n', /\$@" \|\| exit 1/],
    ['one of lefthook', '#!/bin/sh\ncall_lefthook run "pre-commit" "$@"\n', /in lefthook\.yml/],
    [
      'one of pre-commit',
      '#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n',
      /in \.pre-commit-config\.yaml/,
    ],
  ])('leaves %s as it is, and shows what to add', (_, text, lines) => {
    const hooked = createHooked();
    writeProgram(path.join(hooked.root, preCommit), text);
    const { code, stdout } = hook(hooked, 'install');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^pre-commit left as it is: /);
    expect(stdout).toMatch(lines);
    expect(stdout).toContain('pre-push   installed: ');
    hook(hooked, 'remove');
    expect(hooked.read(preCommit)).toBe(text);
  });

  it('and written in since is left as it is', () => {
    const hooked = installed();
    writeFileSync(path.join(hooked.root, preCommit), `${hooked.read(preCommit)}echo mine\n`);
    const { code, stdout } = hook(hooked, 'install');
    expect(code).toBe(3);
    expect(stdout).toContain('edited since');
    hook(hooked, 'remove');
    expect(hooked.read(preCommit)).toContain('echo mine');
  });

  it('runs where the path has blanks and quotes, and the line to add does', () => {
    const hooked = installed("it's a $HOME project");
    expect(commit(hooked, 'bad', { 'list.js': defect }).stderr).toContain('jury: FAIL');
    renameSync(path.join(hooked.root, preCommit), path.join(hooked.root, '.git/old'));
    writeProgram(path.join(hooked.root, preCommit), '#!/bin/sh\n');
    const line = hook(hooked, 'install')
      .stdout.split('\n')
      .find(each => each.includes('|| exit 1'));
    writeProgram(path.join(hooked.root, preCommit), `#!/bin/sh\n${line ?? ''}\n`);
    expect(hooked.git(['commit', '-m', 'bad'])).toMatchObject({ code: 1 });
  });

  it('runs in a linked worktree, whichever of the two it was installed from', () => {
    const main = createHooked();
    const tree = openHooked(path.join(path.dirname(main.root), 'a tree'), main.remote);
    main.git(['worktree', 'add', '-q', '-b', 'tree', tree.root]);
    expect(hook(tree, 'install').stdout).toContain(path.join(main.root, preCommit));
    for (const hooked of [tree, main]) {
      expect(commit(hooked, 'bad', { 'list.js': defect }).stderr).toContain(
        'jury: FAIL (static checks alone), what is staged',
      );
    }
  });
});

describe('where core.hooksPath leads', () => {
  it('into the project, the hook is written there, from any folder, without a path of this machine', () => {
    const hooked = createHooked();
    hooked.git(['config', 'core.hooksPath', '.githooks']);
    hooked.write('below/other.js', clean);
    expect(
      hook({ root: path.join(hooked.root, 'below') }, 'install', 'pre-commit').stdout,
    ).toContain(path.join(hooked.root, '.githooks/pre-commit'));
    expect(hooked.read('.githooks/pre-commit')).not.toContain(program);
    const folder = createFolder();
    writeProgram(
      path.join(folder, 'jury'),
      `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
    );
    hooked.git(['add', 'below']);
    const environment = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    expect(hooked.git(['commit', '-m', 'below'], environment).stderr).toContain('jury: PASS');
  });

  it('to a folder of husky, nothing is written and the file of husky is named', () => {
    const hooked = createHooked();
    hooked.git(['config', 'core.hooksPath', '.husky/_']);
    const { code, stdout } = hook(hooked, 'install', 'pre-commit');
    expect(code).toBe(3);
    expect(stdout).toContain('in .husky/pre-commit:');
    expect(existsSync(path.join(hooked.root, '.husky'))).toBe(false);
  });

  it('out of the repository, nothing is written: others have their hooks there', () => {
    const hooked = createHooked();
    const folder = createFolder();
    hooked.git(['config', 'core.hooksPath', folder]);
    const { code, stdout } = hook(hooked, 'install', 'pre-commit');
    expect(code).toBe(3);
    expect(stdout).toContain('core.hooksPath leads out of this repository');
    expect(existsSync(path.join(folder, 'pre-commit'))).toBe(false);
  });
});

it('outside of a repository, and with a word that is no hook, says so', () => {
  const root = createFolder();
  expect(hook({ root }, 'install')).toMatchObject({ code: 3 });
  const hooked = createHooked();
  expect(hook(hooked, 'install', 'pre-comit').stderr).toContain('pre-commit');
  expect(hook(hooked, 'instal').stderr).toContain('Did you mean "install"?');
  expect(hook(hooked).code).toBe(3);
});
