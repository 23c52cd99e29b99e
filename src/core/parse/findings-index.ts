/**
 * Reads a Findings Index, as a file or as an answer: tolerant of every deviation seen in the wild, each of which it reports, and
 * losing no line.
 */
import { nameApart, type StatedFinding } from '../words/finding.ts';
import type { ReviewVerdict } from '../words/review.ts';
import {
  indexLevelOf,
  rankOf,
  severities,
  type LabelScale,
  type Severity,
} from '../words/severity.ts';
import { cut, toLine } from '../text.ts';
import { computeVerdict, type VerdictStatus } from '../verdict/verdict-file.ts';
import { withoutRestated } from './account.ts';
import {
  deviations,
  isIndexHeading,
  readIndexBlock,
  readSeverity,
  type BlockEntry,
  type Deviation,
  type IndexBlock,
} from './index-block.ts';
import { readImprovements, summaryOf } from './index-prose.ts';
import { namesOf, type Issue } from './issues.ts';
import { claimOf, readVerdictLine, undeclaredNote, type Claimed } from './labels.ts';
import { reject, type Attempt, type Draft, type Dropped, type ReadingOptions } from './reading.ts';
import { createSieve, type Sieve } from './sieve.ts';
import { placeIn } from './place-in-text.ts';
import { layOut } from './layout.ts';
import { readReportLines } from './report.ts';
import { placeOf, placeOfFields, stateFinding, unstatedLabel } from './stated.ts';
import { isTableRow } from './tables.ts';
import type { Report } from './walk.ts';

export interface IndexEntry {
  readonly agent?: string;
  /** Unique within the file: a second use of an id is `<id>#2`; `#n` where there is none. */
  readonly id: string;
  readonly severity: Severity;
  /** As written. */
  readonly label: string;
  readonly section: string;
  readonly title: string;
  readonly file: string | null;
  readonly line: number | null;
  /** Null where one line is named, or none. */
  readonly endLine: number | null;
  readonly extra: readonly string[];
  /** What *Issues Found* says about it; null when nothing. */
  readonly issue: Issue | null;
  /** The line, untouched. */
  readonly raw: string;
}

export interface FindingsIndex {
  /** `malformed`: content without a usable index; its entries, if any, were read from the prose. */
  readonly state: 'valid' | 'malformed' | 'error';
  readonly entries: readonly IndexEntry[];
  /** Entries of the kinds IMP, INFO, NOTE, and the items of the section *Improvements*. */
  readonly improvements: readonly IndexEntry[];
  /** Lines of the block that are no entry. */
  readonly unparsed: readonly string[];
  /** Those of them that are shaped like an entry and begin with a word nobody declared. */
  readonly undeclared: readonly string[];
  readonly dropped: { readonly placeholder: number; readonly template: number };
  /** Each once, in the order of `deviations`. */
  readonly deviations: readonly Deviation[];
  /** Null when missing or not understood. */
  readonly claimed: ReviewVerdict | null;
  /** The claimed verdict in the reviewer's words; null when missing. */
  readonly claimedWords: string | null;
  /** From the entries alone; `error` for a file in that state. */
  readonly computed: ReviewVerdict;
  readonly claim: Claimed;
  /** `low` for a malformed file. */
  readonly confidence: 'normal' | 'low';
  /** What a person should know; null when nothing. */
  readonly message: string | null;
  /** One line of at most 160 characters. */
  readonly summary: string;
  /** What its prose says, read like any other answer. */
  readonly report: Report;
}

/** `agent` is the name the entries carry. `scale` adds the labels of a mode to those every index may use. */
export function readFindingsIndex(
  text: string,
  agent?: string,
  options: ReadingOptions = plainOptions,
): FindingsIndex {
  const block = readIndexBlock(text, options.scale);
  const indexed = nameEntries([...block.entries, ...improvementEntries(block.lines)]);
  const report = readReportLines(block.outside, options, {
    names: namesOf(new Map(indexed.map(({ id, fields }) => [id, fields.title]))),
    labels: new Map(indexed.map(({ id, fields }) => [id, fields])),
  });
  const said = new Map(
    report.findings.toReversed().map(finding => [finding.originalId, finding] as const),
  );
  const listed = indexed.map(entry => toEntry(entry, said.get(entry.id), agent));
  const beyond = beyondIndex(report, listed);
  const names = nameEntries([
    ...block.entries,
    ...beyond.map(({ fields, raw }) => ({ fields, raw })),
  ]);
  const entries = [
    ...listed.filter((_, index) => indexed[index]?.fields.isImprovement === false),
    ...beyond.map(({ fields, raw, said: own }, index) =>
      toEntry(
        { fields, raw, id: names[block.entries.length + index]?.id ?? '', isRenamed: false },
        own,
        agent,
      ),
    ),
  ];
  const hasEntry = block.entries.some(({ fields }) => !fields.isImprovement);
  const state = stateOf(text, block, hasEntry || beyond.length > 0 ? hasEntry : null);
  const computed =
    state === 'error' ? 'error' : computeVerdict(entries.map(entry => entry.severity));
  return {
    state,
    entries,
    improvements: listed.filter((_, index) => indexed[index]?.fields.isImprovement === true),
    unparsed: block.unparsed.filter(line => !beyond.some(({ raw }) => raw.startsWith(line))),
    undeclared: block.undeclared,
    dropped: block.dropped,
    deviations: deviations.filter(
      code =>
        block.deviations.has(code) ||
        (code === 'duplicate-id' &&
          indexed.slice(0, block.entries.length).some(entry => entry.isRenamed)),
    ),
    claimed: block.verdict?.verdict ?? null,
    claimedWords: block.verdict?.words ?? null,
    computed,
    claim: claimOf(block.verdict?.verdict ?? null, computed),
    confidence: state === 'malformed' ? 'low' : 'normal',
    message:
      state === 'malformed'
        ? `Agent ${agent ?? 'unknown'} produced malformed index — using prose fallback`
        : null,
    summary: summaryOf(block.lines, figuresOf(entries)),
    report,
  };
}

