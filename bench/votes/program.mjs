// Starts the built program on a session in a temporary folder, with its own state, and tells what it took.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const jury = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Told on a channel of its own when the process ends, so that nothing has to be added to the program. */
const telling = `data:text/javascript,${encodeURIComponent(
  `import fs from 'node:fs'; process.on('exit', () => fs.writeSync(3, JSON.stringify(process.resourceUsage())));`,
)}`;

/** `session`: a folder that is copied, or a function that writes one. Given back by `remove`. */
export function placeSession(session, motions = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-bench-votes-'));
  const name = typeof session === 'string' ? path.basename(session) : 'session';
  const place = path.join(folder, name);
  if (typeof session === 'string') {
    cpSync(session, place, {
      recursive: true,
      filter: source => path.basename(source) !== 'recorded',
    });
  } else {
    mkdirSync(place);
    session(place);
  }
  mkdirSync(path.join(folder, 'state'), { mode: 0o700 });
  writeFileSync(path.join(folder, 'jury.config.json'), JSON.stringify({ motions }));
  return {
    folder,
    name,
    results: path.join(folder, '_bmad-output', 'review-pipeline', name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Resolves with exit code, what was printed, seconds of wall and of processor, and the largest memory in MB. */
export function runJury({ folder }, args, { signal } = {}) {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', telling, jury, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, JURY_STATE: path.join(folder, 'state'), JURY_TRUST_CONFIG: '1' },
    ...(signal && { signal }),
  });
  const texts = ['', '', ''];
  for (const [index, stream] of [child.stdout, child.stderr, child.stdio[3]].entries())
    stream.setEncoding('utf8').on('data', text => (texts[index] += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      const [stdout, stderr, told] = texts;
      const {
        maxRSS = 0,
        userCPUTime = 0,
        systemCPUTime = 0,
      } = told === '' ? {} : JSON.parse(told);
      resolve({
        code,
        stdout,
        stderr,
        seconds: (performance.now() - began) / 1000,
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        megabytes: maxRSS / 1024,
      });
    });
  });
}

export function readResult(results, name) {
  return JSON.parse(readFileSync(path.join(results, name), 'utf8'));
}

/** Folders beside the results that hold those of runs before. */
export function formerResults({ results, name }) {
  const base = path.dirname(results);
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter(entry => entry.startsWith(`${name}.`))
    .map(entry => path.join(base, entry));
}
