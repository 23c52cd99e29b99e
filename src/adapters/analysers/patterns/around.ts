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
