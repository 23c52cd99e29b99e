/** What runs leave behind, by name. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { listRunResources, readResource } from '../adapters/store/resources.ts';
import { redact } from '../core/safety/redaction.ts';
import { parseResourceUri } from '../core/run-files/resource-uri.ts';
import type { Call } from './call.ts';
import { ownStateOf } from './own-state.ts';

/** Names of everything that can be read of the newest runs, newest run first. */
export async function listNewestResources(runs: number, call: Call): Promise<readonly string[]> {
  const state = await ownStateOf(call);
  const listed = await Promise.all(
    (await state.listRuns()).slice(0, runs).map(run => listRunResources(state, run)),
  );
  return listed.flat();
}

/**
 * Null when the name is not legal, or nothing that may be read has it; what came with the repository as a run is none. The diff
 * and the subject of a run hold what stood in the change: its credentials are masked.
 */
export async function readResourceNamed(uri: string, call: Call): Promise<string | null> {
  const state = await ownStateOf(call);
  const resource = parseResourceUri(uri);
  const text =
    resource?.kind === 'run' && !(await state.isOwnRun(resource.run))
      ? null
      : await readResource(state, uri);
  return text === null ? null : redact(text, await createSecretScanner().scan(text, uri)).text;
}
