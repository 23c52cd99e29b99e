/** What a run leaves in the journal for people, and what it hands on. */
import { z } from 'zod';
import type { Plan } from '../words/plan.ts';
import { sentencesOf } from '../verdict/reasons.ts';
import { runResourceUri } from './resource-uri.ts';
import type { RunRecord } from '../words/run.ts';
import type { Handoff } from './handoff.ts';
import type { TeamPanel } from './team-panel.ts';

/** What the journal reads of the file beside a pack; whoever writes those files owns the rest. */
export const PackNotes = z.looseObject({
  pack_uri: z.string(),
  rung_reached: z.int(),
  stop_reason: z.string(),
  unresolved: z
    .array(z.looseObject({ symbol: z.string(), at: z.string(), reason: z.string() }))
    .default([]),
});
export type PackNotes = z.infer<typeof PackNotes>;

export const PackSize = z.looseObject({ token_estimate: z.int() });

export function teamPanelOf(record: RunRecord, plan: Plan, packs: readonly PackNotes[]): TeamPanel {
  const unread = record.coverage.files.filter(({ by }) => by.length === 0);
  const alone = record.claims.filter(
    ({ agreement, severity }) =>
      agreement === 'single' && (severity === 'critical' || severity === 'high'),
  );
  return {
    assumptions: [
      `The panel answers for the change: ${plan.seats.map(({ id, persona }) => `${id} as ${persona.name}`).join(', ')}.`,
      `A pass needs ${record.quorum.required} complete reviews.`,
      ...record.coverage.excluded.map(
        ({ path, pattern }) => `${path} needs no review (excluded by ${pattern}).`,
      ),
    ],
    openQuestions: [
      ...packs.flatMap(({ unresolved }) =>
        unresolved.map(({ symbol, at, reason }) => `What is ${symbol}, used at ${at}? (${reason})`),
      ),
      ...record.reviewers
        .filter(({ status }) => status === 'failed')
        .map(({ id, display }) => `What would ${id} have said? It did not review: ${display}.`),
      ...unread.map(({ path }) => `Is ${path} right? Nobody read it in full.`),
    ],
    proposedSpikes: alone.map(
      ({ id, text }, index) =>
        `spike/${record.run}-${index + 1}: reproduce ${id}, which one reviewer alone reports: ${text}`,
    ),
  };
}

export function handoffOf(record: RunRecord, packs: readonly PackNotes[]): Handoff {
  const { base, head } = record.subject;
  return {
    from: 'Reviewer',
    to: 'Supervisor',
    task_id: record.run,
    diff_refs: [base, head].filter(reference => reference !== null),
    evidence: [
      ...packs.map(({ pack_uri: uri }) => uri),
      ...record.reviewers.map(({ id }) => runResourceUri(record.run, `reviews/${id}.md`)),
    ],
    risks: [...sentencesOf(record)],
    notes: `${record.outcome}: ${record.claims.length} claims, ${record.blocking.length} of them blocking.`,
  };
}
