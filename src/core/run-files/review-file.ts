/** A review as the file `reviews/<agent>.md`: a Findings Index any tool can read, the details, and what the reviewer said. */
import { groupBy, present } from '../groups.ts';
import { quoteBlock, readable } from '../safety/visible-text.ts';
import { summaryLimit, summaryOf as summaryIn } from '../../answers/index.ts';
import { cut, isBlank, toOneLine } from '../text.ts';
import { countedFindings, standingOf } from '../verdict/review-status.ts';
import { type Finding, bySeverity, indexLevelOf, placeText } from '../words/finding.ts';
import { type Research, type Review, causes, sourceRanks } from '../words/review.ts';

interface ReviewSource {
  /** Tells the file from those of other runs; null where the run has no id. */
  readonly runId: string | null;
  /** What the reviewer literally said; null when it is kept elsewhere only. JSON is not repeated. */
  readonly answer: string | null;
}

export function renderReviewFile(review: Review, { runId, answer }: ReviewSource) {
  const mark = runId === null ? [] : [`<!-- run-uuid: ${runId} -->`];
  const body = review.status === 'failed' ? renderStub(review) : renderFindings(review, answer);
  return [...mark, ...body, completionSignal, ''].join('\n');
}

function renderStub(review: Review) {
  return [
    '### Findings Index',
    'Verdict: error',
    '',
    `Agent failed to produce findings after retry. Error: ${readable(describeFailure(review))}`,
  ];
}

function renderFindings(review: Review, answer: string | null) {
  const { research } = review;
  const findings = countedFindings(review).toSorted(bySeverity);
  const improvements = review.findings.filter(({ isImprovement }) => isImprovement);
  const { claimed, computed } = standingOf(review);
  const isKnowledge = research !== undefined;
  return present(
    '### Findings Index',
    ...findings.map(renderEntry),
    `Verdict: ${claimed ?? computed}`,
    '',
    '### Summary',
    ...renderSummary(review, answer),
    '',
    ...(isKnowledge ? renderResearch(research, findings) : []),
    '### Issues Found',
    ...(isKnowledge ? [] : findings.flatMap(renderIssue)),
    (findings.length === 0 || isKnowledge) && '',
    '### Improvements',
    ...improvements.map(
      (finding, index) =>
        `${index + 1}. ${readable(indexIdOf(finding))}: ${readable(finding.text)}${renderPlace(finding)}`,
    ),
    '',
    ...(answer === null || review.format === 'json'
      ? []
      : ['### What the reviewer said', ...quoteBlock(answer.trimEnd()), '']),
  );
}

/** A bar would start another field. */
function field(text: string) {
  return readable(text.replaceAll('|', '¦'));
}

/** The blocks of research, as the researcher gave them, best rank first. */
function renderResearch({ sources, confidence, gaps }: Research, findings: readonly Finding[]) {
  const ranked = sources.toSorted(
    (one, other) => sourceRanks.indexOf(one.rank) - sourceRanks.indexOf(other.rank),
  );
  return [
    '### Sources',
    ...ranked.map(
      ({ rank, id, title, address }) =>
        `- ${rank} | ${field(id)} | ${field(title)} | ${field(address)}`,
    ),
    '',
    '### Findings',
    ...findings.map(
      finding =>
        `- ${field(indexIdOf(finding))} | ${field(finding.text)} | ${field(finding.evidence ?? '')}`,
    ),
    '',
    '### Confidence',
    confidence ?? 'not stated',
    '',
    '### Gaps',
    ...(gaps.length === 0 ? ['None'] : gaps.map(gap => `- ${readable(gap)}`)),
    '',
  ];
}

/** A bar would start another field, and a quote end the section. */
function renderEntry(finding: Finding) {
  const named = finding.section ?? finding.location?.path ?? '';
  const section = isBlank(named) ? '' : field(named.replaceAll('"', "'"));
  return (
    `- ${indexLevelOf(finding.severity)} | ${field(indexIdOf(finding))} | "${section}" | ` +
    `${field(finding.text)}${renderPlace(finding)}`
  );
}

