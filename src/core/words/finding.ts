/**
 * One thing one reviewer says: plain data, the only thing that crosses every border. What a parser states, plus who said it
 * and where it stands.
 */
import { z } from 'zod';
import labels from './labels.json' with { type: 'json' };
import { Flag, NullableText, Text, Texts, Whole } from './fields.ts';

// The four severities and the labels that mean them. Sorting, maxima and gates use the canonical value only; the reviewer's own
// label is kept beside it and is what reports display.

/** Most severe first: the index is the rank. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;

export const Severity = z.enum(severities);
export type Severity = z.infer<typeof Severity>;

/** 0 is the most severe. */
export function rankOf(severity: Severity) {
  return severities.indexOf(severity);
}

/** The most severe first. */
export function bySeverity(one: { severity: Severity }, other: { severity: Severity }) {
  return rankOf(one.severity) - rankOf(other.severity);
}

export function isAtLeast(severity: Severity, threshold: Severity) {
  return rankOf(severity) <= rankOf(threshold);
}

/** How many there are of each. */
export function countSeverities(said: readonly { readonly severity: Severity }[]) {
  return Object.fromEntries(
    severities.map(one => [one, said.filter(({ severity }) => severity === one).length]),
  ) as Record<Severity, number>;
}

/** The level a Findings Index and the brief report print: P0 is critical. */
export function indexLevelOf(severity: Severity) {
  return (['P0', 'P1', 'P2', 'P3'] as const)[rankOf(severity)] ?? 'P3';
}

/** Every label any scale of ours uses, in upper case. A mode's own labels are looked up first (`LabelScale`). */
export const knownLabels = inSeverities({
  critical: 'P0 CRITICAL STRONG BLOCKING',
  high: 'P1 IMPORTANT MODERATE HIGH',
  medium: 'P2 MEDIUM MED NOTABLE',
  low: 'P3 SUGGESTION WEAK LOW',
});

/** Labels of other tools and of reviewers that answer in their words. Ours come first. */
const foreignLabels = inSeverities(labels);

function inSeverities(words: Readonly<Record<Severity, string>>) {
  return Object.fromEntries(
    severities.flatMap(severity => words[severity].split(' ').map(word => [word, severity])),
  );
}

/** What counts when nobody says how bad it is, or says it in a word nobody knows. */
export const unstatedSeverity: Severity = 'medium';

/** The labels one question asks for, in order of weight, each with the severity it stands for. Keys are upper case. */
export type LabelScale = ReadonlyMap<string, Severity>;

const labelPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/**
 * The scale for labels ranked by their author: 1 label is critical; 2 are critical and low; 3 are critical, high and
 * low; 4 are one each; of 5 to 8 the first is critical, the second high, the last low and the rest medium.
 * Returns null for an empty list, duplicates, more than eight labels, or a label of another shape.
 */
export function scaleOf(labels: readonly string[]): LabelScale | null {
  const upper = labels.map(label => label.toUpperCase());
  const isUsable =
    upper.length >= 1 &&
    upper.length <= 8 &&
    new Set(upper).size === upper.length &&
    labels.every(label => labelPattern.test(label));
  return isUsable
    ? new Map(upper.map((label, index) => [label, severityAt(index, upper.length)]))
    : null;
}

function severityAt(index: number, count: number) {
  if (index === 0) return 'critical';
  if (count === 4) return severities[index] ?? 'low';
  if (index === count - 1) return 'low';
  return index === 1 ? 'high' : 'medium';
}

/**
 * The severity a label stands for: the active scale first, then ours, then those of other tools; null for any other. Case does
 * not matter.
 */
export function severityOf(label: string, scale?: LabelScale) {
  return ownSeverityOf(label, scale) ?? lookUp(foreignLabels, label);
}

/** Without the labels of other tools, many of which are words of prose as well. */
export function ownSeverityOf(label: string, scale?: LabelScale) {
  return scale?.get(label.toUpperCase()) ?? lookUp(knownLabels, label);
}

/** Bands of CVSS 3.1, table 14, as code scanning of GitHub draws them for `security-severity`; null for what is no score, and for 0. */
export function severityOfScore(score: unknown): Severity | null {
  const isStated = typeof score === 'number' || (typeof score === 'string' && score.trim() !== '');
  const number = isStated ? Number(score) : 0;
  if (!(number > 0 && number <= 10)) return null;
  return number >= 9 ? 'critical' : number >= 7 ? 'high' : number >= 4 ? 'medium' : 'low';
}

/** `must-fix`, `Must Fix` and `SEV-1` are one word each. */
function lookUp(labels: Readonly<Record<string, Severity>>, label: string) {
  const upper = label
    .normalize('NFKC')
    .toUpperCase()
    .replace(/(?<=[A-Z]{3})[ _-](?=\w)/, '');
  return Object.hasOwn(labels, upper) ? (labels[upper] ?? null) : null;
}

