/**
 * Reads findings that are written as a report: headings, numbered, dashed or bold items, each with its severity in front of it,
 * behind it, in a field of its own (`Severity: High`) or in the heading of its section; and tables with a column of severities.
 * Asked only where nothing of the formats that were asked for is in the text.
 */
import type { StatedFinding } from '../words/finding.ts';
import { ownSeverityOf, severityOf, type Severity } from '../words/severity.ts';
import {
  isTableRule,
  linesOfTables,
  readTableHeader,
  readTableRow,
  type TableHeader,
} from './index-block.ts';
import { toIssue } from './issues.ts';
import { isVerdictHeading, labelOfHeading, readVerdictLine, type VerdictLine } from './labels.ts';
import { layOut, readHeading, type Line } from './layout.ts';
import { labelledPlaceIn, placeIn, splitPlace } from './place-in-text.ts';
import { nothingDropped, type Attempt, type Dropped, type ReadingOptions } from './reading.ts';
import { createSieve, type Sieve } from './sieve.ts';
import { placeOfFields, stateFinding } from './stated.ts';

/** Null when nothing in the text is a finding of this kind. */
export function readItemised(text: string, options: ReadingOptions): Attempt {
  const { lines } = layOut(text);
  const walk = startWalk(options);
  const tables = linesOfTables(lines);
  for (const line of lines) takeLine(walk, line, tables.has(line));
  close(walk);
  const findings = walk.findings.length > 0 ? walk.findings : rowsOf(lines, tables, walk);
  if (findings.length === 0) return null;
  return {
    kind: 'draft',
    format: 'bullets',
    findings,
    improvements: [],
    verdict: walk.verdict !== null && walk.verdict.verdict !== null ? walk.verdict : null,
    isZeroStated: false,
    hasEndMark: walk.isVerdictLast,
    // An item among findings that names no severity may be one of them.
    doubt: walk.unparsed.length > 0 ? { cause: 'schema' } : null,
    unparsed: walk.unparsed,
    dropped: walk.dropped,
    notes: ['No line of the format that was asked for; findings were read from the report.'],
    filesReviewed: null,
    votes: [],
  };
}

type Kind = 'heading' | 'number' | 'bullet' | 'bold' | 'place';

interface Item {
  readonly kind: Kind;
  /** Of a heading; 7 for everything below headings. */
  readonly level: number;
  /** Without the mark in front of it. */
  readonly content: string;
  readonly title: string;
  label: string;
  severity: Severity | null;
  readonly raw: string[];
  readonly body: string[];
}

interface Walk {
  readonly options: ReadingOptions;
  readonly sieve: Sieve;
  readonly findings: StatedFinding[];
  readonly unparsed: string[];
  readonly dropped: Dropped;
  open: Item | null;
  /** The heading whose label holds for what stands below it. */
  section: { readonly label: string; readonly severity: Severity; readonly level: number } | null;
  /** The last item under this heading was a finding. */
  isAmongFindings: boolean;
  isAfterBlank: boolean;
  verdict: VerdictLine | null;
  isVerdictNext: boolean;
  isVerdictLast: boolean;
}

function startWalk(options: ReadingOptions): Walk {
  return {
    options,
    sieve: createSieve(options.sent),
    findings: [],
    unparsed: [],
    dropped: nothingDropped(),
    open: null,
    section: null,
    isAmongFindings: false,
    isAfterBlank: true,
    verdict: null,
    isVerdictNext: false,
    isVerdictLast: false,
  };
}

function takeLine(walk: Walk, { text, fence, isQuoted }: Line, isTable: boolean): void {
  if (text.trim() === '') {
    walk.isAfterBlank = true;
    walk.open?.body.push('');
    return;
  }
  const wasVerdictNext = walk.isVerdictNext;
  walk.isVerdictNext = isVerdictHeading(text);
  const isBeside = fence !== null || isQuoted || isTable;
  const verdict = isBeside
    ? null
    : readVerdictLine(wasVerdictNext ? `Verdict: ${text.trim()}` : text);
  walk.isVerdictLast = verdict !== null && verdict.verdict !== null;
  if (verdict !== null || walk.isVerdictNext) {
    walk.verdict ??= verdict;
    close(walk);
  } else if (isBeside || !(takeSeverity(walk, text) || startItem(walk, text))) goOn(walk, text);
  walk.isAfterBlank = false;
}

/** A field of the report: what is open is a finding, whatever kind of item it is. True where the line is one. */
function takeSeverity({ open, options }: Walk, text: string): boolean {
  const field = readField(text, options);
  if (open === null || field === null) return false;
  open.raw.push(text);
  if (open.severity === null) Object.assign(open, field);
  return true;
}

function readField(
  text: string,
  { scale }: ReadingOptions,
): { readonly label: string; readonly severity: Severity } | null {
  const label = severityField.exec(text.slice(0, 200))?.[1];
  const severity = label === undefined ? null : severityOf(label, scale);
  return label === undefined || severity === null ? null : { label, severity };
}

