/** Finds the file of the subject that a stated path means. Byte-equal, or one of four known habits; never a guess. */
import type { AnchorFile, AnchorTree } from './anchor.ts';
import { showEscaped } from './text.ts';
import { makeVisible } from './visible-text.ts';

type ResolvedPath = { readonly file: AnchorFile; readonly note: string | null } | { readonly file: null; readonly note: string };

const pathLimit = 4_096;

export function resolvePath(path: string, tree: AnchorTree): ResolvedPath {
  const exact = tree.files.get(path);
  if (exact !== undefined) return { file: exact, note: null };
  const fault = faultOf(path);
  if (fault !== null) return { file: null, note: fault };
  return byShownPath(path, tree) ?? byOldPath(path, tree) ?? byPrefix(path, tree) ?? bySuffix(path, tree) ?? { file: null, note: missNote(path, tree) };
}

/** Paths that must not be looked for, whatever the subject holds. */
function faultOf(path: string): string | null {
  if (path.length >= pathLimit) return 'The path is too long.';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'The path is an address on the network.';
  if (/^[A-Za-z]:[\\/]|^[/\\~]/.test(path)) return 'The path is absolute.';
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)|%2e|%2f|%5c/i.test(path)) return 'The path leads out of the subject.';
  return null;
}

/** Reviewers are shown names in which hidden characters are visible, and can only name the file like that. */
function byShownPath(path: string, { files }: AnchorTree): ResolvedPath | null {
  if (!path.includes('⟦U+')) return null;
  const shown = [...files.values()].filter(file => showEscaped(file.path) === path || makeVisible(file.path) === path);
  const [file] = shown;
  return file !== undefined && shown.length === 1 ? { file, note: 'The path holds hidden characters.' } : null;
}

/** A reviewer that read the old side names the file as it was called there. */
function byOldPath(path: string, { files }: AnchorTree): ResolvedPath | null {
  const renamed = [...files.values()].filter(file => file.oldPath === path && file.status === 'renamed');
  const [file] = renamed;
  return file !== undefined && renamed.length === 1 ? { file, note: `${path} was renamed; this is its new path.` } : null;
}

/** `a/` and `b/` come from patches, `./` from shells. */
function byPrefix(path: string, tree: AnchorTree): ResolvedPath | null {
  const bare = /^(?:\.\/)+(.+)$/s.exec(path)?.[1] ?? /^[ab]\/(.+)$/s.exec(path)?.[1];
  if (bare === undefined) return null;
  const file = tree.files.get(bare);
  return file === undefined ? byOldPath(bare, tree) : { file, note: null };
}

function bySuffix(path: string, { files }: AnchorTree): ResolvedPath | null {
  const ending = `/${path.replace(/^(?:\.\/)+/, '')}`;
  const matching = [...files.values()].filter(file => file.path.endsWith(ending));
  const [file] = matching;
  return file !== undefined && matching.length === 1 ? { file, note: `Only ${file.path} ends in the stated path.` } : null;
}

function missNote(path: string, { files }: AnchorTree): string {
  const paths = [...files.keys()];
  if (paths.some(known => known.normalize('NFC') === path.normalize('NFC'))) return 'The path differs from a path of the subject in how its letters are composed.';
  if (paths.some(known => known.toLowerCase() === path.toLowerCase())) return 'The path differs from a path of the subject in upper and lower case.';
  return 'The path is outside the subject.';
}
