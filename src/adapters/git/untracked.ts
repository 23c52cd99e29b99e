/** Lists the files that git neither tracks nor ignores, and looks at each to know whether it is sent. */
import { fstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mostBytes, type Unsent, whyUnsent } from '../../core/change/untracked.ts';

import { readPlainFile } from '../system/given-file.ts';
import { askGit } from './git-process.ts';
import { writeExcludes } from './index-copy.ts';
import { splitZero, utf8 } from './names.ts';
import type { Shadow } from './shadow.ts';

/** `all` is for what stays on this machine: nothing of it is sent to anybody. */
export type Wanted = 'all' | 'sendable' | 'none';

const lookedAtOnce = 64;

/**
 * Names relative to the top, with slashes, bytes as latin1; those of other repositories with a slash behind them. Throws `UserError` for a working tree that cannot
 * be read.
 */
export async function listUntracked(
  shadow: Shadow,
  where: { readonly indexFile: string; readonly workTree: string },
) {
  await writeExcludes(shadow);
  const listed = await askGit(
    shadow.program,
    // What Jury keeps in the project is nobody's work, also before it keeps itself out of sight.
    'ls-files --others --exclude-standard --exclude=/.jury/ -z'.split(' '),
    unreadable,
    { ...where, hint: mend },
  );
  return splitZero(listed).map(name => name.toString('latin1'));
}

/** Looks at each file. What is sent: names relative to the top, with slashes, bytes as latin1. */
export async function chooseUntracked(workTree: string, names: readonly string[], wanted: Wanted) {
  if (wanted === 'all') return { sent: names.filter(name => !name.endsWith('/')), unsent: [] };
  const sent: string[] = [];
  const unsent: Unsent[] = [];
  for (let at = 0; at < names.length; at += lookedAtOnce) {
    const some = names.slice(at, at + lookedAtOnce);
    const reasons =
      wanted === 'none' ? [] : await Promise.all(some.map(name => whyNot(workTree, utf8(name))));
    for (const [index, name] of some.entries()) {
      const why = reasons[index] ?? null;
      if (wanted === 'sendable' && why === null) sent.push(name);
      else unsent.push({ path: utf8(name), why });
    }
  }
  return { sent, unsent };
}

/** What is no plain file has no contents to look at: git takes the target of a link, and no more of a folder than its name. */
async function whyNot(workTree: string, path: string) {
  if (path.endsWith('/')) return 'a repository of its own';
  const file = join(workTree, path);
  const entry = await lstat(file).catch(() => null);
  if (!entry?.isFile()) return whyUnsent(path, { bytes: null, isText: true });
  if (isOwnOutput(entry)) return 'what this run prints into';
  const bytes = entry.size;
  const text = bytes > mostBytes ? null : await readPlainFile(file, mostBytes);
  return whyUnsent(path, { bytes, isText: !text?.includes(0) });
}

/** As where a person has the output of this very run written to a file. */
function isOwnOutput({ dev, ino }: Stats) {
  return [1, 2].some(descriptor => {
    try {
      const own = fstatSync(descriptor);
      return own.dev === dev && own.ino === ino;
    } catch {
      return false;
    }
  });
}

export const unreadable = 'The working tree cannot be read';
export const mend = 'Name what is to be reviewed, such as HEAD for the last commit.';
