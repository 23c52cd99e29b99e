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
  const isOffline = !(isolation.network || isolation.hosts || isolation.endpoint);
  const lacksNetwork = isOffline && networkWords.test(said);
  if (paths.length === 0 && !lacksNetwork && !isOffline) return answer;
  const lines = [
    ...(paths.length > 0 ? [`read: [${paths.join(', ')}]`] : []),
    ...(lacksNetwork ? ['network: true'] : []),
  ];
  const hint =
    lines.length > 0
      ? `Its sandbox withholds ${[...paths, ...(lacksNetwork ? ['the network'] : [])].join(', ')}; this gives it: isolation: { ${lines.join(', ')} }.`
      : 'It ran in a sandbox, without your home folder and the network; what it needs of them it is given by isolation: { read: [PATH] } or { network: true }.';
  return { ...answer, failure: { ...failure, message: `${hint} ${failure.message}` } };
}

const ownFailures: ReadonlySet<Cause> = new Set(['exit', 'spawn', 'not-found', 'killed', 'empty']);

/** Of the systems and libraries that programs are written with. */
const networkWords =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|getaddrinfo|resolve host|name resolution|name or service not known|network is unreachable|connection refused|failed to establish a new connection|fetch failed|urlopen error/i;
