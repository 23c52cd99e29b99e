/**
 * Finds clauses that say the opposite of a given one without comparing every pair. Two clauses that have four fifths of their
 * words in common share one of their rarest words, so that only clauses filed under those are looked at.
 */
import { leastContentWords, type Clause } from './clauses.ts';

/** Percent of the words of each clause that the other has too. */
const leastOverlap = 80;

export interface FiledClause {
  readonly clause: Clause;
  /** What the clause stands in. */
  readonly owner: string;
}

export interface ClauseIndex {
  /** Filed clauses that contradict `clause`, in the order of filing. `isWanted` spares comparisons. */
  opposing(clause: Clause, isWanted: (owner: string) => boolean): FiledClause[];
  /** True once the allowance of comparisons was used up: from then on nothing more is found. */
  readonly isExhausted: boolean;
}

/** `others` are the clauses that will be asked about: words are rare or common over both. `allowance`: word comparisons in all. */
export function createClauseIndex(filed: readonly FiledClause[], others: readonly Clause[], allowance = 100_000_000): ClauseIndex {
  const rank = rankByRarity([...filed.map(({ clause }) => clause), ...others]);
  const filedUnder = new Map<string, number[]>();
  filed.forEach(({ clause }, position) => {
    for (const word of signature(clause, rank)) append(filedUnder, word, position);
  });
  let left = allowance;
  return {
    get isExhausted() {
      return left <= 0;
    },
    opposing(clause, isWanted) {
      const candidates = new Set<number>();
      for (const word of signature(clause, rank)) {
        const positions = filedUnder.get(word) ?? [];
        left -= positions.length;
        if (left <= 0) return [];
        for (const position of positions) candidates.add(position);
      }
      const found: FiledClause[] = [];
      for (const position of [...candidates].sort((one, other) => one - other)) {
        const candidate = filed[position];
        if (!candidate || candidate.clause.isNegative === clause.isNegative || !isWanted(candidate.owner)) continue;
        left -= Math.min(clause.words.size, candidate.clause.words.size);
        if (left <= 0) break;
        if (isSameMatter(clause, candidate.clause)) found.push(candidate);
      }
      return found;
    },
  };
}

function isSameMatter(one: Clause, other: Clause): boolean {
  const [fewer, more] = one.words.size <= other.words.size ? [one.words, other.words] : [other.words, one.words];
  let common = 0;
  for (const word of fewer) if (more.has(word)) common += 1;
  // The larger of the two sets asks for more: what holds for it holds for both.
  return common >= leastContentWords && 100 * common >= leastOverlap * more.size;
}

/** The rarest words of a clause: as many as it may lack in a clause of the same matter, and one more. */
function signature({ words }: Clause, rank: ReadonlyMap<string, number>): string[] {
  const least = Math.max(leastContentWords, Math.ceil((leastOverlap * words.size) / 100));
  const byRarity = [...words].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  return byRarity.slice(0, words.size - least + 1);
}

function rankByRarity(clauses: readonly Clause[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { words } of clauses) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const ordered = [...frequency].sort(([one, seen], [other, seenOther]) => seen - seenOther || (one < other ? -1 : 1));
  return new Map(ordered.map(([word], position) => [word, position]));
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
