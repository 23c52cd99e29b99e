/** What a reader of a change should know beside its lines: names that deceive, what is not shown. */
import { leadsOut } from '../../core/change/unshown.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { hidesText } from '../../core/safety/visible-text.ts';
import { showName } from './revision.ts';

/** One sentence each; at most 20, then their number. */
export function noticeFiles(files: readonly ChangedFile[]): string[] {
  const sentences = files.flatMap(file => noticeName(file) ?? []);
  const more = sentences.length - mostNoticed;
  return more > 0
    ? [
        ...sentences.slice(0, mostNoticed),
        `${more} more ${more === 1 ? 'file' : 'files'} have odd names.`,
      ]
    : sentences;
}

const mostNoticed = 20;

/** A link has no lines; where it leads is said in a sentence. */
export function noticeLink(path: string, target: string): string {
  const outside = leadsOut(path, target) ? ', outside of the repository' : '';
  return `${showName(path)} is a symbolic link to ${showName(target)}${outside}.`;
}

function noticeName({ path, oldPath }: ChangedFile): string | null {
  for (const name of oldPath === null ? [path] : [path, oldPath]) {
    const why = oddity(name);
    if (why !== null) return `The file name ${showName(name)} ${why}.`;
  }
  return null;
}

function oddity(name: string): string | null {
  if (hidesText(name) || /[\t\n]/.test(name)) return 'holds control or invisible characters';
  if (name.startsWith('-')) return 'starts with a dash';
  if (
    name.startsWith('/') ||
    name.split('/').some(part => part === '..' || part === '.' || part === '')
  )
    return 'leads outside of the repository';
  if (name.includes('\\')) return 'holds a backslash, or bytes that are no UTF-8';
  return /(?:^|\/) | (?:\/|$)/.test(name) ? 'starts or ends with a blank' : null;
}
