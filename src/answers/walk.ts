/** The state of the walk over an answer: the item that is open, what goes on with it, and the finding that it becomes. */
import { groupsBy } from '../core/groups.ts';
import { cut, isBlank, trimOff } from '../core/text.ts';
import {
  rankOf,
  unstatedSeverity,
  type Severity,
  type StatedFinding,
} from '../core/words/finding.ts';
import type { Cause } from '../core/words/review.ts';
import { mentionsIn, readField, readHead, startOf, type Head, type Kind } from './heads.ts';
import {
  type Entries,
  type ProseLine,
  labelledPlaceIn,
  placeIn,
  splitPlace,
  toIssue,
} from './place-in-text.ts';
import { claimOf, type VerdictLine } from './labels.ts';
import { isSpoken, type Line, type TableHeader } from './layout.ts';
import {
  emptyDraft,
  reject,
  type Attempt,
  type Chaff,
  type Label,
  type Question,
  type ReadingOptions,
  type Vote,
} from './reading.ts';
import {
  admissionIn,
  countIn,
  endsInNone,
  isContrast,
  isNegative,
  isStatementOfNone,
  tellsOfChange,
} from './sieve.ts';
import {
  placeOf,
  placeOfFields,
  stateFinding,
  unstatedLabel,
  type Place,
} from '../core/words/stated.ts';

interface Item extends Omit<Head, 'severity' | 'label'> {
  readonly kind: Kind | 'line' | 'row' | 'field' | 'named';
  readonly level: number;
  readonly indent: number;
  /** What stands behind the mark, the label and all. */
  readonly content: string;
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

export type Walk = ReturnType<typeof startWalk>;

export function startWalk(options: Question, entries: Entries | null) {
  return {
    options,
    entries,
    units: new Set(options.units),
    draft: { ...emptyDraft('lines'), placed: new Array<StatedFinding>() },
    /** Indexes of the findings where each run of them begins: prose between two starts a new one. */
    runs: new Array<number>(),
    hasProseBetween: true,
    open: null as Item | null,
    /** The heading whose label holds for what stands below it. */
    section: null as (Label & { readonly level: number }) | null,
    /** The kind of item that the last finding below this heading was. */
    among: null as Item['kind'] | null,
    /** A line that is nothing but a place: that of the next finding. */
    at: null as Place | null,
    /** The file that the last heading, or line of nothing else, names. */
    file: null as string | null,
    /** What the line is of a table. */
    table: null as 'head' | 'row' | null,
    header: null as TableHeader | null,
    /** By a rule on the next line. */
    isUnderlined: false,
    /** A field of an item is on the next line. */
    isAboveField: false,
    /** The names of the columns of the table. */
    columns: [] as readonly string[],
    isAfterBlank: true,
    /** Of the last heading that is no item. */
    level: 7,
    /** In a part of an index file that says nothing of its entries. */
    isBeside: false,
    /** The answer says that there is nothing: in a line, in a line with a label, or at the end of its prose. */
    none: null as 'labelled' | 'line' | 'prose' | null,
    verdict: null as VerdictLine | null,
    isVerdictNext: false,
    isVerdictLast: false,
    hasLabelledLine: false,
    /** A line that may have been a finding and could not be read as one. */
    isLossy: false,
    /** What the answer says against itself: that something was not read. */
    admission: null as Cause | null,
    /** The section says so: prose below without a place is none of it. */
    isEmpty: false,
    /** Below a heading such as "Issues": what says "none" there speaks for every remark above it. */
    isAboutFindings: false,
    /** Below the heading of a part that tells of no open trouble: what is good, or what is settled since. */
    beside: null as 'praise' | 'settled' | null,
    /** A line of the exact shape whose label nobody can understand. */
    undeclared: null as string | null,
  };
}

/** A heading, a number or a bold line holds what stands below it, whether its severity is known already or not. */
export function isOwner({ kind, severity }: Item) {
  return (
    ['number', 'named', 'bold', 'field'].includes(kind) || (kind === 'heading' && severity !== null)
  );
}

/** Its severity is a value of its own, read as medium where an order is needed. */
export const unstated: Label = { label: unstatedLabel, severity: unstatedSeverity };

/** What stands below or behind an item goes to it; else it is prose. */
export function goOn(walk: Walk, line: Line) {
  const { text } = line;
  const { open: item, draft } = walk;
  const isOwn = isSpoken(line);
  const isIndented = /^\s/.test(text);
  const isProse = !item || (walk.isAfterBlank && !isOwner(item));
  if (isOwn) notePhrases(walk, text, isProse || (item.kind === 'line' && !isIndented && 'below'));
  const isBelow = isIndented || item?.kind === 'heading' || !walk.isAfterBlank;
  if (item && (isBelow || isOwner(item))) {
    item.raw.push(text);
    item.body.push(line);
    if (item.severity !== null || !isOwn) return;
  } else if (
    (isIndented && !walk.section) ||
    (!isOwn && !(walk.section && line.isQuoted)) ||
    rule.test(text.slice(0, 200))
  )
    return;
  else {
    close(walk);
    walk.among = null;
  }
  if (isChaff(walk, text, text)) return;
  if (endsInNone(text)) walk.none ??= 'prose';
  walk.hasProseBetween = true;
  if (!walk.section || (walk.isEmpty && walk.isAfterBlank && !placeIn(text))) return;
  draft.unparsed.push(text);
  // The line alone does not tell how bad it is.
  if (!isNegative(text))
    draft.mentions.push({ ...walk.section, line: `${walk.section.label}: ${text}` });
}

/** What parts are set off with: a line across the page, or tags alone. */
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|(?:<\/?\w[^<>]*>\s*)+)\s*$/;

