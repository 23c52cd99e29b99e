/**
 * `token-counts.json`: what providers reported of prompts that were counted here. A file that is damaged, too large or of another
 * encoding starts anew.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { addObservations, TokenObservation } from '../../core/context/scope.ts';
import { makeFolders, readPlainText, writeAtomically } from './atomic-write.ts';
import type { StateFolder } from './storage.ts';

const File = z.object({
  schema: z.literal('jury.token-counts/1'),
  counter: z.string(),
  observations: z.array(TokenObservation),
});

/** Far more than Jury writes. */
const sizeLimit = 1_048_576;

/** Of the encoding `counter`, the latest last; empty when there are none to be read. Throws `UserError` for those of somebody else. */
export async function readTokenObservations(
  state: StateFolder,
  counter: string,
): Promise<readonly TokenObservation[]> {
  try {
    const text = await readPlainText(state.disk, pathIn(state), sizeLimit);
    if (text === null) return [];
    const parsed = File.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.counter === counter ? parsed.data.observations : [];
  } catch (error) {
    if (error instanceof UserError) throw error;
    return [];
  }
}

/** Of two runs that end at the same moment one may be forgotten: nothing but a sample is lost. */
export async function keepTokenObservations(
  state: StateFolder,
  counter: string,
  further: readonly TokenObservation[],
): Promise<void> {
  const observations = addObservations(await readTokenObservations(state, counter), further);
  await makeFolders(state.disk, state.root, ['.']);
  await writeAtomically(
    state,
    pathIn(state),
    `${JSON.stringify({ schema: 'jury.token-counts/1', counter, observations } satisfies z.infer<typeof File>)}\n`,
  );
}

function pathIn({ root }: StateFolder): string {
  return join(root, 'token-counts.json');
}
