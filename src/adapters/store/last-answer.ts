/** `.jury/last-answer.json`: the run that answered last, which is what a person means by `latest` after an answer from an earlier run. */
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolders, writeAtomically } from './atomic-write.ts';
import { runIdPattern } from './run-folder.ts';

const File = z.object({ schema: z.literal('jury.last-answer/1'), run: z.string().regex(runIdPattern) });

/** Far more than Jury writes; the repository under review may have put something else in this place. */
const sizeLimit = 4_096;

/** Id of the run; null when nobody noted one or what lies there is damaged. Whether that run is still there is not looked up. Never rejects. */
export async function readLastAnswer(root: string): Promise<string | null> {
  try {
    const path = pathIn(root);
    const found = await lstat(path);
    if (!found.isFile() || found.size > sizeLimit) return null;
    const parsed = File.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data.run : null;
  } catch {
    return null;
  }
}

/** `root` holds `.jury`. Of two runs at once the one that answers last stands there. Never rejects: no answer is lost over a note about it. */
export async function noteLastAnswer(root: string, run: string): Promise<void> {
  try {
    await makeFolders(root, ['.jury']);
    await writeAtomically(pathIn(root), `${JSON.stringify({ schema: 'jury.last-answer/1', run } satisfies z.infer<typeof File>)}\n`);
  } catch {
    // Then `latest` is what it was before.
  }
}

function pathIn(root: string): string {
  return join(root, '.jury', 'last-answer.json');
}
