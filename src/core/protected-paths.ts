/** Sets claims about protected files aside: plans and solutions are records of what was decided, not work under review. They are listed with the reason. */
import picomatch from 'picomatch';
import type { Claim } from './claim.ts';
import type { RunRecord } from './run.ts';

interface Claims {
  readonly claims: readonly Claim[];
  readonly dismissed: readonly RunRecord['dismissed'][number][];
}

export function setAside({ claims, dismissed }: Claims, globs: readonly string[]): Claims {
  const matchers = globs.map(glob => ({ glob, matches: picomatch(glob, { dot: true }) }));
  const globOf = ({ location, state }: Claim): string | undefined => (location === null || state === 'fixed' || state === 'dismissed' ? undefined : matchers.find(({ matches }) => matches(location.path))?.glob);
  const set = claims.flatMap(claim => {
    const glob = globOf(claim);
    return glob === undefined ? [] : [{ id: claim.id, by: claim.id, verdict: 'tolerated' as const, reason: `in a protected path (${glob})`, scope: 'file' as const, until: null }];
  });
  const ids = new Set(set.map(({ id }) => id));
  return { claims: claims.map(claim => (ids.has(claim.id) ? { ...claim, state: 'dismissed' } : claim)), dismissed: [...dismissed, ...set] };
}
