/** The process of this program and the others of the machine. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import type { Processes } from '../../core/ports/runner.ts';

export const systemProcesses: Processes = {
  pid: process.pid,
  user: process.getuid?.() ?? null,
  async identify() {
    const [boot, namespace, record] = await Promise.all([
      bootId(),
      pidNamespace(),
      processRecord(process.pid),
    ]);
    return {
      pid: process.pid,
      host: hostname(),
      boot,
      namespace,
      started: record?.started ?? null,
    };
  },
  async isGone(identity) {
    if (identity.host !== hostname()) return false;
    const boot = await bootId();
    if (boot !== null && identity.boot !== null && boot !== identity.boot) return true;
    if (identity.namespace !== (await pidNamespace())) return false;
    if (!isAlive(identity.pid)) return true;
    const record = await processRecord(identity.pid);
    if (!record) return false;
    // A zombie has ended; its parent has just not asked yet.
    return (
      record.state === 'Z' || (identity.started !== null && record.started !== identity.started)
    );
  },
  isAlive,
};

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function bootId() {
  return readSystem(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
}

function pidNamespace() {
  return readSystem(() => readlink('/proc/self/ns/pid'));
}

/** State and start time: the third and the 22nd field. The second one is the program's name in brackets and may hold anything. */
async function processRecord(pid: number) {
  const text = await readSystem(() => readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? null : { state, started };
}

/** Systems without these files, or that hide them, simply do not tell. */
async function readSystem(read: () => Promise<string>) {
  try {
    return (await read()).trim();
  } catch {
    return null;
  }
}

/** Name of the account Jury runs as, by the system and not by its variables; its number where it has none. */
export function accountName() {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
