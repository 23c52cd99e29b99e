/** What a reader of a change should know beside its lines: names that deceive, what is not shown. */
import type { ChangedFile } from '../../core/words/change.ts';
import { hidesText } from '../../core/safety/visible-text.ts';
import { showName } from './revision.ts';

/** One sentence each; at most 20 of a kind, then their number. */
export function noticeFiles(files: readonly ChangedFile[]): string[] {
  return kinds.flatMap(({ notice, rest }) => {
    const sentences = files.map(notice).filter(sentence => sentence !== null);
    const more = sentences.length - maxOfAKind;
    return more > 0
      ? sentences
          .slice(0, maxOfAKind)
          .concat(`${more} more ${more === 1 ? 'file' : 'files'} ${rest}.`)
      : sentences;
  });
}

/** A link has no lines; where it leads is said in a sentence. */
export function noticeLink(path: string, target: string): string {
  const depth = path.split('/').length - 1;
  const climbs = /^(?:\.\.\/)*/.exec(`${target}/`)?.[0].length ?? 0;
  const outside = target.startsWith('/') || climbs / 3 > depth ? ', outside of the repository' : '';
  return `${showName(path)} is a symbolic link to ${showName(target)}${outside}.`;
}

/** What else is said of such files where a person is asked about them: that nobody read a submodule. */
export function noticesOfAsked(files: readonly ChangedFile[]): ReadonlySet<string> {
  return new Set(files.map(noticeSubmodule).filter(sentence => sentence !== null));
}

const maxOfAKind = 20;

interface Kind {
  readonly notice: (file: ChangedFile) => string | null;
  readonly rest: string;
}

const kinds: readonly Kind[] = [
  { notice: noticeName, rest: 'have odd names' },
  { notice: noticeSubmodule, rest: 'are submodules' },
  {
    notice: file =>
      file.content === 'too-large' ? `${showName(file.path)} is too large to be shown.` : null,
    rest: 'are too large to be shown',
  },
];

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

function noticeSubmodule({
  content,
  path,
  oldMode,
  newMode,
  oldId,
  newId,
}: ChangedFile): string | null {
  if (content !== 'submodule') return null;
  const [from, to] = [oldMode === '160000' ? oldId : null, newMode === '160000' ? newId : null];
  const step =
    from === null
      ? `is added at ${to ?? 'no commit'}`
      : to === null
        ? `is removed; it stood at ${from}`
        : `moves from ${from} to ${to}`;
  return `The submodule ${showName(path)} ${step}; its content is not part of the review.`;
}
