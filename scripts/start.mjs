// `npm start`: installs, builds and reviews this repository's own latest commit with the built-in reviewers.
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
const args = given.length > 0 ? given : ['review', 'HEAD', '--format', 'terminal'];
// npm changes to the package folder; the person's own folder is where relative paths and the repository are meant.
const cwd = given.length > 0 ? (process.env.INIT_CWD ?? root) : root;
const jury = spawnSync(process.execPath, [path.join(root, 'dist', 'cli', 'main.js'), ...args], {
  cwd,
  stdio: 'inherit',
});
if (given.length === 0) {
  console.error(`
That was the built-in panel on the latest commit of this repository. From here:
  npm start -- review A..B       reviews another range, in the folder you stand in
  npm start -- review --help     tells every way to name a change
  docs/configuration.md          how to seat coding agents, model APIs and programs of your own`);
}
process.exit(jury.status ?? 130);
