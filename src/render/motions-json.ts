/** A vote as one small object for programs: figures, outcomes and where the rest is. Who voted how stands in the files. */
import { countOutcomes, countResponses, summariseTriage } from '../core/deliberation/motions-run.ts';
import { printJson } from './json.ts';
import type { MotionsReport } from './motions.ts';

export function renderMotionsJson({ run, folder, source }: MotionsReport): string {
  const { input, mode, rules, results, history, panels, packets } = run;
  const { assigned, answered, missing } = countResponses(run);
  const { ratified, rejected, deferred, incomplete } = countOutcomes(results);
  return printJson({
    session_id: input.session.id, session_name: input.session.name, started_at: run.startedAt, completed_at: run.completedAt,
    input_dir: source, output_dir: folder, mode, rules, simulated: mode === 'simulated',
    input: { mega_motions: input.megaMotions, novel_proposals: input.novelProposals, deferred_skipped: input.deferredSkipped },
    roster_size: input.session.roster.length, unknown_supporters: input.unknownSupporters.length,
    triage: summariseTriage(run.triaged),
    ...(mode === 'triage' ? { motions: triageList(run.triaged) } : {
      assignments: { total: assigned, average_per_archon: assigned / packets.length },
      reviews: { response_count: answered, response_rate: assigned === 0 ? 0 : answered / assigned, no_response_count: missing },
      deliberation: { panels_convened: panels.length, failed: panels.filter(({ status }) => status === 'failed').length },
      ratification: {
        ratified, accepted_with_amendments: history.filter(({ outcome }) => outcome === 'accepted_with_amendments').length, rejected, deferred, incomplete,
        votes: results.map(({ mega_motion_id, outcome, yeas, nays, amends, abstentions, threshold_required, panel_recommendation, missing }) => ({ mega_motion_id, outcome, yeas, nays, amends, abstentions, no_response: missing, threshold_required, panel_recommendation })),
      },
      audit: { head_sha256: run.audit.head },
    }),
  });
}

function triageList(triaged: MotionsReport['run']['triaged']): object[] {
  return triaged.map(({ motion, riskTier, contributing, gap, conflicts }) => ({
    mega_motion_id: motion.id, title: motion.title, risk_tier: riskTier, contributing: contributing.length, gap: gap.length, conflicts: conflicts.length, is_novel_proposal: motion.isNovel,
  }));
}
