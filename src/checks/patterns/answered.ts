/** An error that is caught and not looked at does no harm where what stands after the attempt answers for it. */
import type { Node } from 'web-tree-sitter';
import { functions } from '../flow/shapes.ts';
import { ancestorsOf } from './around.ts';

/**
 * True where what is done after success stands in an `else`; where a module is looked for; where the attempt leaves with its answer,
 * so that whatever stands after it is the answer to the failure; where the answer to the failure is a value that is kept; and where
 * all that was tried is to close what is done with.
 */
export function isAnswered(clause: Node | null): boolean {
  const attempt = clause?.parent ?? null;
  if (clause === null || attempt === null) return false;
  const tried = attempt.childForFieldName('body');
  const work = tried?.namedChildren ?? attempt.namedChildren;
  const steps = work.filter(({ id, type }) => id !== clause.id && type !== 'comment');
  return (
    kept.has(attempt.parent?.type ?? '') ||
    attempt.namedChildren.some(({ type }) => type === 'else_clause') ||
    (steps[0] !== undefined && triesImport(steps[0])) ||
    mayFail(work[0]) ||
    (steps.length === 1 && closes(steps[0])) ||
    (hasMoreAfter(attempt) && steps.some(step => leaves(step, 0)))
  );
}

/** `scheme = begin … rescue nil end`: nil is the value, and the code can ask for it. */
const kept = new Set(['assignment', 'operator_assignment']);

/** The attempt begins with a remark that it may fail: `// Attempt, but do not fail here`. */
function mayFail(first: Node | undefined): boolean {
  return (
    first?.type === 'comment' &&
    /\b(?:fails?|failing|ignored?|best[- ]effort|not actually|may not|might not|optional)\b/i.test(
      first.text,
    )
  );
}

/** `try: import a` and a mark that it is there: a program that can do without. */
function triesImport(step: Node): boolean {
  const inner = step.childForFieldName('body')?.namedChild(0) ?? null;
  return (
    /^(?:import_statement|import_from_statement)$/.test(step.type) ||
    (step.type === 'try_statement' && inner !== null && triesImport(inner))
  );
}

const closing =
  /(?:\.|->)\s*(?:close|finish|disconnect|dispose|destroy|quit|shutdown|unlink|terminate|kill|abort|end|rollback|flush)\w{0,12}[!?]?\s*(?:\(\s*\))?;?$/i;

function closes(step: Node | undefined): boolean {
  const text = step?.text ?? '';
  return text.length < 200 && !text.includes('\n') && closing.test(text.trim());
}

const leaving = new Set(['return_statement', 'return']);
const deepest = 40;

/** It returns, outside of functions of its own. */
function leaves(node: Node, depth: number): boolean {
  if (leaving.has(node.type)) return true;
  if (depth > deepest || functions.has(node.type)) return false;
  return node.namedChildren.some(child => leaves(child, depth + 1));
}

/** In its block, or after a block that it ends: the function goes on there. */
function hasMoreAfter(attempt: Node): boolean {
  for (const step of [attempt, ...ancestorsOf(attempt, 20)]) {
    if (functions.has(step.type)) return false;
    let next = step.nextNamedSibling;
    while (next !== null && /comment|_clause$|^(?:else|rescue|ensure)$/.test(next.type))
      next = next.nextNamedSibling;
    if (next !== null) return true;
  }
  return false;
}
