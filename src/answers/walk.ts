/** The state of the walk over an answer: the item that is open, what goes on with it, and the finding that it becomes. */
import { isBlank, trimOff } from '../core/text.ts';
import type { StatedFinding } from '../core/words/finding.ts';
import { unstatedSeverity, type Severity } from '../core/words/severity.ts';
import { mentionsIn, readField, type Kind, type Label } from './heads.ts';
import { toIssue, type Names, type ProseLine } from './issues.ts';
import type { VerdictLine } from './labels.ts';
import type { Line } from './layout.ts';
import { labelledPlaceIn, placeIn, splitPlace } from './place-in-text.ts';
import {
  nothingDropped,
  type Dropped,
  type Mention,
  type ReadingOptions,
  type Vote,
} from './reading.ts';
import { createSieve, endsInNone, isNegative, type Sieve } from './sieve.ts';
import { placeOfFields, stateFinding, unstatedLabel, type Place } from '../core/words/stated.ts';
import type { TableHeader } from './tables.ts';

export interface Report {
  readonly findings: readonly StatedFinding[];
  /** Indexes into `findings` where each run of them begins: prose between two starts a new one. */
  readonly runs: readonly number[];
  readonly votes: readonly Vote[];
  readonly verdict: VerdictLine | null;
  readonly isVerdictLast: boolean;
  readonly unparsed: readonly string[];
  /** Lines in quotations and fences that would begin a finding if they stood alone. */
  readonly left: readonly string[];
  /** Labels in the middle of lines. */
  readonly mentions: readonly Mention[];
  readonly dropped: Dropped;
  readonly notes: readonly string[];
  /** The answer says that there is nothing: in a line, in a line with a label, or at the end of its prose. */
  readonly none: 'labelled' | 'line' | 'prose' | null;
  readonly hasLabelledLine: boolean;
  /** A line that may have been a finding and could not be read as one. */
  readonly isLossy: boolean;
  /** A line of the exact shape whose label nobody can understand. */
  readonly undeclared: string | null;
}

/** What an index names: its items in the prose are headed by their ids or their titles. */
export interface Entries {
  readonly names: Names;
  readonly labels: ReadonlyMap<string, Label>;
}

interface Item {
  readonly kind: Kind | 'line' | 'row' | 'field' | 'named';
  readonly level: number;
  readonly indent: number;
  /** What stands behind the mark, the label and all. */
  readonly content: string;
  readonly title: string;
  readonly id: string | null;
  label: string;
  severity: Severity | null;
  /** Where the label stands on the line itself. */
  readonly place: Place | null;
  /** The place on a line of its own above. */
  readonly at: Place | null;
  /** Its severity stands in its own words, not in the heading above. */
  isStated: boolean;
  /** A field tells it. */
  hasField: boolean;
  readonly notes: readonly string[];
  readonly raw: string[];
  readonly body: ProseLine[];
}

export interface Walk {
  readonly options: ReadingOptions;
  readonly entries: Entries | null;
  /** Of the last heading that is no item. */
  level: number;
  /** In a part of an index file that says nothing of its entries. */
  isBeside: boolean;
  readonly units: ReadonlySet<string>;
  readonly sieve: Sieve;
  readonly findings: StatedFinding[];
  readonly runs: number[];
  readonly votes: Vote[];
  readonly unparsed: string[];
  readonly left: string[];
  readonly mentions: Mention[];
  readonly dropped: Dropped;
  readonly notes: string[];
  none: Report['none'];
  open: Item | null;
  /** The heading whose label holds for what stands below it. */
  section: (Label & { readonly level: number }) | null;
  /** The kind of item that the last finding below this heading was. */
  among: Item['kind'] | null;
  /** A line that is nothing but a place: that of the next finding. */
  at: Place | null;
  header: TableHeader | null;
  isAfterBlank: boolean;
  hasProseBetween: boolean;
  verdict: VerdictLine | null;
  isVerdictNext: boolean;
  isVerdictLast: boolean;
  hasLabelledLine: boolean;
  isLossy: boolean;
  undeclared: string | null;
}

export function startWalk(options: ReadingOptions, entries: Entries | null): Walk {
  return {
    options,
    entries,
    level: 7,
    isBeside: false,
    units: new Set(options.units),
    sieve: createSieve(options.sent),
    findings: [],
    runs: [],
    votes: [],
    unparsed: [],
    left: [],
    mentions: [],
    dropped: nothingDropped(),
    notes: [],
    none: null,
    open: null,
    section: null,
    among: null,
    at: null,
    header: null,
    isAfterBlank: true,
    hasProseBetween: true,
    verdict: null,
    isVerdictNext: false,
    isVerdictLast: false,
    hasLabelledLine: false,
    isLossy: false,
    undeclared: null,
  };
}

/** A heading, a number or a bold line holds what stands below it, whether its severity is known already or not. */
export function isOwner({ kind, severity }: Item): boolean {
  return (
    kind === 'number' ||
    kind === 'named' ||
    kind === 'bold' ||
    kind === 'field' ||
    (kind === 'heading' && severity !== null)
  );
}

/** Its severity is a value of its own, read as medium where an order is needed. */
export const unstated: Label = { label: unstatedLabel, severity: unstatedSeverity };