/** Of a file that nobody was asked for. */
const plainOptions: ReadingOptions = {
  scale: new Map(),
  sent: { instructions: '', prompt: '' },
  stop: 'end',
  strict: false,
  undeclaredLabel: 'keep',
  nonce: null,
  units: [],
  voting: false,
};

/** What the prose says beyond the index: its items name the entries again, and are findings of their own where they do not. */
function beyondIndex(
  { findings }: Report,
  listed: readonly IndexEntry[],
): (BlockEntry & { readonly said: StatedFinding })[] {
  const known = listed.map(({ id, title, file, ...entry }) => ({
    ...entry,
    originalId: id,
    text: title,
    path: file,
  }));
  const ids = new Set(known.map(({ originalId }) => originalId));
  const named = findings
    .filter(({ label }) => label !== unstatedLabel)
    .map(said => ({
      ...said,
      originalId: said.originalId === '' ? idIn(said.raw, ids) : said.originalId,
    }));
  return withoutRestated(named, known).map(said => ({
    said,
    raw: said.raw,
    fields: {
      kind: 'entry',
      severity: said.severity,
      label: said.label,
      isImprovement: false,
      id: said.originalId === '' ? null : said.originalId,
      section: said.section ?? '',
      title: said.text,
      extra: [],
      deviations: [],
    },
  }));
}

