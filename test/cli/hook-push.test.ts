/** The hook before a push, run by git itself against a bare remote: what is looked at, by whom, and what never arrives. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openSample, runGitIn } from '../adapters/git/sample-repository.ts';
import {
  clean,
  commitsOf,
  createHooked,
  defect,
  hook,
  type Hooked,
  surroundings,
  writeProgram,
} from './hooked.ts';
import { jury } from './jury.ts';

function installed() {
  const hooked = createHooked();
  expect(hook(hooked, 'install', 'pre-push').code).toBe(0);
  return hooked;
}

function commit(hooked: Hooked, name: string, text: string, message = name) {
  hooked.write(name, text);
  openSample(hooked.root).commit(message);
}

/** A configuration that seats a program, which writes down what it was asked. */
function seat(hooked: Hooked, body: string) {
  const asked = path.join(path.dirname(hooked.root), 'asked');
  mkdirSync(asked, { recursive: true });
  hooked.write('reviewer.sh', `#!/bin/sh\ncat > "${asked}/$$"\n${body}\n`);
  hooked.write(
    'jury.config.yaml',
    `quorum: 1\nreviewers:\n  - { id: own, runner: command, command: [sh, ./reviewer.sh], isolation: { write: [${asked}] } }\n`,
  );
  openSample(hooked.root).commit('panel');
  runGitIn(hooked.root, ['push', '-q', '--no-verify', 'origin', 'main']);
  return asked;
}

it('a branch with a defect does not arrive, and one without does', () => {
  const hooked = installed();
  commit(hooked, 'list.js', defect);
  const stopped = hooked.git(['push', 'origin', 'main']);
  expect(stopped.code).toBe(1);
  expect(stopped.stderr).toMatch(/^jury: FAIL \(static checks alone\), main to origin\/main: /m);
  expect(stopped.stderr).toContain('git push --no-verify');
  expect(commitsOf(hooked.remote, 'main')).toEqual(['first']);
  commit(hooked, 'list.js', clean, 'mended');
  expect(hooked.git(['push', 'origin', 'main']).stderr).toContain(
    'jury: PASS (static checks alone), main to origin/main',
  );
  expect(commitsOf(hooked.remote, 'main')).toEqual(['mended', 'list.js', 'first']);
  commit(hooked, 'list.js', defect, 'again');
  expect(hooked.git(['push', '-q', '--no-verify', 'origin', 'main']).code).toBe(0);
});

