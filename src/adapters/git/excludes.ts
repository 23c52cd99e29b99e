/** Which untracked files git ignores beyond `.gitignore`: the repository's own list and the person's. Ignored files are never read. */
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSection } from './git-configuration.ts';
import { readPlainText } from './plain-file.ts';
import type { Shadow } from './shadow.ts';

const maxBytes = 1_048_576;

/** The shadow directory has no configuration, so the lists are copied to where git looks without being told. */
export async function writeExcludes({ program, source }: Shadow): Promise<void> {
  const lists = [await readPersonal(homedir()), await readPlainText(join(source.common, 'info', 'exclude'), maxBytes)];
  const folder = join(program.folder, 'shadow', 'info');
  await mkdir(folder, { recursive: true });
  // The later line wins, and the repository's list is nearer than the person's.
  await writeFile(join(folder, 'exclude'), lists.map(list => `${list ?? ''}\n`).join(''));
}

async function readPersonal(home: string): Promise<string | null> {
  for (const file of [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')]) {
    const named = readSection((await readPlainText(file, maxBytes)) ?? '', 'core').get('excludesfile');
    if (named !== undefined) return readPlainText(resolve(home, named.replace(/^~\//, `${home}/`)), maxBytes);
  }
  return readPlainText(join(home, '.config', 'git', 'ignore'), maxBytes);
}
