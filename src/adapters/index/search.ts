/**
 * Search that finds definitions. The full-text index names passages that may hold the answer; what they define and how close together
 * the words stand decides. The documentation of the code index explains the figures.
 */
import type { Definition, SearchHit } from '../../core/words/code-index.ts';
import { identifiersOf } from '../../core/text.ts';
import { rankPassages, type RankedPassage, readQuery, type SearchQuery } from './rank.ts';

/** Asks the tables; every answer is read to its end. */
export type Ask = <Row>(sql: string, ...values: readonly (string | number)[]) => Row[];

/** Passages looked at more closely: those that define something so called, and those that merely hold the words. */
const mostDefining = 160;
const mostHolding = 120;
/** Weights of a text, of the parts of its identifiers, and of the names that it defines. */
const weights = '1.0, 0.5, 3.0';

export function search(ask: Ask, tree: number, written: string, limit: number): SearchHit[] {
  const query = readQuery(written, word => passagesWith(ask, word));
  if (query === null || limit < 1) return [];
  const found = new Map<string, PassageRow>();
  for (const row of [
    ...definingExactly(ask, tree, written),
    ...matching(ask, tree, `names : (${expressionOf(query)})`, mostDefining),
    ...matching(ask, tree, expressionOf(query), Math.max(mostHolding, limit)),
  ])
    found.set(`${row.place} ${row.path}`, row);
  const passages = [...found.values()].map(row => readAround(ask, row));
  return rankPassages(passages, query, limit);
}

interface PassageRow {
  readonly path: string;
  readonly content: number;
  readonly place: number;
  readonly startLine: number;
  readonly endLine: number;
}

const passageColumns = 'e.path, p.content, p.number AS place, p.startLine, p.endLine';

/** The best by the formula of Robertson and Zaragoza (BM25, 2009). SQLite ranks with negative figures, the best one lowest. */
function matching(ask: Ask, tree: number, expression: string, most: number): PassageRow[] {
  return ask<PassageRow>(
    `SELECT ${passageColumns} FROM passage JOIN place p ON p.number = passage.rowid JOIN entry e ON e.content = p.content AND e.tree = ?
     WHERE passage MATCH ? ORDER BY bm25(passage, ${weights}), e.path, p.startLine LIMIT ?`,
    tree,
    expression,
    most,
  );
}

/**
 * A name as it is written is found however many passages hold its parts. The tables are asked in this order: in any other, all
 * definitions are looked through.
 */
function definingExactly(ask: Ask, tree: number, written: string): PassageRow[] {
  return [...identifiersOf(written)]
    .slice(0, 8)
    .flatMap(name =>
      ask<PassageRow>(
        `SELECT ${passageColumns} FROM definition d CROSS JOIN entry e ON e.content = d.content AND ` +
          'e.tree = ? CROSS JOIN place p ON p.content = d.content AND d.startLine BETWEEN p.startLine AND ' +
          'p.endLine WHERE d.name = ? ORDER BY e.path, d.startLine LIMIT 60',
        tree,
        name,
      ),
    );
}

/** Any of the words; quoted, a word is never an operator of the query language. */
function expressionOf({ words }: SearchQuery): string {
  return words.map(word => `"${word}"`).join(' OR ');
}

function passagesWith(ask: Ask, word: string): { readonly passages: number; readonly of: number } {
  const [row] = ask<{ readonly passages: number; readonly of: number }>(
    'SELECT (SELECT COUNT(*) FROM passage WHERE passage MATCH ?) AS passages, (SELECT COUNT(*) FROM place) AS "of"',
    `"${word}"`,
  );
  return row ?? { passages: 0, of: 0 };
}

/** With the passage behind it, into which its last definitions reach, and the lines before, where comments on its first one stand. */
function readAround(ask: Ask, row: PassageRow): RankedPassage {
  const bodies = ask<{
    readonly startLine: number;
    readonly endLine: number;
    readonly body: string;
  }>(
    'SELECT p.startLine, p.endLine, passage.body FROM place p JOIN passage ON passage.rowid = ' +
      'p.number WHERE p.number BETWEEN ? AND ? AND p.content = ? ORDER BY p.number',
    row.place - 1,
    row.place + 1,
    row.content,
  );
  const definitions = ask<Omit<Definition, 'path' | 'nameLine' | 'signature'>>(
    'SELECT name, kind, startLine, endLine FROM definition WHERE content = ? AND startLine BETWEEN ? ' +
      'AND ? ORDER BY startLine, endLine DESC',
    row.content,
    row.startLine,
    row.endLine,
  );
  return {
    path: row.path,
    startLine: row.startLine,
    endLine: row.endLine,
    bodies,
    definitions,
  };
}
