/** Items of a report: what an index names, fields, headings, numbered and bold items, bullets, places. */
import { rankOf, type Severity } from '../core/words/severity.ts';
import { readBadges, readField, readHead, startOf, type Head, type Start } from './heads.ts';
import { entryIn, otherPart } from './issues.ts';
import { labelOfHeading } from './labels.ts';
import { isTail, type Line } from './layout.ts';
import { labelledPlaceIn, placeIn, splitPlace } from './place-in-text.ts';
import { endsInNone, isStatementOfNone } from './sieve.ts';
import { placeOf, unstatedLabel } from '../core/words/stated.ts';
import {
  type Walk,
  unstated,
  isChaff,
  isOwner,
  goOn,
  noteMentions,
  open,
  close,
  otherField,
} from './walk.ts';

/** An item that the index names: until the next one, whatever lists and paragraphs stand between. */
export function takeNamed(walk: Walk, text: string): boolean {
  const { entries, isAfterBlank, options } = walk;
  if (entries === null) return false;
  const start = startOf(text, true);
  const isHeading = start.kind === 'heading';
  const found = walk.isBeside ? null : entryIn(text, isAfterBlank, entries);
  if (found === null) {
    if (!isHeading && !isTail(text)) return false;
    walk.isBeside = isTail(text) || otherPart.test(start.content);
    walk.level = start.level;
    return false;
  }
  const { entry, rest } = found;
  const { label, severity } = readHead(start, options.scale) ?? entry;
  const { originalId: id, text: title } = entry;
  const level = isHeading ? start.level : walk.level;
  open(walk, text, { kind: 'named', level, content: rest, title, label, severity, id });
  return true;
}

/**
 * `Severity: X` tells how bad the open item is; where that is known and milder, or was told so already, the line begins an item of
 * its own. So do badges.
 */
export function takeField(walk: Walk, text: string): boolean {
  const { open: item, options } = walk;
  const field = readField(text, options.scale);
  const found = field ?? readBadges(text, options.scale);
  if (found === null) return false;
  const { label, severity } = found;
  const isWorse = item === null || rankOf(severity) < rankOf(item.severity ?? 'low');
  const isOwn = item === null || item.kind === 'line' || item.hasField || field === null;
  if (isOwn || (item.isStated && isWorse)) {
    openField(walk, text, found);
    return true;
  }
  if (isWorse || item.severity === null || item.label === unstatedLabel)
    Object.assign(item, { label, severity });
  Object.assign(item, { isStated: true, hasField: true });
  item.raw.push(text);
  return true;
}

export function openField(
  walk: Walk,
  text: string,
  { label, severity, title }: { label: string; severity: Severity | null; title: string },
): void {
  const isStated = severity !== null;
  open(walk, text, { kind: 'field', title, label, severity, isStated, hasField: isStated });
}

export function takeItem(walk: Walk, line: Line): void {
  const { text } = line;
  const { scale } = walk.options;
  if (beginsFields(walk, text)) {
    openField(walk, text, { label: '', severity: null, title: '' });
    return;
  }
  const start = startOf(text, walk.isAfterBlank);
  if (takeSection(walk, start)) return;
  const head = readHead(start, scale);
  if (head !== null && (start.kind === 'heading' || !isRestated(walk, head, text)))
    open(walk, text, { ...start, ...head });
  else if (head !== null) goOn(walk, line);
  else if (start.kind === 'plain' || start.kind === 'place') takePlain(walk, line, start);
  else if (isDetail(walk, start, text)) goOn(walk, line);
  else takeUnlabelled(walk, start, line);
}

/** `File: src/a.ts:3` above the other fields of an item, or again below the fields of another one. */
function beginsFields({ open: item }: Walk, text: string): boolean {
  if (labelledPlaceIn(text) === null) return false;
  if (item === null || item.kind === 'line' || item.kind === 'place') return true;
  return (
    item.kind === 'field' &&
    item.severity !== null &&
    item.raw.some(line => labelledPlaceIn(line) !== null)
  );
}

