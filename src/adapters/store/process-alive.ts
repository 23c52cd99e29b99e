/** Does a process exist? Only asked of pids of our own machine and namespace. */
import { codeOf } from './disk-failure.ts';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
