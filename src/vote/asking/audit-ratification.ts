/** Records how a vote ended: the first pass, the amended motions, the second pass, and panels that advised otherwise. */
import type { AuditTrail } from '../audit-trail.ts';
import { countOutcomes, type MotionsRun } from '../motions-run.ts';
import { speakersOf } from '../panel-record.ts';
import { isContrary } from '../panels.ts';
import { type RatificationRow, secondPassWords } from '../ratification-rows.ts';
import type { HeldSecondPass } from '../ratify.ts';

/** `again`: as it was held; null: no member was asked a second time. */
export function auditRatification(
  { history, panels }: Pick<MotionsRun, 'history' | 'panels'>,
  again: HeldSecondPass | null,
  record: AuditTrail['record'],
): void {
  const recordMismatches = (rows: readonly RatificationRow[]): void => {
    for (const { mega_motion_id, panel_recommendation: recommendation, outcome } of rows) {
      if (!isContrary(recommendation, outcome)) continue;
      const panel = panels.find(held => held.mega_motion_id === mega_motion_id);
      const details = { mega_motion_id, recommendation, outcome };
      record('panel_vote_mismatch', panel === undefined ? [] : speakersOf(panel), details);
    }
  };
  const firstPass = history.filter(({ revision_of }) => revision_of === null);
  const secondPass = history.filter(({ revision_of }) => revision_of !== null);
  const accepted = firstPass.filter(({ outcome }) => outcome === 'accepted_with_amendments').length;
  const voters = new Set(firstPass.flatMap(({ cast }) => Object.values(cast ?? {}).flat()));
  record('ratification_completed', [...voters], {
    ...countOutcomes(firstPass),
    ...(accepted > 0 ? { accepted_with_amendments: accepted } : {}),
  });
  recordMismatches(firstPass);
  if (secondPass.length === 0) return;
  const amenders = new Map(firstPass.map(({ vote_id, cast }) => [vote_id, cast?.amend]));
  for (const { mega_motion_id, revision_of: vote_id, revised_by, second_pass } of secondPass)
    record('amendment_synthesis_completed', amenders.get(vote_id ?? '') ?? [], {
      mega_motion_id,
      vote_id,
      revised_by,
      second_pass: second_pass && secondPassWords[second_pass],
    });
  const answered = (again?.responses ?? []).filter(({ stance }) => stance !== null);
  // Rows that were deferred for revision had no second pass.
  const held = secondPass.find(({ second_pass }) => second_pass !== null)?.second_pass ?? null;
  record('final_ratification_completed', [...new Set(answered.map(row => row.archon_name))], {
    ...countOutcomes(secondPass),
    second_pass: held && secondPassWords[held],
    ...(again === null
      ? {}
      : { questions: again.responses.length, response_count: answered.length }),
  });
  recordMismatches(secondPass);
}
