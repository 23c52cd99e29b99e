/**
 * What a run makes of a project's memory, and the memory of the run: claims keep the ids they had, get their states, and
 * what nobody says any more is fixed, if everybody who said it looked again. Pure but for reading the files of the change.
 */
import type { Claim } from '../claim.ts';
import type { Matcher } from '../ports.ts';
import {
  beforeRun,
  type DismissedClaim,
  type Disposition,
  type FixedClaim,
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
  type RememberedRun,
  type RunToRemember,
} from './known-claim.ts';
import { findFixed } from './fixed.ts';
import { createJudge, type Judge } from './judgement.ts';
import { recogniseClaims, type Recognised } from './recognise.ts';
import { takeSight } from './sight.ts';
import { addSighting } from './sighting.ts';

/** With a matcher that is prepared here, for other findings than those of the run: it must be of no further use to the caller. */
export interface SeenRun extends RunToRemember {
  readonly matcher: Matcher;
}

export async function rememberRun(memory: ProjectMemory, seen: SeenRun): Promise<RememberedRun> {
  const remembered = beforeRun(memory.claims, seen.run);
  const known = [...remembered, ...onlyDecided(memory.dispositions, remembered)];
  const sight = await takeSight({ ...seen, paths: pathsOf(seen.claims, known) });
  const recognised = await recogniseClaims({ claims: seen.claims, known, sight, matcher: seen.matcher });
  const judged = judgeClaims(seen, recognised, createJudge(memory.dispositions, sight, seen.at.slice(0, 10)));
  const claims = renameAll(judged, new Set(known.map(({ id }) => id)), seen.hash);
  const byId = new Map(remembered.map(claim => [claim.id, claim]));
  const seenClaims = claims.map(claim => addSighting(byId.get(claim.id) ?? null, claim, { ...seen, sight }));
  const said = new Set(claims.map(({ id }) => id));
  const fixed = seen.isDecided(claims) ? findFixed(remembered.filter(({ id }) => !said.has(id)), { ...seen, sight }) : [];
  return {
    claims,
    fixed,
    dismissed: judged.flatMap(({ dismissal }, index) => (dismissal === null ? [] : [describeDismissal(claims[index]?.id ?? '', dismissal)])),
    changed: [...seenClaims, ...closeAll(fixed, byId, seen)],
  };
}

/** A decision that came with the baseline file speaks for a claim that this machine may never have seen. */
function onlyDecided(dispositions: readonly Disposition[], remembered: readonly KnownClaim[]): KnownClaim[] {
  const known = new Set(remembered.map(({ id }) => id));
  return [...latestByClaim(dispositions).values()].filter(({ claim }) => !known.has(claim)).map(({ claim, text, severity, category, path, code }) => ({
    id: claim, text, severity, category, path, line: null, side: 'new', code, files: path === null ? [] : [path], wordings: [], supporters: [], history: [],
  }));
}

function pathsOf(claims: readonly Claim[], known: readonly KnownClaim[]): ReadonlySet<string> {
  return new Set([...claims.map(({ location }) => location?.path ?? null), ...known.map(({ path }) => path)].filter(path => path !== null));
}

interface JudgedClaim {
  readonly claim: Claim;
  /** The id it is known by; null for a new one. */
  readonly id: string | null;
  readonly dismissal: Disposition | null;
}

function judgeClaims({ claims }: SeenRun, recognised: ReadonlyMap<string, Recognised>, judge: Judge): JudgedClaim[] {
  return claims.map(claim => {
    const known = recognised.get(claim.id)?.known ?? null;
    const dismissal = judge({ claim, known: known?.id ?? null });
    return { claim: { ...claim, state: dismissal === null ? stateOf(known) : 'dismissed' }, id: known?.id ?? null, dismissal };
  });
}

/** A dismissal that holds no longer leaves the claim as open as if it had never been given: it comes back. */
function stateOf(known: KnownClaim | null): Claim['state'] {
  if (known === null) return 'new';
  const last = known.history.length === 0 ? 'dismissed' : lastState(known);
  return last === 'fixed' || last === 'dismissed' ? 'reopened' : 'persisting';
}

/** A new claim whose own id belongs to a known one already is numbered on. */
function renameAll(judged: readonly JudgedClaim[], known: ReadonlySet<string>, hash: SeenRun['hash']): Claim[] {
  const taken = new Set([...known, ...judged.filter(({ id }) => id === null).map(({ claim }) => claim.id)]);
  const names = new Map(judged.map(({ claim, id }) => [claim.id, id ?? (known.has(claim.id) ? nextId(claim, taken, hash) : claim.id)]));
  return judged.map(({ claim }) => ({ ...claim, id: names.get(claim.id) ?? claim.id, contradicts: claim.contradicts.map(id => names.get(id) ?? id).sort() }));
}

function nextId({ text, location }: Claim, taken: Set<string>, hash: SeenRun['hash']): string {
  let id = '';
  for (let count = 2; id === '' || taken.has(id); count += 1) id = `c-${hash(`${text.toLowerCase()}\n${location?.path ?? ''}\n${count}`).slice(0, 10)}`;
  taken.add(id);
  return id;
}

function describeDismissal(id: string, { verdict, reason, scope, until, claim }: Disposition): DismissedClaim {
  return { id, verdict, reason, scope, until, by: claim };
}

function closeAll(fixed: readonly FixedClaim[], byId: ReadonlyMap<string, KnownClaim>, { run, at }: SeenRun): KnownClaim[] {
  return fixed.map(({ id }) => byId.get(id)).filter(claim => claim !== undefined).map(claim => ({ ...claim, history: [...claim.history, { run, at, state: 'fixed' as const }] }));
}
