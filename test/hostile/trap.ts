/** A trap that is also set for the commands of the program, not only for the reader of repositories. */
import type { Fixture } from '../adapters/git/hostile-zoo.ts';

export interface Trap extends Fixture {
  readonly control: string;
  /** Where one stands, relative to the top of the repository; default: there. */
  readonly cwd?: string;
  /** Folders of the repository before all others in `PATH`. */
  readonly before?: readonly string[];
}

/** One word of a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words of a shell that do what a loader of the file does: start what `commandsOf`, a function as text, finds in its JSON. */
export function starts(file: string, commandsOf: string): string {
  const script = `const file = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'));
for (const [first, ...rest] of (${commandsOf})(file)) require('node:child_process').spawnSync(first, rest, { shell: rest.length === 0 });`;
  return `node -e ${quoted(script)} "${file}"`;
}
