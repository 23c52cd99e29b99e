/** How a claim is remembered once a run has seen it. */
import type { Change } from '../change.ts';
import type { Claim } from '../claim.ts';
import { printPlace } from './code-print.ts';
import { categoryOf } from './judgement.ts';
import type { KnownClaim } from './known-claim.ts';
import type { Sight } from './sight.ts';

export interface Sighting {
  readonly run: string;
  readonly at: string;
  readonly change: Change;
  readonly sight: Sight;
  readonly families: ReadonlyMap<string, string>;
}

/** Of one claim at most. The oldest wordings go first; of the history those between the first and the latest. */
const mostWordings = 24;
const mostHistory = 100;

/** Files that vouch for a claim without a place, at most. */
const mostFiles = 500;

/** `known` as it was before the run; null for a claim nobody knew. */
export function addSighting(known: KnownClaim | null, claim: Claim, { run, at, change, sight, families }: Sighting): KnownClaim {
  const location = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const print = location === null || location.side === 'old' ? null : sight.print(location.path);
  const supporters = known?.supporters ?? [];
  return {
    id: claim.id,
    text: claim.text,
    severity: claim.severity,
    category: categoryOf(claim),
    path: claim.location?.path ?? null,
    line: location?.line ?? null,
    side: location?.side ?? 'new',
    code: location === null || location.line === null || print === null ? null : printPlace(print, location.line, location.endLine),
    files: location === null ? change.files.map(({ path }) => path).sort().slice(0, mostFiles) : [location.path],
    wordings: addWordings(known?.wordings ?? [], claim, run),
    supporters: [...supporters, ...claim.supporters.filter(name => !supporters.some(({ reviewer }) => reviewer === name)).map(reviewer => ({ reviewer, family: families.get(reviewer) ?? null, run }))],
    history: addState(known?.history ?? [], { run, at, state: claim.state }),
  };
}

function addWordings(known: KnownClaim['wordings'], { findings }: Claim, run: string): KnownClaim['wordings'] {
  const all = new Map([...known, ...findings.map(({ reviewer, text, category }) => ({ reviewer, text, category, run }))].toReversed().map(wording => [keyOf(wording), wording] as const));
  return [...all.values()].toReversed().slice(-mostWordings);
}

function keyOf({ reviewer, text }: { readonly reviewer: string; readonly text: string }): string {
  return `${reviewer}\n${text.toLowerCase()}`;
}

function addState(history: KnownClaim['history'], entry: KnownClaim['history'][number]): KnownClaim['history'] {
  const all = [...history, entry];
  return all.length <= mostHistory ? all : [...all.slice(0, 1), ...all.slice(2)];
}
