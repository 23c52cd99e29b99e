/** A run in which one payload stands in every place that the world can write to. */
import type { Finding } from '../../src/core/words/finding.ts';
import type { Failure } from '../../src/core/words/review.ts';
import type { Run } from '../../src/core/words/run.ts';
import { at, claim, finding, review, runOf } from './sample-run.ts';

export function poisonedRun(payload: string): Run {
  const data = `before ${payload} after`;
  const failure: Failure = { cause: 'exit', message: data, exitCode: 1, httpStatus: null };
  const place = at(data, 7, { note: data, anchoring: 'moved' });
  const say = (reviewer: string, text: string, number: number): Finding => ({
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
    claim(1, [first, second, third], { severityConflict: { alpha: 'high', [data]: 'low' } }),
  ];
  const run = runOf(reviews, claims, {
    reasons: [{ rule: 'quorum', effect: 'INCOMPLETE', subject: data, sentence: data }],
    command: data,
    mode: data,
    outcome: 'INCOMPLETE',
    strategy: { name: data, threshold: null, version: data },
  });
  const { record } = run;
  return {
    ...run,
    folder: `/home/${data}`,
    record: {
      ...record,
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
