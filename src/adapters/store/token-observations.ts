/** `.jury/token-counts.json`: what providers reported of prompts that were counted here. A file that is damaged, too large or of another encoding starts anew. */
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { addObservations, TokenObservation } from '../../core/context/scope.ts';
import { makeFolders, writeAtomically } from './atomic-write.ts';

const File = z.object({
  schema: z.literal('jury.token-counts/1'),
  counter: z.string(),
  observations: z.array(TokenObservation),
});

/** Far more than Jury writes; the repository under review may have put something else in this place. */
const sizeLimit = 1_048_576;

/** Of the encoding `counter`, the latest last; empty when there are none to be read. Never rejects: without them a count is as good as it was. */
export async function readTokenObservations(
  root: string,
  counter: string,
): Promise<readonly TokenObservation[]> {
  try {
    const path = pathIn(root);
    const found = await lstat(path);
    if (!found.isFile() || found.size > sizeLimit) return [];
    const parsed = File.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success && parsed.data.counter === counter ? parsed.data.observations : [];
  } catch {
    return [];
  }
}

/** `root` holds `.jury`. Of two runs that end at the same moment one may be forgotten: nothing but a sample is lost. */
export async function keepTokenObservations(
  root: string,
  counter: string,
  further: readonly TokenObservation[],
): Promise<void> {
  const observations = addObservations(await readTokenObservations(root, counter), further);
  await makeFolders(root, ['.jury']);
  await writeAtomically(
    pathIn(root),
    `${JSON.stringify({ schema: 'jury.token-counts/1', counter, observations } satisfies z.infer<typeof File>)}\n`,
  );
}

function pathIn(root: string): string {
  return join(root, '.jury', 'token-counts.json');
}