/** True where the line begins something of its own. */
function startItem(walk: Walk, text: string): boolean {
  const start = startOf(text, walk.isAfterBlank);
  if (start === null) return false;
  const { kind, level, content } = start;
  const isBelow = walk.open !== null && level > walk.open.level;
  // A list inside of a finding belongs to it.
  if (isBelow && kind !== 'heading' && walk.open?.kind !== undefined && isOwned(walk.open))
    return false;
  const section =
    kind === 'heading' || kind === 'bold' ? sectionOf(content, level, walk.options) : null;
  if (section !== null) {
    close(walk);
    Object.assign(walk, { section, isAmongFindings: false });
    return true;
  }
  const head = readHead(content, kind, walk.options);
  if (kind === 'heading' && head === null && isBelow && walk.open !== null && isOwned(walk.open))
    return false;
  if (kind === 'bold' && head === null && walk.section === null && !isWholeBold(text)) return false;
  if (kind === 'place' && head === null) return false;
  close(walk);
  if (kind === 'heading') walk.isAmongFindings = head !== null && walk.isAmongFindings;
  if (walk.section !== null && kind === 'heading' && level <= walk.section.level)
    walk.section = null;
  const inherited = readField(content, walk.options) ?? walk.section;
  walk.open = {
    kind,
    level,
    content,
    title: head?.title ?? content.replace(/^\d{1,3}[.):]\s+/, ''),
    label: head?.label ?? inherited?.label ?? '',
    severity: head?.severity ?? inherited?.severity ?? null,
    raw: [text],
    body: [],
  };
  return true;
}

/** A heading, a number or a bold line holds what stands below it, whether its severity is known already or not. */
function isOwned(item: Item): boolean {
  return item.kind !== 'heading' || item.severity !== null;
}

function goOn(walk: Walk, text: string): void {
  const { open } = walk;
  if (open === null) return;
  if (
    open.kind !== 'heading' &&
    open.kind !== 'number' &&
    walk.isAfterBlank &&
    !/^\s/.test(text) &&
    open.kind !== 'bold'
  ) {
    close(walk);
    return;
  }
  open.raw.push(text);
  open.body.push(text);
}

const severityField =
  /^\s*(?:[-*+]\s+)?[*_`]{0,3}(?:severity|priority|level|impact|schweregrad|gravité|severidad|severidade|严重程度|严重性|重要度)[*_`]{0,3}\s?[:：][*_`]{0,3}\s{0,3}[^\p{L}\p{N}]{0,6}([\p{L}\p{N}][\p{L}\p{N}_-]{0,31})\W*$/iu;
const titleField =
  /^\s*(?:[-*+]\s+)?[*_`]{0,3}(?:issue|title|problem|finding|description|summary|message|details|titel|beschreibung|问题|描述)[*_`]{0,3}\s?[:：][*_`]{0,3}\s{0,3}(\S.*)$/isu;

interface Start {
  readonly kind: Kind;
  readonly level: number;
  readonly content: string;
}

