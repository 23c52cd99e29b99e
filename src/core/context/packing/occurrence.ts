/** How a name stands in a line: bare, as a member of something, or as the name of a field that is given a value. */
import type { Vocabulary } from '../../languages/language.ts';

export type Occurrence =
  | { readonly role: 'bare' }
  /** `root`: the name the chain of members starts with; null when it starts with something else than a name. */
  | { readonly role: 'member'; readonly root: string | null; readonly receiver: string | null }
  | { readonly role: 'field' };

const wordCharacter = /[\p{L}\p{N}_$]/u;

/** Every place where `name` stands as a whole word, as it stands there. */
export function occurrencesIn(line: string, name: string, language: Vocabulary): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    if (wordCharacter.test(line[at - 1] ?? '') || wordCharacter.test(line[at + name.length] ?? '')) continue;
    found.push(occurrenceAt(line, at, name, language));
  }
  return found;
}

function occurrenceAt(line: string, at: number, name: string, language: Vocabulary): Occurrence {
  const before = line.slice(0, at);
  const behind = line.slice(at + name.length);
  const access = /(?:\?\.|!\.|\.|->|::)\s*$/.exec(before.slice(-40));
  if (access !== null && !before.endsWith('...')) return { role: 'member', ...receiverOf(before.slice(0, before.length - access[0].length)) };
  return isField(before, behind, language) ? { role: 'field' } : { role: 'bare' };
}

/** An entry `name: value` of a literal, an argument `name=value`, an attribute of a tag. */
function isField(before: string, behind: string, { namesFields }: Vocabulary): boolean {
  if (namesFields === 'colon') return (/(?:^|[{,(])\s*$/.test(before) && /^\??\s?:(?![:=])/.test(behind)) || (/<[\w.]+[^<>]*\s$|^\s+$/.test(before) && /^=[{"']/.test(behind));
  return namesFields === 'equals' && /(?:[(,]|^)\s*$/.test(before) && /^\s?=(?!=)/.test(behind);
}

/** Walks back over calls, indexes and members to the name that a chain starts with. */
function receiverOf(text: string): { readonly root: string | null; readonly receiver: string | null } {
  let receiver: string | null = null;
  for (let end = text.length; ; ) {
    end = skipGroups(text, end);
    const name = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(text.slice(Math.max(0, end - 200), end))?.[0];
    if (name === undefined) return { root: null, receiver };
    receiver ??= name;
    const before = text.slice(0, end - name.length);
    const access = /(?:\?\.|!\.|\.|->|::)\s*$/.exec(before.slice(-40));
    if (access === null || before.endsWith('...')) return { root: name, receiver };
    end = before.length - access[0].length;
  }
}

/** The place before any `(…)` and `[…]` that end here. */
function skipGroups(text: string, end: number): number {
  let at = end;
  while (/[)\]!?]/.test(text[at - 1] ?? '')) {
    if (/[!?]/.test(text[at - 1] ?? '')) {
      at -= 1;
      continue;
    }
    let depth = 0;
    for (at -= 1; at >= 0; at -= 1) {
      if (/[)\]]/.test(text[at] ?? '')) depth += 1;
      else if (/[([]/.test(text[at] ?? '') && --depth === 0) break;
    }
    if (at < 0) return 0;
  }
  return at;
}
