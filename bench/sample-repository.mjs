// A small repository with one change, and a configuration with as many scripted reviewers as asked for.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What to set `JURY_STATE` to for a project in a folder. */
export function stateOf(folder) {
  return `${folder}-state`;
}

export function runsOf(folder) {
  const [project] = readdirSync(stateOf(folder));
  return path.join(stateOf(folder), project, 'runs');
}

/** Calls `use` with the folder of a repository whose last commit is reviewed by `count` copies of `script`. */
export async function withSampleRepository({ count, script, settings = '' }, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-bench-'));
  try {
    const git = (...args) =>
      spawnSync(
        'git',
        [
          '-c',
          'user.name=Bench',
          '-c',
          'user.email=bench@example.org',
          '-c',
          'commit.gpgsign=false',
          ...args,
        ],
        { cwd: folder, stdio: 'ignore' },
      );
    git('init', '-q', '-b', 'main');
    writeFileSync(
      path.join(folder, 'sum.js'),
      'export const sum = list => list.reduce((a, b) => a + b, 0);\n',
    );
    git('add', '.');
    git('commit', '-qm', 'one');
    writeFileSync(
      path.join(folder, 'sum.js'),
      'export const sum = list => list.reduce((a, b) => a + b);\n',
    );
    git('commit', '-qam', 'two');
    writeFileSync(path.join(folder, 'reviewer.mjs'), script);
    const reviewers = Array.from(
      { length: count },
      (_, index) =>
        `  - { id: r${index + 1}, runner: command, command: [node, ./reviewer.mjs], isolation: { write: [.] } }`,
    );
    writeFileSync(
      path.join(folder, 'jury.config.yaml'),
      `${settings}reviewers:\n${reviewers.join('\n')}\n`,
    );
    // The panel is this benchmark's own.
    process.env.JURY_TRUST_CONFIG = '1';
    return await use(folder);
  } finally {
    for (const each of [folder, stateOf(folder)]) rmSync(each, { recursive: true, force: true });
  }
}