/** The id of an entry that the first line of an item names. */
function idIn(raw: string, ids: ReadonlySet<string>): string {
  const [line = ''] = raw.split('\n', 1);
  return (
    (line.slice(0, 1_000).match(/[\p{L}\p{N}_.#/-]+/gu) ?? [])
      .flatMap(word => [word, word.replace(/[./-]+$/, '')])
      .find(word => ids.has(word)) ?? ''
  );
}

export interface IndexStanding {
  readonly state: FindingsIndex['state'];
  readonly claimed: ReviewVerdict | null;
  readonly computed: ReviewVerdict;
  /** The file was not finished, or the reviewer was made to return. */
  readonly isPartial: boolean;
  readonly isVetoed: boolean;
}

/** The status of a verdict file, for reviewers that report findings. */
export function statusOf({
  state,
  claimed,
  computed,
  isPartial,
  isVetoed,
}: IndexStanding): Extract<
  VerdictStatus,
  'CLEAN' | 'NEEDS_ATTENTION' | 'BLOCKED' | 'ERROR' | 'PARTIAL'
> {
  if (state === 'error' || computed === 'error') return 'ERROR';
  if (isVetoed) return 'BLOCKED';
  if (isPartial) return 'PARTIAL';
  return computed === 'safe' && (claimed === null || claimed === 'safe') && state === 'valid'
    ? 'CLEAN'
    : 'NEEDS_ATTENTION';
}

/** An index that names nothing is believed where the prose names nothing either (`hasEntry` is null). */
function stateOf(
  text: string,
  block: IndexBlock,
  hasEntry: boolean | null,
): FindingsIndex['state'] {
  const claimed = block.verdict?.verdict ?? null;
  if (text.trim() === '' || claimed === 'error') return 'error';
  return block.hasIndex && (hasEntry ?? claimed === 'safe') ? 'valid' : 'malformed';
}

function improvementEntries(lines: readonly string[]): BlockEntry[] {
  return readImprovements(lines).map(({ id, title, raw }) => ({
    fields: {
      kind: 'entry',
      severity: 'low',
      label: 'IMP',
      isImprovement: true,
      id,
      section: '',
      title,
      extra: [],
      deviations: [],
    },
    raw,
  }));
}

interface NamedEntry extends BlockEntry {
  readonly id: string;
  readonly isRenamed: boolean;
}

function nameEntries(entries: readonly BlockEntry[]): NamedEntry[] {
  const called = entries.map(({ fields: { id } }, index) => ({
    originalId: id ?? `#${index + 1}`,
  }));
  const named = nameApart(called).map(({ originalId }) => originalId);
  return entries.map((entry, index) => {
    const id = named[index] ?? '';
    return { ...entry, id, isRenamed: entry.fields.id !== null && entry.fields.id !== id };
  });
}

/** `said`: the item of the prose that the entry names. */
function toEntry(
  { fields, raw, id }: NamedEntry,
  said: StatedFinding | undefined,
  agent: string | undefined,
): IndexEntry {
  const { severity, label, section, title, extra } = fields;
  const place =
    placeIn(title) ??
    extra
      .map(field => placeOf(field) ?? placeIn(field))
      .find(found => found !== null && found.line !== null) ??
    placeOfFields(extra);
  return {
    ...(agent === undefined ? {} : { agent }),
    id,
    severity,
    label,
    section,
    title,
    file: (place ?? said)?.path ?? null,
    line: (place ?? said)?.line ?? null,
    endLine: (place ?? said)?.endLine ?? null,
    extra,
    issue:
      said === undefined ? null : { evidence: said.evidence, recommendation: said.recommendation },
    raw,
  };
}

/** `P0x1 P2x3: <title of the most severe>`. */
function figuresOf(entries: readonly IndexEntry[]): string {
  const [top] = [...entries].sort((one, other) => rankOf(one.severity) - rankOf(other.severity));
  if (top === undefined) return 'no findings';
  const counts = severities.map(
    severity =>
      [
        indexLevelOf(severity),
        entries.filter(entry => entry.severity === severity).length,
      ] as const,
  );
  return `${counts
    .filter(([, count]) => count > 0)
    .map(([level, count]) => `${level}x${count}`)
    .join(' ')}: ${cut(toLine(top.title), 120)}`;
}

/** Null when there is no index. */
export function readIndex(text: string, options: ReadingOptions): Attempt {
  const isHeaded = layOut(text).lines.some(
    line => line.fence === null && !line.isQuoted && isIndexHeading(line.text),
  );
  if (!isHeaded) return null;
  const index = readFindingsIndex(text, undefined, options);
  const undeclared = index.undeclared.find(line => !isTableRow(line));
  if (undeclared !== undefined && options.undeclaredLabel === 'reject')
    return reject('schema', `Nobody declared the severity of "${cut(undeclared.trim(), 120)}".`, {
      unparsed: index.unparsed,
    });
  if (index.claimedWords !== null && index.claimed === null)
    return reject(
      'schema',
      `The stated verdict "${cut(index.claimedWords, 80)}" is none of the declared words.`,
      { unparsed: index.unparsed },
    );
  const lastLine = text.trimEnd().split('\n').at(-1) ?? '';
  const draft = toDraft(index, options);
  // Nothing can be missing behind it.
  return readVerdictLine(lastLine) === null ? draft : { ...draft, isMarked: true };
}

function toDraft(index: FindingsIndex, options: ReadingOptions): Draft {
  const dropped: Dropped = { ...index.dropped, prompt: 0 };
  const sieve = createSieve(options.sent);
  const findings = index.entries
    .filter(entry => isOwn(entry, sieve, dropped))
    .map(entry => stateEntry(entry, options.scale));
  const improvements = index.improvements
    .filter(entry => isOwn(entry, sieve, dropped))
    .map(entry => stateEntry(entry, options.scale));
  return {
    kind: 'draft',
    format: 'index',
    findings,
    improvements,
    verdict:
      index.claimedWords === null ? null : { words: index.claimedWords, verdict: index.claimed },
    isZeroStated:
      findings.length === 0 && index.claimed === 'safe' && dropped.template + dropped.prompt === 0,
    hasEndMark: index.claimed !== null,
    // Read from the prose of a broken index, or beside rows of a table that nobody understands: there may be more than was found.
    doubt:
      index.state === 'malformed' ||
      (options.undeclaredLabel === 'reject' && index.undeclared.length > 0)
        ? { cause: 'schema' }
        : null,
    unparsed: index.unparsed,
    left: index.report.left,
    mentions: index.report.mentions,
    dropped,
    deviations: index.deviations,
    notes:
      index.message === null ? [] : ['The index is malformed; findings were read from the prose.'],
    filesReviewed: null,
    votes: [],
  };
}

function isOwn(entry: IndexEntry, sieve: Sieve, dropped: Dropped): boolean {
  const chaff = sieve(entry.title, entry.raw);
  if (chaff !== null) dropped[chaff] += 1;
  return chaff === null;
}

function stateEntry(
  { id, severity, label, section, title, file, line, endLine, extra, issue, raw }: IndexEntry,
  scale: LabelScale,
): StatedFinding {
  return stateFinding(
    {
      originalId: id,
      label,
      severity,
      text: title,
      raw,
      path: file,
      line,
      endLine,
      section: section === '' ? null : section,
      evidence: evidenceOf(extra, issue?.evidence ?? null),
      recommendation: issue?.recommendation ?? null,
      notes: readSeverity(label, scale) === null ? [undeclaredNote(label, severity)] : [],
    },
    null,
  );
}

function evidenceOf(extra: readonly string[], said: string | null): string | null {
  const parts = [
    ...(extra.length === 0 ? [] : [cut(extra.join('\n'), 2_000)]),
    ...(said === null ? [] : [said]),
  ];
  return parts.length === 0 ? null : parts.join('\n');
}
