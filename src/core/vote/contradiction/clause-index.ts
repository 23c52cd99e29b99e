/**
 * Finds clauses that contradict a given one without comparing every pair. Of two clauses of one matter, the one with fewer
 * terms shares at least one of its rarest with the other, so that only clauses filed under those are looked at.
 */
import type { Clause } from './clauses.ts';
import { contradict, sameMatter } from './contradict.ts';

export interface FiledClause {
  readonly clause: Clause;
  /** What the clause stands in. */
  readonly owner: string;
}

export interface ClauseIndex {
  /** Filed clauses that contradict `clause`, in the order of filing. `isWanted` spares comparisons. */
  opposing(clause: Clause, isWanted: (owner: string) => boolean): FiledClause[];
  /** Clauses looked at and terms compared so far. */
  readonly spent: number;
  /** True once the allowance was used up: from then on nothing more is found. */
  readonly isExhausted: boolean;
}

/** `others` are the clauses that will be asked about: terms are rare or common over both. `allowance`: the most that is spent. */
export function createClauseIndex(
  filed: readonly FiledClause[],
  others: readonly Clause[],
  allowance = 25_000_000,
): ClauseIndex {
  const rank = rankByRarity([...filed.map(({ clause }) => clause), ...others]);
  const byTerm = new Map<string, number[]>();
  const bySignature = new Map<string, number[]>();
  for (const [position, { clause }] of filed.entries()) {
    for (const term of clause.terms.keys()) append(byTerm, term, position);
    for (const term of signatureOf(clause, rank)) append(bySignature, term, position);
  }
  const seen = new Uint32Array(filed.length);
  let [spent, question] = [0, 0];
  return {
    get spent() {
      return spent;
    },
    get isExhausted() {
      return spent >= allowance;
    },
    opposing(clause, isWanted) {
      question += 1;
      const candidates: number[] = [];
      const lists = [
        ...signatureOf(clause, rank).map(term => byTerm.get(term) ?? []),
        ...[...clause.terms.keys()].map(term => bySignature.get(term) ?? []),
      ];
      for (const list of lists) {
        spent += list.length + 1;
        if (spent >= allowance) return [];
        for (const position of list) {
          if (seen[position] === question) continue;
          seen[position] = question;
          candidates.push(position);
        }
      }
      const found: number[] = [];
      for (const position of candidates) {
        const candidate = filed[position];
        if (candidate === undefined || !isWanted(candidate.owner)) continue;
        spent += clause.terms.size + candidate.clause.terms.size;
        if (spent >= allowance) break;
        if (contradict(clause, candidate.clause)) found.push(position);
      }
      return found.sort((one, other) => one - other).flatMap(position => filed[position] ?? []);
    },
  };
}

/** As many as it may lack in a longer clause of the same matter, and one more. */
function signatureOf({ terms }: Clause, rank: ReadonlyMap<string, number>): string[] {
  const least = Math.max(sameMatter.leastTerms, Math.ceil(sameMatter.share * terms.size));
  const byRarity = [...terms.keys()].sort(
    (one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0),
  );
  return byRarity.slice(0, Math.max(0, terms.size - least + 1));
}

function rankByRarity(clauses: readonly Clause[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { terms } of clauses)
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const ordered = [...frequency].sort(
    ([one, seen], [other, seenOther]) => seen - seenOther || (one < other ? -1 : 1),
  );
  return new Map(ordered.map(([term], position) => [term, position]));
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
