/**
 * Finds the place that running text names, in the ways people and tools write one: `path:3`, `path#L3-L9`, a link, a path with
 * its lines in words before or behind it. Every search looks at each character a bounded number of times.
 */
import { by, groupBy } from '../core/groups.ts';
import { cut, fieldLimit, toLine, toParagraph, trimOff } from '../core/text.ts';
import type { StatedFinding } from '../core/words/finding.ts';
import {
  type Place,
  blobPath,
  hostEndings,
  pathLimit,
  stateFinding,
  toPlace,
  unlinked,
} from '../core/words/stated.ts';
import { type Line, isSpoken, isTail, layOut, sectionOf } from './layout.ts';
import { isPlaceholder } from './sieve.ts';

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

/**
 * By the paths under review, in whatever form one alone is named: `/w/src/a.ts:5`, `src/a.ts(5,23)`, `| src/a.ts | 5 |`; the longest one,
 * since `index.js` ends the name of `src/index.js` as well.
 */
export function inUnits(finding: StatedFinding, units: readonly string[]) {
  const { path, line, endLine, raw } = finding;
  const isKnown = path === null || units.includes(path);
  if (isKnown && line !== null) return finding;
  const said = isKnown ? raw : `${path}:${line}-${endLine ?? ''}`;
  const named = units.filter(unit => said.includes(unit)).toSorted(by(({ length }) => -length));
  for (const unit of named) {
    const escaped = unit.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const around = (isKnown ? unitInText : unitAlone).replace('UNIT', () => escaped);
    const found = new RegExp(around, 'iu').exec(said);
    if (!found) continue;
    const [, first, last] = found;
    const lines = first !== undefined && {
      line: Number(first),
      endLine: Number(last ?? 0) || null,
    };
    return { ...finding, path: unit, ...lines };
  }
  return finding;
}

/** Set off by a mark, or behind a word for lines; not the first word of what is told of the file. */
const linesBehind =
  String.raw`(?:["'*_\x60)\]]{0,4}(?:::?\w{0,40}:| ?[:#|,;\t[：]|\(| @) {0,3}L?|[^\p{L}\p{N}]{1,12}(?:position\W+)?(?:行号?|第|` +
  lineWords +
  String.raw`)(?:[ _]?numbers?)?[^\p{L}\p{N}]{0,8})(\d{1,9})(?:\s?(?:[-–—]|\.\.)\s?L?(\d{1,9}))?(?![\w%]| (?!and)\p{L})`;
const unitInText = String.raw`(?<![\w/.-])UNIT(?![\w/-]|\.\w)` + linesBehind;
const unitAlone =
  String.raw`^(?:\/.+\/|@)?UNIT(?![\w/-]|\.\w)(?:` +
  linesBehind +
  String.raw`|:null-|:\d+)?(?!.*(?:[/\\]|\.\p{L}))`;

