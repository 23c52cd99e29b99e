/** What a condition holds against something: after it, such a value is no longer as it came. */
import type { Node } from 'web-tree-sitter';
import { calls, elementOf, memberOf, names, readCall, shortText } from './shapes.ts';

/** Asks whether there is anything at all, not what it is. */
const asksForPresence =
  /(?:^|[.!])(?:isset|empty|is_null|isnull|len|strlen|count|typeof|nil\?|blank\?|present\?|empty\?|isEmpty|isBlank|isNullOrEmpty|IsNullOrEmpty|IsNullOrWhiteSpace|hasText|hasLength|exists|file_exists|is_file|isFile|existsSync|File\.Exists|print|log|get|args\.get|Get|FormValue|getParameter|Query|query|header)$/;
const compares = /^(?:===?|!==?|in|not in|=~|instanceof|is|eql\?)$/;
const emptyThing = /^(?:""|''|null|undefined|nil|None|NULL|true|false|True|False|-?\d+)$/;
const deepest = 40;

/** Texts of the names, members and calls that the condition checks. */
export function checkedIn(condition: Node): readonly string[] {
  const found: string[] = [];
  collect(condition, false, found, 0);
  return found;
}

function collect(node: Node, isChecked: boolean, found: string[], depth: number): void {
  if (depth > deepest || found.length > 60) return;
  if (isChecked) note(node, found);
  if (calls.has(node.type)) {
    const { name } = readCall(node);
    const isIn = isChecked || !asksForPresence.test(name);
    for (const child of node.namedChildren) collect(child, isIn, found, depth + 1);
    return;
  }
  const element = elementOf(node);
  if (element !== null && !isChecked) {
    if (element.index !== null) collect(element.index, true, found, depth + 1);
    return;
  }
  const isIn =
    isChecked || isComparison(node) || /^(?:in_expression|match_expression)$/.test(node.type);
  for (const child of node.namedChildren) collect(child, isIn, found, depth + 1);
}

function note(node: Node, found: string[]): void {
  if (
    names.has(node.type) ||
    memberOf(node) !== null ||
    elementOf(node) !== null ||
    calls.has(node.type)
  ) {
    const text = shortText(node);
    if (text !== '') found.push(text);
  }
}

/** A comparison with something that says what it is. */
function isComparison(node: Node): boolean {
  if (!/^(?:binary|comparison|is_pattern)/.test(node.type)) return false;
  const operator =
    node.childForFieldName('operator')?.text ??
    node.childForFieldName('operators')?.text ??
    node.child(1)?.text ??
    '';
  return (
    compares.test(operator.trim()) &&
    !node.namedChildren.some(child => emptyThing.test(shortText(child)))
  );
}
