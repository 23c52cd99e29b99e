/**
 * What is said in a pull request: the summary, a comment at a line, the check. Our own words are plain; every word of a reviewer goes
 * through the encoder of Markdown, where mentions, references, commands and markup end up in code.
 */
import type { DismissedClaim, FixedClaim } from '../../core/memory/known-claim.ts';
import type { Annotation } from '../../core/ports/code-host.ts';
import type { PublicationTexts, SummaryView } from '../../core/publish/texts.ts';
import { code, codePath, words } from '../../core/safety/markdown-text.ts';
import { makeVisible, visibleName } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { sayOutcome } from '../../core/verdict/outcome.ts';
import { type Claim, isClosed, orderClaims, placeOfClaim } from '../../core/words/claim.ts';
import type { RunRecord } from '../../core/words/run.ts';
import { annotate } from '../formats/github.ts';
import { otherReasons } from '../formats/places.ts';
import { createTeller, tellDismissal } from '../formats/telling.ts';

const longestInline = 4_000;
const longestListed = 400;
const longestReason = 500;
/** Entries of a list that is not about claims. */
const mostListed = 30;

export const publicationTexts: PublicationTexts = {
  title: describeOutcome,
  summary: renderSummary,
  inline: renderInline,
  fixed: describeFixed,
  dismissed: describeDismissed,
  annotations: record => annotate(record).flatMap(toAnnotation),
};

function describeOutcome(record: RunRecord): string {
  const open = record.claims.filter(claim => !isClosed(claim)).length;
  const claims = `${open} open ${open === 1 ? 'claim' : 'claims'}`;
  return `${sayOutcome(record)}: ${describeReviewers(record)}, ${claims}`;
}

function describeReviewers({ reviewers }: RunRecord): string {
  const complete = reviewers.filter(({ status }) => status === 'complete').length;
  return `${complete} of ${reviewers.length} reviewers completed`;
}

function renderInline(claim: Claim, record: RunRecord): string {
  const [text = '', ...rest] = createTeller(record)(claim, longestInline);
  const blocks = record.blocking.includes(claim.id) ? ', fails the run' : '';
  return [
    `**${claim.severity}${blocks}**: ${words(text)}`,
    ...rest.map(sentence),
    `${code(claim.id)} – reply ${code('/jury dismiss REASON')} where it is not so, ${code('/jury accept')} where it is.`,
  ].join('\n\n');
}

/** The claims come last and are cut from their end: the least important ones. */
function renderSummary(view: SummaryView, longest: number): string {
  const head = headOf(view);
  const tail = tailOf(view);
  const open = orderClaims(view.record).filter(claim => !isClosed(claim));
  const room = longest - [...head, ...tail].join('\n').length - 200;
  const entries: string[] = [];
  let length = 0;
  const tell = createTeller(view.record);
  for (const claim of open) {
    const entry = entryOf(claim, view, tell(claim, longestListed));
    length += entry.length + 1;
    if (length > room) break;
    entries.push(entry);
  }
  const left = open.length - entries.length;
  return [
    ...head,
    ...(open.length === 0 ? [] : ['', `**Claims** (${open.length})`, '', ...entries]),
    ...(left === 0
      ? []
      : ['', `${left} more, less important than these, are left out: this comment is full.`]),
    ...tail,
  ].join('\n');
}

function headOf({ record, head, troubles }: SummaryView): string[] {
  const reasons = otherReasons(record);
  const silent = record.reviewers.filter(({ status }) => status !== 'complete');
  return [
    `### Jury: ${sayOutcome(record)}`,
    '',
    `${describeReviewers(record)} on ${code(head.slice(0, 12))}, in run ${code(record.run)}.`,
    ...listOf(
      silent.map(({ id, display, message }) =>
        words(`${id}: ${display}${message === null ? '' : `: ${cut(message, longestReason)}`}`),
      ),
    ),
    ...listOf(
      reasons.map(
        ({ reason }) => `${reason.effect}: ${words(cut(reason.sentence, longestReason))}`,
      ),
    ),
    ...listOf(troubles.map(words)),
  ];
}

function tailOf({ record, fixed, beyond, deleted }: SummaryView): string[] {
  const closed = record.claims.filter(({ state }) => state === 'dismissed');
  const why = new Map(record.dismissed.map(dismissal => [dismissal.id, dismissal]));
  const sayings = [
    ...(beyond === 0
      ? []
      : [
          `${beyond} of them would have a place in the diff and are told here alone: too many for one time.`,
        ]),
    ...(deleted === 0
      ? []
      : [`${deleted} of them had a comment that somebody deleted; none is posted again.`]),
  ];
  return [
    ...(sayings.length === 0 ? [] : ['', ...sayings]),
    ...section(
      'Dismissed',
      closed.map(
        claim =>
          `${code(claim.id)} ${words(cut(claim.text, 200))} ${describeDismissed(why.get(claim.id) ?? null)}`,
      ),
    ),
    ...section(
      'Fixed',
      fixed.map(
        claim =>
          `${code(claim.id)} ${words(cut(claim.text, 200))} ${words(cut(claim.reason, longestReason))}`,
      ),
    ),
  ];
}

function entryOf(
  claim: Claim,
  { record, atLines }: SummaryView,
  [text = '', ...rest]: readonly string[],
): string {
  const place = placeOfClaim(claim);
  const where =
    place === null
      ? ''
      : ` ${codePath(cut(`${place.path}${place.line === null ? '' : `:${place.line}`}`, 300))}`;
  const blocks = record.blocking.includes(claim.id) ? ', fails the run' : '';
  const told = atLines.has(claim.id) ? ' (told at its line)' : '';
  return [
    `- **${claim.severity}${blocks}**${where}: ${words(text)} ${code(claim.id)}${told}`,
    ...rest.map(line => `  ${sentence(line)}`),
  ].join('\n');
}

/** A share keeps to its figure: alone the sign would stand in code. */
function sentence(line: string): string {
  return words(line.replace(/(\d) %/g, '$1%'));
}

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : ['', `**${title}** (${entries.length})`, ...listOf(entries)];
}

function listOf(entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const rest = entries.length - mostListed;
  return [
    '',
    ...entries.slice(0, mostListed).map(entry => `- ${entry}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

function describeFixed({ reason }: FixedClaim, head: string): string {
  return `fixed as of ${code(head.slice(0, 12))}. ${words(cut(reason, longestReason))}`;
}

function describeDismissed(dismissed: DismissedClaim | null): string {
  return words(tellDismissal(dismissed, longestReason));
}

/** Shown as plain text. GitHub takes titles of 255 characters. */
function toAnnotation({
  level,
  title,
  message,
  place,
}: ReturnType<typeof annotate>[number]): Annotation[] {
  if (place === null) return [];
  return [
    {
      path: place.path,
      line: place.line,
      endLine: place.endLine,
      level: level === 'error' ? 'failure' : level,
      title: cut(visibleName(title), 200),
      message: makeVisible(message),
    },
  ];
}
