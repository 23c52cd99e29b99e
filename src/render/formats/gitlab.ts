/**
 * Code quality of GitLab: a list of issues in the part of the Code Climate format that GitLab reads. What people dismissed is left
 * out, as GitLab knows nobody's decisions; what keeps the run from being a pass stands first, though it is no issue of the code.
 */
import { makeVisible, visibleName } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import type { Run } from '../../core/words/run.ts';
import type { Severity } from '../../core/words/severity.ts';
import { printJson } from '../json.ts';
import {
  type ClaimEntry,
  claimEntries,
  type ReasonEntry,
  reasonEntries,
  longestText,
} from './entries.ts';
import { fingerprintClaims } from './fingerprint.ts';

const severities = {
  critical: 'critical',
  high: 'major',
  medium: 'minor',
  low: 'info',
} as const satisfies Record<Severity, string>;

export function renderGitlab({ record }: Pick<Run, 'record'>) {
  const claims = claimEntries(record);
  const rules = new Map(claims.map(({ claim, rule }) => [claim.id, rule.id]));
  const fingerprints = fingerprintClaims(record, ({ id }) => rules.get(id) ?? '');
  const counts = new Map<string, number>();
  /** Unique in a report, and the same for the same trouble in the next one. */
  const fingerprintOf = ({ claim, reason }: ClaimEntry | ReasonEntry) => {
    if (claim !== null) return fingerprints.get(claim.id) ?? claim.id;
    const name = visibleName(`${reason.rule}/${cut(reason.subject, 500)}`);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `run/${name}:${count}`;
  };
  return printJson(
    [...reasonEntries(record), ...claims].map(entry => {
      const { claim, rule, effect, place, tell } = entry;
      const text = makeVisible(cut(tell(longestText).join(' '), 2 * longestText));
      return {
        description: effect === null ? text : `${effect}: ${text}`,
        check_name: rule.id,
        fingerprint: fingerprintOf(entry),
        severity: effect !== null || claim === null ? 'blocker' : severities[claim.severity],
        // A path that cannot be shown as it is names no file of the repository any more: GitLab prints it.
        location: { path: visibleName(place.path), lines: { begin: place.line } },
      };
    }),
  );
}
