/** Checks on every run that what was merged is what reviewers wrote, in the files they wrote it. */
import { exitCodes } from '../core/gate.ts';
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import type { RunStore } from '../core/ports.ts';
import type { Run } from '../core/run.ts';
import { groundFindings } from '../core/write-behind/grounding.ts';
import { toMergedFindings } from '../core/write-behind/merged-findings.ts';

/** A run whose findings hang in the air proves nothing: a pass becomes INCOMPLETE. Writes `grounding.json`. */
export async function groundRun(run: Run, store: RunStore): Promise<Run> {
  const agents = [];
  for (const { reviewer } of run.reviews) agents.push({ agent: reviewer, index: readFindingsIndex((await store.read(`reviews/${reviewer}.md`)) ?? '', reviewer) });
  const grounding = groundFindings({ findings: toMergedFindings(run).findings, agents, foreignSkipped: 0, strict: false });
  await store.write('grounding.json', `${JSON.stringify(grounding, null, 2)}\n`);
  if (grounding.status !== 'violation') return run;
  const { record } = run;
  const outcome = record.outcome === 'PASS' ? 'INCOMPLETE' : record.outcome;
  return { ...run, record: { ...record, outcome, exitCode: exitCodes[outcome], reasons: [...record.reasons, `Merged findings trace to nothing a reviewer wrote: ${grounding.ungrounded.slice(0, 3).join(', ')}.`] } };
}
