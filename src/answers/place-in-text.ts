/**
 * Finds the place that running text names, in the ways people and tools write one: `path:3`, `path#L3-L9`, a link, a path with
 * its lines in words before or behind it. Every search looks at each character a bounded number of times.
 */
import { trimOff } from '../core/text.ts';
import {
  blobPath,
  hostEndings,
  pathLimit,
  toPlace,
  unlinked,
  type Place,
} from '../core/words/stated.ts';

/** The first path with a line; null when there is none. */
export function placeIn(text: string): Place | null {
  const [first] = spansIn(unlinked(text));
  return first?.place ?? null;
}

/**
 * The place that a labelled part such as `File: docs/plan.md, Storage, lines 3-9` names: anything may stand between the path
 * and its lines, and the path may stand alone. Null where no line of the text is such a part.
 */
export function labelledPlaceIn(text: string): Place | null {
  for (const whole of text.split('\n')) {
    const line = unlinked(whole.slice(0, labelledLimit));
    const label = placeLabel.exec(line);
    if (!label) continue;
    const rest = line.slice(label[0].length);
    const path = pathAt(rest, /[\p{L}\p{N}./_~@[]/u.exec(rest)?.index ?? rest.length);
    if (path === null) continue;
    const lines = linesInWords.exec(rest);
    return placeIn(rest) ?? toPlace(path, lines?.[1], lines?.[2]);
  }
  return null;
}

const labelledLimit = 1_000;
/** Bold or not, with or without a bullet. */
const placeLabel = new RegExp(
  String.raw`^\s*(?:[-*+]\s+)?[*_\x60]{0,3}(?:files?|locations?|where|places?|paths?|datei|ort|fundstelle|fichier|emplacement|` +
    String.raw`archivo|ubicación|arquivo|файл|место|文件|位置|檔案|ファイル|場所|파일|위치)[*_\x60]{0,3}\s{0,3}[:：][*_\x60]{0,3}\s*`,
  'iu',
);

const lineWords = String.raw`lines?|zeilen?|lignes?|l[ií]neas?|linhas?|righ[ae]|строк[аиеу]|строки`;
const linesInWords = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${lineWords})\s{1,3}|L)(\d{1,9})(?:\s?[-–—]\s?L?(\d{1,9}))?`,
  'iu',
);

/**
 * What a finding says and where: the place that is set off in front of the words or behind them is the one that is meant, and
 * is taken out of them; else the first that they name. A sentence that goes on from its place ("`src/a.ts:3` is never closed")
 * keeps it.
 */
export function splitPlace(text: string): { readonly place: Place | null; readonly text: string } {
  const plain = unlinked(text);
  const spans = [...spansIn(plain)];
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return { place: null, text };
  const behindFirst = wordsBehind(plain, first);
  if (behindFirst !== null) return { place: first.place, text: behindFirst };
  const beforeLast = wordsBefore(plain, last);
  return beforeLast === null
    ? { place: first.place, text }
    : { place: last.place, text: beforeLast };
}

/** Null unless the place stands in front, set off by a mark or by its dress. */
function wordsBehind(plain: string, { start, end }: Span) {
  const after = plain.slice(end);
  const lead = plain.slice(0, start);
  if (!/^[\s*_`"'([（]{0,6}$/.test(lead)) return null;
  const gap =
    /^[*_`"')\]）]{0,4}\s{0,3}(?:[:：]|[—–-]{1,2}\s)[*_`]{0,3}\s{0,3}/u.exec(after)?.[0] ??
    (/[*_`([（]$/.test(lead) ? /^[*_`)\]）]{1,4}\s{1,3}(?=[^\p{Ll}\s])/u.exec(after)?.[0] : null);
  const rest = after.slice(gap?.length ?? 0);
  return gap !== null && gap !== undefined && /\p{L}/u.test(rest) ? balanced(rest) : null;
}

