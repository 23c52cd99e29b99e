/**
 * Search that finds definitions. The full-text index names passages that may hold the answer; what they define and how close together
 * the words stand decides. The documentation of the code index explains the figures.
 */
import type { CodeIndex } from '../../core/ports/code-index.ts';
import { identifiersOf } from '../../core/text.ts';
import type { SearchHit } from '../../core/words/code-index.ts';
import { contentOf } from './index-file.ts';
import { rankPassages, type RankedPassage, readQuery } from './rank.ts';

/** Asks the tables about one tree, the first value of every question; every answer is read to its end. */
export type Ask = <Row>(sql: string, ...values: readonly (string | number)[]) => Row[];

export interface PassageRow {
  readonly path: string;
  readonly place: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly body: string;
}

export interface SearchedIndex extends Pick<CodeIndex, 'definitionsOf' | 'definitionsIn'> {
  /** The passages of a file follow one another without a gap. */
  passagesOf(path: string): readonly PassageRow[];
}

/** Passages looked at more closely: those that define something so called, and those that merely hold the words. */
const mostDefining = 160;
const mostHolding = 120;
/** Definitions of one name as it is written, which is found however many passages hold its parts. */
const mostExact = 60;
/** Weights of a text, of the parts of its identifiers, and of the names that it defines. */
const weights = '1.0, 0.5, 3.0';

export function search(
  ask: Ask,
  { definitionsOf, definitionsIn, passagesOf }: SearchedIndex,
  written: string,
  limit: number,
): SearchHit[] {
  const [{ total } = { total: 0 }] = ask<{ readonly total: number }>(
    'SELECT COUNT(*) AS total FROM passage_docsize',
  );
  const query = readQuery(written, total, word => {
    const [row] = ask<{ readonly found: number }>(
      'SELECT COUNT(*) AS found FROM passage WHERE passage MATCH ?',
      `"${word}"`,
    );
    return row?.found ?? 0;
  });
  if (query === null || limit < 1) return [];
  // Any of the words; quoted, a word is never an operator of the query language.
  const expression = query.words.map(word => `"${word}"`).join(' OR ');
  // The best by the formula of Robertson and Zaragoza (BM25, 2009). SQLite ranks with negative figures, the best one lowest.
  const matching = (sought: string, most: number): PassageRow[] =>
    ask<PassageRow>(
      'SELECT e.path, passage.rowid AS place, startLine, endLine FROM passage JOIN entry e ON e.tree = ?1 ' +
        `AND e.content = passage.rowid >> 20 WHERE passage MATCH ?2 ORDER BY bm25(passage, ${weights}), e.path, startLine LIMIT ?3`,
      sought,
      most,
    );
  const exact = [...identifiersOf(written)]
    .slice(0, 8)
    .flatMap(name => definitionsOf(name).slice(0, mostExact))
    .flatMap(({ path, startLine: line }) =>
      passagesOf(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    );
  const found = new Map<string, PassageRow>();
  for (const row of [
    ...exact,
    ...matching(`names : (${expression})`, mostDefining),
    ...matching(expression, Math.max(mostHolding, limit)),
  ])
    found.set(`${row.place} ${row.path}`, row);
  const passages = [...found.values()].map(
    ({ path, place, startLine, endLine }): RankedPassage => ({
      path,
      startLine,
      endLine,
      // With the passage behind it, into which its last definitions reach, and the lines before, where comments on its first one stand.
      bodies: ask<Pick<PassageRow, 'place' | 'startLine' | 'body'>>(
        'SELECT rowid AS place, startLine, body FROM passage WHERE rowid BETWEEN ? AND ? ORDER BY rowid',
        place - 1,
        place + 1,
      ).filter(one => contentOf(one.place) === contentOf(place)),
      definitions: definitionsIn(path).filter(
        one => startLine <= one.startLine && one.startLine <= endLine,
      ),
    }),
  );
  return rankPassages(passages, query, limit);
}
