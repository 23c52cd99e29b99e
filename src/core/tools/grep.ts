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
export function grepTexts(files: readonly { readonly path: string; readonly text: string }[], query: string, limit: number): readonly GrepHit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [])].slice(0, mostWords);
  if (words.length === 0) return [];
  return files
    .flatMap(({ path, text }) => grepText(path, text, words))
    .toSorted((one, other) => other.words - one.words)
    .slice(0, limit)
    .map(({ path, startLine, endLine }) => ({ path, startLine, endLine }));
}

function grepText(path: string, text: string, words: readonly string[]): (GrepHit & { readonly words: number })[] {
  const lines = text.split('\n');
  const hits: (GrepHit & { readonly words: number })[] = [];
  for (const [index, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const found = words.filter(word => lower.includes(word)).length;
    if (found === 0) continue;
    const hit = { path, startLine: Math.max(1, index + 1 - around), endLine: Math.min(lines.length, index + 1 + around), words: found };
    const last = hits.at(-1);
    if (last !== undefined && hit.startLine <= last.endLine) hits[hits.length - 1] = { path, startLine: last.startLine, endLine: hit.endLine, words: Math.max(last.words, found) };
    else hits.push(hit);
  }
  return hits;
}
