/**
 * What a client has to reach. A reviewer of Jury brings its key along and reads no login of its home, so that the host that hands out or
 * renews tokens of a login is needed by none. What a client tells its vendor besides (telemetry, updates, lists of models, plugins) goes
 * to other hosts, and the client does without: `npm run test:clients` asks each of them behind these hosts alone.
 */
import { vendorEndpoints } from '../../core/context/egress.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  grantIsolation,
  type Isolation,
  type Mechanism,
  type SeatIsolation,
} from '../../core/words/isolation.ts';
import { hostOf } from '../sandbox/endpoint-proxy.ts';
import type { ClientName } from './client.ts';

/** Where no `baseUrl` says otherwise. */
const endpoints: Readonly<Record<ClientName, readonly [string, ...string[]]>> = {
  /** `CLAUDE_CODE_OAUTH_TOKEN` is good for a year and is not renewed; the vendor's settings and policies come from the same host. */
  claude: [vendorEndpoints.anthropic],
  /** With a key, not with a login: that would need `auth.openai.com` and `chatgpt.com`. */
  codex: [vendorEndpoints.openai],
  /** By `gemini-api-key`; a login would need `oauth2.googleapis.com` and `cloudcode-pa.googleapis.com`. */
  gemini: [vendorEndpoints.google],
  /** It asks a registry of packages for what it does not need. */
  opencode: [vendorEndpoints.openai],
};

/** URLs; none for what is no coding agent. */
export function endpointsOf({
  runner,
  baseUrl,
}: Pick<Seat, 'runner' | 'baseUrl'>): readonly string[] {
  if (!isClient(runner)) return [];
  return baseUrl === undefined ? endpoints[runner] : [baseUrl];
}

function isClient(runner: string): runner is ClientName {
  return Object.hasOwn(endpoints, runner);
}

type AskedHosts = Pick<Seat, 'runner' | 'baseUrl'> & {
  readonly isolation?: SeatIsolation | undefined;
};

/** The level that a reviewer gets on a machine, or a sentence: it is not asked. */
export function isolationOn(mechanism: Mechanism, seat: AskedHosts): Isolation | string {
  return grantIsolation({ ...seat, hosts: endpointsOf(seat).map(hostOf) }, mechanism);
}
