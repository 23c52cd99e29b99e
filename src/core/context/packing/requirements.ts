/** What a pack has to show before the ladder may stop: the definition of every name on the changed lines, and what the criteria name. */
import type { CodeView } from './code-view.ts';
import { resolveSymbol, type Found } from './resolve-symbol.ts';
import type { SymbolUse } from './references.ts';
import type { Requirement } from './stop-rule.ts';

export interface Resolved {
  readonly requirements: readonly Requirement[];
  readonly found: readonly Found[];
  /** Names that are built in or come from outside, sorted. */
  readonly external: readonly string[];
}

export function resolveAll(uses: readonly SymbolUse[], criteria: readonly string[], view: CodeView, linesOf: (path: string) => readonly string[]): Resolved {
  const requirements: Requirement[] = [];
  const found = new Map<string, Found>();
  const external = new Set<string>();
  for (const use of uses) {
    const resolution = resolveSymbol(use, view, linesOf(use.path));
    const asked = { symbol: use.name, at: `${use.path}:${use.line}` };
    if (resolution.kind === 'external') external.add(use.name);
    else if (resolution.kind === 'unknown') requirements.push({ ...asked, definition: null, reason: resolution.reason });
    else if (resolution.kind === 'found') {
      const { at } = resolution;
      found.set(`${at.path}:${at.startLine}:${at.name}`, at);
      requirements.push({ ...asked, definition: { path: at.path, line: at.startLine }, reason: '' });
    }
  }
  for (const named of criteria.flatMap(text => namesIn(text, view))) {
    if (named.at !== null) found.set(`${named.at.path}:${named.at.startLine}:${named.at.name}`, named.at);
    requirements.push({ symbol: named.symbol, at: 'acceptance_criteria', definition: named.at && { path: named.at.path, line: named.at.startLine }, reason: 'no file and no definition of this name was found' });
  }
  return { requirements, found: [...found.values()], external: [...external].toSorted() };
}

interface Named {
  readonly symbol: string;
  readonly at: Found | null;
}

/** Paths, and words that are written as identifiers are: in backticks, with a call, an underscore or a capital inside. */
function namesIn(text: string, view: CodeView): Named[] {
  const words = text.slice(0, 10_000).match(/[\p{L}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$](?:\(\))?/gu) ?? [];
  return [...new Set(words)].flatMap((word): Named[] => {
    const name = word.replace(/\(\)$/, '');
    if (view.has(name)) return [{ symbol: name, at: { path: name, startLine: 1, endLine: Math.min(3, view.linesOf(name)), name, where: 'project' as const } }];
    if (/\/.*\.[a-z]{1,5}$/i.test(name)) return [{ symbol: name, at: null }];
    const isIdentifier = /^[\p{L}\p{N}_$]+$/u.test(name) && (word.endsWith('()') || /[a-z][A-Z]|_[a-z]/.test(name) || text.includes(`\`${name}\``));
    if (!isIdentifier) return [];
    const definition = view.definitionsOf(name).find(({ kind }) => kind !== 'test');
    return [{ symbol: name, at: definition === undefined ? null : { ...definition, where: 'project' as const } }];
  });
}