/** Counts what is never a finding. `isBare`: there is no label that makes it one. */
export function isChaff(walk: Walk, text: string, line: string, isBare = true) {
  const none = isBare && isStatementOfNone(text) ? 'placeholder' : null;
  const chaff = none ?? walk.options.sieve(text, line);
  if (chaff === 'placeholder') {
    walk.none ??= 'line';
    walk.isEmpty = isBare;
    if (walk.isAboutFindings) walk.draft.unparsed.length = 0;
  }
  if (chaff !== null) walk.draft.dropped[chaff] += 1;
  return chaff !== null;
}

export function noteMentions({ draft, options }: Walk, text: string) {
  draft.mentions.push(...mentionsIn(text, options));
}

/** `Criterion 2 is not met` */
const unmet =
  /\bcriteri(?:on|um) #?(\d{1,4})(?: (?:is|was|has))? (?:fail(?:s|ed)|not (?:been )?(?:met|satisfied|fulfilled))\b/i;

/** What a line of prose says: labels, that something was not read, or, behind "that said", what is wrong in a line of the code. */
export function notePhrases(walk: Walk, text: string, isProse: boolean | 'below') {
  noteMentions(walk, text);
  walk.admission ??= admissionIn(text, isProse);
  const criterion = walk.options.voting && unmet.exec(text)?.[1];
  if (criterion) walk.draft.votes.push({ criterion: Number(criterion), vote: 'FAIL' });
  const count = isProse === true ? countIn(text) : 0;
  if (count > 0)
    walk.draft.mentions.push({ label: 'count', severity: 'critical', line: text, count });
  const namesLine = typeof placeIn(text)?.line === 'number' || /\bline \d/i.test(text);
  if (isProse === true && namesLine && isContrast(text)) walk.draft.left.push(text);
}

/** True, for a caller whose line is dealt with. Whoever wrote the change may have put there what a reviewer would say. */
export function drop(walk: Walk, chaff: Chaff, line: string) {
  close(walk);
  walk.draft.dropped[chaff] += 1;
  if (chaff === 'prompt') walk.draft.left.push(line);
  return true;
}

/** `content` is the title where nothing else is given. */
export function open(walk: Walk, text: string, item: OpenedItem) {
  close(walk);
  noteMentions(walk, item.title);
  walk.open = {
    level: 7,
    notes: [],
    content: item.title,
    place: null,
    isStated: true,
    hasField: false,
    ...item,
    ...graverLabel(walk, item),
    at: walk.at ?? labelledPlaceIn(`file: ${walk.file}, ${text}`),
    indent: text.search(/\S/),
    raw: [text],
    body: [],
  };
  walk.at = null;
}

type OpenedItem = Pick<Item, 'kind' | 'title' | 'label' | 'severity'> & Partial<Item>;

