/** What a condition holds against something: after it, such a value is no longer as it came. */
import type { Node } from 'web-tree-sitter';
import { partOf, readCall, shortText, type Syntax } from './syntax.ts';

/** Asks whether there is anything at all, not what it is. */
const asksForPresence =
  /(?:^|[.!])(?:isset|empty|is_null|isnull|len|strlen|count|typeof|nil\?|blank\?|present\?|empty\?|isEmpty|isBlank|isNullOrEmpty|IsNullOrEmpty|IsNullOrWhiteSpace|hasText|hasLength|exists|file_exists|is_file|isFile|existsSync|File\.Exists|print|log|get|args\.get|Get|FormValue|getParameter|Query|query|header)$/;
const compares = /^(?:===?|!==?|in|not in|=~|instanceof|is|eql\?)$/;
const emptyThing = /^(?:""|''|null|undefined|nil|None|NULL|true|false|True|False|-?\d+)$/;
const deepest = 40;
const most = 60;

/** Texts of the names, members and calls that the condition checks. */
export function checkedIn(condition: Node, syntax: Syntax): readonly string[] {
  const found: string[] = [];
  collect(condition, false, 0);
  return found;

  function collect(node: Node, isChecked: boolean, depth: number): void {
    if (depth > deepest || found.length > most) return;
    const part = partOf(node, syntax);
    const isCall = syntax.calls.has(node.type);
    if (isChecked && (part !== null || isCall || syntax.names.has(node.type)))
      found.push(...[shortText(node)].filter(text => text !== ''));
    if (part !== null && part.index !== null && !isChecked)
      return collect(part.index, true, depth + 1);
    const isIn =
      isChecked ||
      (isCall
        ? !asksForPresence.test(readCall(node, syntax).name)
        : isComparison(node) || /^(?:in_expression|match_expression)$/.test(node.type));
    for (const child of node.namedChildren) collect(child, isIn, depth + 1);
  }
}

/** A comparison with something that says what it is. */
function isComparison(node: Node): boolean {
  if (!/^(?:binary|comparison|is_pattern)/.test(node.type)) return false;
  const operator =
    node.childForFieldName('operator') ?? node.childForFieldName('operators') ?? node.child(1);
  return (
    compares.test(operator?.text.trim() ?? '') &&
    !node.namedChildren.some(child => emptyThing.test(shortText(child)))
  );
}
