/** One claim, one finding or one review of a run, opened by its id, for reading in a terminal. */
import type { Claim } from '../core/claim.ts';
import type { Finding } from '../core/finding.ts';
import { meantBy, printedIdOf } from '../core/finding-names.ts';
import { displayOf, type FileReading, type Review } from '../core/review.ts';
import type { Run } from '../core/run.ts';
import { dismissalOf, termsOf } from './closed-claims.ts';
import { count, duration, money, shortCount } from './figures.ts';
import { layHeading, openPage, paintSeverity, type Page, type RenderOptions } from './page.ts';
import { placeOf } from './terminal-claims.ts';
import { hang, manyLines, oneLine, pathText, wrap } from './terminal-text.ts';

export interface ShowOptions extends RenderOptions {
  /** Adds the untouched words and everything else that is known. */
  readonly full: boolean;
}

/**
 * `id` is a claim id or a prefix of only one, a finding by any of its names (`<reviewer>/<id>`, or an id that only one
 * reviewer used), or a reviewer. Null when that names nothing, or more than one thing.
 */
export function renderShown(run: Run, id: string, options: ShowOptions): string | null {
  const sheet: Sheet = { page: openPage(options), full: options.full };
  const lines = find(run, id, sheet);
  return lines === null ? null : `${lines.join('\n')}\n`;
}

interface Sheet {
  readonly page: Page;
  readonly full: boolean;
}

function find(run: Run, id: string, sheet: Sheet): string[] | null {
  const meant = meantBy(id, run);
  if (meant.kind === 'claim') return layClaim(meant.claim, run, sheet);
  if (meant.kind === 'review') return layReview(meant.review, sheet);
  return meant.kind === 'finding' ? [...layFinding(meant.finding, sheet), ...layClaimOf(meant.finding, run.record.claims, sheet)] : null;
}

function layClaim(claim: Claim, { record }: Run, sheet: Sheet): string[] {
  const { page } = sheet;
  const dismissal = dismissalOf(record, claim.id);
  const conflict = claim.severityConflict === null ? null : Object.entries(claim.severityConflict).map(([name, severity]) => `${name} ${severity}`).join(', ');
  return [
    ...hang('', `${claim.id}  ${claim.severity}  ${oneLine(claim.label, 40)}`, page.measure).map(line => paintSeverity(page, claim.severity, line)),
    ...layText(claim.text, '', page),
    ...layPlace(claim.location, '', page),
    '',
    ...layFact('agreement', `${claim.agreement}: ${claim.supporters.length} of ${claim.electorate}`, page),
    ...layFact('said by', claim.supporters.join(', '), page),
    ...layFact('heard', claim.electors.join(', '), page),
    ...layFact('state', claim.state, page),
    ...layFact('dismissed', dismissal === null ? null : `${dismissal.reason}${termsOf(dismissal)}`, page),
    ...layFact('confidence', claim.confidence === null ? null : `${Math.round(claim.confidence * 100)}%`, page),
    ...layFact('severities', conflict, page),
    ...layFact('contradicts', claim.contradicts.join(', '), page),
    ...claim.findings.flatMap(finding => ['', ...layFinding(finding, sheet)]),
  ];
}

function layFinding(finding: Finding, { page, full }: Sheet): string[] {
  const kind = finding.isImprovement ? 'improvement' : finding.severity;
  const raw = finding.raw === '' ? [] : [`  ${page.colors.dim('raw')}`, ...manyLines(finding.raw).map(line => `    ${line}`)];
  return [
    ...layHeading(page, oneLine(printedIdOf(finding.id), 220), `${kind} (${oneLine(finding.label, 40)})`),
    ...layPlace(finding.location, '  ', page),
    ...layText(finding.text, '  ', page),
    ...layFact('section', finding.section, page),
    ...layFact('category', finding.category, page),
    ...layFact('evidence', finding.evidence, page),
    ...layFact('advice', finding.recommendation, page),
    ...(full ? [...finding.notes.flatMap(note => layFact('note', note, page)), ...raw] : []),
  ];
}

function layClaimOf(finding: Finding, claims: readonly Claim[], { page }: Sheet): string[] {
  const claim = claims.find(candidate => candidate.findings.some(part => part.id === finding.id));
  return claim === undefined ? [] : layFact('claim', `${claim.id}, supported by ${claim.supporters.length} of ${claim.electorate}`, page);
}

function layReview(review: Review, sheet: Sheet): string[] {
  const { page, full } = sheet;
  const { usage } = review;
  const read = review.coverage.filter(reading => reading.extent === 'full').length;
  return [
    ...layHeading(page, oneLine(review.reviewer, 100), oneLine(displayOf(review), 120)),
    ...layFact('persona', review.persona, page),
    ...layFact('runner', review.model === null ? review.runner : `${review.runner}, ${review.model}`, page),
    ...layFact('message', review.failure?.message ?? null, page),
    ...layFact('stated', review.statedVerdict, page),
    ...layFact('read', `${read} of ${count(review.coverage.length, 'file')} in full`, page),
    ...layFact('usage', `${count(usage.calls, 'call')}, ${usage.estimated ? '~' : ''}${shortCount(usage.inputTokens + usage.outputTokens)} tokens, ${money(usage.cost)}, ${duration(review.durationMs)}`, page),
    ...review.findings.flatMap(finding => ['', ...layFinding(finding, sheet)]),
    ...(full ? layRest(review, page) : []),
  ];
}

function layRest(review: Review, page: Page): string[] {
  const gaps = review.coverage.flatMap(reading => layGap(reading, page));
  return [
    ...layBlock('Not read in full', gaps, page),
    ...layBlock('Unparsed lines', review.unparsed.flatMap(manyLines).map(line => `  ${line}`), page),
    ...layBlock('Repairs', review.repairs.map(repair => `  ${oneLine(repair)}`), page),
    ...layBlock('Notes', review.notes.flatMap(note => hang('  ', oneLine(note), page.measure)), page),
  ];
}

function layGap({ path, extent, why }: FileReading, page: Page): string[] {
  if (extent === 'full') return [];
  return [`  ${extent.padEnd(7)} ${pathText(path)}`, ...(why === null ? [] : hang('          ', oneLine(why, 200), page.measure))];
}

function layBlock(title: string, lines: readonly string[], page: Page): string[] {
  return lines.length === 0 ? [] : ['', ...layHeading(page, title), ...lines];
}

const longest = 20_000;
const labelWidth = 13;

/** Data given in full, line by line, up to a length no person reads. */
function layText(text: string, indent: string, page: Page): string[] {
  const lines = manyLines(text.slice(0, longest)).flatMap(line => wrap(line, page.measure - indent.length).map(part => `${indent}${part}`));
  return text.length > longest ? [...lines, `${indent}… cut; the rest is in the run folder`] : lines;
}

function layPlace(location: Finding['location'], indent: string, page: Page): string[] {
  if (location === null) return [];
  const { place, remark } = placeOf(location);
  return [`${indent}${page.colors.underline(place)}${remark === '' ? '' : `  ${page.colors.dim(`(${remark})`)}`}`];
}

function layFact(label: string, text: string | null, page: Page): string[] {
  if (text === null || text === '') return [];
  const lead = `  ${label}`.padEnd(labelWidth + 2);
  const [first = '', ...others] = layText(text, ' '.repeat(lead.length), page);
  return [`${page.colors.dim(lead)}${first.slice(lead.length)}`, ...others];
}
