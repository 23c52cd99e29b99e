/** Reads a Findings Index: tolerant of every deviation seen in the wild, each of which it reports, and losing no line. */
import type { ReviewVerdict } from '../review.ts';
import { indexLevelOf, rankOf, severities, type LabelScale, type Severity } from '../severity.ts';
import { computeVerdict, type VerdictStatus } from '../verdict/verdict-file.ts';
import { readIndexBlock, type BlockEntry, type IndexBlock } from './index-block.ts';
import { deviations, type Deviation } from './index-entry.ts';
import { issuesOf, type Issue } from './index-issues.ts';
import { placesOf, readImprovements, readProseFindings, summaryOf } from './index-prose.ts';
import { placeIn, placeOf, type Place } from './place.ts';
import { cut, toLine } from './plain-text.ts';
import { claimOf, type Claimed } from './verdict-words.ts';

export { claimOf, type Claimed } from './verdict-words.ts';
export type { Deviation } from './index-entry.ts';

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
}

/** `agent` is the name the entries carry. `scale` adds the labels of a mode to those every index may use. */
export function readFindingsIndex(text: string, agent?: string, scale?: LabelScale): FindingsIndex {
  const block = readIndexBlock(text, scale);
  const hasEntry = block.entries.some(({ fields }) => !fields.isImprovement);
  const state = stateOf(text, block, hasEntry);
  const stated = state === 'malformed' && !hasEntry ? [...block.entries, ...proseEntries(block.lines)] : block.entries;
  const named = nameEntries([...stated, ...improvementEntries(block.lines)]);
  const prose: Prose = {
    places: placesOf(block.lines, new Set(named.map(({ id }) => id))),
    issues: issuesOf(block.lines, new Map(named.map(({ id, fields }) => [id, fields.title]))),
  };
  const pick = (isImprovement: boolean): IndexEntry[] => named.filter(({ fields }) => fields.isImprovement === isImprovement).map(entry => toEntry(entry, prose, agent));
  const entries = pick(false);
  const computed = state === 'error' ? 'error' : computeVerdict(entries.map(entry => entry.severity));
  return {
    state,
    entries,
    improvements: pick(true),
    unparsed: block.unparsed,
    undeclared: block.undeclared,
    dropped: block.dropped,
    deviations: deviations.filter(code => block.deviations.has(code) || (code === 'duplicate-id' && named.slice(0, stated.length).some(entry => entry.isRenamed))),
    claimed: block.verdict?.verdict ?? null,
    claimedWords: block.verdict?.words ?? null,
    computed,
    claim: claimOf(block.verdict?.verdict ?? null, computed),
    confidence: state === 'malformed' ? 'low' : 'normal',
    message: state === 'malformed' ? `Agent ${agent ?? 'unknown'} produced malformed index — using prose fallback` : null,
    summary: summaryOf(block.lines, figuresOf(entries)),
  };
}

export interface Standing {
  readonly state: FindingsIndex['state'];
  readonly claimed: ReviewVerdict | null;
  readonly computed: ReviewVerdict;
  /** The file was not finished, or the reviewer was made to return. */
  readonly isPartial: boolean;
  readonly isVetoed: boolean;
}

/** The status of a verdict file, for reviewers that report findings. */
export function statusOf({ state, claimed, computed, isPartial, isVetoed }: Standing): Extract<VerdictStatus, 'CLEAN' | 'NEEDS_ATTENTION' | 'BLOCKED' | 'ERROR' | 'PARTIAL'> {
  if (state === 'error' || computed === 'error') return 'ERROR';
  if (isVetoed) return 'BLOCKED';
  if (isPartial) return 'PARTIAL';
  return computed === 'safe' && (claimed === null || claimed === 'safe') && state === 'valid' ? 'CLEAN' : 'NEEDS_ATTENTION';
}

function stateOf(text: string, block: IndexBlock, hasEntry: boolean): FindingsIndex['state'] {
  const claimed = block.verdict?.verdict ?? null;
  if (text.trim() === '' || claimed === 'error') return 'error';
  return block.hasIndex && (hasEntry || claimed === 'safe') ? 'valid' : 'malformed';
}

function proseEntries(lines: readonly string[]): BlockEntry[] {
  return readProseFindings(lines).map(({ severity, label, id, title, raw }) => ({
    fields: { kind: 'entry', severity, label, isImprovement: false, id, section: '', title, extra: [], deviations: [] },
    raw,
  }));
}

function improvementEntries(lines: readonly string[]): BlockEntry[] {
  return readImprovements(lines).map(({ id, title, raw }) => ({
    fields: { kind: 'entry', severity: 'low', label: 'IMP', isImprovement: true, id, section: '', title, extra: [], deviations: [] },
    raw,
  }));
}

interface NamedEntry extends BlockEntry {
  readonly id: string;
  readonly isRenamed: boolean;
}

function nameEntries(entries: readonly BlockEntry[]): NamedEntry[] {
  const uses = new Map<string, number>();
  return entries.map(({ fields, raw }, index) => {
    const id = fields.id ?? `#${index + 1}`;
    const count = (uses.get(id) ?? 0) + 1;
    uses.set(id, count);
    return { fields, raw, id: count === 1 ? id : `${id}#${count}`, isRenamed: count > 1 };
  });
}

interface Prose {
  readonly places: ReadonlyMap<string, Place>;
  readonly issues: ReadonlyMap<string, Issue>;
}

function toEntry({ fields, raw, id }: NamedEntry, { places, issues }: Prose, agent: string | undefined): IndexEntry {
  const { severity, label, section, title, extra } = fields;
  const place = placeIn(title) ?? extra.map(field => placeOf(field) ?? placeIn(field)).find(found => found !== null && found.line !== null) ?? places.get(id) ?? null;
  return { ...(agent === undefined ? {} : { agent }), id, severity, label, section, title, file: place?.path ?? null, line: place?.line ?? null, extra, issue: issues.get(id) ?? null, raw };
}

/** `P0x1 P2x3: <title of the most severe>`. */
function figuresOf(entries: readonly IndexEntry[]): string {
  const [top] = [...entries].sort((one, other) => rankOf(one.severity) - rankOf(other.severity));
  if (top === undefined) return 'no findings';
  const counts = severities.map(severity => [indexLevelOf(severity), entries.filter(entry => entry.severity === severity).length] as const);
  return `${counts.filter(([, count]) => count > 0).map(([level, count]) => `${level}x${count}`).join(' ')}: ${cut(toLine(top.title), 120)}`;
}
