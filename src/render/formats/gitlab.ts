/**
 * Code quality of GitLab: a list of issues in the part of the Code Climate format that GitLab reads. What people dismissed is left
 * out, as GitLab knows nobody's decisions; what keeps the run from being a pass stands first, though it is no issue of the code.
 */
import { makeVisible, visibleName } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { orderClaims } from '../../core/words/claim.ts';
import type { Run, RunRecord } from '../../core/words/run.ts';
import type { Severity } from '../../core/words/severity.ts';
import { printJson } from '../json.ts';
import { fingerprintClaims } from './fingerprint.ts';
import { isOpen, otherReasons, type Place, placeOn } from './places.ts';
import { ruleOfClaim, ruleOfReason } from './rules.ts';
import { createTeller } from './telling.ts';

interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  /** Unique in a report, and the same for the same trouble in the next one. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const longestText = 2_000;

export function renderGitlab({ record }: Pick<Run, 'record'>): string {
  const tell = createTeller(record);
  const claims = orderClaims(record).filter(isOpen);
  const rules = new Map(claims.map(claim => [claim.id, ruleOfClaim(claim).id]));
  const fingerprints = fingerprintClaims(record, ({ id }) => rules.get(id) ?? '');
  const blocking = new Set(record.blocking);
  const issues = claims.map((claim): CodeQualityIssue => {
    const isBlocking = blocking.has(claim.id);
    const place = placeOn(claim.location, record);
    const told = tell(claim, longestText);
    return {
      description: describe(
        [...told, ...(place.note === null ? [] : [place.note])],
        isBlocking ? 'FAIL' : null,
      ),
      check_name: rules.get(claim.id) ?? '',
      fingerprint: fingerprints.get(claim.id) ?? claim.id,
      severity: isBlocking ? 'blocker' : severities[claim.severity],
      location: locate(place),
    };
  });
  return printJson([...issuesOfReasons(record), ...issues]);
}

const severities: Readonly<Record<Severity, CodeQualityIssue['severity']>> = {
  critical: 'critical',
  high: 'major',
  medium: 'minor',
  low: 'info',
};

function issuesOfReasons(record: RunRecord): CodeQualityIssue[] {
  const counts = new Map<string, number>();
  return otherReasons(record).map(({ reason, place }) => {
    const name = `${reason.rule}/${cut(reason.subject, 500)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      description: describe([reason.sentence], reason.effect),
      check_name: ruleOfReason(reason).id,
      fingerprint: `run/${visibleName(name)}:${count}`,
      severity: 'blocker',
      location: locate(place),
    };
  });
}

function describe(sentences: readonly string[], effect: string | null): string {
  const text = makeVisible(cut(sentences.join(' '), 2 * longestText));
  return effect === null ? text : `${effect}: ${text}`;
}

/** A path that cannot be shown as it is names no file of the repository any more: GitLab prints it. */
function locate({ path, line }: Place): CodeQualityIssue['location'] {
  return { path: visibleName(path), lines: { begin: line } };
}
