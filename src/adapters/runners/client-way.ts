/** What the way to the hosts of a client says about its answer: clients tell of a proxy in many words, and seldom why. */
import type { Answer } from '../../core/ports/runner.ts';
import type { Cause } from '../../core/words/review.ts';
import type { Isolation } from '../../core/words/isolation.ts';
import type { Told, Unreached } from '../sandbox/host-proxy.ts';

/** All of it stands in the transcript; the message of a failure names what can have been its reason. */
export function withWay(answer: Answer, told: Told, { hosts = [] }: Isolation): Answer {
  const { opened, unreached } = told;
  if (unreached.length === 0) return answer;
  const transcript = `${answer.transcript}\n--- network ---\n${unreached.map(tell).join('\n')}`;
  if (answer.status === 'answered') return { ...answer, transcript };
  // Clients ask for more than they need, and go on without it.
  const reasons = unreached.filter(({ isOwn }) => isOwn || opened === 0);
  if (reasons.length === 0) return { ...answer, transcript };
  const { failure } = answer;
  const isStranger = reasons.every(({ isOwn }) => !isOwn);
  return {
    ...answer,
    transcript,
    failure: {
      ...failure,
      // Nothing was said by any provider.
      ...(opened === 0 &&
        unreachable.has(failure.cause) && { cause: 'unreachable', httpStatus: null }),
      message: [
        failure.message,
        ...reasons.slice(0, 3).map(tell),
        ...(isStranger
          ? [`It may reach ${hosts.join(', ')}; its baseUrl, or isolation.network, says otherwise.`]
          : []),
      ].join(' '),
    },
  };
}

/** What clients make of a proxy that refuses. */
const unreachable: ReadonlySet<Cause> = new Set(['auth', 'provider', 'exit', 'protocol', 'empty']);

function tell({ target, why, times }: Unreached): string {
  return `${target} ${why}${times > 1 ? ` (${times} times)` : ''}.`;
}
