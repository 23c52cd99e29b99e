/**
 * Static analysers call one check by one name more often than they describe it in like words. A rule that two of them
 * know is a category of what they say; a rule of one alone is not, since its name tells nothing about the others.
 */
import type { Entry } from './source.ts';

/** Stated categories stay as they are. */
export function withSharedRules(entries: readonly Entry[]): Entry[] {
  const users = new Map<string, Set<string>>();
  for (const { rule, finding } of entries) {
    if (rule === null) continue;
    const name = shortNameOf(rule);
    users.set(name, (users.get(name) ?? new Set()).add(finding.reviewer));
  }
  return entries.map(entry => {
    const name = entry.rule === null ? null : shortNameOf(entry.rule);
    const isShared = name !== null && (users.get(name)?.size ?? 0) > 1;
    return isShared && entry.finding.category === null ? { ...entry, finding: { ...entry.finding, category: name } } : entry;
  });
}

/** `eslint(no-undef)`, `@typescript-eslint/no-undef` and `lint/suspicious/noUndef` are one name. */
function shortNameOf(rule: string): string {
  const inside = /\(([^()]{1,200})\)$/.exec(rule)?.[1] ?? rule;
  return inside.slice(inside.lastIndexOf('/') + 1).replace(/[-_]/g, '').toLowerCase();
}