function startOf(text: string, isAfterBlank: boolean): Start | null {
  const heading = readHeading(text);
  if (heading !== null) return { kind: 'heading', level: heading.level, content: heading.title };
  const number = /^(?:[*_]{0,3})\d{1,3}[.)]\s+(\S.*)$/s.exec(text)?.[1];
  if (number !== undefined)
    return { kind: 'number', level: 7, content: text.startsWith('*') ? `**${number}` : number };
  const bullet = /^[-*+•]\s+(?:\[[ xX]?\]\s+)?(\S.*)$/s.exec(text)?.[1];
  if (bullet !== undefined) return { kind: 'bullet', level: 7, content: bullet };
  if (isAfterBlank && /^(?:[^\p{L}\p{N}\s]{1,4}\s)?\*\*\S/u.test(text))
    return { kind: 'bold', level: 7, content: text };
  return /^[\w./@`[~]/.test(text) && placeIn(text.slice(0, 400)) !== null
    ? { kind: 'place', level: 7, content: text }
    : null;
}

function isWholeBold(text: string): boolean {
  return /^\*\*[^*]{1,300}\*\*:?\s*$/.test(text);
}

function sectionOf(content: string, level: number, { scale }: ReadingOptions): Walk['section'] {
  const label = labelOfHeading(content.replace(/^[*_]{2}|[*_]{2}:?$/g, ''), scale);
  const severity = label === null ? null : severityOf(label, scale);
  return label === null || severity === null ? null : { label, severity, level };
}

interface Head {
  readonly label: string;
  readonly severity: Severity;
  readonly title: string;
}

const inFront =
  /^([^\p{L}\p{N}]{0,12})(\p{L}[\p{L}\p{M}\p{N}_-]{0,31})(?:\s(?:severity|priority|issue|bug|finding))?([^\p{L}\p{N}\s]{0,6}(?:\s?[—–-](?=\s))?)\s{0,3}(?=\S)/iu;
const behind =
  /[[(（]\s?(?:severity:\s?)?(\p{L}[\p{L}\p{N}_-]{0,31})(?:\s(?:severity|priority))?\s?[\])）][*_]{0,3}$/iu;

/** Null where the words name no severity, or nothing but one: `Critical: 2 issues` counts findings and is none. */
function readHead(content: string, kind: Kind, { scale }: ReadingOptions): Head | null {
  const text = content.replace(/^[*_]{0,3}\d{1,3}[.):]\s+/, '').trim();
  const { text: placed } = splitPlace(text);
  const isPlaced = placed !== text && text.endsWith(placed);
  if (kind === 'place' && !isPlaced) return null;
  for (const words of new Set([placed, text])) {
    const front = inFront.exec(words);
    const [whole = '', before = '', word = '', after = ''] = front ?? [];
    const isMarked = /[*_`[(\p{Extended_Pictographic}]/u.test(before) || /[\])*_`]/.test(after);
    const isSet = isMarked || /[:：—–-]/.test(after);
    const severity = isMarked || isPlaced ? knownOf(word, scale) : ownSeverityOf(word, scale);
    const title = words.slice(whole.length);
    if (isSet && severity !== null && isTitle(title)) return { label: word, severity, title };
  }
  const last =
    kind === 'heading' || kind === 'number' || kind === 'bold' ? behind.exec(text) : null;
  const severity = last?.[1] === undefined ? null : ownSeverityOf(last[1], scale);
  const title = last === null ? '' : text.slice(0, last.index).trim();
  return last?.[1] === undefined || severity === null || !isTitle(title)
    ? null
    : { label: last[1], severity, title };
}

/** Words for remarks of every kind head no finding. */
function knownOf(word: string, scale: ReadingOptions['scale']): Severity | null {
  return /^(?:note|info|information|informational|hint|style)$/i.test(word) &&
    !scale.has(word.toUpperCase())
    ? null
    : severityOf(word, scale);
}

function isTitle(text: string): boolean {
  return (
    /\p{L}{2}/u.test(text) &&
    !/^\W*\d{1,4}\W*(?:issues?|findings?|points?|problems?|found)?\W*$/i.test(text.slice(0, 80))
  );
}

function close(walk: Walk): void {
  const item = walk.open;
  walk.open = null;
  if (item === null) return;
  const isListed = item.kind === 'number' || item.kind === 'bullet';
  if (item.severity === null) {
    if (isListed && walk.isAmongFindings) walk.unparsed.push(item.raw.join('\n'));
    return;
  }
  const finding = toFinding(item);
  const chaff = walk.sieve(finding.text, item.raw[0]);
  if (chaff !== null) {
    walk.dropped[chaff] += 1;
    return;
  }
  walk.findings.push(finding);
  walk.isAmongFindings = true;
}

function toFinding({ content, title, label, severity, raw, body }: Item): StatedFinding {
  const isField = severityField.test(title);
  const at =
    isField || /^[*_]{0,3}$/.test(title) ? body.findIndex(line => titleField.test(line)) : -1;
  const said = at === -1 ? title : (titleField.exec(body[at] ?? '')?.[1] ?? title);
  const rest = body.filter((_, index) => index !== at);
  const whole = [said, ...rest].join('\n');
  const { evidence, recommendation } = toIssue(
    rest.map(text => ({ text, isQuoted: false, fence: null })),
  );
  const head = splitPlace(content);
  const isSetOff = head.text !== content;
  return stateFinding(
    {
      label,
      severity: severity ?? 'medium',
      text: splitPlace(said).text,
      raw: raw.join('\n'),
      evidence,
      recommendation,
    },
    (isSetOff ? head.place : null) ?? labelledPlaceIn(whole) ?? head.place ?? placeIn(whole),
  );
}

/** Rows below a head that names a severity and what was found. Beside items they are the same findings once more. */
function rowsOf(
  lines: readonly Line[],
  tables: ReadonlyMap<Line, 'head' | 'row'>,
  walk: Walk,
): StatedFinding[] {
  const findings: StatedFinding[] = [];
  let header: TableHeader | null = null;
  for (const line of lines) {
    if (isTableRule(line.text)) continue;
    const part = line.fence === null && !line.isQuoted ? tables.get(line) : undefined;
    if (part === undefined || part === 'head') {
      header = part === 'head' ? readTableHeader(line.text) : null;
      continue;
    }
    if (header === null || !header.columns.includes('title')) continue;
    const row = readTableRow(line.text, header, walk.options.scale);
    if (row.kind !== 'entry' || !isTitle(row.title)) {
      walk.unparsed.push(line.text);
      continue;
    }
    const chaff = walk.sieve(row.title, line.text);
    if (chaff !== null) {
      walk.dropped[chaff] += 1;
      continue;
    }
    findings.push(
      stateFinding(
        {
          originalId: row.id !== null && !/^\d+$/.test(row.id) ? row.id : '',
          label: row.label,
          severity: row.severity,
          text: splitPlace(row.title).text,
          section: row.section === '' ? null : row.section,
          raw: line.text,
        },
        placeOfFields(row.extra) ?? placeIn(row.title),
      ),
    );
  }
  return findings;
}
