/** Evicts until the pack fits: the farthest from the change first, the change itself never. */
import { UserError } from '../../errors.ts';
import { lineCandidate, nameOf, type Candidate, type Placed } from './candidate.ts';
import { inEvictionOrder, layOut } from './lay-out.ts';
import { mostAnchors } from './local-pack.ts';

export interface Measures {
  readonly budget: number;
  /** Of one anchor as it is rendered, with its label and its summary. */
  readonly tokensOf: (placed: Placed) => number;
  /** Of the whole pack as it is rendered. */
  readonly tokensOfAll: (placed: readonly Placed[]) => number;
}

export interface Evicted {
  readonly anchor: string;
  readonly distance: number;
  readonly tokens: number;
}

export type Fitted =
  | { readonly fits: true; readonly placed: readonly Placed[]; readonly tokens: number; readonly evicted: readonly Evicted[]; readonly cause: 'budget' | 'anchors' | null }
  /** Even the changed lines alone need more. */
  | { readonly fits: false; readonly tokens: number };

/** The changed lines need more than the budget: nothing of them may go. */
export class CannotFit extends UserError {
  readonly tokens: number;
  readonly budget: number;

  constructor({ agent, tokens, budget }: { readonly agent: string; readonly tokens: number; readonly budget: number }) {
    super(`Error: pack for ${agent} cannot fit: changed lines need ${tokens} tokens, budget ${budget}; split the scope`, { kind: 'input' });
    this.tokens = tokens;
    this.budget = budget;
  }
}

/** Gaps to close between ranges of one file when there are more of them than a pack may have. */
const gaps = [2, 4, 6, 10, 16];

/** Lines around the change are given up before anything that the stop rule asks for. */
export function fit(candidates: readonly Candidate[], measures: Measures): Fitted {
  const whole = evictUntilItFits(candidates, measures);
  if (whole.fits && whole.cause === null) return whole;
  const bare = evictUntilItFits(candidates.flatMap(shrink), measures);
  if (!whole.fits) return bare;
  return bare.fits && neededIn(bare) > neededIn(whole) ? bare : whole;
}

/** A changed hunk without the lines around it. */
function shrink(candidate: Candidate): readonly Candidate[] {
  const { path, core, distance } = candidate;
  if (path === null || distance > 0 || core.length === 0) return [candidate];
  return core.map(range => lineCandidate(path, range, distance, { kind: candidate.kind, name: candidate.name, needed: 1, core: [range] }));
}

function neededIn(fitted: Extract<Fitted, { fits: true }>): number {
  return fitted.placed.reduce((sum, { needed }) => sum + needed, 0);
}

function evictUntilItFits(candidates: readonly Candidate[], { budget, tokensOf, tokensOfAll }: Measures): Fitted {
  let placed: readonly Placed[] = [];
  for (const gap of gaps) {
    placed = layOut(candidates, gap);
    if (placed.length <= mostAnchors) break;
  }
  const measured = new Map(placed.map(one => [one, tokensOf(one)]));
  const queue = [...measured].map(([one, tokens]) => ({ ...one, tokens, placed: one })).toSorted(inEvictionOrder);
  const kept = new Set(placed);
  const evicted: Evicted[] = [];
  let cause: 'budget' | 'anchors' | null = null;
  const evict = (why: 'budget' | 'anchors'): boolean => {
    const next = queue[0];
    if (next === undefined || next.distance === 0) return false;
    queue.shift();
    kept.delete(next.placed);
    evicted.push({ anchor: nameOf(next.placed), distance: next.distance, tokens: next.tokens });
    cause ??= why;
    return true;
  };
  while (kept.size > mostAnchors && evict('anchors'));
  let estimate = tokensOfAll([]) + [...kept].reduce((sum, one) => sum + (measured.get(one) ?? 0), 0);
  // The sum of the parts is near the whole, and much cheaper than counting it again and again.
  while (estimate > budget * 1.02) {
    const tokens = queue[0]?.tokens ?? 0;
    if (!evict('budget')) break;
    estimate -= tokens;
  }
  for (;;) {
    const left = placed.filter(one => kept.has(one));
    // Far from the budget nobody needs the exact figure yet.
    const tokens = estimate < budget * 0.95 ? estimate : tokensOfAll(left);
    if (tokens <= budget) return { fits: true, placed: left, tokens, evicted, cause };
    if (!evict('budget')) return { fits: false, tokens };
  }
}
