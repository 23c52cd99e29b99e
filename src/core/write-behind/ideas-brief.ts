/** What the caller of a brainstorm gets: the answer itself when it is short, else its summary and where the rest is. */
import { summaryIn } from '../parse/prose-answer.ts';
import { makeVisible } from '../visible-text.ts';
import { cutToTokens, mostTokensOf, toOneLine } from './one-line.ts';
import type { ReturnedRun } from '../run.ts';

const most = { inline: 500, summary: 400, lines: 11, reason: 90, report: 110 } as const;

export function renderIdeasBrief({ record, reviews, folder }: ReturnedRun): string {
  const { said = null, findings = [] } = reviews.find(review => review.status !== 'failed' && review.said !== undefined) ?? {};
  const head = `Run: ${record.run} (brainstorm)`;
  const report = `Report: ${cutToTokens(toOneLine(`${folder}/reviews/${reviews[0]?.reviewer ?? ''}.md`), most.report)}`;
  if (said === null) return [head, `Status: FAILED — ${cutToTokens(toOneLine(record.reasons[0]?.sentence ?? 'the researcher gave no answer'), most.reason)}`, report].join('\n');
  const whole = linesOf(said);
  const isShort = whole.length <= most.lines && mostTokensOf(whole.join('\n')) <= most.inline;
  const shown = isShort ? whole : linesOf(cutToTokens(makeVisible(summaryIn(said)), most.summary)).slice(0, most.lines - 1);
  return [head, isShort ? 'Status: COMPLETE' : `Status: COMPLETE — ${findings.length} ideas; this is the summary`, ...shown, report].join('\n');
}

/** What is said is the reviewer's: it must not look like lines of ours. A tab is as wide as whoever reads it says, so it becomes blanks. */
function linesOf(text: string): string[] {
  return makeVisible(text.replaceAll('\t', '  ')).split('\n').map(line => line.trimEnd()).filter(line => line !== '').map(line => `> ${line}`);
}
