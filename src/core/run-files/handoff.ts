/** What one role passes to the next: references, never text. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { parseResourceUri } from './resource-uri.ts';

const AgentName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

export const Handoff = z.strictObject({
  from: AgentName,
  to: AgentName,
  task_id: z.string().min(1),
  diff_refs: z.array(z.string()),
  /** `resources://` names. */
  evidence: z.array(z.string()),
  risks: z.array(z.string()),
  notes: z.string(),
});
export type Handoff = z.infer<typeof Handoff>;

/** Path in the run folder. The arrow is U+2192. */
export function handoffPath({ from, to }: Pick<Handoff, 'from' | 'to'>): string {
  return `handoff/${from}→${to}.json`;
}

/** Throws `UserError` (kind `input`) when any evidence does not resolve: whoever is handed it could not look at it. */
export async function checkHandoff(
  handoff: Handoff,
  resolves: (uri: string) => Promise<boolean>,
): Promise<void> {
  for (const uri of handoff.evidence) {
    if (parseResourceUri(uri) === null || !(await resolves(uri))) {
      throw new UserError(
        `Handoff ${handoff.from}→${handoff.to}: evidence ${JSON.stringify(uri.slice(0, 200))} does not resolve.`,
        { kind: 'input', hint: 'Name only files that the run has written.' },
      );
    }
  }
}
