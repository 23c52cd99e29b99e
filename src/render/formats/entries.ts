/**
 * What every format for machines tells of a run, in the order in which it should be read: what keeps it from being a pass and is no
 * claim, then its claims.
 */
import { isToldByClaim } from '../../core/verdict/reasons.ts';
import { cut } from '../../core/text.ts';
import { type Claim, orderClaims } from '../../core/words/claim.ts';
import type { RunRecord } from '../../core/words/run.ts';
import type { Severity } from '../../core/words/severity.ts';
import { type Place, placeOn, topOf } from './places.ts';
import { type ReportRule, ruleOfClaim, ruleOfReason } from './rules.ts';
import { createTeller } from './telling.ts';

type Reason = RunRecord['reasons'][number];

interface Told {
  readonly rule: ReportRule;
  readonly place: Place;
  /** What it makes of the run; null: nothing. */
  readonly effect: Reason['effect'] | null;
  readonly level: 'error' | 'warning' | 'note';
  /** Sentences of one line each, every text cut to so many characters. Untrusted. */
  readonly tell: (longest: number) => string[];
}

export type ReasonEntry = Told & { readonly reason: Reason; readonly claim: null };
export type ClaimEntry = Told & { readonly claim: Claim; readonly reason: null };

const levels: Readonly<Record<Severity, Told['level']>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};

/** Those that are fixed are told nowhere: nobody says them any more. */
export function claimEntries(record: RunRecord, withDismissed = false): ClaimEntry[] {
  const blocking = new Set(record.blocking);
  const tell = createTeller(record);
  return orderClaims(record)
    .filter(({ state }) => state !== 'fixed' && (withDismissed || state !== 'dismissed'))
    .map(claim => {
      const place = placeOn(claim.location, record);
      return {
        claim,
        reason: null,
        rule: ruleOfClaim(claim),
        place,
        effect: blocking.has(claim.id) ? 'FAIL' : null,
        level: levels[claim.severity],
        tell: longest => [...tell(claim, longest), ...(place.note === null ? [] : [place.note])],
      };
    });
}

/**
 * What keeps the run from being a pass besides the claims that fail it. Each at the place it is about: what Jury found itself has a
 * line, a claim its place, a file its top; everything else is put at the top of the first file.
 */
export function reasonEntries(record: RunRecord): ReasonEntry[] {
  const claims = new Map(record.claims.map(({ id, location }) => [id, location]));
  const paths = new Set(record.coverage.files.map(({ path }) => path));
  const found = new Map(
    record.engineFindings?.map(({ path, line, text }) => [`${path}\n${text}`, line]),
  );
  const placeOf = ({ subject, sentence }: Reason): Place => {
    const location = claims.get(subject);
    if (location !== undefined) return placeOn(location, record);
    const top = topOf(record, paths.has(subject) ? subject : undefined);
    const line = found.get(`${subject}\n${sentence}`) ?? top.line;
    return { ...top, line, endLine: line };
  };
  return record.reasons
    .filter(reason => !isToldByClaim(reason))
    .map(reason => ({
      reason,
      claim: null,
      rule: ruleOfReason(reason),
      place: placeOf(reason),
      effect: reason.effect,
      level: 'error',
      tell: longest => [cut(reason.sentence, longest)],
    }));
}
