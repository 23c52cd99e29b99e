/** Where a name is looked for, and what it can turn out to mean there. */
import type { Vocabulary } from '../../languages/language.ts';
import type { Definition } from '../../words/code-index.ts';
import type { CodeView } from './references.ts';

export interface Site {
  readonly path: string;
  readonly line: number;
  /** Of the file; empty where its text is not at hand. */
  readonly lines: readonly string[];
  readonly language: Vocabulary;
  readonly view: CodeView;
}

export type Place =
  /** Declared in a function around it, or at the top of the file. */
  | { readonly kind: 'local'; readonly line: number; readonly isTop: boolean }
  | { readonly kind: 'definition'; readonly definition: Definition }
  /** A whole file or package of the project. */
  | { readonly kind: 'module'; readonly targets: readonly string[] }
  /** What a file exports without a name of its own. */
  | { readonly kind: 'file'; readonly path: string; readonly name: string }
  /** Built in, or from a package outside. */
  | { readonly kind: 'external' }
  | Unknown;

export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  /** What it may be: definitions of this name in the project; none where they are too many to tell anything. */
  readonly possible: readonly Definition[];
}

const mostPossible = 3;

export function unknown(reason: string, possible: readonly Definition[] = []): Unknown {
  return { kind: 'unknown', reason, possible: possible.length > mostPossible ? [] : possible };
}
