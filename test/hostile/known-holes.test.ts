/**
 * Holes that version 0.1 had and no promise names, each as its author would use it. They know nothing of how the program keeps its
 * state, so that they can be run against that version as well: `JURY_PROGRAM=…/dist/cli/main.js npx vitest run` with this file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, program } from '../cli/jury.ts';

const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
const evil = `export const key = '${key}';\neval(process.argv[2]);\n`;
function commitAll(sample: SampleRepository, message: string) {
  sample.git('add', '-A', '-f');
  sample.git('commit', '-q', '-m', message);
}

describe.skipIf(process.platform === 'win32')('(not on Windows) a repository cannot', () => {
  it('have anything written through a link in .jury', () => {
    const sample = createChangedRepository();
    const outside = createFolder();
    mkdirSync(path.join(sample.root, '.jury'));
    symlinkSync(path.join(outside, 'new.db'), path.join(sample.root, '.jury/memory.sqlite'));
    symlinkSync(outside, path.join(sample.root, '.jury/reviews'));
    commitAll(sample, 'links');
    sample.write('src/key.js', evil);
    commitAll(sample, 'change');
    const { code, stderr } = jury(sample.root, ['review']);
    expect([readdirSync(outside), code], stderr).toEqual([[], 1]);
  });

  it('break out of a report by the name of a file', () => {
    const sample = createChangedRepository();
    sample.write('x\\|<img src=q>@org.js', evil);
    commitAll(sample, 'change');
    const { stdout } = jury(sample.root, ['review', '--format', 'markdown']);
    expect(stdout).toContain('img');
    const html = micromark(stdout, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    expect(html).not.toMatch(/<img/);
  });

  it('leave a process behind at the deadline of a reviewer', () => {
    const sample = createChangedRepository();
    const seconds = String(randomInt(10_000_000, 99_999_999));
    sample.write(
      '../panel/away.sh',
      `(env -i setsid sleep ${seconds} </dev/null >/dev/null 2>&1 &)\nsleep 600\n`,
    );
    sample.write(
      '../panel/jury.config.yaml',
      'reviewers:\n  - { id: mine, runner: command, command: [sh, ./away.sh], timeout: 2 }\n',
    );
    jury(sample.root, ['ask', 'Is it good?', '--config', '../panel/jury.config.yaml']);
    const left = readdirSync('/proc').filter(
      name => /^\d+$/.test(name) && commandOf(name) === `sleep\0${seconds}\0`,
    );
    for (const pid of left) process.kill(Number(pid), 'SIGKILL');
    expect(left).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('(not on Windows) a call cannot', () => {
  it.each([
    ['review', '--patch'],
    ['review', '--config'],
  ])('wait for ever: %s %s', (...words) => {
    const sample = createChangedRepository();
    const pipe = path.join(sample.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { signal } = spawnSync(process.execPath, [program, ...words, pipe], {
      cwd: sample.root,
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });
    expect(signal).toBe(null);
  });

  it('end with 0 when its report went nowhere', () => {
    const sample = createChangedRepository();
    sample.write('src/more.md', 'More.\n');
    commitAll(sample, 'change');
    expect(jury(sample.root, ['review']).code).toBe(0);
    const { status } = spawnSync(
      'sh',
      ['-c', 'exec "$@" >&-', 'sh', process.execPath, program, 'review'],
      {
        cwd: sample.root,
      },
    );
    expect(status).not.toBe(0);
  });
});

function commandOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replace(/^[^\0]*[/]/, '');
  } catch {
    return '';
  }
}
