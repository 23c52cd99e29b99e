/**
 * One thing one reviewer says: plain data, the only thing that crosses every border. What a parser states, plus who said it
 * and where it stands.
 */
import { z } from 'zod';
import { Severity } from './severity.ts';
import { Flag, NullableText, Text, Texts, Whole } from './fields.ts';

/**
 * How the host resolved the place a reviewer named, against the real tree.
 * - `exact`: the quote stands at the stated line, or no quote was given and the line exists (`checked: false`)
 * - `moved`: the quote stands at one other place of the file; `line` is the corrected one
 * - `ambiguous`: the quote stands at several places, none of them the stated line
 * - `unanchored`: the path is unknown, the line is outside the file, or the quote stands nowhere
 */
export const Anchoring = z.enum(['exact', 'moved', 'ambiguous', 'unanchored']);
export type Anchoring = z.infer<typeof Anchoring>;

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

/** What a review adds to what was stated. */
export type Said = Pick<Finding, 'reviewer' | 'location' | 'isImprovement'>;

/**
 * The place as stated gives way to the place that was looked up; everything else stays as it was read. The id is unique once
 * `nameFindings` saw the whole review.
 */
export function sayAs(
  { path: _path, line: _line, endLine: _endLine, quote: _quote, ...stated }: StatedFinding,
  { reviewer, ...said }: Said,
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
export function nameApart<Named extends { readonly originalId: string }>(
  named: readonly Named[],
): Named[] {
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
