/** Renames as often as Windows refuses for the moment. */
import { rename } from 'node:fs/promises';

/** Together a second and a half. */
const pausesMs = [10, 20, 50, 100, 200, 400, 700];

/**
 * Windows refuses to replace a file that anybody has open, a virus scanner or an indexer too, which soon has it no more. Elsewhere the
 * same codes mean that it cannot be done, and no second try is made.
 */
export async function renamePatiently(
  from: string,
  to: string,
  {
    move = rename,
    platform = process.platform,
  }: {
    readonly move?: (from: string, to: string) => Promise<void>;
    readonly platform?: NodeJS.Platform;
  } = {},
): Promise<void> {
  for (const pauseMs of platform === 'win32' ? pausesMs : []) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!passing.has(String((error as NodeJS.ErrnoException).code))) throw error;
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
  return move(from, to);
}

const passing: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);
