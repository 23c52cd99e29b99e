/**
 * Lines of files as a tool shows them: found by path or by pattern, bounded in number, in length and in all, and open about what
 * was cut.
 */
import { present } from '../groups.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { splitLines } from '../text.ts';

/** Lines of one excerpt, characters of one line, and characters in all. */
const mostLines = 400;
const longestLine = 500;
const longestExcerpt = 16_000;

interface Range {
  /** 1-based, both inclusive; `to` may lie beyond the end. */
  readonly from: number;
  readonly to: number;
}

/**
 * `lines`: `10-40`, as far as was shown; `cut`: what is missing, in words; null when nothing is. Null when the range lies outside of the
 * text.
 */
export function takeLines(
  text: string,
  { from, to }: Range,
  { isNumbered }: { readonly isNumbered: boolean },
) {
  const lines = splitLines(text);
  const last = Math.min(to, lines.length);
  if (from < 1 || from > last) return null;
  const shown: string[] = [];
  let characters = 0;
  let shortened = 0;
  for (const line of lines.slice(from - 1, Math.min(last, from - 1 + mostLines))) {
    const isLong = line.length > longestLine;
    if (isLong) shortened += 1;
    const rendered =
      (isNumbered ? `${from + shown.length}\t` : '') +
      makeVisible(line.slice(0, longestLine)) +
      (isLong ? ` … (cut: ${line.length} characters)` : '');
    if (shown.length > 0 && characters + rendered.length > longestExcerpt) break;
    shown.push(rendered);
    characters += rendered.length + 1;
  }
  const end = from + shown.length - 1;
  const missing = present(
    end < last && `lines ${end + 1}-${last} are not shown: ask for them`,
    shortened > 0 && `${shortened === 1 ? '1 long line was' : `${shortened} long lines were`} cut`,
  );
  return {
    lines: `${from}-${end}`,
    text: shown.join('\n'),
    cut: missing.length > 0 ? missing.join('; ') : null,
  };
}

/** `10` or `10-40`; turned round when it is the wrong way round. Null when it is no range. */
export function parseRange(text: string): Range | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (match?.[1] === undefined) return null;
  const [one, other] = [Number(match[1]), Number(match[2] ?? match[1])];
  return one < 1 && other < 1
    ? null
    : { from: Math.max(1, Math.min(one, other)), to: Math.max(one, other) };
}

/**
 * Paths a reviewer names: inside the tree of the change or refused. Links are not followed by whoever reads, so that words are enough.
 */
const longestPath = 4_096;

/** Why a path cannot be one of a tree, in a sentence; null when it can. */
export function faultOfPath(path: string): string | null {
  if (path.length > longestPath) return 'The path is too long.';
  if (path.includes('\0')) return 'The path holds a character that no path has.';
  if (/^[A-Za-z]:[\\/]|^[/\\~]|^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return 'The path is outside of the repository: name it relative to its top.';
  if (path.split(/[/\\]/).some(part => part === '' || part === '.' || part === '..'))
    return 'The path is outside of the repository: it must not climb.';
  return path.split('/')[0] === '.git' ? 'The path is outside of the tree under review.' : null;
}

/** `path:10-40`, as packs write their anchors; a path alone is the whole file, its range null. */
export function readAnchorName(anchor: string) {
  const colon = anchor.lastIndexOf(':');
  const range = colon > 0 ? parseRange(anchor.slice(colon + 1)) : null;
  return range ? { path: anchor.slice(0, colon), range } : { path: anchor, range: null };
}

/** Plain search in texts, for when no index can be asked: the lines that hold most of the words, best first. */
export interface GrepHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Lines shown around a line that was found. */
const around = 2;
const mostWords = 12;

/** Letter case does not matter. Hits of one file do not overlap. */
export function grepTexts(
  files: readonly { readonly path: string; readonly text: string }[],
  query: string,
  limit: number,
): readonly GrepHit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [])].slice(
    0,
    mostWords,
  );
  if (words.length === 0) return [];
  return files
    .flatMap(({ path, text }) => grepText(path, text, words))
    .toSorted((one, other) => other.words - one.words)
    .slice(0, limit)
    .map(({ path, startLine, endLine }) => ({ path, startLine, endLine }));
}

function grepText(path: string, text: string, words: readonly string[]) {
  const lines = text.split('\n');
  const hits: (GrepHit & { readonly words: number })[] = [];
  for (const [index, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const found = words.filter(word => lower.includes(word)).length;
    if (found === 0) continue;
    const hit = {
      path,
      startLine: Math.max(1, index + 1 - around),
      endLine: Math.min(lines.length, index + 1 + around),
      words: found,
    };
    const last = hits.at(-1);
    if (last === undefined || hit.startLine > last.endLine) hits.push(hit);
    else {
      const most = Math.max(last.words, found);
      hits.splice(-1, 1, { ...hit, startLine: last.startLine, words: most });
    }
  }
  return hits;
}