/** The id as it stands in the file, and as whoever reads the file gets it back. */
export function indexIdOf({ originalId }: Pick<Finding, 'originalId'>) {
  // What decorates an id at its ends is taken off by readers; a blank would make it prose.
  const plain = toOneLine(originalId)
    .replaceAll('|', '¦')
    .replace(/[\s"“”]+/g, '-')
    .replace(/^[-:*_`'()[\]{}<>\\]+|[-:*_`'()[\]{}<>\\]+$/g, '');
  return plain === '' ? 'unnamed' : plain;
}

function renderPlace({ location }: Finding) {
  if (location === null) return '';
  return ` — ${field(placeText(location))}`;
}

function renderSummary(review: Review, answer: string | null) {
  const { coverage, failure, status, unparsed } = review;
  const full = coverage.filter(({ extent }) => extent === 'full').length;
  const earlier = groupBy(
    coverage.flatMap(({ from }) => from ?? []),
    run => run,
  );
  const why = failure === null ? 'not everything was read' : causes[failure.cause].sentence;
  return present(
    readable(summaryOf(review, answer)),
    '',
    `Read in full: ${full} of ${coverage.length} ${coverage.length === 1 ? 'unit' : 'units'}.`,
    ...[...earlier].map(
      ([run, { length }]) =>
        `Of these ${length} in run ${readable(run)}, and not asked about again: not changed since.`,
    ),
    status === 'partial' && `Partial review: ${why}; its silence says nothing.`,
    unparsed.length > 0 && `Lines that could not be read as findings: ${unparsed.length}.`,
    ...review.notes.map(readable),
  );
}

/** Each a paragraph of its own: readers take the first place in a paragraph for that of the finding it names. */
function renderIssue(finding: Finding, index: number) {
  const { location, evidence, recommendation } = finding;
  const unfound = location?.anchoring === 'unanchored' ? ' (not found in the subject)' : '';
  const note = (location?.note ?? null) === null ? '' : ` (${readable(location?.note ?? '')})`;
  const facts = present(
    location !== null && `Place:${renderPlace(finding).replace(' —', '')}${unfound}${note}`,
    evidence !== null && `Evidence: ${readable(evidence)}`,
    recommendation !== null && `Recommendation: ${readable(recommendation)}`,
    ...finding.notes.map(said => `Note: ${readable(said)}`),
  );
  return [
    `${index + 1}. **${readable(indexIdOf(finding))}** ${indexLevelOf(finding.severity)} ` +
      `(${readable(finding.label)}): ${readable(finding.text)}`,
    ...facts.map(fact => `   - ${fact}`),
    '',
  ];
}

// The one line that says what a review came to.

/**
 * The reviewer's own closing `SUMMARY:` field, else the first sentence of its *Summary* section, else a count of the findings
 * with the most severe one, else `no findings`. For a failed review, why it failed. `answer` is what the reviewer literally
 * said; null when nobody kept it. At most 160 characters.
 */
export function summaryOf(review: Review, answer: string | null) {
  if (review.status === 'failed') return cut(describeFailure(review), summaryLimit);
  const own = answer === null ? '' : summaryIn(answer);
  return cut(toOneLine(own) || countsOf(review) || 'no findings', summaryLimit);
}

function describeFailure({ failure }: Review) {
  if (failure === null) return 'the review failed';
  return toOneLine(failure.message) || causes[failure.cause].sentence;
}

/** Empty when there are no findings. */
function countsOf(review: Review) {
  const findings = countedFindings(review).toSorted(bySeverity);
  const counts = [...groupBy(findings, ({ severity }) => indexLevelOf(severity))].map(
    ([level, { length }]) => `${level}x${length}`,
  );
  const [top] = findings;
  return top === undefined ? '' : `${counts.join(' ')}: ${toOneLine(top.text)}`;
}

/** The last line of a finished file. A file of another tool may carry its own. */
export const completionSignal = '<!-- jury:complete -->';

const signals = new Set([
  completionSignal,
  '<!-- flux-drive:complete -->',
  '<!-- flux-research:complete -->',
]);

/** Is the last line that holds anything a completion signal? */
export function hasSignal(text: string) {
  const trimmed = text.trimEnd();
  return signals.has(trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim());
}