/** A label behind the label: `Note: **Critical** …`. The graver one is meant. */
function graverLabel({ options }: Walk, item: OpenedItem) {
  const head = readHead(startOf(item.title, true), options.scale);
  const isGraver = head?.severity && item.severity && rankOf(head.severity) < rankOf(item.severity);
  return isGraver ? { label: head.label, severity: head.severity } : null;
}

export function close(walk: Walk) {
  const { open: item, draft } = walk;
  walk.open = null;
  if (!item) return;
  // Fields without one of a severity.
  const isUnstated = item.kind === 'field' && item.body.some(({ text }) => titleField.test(text));
  if (item.severity === null && isUnstated) Object.assign(item, unstated);
  const [first = ''] = item.raw;
  if (item.severity === null) {
    walk.file = labelledPlaceIn(first)?.path ?? walk.file;
    const placed = toFinding({ ...item, ...unstated }, unstatedSeverity);
    if (placed.line !== null && !walk.beside && !tellsOfChange(item.content))
      draft.placed.push(placed);
    return;
  }
  const finding = toFinding(item, item.severity);
  // How much a change matters tells of no finding: `Impact: Low`.
  const isAside = rankOf(item.severity) > rankOf(/severity/i.test(first) ? 'medium' : 'high');
  if (isBlank(finding.text)) {
    if (!isAside) draft.left.push(first);
    if (item.body.some(({ text }) => isStatementOfNone(text))) walk.none ??= 'line';
  } else if (isChaff(walk, finding.text, first, false)) {
    if (item.hasField) noteMentions(walk, first);
    if (walk.options.sieve(finding.text, first) === 'prompt') draft.left.push(first);
  } else {
    if (walk.hasProseBetween) walk.runs.push(draft.findings.length);
    walk.hasProseBetween = false;
    draft.findings.push(finding);
    walk.among = item.kind;
  }
}

