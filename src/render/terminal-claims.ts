/** What the reviewers say, grouped by how many of them say it, the most severe first. */
import type { Claim } from '../core/claim.ts';
import type { Location } from '../core/finding.ts';
import type { RunRecord } from '../core/run.ts';
import { isAtLeast, severities } from '../core/severity.ts';
import { describeVote } from './deliberation.ts';
import { count } from './figures.ts';
import { layHeading, paintSeverity, type Page } from './page.ts';
import { isClosed, rankClaims, tiersOf, type Tier } from './ranking.ts';
import { cut, hang, oneLine, pathText, widthOf, wrap } from './terminal-text.ts';

const mostClaims = 20;
const mostWordings = 2;
const narrow = 60;

export function layClaims(record: RunRecord, page: Page): string[] {
  const claims = record.claims.filter(claim => !isClosed(claim));
  if (claims.length === 0) return layHeading(page, 'Claims', nothingSaid(record));
  const ranked = rankClaims(claims, record.blocking);
  const [whole, blockers] = [tiersOf(ranked), new Set(record.blocking)];
  const groups = tiersOf(ranked.slice(0, mostClaims)).flatMap(tier => layTier(tier, whole, blockers, page));
  const lines = [...groups, ...layRest(ranked.slice(mostClaims), record, page)];
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function nothingSaid({ claims, quorum }: RunRecord): string {
  if (claims.length > 0) return 'none but dismissed ones';
  return quorum.completed > 0 ? 'none from the reviewers that completed' : 'none: no reviewer completed';
}

/** `path:line`, plain, so that a terminal makes it clickable; with a remark when the place is not certain. */
export function placeOf(location: Location): { readonly place: string; readonly remark: string } {
  const place = location.line === null ? pathText(location.path) : `${pathText(location.path)}:${location.line}`;
  const remarks = [
    ...(location.endLine !== null && location.line !== null && location.endLine > location.line ? [`to ${location.endLine}`] : []),
    ...(location.side === 'old' ? ['before the change'] : []),
    ...(location.anchoring === 'unanchored' ? ['place not found'] : []),
    ...(location.anchoring === 'ambiguous' ? ['one of several places'] : []),
    ...(location.note === null ? [] : [oneLine(location.note, 120)]),
  ];
  return { place, remark: remarks.join(', ') };
}

function layTier({ name, claims }: Tier, whole: readonly Tier[], blockers: ReadonlySet<string>, page: Page): string[] {
  const total = whole.find(tier => tier.name === name)?.claims.length ?? claims.length;
  const amount = claims.length === total ? String(total) : `${claims.length} of ${total}`;
  return [...layHeading(page, `${name} (${amount})`), ...claims.flatMap(claim => [...layClaim(claim, blockers.has(claim.id), page), ''])];
}

/** Severity and text, then place, supporters and the other wordings, each on lines of their own. */
export function layClaim(claim: Claim, isBlocking: boolean, page: Page): string[] {
  const lead = `${isBlocking ? '✗' : ' '} ${claim.severity}`;
  const indent = page.width < narrow ? '    ' : ' '.repeat(12);
  const [first = '', ...others] = wrapUnder(lead.padEnd(12), indent, oneLine(claim.text), page);
  const supporters = `${claim.supporters.length}/${claim.electorate} ${claim.supporters.map(name => oneLine(name, 40)).join(', ')}`;
  const facts = [supporters, claim.id, ...factsOf(claim, isBlocking)].join(' · ');
  return [
    `${paintSeverity(page, claim.severity, lead)}${first.slice(lead.length)}`,
    ...others,
    ...layPlace(claim, indent, page),
    ...hang(indent, facts, page.measure).map(line => page.colors.dim(line)),
    ...layVote(claim, indent, page),
    ...layWordings(claim, indent, page),
  ];
}

function factsOf(claim: Claim, isBlocking: boolean): string[] {
  const isLonely = claim.supporters.length === 1 && isAtLeast(claim.severity, 'high');
  return [
    ...(claim.label.toLowerCase() === claim.severity ? [] : [`labelled ${oneLine(claim.label, 30)}`]),
    ...(isBlocking ? ['blocks'] : []),
    ...(claim.state === 'new' ? [] : [claim.state]),
    ...(claim.confidence === null ? [] : [`confidence ${Math.round(claim.confidence * 100)}%`]),
    ...(claim.severityConflict === null ? [] : ['severities differ']),
    ...(claim.contradicts.length === 0 ? [] : [`contradicts ${claim.contradicts.slice(0, 3).map(id => oneLine(id, 20)).join(', ')}`]),
    ...(isLonely ? ['verify independently'] : []),
  ];
}

const mostDissent = 3;

/** The outcome, then whom it goes against in their own words. */
function layVote({ deliberation }: Claim, indent: string, page: Page): string[] {
  if (deliberation === undefined) return [];
  const { dissent } = deliberation;
  const lines = dissent.slice(0, mostDissent).map(({ reviewer, opinion }) => cut(`dissent of ${oneLine(reviewer, 40)}: ${oneLine(opinion, 300)}`, page.measure - indent.length));
  const rest = dissent.length - mostDissent;
  return [
    ...hang(indent, `vote: ${oneLine(describeVote(deliberation), 300)}`, page.measure),
    ...[...lines, ...(rest > 0 ? [`… and ${rest} more who dissent`] : [])].map(line => `${indent}${page.colors.dim(line)}`),
  ];
}

/** On a narrow page the lines below the first one start further left than it does. */
function wrapUnder(lead: string, indent: string, text: string, page: Page): string[] {
  if (lead.length === indent.length) return hang(lead, text, page.measure);
  const whole = text.normalize();
  const [first = ''] = wrap(whole, page.measure - lead.length);
  const rest = whole.slice(first.length).trim();
  return [`${lead}${first}`, ...(rest === '' ? [] : hang(indent, rest, page.measure))];
}

/** The place is never wrapped. One that is too long for its indent starts further left. */
function layPlace({ location }: Claim, indent: string, page: Page): string[] {
  if (location === null) return [];
  const { place, remark } = placeOf(location);
  const used = widthOf(place) + indent.length;
  const line = `${used > page.width ? '  ' : indent}${page.colors.underline(place)}`;
  if (remark === '') return [line];
  if (used + widthOf(remark) + 4 <= page.width) return [`${line}  ${page.colors.dim(`(${remark})`)}`];
  return [line, ...hang(indent, `(${remark})`, page.measure).map(text => page.colors.dim(text))];
}

function layWordings(claim: Claim, indent: string, page: Page): string[] {
  const said = new Set([normalise(claim.text)]);
  const others = claim.findings.filter(finding => {
    const wording = normalise(finding.text);
    return said.has(wording) ? false : said.add(wording);
  });
  const lines = others.slice(0, mostWordings).map(finding => cut(`${oneLine(finding.reviewer, 40)}: ${oneLine(finding.text, 300)}`, page.measure - indent.length));
  const rest = others.length - mostWordings;
  return [...lines, ...(rest > 0 ? [`… and ${count(rest, 'more wording')}`] : [])].map(line => `${indent}${page.colors.dim(line)}`);
}

function normalise(text: string): string {
  return text.trim().toLowerCase();
}

function layRest(rest: readonly Claim[], record: RunRecord, page: Page): string[] {
  if (rest.length === 0) return [];
  const parts = severities.map(severity => [severity, rest.filter(claim => claim.severity === severity).length] as const).filter(([, amount]) => amount > 0);
  const lines = wrap(`… and ${rest.length} more (${parts.map(([severity, amount]) => `${amount} ${severity}`).join(', ')}):`, page.measure);
  return [...lines, `  jury report ${record.run} --format markdown`];
}
