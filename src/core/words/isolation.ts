/** How far a reviewer that is a program is kept apart from the machine, and from the person it runs for. */
import { z } from 'zod';

/**
 * L0: same user; fresh home and working folder, allow-listed environment. L1: namespaces of its own; read-only system, no home,
 * private process table and temporary folder. L2: a container, which Jury does not start. L3: no process at all, a model behind
 * its API.
 */
export const isolationLevels = ['L0', 'L1', 'L2', 'L3'] as const;
export const IsolationLevel = z.enum(isolationLevels);
export type IsolationLevel = z.infer<typeof IsolationLevel>;

export const RequiredIsolation = z.strictObject({
  require: IsolationLevel.default('L0').describe(
    'Least level for reviewers that are programs; one that cannot have it is not asked.',
  ),
});

/** The part of a reviewer's configuration. */
export const SeatIsolation = z.strictObject({
  require: IsolationLevel.optional().describe('Least level for this reviewer, if more is wanted.'),
  sandbox: z
    .boolean()
    .default(true)
    .describe('false: it runs at L0 although there is a sandbox, and the record says so.'),
  network: z
    .boolean()
    .default(false)
    .describe('runner command: true leaves it the network; coding agents always have it.'),
  read: z
    .array(z.string().min(1))
    .default([])
    .describe('Files and folders it may read besides the system and its own program.'),
  write: z.array(z.string().min(1)).default([]).describe('Files and folders it may change.'),
});
export type SeatIsolation = z.infer<typeof SeatIsolation>;

/** What a reviewer ran at. */
export const Isolation = z.object({
  level: IsolationLevel,
  /** What made the namespaces; null at L0 and L3. */
  by: z.enum(['bubblewrap', 'unshare']).nullable(),
  /** Could it reach the network? */
  network: z.boolean(),
  /** Without the network: the one address it could reach nevertheless; absent where there is none. */
  endpoint: z.string().optional(),
  /** Why it is no better level; null where nothing better was to be had. */
  reason: z.string().nullable(),
});
export type Isolation = z.infer<typeof Isolation>;

/** Of a reviewer that is asked without a process of its own. */
export const withoutProcess: Isolation = { level: 'L3', by: null, network: false, reason: null };

/** What a machine has to enclose a program with. */
export type Mechanism =
  | {
      readonly by: NonNullable<Isolation['by']>;
      /** Can a program without the network be given one endpoint of this machine? */
      readonly hasDoors?: boolean;
    }
  | { readonly by: null; readonly reason: string };

interface Wish {
  readonly runner: string;
  readonly isolation?: SeatIsolation | undefined;
  readonly baseUrl?: string | undefined;
}

/** The level that a reviewer gets on a machine, or a sentence: that level is less than what is required, so it is not asked. */
export function grantIsolation(
  { runner, isolation, baseUrl }: Wish,
  mechanism: Mechanism,
): Isolation | string {
  const granted = levelOf({ runner, isolation, baseUrl }, mechanism);
  const required = isolation?.require ?? 'L0';
  if (isolationLevels.indexOf(granted.level) >= isolationLevels.indexOf(required)) return granted;
  return `Isolation level ${required} is required, and ${granted.level} is what it can have: ${
    granted.reason ?? 'Jury starts no container.'
  }`;
}

function levelOf({ runner, isolation, baseUrl }: Wish, mechanism: Mechanism): Isolation {
  if (isolation?.sandbox === false)
    return {
      level: 'L0',
      by: null,
      network: true,
      reason: 'Its configuration asks for no sandbox.',
    };
  if (mechanism.by === null)
    return { level: 'L0', by: null, network: true, reason: mechanism.reason };
  const level = { level: 'L1', by: mechanism.by, reason: null } as const;
  if (runner === 'command') return { ...level, network: isolation?.network === true };
  // A coding agent whose model is on this machine needs nothing else of the network.
  return mechanism.hasDoors === true && baseUrl !== undefined && canBeServed(baseUrl)
    ? { ...level, network: false, endpoint: baseUrl }
    : { ...level, network: true };
}

/** In the sandbox nobody has the power to listen below. */
const leastPort = 1024;

function canBeServed(url: string): boolean {
  return isOnLoopback(url) && Number(new URL(url).port || 0) >= leastPort;
}

/** `http://127.0.0.1:8080`, `http://localhost/v1`, `http://[::1]:80`. */
export function isOnLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Who wrote what is reviewed, as far as the call tells. */
export interface Situation {
  readonly trust: 'own' | 'untrusted';
  /** `patch`: nobody knows where it comes from. */
  readonly source: string;
}

/** What a program must be kept apart by where nobody says otherwise. */
export function leastIsolation({ trust, source }: Situation): IsolationLevel {
  return trust === 'untrusted' || source === 'patch' ? 'L1' : 'L0';
}

/** A reviewer's own settings under those of its configuration: the stricter requirement holds. Where neither says one, `least` does. */
export function requireAtLeast(
  settings: SeatIsolation | undefined,
  required: IsolationLevel | undefined,
  least: IsolationLevel = 'L0',
): SeatIsolation | undefined {
  const said = [settings?.require, required].filter(level => level !== undefined);
  const wanted = (said.length === 0 ? [least] : said).reduce((one, other) =>
    isolationLevels.indexOf(one) >= isolationLevels.indexOf(other) ? one : other,
  );
  return wanted === (settings?.require ?? 'L0')
    ? settings
    : SeatIsolation.parse({ ...settings, require: wanted });
}
