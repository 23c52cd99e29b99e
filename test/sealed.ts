/** A plan that was altered, sealed as Jury seals its own: it is refused for what it says, and not for a broken seal. */
import { createHash } from 'node:crypto';

export function sealed(altered: Record<string, unknown>): Record<string, unknown> {
  const { seal: _, ...plan } = altered;
  return { ...plan, seal: createHash('sha256').update(JSON.stringify(plan)).digest('hex') };
}