/**
 * How the host resolved the place a reviewer named, against the real tree.
 * - `exact`: the quote stands at the stated line, or no quote was given and the line exists (`checked: false`)
 * - `moved`: the quote stands at one other place of the file; `line` is the corrected one
 * - `ambiguous`: the quote stands at several places, none of them the stated line
 * - `unanchored`: the path is unknown, the line is outside the file, or the quote stands nowhere
 */
const Anchoring = z.enum(['exact', 'moved', 'ambiguous', 'unanchored']);
type Anchoring = z.infer<typeof Anchoring>;

export const Location = z.object({
  /** Byte-equal to a path of the subject, unless `anchoring` is `unanchored`: then as the reviewer wrote it. */
  path: Text,
  /** 1-based; null when only the file is known. */
  line: Whole.positive().nullable(),
  endLine: Whole.positive().nullable(),
  /** `old` for a line that only the base side has. */
  side: z.enum(['old', 'new']),
  anchoring: Anchoring,
  /** True when a quote was compared with the file. */
  checked: Flag,
  /** What the host corrected, in words; null when nothing. */
  note: NullableText,
});
export type Location = z.infer<typeof Location>;

/** `path:line`, so that a terminal makes it clickable; empty where there is none. */
export function placeText(place: Pick<Location, 'path' | 'line'> | null) {
  if (place === null) return '';
  return place.line === null ? place.path : `${place.path}:${place.line}`;
}

/** What a reviewer stated, before the host looked anything up: strings and numbers to be distrusted. */
export const StatedFinding = z.object({
  /** The reviewer's own id, or `#n` by position (1-based). Unique within one answer. */
  originalId: Text,
  /** As written by the reviewer, trimmed. */
  label: Text,
  severity: Severity,
  /** One line, control characters removed. */
  text: Text,
  path: NullableText,
  line: Whole.positive().nullable(),
  endLine: Whole.positive().nullable(),
  /** Section or heading the finding is about (documents, Findings Index). */
  section: NullableText,
  /** Text of the line or lines it is about, as quoted by the reviewer. */
  quote: NullableText,
  category: NullableText,
  evidence: NullableText,
  recommendation: NullableText,
  /** Further keys of the reviewer's own, such as `cwe`, `cve` and `exploit_path`, as they were given; absent when there are none. */
  extra: z.record(Text, z.json()).optional(),
  /** Untouched piece of the answer this finding was read from. */
  raw: Text,
  /** What was corrected, cut or detached while reading, in words. */
  notes: Texts,
});
export type StatedFinding = z.infer<typeof StatedFinding>;

export const Finding = StatedFinding.omit({
  path: true,
  line: true,
  endLine: true,
  quote: true,
}).extend({
  /** `<reviewer>/<originalId>`: unique within the run. */
  id: Text,
  reviewer: Text,
  /** Null when the finding names no place. */
  location: Location.nullable(),
  /** The earlier run in which it was said, of what has not changed since. Absent: it was said in this one. */
  from: Text.exactOptional(),
  /** Index entries of the kinds IMP, INFO, NOTE: kept and shown, never counted as findings. */
  isImprovement: Flag,
});
export type Finding = z.infer<typeof Finding>;

/**
 * The place as stated gives way to the place that was looked up; everything else stays as it was read. The id is unique once
 * `nameFindings` saw the whole review.
 */
export function sayAs(
  { path: _path, line: _line, endLine: _endLine, quote: _quote, ...stated }: StatedFinding,
  { reviewer, ...said }: Pick<Finding, 'reviewer' | 'location' | 'isImprovement'>,
): Finding {
  return { id: `${reviewer}/${stated.originalId}`, reviewer, ...stated, ...said };
}

/** The findings of one review with their ids. Each answer and each part of a subject counts from one; here the names become unique. */
export function nameFindings(findings: readonly Finding[]): Finding[] {
  return nameApart(findings).map(finding => ({
    ...finding,
    id: `${finding.reviewer}/${finding.originalId}`,
  }));
}

/**
 * Unique names, in order: what comes first keeps its own. An id of the reviewer's own that comes again becomes `<id>#2`; a
 * position (`#n`) that is taken moves to the next free one. People type a position without its hash, so that it keeps clear
 * of own ids that are plain numbers.
 */
export function nameApart<Named extends { readonly originalId: string }>(named: readonly Named[]) {
  const own = new Set(named.map(({ originalId }) => originalId).filter(id => !isPosition(id)));
  const taken = new Set<string>();
  const uses = new Map<string, number>();
  let position = 0;
  const isFree = (name: string) =>
    !taken.has(name) && !(isPosition(name) && own.has(name.slice(1)));
  return named.map(entry => {
    const { originalId } = entry;
    let name = originalId;
    if (isPosition(name)) while (!isFree(name)) name = `#${++position}`;
    while (!isFree(name)) {
      const use = (uses.get(originalId) ?? 1) + 1;
      uses.set(originalId, use);
      name = `${originalId}#${use}`;
    }
    taken.add(name);
    return name === originalId ? entry : { ...entry, originalId: name };
  });
}

function isPosition(id: string) {
  return /^#\d+$/.test(id);
}
