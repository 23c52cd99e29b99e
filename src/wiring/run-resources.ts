/** What runs leave behind, by name. */
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { listRunResources, readResource } from '../adapters/store/resources.ts';
import { listRuns } from '../adapters/store/runs.ts';
import { redact } from '../core/redaction.ts';
import type { Call } from './call.ts';
import { rootOf } from './root.ts';

/** Names of everything that can be read of the newest runs, newest run first. */
export async function listNewestResources(runs: number, call: Call): Promise<readonly string[]> {
  const root = await rootOf(call);
  const listed = await Promise.all((await listRuns(root)).slice(0, runs).map(run => listRunResources(root, run)));
  return listed.flat();
}

/** Null when the name is not legal, or nothing that may be read has it. The diff and the subject of a run hold what stood in the change: its credentials are masked. */
export async function readResourceNamed(uri: string, call: Call): Promise<string | null> {
  const text = await readResource(await rootOf(call), uri);
  return text === null ? null : redact(text, await createSecretScanner().scan(text, uri)).text;
}
