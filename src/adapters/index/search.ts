/** Full-text search over passages, ranked with BM25 (Robertson and Zaragoza, 2009); a passage that defines what was asked for goes first. */
import type { SearchHit } from '../../core/code-index.ts';
import { identifiersOf, splitIdentifier } from '../../core/languages/identifiers.ts';

export type Ask = <Row>(sql: string, ...values: readonly (string | number)[]) => Row[];

const mostWords = 32;
/** Weight of a text itself, and of the parts of its identifiers. */
const weights = '1.0, 0.5';
/** A definition of exactly the word is worth more than any number of mentions. */
const definitionScore = 50;

export function search(ask: Ask, tree: number, query: string, limit: number): SearchHit[] {
  const expression = toExpression(query);
  if (expression === null || limit < 1) return [];
  const defining = definingPlaces(ask, tree, query);
  // SQLite ranks with negative figures, the best one lowest.
  const hits = ask<SearchHit & { readonly place: number }>(
    `SELECT e.path, p.startLine, p.endLine, passage.body AS text, -bm25(passage, ${weights}) AS score, p.number AS place
     FROM passage JOIN place p ON p.number = passage.rowid JOIN entry e ON e.content = p.content AND e.tree = ?
     WHERE passage MATCH ? ORDER BY bm25(passage, ${weights}) - CASE WHEN p.number IN (${[...defining].join(',')}) THEN ${definitionScore} ELSE 0 END, e.path, p.startLine LIMIT ?`,
    tree, expression, limit);
  return hits.map(({ path, startLine, endLine, text, score, place }) => ({ path, startLine, endLine, text, score: score + (defining.has(place) ? definitionScore : 0) }));
}

/** Any of the words, each as it is written and in its parts. Null when there is no word. */
function toExpression(query: string): string | null {
  const words = new Set<string>();
  for (const word of query.match(/[\p{L}\p{N}_$]+/gu) ?? []) {
    if (words.size >= mostWords) break;
    words.add(word.toLowerCase());
    for (const part of splitIdentifier(word)) words.add(part);
  }
  // Quoted, a word is never an operator of the query language.
  return words.size === 0 ? null : [...words].map(word => `"${word}"`).join(' OR ');
}

function definingPlaces(ask: Ask, tree: number, query: string): Set<number> {
  const names = [...identifiersOf(query)].slice(0, mostWords);
  const rows = names.flatMap(name => ask<{ readonly number: number }>(
    'SELECT p.number FROM definition d JOIN entry e ON e.content = d.content AND e.tree = ? JOIN place p ON p.content = d.content AND d.startLine BETWEEN p.startLine AND p.endLine WHERE d.name = ? LIMIT 200', tree, name));
  return new Set(rows.map(({ number }) => number));
}