/** Everything that can be the number of a line: behind a colon or `#L`, after a word for it, between the characters for it. */
const anchors = new RegExp(
  [
    String.raw`(?::L?|#L|\((?=\d{1,9}(?:,\d{1,9})?\):))(\d{1,9})(?:[-–—]L?(\d{1,9}))?(?:[:,]\d{1,9})?\)?(?![\w/])`,
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

// What the prose of an index file says: of each entry evidence and advice, with the quotations and the code in them; improvements,
// and the one-line summary.

export type ProseLine = Pick<Line, 'text' | 'isQuoted' | 'fence'>;

/** What an index names: its items in the prose are headed by their ids or their titles. */
export interface Entries {
  readonly byId: ReadonlyMap<string, StatedFinding>;
  /** By their bare title; one that two entries share heads neither. */
  readonly byTitle: ReadonlyMap<string, StatedFinding>;
}

export function entriesOf(findings: readonly StatedFinding[]): Entries {
  const alone = [...groupBy(findings, ({ text }) => bareOf(text))].filter(
    ([bare, { length }]) => bare !== '' && length === 1,
  );
  return {
    byId: new Map(findings.map(entry => [entry.originalId, entry])),
    byTitle: new Map(alone.map(([bare, [entry]]) => [bare, entry])),
  };
}

/** Letters and digits: a heading sets its words off in ways of its own. */
function bareOf(text: string) {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Parts of an index file that may name an entry and say nothing of it. */
export const otherPart = /^\W*(?:findings\s+index|summary|improvements?|verdict)\b/i;

const decoration = ' \t*_`[](){}<>|:,;—–-';
/** A plain word such as "High" needs a mark behind it: prose begins like that. */
const severityWord =
  /^(?:P[0-3](?![\w-])|(?:CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?=\s*[)\]:|*_—–]))/i;

/**
 * `1. **D-1** (P1): …`, `**1. P1 — D-1: …**`, `#### D-1 — …`, `- [P1] D-1: …`; without such a mark only where a paragraph begins. A
 * heading, or what is numbered and set off, may also name its id last, or no more than its title. Null when the line begins no item.
 */
export function entryIn(line: string, isAfterBlank: boolean, { byId, byTitle }: Entries) {
  const mark = itemMark.exec(line)?.[0] ?? '';
  if (mark === '' && !isAfterBlank) return null;
  const body = undecorated(line.slice(mark.length));
  const words = withoutSeverity(body);
  for (const text of [body, words]) {
    // With and without the full stop behind it, or whatever is set off: by code, by emphasis or by a blank.
    const first = /^[\p{L}\p{N}_.#/-]{1,100}/u.exec(text)?.[0] ?? '';
    const entry =
      byId.get(first) ??
      byId.get(first.replace(/[./-]+$/, '')) ??
      byId.get(/^[^\s*]{1,100}/.exec(text)?.[0] ?? '') ??
      byId.get(codeAtStart.exec(line)?.[2] ?? '');
    if (entry) {
      const rest = undecorated(text.slice(entry.originalId.length));
      return { entry, rest: withoutSeverity(withoutSeverity(rest)) };
    }
  }
  // Set off from the lists that an item may hold.
  const isHead = /^\s{0,3}(?:#{1,6}\s|[*_]{1,3}\S|\d{1,3}[.)]\s+[*_[])/.test(line);
  if (mark === '' || !isHead) return null;
  const last = /[[(（]\s?([^()[\]（）\s]{1,100})\s?[\])）][*_`:. ]{0,6}$/u.exec(words);
  const named = byId.get(last?.[1] ?? '');
  const entry = named ?? byTitle.get(bareOf(words));
  const rest = named ? trimOff(words.slice(0, last?.index), decoration) : '';
  return entry ? { entry, rest } : null;
}

const codeAtStart = /^[^\p{L}\p{N}`]{0,8}(?:\d{1,3}[.):]\s+)?[*_]{0,3}(`+)(.{1,100}?)\1(?!`)/u;
const itemMark =
  /^\s{0,3}(?:(?:#{1,6}|[-*+])\s+[*_`]{0,3}(?:\d{1,3}[.):]\s*)?|[*_`]{0,3}\d{1,3}[.):]\s+|(?=[*_`[]))[*_`]{0,3}/;

function withoutSeverity(text: string) {
  return undecorated(text.replace(severityWord, ''));
}

/** Without what stands before a word to set it off. */
function undecorated(text: string) {
  return text.replace(/^[\s*_`[\](){}<>|:,;—–-]+/, '');
}

/** Also in the middle of a line: `… Recommendation: …`; at its beginning with a word or two before it: `Smallest fix: …`. */
const advice = new RegExp(
  String.raw`(?:^\s*(?:[-*+]\s+)?[*_\x60]{0,3}(?:\p{L}{2,20}\s){0,2}|(?<![\p{L}\p{N}_-])[*_\x60]{0,3}(?:(?:recommended|` +
    String.raw`suggested|proposed|possible|smallest|minimal|simplest)\s)?)(?:recommendations?|recommended change|fix(?:es)?` +
    String.raw`|remed(?:y|ies)|remediation|mitigation|advice|suggestions?|suggested (?:change|improvement)|empfehlung|` +
    String.raw`vorschlag|abhilfe|recommandation|recomendaci[oó]n|建议|修复|修正案|対策)[*_\x60]{0,3}\s?[:：][*_\x60]{0,3}\s*`,
  'iu',
);
/** A line that begins so is about something else again. */
const otherLabel = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{Lu}[\p{L} ]{1,24}[*_`]{0,3}:/u;

/** Evidence and advice in the lines of one item; no evidence where there is only advice, or nothing beside the title. */
export function toIssue(lines: readonly ProseLine[]) {
  const said = [];
  const advised = [];
  let isAdvice = false;
  for (const line of lines) {
    const { text } = line;
    const found = isSpoken(line) ? advice.exec(text) : null;
    const goesOn: boolean = isAdvice && (!isSpoken(line) || !otherLabel.test(text));
    if (found) {
      said.push(trimOff(text.slice(0, found.index), ' \t*_`+-'));
      advised.push(text.slice(found.index + found[0].length));
    } else if (goesOn) advised.push(text);
    else
      said.push(text.replace(/^\s*(?:[-*+]\s+)?[*_`]{0,3}Evidence[*_`]{0,3}:[*_`]{0,3}\s*/i, ''));
    isAdvice = found !== null || goesOn;
  }
  return { evidence: paragraphOf(said), recommendation: paragraphOf(advised) };
}

function paragraphOf(lines: readonly string[]) {
  const kept = lines
    .filter(line => !/^\s*-{3,}\s*$/.test(line))
    .map(line => line.replace(/^\s{0,3}/, '').trimEnd());
  const text = toParagraph(kept.join('\n').replace(/\n{3,}/g, '\n\n'));
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : cut(text, fieldLimit);
}

export const summaryLimit = 160;

/** Tail `SUMMARY`, else the first sentence of *Summary*. One line of at most 160 characters; empty where there is neither. */
export function summaryOf(answer: string) {
  const { lines } = layOut(answer);
  const [head, ...tail] = lines.slice(lines.findLastIndex(({ text }) => isTail(text)));
  const stated = isTail(head?.text ?? '')
    ? tail
        .map(({ text }) => /^\s*SUMMARY:\s*(\S.*)$/.exec(text)?.[1])
        .find(text => text !== undefined)
    : undefined;
  const section = sectionOf(lines, /^\W*summary\b/i) ?? [];
  const [paragraph = ''] = section
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  return cut(toLine(stated ?? firstSentence(paragraph)), summaryLimit);
}

/** Items of the section *Improvements*, named `IMP-n` unless they bring a name of that kind. */
export function readImprovements(lines: readonly Line[]): StatedFinding[] {
  return (sectionOf(lines, /^\W*improvements?\b/i) ?? [])
    .map(raw => ({ raw, item: /^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(\S.*)$/s.exec(raw)?.[1] ?? '' }))
    .filter(({ item }) => item !== '' && !isPlaceholder(item) && !item.startsWith('[numbered'))
    .map(({ raw, item }, index) => {
      const named = /^[*_`[(]{0,4}(IMP-?\d{1,4})[\])*_`]{0,4}\s*[:—–|.-]?\s*(.+)$/s.exec(item);
      const [originalId = `IMP-${index + 1}`, text = item] = named?.slice(1) ?? [];
      return stateFinding({ originalId, label: 'IMP', severity: 'low', text, raw }, placeIn(text));
    });
}

function firstSentence(paragraph: string) {
  const text = toLine(paragraph.slice(0, 2_000));
  const end = /[.!?](?=\s+[^a-z\s])/.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}
