/** Records how a vote ended: the first pass, the amended motions, the second pass, and panels that advised otherwise. */
import type { AuditTrail } from '../audit-trail.ts';
import { countOutcomes, type MotionsRun } from '../motions-run.ts';
import { speakersOf } from '../panel-record.ts';
import { isContrary } from '../panels.ts';
import { type RatificationRow, secondPassWords, type HeldSecondPass } from '../ratify.ts';

/** `again`: as it was held; null: no member was asked a second time. */
export function auditRatification(
  { history, panels }: Pick<MotionsRun, 'history' | 'panels'>,
  again: HeldSecondPass | null,
  record: AuditTrail['record'],
): void {
  const speakers = new Map(panels.map(panel => [panel.mega_motion_id, speakersOf(panel)]));
  const recordMismatches = (rows: readonly RatificationRow[]): void => {
    for (const { mega_motion_id, panel_recommendation: recommendation, outcome } of rows)
      if (isContrary(recommendation, outcome))
        record('panel_vote_mismatch', speakers.get(mega_motion_id) ?? [], {
          mega_motion_id,
          recommendation,
          outcome,
        });
  };
  const firstPass = history.filter(({ revision_of }) => revision_of === null);
  const secondPass = history.filter(({ revision_of }) => revision_of !== null);
  const accepted = firstPass.filter(({ outcome }) => outcome === 'accepted_with_amendments').length;
  const votes = new Map(firstPass.map(row => [row.vote_id, row.votes_by_archon ?? []]));
  const voters = new Set([...votes.values()].flatMap(cast => cast.map(([name]) => name)));
  record('ratification_completed', [...voters], {
    ...countOutcomes(firstPass),
    ...(accepted > 0 && { accepted_with_amendments: accepted }),
  });
  recordMismatches(firstPass);
  if (secondPass.length === 0) return;
  for (const { mega_motion_id, revision_of, revised_by, second_pass } of secondPass) {
    const cast = votes.get(revision_of ?? '') ?? [];
    const amenders = cast.flatMap(([name, vote]) => (vote === 'amend' ? name : []));
    record('amendment_synthesis_completed', amenders, {
      mega_motion_id,
      vote_id: revision_of,
      revised_by,
      second_pass: second_pass && secondPassWords[second_pass],
    });
  }
  const answered = (again?.responses ?? []).filter(({ stance }) => stance !== null);
  // Rows that were deferred for revision had no second pass.
  const held = secondPass.find(({ second_pass }) => second_pass !== null)?.second_pass ?? null;
  record('final_ratification_completed', [...new Set(answered.map(row => row.archon_name))], {
    ...countOutcomes(secondPass),
    second_pass: held && secondPassWords[held],
    ...(again && { questions: again.responses.length, response_count: answered.length }),
  });
  recordMismatches(secondPass);
}
