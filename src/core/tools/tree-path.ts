/** Paths a reviewer names: inside the tree of the change or refused. Links are not followed by whoever reads, so that words are enough. */
import { parseRange, type Range } from './excerpt.ts';

const longestPath = 4_096;

/** Why a path cannot be one of a tree, in a sentence; null when it can. */
export function faultOfPath(path: string): string | null {
  if (path.length > longestPath) return 'The path is too long.';
  if (path.includes('\0')) return 'The path holds a character that no path has.';
  if (/^[A-Za-z]:[\\/]|^[/\\~]|^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'The path is outside of the repository: name it relative to its top.';
  if (path.split(/[/\\]/).some(part => part === '' || part === '.' || part === '..')) return 'The path is outside of the repository: it must not climb.';
  return path.split('/')[0] === '.git' ? 'The path is outside of the tree under review.' : null;
}

export interface Place {
  readonly path: string;
  /** Null: from the first line on. */
  readonly range: Range | null;
}

/** `path:10-40`, as packs write their anchors; a path alone is the whole file. */
export function readAnchorName(anchor: string): Place {
  const colon = anchor.lastIndexOf(':');
  const range = colon > 0 ? parseRange(anchor.slice(colon + 1)) : null;
  return range === null ? { path: anchor, range: null } : { path: anchor.slice(0, colon), range };
}
