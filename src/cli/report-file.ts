/** Where a report goes: what flags say of it, and a file of its own. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../core/errors.ts';
import type { Format } from '../render/formats.ts';
import type { Terminal } from './terminal.ts';

export interface Output {
  readonly format: Format | undefined;
  readonly json: boolean;
  readonly out: string | undefined;
  /** Nobody is asked, so there is no progress to show. */
  readonly notesOnly?: boolean;
}

/** Throws `UserError` (kind `usage`) where it cannot be written. */
export async function writeReport(
  text: string,
  out: string,
  run: string,
  terminal: Terminal,
): Promise<void> {
  const file = path.resolve(terminal.cwd, out);
  try {
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw usageError(
      `--out: ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      `The run is saved: jury report ${run}`,
      error,
    );
  }
  terminal.note(`Report written to ${file}.`);
}
