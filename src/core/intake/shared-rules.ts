/**
 * Which check of a static analyser found what. Analysers call one check by one name more often than they describe it in
 * like words; a name that two of them know tells more than any wording.
 */
import type { Entry } from './source.ts';

export interface Check {
  /** Without prefix, in one style of writing. */
  readonly name: string;
  /** Do several tools of the input know it? */
  readonly isShared: boolean;
}

/** Null for everything that was not found by a rule. A shared check is a category as well, unless one was stated. */
export function withChecks(entries: readonly Entry[]): (Entry & { readonly check: Check | null })[] {
  const users = new Map<string, Set<string>>();
  for (const { rule, finding } of entries) {
    if (rule === null) continue;
    const name = shortNameOf(rule);
    users.set(name, (users.get(name) ?? new Set()).add(finding.reviewer));
  }
  return entries.map(entry => {
    if (entry.rule === null) return { ...entry, check: null };
    const name = shortNameOf(entry.rule);
    const isShared = (users.get(name)?.size ?? 0) > 1;
    return { ...entry, finding: { ...entry.finding, category: entry.finding.category ?? (isShared ? name : null) }, check: { name, isShared } };
  });
}

/** `eslint(no-undef)`, `@typescript-eslint/no-undef` and `lint/suspicious/noUndef` are one name. */
function shortNameOf(rule: string): string {
  const inside = /\(([^()]{1,200})\)$/.exec(rule)?.[1] ?? rule;
  return inside.slice(inside.lastIndexOf('/') + 1).replace(/[-_]/g, '').toLowerCase();
}
