/** The grammar of one entry of a Findings Index: `SEVERITY | ID | "Section" | Title`, and the ways in which it is bent. */
import { ownSeverityOf, severityOf, type LabelScale, type Severity } from '../severity.ts';
import { placeOf } from './place.ts';
import { trimOff } from './plain-text.ts';
import { isOtherHead, undeclaredSeverityOf } from './undeclared-label.ts';

/** Everything a Findings Index can do differently from its canonical form and still be read. */
export const deviations = [
  'heading-level', 'not-first-block', 'unquoted-section', 'extra-field', 'missing-field', 'severity-alias', 'bullet-style', 'table-row', 'prose-bullet',
  'template-leftover', 'duplicate-id', 'verdict-outside-block', 'verdict-decorated', 'verdict-unknown', 'verdict-missing',
] as const;
export type Deviation = (typeof deviations)[number];

export interface EntryFields {
  readonly kind: 'entry';
  readonly severity: Severity;
  /** As written, without emphasis. */
  readonly label: string;
  /** IMP, INFO and NOTE: kept, never counted as findings. */
  readonly isImprovement: boolean;
  /** Null when the entry has none. */
  readonly id: string | null;
  readonly section: string;
  readonly title: string;
  readonly extra: readonly string[];
  readonly deviations: readonly Deviation[];
}

/** `undeclared`: shaped like an entry, but nothing in its first field can be a severity. */
export type EntryLine = EntryFields | { readonly kind: 'template' | 'undeclared' | 'prose' };

/** `body` is the line without its bullet. The first cell of a table may be anything: there a label must be a declared one. */
export function readEntry(body: string, scale?: LabelScale, { isTableRow = false } = {}): EntryLine {
  const fields = splitFields(body);
  if (fields.length === 1) return readUnbarred(body, scale);
  const [first = '', ...rest] = fields;
  if (/^[[<]?severity[\]>]?$/i.test(first) || rest.some(field => /^\[(?:id|title|section)\]$/i.test(field))) return { kind: 'template' };
  const head = readSeverity(first, scale) ?? (isTableRow ? null : readUndeclared(first, scale));
  if (head === null) return { kind: isWord(undecorated(first)) ? 'undeclared' : 'prose' };
  return rest.length < 3 ? fromFew(head, rest) : fromFields(head, rest);
}

function isWord(field: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./+-]{0,39}$/u.test(field) && !isOtherHead(field);
}

interface Head {
  readonly severity: Severity;
  readonly label: string;
  readonly isImprovement: boolean;
  readonly isAlias: boolean;
}

const improvementWords: ReadonlySet<string> = new Set(['IMP', 'INFO', 'NOTE']);

/** Null when the word is no severity. */
export function readSeverity(field: string, scale?: LabelScale): Head | null {
  const label = undecorated(field);
  const isImprovement = improvementWords.has(label.toUpperCase());
  const severity = isImprovement ? 'low' : severityOf(label, scale);
  return severity === null ? null : { severity, label, isImprovement, isAlias: !/^P[0-3]$/.test(field.trim()) };
}

/** A label nobody declared heads an entry all the same; null for what is no label. */
export function readUndeclared(field: string, scale?: LabelScale): Head | null {
  const label = undecorated(field);
  const severity = undeclaredSeverityOf(label, scale);
  return severity === null ? null : { severity, label, isImprovement: false, isAlias: true };
}

function fromFields(head: Head, [id = '', section = '', ...tail]: readonly string[]): EntryFields {
  const extra: string[] = [];
  const title = [...tail];
  while (title.length > 1 && isExtra(title.at(-1) ?? '')) extra.unshift(title.pop() ?? '');
  const quoted = /^["“”'](.*)["“”']$/s.exec(section)?.[1];
  return entry(head, {
    id: undecorated(id),
    section: quoted ?? section,
    title: title.join(' | '),
    extra,
    codes: [...(quoted === undefined ? (['unquoted-section'] as const) : []), ...(tail.length > 1 ? (['extra-field'] as const) : [])],
  });
}

/** Fewer than four fields: severity, id and the rest as the title. What is quoted or has blanks is no id. */
function fromFew(head: Head, rest: readonly string[]): EntryFields {
  const [first = '', second] = rest;
  const isId = /^[^\s"“”]{1,40}$/.test(first);
  const quoted = /^["“”](.*)["“”]$/s.exec(first)?.[1];
  if (second === undefined) return entry(head, { id: '', section: '', title: first, extra: [], codes: ['missing-field'] });
  return entry(head, { id: isId ? undecorated(first) : '', section: quoted ?? '', title: isId || quoted !== undefined ? second : `${first} | ${second}`, extra: [], codes: ['missing-field'] });
}

function entry(head: Head, parts: { id: string; section: string; title: string; extra: readonly string[]; codes: readonly Deviation[] }): EntryFields {
  const { severity, label, isImprovement, isAlias } = head;
  const codes = isAlias ? (['severity-alias', ...parts.codes] as const) : parts.codes;
  return { kind: 'entry', severity, label, isImprovement, id: parts.id === '' ? null : parts.id, section: parts.section, title: parts.title, extra: parts.extra, deviations: codes };
}

/** `P1: text`, `**P1** text`, `[HIGH] text`. A plain word such as "High" needs a mark: prose begins like that, also with "Error:". */
function readUnbarred(body: string, scale?: LabelScale): EntryLine {
  const found = /^([*_`[(]{0,4})([A-Za-z][A-Za-z0-9_-]{1,31})([*_`\])]{0,4})(\s{0,4}[:—–]|\s{1,4}-(?=\s))?[*_`]{0,3}\s+(\S.*)$/s.exec(body);
  if (found === null) return { kind: 'prose' };
  const [, before = '', word = '', , mark = '', title = ''] = found;
  const head = improvementWords.has(word.toUpperCase()) || ownSeverityOf(word, scale) !== null ? readSeverity(word, scale) : null;
  const isMarked = before !== '' || mark !== '' || /^P[0-3]$/.test(word);
  if (head === null || !isMarked) return { kind: 'prose' };
  return entry({ ...head, isAlias: head.isAlias || before !== '' }, { id: '', section: '', title, extra: [], codes: ['missing-field'] });
}

function isExtra(field: string): boolean {
  return /^[A-Za-z_][\w -]{0,30}[:=]\s*\S/.test(field) || /^\S+:\d+(?:-\d+)?$/.test(field.slice(0, 400)) && placeOf(field) !== null;
}

/** Splits at bars; an escaped bar is part of the field. */
export function splitFields(body: string): string[] {
  const fields: string[] = [];
  for (const piece of body.split('|')) {
    const last = fields.at(-1);
    if (last?.endsWith('\\')) fields[fields.length - 1] = `${last.slice(0, -1)}|${piece}`;
    else fields.push(piece);
  }
  return fields.map(field => field.trim());
}

function undecorated(field: string): string {
  return trimOff(field, '*_`[]() \t');
}
