/** What a structural rule is: a query that captures `@at`, and words. A rule that needs more looks at its captures. */
import type { Node } from 'web-tree-sitter';
import type { Severity } from '../../../core/words/severity.ts';
import type { Grammar } from '../../../core/languages/language.ts';

export interface Found {
  readonly path: string;
  /** The new side of the file, line by line. */
  readonly lines: readonly string[];
  /** The first node captured under a name; null when the pattern that matched has none. */
  readonly node: (name: string) => Node | null;
}

export interface PatternRule {
  /** `<language>-<what>`; unique. */
  readonly id: string;
  readonly grammars: readonly Grammar[];
  readonly severity: Severity;
  /** Severity in scripts of the project, where the values are its own; default: the same. */
  readonly severityInScripts?: Severity;
  /** Only correctness is looked at in tests and examples. */
  readonly category: 'security' | 'correctness' | 'error-handling';
  /** Tree-sitter query. `@at` is what is reported: small, so that it lies on the changed line. */
  readonly query: string;
  readonly issue: string;
  readonly recommendation: string;
  readonly applies?: (found: Found) => boolean;
}

/** Words that several languages share. */
export const sqlRule = {
  severity: 'high',
  severityInScripts: 'low',
  category: 'security',
  issue:
    'SQL is put together from text and values: whoever controls a value controls the statement.',
  recommendation: 'Pass the values as parameters of the statement.',
} as const;

export const shellRule = {
  severity: 'high',
  severityInScripts: 'low',
  category: 'security',
  issue:
    'A shell command is put together from text and values: a value can hold a command of its own.',
  recommendation: 'Start the program directly with a list of arguments, without a shell.',
} as const;

export const evalRule = {
  severity: 'high',
  category: 'security',
  issue: 'Text that is not fixed is run as code.',
  recommendation: 'Parse the data, or choose from a table of known functions.',
} as const;

export const tlsRule = {
  severity: 'high',
  category: 'security',
  issue:
    'The certificate of the other side is not checked: anybody on the way can read and change the traffic.',
  recommendation: 'Keep verification on; trust a private authority by adding its certificate.',
} as const;

export const passwordHashRule = {
  severity: 'high',
  category: 'security',
  issue: 'A password goes through a fast, broken hash: a stolen table is read in hours.',
  recommendation: 'Use a password hash such as Argon2, scrypt or bcrypt.',
} as const;

export const swallowRule = {
  severity: 'low',
  category: 'error-handling',
  issue:
    'The error is swallowed: the failure leaves no trace and the program goes on as if nothing had happened.',
  recommendation: 'Handle it, pass it on, or say in a comment why it may be ignored.',
} as const;

export const unreachableRule = {
  severity: 'medium',
  category: 'correctness',
  issue: 'This is never reached: the statement before it leaves the block.',
  recommendation: 'Remove it, or correct the statement before it.',
} as const;

export const requestRule = {
  severity: 'high',
  category: 'security',
  recommendation: 'Check the value against what is allowed before it is used.',
} as const;

/** A comment within the node's lines: somebody has thought about it. */
export function isExplained(node: Node | null, { lines }: Found): boolean {
  if (node === null) return false;
  return lines
    .slice(node.startPosition.row, node.endPosition.row + 2)
    .some(line => /(?:^|[\s;{}])(?:#|\/\/|\/\*)/.test(line));
}

/** Ancestors from the inside out, at most `most`: walking up is slow. */
export function* ancestorsOf(node: Node, most = 40): Generator<Node> {
  let at = node.parent;
  for (let step = 0; at !== null && step < most; step += 1) {
    yield at;
    at = at.parent;
  }
}
