/** Orders what a search has found: a definition so called first, then the places where the rare words of the query stand close together. */
import { stemmer } from 'stemmer';
import { isDocumentPath, isExamplePath, isTestPath } from '../../core/languages/languages.ts';
import { by } from '../../core/groups.ts';
import { partsOf, squash } from '../../core/text.ts';
import type { Definition, SearchHit } from '../../core/words/code-index.ts';

type SearchQuery = NonNullable<ReturnType<typeof readQuery>>;

/** One word of the query without its ending. */
interface Term {
  stem: string;
  /** Rarer words weigh more: ln(1 + (N − n + 0.5) / (n + 0.5)) for n of N passages (Robertson and Spärck Jones). */
  weight: number;
}

/** One bit for each term. */
const mostTerms = 30;
const mostWords = 32;

/** Null when there is no word. `passages`: how many there are; `passagesWith`: how many of them hold a word. */
export function readQuery(
  written: string,
  passages: number,
  passagesWith: (word: string) => number,
) {
  const tokens = (written.match(/[\p{L}\p{N}_$]+/gu) ?? [])
    .filter(token => squash(token) !== '')
    .slice(0, mostWords);
  if (tokens.length === 0) return null;
  const stems = [...new Set(tokens.flatMap(token => partsOf(token).map(stemmer)))];
  const terms = stems.slice(0, mostTerms).map(stem => {
    const holding = passagesWith(stem);
    return { stem, weight: Math.log(1 + (passages - holding + 0.5) / (holding + 0.5)) };
  });
  const weight = terms.reduce((sum, term) => sum + term.weight, 0);
  const spelled = spelledNames(tokens, terms, weight);
  return {
    /** In the ways an index may hold them: as written, in their parts, and each joined with the next one. */
    words: [
      ...new Set([
        ...tokens.map(token => token.toLowerCase()),
        ...tokens.flatMap(partsOf),
        ...spelled.keys(),
      ]),
    ],
    terms,
    /** Sum of the weights of the terms. */
    weight,
    /** As written, case included. */
    written: new Set(tokens),
    /** Names without case and separators that the query spells, with the part of its weight that they make up. */
    spelled,
    asksForTests: stems.some(stem => stem === 'test' || stem === 'spec'),
  };
}

/** Every run of neighbouring words may be one name: `find or create by` spells findOrCreateBy, and createBy. */
function spelledNames(tokens: readonly string[], terms: readonly Term[], weight: number) {
  const weights = new Map(terms.map(term => [term.stem, term.weight]));
  const names = new Map<string, number>();
  for (let from = 0; from < tokens.length; from += 1) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + 6); to += 1) {
      const run = tokens.slice(from, to);
      const stems = new Set(run.flatMap(token => partsOf(token).map(stemmer)));
      const covered = [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
      names.set(squash(run.join('')), weight === 0 ? 1 : covered / weight);
    }
  }
  return names;
}

/** A passage with its neighbours. */
interface RankedPassage {
  path: string;
  startLine: number;
  endLine: number;
  /** Without a gap between them. */
  bodies: readonly { startLine: number; body: string }[];
  /** That begin in the passage itself, outer before inner. */
  definitions: readonly Definition[];
}

interface Candidate extends SearchHit {
  /** Line that a hit stands for. */
  line: number;
}

/** Best first; no two of the same lines. */
export function rankPassages(
  passages: readonly RankedPassage[],
  query: SearchQuery,
  limit: number,
) {
  const read = createReader(query);
  const candidates = passages
    .flatMap(passage => candidatesOf(passage, query, read))
    .toSorted(
      by(
        ({ score }) => -score,
        ({ path }) => path,
        ({ line }) => line,
      ),
    );
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (chosen.length === limit) break;
    const { path, line } = candidate;
    if (!chosen.some(hit => hit.path === path && line >= hit.startLine && line <= hit.endLine))
      chosen.push(candidate);
  }
  return chosen.map(({ line: _line, ...hit }) => hit);
}

// What makes a place worth more, in shares of the weight of the query.

/** Words of the query that a name is made of; all of it and nothing else counts most. */
const nameWorth = 1.6;
/** The name as it was typed; the name that the words spell. */
const exactWorth = 0.8;
const spelledWorth = 0.6;
/** Words within the lines shown, and those of them on one line. */
const windowWorth = 1;
const lineWorth = 0.3;
const pathWorth = 0.4;
/** What a test, prose or an example is worth less, unless the query asks for tests. */
const testMalus = 0.7;
const proseMalus = 0.4;
/** A value inside a function is seldom what somebody looks for. */
const innerMalus = 0.4;

