/** The authorities that the person who runs Jury trusts besides those of the system, as in a company whose proxy opens what passes it. */
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isInside } from '../system/real-path.ts';
import type { RunnerWorld } from './runner-world.ts';

export interface Certificates {
  readonly environment: Readonly<Record<string, string>>;
  /** To be shown in a sandbox. Absolute. */
  readonly files: readonly string[];
}

const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** For clients. A file of the checkout under review is none: a change of it would choose whom they believe. */
export async function certificatesOf({
  environment,
  checkout = null,
}: Pick<RunnerWorld, 'environment' | 'checkout'>): Promise<Certificates> {
  const found: [string, string][] = [];
  for (const variable of variables) {
    const file = environment[variable] ?? '';
    if (!isAbsolute(file)) continue;
    const real = await realpath(file).catch(() => null);
    if (real === null) continue;
    const top = checkout === null ? null : await realpath(checkout).catch(() => checkout);
    if (top === null || ![file, real].some(path => isInside(top, path)))
      found.push([variable, file]);
  }
  return { environment: Object.fromEntries(found), files: found.map(([, file]) => file) };
}
