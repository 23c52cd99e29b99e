/** What the caller gets of a process whose answer is the result: the answer itself, in a few lines. */
import { summaryIn } from '../parse/prose-answer.ts';
import { sentencesOf } from '../verdict/reasons.ts';
import { sourceRanks } from '../words/research.ts';
import type { RunReviewer } from '../words/run.ts';
import { makeVisible } from '../safety/visible-text.ts';
import type { BriefedRun } from './brief.ts';
import { toOneLine } from '../text.ts';
import { cutToTokens, mostTokensOf } from './one-line.ts';

const most = {
  title: 40,
  address: 110,
  statement: 120,
  gaps: 110,
  reason: 90,
  conflict: 90,
  report: 110,
} as const;

/** At most ten lines. */
export function renderResearchBrief({ record, folder }: BriefedRun): string {
  const { research } = record;
  const claims = new Map(record.claims.map(claim => [claim.id, claim]));
  const answer = (research?.answer ?? []).slice(0, 2).flatMap(id => claims.get(id) ?? []);
  const statements = answer.map(
    ({ text, supporters, electorate }) =>
      `${cutToTokens(toOneLine(text), most.statement)} (${supporters.length}/${electorate})`,
  );
  const [conflict] = research?.conflicts ?? [];
  return [
    `Run: ${record.run} (research)`,
    `Status: ${research?.status ?? 'FAILED'}${research?.why ? ` — ${cutToTokens(toOneLine(research.why), most.reason)}` : ''}`,
    `Sources: ${describeSources(research?.sources ?? [])}`,
    `Confidence: ${research?.confidence ?? 'none stated'}`,
    `Agents: ${describeAgents(record.reviewers)}`,
    `Answer: ${statements.length === 0 ? 'none' : statements.join(' · ')}`,
    ...(conflict === undefined
      ? []
      : [
          `Conflicts: ${research?.conflicts.length ?? 0}; ${cutToTokens(toOneLine(`${conflict.claims.join(' against ')}: ${conflict.preferred === null ? '' : `${conflict.preferred} is preferred, `}${conflict.why}`), most.conflict)}`,
        ]),
    `Gaps: ${describeGaps(research?.gaps ?? [])}`,
    `Report: ${cutToTokens(toOneLine(`${folder}/reviews/synthesis.md`), most.report)}`,
  ].join('\n');
}

/** `5 (2 internal, 3 official); best: …`. */
function describeSources(
  sources: readonly { readonly rank: string; readonly title: string; readonly address: string }[],
): string {
  const [best] = sources;
  if (best === undefined) return 'none';
  const counts = sourceRanks
    .map(rank => ({ rank, count: sources.filter(source => source.rank === rank).length }))
    .filter(({ count }) => count > 0);
  const name = [
    cutToTokens(toOneLine(best.title), most.title),
    cutToTokens(toOneLine(best.address), most.address),
  ]
    .filter(part => part !== '')
    .join(', ');
  return `${sources.length} (${counts.map(({ rank, count }) => `${count} ${rank}`).join(', ')}); best: ${name}`;
}

function describeAgents(reviewers: readonly RunReviewer[]): string {
  const count = (status: RunReviewer['status']): number =>
    reviewers.filter(reviewer => reviewer.status === status).length;
  const rest = (['partial', 'failed'] as const)
    .filter(status => count(status) > 0)
    .map(status => `, ${count(status)} ${status}`);
  return `${count('complete')}/${reviewers.length} complete${rest.join('')}`;
}

function describeGaps(gaps: readonly string[]): string {
  const [first] = gaps;
  if (first === undefined) return 'none';
  return `${gaps.length}; ${cutToTokens(toOneLine(first), most.gaps)}`;
}

const mostIdeas = { inline: 500, summary: 400, lines: 11, reason: 90, report: 110 } as const;

/** The answer itself when it is short, else its summary and where the rest is. */
export function renderIdeasBrief({ record, reviews, folder }: BriefedRun): string {
  const { said = null, findings = [] } =
    reviews.find(review => review.status !== 'failed' && review.said !== undefined) ?? {};
  const head = `Run: ${record.run} (brainstorm)`;
  const report = `Report: ${cutToTokens(toOneLine(`${folder}/reviews/${reviews[0]?.reviewer ?? ''}.md`), mostIdeas.report)}`;
  if (said === null)
    return [
      head,
      `Status: FAILED — ${cutToTokens(toOneLine(sentencesOf(record)[0] ?? 'the researcher gave no answer'), mostIdeas.reason)}`,
      report,
    ].join('\n');
  const whole = linesOf(said);
  const isShort =
    whole.length <= mostIdeas.lines && mostTokensOf(whole.join('\n')) <= mostIdeas.inline;
  const shown = isShort
    ? whole
    : linesOf(cutToTokens(makeVisible(summaryIn(said)), mostIdeas.summary)).slice(
        0,
        mostIdeas.lines - 1,
      );
  return [
    head,
    isShort
      ? 'Status: COMPLETE'
      : `Status: COMPLETE — ${findings.length} ideas; this is the summary`,
    ...shown,
    report,
  ].join('\n');
}

/** What is said is the reviewer's: it must not look like lines of ours. A tab is as wide as whoever reads it says, so it becomes blanks. */
function linesOf(text: string): string[] {
  return makeVisible(text.replaceAll('\t', '  '))
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .map(line => `> ${line}`);
}
