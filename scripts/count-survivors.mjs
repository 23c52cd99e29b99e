// Counts what outlives reviewers that do all they can to leave something behind: `node scripts/count-survivors.mjs [DEADLINES] [KILLS]`
// (100 and 20), without a sandbox and with the one of this machine. Ends with 1 when something is left that must not be, or when less was
// tried than was asked for. Linux only; needs a build.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const words = [jury, 'ask', 'Is it good?', '--fresh', '--format', 'json'];
const [deadlines = 100, kills = 20] = process.argv.slice(2).map(Number);

/** Tells its own processes from all others. */
const seconds = 30_000_000 + process.pid;

/** Three that sleep: in a session of its own without a variable, the same again behind two forks, and the reviewer itself. */
const script = `cat > /dev/null
(env -i setsid sleep ${seconds} &)
(env -i setsid sh -c 'cd /; exec 0<&- 1>&- 2>&-; (setsid sleep ${seconds} &) &' &)
sleep ${seconds}
`;
const perReviewer = 3;

/** More than it takes to clean up after a Jury that was killed. */
const patienceMs = 5_000;

const levels = [
  { level: 'L0', isolation: 'sandbox: false' },
  { level: 'L1', isolation: 'require: L1' },
];

console.log(
  '| level | ending | reviewers ended so | most processes at a time | processes before | processes ' +
    'left | folders left | after the next start: processes | folders |',
);
console.log(`|${' --- |'.repeat(9)}`);
for (const { level, isolation } of levels)
  for (const ending of ['deadline', 'kill']) {
    const amount = ending === 'kill' ? kills : deadlines;
    const counted = await count({ amount, ending, level, isolation });
    const { tried, most, before, left, folders, afterwards, foldersAfterwards } = counted;
    console.log(
      `| ${[level, ending, `${tried} of ${amount}`, most, before, left, folders, afterwards, foldersAfterwards].join(' | ')} |`,
    );
    const isSound =
      tried === amount &&
      most >= perReviewer &&
      before === 0 &&
      left + folders + afterwards + foldersAfterwards === 0;
    if (!isSound) process.exitCode = 1;
  }

/**
 * Of one run with a deadline for each reviewer, or of as many runs that are killed when their reviewer has begun to sleep.
 * @param {{ readonly amount: number, readonly ending: string, readonly level: string, readonly isolation: string }} wanted
 */
async function count({ amount, ending, level, isolation }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-survivors-'));
  const temporary = path.join(folder, 'temporary');
  const [runs, seats] = ending === 'kill' ? [amount, 1] : [1, amount];
  mkdirSync(temporary);
  writeFileSync(path.join(folder, 'runaway.sh'), script);
  configure(
    folder,
    Array.from(
      { length: seats },
      (_, index) =>
        `{ id: r${index}, runner: command, command: [sh, ./runaway.sh], timeout: ` +
        `${ending === 'kill' ? 60 : 3}, isolation: { ${isolation} } }`,
    ),
  );
  const env = {
    ...process.env,
    JURY_TMPDIR: temporary,
    JURY_STATE: path.join(folder, 'state'),
    JURY_TRUST_CONFIG: '1',
  };
  const before = sleepers().length;
  let [tried, left, folders, most] = [0, 0, 0, 0];
  for (let round = 0; round < runs; round += 1) {
    const ended = await runOnce({ folder, env, level, isKilled: ending === 'kill' });
    tried += ended.tried;
    most = Math.max(most, ended.most);
    left += await untilNone(() => sleepers().length);
    folders += await untilNone(() => readdirSync(temporary).length);
    if (round + 1 < runs) end(sleepers());
  }
  // Whatever the next start finds, it ends and removes.
  configure(folder, ['{ id: calm, runner: command, command: [echo, None] }']);
  spawnSync(process.execPath, words, { cwd: folder, stdio: 'ignore', env });
  const afterwards = await untilNone(() => sleepers().length);
  const foldersAfterwards = readdirSync(temporary).length;
  end(sleepers());
  rmSync(folder, { recursive: true, force: true });
  return { tried, most, before, left, folders, afterwards, foldersAfterwards };
}

function configure(/** @type {string} */ folder, /** @type {readonly string[]} */ seats) {
  const lines = seats.map(seat => `  - ${seat}\n`).join('');
  writeFileSync(path.join(folder, 'jury.config.yaml'), `reviewers:\n${lines}`);
}

/**
 * `tried`: reviewers that ended as was wanted. `most`: what never ran cannot survive, so that as many as are up at one time are
 * counted too.
 * @param {{ readonly folder: string, readonly env: NodeJS.ProcessEnv, readonly level: string, readonly isKilled: boolean }} run
 */
async function runOnce({ folder, env, level, isKilled }) {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  const ended = once(child, 'close');
  let most = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const up = sleepers().length;
    most = Math.max(most, up);
    if (isKilled && up >= perReviewer) child.kill('SIGKILL');
    await wait(50);
  }
  await ended;
  return {
    tried: isKilled ? Number(child.signalCode === 'SIGKILL') : timedOut(output, level),
    most,
  };
}

/** At the level that was asked for. */
function timedOut(/** @type {string} */ output, /** @type {string} */ level) {
  try {
    /** @type {import('../dist/index.js').RunRecord} */
    const { reviewers } = JSON.parse(output);
    return reviewers.filter(
      ({ cause, isolation }) => cause === 'deadline' && isolation?.level === level,
    ).length;
  } catch {
    return 0;
  }
}

/** As soon as it is nothing, or when nothing more is to be hoped for. */
async function untilNone(/** @type {() => number} */ amount) {
  for (let waited = 0; waited < patienceMs && amount() > 0; waited += 50) await wait(50);
  return amount();
}

function end(/** @type {readonly number[]} */ pids) {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (Object(error).code !== 'ESRCH') throw error;
    }
}

/** Their ids, as `ps` would tell them. */
function sleepers() {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return (
          /^[^\0]*sleep\0(\d+)\0$/.exec(readFileSync(`/proc/${name}/cmdline`, 'latin1'))?.[1] ===
          String(seconds)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