/** Null unless the place stands at the end, in brackets or behind a dash. */
function wordsBefore(plain: string, { start, end }: Span) {
  const lead = plain.slice(0, start);
  const mark = /\s{0,3}(?:[([（]|[—–-]{1,2}\s{1,2})[*_`"']{0,3}$/u.exec(lead);
  return mark && /^[\s*_`"')\]）.]{0,6}$/.test(plain.slice(end)) && /\p{L}/u.test(lead)
    ? balanced(lead.slice(0, mark.index))
    : null;
}

/** Emphasis that was opened or closed in the piece that is gone, or that holds all that is left, goes as well. */
function balanced(text: string) {
  const bare = text.trim();
  const marks = bare.split('**').length - 1;
  if (marks === 1) return trimOff(bare, '* ');
  return marks === 2 && bare.startsWith('**') && bare.endsWith('**') ? bare.slice(2, -2) : bare;
}

interface Span {
  place: Place;
  start: number;
  end: number;
}

/** Everything that can be the number of a line: behind a colon or `#L`, after a word for it, between the characters for it. */
const anchors = new RegExp(
  [
    String.raw`(?::L?|#L)(\d{1,9})(?:[-–—]L?(\d{1,9}))?(?::\d{1,9})?(?![\w/])`,
    String.raw`(?<![\p{L}\p{N}_])(?:(?:${lineWords})\s{1,3}|L)(\d{1,9})(?:\s?(?:[-–—]|to|bis)\s?L?(\d{1,9}))?(?![\p{L}\p{N}])`,
    String.raw`第\s?(\d{1,9})(?:\s?[-–—~到至]\s?(\d{1,9}))?\s?行`,
  ].join('|'),
  'giu',
);

function* spansIn(text: string): Generator<Span> {
  for (const found of text.matchAll(anchors)) {
    const [whole, marked, markedEnd, worded, wordedEnd, counted, countedEnd] = found;
    const span =
      marked === undefined
        ? aroundWords(text, found.index, whole)
        : before(text, found.index, whole);
    if (!span) continue;
    const { path, start, end } = span;
    const line = marked ?? worded ?? counted;
    yield { place: toPlace(path, line, markedEnd ?? wordedEnd ?? countedEnd), start, end };
  }
}

function before(text: string, at: number, mark: string) {
  const dress = /[`*"]{0,3}$/.exec(text.slice(Math.max(0, at - 3), at))?.[0] ?? '';
  const end = at - dress.length;
  const path = pathBefore(text, end);
  return path === null
    ? null
    : { path: blobPath(path) ?? path, start: end - path.length, end: at + mark.length };
}

/** `src/a.ts, line 3`, `src/a.ts (lines 3-9)`, `line 3 of src/a.ts`. Words are no proof, so that the path must look like a file. */
function aroundWords(text: string, at: number, mark: string) {
  const lead = text.slice(Math.max(0, at - 40), at);
  const link =
    /[*_`"')\]]{0,3}[\s,;]{0,2}(?:[（(的]\s?)?(?:(?:at|on|around|near|in|see|about|approximately|~|um|bei|vers|en)\s{1,2}){0,2}$/iu.exec(
      lead,
    )?.[0] ?? '';
  const end = at - link.length;
  const path = pathBefore(text, end);
  if (path !== null && isFile(path)) {
    const opened = /[（(]/.test(link)
      ? (/^\s?[)）]/.exec(text.slice(at + mark.length))?.[0].length ?? 0)
      : 0;
    return { path, start: end - path.length, end: at + mark.length + opened };
  }
  const follow =
    /^\)?\s{1,2}(?:of|in|from|von|der|de|du)\s{1,2}(?:the\s)?(?:file\s)?[*_`"'([]{0,3}/i.exec(
      text.slice(at + mark.length, at + mark.length + 40),
    )?.[0];
  if (follow === undefined) return null;
  const start = at + mark.length + follow.length;
  const behind = pathAt(text, start);
  return behind === null || !isFile(behind)
    ? null
    : { path: behind, start: at, end: start + behind.length };
}

const fileEndings = new RegExp(
  String.raw`\.(?:[cm]?[jt]sx?|vue|svelte|astro|py[ix]?|ipynb|rb|erb|rake|php|go|rs|java|kts?|scala|groovy|gradle|clj|cs|fs|vb|` +
    String.raw`swift|mm?|c|cc|cpp|cxx|h|hh|hpp|inl|lua|pl|pm|r|jl|dart|ex|exs|erl|hs|ml|zig|nim|sol|sh|bash|zsh|fish|ps1|bat|cmd|` +
    String.raw`sql|graphql|gql|proto|tf|hcl|nix|ya?ml|json[c5l]?|toml|ini|cfg|conf|env|properties|xml|html?|css|s[ac]ss|less|md|` +
    String.raw`mdx|rst|adoc|txt|csv|tex|lock|mod|sum|feature|snap|bzl|cmake|make|mk)$`,
  'i',
);

function isFile(path: string) {
  return fileEndings.test(path.slice(-20));
}

const pathCharacter = /[\p{L}\p{N}_./@+~$()[\]-]/u;

/** The path that ends at `end` in running text; null when what stands there is none. */
function pathBefore(text: string, end: number) {
  let start = end;
  while (start > 0 && end - start < pathLimit && pathCharacter.test(text.charAt(start - 1)))
    start -= 1;
  const path = withoutProse(withoutOpener(text.slice(start, end)));
  const preceding = text.charAt(end - path.length - 1);
  if (path.startsWith('//')) return blobPath(path) === null ? null : path;
  return preceding === '\\' || preceding === ':' || !isPath(path) ? null : path;
}

function pathAt(text: string, start: number) {
  const said = /^[\p{L}\p{N}_./@+~$()[\]-]*/u.exec(text.slice(start, start + pathLimit))?.[0] ?? '';
  const path = said.replace(/[.)\]]{1,3}$/, '');
  return isPath(path) ? path : null;
}

function isPath(path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = /\.([A-Za-z][\w-]{0,15})$/.exec(name)?.[1];
  if (ending !== undefined) return !hostEndings.has(ending.toLowerCase()) || path.includes('/');
  return path.includes('/') && /\p{L}/u.test(name);
}

/** Cuts behind the last bracket that is opened and not closed: `see (src/a.ts` is `src/a.ts`. */
function withoutOpener(path: string) {
  let open = 0;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const character = path.charAt(at);
    if (character === ')' || character === ']') open += 1;
    if ((character === '(' || character === '[') && --open < 0) return path.slice(at + 1);
  }
  return path;
}

/** Scripts that write no blanks run into the path: `在src/a.ts` is `src/a.ts`. */
function withoutProse(path: string) {
  const slash = path.indexOf('/');
  const first = path.slice(0, slash === -1 ? path.length : slash);
  const prose =
    /^.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}](?=[A-Za-z0-9_.@~])/u.exec(
      first,
    )?.[0] ?? '';
  return path.slice(prose.length);
}
