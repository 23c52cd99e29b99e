/** What somebody's own agents left in a folder. It may be anybody's: links are not followed, and nothing in it is changed. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { hasSignal } from '../../core/run-files/review-file.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { toOneLine } from '../../core/text.ts';
import type { LeftFile } from '../../core/words/answer.ts';
import { ReviewerId } from '../../core/words/config.ts';
import { isOfSynthesis } from './agent-folder.ts';
import { readOrWhy } from './atomic-write.ts';
import { listNamed } from './file-names.ts';

/**
 * One file for each agent, by name; `others`: names that are no agent's file, sorted. `mostBytes` of one file; a larger one is not read.
 * Throws `UserError` (kind `input`) for a folder that cannot be read or is a link, and where two files may be of one agent: it would
 * speak twice, or unheard.
 */
export async function readLeftFiles(disk: Disk, folder: string, mostBytes: number) {
  if ((await disk.status(folder))?.kind === 'link')
    throw inputError(`DIR: ${makeVisible(folder)} is a link.`, 'Name the folder that it leads to.');
  const names = await listNamed(disk, folder, 'the files of the agents');
  const found = names.flatMap(name => agentOf(name) ?? []);
  refuseTwins(found, folder);
  const files: LeftFile[] = [];
  for (const named of found) {
    const read = await readOrWhy(disk, join(folder, named.name), mostBytes);
    if (typeof read === 'string') files.push({ ...named, bytes: null, why: `it ${read}` });
    else {
      const isPartial = named.isPartial && !hasSignal(new TextDecoder().decode(read));
      files.push({ ...named, isPartial, bytes: read, why: null });
    }
  }
  return {
    files: files.sort((one, other) => (one.agent < other.agent ? -1 : 1)),
    others: names.filter(name => !agentOf(name)),
  };
}

type Named = Pick<LeftFile, 'name' | 'agent' | 'isPartial'>;

/** Null for what is no agent's file: other endings, what a synthesis writes, what tells people about a folder. */
function agentOf(name: string): Named | null {
  const stem = /^(.+?)(?:\.md)?\.partial$/s.exec(name)?.[1] ?? /^(.+)\.md$/s.exec(name)?.[1];
  if (stem === undefined || isOfSynthesis(`${stem}.md`) || /^readme$/i.test(stem)) return null;
  return { name, agent: idOf(stem), isPartial: name.endsWith('.partial') };
}

/** A name that no agent can have is still somebody's: it is made one that can be typed. */
function idOf(stem: string) {
  const plain = stem
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 100);
  return ReviewerId.safeParse(plain).success
    ? plain
    : `agent-${createHash('sha256').update(stem).digest('hex').slice(0, 8)}`;
}

/** `a.md` with `A.md`, `a.md.partial` or `a.findings.md`. */
function refuseTwins(found: readonly Named[], folder: string) {
  const seen = new Map<string, string>();
  const keys = new Set(found.map(({ agent }) => agent.toLowerCase()));
  for (const { agent, name } of found) {
    const lower = agent.toLowerCase();
    const stem = lower.replace(/\.(?:findings|review|report|result|output|index)$/, '');
    const key = keys.has(stem) ? stem : lower;
    const first = seen.get(key);
    if (first !== undefined)
      throw inputError(
        `DIR: ${makeVisible(folder)} holds two files of one agent: ${toOneLine(first)} and ${toOneLine(name)}.`,
        'Keep one of them, or give them names of two agents.',
      );
    seen.set(key, name);
  }
}