/** What stands below or behind an item goes to it; else it is prose. */
export function goOn(walk: Walk, line: Line): void {
  const { text } = line;
  const { open: item } = walk;
  if (!line.isQuoted && line.fence === null) noteMentions(walk, text);
  const isIndented = /^\s/.test(text);
  const isBeside = line.isQuoted || line.fence !== null;
  if (
    item !== null &&
    (isIndented || isOwner(item) || item.kind === 'heading' || !walk.isAfterBlank)
  ) {
    item.raw.push(text);
    item.body.push(line);
    if (item.severity !== null || isBeside) return;
  } else if ((isIndented && walk.section === null) || isBeside || isRule(text)) return;
  else {
    close(walk);
    walk.among = null;
  }
  const chaff = walk.sieve(text, text);
  if (chaff !== null) {
    if (chaff === 'placeholder') walk.none ??= 'line';
    walk.dropped[chaff] += 1;
    return;
  }
  if (endsInNone(text)) walk.none ??= 'prose';
  walk.hasProseBetween = true;
  if (walk.section === null) return;
  walk.unparsed.push(text);
  if (!isNegative(text)) walk.mentions.push({ ...walk.section, line: text });
}

function isRule(text: string): boolean {
  return /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(text.slice(0, 200));
}

export function noteMentions({ mentions, options, sieve }: Walk, text: string): void {
  mentions.push(...mentionsIn(text, options.scale, sieve));
}

/** True, for a caller whose line is dealt with. */
export function drop(walk: Walk, chaff: keyof Dropped): boolean {
  close(walk);
  walk.dropped[chaff] += 1;
  return true;
}

type NewItem = Pick<Item, 'kind' | 'content' | 'title' | 'label' | 'severity' | 'place'> &
  Partial<Pick<Item, 'id' | 'level' | 'notes' | 'isStated' | 'hasField'>> & {
    readonly text: string;
  };

export function open(walk: Walk, { text, ...item }: NewItem): void {
  close(walk);
  walk.open = {
    id: null,
    level: 7,
    notes: [],
    isStated: true,
    hasField: false,
    ...item,
    at: walk.at,
    indent: text.search(/\S/),
    raw: [text],
    body: [],
  };
  walk.at = null;
}

export function close(walk: Walk): void {
  const item = walk.open;
  walk.open = null;
  if (item === null) return;
  // Fields without one of a severity.
  const isUnstated = item.kind === 'field' && item.body.some(({ text }) => titleField.test(text));
  if (item.severity === null && isUnstated) Object.assign(item, unstated);
  if (item.severity === null) return;
  const finding = toFinding(item, item.severity);
  const chaff = walk.sieve(finding.text, item.raw[0]);
  if (isBlank(finding.text)) {
    walk.left.push(item.raw[0] ?? '');
    return;
  }
  if (chaff !== null) {
    if (chaff === 'placeholder') walk.none ??= 'line';
    if (item.hasField) noteMentions(walk, item.raw[0] ?? '');
    walk.dropped[chaff] += 1;
    return;
  }
  if (walk.hasProseBetween) walk.runs.push(walk.findings.length);
  walk.hasProseBetween = false;
  walk.findings.push(finding);
  walk.among = item.kind;
}

const titleField =
  /^\s*(?:[-*+]\s+)?[*_`]{0,3}(?:issue|title|problem|finding|description|summary|message|details|titel|beschreibung|问题|描述)[*_`]{0,3}\s?[:：=][*_`]{0,3}\s{0,3}"?(\S.*?)"?$/isu;
export const otherField = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{L}[\p{L} ]{1,20}[*_`]{0,3}\s?[:：]/u;

function toFinding(item: Item, severity: Severity): StatedFinding {
  const { content, title, label, id, place, notes, raw, body } = item;
  const spoken = body.map(({ text, isQuoted, fence }) => (isQuoted || fence !== null ? '' : text));
  const isUntitled = /^[*_]{0,3}$/.test(title) || readField(title, new Map()) !== null;
  const titled = spoken.findIndex(line => titleField.test(line));
  const at = !isUntitled
    ? -1
    : titled !== -1
      ? titled
      : spoken.findIndex(line => /\p{L}{2}/u.test(line) && !otherField.test(line));
  const said = at === -1 ? title : (titleField.exec(spoken[at] ?? '')?.[1] ?? spoken[at] ?? title);
  const rest = body.filter((_, index) => index !== at);
  if (item.kind === 'named') {
    const words = content.startsWith(title) ? content.slice(title.length) : content;
    rest.unshift({ text: trimOff(words, ' :—–-*_'), isQuoted: false, fence: null });
  }
  const first = item.kind === 'field' ? [raw[0] ?? ''] : [];
  const whole = [...first, said, ...rest.map(({ text }) => text)].join('\n');
  const head = splitPlace(content);
  const words = splitPlace(said);
  const labelled = labelledPlaceIn(whole);
  const isExact = item.kind === 'line';
  return stateFinding(
    {
      originalId: id ?? '',
      label,
      severity,
      text: isExact ? said : words.text,
      raw: raw.join('\n'),
      ...toIssue(rest),
      notes: [...notes],
    },
    place ??
      (isExact
        ? item.at
        : ((head.text === content ? null : head.place) ??
          (labelled?.line === null ? placeOfFields(raw.map(line => line.trim())) : null) ??
          labelled ??
          head.place ??
          placeIn(whole) ??
          item.at)),
  );
}
