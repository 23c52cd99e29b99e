/** How far a reviewer that is a program is kept apart from the machine, and from the person it runs for. */
import { z } from 'zod';
import { Flag, NullableText, Text, Texts, optional, preset } from './fields.ts';
import { kindOf } from './runner.ts';

/**
 * L0: same user; fresh home and working folder, allow-listed environment. L1: namespaces of its own; read-only system, no home,
 * private process table and temporary folder. L2: a container, which Jury does not start. L3: no process at all, a model behind
 * its API.
 */
const isolationLevels = ['L0', 'L1', 'L2', 'L3'] as const;
const IsolationLevel = z.enum(isolationLevels);
type IsolationLevel = z.infer<typeof IsolationLevel>;

export const RequiredIsolation = z.strictObject({
  require: preset(
    IsolationLevel,
    'L0',
    'Least level for reviewers that are programs; one that cannot have it is not asked.',
  ),
});

/** The part of a reviewer's configuration. */
export const SeatIsolation = z.strictObject({
  require: optional(IsolationLevel, 'Least level for this reviewer, if more is wanted.'),
  sandbox: preset(
    Flag,
    true,
    'false: it runs at L0 although there is a sandbox, and the record says so.',
  ),
  network: preset(
    Flag,
    false,
    'true leaves it the network: a command has none otherwise, a coding agent only the hosts of its model.',
  ),
  read: preset(
    z.array(Text.min(1)),
    [],
    'Files and folders it may read besides the system and its own program.',
  ),
  write: preset(z.array(Text.min(1)), [], 'Files and folders it may change.'),
});
export type SeatIsolation = z.infer<typeof SeatIsolation>;

/** What a reviewer ran at. */
export const Isolation = z.object({
  level: IsolationLevel,
  /** What made the namespaces; null at L0 and L3. */
  by: z.enum(['bubblewrap', 'unshare']).nullable(),
  /** Could it reach the network? */
  network: Flag,
  /** Without the network: the one address it could reach nevertheless; absent where there is none. */
  endpoint: Text.optional(),
  /** Without the network: the hosts it could reach nevertheless, as `api.example.org:443`; absent where there are none. */
  hosts: Texts.optional(),
  /** Why it is no better level, or has the network as a coding agent at L1; null where nothing better was to be had. */
  reason: NullableText,
});
export type Isolation = z.infer<typeof Isolation>;

/** Of a reviewer that is asked without a process of its own. */
export const withoutProcess: Isolation = { level: 'L3', by: null, network: false, reason: null };

/** What a machine has to enclose a program with. */
export type Mechanism =
  | {
      readonly by: NonNullable<Isolation['by']>;
      /** Why a program without the network cannot be given single endpoints all the same; null when it can. */
      readonly noProxy: string | null;
    }
  | { readonly by: null; readonly reason: string };

interface Wish {
  readonly runner: string;
  readonly isolation?: SeatIsolation | undefined;
  readonly baseUrl?: string | undefined;
  /** What a coding agent has to reach, as `api.example.org:443`. */
  readonly hosts?: readonly string[];
}

/** The level that a reviewer gets on a machine, or a sentence: that level is less than what is required, so it is not asked. */
export function grantIsolation(wish: Wish, mechanism: Mechanism): Isolation | string {
  const granted = levelOf(wish, mechanism);
  const required = wish.isolation?.require ?? 'L0';
  if (isolationLevels.indexOf(granted.level) >= isolationLevels.indexOf(required)) return granted;
  return `Isolation level ${required} is required, and ${granted.level} is what it can have: ${
    granted.reason ?? 'Jury starts no container.'
  }`;
}

function levelOf(wish: Wish, mechanism: Mechanism): Isolation {
  if (wish.isolation?.sandbox === false)
    return {
      level: 'L0',
      by: null,
      network: true,
      reason: 'Its configuration asks for no sandbox.',
    };
  if (mechanism.by === null)
    return { level: 'L0', by: null, network: true, reason: mechanism.reason };
  return { level: 'L1', by: mechanism.by, ...networkOf(wish, mechanism.noProxy) };
}

/** A coding agent needs its model, and nothing else of the network. */
function networkOf({ runner, isolation, baseUrl, hosts = [] }: Wish, noProxy: string | null) {
  const isLeft = isolation?.network === true;
  if (kindOf(runner) === 'program') return { network: isLeft, reason: null };
  if (isLeft) return { network: true, reason: 'Its configuration leaves it the network.' };
  if (noProxy !== null) return { network: true, reason: noProxy };
  if (baseUrl === undefined || !isOnLoopback(baseUrl))
    return { network: false, hosts: [...hosts], reason: null };
  return Number(new URL(baseUrl).port || 0) >= leastPort
    ? { network: false, endpoint: baseUrl, reason: null }
    : { network: true, reason: `Nobody can listen below port ${leastPort} in a sandbox.` };
}

/** In the sandbox nobody has the power to listen below. */
const leastPort = 1024;

/** `http://127.0.0.1:8080`, `http://localhost/v1`, `http://[::1]:80`. */
export function isOnLoopback(url: string) {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Who wrote what is reviewed, as far as the call tells. */
export interface Situation {
  readonly trust: 'own' | 'untrusted';
  /** `patch`: nobody knows where it comes from. `pull`: a pull request. `fork`: one of somebody who may not write to the repository. */
  readonly source: string;
}

/** What a program must be kept apart by where nobody says otherwise. */
export function leastIsolation({ trust, source }: Situation): IsolationLevel {
  if (source === 'fork') return 'L3';
  return trust === 'untrusted' || source === 'patch' || source === 'pull' ? 'L1' : 'L0';
}

/**
 * A reviewer's own settings under those of its configuration: the stricter requirement holds. Where neither says one, `least` does. No
 * configuration is less strict than L3 where that is the least: a stranger's change is shown to no program.
 */
export function requireAtLeast(
  settings: SeatIsolation | undefined,
  required: IsolationLevel | undefined,
  least: IsolationLevel = 'L0',
) {
  const said = [settings?.require, required].filter(level => level !== undefined);
  const wanted = (said.length === 0 || least === 'L3' ? [least, ...said] : said).reduce(
    (one, other) => (isolationLevels.indexOf(one) >= isolationLevels.indexOf(other) ? one : other),
  );
  return wanted === (settings?.require ?? 'L0')
    ? settings
    : SeatIsolation.parse({ ...settings, require: wanted });
}
