/** Records how a vote ended: the first pass, the amended motions, the second pass, and panels that advised otherwise. */
import { countOutcomes, type MotionsRun } from '../../core/vote/motions-run.ts';
import { speakersOf } from '../../core/vote/panel-record.ts';
import { isContrary } from '../../core/vote/panels.ts';
import {
  nobodyVoted,
  type RatificationRow,
  secondPassWords,
} from '../../core/vote/ratification-rows.ts';
import type { HeldSecondPass } from '../../core/vote/ratify.ts';
import type { PanelRecord } from '../../core/vote/records.ts';
import type { RecordEvent } from './open-vote.ts';

/** `again`: as it was held; null: nobody was asked a second time. */
export function auditRatification(
  vote: Pick<MotionsRun, 'history' | 'panels'>,
  again: HeldSecondPass | null,
  record: RecordEvent,
): void {
  const firstPass = vote.history.filter(({ revision_of }) => revision_of === null);
  const secondPass = vote.history.filter(({ revision_of }) => revision_of !== null);
  const panels = new Map(vote.panels.map(panel => [panel.mega_motion_id, panel]));
  const accepted = firstPass.filter(({ outcome }) => outcome === 'accepted_with_amendments').length;
  record('ratification_completed', voters(firstPass), {
    ...countOutcomes(firstPass),
    ...(accepted > 0 ? { accepted_with_amendments: accepted } : {}),
  });
  recordMismatches(firstPass, panels, record);
  if (secondPass.length === 0) return;
  const amended = new Map(firstPass.map(row => [row.vote_id, row]));
  for (const { mega_motion_id, revision_of: vote_id, revised_by, second_pass } of secondPass)
    record('amendment_synthesis_completed', amenders(amended.get(vote_id ?? '')), {
      mega_motion_id,
      vote_id,
      revised_by,
      second_pass: second_pass && secondPassWords[second_pass],
    });
  const answered = (again?.responses ?? []).filter(({ stance }) => stance !== null);
  record('final_ratification_completed', [...new Set(answered.map(row => row.archon_name))], {
    ...countOutcomes(secondPass),
    ...describeAsking(secondPass),
    ...(again === null
      ? {}
      : { questions: again.responses.length, response_count: answered.length }),
  });
  recordMismatches(secondPass, panels, record);
}

/** Rows that were deferred for revision had no second pass. */
function describeAsking(rows: readonly RatificationRow[]): object {
  const held = rows.find(({ second_pass }) => second_pass !== null)?.second_pass ?? null;
  return { second_pass: held && secondPassWords[held] };
}

function voters(rows: readonly RatificationRow[]): string[] {
  return [...new Set(rows.flatMap(({ cast }) => Object.values(cast ?? nobodyVoted).flat()))];
}

function amenders(row: RatificationRow | undefined): string[] {
  return [...(row?.cast?.amend ?? [])];
}

function recordMismatches(
  rows: readonly RatificationRow[],
  panels: ReadonlyMap<string, PanelRecord>,
  record: RecordEvent,
): void {
  for (const { mega_motion_id, panel_recommendation, outcome } of rows) {
    if (!isContrary(panel_recommendation, outcome)) continue;
    const panel = panels.get(mega_motion_id);
    record('panel_vote_mismatch', panel === undefined ? [] : speakersOf(panel), {
      mega_motion_id,
      recommendation: panel_recommendation,
      outcome,
    });
  }
}
