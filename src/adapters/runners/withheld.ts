/** What a sandbox keeps from a program that failed in it, and the line of the configuration that gives it. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { NotAnswered } from '../../core/ports/runner.ts';
import type { Isolation } from '../../core/words/isolation.ts';
import type { Cause } from '../../core/words/review.ts';

/** Only where the program itself failed. `sees`: does it see what lies at an absolute path? */
export function tellWithheld(
  answer: NotAnswered,
  isolation: Isolation,
  sees: (path: string) => boolean,
): NotAnswered {
  const { failure, transcript } = answer;
  if (!ownFailures.has(failure.cause)) return answer;
  const said = transcript.slice(-20_000);
  const paths = [...new Set(said.match(/(?<![\w.:/~-])(?:~|\/)[\w.@+/-]*\w/g) ?? [])]
    .map(path => path.replace(/^~/, homedir()))
    .filter(
      path => !/^\/(?:proc|sys|dev(?!\/shm\/))\b/.test(path) && existsSync(path) && !sees(path),
    )
    .slice(0, 3);
  // What a client could not reach is told by its way.
  const isClient = isolation.hosts !== undefined || isolation.endpoint !== undefined;
  if (isClient && paths.length === 0) return answer;
  const isOffline = !isClient && !isolation.network;
  const [withheld, read] = paths.length === 0 ? [['your home folder'], ['PATH']] : [paths, paths];
  const what = [...withheld, ...(isOffline ? ['the network'] : [])].join(', ');
  const line = `read: [${read.join(', ')}]${isOffline ? ', network: true' : ''}`;
  const hint = `It ran in a sandbox that withholds ${what}; what it needs is given by isolation: { ${line} }.`;
  return { ...answer, failure: { ...failure, message: `${hint} ${failure.message}` } };
}

const ownFailures: ReadonlySet<Cause> = new Set(['exit', 'spawn', 'not-found', 'killed', 'empty']);