const linesPerWindow = 20;
const mostDefinitionLines = 30;
const fewestLines = 8;
const mostCommentLines = 12;
const longestHit = 8_000;
const commentLine = /^\s*(?:\/\/|\/\*|\*|#|@|--|;)/;

function candidatesOf(passage: RankedPassage, query: SearchQuery, read: Reader) {
  const { path } = passage;
  const text = readLines(passage, query, read);
  const worthOfPath =
    pathWorth * shareOf(read(path), query) -
    (isTestPath(path) && !query.asksForTests ? testMalus : 0) -
    (isDocumentPath(path) || isExamplePath(path) ? proseMalus : 0);
  const defined = passage.definitions.map(definition => {
    const { name, startLine: line } = definition;
    const { startLine, endLine } = linesOfDefinition(definition, text);
    const worth =
      worthOfName(name, query, read) +
      text.worth(startLine, Math.min(endLine, line + linesPerWindow - 1)) -
      (definition.kind === 'constant' &&
      passage.definitions.some(
        outer => outer.startLine < line && outer.endLine >= definition.endLine,
      )
        ? innerMalus
        : 0);
    return {
      path,
      line,
      startLine,
      endLine,
      text: text.between(startLine, endLine),
      score: worth + worthOfPath,
    };
  });
  const [line, worth] = bestWindow(passage, text);
  if (worth === 0) return defined;
  const { startLine, endLine } = passage;
  return [
    ...defined,
    {
      path,
      line,
      startLine,
      endLine,
      text: text.between(startLine, endLine),
      score: worth + worthOfPath,
    },
  ];
}

type ReadLines = ReturnType<typeof readLines>;

/** The lines of a passage and its neighbours, with what they are worth. */
function readLines({ bodies }: RankedPassage, query: SearchQuery, read: Reader) {
  const firstLine = bodies[0]?.startLine ?? 1;
  const whole = bodies.map(({ body }) => body).join('');
  const lines = whole.split(/(?<=\n)/);
  const masks = lines.map(read);
  return {
    firstLine,
    lastLine: firstLine + lines.length - 1,
    line: (number: number) => lines[number - firstLine] ?? '',
    between: (from: number, to: number) =>
      lines
        .slice(from - firstLine, to - firstLine + 1)
        .join('')
        .slice(0, longestHit),
    /** Of the words that stand between two lines, and of those that share one. */
    worth(from: number, to: number) {
      let [all, best] = [0, 0];
      for (const mask of masks.slice(from - firstLine, to - firstLine + 1)) {
        all |= mask;
        if (mask !== 0) best = Math.max(best, shareOf(mask, query));
      }
      return windowWorth * shareOf(all, query) + lineWorth * best;
    },
  };
}

/** With the comment above it; of a long one the beginning, of a short one what stands around. */
function linesOfDefinition(
  { startLine, endLine }: Definition,
  { firstLine, lastLine, line }: ReadLines,
) {
  let from = startLine;
  while (startLine - from < mostCommentLines && commentLine.test(line(from - 1))) from -= 1;
  const to = Math.min(endLine, startLine + mostDefinitionLines - 1);
  const missing = Math.max(0, fewestLines - (to - from + 1));
  const end = Math.min(to + missing, lastLine);
  return {
    startLine: Math.max(firstLine, from - Math.max(0, fewestLines - (end - from + 1))),
    endLine: end,
  };
}

/** Where the words of the query stand closest together in a passage, and what that is worth. */
function bestWindow({ startLine, endLine }: RankedPassage, { worth }: ReadLines) {
  let best: [number, number] = [startLine, 0];
  for (let from = startLine; from <= endLine; from += linesPerWindow / 2) {
    const found = worth(from, from + linesPerWindow - 1);
    if (found > best[1]) best = [from, found];
  }
  return best;
}

function worthOfName(name: string, query: SearchQuery, read: Reader) {
  const mask = read(name);
  if (mask === 0 && !query.spelled.has(squash(name))) return 0;
  const parts = new Set(partsOf(name).map(stemmer));
  const precision = parts.size === 0 ? 0 : Math.min(1, termsIn(mask, query).length / parts.size);
  const share = shareOf(mask, query);
  return (
    nameWorth * share * (0.4 + 0.6 * precision) +
    (query.written.has(name) ? exactWorth : 0) +
    spelledWorth * (query.spelled.get(squash(name)) ?? 0)
  );
}

/** Part of the query's weight that these terms make up. */
function shareOf(mask: number, query: SearchQuery) {
  const { weight } = query;
  if (weight === 0) return mask === 0 ? 0 : 1;
  return termsIn(mask, query).reduce((sum, term) => sum + term.weight, 0) / weight;
}

function termsIn(mask: number, { terms }: SearchQuery) {
  return mask === 0 ? [] : terms.filter((_, index) => (mask & (1 << index)) !== 0);
}

/** Terms of the query in a text, one bit for each. */
type Reader = (text: string) => number;

function createReader({ terms }: SearchQuery): Reader {
  const bits = new Map(terms.map(({ stem }, index) => [stem, 1 << index]));
  const known = new Map<string, number>();
  const readWord = (word: string) => {
    let mask = 0;
    for (const part of partsOf(word)) mask |= bits.get(stemmer(part)) ?? 0;
    // One word of the query may be a whole name: `clickexception`.
    mask |= bits.get(stemmer(squash(word))) ?? 0;
    known.set(word, mask);
    return mask;
  };
  return text => {
    let mask = 0;
    for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu))
      mask |= known.get(word) ?? readWord(word);
    return mask;
  };
}
