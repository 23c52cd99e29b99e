/**
 * Checks: reviewers that are programs, not models. They read the change itself, need no network and no key, take no configuration
 * from the change, and give the same answer to the same change. What they say is a finding; their silence counts nowhere.
 */
import type { RunnerWorld } from '../adapters/runners/executable.ts';
import type { Runner } from '../core/ports/runner.ts';
import type { SecretScanner } from '../core/ports/repository.ts';
import { redact } from '../core/safety/redaction.ts';
import { scanWith } from './secrets.ts';

export { severityOfSecret } from './secrets.ts';

/** The runner of every check. Its rules and libraries are loaded when it is opened, and not before. */
export async function openChecks(world: RunnerWorld): Promise<Runner> {
  return (await import('./world/runner.ts')).createBuiltinRunner(world, createSecretScanner());
}

/** What redacts prompts, logs and reports. The rules of the library are loaded at the first scan. */
export function createSecretScanner(): SecretScanner {
  return scanWith(async () => (await import('./world/rule-files.ts')).openSecrets());
}

/** The text with its credentials masked; `path`: of the file that it is or could be, by which some rules go. */
export async function maskSecrets(text: string, path: string) {
  return redact(text, await createSecretScanner().scan(text, path)).text;
}