it('a credential that a later commit takes away does not arrive either, unless its file is left out', () => {
  const hooked = installed();
  const token = ['ghp', 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2Rl'].join('_');
  commit(hooked, 'key.js', `export const key = '${token}';\n`, 'key');
  commit(hooked, 'key.js', clean, 'no key');
  const stopped = hooked.git(['push', 'origin', 'main']);
  expect(stopped.stderr).toMatch(
    /^jury: FAIL, main to origin\/main: Commit [0-9a-f]{8} adds to key\.js what a later one takes away/m,
  );
  expect(stopped.stderr).not.toContain(token);
  expect(stopped.code).toBe(1);
  expect(commitsOf(hooked.remote, 'main')).toEqual(['first']);
  // Also where nothing is left to review.
  runGitIn(hooked.root, ['rm', '-q', 'key.js']);
  runGitIn(hooked.root, ['commit', '-q', '-m', 'nothing']);
  expect(hooked.git(['push', 'origin', 'main']).stderr).toMatch(/Nothing to review\.\njury: FAIL/);
  hooked.git(['reset', '-q', '--hard', 'origin/main']);
  commit(hooked, 'jury.config.yaml', "exclude: ['fixtures/**']\n", 'configuration');
  hooked.git(['push', '-q', '--no-verify', 'origin', 'main']);
  commit(hooked, 'fixtures/key.js', `export const key = '${token}';\n`, 'key');
  commit(hooked, 'fixtures/key.js', clean, 'no key');
  commit(hooked, 'other.js', clean);
  const left = hooked.git(['push', 'origin', 'main']);
  expect([left.code, left.stderr.match(/^jury: .*$/gm)]).toEqual([
    0,
    [expect.stringMatching(/^jury: PASS/)],
  ]);
});

it('where git tells of nothing that is pushed, it is said that nothing was looked at', () => {
  const hooked = installed();
  expect(hooked.git(['push', 'origin', 'main']).stderr).toContain('nothing was looked at');
});

it('a new branch is looked at from where it left the default branch, and not further back', () => {
  const hooked = createHooked();
  commit(hooked, 'list.js', defect);
  hooked.git(['push', '-q', 'origin', 'main']);
  hook(hooked, 'install', 'pre-push');
  hooked.git(['checkout', '-q', '-b', 'feature']);
  commit(hooked, 'other.js', clean);
  const pushed = hooked.git(['push', 'origin', 'feature']);
  expect(pushed.stderr).toContain('jury: PASS (static checks alone), feature to origin/feature');
  expect(pushed.stderr).toContain('1 file.');
  expect(pushed.code).toBe(0);
});

it('several references are looked at one after the other, each range once; one that is bad stops all', () => {
  const hooked = installed();
  hooked.git(['checkout', '-q', '-b', 'one']);
  commit(hooked, 'one.js', clean);
  hooked.git(['tag', '-a', 'v1', '-m', 'v1']);
  hooked.git(['checkout', '-q', '-b', 'two', 'main']);
  commit(hooked, 'two.js', defect);
  const { code, stderr } = hooked.git(['push', 'origin', 'one', 'two', 'v1', 'main']);
  expect(code).toBe(1);
  expect(stderr.match(/^jury: PASS/gm)).toHaveLength(1);
  expect(stderr.match(/^jury: FAIL \(static checks alone\), two to origin\/two/gm)).toHaveLength(1);
  expect(commitsOf(hooked.remote, 'one')).toEqual([]);
});

it('a reference that is removed, and one that brings nothing, are passed with a word', () => {
  const hooked = installed();
  hooked.git(['push', '-q', '--no-verify', 'origin', 'main:gone']);
  expect(hooked.git(['push', 'origin', '--delete', 'gone']).stderr).toContain(
    'origin/gone: It is removed there; nothing to review.',
  );
  const same = hooked.git(['push', 'origin', 'main:copy']);
  expect(same.stderr).toContain('main to origin/copy: Everything of it is there already.');
  expect(same.code).toBe(0);
});

it('what is forced is looked at from where the two histories part', () => {
  const hooked = installed();
  commit(hooked, 'list.js', defect);
  hooked.git(['push', '-q', '--no-verify', 'origin', 'main']);
  hooked.git(['reset', '-q', '--hard', 'HEAD^']);
  commit(hooked, 'other.js', clean);
  const forced = hooked.git(['push', '--force', 'origin', 'main']);
  expect(forced.stderr).toContain(
    'jury: PASS (static checks alone), main to origin/main: 4 of 4 reviewers looked at 1 file.',
  );
  expect(commitsOf(hooked.remote, 'main')).toEqual(['other.js', 'first']);
});

it('a history of which the remote has nothing is looked at whole, by the built-in checks', () => {
  const hooked = installed();
  commit(hooked, 'list.js', defect);
  const empty = `${hooked.remote}.empty`;
  runGitIn(hooked.root, ['init', '-q', '--bare', empty]);
  hooked.git(['remote', 'add', 'other', empty]);
  const { code, stderr } = hooked.git(['push', 'other', 'main']);
  expect(code).toBe(1);
  expect(stderr).toContain('Nothing is known here of what the remote has');
  expect(stderr).toContain('list.js:2');
  expect(commitsOf(empty, 'main')).toEqual([]);
});

it('and these are no review of it for a hook that was installed where a reader is', () => {
  const hooked = createHooked();
  const head = runGitIn(hooked.root, ['rev-parse', 'HEAD']);
  const push = (...words: readonly string[]) =>
    jury(hooked.root, ['hook', 'run', 'pre-push', 'other', 'url', ...words], {
      environment: surroundings,
      input: `refs/heads/main ${head} refs/heads/main ${'0'.repeat(40)}\n`,
    });
  expect([push('--checks').code, push().code]).toEqual([0, 2]);
});

it('the panel of the configuration is asked where it is allowed, and else the built-in checks, which are no review', () => {
  const hooked = installed();
  const asked = seat(hooked, "echo 'CRITICAL|other.js:1|The sum is wrong'");
  commit(hooked, 'other.js', clean);
  const refused = hooked.git(['push', 'origin', 'main']);
  expect(refused.stderr).toContain(
    'The built-in checks alone look at it: jury.config.yaml was found',
  );
  expect(refused.stderr).toContain('jury trust jury.config.yaml');
  expect(refused.stderr).toContain('jury: INCOMPLETE (static checks alone)');
  expect(refused.code).toBe(1);
  expect(readdirSync(asked)).toEqual([]);
  expect(jury(hooked.root, ['trust', '--yes']).code).toBe(0);
  commit(hooked, 'other.js', `${clean}\n`, 'again');
  const stopped = hooked.git(['push', 'origin', 'main']);
  expect(stopped.stderr).toContain('The sum is wrong');
  expect(stopped.stderr).toContain('jury: FAIL');
  expect(stopped.code).toBe(1);
  expect(readdirSync(asked)).toHaveLength(1);
});

it('Ctrl-C ends reviewers and push, and nothing arrives', async () => {
  const hooked = installed();
  const asked = seat(hooked, 'sleep 60');
  jury(hooked.root, ['trust', '--yes']);
  commit(hooked, 'other.js', clean);
  const push = spawn('git', ['push', 'origin', 'main'], {
    cwd: hooked.root,
    env: { ...process.env, ...surroundings },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  push.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = new Promise(resolve => push.once('close', resolve));
  const isOver = { yet: false };
  void ended.then(() => (isOver.yet = true));
  while (readdirSync(asked).length === 0 && !isOver.yet) await setTimeout(20);
  // What a terminal does: the signal goes to everybody in the foreground.
  process.kill(-(push.pid ?? 0), 'SIGINT');
  await ended;
  expect(commitsOf(hooked.remote, 'main')).toEqual(['panel', 'first']);
  expect(said).toContain('The push is stopped.');
});

it('what git says and nobody can read stops the push', () => {
  const hooked = installed();
  const { code, stderr } = jury(hooked.root, ['hook', 'run', 'pre-push', 'origin', 'url'], {
    input: 'refs/heads/main zzz refs/heads/main\n',
  });
  expect(code).toBe(2);
  expect(stderr).toContain('The push is stopped.');
  const blob = runGitIn(hooked.root, ['hash-object', '-w', '--stdin'], 'text');
  const pushed = hooked.git(['push', 'origin', `${blob}:refs/tags/blob`]);
  expect(pushed.code).toBe(1);
  expect(pushed.stderr).toContain('INCOMPLETE');
});

it('another hook of the folder goes on as it did', () => {
  const hooked = installed();
  writeProgram(path.join(hooked.root, '.git/hooks/post-commit'), '#!/bin/sh\necho mine >&2\n');
  hooked.write('other.js', clean);
  hooked.git(['add', '-A']);
  expect(hooked.git(['commit', '-m', 'other']).stderr).toContain('mine');
});
