/** What a person can do about a seat that does not answer. */
import type { Seat } from './words/config.ts';
import { kindOf, traitsOf } from './words/runner.ts';
import type { Cause, Failure } from './words/review.ts';

type Asked = Pick<Seat, 'runner' | 'model' | 'baseUrl' | 'apiKeyEnv' | 'command' | 'timeout'>;

/** Null where nobody knows. `retryAfterMs`: what the provider asked to wait, null when it did not say. */
export function mendOf(
  { cause, message, httpStatus }: Pick<Failure, 'cause' | 'message' | 'httpStatus'>,
  seat: Asked,
  retryAfterMs: number | null,
): string | null {
  if (httpStatus === 404)
    return `Look at "model" (${seat.model ?? 'none'}) and "baseUrl" (${seat.baseUrl === undefined ? "the vendor's" : withoutUser(seat.baseUrl)}): one of them is not known there.`;
  const wait =
    retryAfterMs === null ? 'Wait' : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s`;
  const mends: Partial<Record<Cause, string>> = {
    'not-found': installOf(seat),
    version: `Bring ${seat.runner} up to date.`,
    auth: keyOf(seat, message),
    unreachable: `Start the server${seat.baseUrl === undefined ? ', or look at the network' : ` at ${withoutUser(seat.baseUrl)}, or put "baseUrl" right`}.`,
    quota: 'Add credit, or seat a model of another vendor.',
    'rate-limited': `${wait} and try again, or ask for fewer at a time ("concurrency").`,
    'first-output': slowOf(seat),
    idle: slowOf(seat),
    deadline: slowOf(seat),
    isolation: 'Take "isolation" of this reviewer back, or run where a sandbox can be had.',
    spawn: 'Look at whether the program is made for this machine.',
    exit: `By hand it runs outside of the sandbox: ${seat.command?.join(' ') ?? seat.runner}`,
    empty: 'It must write its answer to standard output.',
    'unsafe-cli': `Bring ${seat.runner} up to date.`,
    protocol: `Bring ${seat.runner} up to date; see docs/reviewers.md for versions that were tried.`,
  };
  return mends[cause] ?? null;
}

function installOf({ runner, model }: Asked): string {
  const { kind, needs: [key] = [] } = traitsOf(runner);
  if (kind === 'program') return 'Put "command" of this reviewer right, or install the program.';
  if (kind === 'api') return `Put "model" (${model ?? 'none'}) of this reviewer right.`;
  if (key !== undefined) return `Put "${key}" of this reviewer right.`;
  return `Install ${runner}, or name its program with "executable".`;
}

function keyOf({ runner, apiKeyEnv }: Asked, message: string): string {
  if (message.startsWith('No key'))
    return kindOf(runner) === 'api'
      ? 'Set it where jury is started.'
      : `Set it where jury is started: ${runner} gets a key and sees no login of yours${runner === 'claude' ? '; "claude setup-token" makes one of a subscription' : ''}.`;
  return `Look at the key${apiKeyEnv === undefined ? '' : ` in ${apiKeyEnv}`}: it was refused, or may not use this model.`;
}

function slowOf({ timeout }: Asked): string {
  return `Give it more time (--timeout ${timeout * 4}), or look at whether a model is still being loaded.`;
}

function withoutUser(endpoint: string): string {
  return endpoint.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
