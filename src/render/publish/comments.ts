/**
 * What is said in a pull request: the summary, a comment at a line, the check. Our own words are plain; every word of a reviewer goes
 * through the encoder of Markdown, where mentions, references, commands and markup end up in code.
 */
import type { DismissedClaim, RunRecord } from '../../core/words/run.ts';
import type { Annotation } from '../../core/ports/repository.ts';
import type { PublicationTexts, SummaryView } from '../../core/publish/plan.ts';
import { code, codePath, makeVisible, visibleName, words } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { sayOutcome, countComplete } from '../../core/verdict/outcome.ts';
import { type Claim, isClosed, orderClaims, placeOfClaim } from '../../core/words/claim.ts';
import {
  annotate,
  createTeller,
  dismissalsIn,
  reasonEntries,
  silentReviewers,
  tellDismissal,
} from '../formats/entries.ts';
import { placeText } from '../../core/words/finding.ts';
import { count } from '../figures.ts';
import { present } from '../../core/groups.ts';

/** Of the text of a claim, tried in this order: what hides in a text is shown in eight characters for each of its own. */
const inlineLengths = [4_000, 400, 100];
const longestInline = 30_000;
const longestListed = 400;
const longestReason = 500;
/** Entries of a list that is not about claims. */
const mostListed = 30;

export const publicationTexts: PublicationTexts = {
  title: describeOutcome,
  summary: renderSummary,
  inline: renderInline,
  fixed: ({ reason }, head) =>
    `fixed as of ${code(head.slice(0, 12))}. ${words(cut(reason, longestReason))}`,
  dismissed: describeDismissed,
  annotations: record => annotate(record).flatMap(toAnnotation),
};

function describeOutcome(record: RunRecord) {
  const open = record.claims.filter(claim => !isClosed(claim)).length;
  return `${sayOutcome(record)}: ${describeReviewers(record)}, ${count(open, 'open claim')}`;
}

function describeReviewers({ reviewers }: RunRecord) {
  return `${countComplete(reviewers)} of ${reviewers.length} reviewers completed`;
}

function renderInline(claim: Claim, record: RunRecord) {
  const tell = createTeller(record);
  const render = (longest: number) => {
    const [text = '', ...rest] = tell(claim, longest);
    return [
      `${weightOf(claim, record)}: ${words(text)}`,
      ...rest.map(sentence),
      `${code(claim.id)} – reply ${code('/jury dismiss REASON')} where it is not so, ${code('/jury accept')} where it is.`,
    ].join('\n\n');
  };
  const texts = inlineLengths.map(render);
  return texts.find(text => text.length <= longestInline) ?? texts.at(-1) ?? '';
}

function weightOf({ id, severity }: Claim, { blocking }: RunRecord) {
  return `**${severity}${blocking.includes(id) ? ', fails the run' : ''}**`;
}

/** The claims come last and are cut from their end: the least important ones. */
function renderSummary(view: SummaryView, longest: number) {
  const most = Math.floor(longest / 10);
  const head = headOf(view, most);
  const tail = tailOf(view, most);
  const open = orderClaims(view.record).filter(claim => !isClosed(claim));
  const room = longest - [...head, ...tail].join('\n').length - 200;
  const tell = createTeller(view.record);
  const entries = fitting(open, room, claim => entryOf(claim, view, tell(claim, longestListed)));
  const left = open.length - entries.length;
  return [
    ...head,
    ...titled(`**Claims** (${open.length})`, open.length === 0 ? [] : ['', ...entries]),
    ...(left === 0
      ? []
      : ['', `${left} more, less important than these, are left out: this comment is full.`]),
    ...tail,
  ].join('\n');
}

/** As many as there are characters for. */
function fitting<Item>(items: readonly Item[], most: number, render: (item: Item) => string) {
  const entries: string[] = [];
  let length = 0;
  for (const item of items) {
    const entry = render(item);
    length += entry.length + 1;
    if (length > most) break;
    entries.push(entry);
  }
  return entries;
}

/** `most`: characters of one list. */
function headOf({ record, head, troubles }: SummaryView, most: number) {
  const reasons = reasonEntries(record);
  return [
    `### Jury: ${sayOutcome(record)}`,
    '',
    `${describeReviewers(record)} on ${code(head.slice(0, 12))}, in run ${code(record.run)}.`,
    ...listOf(silentReviewers(record), most, ({ sentence: said }) =>
      words(cut(said, longestReason)),
    ),
    ...listOf(
      reasons,
      most,
      ({ reason }) => `${reason.effect}: ${words(cut(reason.sentence, longestReason))}`,
    ),
    ...listOf(troubles, most, trouble => words(cut(trouble, longestReason))),
  ];
}

function tailOf({ record, fixed, beyond, deleted }: SummaryView, most: number) {
  const closed = record.claims.filter(({ state }) => state === 'dismissed');
  const why = dismissalsIn(record);
  const sayings = present(
    beyond !== 0 &&
      `${beyond} of them would have a place in the diff and are told here alone: too many for one time.`,
    deleted !== 0 &&
      `${deleted} of them had a comment that somebody deleted; none is posted again.`,
  );
  return [
    ...(sayings.length === 0 ? [] : ['', ...sayings]),
    ...titled(
      `**Dismissed** (${closed.length})`,
      listOf(closed, most, claim => `${nameOf(claim)} ${describeDismissed(why.get(claim.id))}`),
    ),
    ...titled(
      `**Fixed** (${fixed.length})`,
      listOf(fixed, most, claim => `${nameOf(claim)} ${words(cut(claim.reason, longestReason))}`),
    ),
  ];
}

function nameOf({ id, text }: Pick<Claim, 'id' | 'text'>) {
  return `${code(id)} ${words(cut(text, 200))}`;
}

function entryOf(
  claim: Claim,
  { record, atLines }: SummaryView,
  [text = '', ...rest]: readonly string[],
) {
  const place = placeOfClaim(claim);
  const where = place === null ? '' : ` ${codePath(cut(placeText(place), 300))}`;
  const told = atLines.has(claim.id) ? ' (told at its line)' : '';
  return [
    `- ${weightOf(claim, record)}${where}: ${words(text)} ${code(claim.id)}${told}`,
    ...rest.map(line => `  ${sentence(line)}`),
  ].join('\n');
}

/** A share keeps to its figure: alone the sign would stand in code. */
function sentence(line: string) {
  return words(line.replace(/(\d) %/g, '$1%'));
}

function titled(title: string, list: readonly string[]) {
  return list.length === 0 ? [] : ['', title, ...list];
}

/** So many entries, and so many characters, at most; the others are counted. */
function listOf<Item>(items: readonly Item[], most: number, render: (item: Item) => string) {
  if (items.length === 0) return [];
  const entries = fitting(items.slice(0, mostListed), most, item => `- ${render(item)}`);
  const rest = items.length - entries.length;
  return present('', ...entries, rest > 0 && `- and ${rest} more`);
}

function describeDismissed(dismissed: DismissedClaim | null | undefined) {
  return words(tellDismissal(dismissed, longestReason));
}

/** Shown as plain text. GitHub takes titles of 255 characters. */
function toAnnotation({
  level,
  title,
  message,
  place,
}: ReturnType<typeof annotate>[number]): Annotation[] {
  // A run without files has no place at all.
  if (place === null || place.path === '.') return [];
  return [
    {
      path: place.path,
      line: place.line,
      endLine: place.endLine,
      level: level === 'error' ? 'failure' : level,
      title: cut(visibleName(title), 200),
      message: cut(makeVisible(message), 16_000),
    },
  ];
}
