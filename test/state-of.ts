/** Where the program under test keeps the state of a project. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** `project`: top of its repository, or the working folder where there is none. */
export function stateOf(project: string): string {
  const name = createHash('sha256').update(realpathSync(project)).digest('hex').slice(0, 32);
  return path.join(process.env['JURY_STATE'] ?? '', name);
}

export function runsOf(project: string): string {
  return path.join(stateOf(project), 'runs');
}
