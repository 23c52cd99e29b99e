/** Go: files that are taken away on the way out. Whether that works changes nothing about what is told. */
import type { Node } from 'web-tree-sitter';
import { functions } from '../flow/shapes.ts';
import { ancestorsOf } from './around.ts';

const removal = /^os\.Remove(?:All)?\(/;
const failed = /\b\w*[eE]rr(?:or)?\w*\s*!=\s*nil\b/;
const failing = /^(?:return\b[^\n]*\b\w*[eE]rr|panic\(|os\.Exit\(|goto\b)/;
const passing = /\b(?:[tT]e?mp|[tT]emp)|(?:[tT]e?mp)(?:\b|[A-Z_])|\.(?:tmp|bak|part)"/;

/** After a failure that is told itself, or of a file that was made to be taken away. */
export function isCleanUp(statement: Node | null): boolean {
  const text = statement?.text ?? '';
  if (statement === null || !removal.test(text)) return false;
  return passing.test(text) || isAfterFailure(statement) || leavesFailing(statement);
}

function isAfterFailure(statement: Node): boolean {
  for (const ancestor of ancestorsOf(statement, 8)) {
    if (functions.has(ancestor.type)) return false;
    if (ancestor.type === 'if_statement')
      return failed.test(ancestor.childForFieldName('condition')?.text.slice(0, 300) ?? '');
  }
  return false;
}

const mostSteps = 4;

function leavesFailing(statement: Node): boolean {
  let next = statement.nextNamedSibling;
  for (let step = 0; next !== null && step < mostSteps; step += 1) {
    if (failing.test(next.text.slice(0, 300))) return true;
    next = next.nextNamedSibling;
  }
  return false;
}
