// Counts what outlives reviewers that do all they can to leave something behind: `node scripts/count-survivors.mjs [DEADLINES] [KILLS]`
// (100 and 20), without a sandbox and with the one of this machine. Linux only; needs a build.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [deadlines = 100, kills = 20] = process.argv.slice(2).map(Number);
const seconds = 30_000_000 + process.pid;
const script = `cat > /dev/null
(env -i setsid sleep ${seconds} &)
(env -i setsid sh -c 'cd /; exec 0<&- 1>&- 2>&-; (setsid sleep ${seconds} &) &' &)
sleep ${seconds}
`;

for (const [level, isolation] of [
  ['L0', 'sandbox: false'],
  ['L1', 'require: L1'],
]) {
  const left = [await count(deadlines, 'deadline', isolation)];
  left.push(await count(kills, 'kill', isolation));
  console.log(`${level}: ${left.join('; ')}`);
}

/** A sentence about one run with a deadline for each reviewer, or about as many runs that are killed. */
async function count(amount, ending, isolation) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-survivors-'));
  const temporary = path.join(folder, 'temporary');
  mkdirSync(temporary);
  writeFileSync(path.join(folder, 'runaway.sh'), script);
  const seats = Array.from(
    { length: ending === 'kill' ? 1 : amount },
    (_, index) =>
      `  - { id: r${index}, runner: command, command: [sh, ./runaway.sh], timeout: ${ending === 'kill' ? 60 : 3}, isolation: { ${isolation} } }\n`,
  );
  writeFileSync(path.join(folder, 'jury.config.yaml'), `reviewers:\n${seats.join('')}`);
  const options = {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      JURY_TMPDIR: temporary,
      JURY_STATE: path.join(folder, 'state'),
      JURY_TRUST_CONFIG: '1',
    },
  };
  let [processes, most] = [0, 0];
  for (let round = 0; round < (ending === 'kill' ? amount : 1); round += 1) {
    const child = spawn(process.execPath, [jury, 'ask', 'Is it good?', '--fresh'], options);
    const ended = once(child, 'exit');
    // What never ran cannot survive: as many as are up at one time are counted too.
    while (child.exitCode === null && child.signalCode === null) {
      most = Math.max(most, sleepers().length);
      if (ending === 'kill' && sleepers().length >= 3) child.kill('SIGKILL');
      await wait(50);
    }
    await ended;
    await wait(ending === 'kill' ? 500 : 0);
    processes += sleepers().length;
    if (round + 1 < amount) end(sleepers());
  }
  const folders = readdirSync(temporary).length;
  // Whatever the next start finds, it ends and removes.
  writeFileSync(
    path.join(folder, 'jury.config.yaml'),
    'reviewers:\n  - { id: calm, runner: command, command: [echo, None] }\n',
  );
  spawnSync(process.execPath, [jury, 'ask', 'Is it good?', '--fresh'], options);
  const after = `after the next start ${sleepers().length} and ${readdirSync(temporary).length}`;
  end(sleepers());
  rmSync(folder, { recursive: true, force: true });
  return `${amount} × ${ending}: up to ${most} sleepers at a time, ${processes} processes and ${folders} folders left, ${after}`;
}

function end(pids) {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

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
