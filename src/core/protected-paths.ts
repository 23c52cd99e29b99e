/**
 * Sets claims about protected files aside: plans and solutions are records of what was decided, not work under review. They
 * are listed with the reason and counted. What is critical and what is a secret stays: it does its harm wherever it lies.
 */
import picomatch from 'picomatch';
import type { Claim } from './claim.ts';
import type { RunRecord } from './run.ts';
import { isSecretCategory } from './security-category.ts';

interface Claims {
  readonly claims: readonly Claim[];
  readonly dismissed: readonly RunRecord['dismissed'][number][];
}

export function setAside({ claims, dismissed }: Claims, globs: readonly string[]): Claims {
  const matchers = globs.map(glob => ({ glob, matches: picomatch(glob, { dot: true }) }));
  const globOf = (claim: Claim): string | undefined => {
    const { location, state } = claim;
    return location === null || state === 'fixed' || state === 'dismissed' || countsAnywhere(claim) ? undefined : matchers.find(({ matches }) => matches(location.path))?.glob;
  };
  const set = claims.flatMap(claim => {
    const glob = globOf(claim);
    return glob === undefined ? [] : [{ id: claim.id, by: claim.id, verdict: 'tolerated' as const, reason: `in a protected path (${glob})`, scope: 'file' as const, until: null, protectedBy: glob }];
  });
  const ids = new Set(set.map(({ id }) => id));
  return { claims: claims.map(claim => (ids.has(claim.id) ? { ...claim, state: 'dismissed' } : claim)), dismissed: [...dismissed, ...set] };
}

function countsAnywhere({ severity, findings }: Claim): boolean {
  return severity === 'critical' || findings.some(({ category }) => isSecretCategory(category));
}
