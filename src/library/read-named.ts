/** What `show` is asked for: a run, something of a run, or something of the run that answered last, whose name need not be given. */
import { meantBy } from '../core/run-files/finding-names.ts';
import type { Run } from '../core/words/run.ts';
import { readEndedRun, readLatestRun } from './earlier-run.ts';
import { isRunName } from './open-source.ts';
import type { OwnState } from './own-state.ts';

export interface Named {
  readonly run: Run;
  /** Claim, finding or reviewer of it; null: the run itself. */
  readonly id: string | null;
}

/** `id` null: `wanted` is a run, or an id of the last answer. Throws `UserError` when there is no such run. */
export async function readNamed(
  state: OwnState,
  wanted: string,
  id: string | null,
): Promise<Named> {
  if (id !== null || isRunName(wanted)) return { run: await readEndedRun(state, wanted), id };
  const latest = await readLatestRun(state);
  const meant = latest === null ? null : meantBy(wanted, latest);
  const isKnown =
    meant !== null && (meant.kind !== 'unclear' || meant.candidates.length > 0 || isNumber(wanted));
  return latest !== null && isKnown
    ? { run: latest, id: wanted }
    : { run: await readEndedRun(state, wanted), id: null };
}

/** A number means a claim of the report printed last, and never a run. */
function isNumber(wanted: string): boolean {
  return /^\d{1,6}$/.test(wanted);
}