const titleField = new RegExp(
  String.raw`^\s*(?:[-*+]\s+)?[*_\x60]{0,3}(?:issue|title|problem|finding|description|summary|message|details|` +
    String.raw`titel|beschreibung|问题|描述)[*_\x60]{0,3}\s?[:：=][*_\x60]{0,3}\s{0,3}"?(\S.*?)"?$`,
  'isu',
);
export const otherField = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{L}[\p{L} ]{1,20}[*_`]{0,3}\s?[:：]/u;

function toFinding(item: Item, severity: Severity) {
  const { content, title, label, id, place, notes, raw, body } = item;
  const isUntitled = /^[*_]{0,3}$/.test(title) || readField(title, new Map()) !== null;
  const spoken = isUntitled ? body.filter(isSpoken) : [];
  const titled = spoken.find(({ text }) => titleField.test(text));
  const first =
    titled ?? spoken.find(({ text }) => /\p{L}{2}/u.test(text) && !otherField.test(text));
  const said = titleField.exec(titled?.text ?? '')?.[1] ?? first?.text ?? title;
  const rest = body.filter(line => line !== first);
  if (item.kind === 'named') {
    const words = content.startsWith(title) ? content.slice(title.length) : content;
    rest.unshift({ text: trimOff(words, ' :—–-*_'), isQuoted: false, fence: null });
  }
  const field = item.kind === 'field' ? [raw[0] ?? ''] : [];
  const whole = [...field, said, ...rest.map(({ text }) => text)].join('\n');
  const head = splitPlace(content);
  const labelled = labelledPlaceIn(whole);
  const isExact = item.kind === 'line';
  return stateFinding(
    {
      originalId: id ?? '',
      label,
      severity,
      text: isExact ? said : splitPlace(said).text,
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

/** Null when nothing was seen: no finding, no statement of none, no vote, nothing dropped or left over. */
export function draftOf(walk: Walk, { strict }: ReadingOptions): Attempt {
  const { draft, verdict, none, isVerdictLast } = walk;
  const { findings, unparsed, dropped, votes, left, mentions, placed } = draft;
  const seen = [findings, votes, unparsed, left, mentions, placed].some(list => list.length > 0);
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (!seen && !hasChaff && !verdict && none === null && walk.admission === null) return null;
  if (walk.undeclared !== null)
    return reject('schema', `Nobody declared the severity of "${cut(walk.undeclared, 120)}".`, {
      unparsed,
      dropped,
    });
  if (strict && haveDifferentFindings(walk))
    return reject('ambiguous', 'Two runs of findings, separated by prose, differ.', {
      unparsed,
      dropped,
    });
  const notes = [...new Set(draft.notes)];
  // Beside findings a label that nobody knows makes one.
  if (findings.length > 0) findings.push(...placed.filter(({ raw }) => otherField.test(raw)));
  return {
    ...draft,
    format: walk.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets',
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: (isVerdictLast || !strict) && verdict?.verdict !== null ? verdict : null,
    isZeroStated: (!strict || none === 'labelled') && saysNone(walk),
    // The end mark that is asked for is taken off before; a verdict on the last line proves as much.
    hasEndMark: isVerdictLast,
    doubt: walk.isLossy ? { cause: 'schema' } : walk.admission && { cause: walk.admission },
    notes,
    votes: settleVotes(votes, notes),
  };
}

/** Does a statement of none speak for the whole answer? */
function saysNone({ draft, none, isVerdictLast, verdict }: Walk) {
  const isSafe = isVerdictLast && verdict?.verdict === 'safe';
  return (
    draft.findings.length === 0 &&
    none !== null &&
    (none !== 'prose' || draft.mentions.length + draft.left.length === 0) &&
    (isSafe || draft.unparsed.every(isNegative))
  );
}

function haveDifferentFindings({ draft, runs }: Walk) {
  const keys = runs.map((start, index) =>
    draft.findings
      .slice(start, runs[index + 1])
      .map(finding => `${finding.severity}|${finding.text}`)
      .sort()
      .join('\n'),
  );
  return new Set(keys).size > 1;
}

/** One vote for each criterion: a reviewer that votes both ways has not passed it, and a note says so. */
function settleVotes(votes: readonly Vote[], notes: string[]) {
  return groupsBy(votes, ({ criterion }) => criterion).map(([first, ...others]) => {
    const other = others.find(({ vote }) => vote !== first.vote);
    if (!other) return first;
    notes.push(`Criterion ${first.criterion} was voted on both ways; FAIL stands.`);
    return { ...first, vote: 'FAIL' as const };
  });
}

/** Of several the worst counts: who takes a verdict back has not said which of the two holds. */
export function hearVerdict(walk: Pick<Walk, 'verdict'>, verdict: VerdictLine | null) {
  const earlier = walk.verdict?.verdict ?? null;
  const isWorse = !verdict?.verdict || claimOf(verdict.verdict, earlier ?? 'safe') !== 'lower';
  if (verdict && (earlier === null || isWorse)) walk.verdict = verdict;
}

/** `File: src/a.ts:3` above the other fields of an item, or again below the fields of another one. */
export function beginsFields({ open: item }: Walk, text: string) {
  const named = labelledPlaceIn(text);
  if (!named) return false;
  if (!item || item.kind === 'line' || item.kind === 'place') return true;
  // Below another file.
  if (item.at && item.at.path !== named.path) return true;
  return (
    item.kind === 'field' &&
    item.severity !== null &&
    item.raw.some(line => labelledPlaceIn(line) !== null)
  );
}

/** A label without a place below an item of the same weight tells more of it: `- **High** impact, since …`. */
export function isRestated({ open: item }: Walk, head: Head, text: string) {
  return (
    item !== null &&
    item.severity === head.severity &&
    isOwner(item) &&
    /^\s/.test(text) &&
    !placeIn(head.title)
  );
}

/** A file, or a file and line, with nothing beside. */
export function placeAlone({ units }: Walk, text: string): Place | null {
  const bare = trimOff(text.trim().replace(/^in\s|[:：]$/gi, ''), '*_`');
  return /[<>|]|\s(?!at lines? \d|lines? \d|\d)/.test(bare) ? null : placeOf(bare, units);
}

/** The place of the next finding. */
export function isPlaceAlone(walk: Walk, text: string) {
  const only = placeAlone(walk, text);
  if (only?.line === null) walk.file = only.path;
  else walk.at = only ?? walk.at;
  return only !== null;
}

/** A file and line at the beginning, other than that of the finding which is open. */
export function namesNewPlace({ open: item }: Walk, content: string) {
  const place = placeIn(content.slice(0, 400));
  const isFirst = content.replace(/^[`*_[]*/, '').startsWith(place?.path ?? '\n');
  const known = item?.place ?? null;
  const isKnown = known?.path === place?.path && known?.line === place?.line;
  return (
    isFirst && typeof place?.line === 'number' && !isKnown && !isNegative(splitPlace(content).text)
  );
}
