// `npm start`: installs, builds, has the built-in checks look at this repository's own latest commit, and shows the demonstration.
// `npm start -- review A..B …` passes the arguments through to jury.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build, isStale } from './build.mjs';
import { root, setUp } from './setup.mjs';

setUp();
if (isStale()) {
  console.error('Building…');
  await build();
}

const given = process.argv.slice(2);
process.exit(given.length > 0 ? passOn() : show());

function passOn() {
  // npm changes to the package folder; the person's own folder is where relative paths and the repository are meant.
  const { status } = jury(given, { cwd: process.env.INIT_CWD ?? root, stdio: 'inherit' });
  return status ?? 130;
}

/** What is shown is no verdict about anything of yours, so it ends with 0 unless the demonstration cannot be given. */
function show() {
  const latest = jury(['review', 'HEAD', '--format', 'terminal'], {
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  console.log(`The latest commit here:\n\n${shortOf(latest)}\n\nWhat a panel looks like:\n`);
  // The board of who is asked is live on a terminal, and gone afterwards; elsewhere it would stand before the report.
  const board = process.stderr.isTTY ? 'inherit' : 'pipe';
  const demo = jury(['demo', '--format', 'terminal'], { stdio: ['inherit', 'inherit', board] });
  // A demonstration ends as its review does, which fails.
  if (demo.status !== 1) {
    process.stderr.write(demo.stderr ?? '');
    return demo.status || 130;
  }
  console.log('\nNow: npm link, which makes jury a command; then jury init in a project of yours.');
  return 0;
}

function jury(
  /** @type {readonly string[]} */ args,
  /** @type {import('node:child_process').SpawnSyncOptions} */ options,
) {
  const program = path.join(root, 'dist', 'cli', 'main.js');
  return spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    ...options,
    encoding: 'utf8',
  });
}

/**
 * What it came to, and what was found; where there is nothing, as in a copy without history, why. The steps that a report ends with
 * are left out: there is no command yet to take them with.
 */
function shortOf(/** @type {ReturnType<typeof jury>} */ { status, stdout, stderr }) {
  if (stdout.trim() === '') return stderr.trim().split('\n').at(-1);
  return stdout.split(status === 0 ? '\n\n' : '\n\nPanel\n')[0].trimEnd();
}
