/**
 * `token-counts.json`: what providers reported of prompts that were counted here. A file that is damaged, too large or of another
 * encoding starts anew.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { addObservations, TokenObservation } from '../../core/context/scope.ts';
import { readRecord, writeRecord } from './runs.ts';
import type { StateFolder } from './storage.ts';

const File = z.object({
  schema: z.literal('jury.token-counts/1'),
  counter: z.string(),
  observations: z.array(TokenObservation),
});

const name = 'token-counts.json';

/** Of the encoding `counter`, the latest last; empty when there are none to be read. Throws `UserError` for those of somebody else. */
export async function readTokenObservations(
  { disk, root }: StateFolder,
  counter: string,
): Promise<readonly TokenObservation[]> {
  const file = await readRecord(disk, join(root, name), File);
  return file?.counter === counter ? file.observations : [];
}

/** Of two runs that end at the same moment one may be forgotten: nothing but a sample is lost. */
export async function keepTokenObservations(
  state: StateFolder,
  counter: string,
  further: readonly TokenObservation[],
) {
  const observations = addObservations(await readTokenObservations(state, counter), further);
  const file: z.infer<typeof File> = { schema: 'jury.token-counts/1', counter, observations };
  await writeRecord(state, [name], file);
}
