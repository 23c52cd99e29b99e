/** A run in which one payload stands in every place that the world can write to. */
import type { Failure } from '../../src/core/words/review.ts';
import type { Run } from '../../src/core/words/run.ts';
import { at, claim, finding, review, runOf } from './sample-run.ts';

/** `data` is the payload as it stands in most places: in the middle of a sentence, or alone. */
export function poisonedRun(payload: string, data = `before ${payload} after`): Run {
  const failure: Failure = { cause: 'exit', message: data, exitCode: 1, httpStatus: null };
  const place = at(data, 7, { note: data, anchoring: 'moved' });
  const say = (reviewer: string, text: string, number: number) => ({
    ...finding({ reviewer, text, label: data, location: place }, number),
    section: data,
    category: data,
    evidence: data,
    recommendation: data,
    raw: data,
    notes: [data],
  });
  const [first, second, third] = [
    say('alpha', data, 1),
    say('beta', `${data} 2`, 2),
    say('beta', `${data} 3`, 3),
  ];
  const coverage = [{ path: data, extent: 'skipped' as const, why: data }];
  const parts = {
    model: data,
    persona: data,
    statedVerdict: data,
    unparsed: [data, payload],
    notes: [data],
    repairs: [data],
    coverage,
  };
  const reviews = [
    review('alpha', [first, { ...first, id: 'alpha/#9', isImprovement: true }], parts),
    review('beta', [second, third], { ...parts, status: 'failed', failure }),
  ];
  const claims = [
    claim(1, [first, second, third], {
      severityConflict: { alpha: 'high', [data]: 'low' },
      against: [{ reviewer: data, finding: data, statement: data }],
    }),
  ];
  const run = runOf(reviews, claims, {
    reasons: [{ rule: 'quorum', effect: 'INCOMPLETE', subject: data, sentence: data }],
    command: data,
    mode: data,
    outcome: 'INCOMPLETE',
    strategy: { name: data, threshold: null, version: data },
  });
  const { record } = run;
  const agent = {
    reviewer: 'alpha',
    name: data,
    verdict: 'VETO' as const,
    claimed: null,
    veto_downgraded: false,
    critical: 1,
    high: 0,
    medium: 0,
    low: 0,
    files_reviewed: 0,
    files_skipped: 1,
    coverage: '0%',
    skipped_files: [data],
    partial: true,
    cutoff_reason: 'budget' as const,
    ground: data,
  };
  return {
    ...run,
    folder: `/home/${data}`,
    record: {
      ...record,
      consensusReview: {
        verdict: 'BLOCKED',
        rules: null,
        agents: [agent, { ...agent, reviewer: 'gamma' }],
        vetoes: 2,
        warnings: 0,
        matrix: { reviewers: ['alpha'], files: [{ path: data, cells: ['SKIP' as const] }] },
        partial: [data],
        gaps: [data],
        uncovered: [data],
        blocking: [data],
        fully_covered: 'Files covered by every agent: none',
        support: {},
        follow_up: data,
        report: `.jury/reviews/${data}.md`,
      },
      engineFindings: [{ rule: 'hidden-text' as const, path: data, line: 1, text: data }],
      stages: [{ reviewers: ['alpha'], asked: true, why: data }],
      subject: { ...record.subject, title: data, base: data, head: data, warnings: [data] },
      coverage: {
        ...record.coverage,
        files: [
          {
            path: data,
            by: [],
            partiallyBy: ['beta'],
            skippedBy: [{ reviewer: 'alpha', why: data }],
          },
        ],
        excluded: [{ path: data, pattern: data }],
      },
    },
  };
}
