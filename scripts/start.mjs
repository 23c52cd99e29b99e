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
    encoding: 'utf8',
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
  console.log(`
From here:
  npm link    makes jury a command
  jury init   in a project of yours, seats reviewers`);
  return 0;
}

function jury(args, options) {
  const program = path.join(root, 'dist', 'cli', 'main.js');
  return spawnSync(process.execPath, [program, ...args], { cwd: root, ...options });
}

/** Where it passed, what it came to is all there is to say; where there is none, as in a copy without history, why. */
function shortOf({ status, stdout, stderr }) {
  if (stdout.trim() === '') return stderr.trim().split('\n').at(-1);
  return status === 0 ? stdout.split('\n\n')[0] : stdout.trimEnd();
}
