/** What stands around a node. */
import type { Node } from 'web-tree-sitter';
import { functions } from '../flow/shapes.ts';

/** Ancestors from the inside out, at most `most`: walking up is slow. */
export function* ancestorsOf(node: Node, most = 40): Generator<Node> {
  let at = node.parent;
  for (let step = 0; at !== null && step < most; step += 1) {
    yield at;
    at = at.parent;
  }
}

const longest = 20_000;

/** The text of the function around; empty where there is none, or where it is too long to be judged. */
export function functionText(node: Node | null): string {
  for (const ancestor of node === null ? [] : ancestorsOf(node, 60))
    if (functions.has(ancestor.type))
      return ancestor.endIndex - ancestor.startIndex > longest ? '' : ancestor.text;
  return '';
}

const name = '(?<![\\w.:>$@-])[\\w.:>$@-]{0,80}';
const off = new RegExp(
  `(?<!!\\s{0,2}|\\bnot\\s{1,2}|[=!]=\\s{0,2})${name}(?:insecure|(?:skip|ignore|disable|no)_?\\w{0,6}(?:verif|validat|cert|host_?key)|trust_?all|allow_?self_?signed)\\w{0,40}(?![\\w.]|\\s*[=!]=)`,
  'i',
);
const on = '[\\w.:>$@-]{0,80}(?:verif|validat|check_?(?:host|cert))\\w{0,40}';
const negated = new RegExp(`(?:!\\s{0,2}|\\bnot\\s{1,2})${on}`, 'i');
const asserted = new RegExp(`^${on}\\??$`, 'i');
const checking = /verif|validat|known_?hosts|host_?key|cert|tls|ssl/i;
const refusing = /["'](?:none|off|no|never|ignore|insecure|skip|disabled?|false)["']/i;
const longestCondition = 400;

/** In a branch that somebody asks for by a setting named after the check: `if insecure`, `if !verify`, `case knownHosts == "none"`. */
export function isAskedByName(node: Node): boolean {
  for (const ancestor of ancestorsOf(node)) {
    if (functions.has(ancestor.type)) return false;
    const asked =
      ancestor.childForFieldName('condition') ??
      (ancestor.type === 'expression_case' ? ancestor.childForFieldName('value') : null);
    const otherwise = ancestor.childForFieldName('alternative');
    if (asked === null) continue;
    if (otherwise !== null && ancestor.childWithDescendant(node)?.id === otherwise.id) continue;
    if (isOff(asked.text.slice(0, longestCondition), ancestor.type)) return true;
  }
  return false;
}

function isOff(condition: string, type: string): boolean {
  if (type.startsWith('unless')) return asserted.test(condition);
  return (
    off.test(condition) ||
    negated.test(condition) ||
    (checking.test(condition) && refusing.test(condition) && !condition.includes('!='))
  );
}