/** A label without a place below an item of the same weight tells more of it: `- **High** impact, since …`. */
function isRestated({ open: item }: Walk, head: Head, text: string): boolean {
  return (
    item !== null &&
    item.severity === head.severity &&
    isOwner(item) &&
    /^\s/.test(text) &&
    placeIn(head.title) === null
  );
}

/** The heading of a section that is called by a label. */
function takeSection(walk: Walk, { kind, level, content }: Start): boolean {
  if (kind !== 'heading' && kind !== 'bold' && !/[:：]$/.test(content)) return false;
  const label = labelOfHeading(content.replace(/^[*_]{2}|[*_]{2}:?$/g, ''), walk.options.scale);
  if (label === null) return false;
  close(walk);
  walk.section = { ...label, level };
  walk.among = null;
  return true;
}

/** Does a heading or an item of a list without a label of its own belong to what is open? */
function isDetail(
  { open: item, isAfterBlank }: Walk,
  { kind, level }: Start,
  text: string,
): boolean {
  if (item === null) return false;
  if (item.kind === 'named') return kind !== 'heading' || level > item.level;
  if ((item.kind === 'heading' || item.kind === 'field') && otherField.test(text)) return true;
  const isBare = item.kind === 'field' && item.body.every(line => line.text.trim() === '');
  if (isBare && item.title === '' && kind !== 'heading') return true;
  if (kind === 'bold' && !/^\*\*[^*]{1,300}\*\*:?\s*$/.test(text)) return true;
  if (kind !== 'heading' && /^\s/.test(text) && (text.search(/\S/) > item.indent || !isAfterBlank))
    return true;
  return isOwner(item) && (level > item.level || kind === 'bullet');
}

/** An item without a label: what its section says of it; among findings one whose severity is not stated; else what a field will say. */
function takeUnlabelled(walk: Walk, { kind, level, content }: Start, { text }: Line): void {
  close(walk);
  const { among } = walk;
  if (kind === 'heading') {
    walk.among = null;
    if (walk.section !== null && level <= walk.section.level) walk.section = null;
  }
  if (/^[-*_\s]*$/.test(content.slice(0, 200))) return;
  const isListed = kind === 'number' || kind === 'bullet';
  if (kind !== 'heading' && isChaff(walk, content, text)) return;
  if (endsInNone(content)) walk.none ??= 'prose';
  noteMentions(walk, text);
  const isSibling = isListed && among === kind;
  const known = walk.section ?? (isSibling ? unstated : null);
  if (known === null && kind === 'bullet') {
    walk.draft.unparsed.push(text);
    walk.among = among;
  }
  const title = content.replace(/^\d{1,3}[.):]\s+/, '');
  const { label, severity } = known ?? { label: '', severity: null };
  open(walk, text, { kind, level, content, title, label, severity, isStated: false });
}

function takePlain(walk: Walk, line: Line, { content }: Start): void {
  const { text } = line;
  if (/^\s/.test(text) || (walk.open !== null && isOwner(walk.open))) {
    goOn(walk, line);
    return;
  }
  const bare = text.trim().replace(/[:：]$/, '');
  const only = /\s/.test(bare) ? null : placeOf(bare, walk.units);
  const isBelowPlace = walk.at !== null && walk.open === null && !isStatementOfNone(text);
  if (only !== null && only.line !== null) {
    close(walk);
    walk.at = only;
  } else if (isBelowPlace || beginsWithPlace(content)) {
    noteMentions(walk, text);
    const title = splitPlace(content).text;
    const { label, severity } = walk.section ?? unstated;
    open(walk, text, { kind: 'place', content, title, label, severity, isStated: false });
  } else goOn(walk, line);
}

/** A file and line at the beginning, set off from what is said of it. */
function beginsWithPlace(content: string): boolean {
  const { place, text } = splitPlace(content);
  const isFirst = content.replace(/^[`*_[]*/, '').startsWith(place?.path ?? '\n');
  return isFirst && text !== content && typeof place?.line === 'number';
}
