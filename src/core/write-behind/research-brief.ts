/** What the caller of a research gets: at most ten lines. */
import { sourceRanks } from '../research.ts';
import { cutToTokens, toOneLine } from './one-line.ts';
import type { ReturnedRun, RunReviewer } from '../run.ts';

const most = { title: 40, address: 110, statement: 120, gaps: 110, reason: 90, conflict: 90, report: 110 } as const;

export function renderResearchBrief({ record, folder }: ReturnedRun): string {
  const { research } = record;
  const claims = new Map(record.claims.map(claim => [claim.id, claim]));
  const answer = (research?.answer ?? []).slice(0, 2).flatMap(id => claims.get(id) ?? []);
  const statements = answer.map(({ text, supporters, electorate }) => `${cutToTokens(toOneLine(text), most.statement)} (${supporters.length}/${electorate})`);
  const [conflict] = research?.conflicts ?? [];
  return [
    `Run: ${record.run} (research)`,
    `Status: ${research?.status ?? 'FAILED'}${research?.why ? ` — ${cutToTokens(toOneLine(research.why), most.reason)}` : ''}`,
    `Sources: ${describeSources(research?.sources ?? [])}`,
    `Confidence: ${research?.confidence ?? 'none stated'}`,
    `Agents: ${describeAgents(record.reviewers)}`,
    `Answer: ${statements.length === 0 ? 'none' : statements.join(' · ')}`,
    ...(conflict === undefined ? [] : [`Conflicts: ${research?.conflicts.length ?? 0}; ${cutToTokens(toOneLine(`${conflict.claims.join(' against ')}: ${conflict.preferred === null ? '' : `${conflict.preferred} is preferred, `}${conflict.why}`), most.conflict)}`]),
    `Gaps: ${describeGaps(research?.gaps ?? [])}`,
    `Report: ${cutToTokens(toOneLine(`${folder}/reviews/synthesis.md`), most.report)}`,
  ].join('\n');
}

/** `5 (2 internal, 3 official); best: …`. */
function describeSources(sources: readonly { readonly rank: string; readonly title: string; readonly address: string }[]): string {
  const [best] = sources;
  if (best === undefined) return 'none';
  const counts = sourceRanks.map(rank => ({ rank, count: sources.filter(source => source.rank === rank).length })).filter(({ count }) => count > 0);
  const name = [cutToTokens(toOneLine(best.title), most.title), cutToTokens(toOneLine(best.address), most.address)].filter(part => part !== '').join(', ');
  return `${sources.length} (${counts.map(({ rank, count }) => `${count} ${rank}`).join(', ')}); best: ${name}`;
}

function describeAgents(reviewers: readonly RunReviewer[]): string {
  const count = (status: RunReviewer['status']): number => reviewers.filter(reviewer => reviewer.status === status).length;
  const rest = (['partial', 'failed'] as const).filter(status => count(status) > 0).map(status => `, ${count(status)} ${status}`);
  return `${count('complete')}/${reviewers.length} complete${rest.join('')}`;
}

function describeGaps(gaps: readonly string[]): string {
  const [first] = gaps;
  if (first === undefined) return 'none';
  return `${gaps.length}; ${cutToTokens(toOneLine(first), most.gaps)}`;
}
