/** Reads an answer that is a Findings Index, as a draft like those of the other formats. */
import type { StatedFinding } from '../finding.ts';
import type { LabelScale } from '../severity.ts';
import { countIndexHeadings } from './index-block.ts';
import { readSeverity } from './index-entry.ts';
import { readFindingsIndex, type FindingsIndex, type IndexEntry } from './findings-index.ts';
import { readHeading } from './index-prose.ts';
import { isTableRow } from './index-table.ts';
import { cut } from './plain-text.ts';
import { reject, type Attempt, type Dropped, type ReadingOptions } from './reading.ts';
import { createSieve, type Sieve } from './sieve.ts';
import { stateFinding } from './stated.ts';
import { undeclaredNote } from './undeclared-label.ts';

/** Null when there is no index. */
export function readIndex(text: string, options: ReadingOptions): Attempt {
  const headings = countIndexHeadings(text);
  if (headings === 0) return null;
  const index = readFindingsIndex(text, undefined, options.scale);
  if (headings > 1 && differ(text, index, options)) return reject('ambiguous', 'The answer holds indexes that differ.');
  const undeclared = index.undeclared.find(line => !isTableRow(line));
  if (undeclared !== undefined && options.undeclaredLabel === 'reject') return reject('schema', `Nobody declared the severity of "${cut(undeclared.trim(), 120)}".`, { unparsed: index.unparsed });
  if (index.claimedWords !== null && index.claimed === null) return reject('schema', `The stated verdict "${cut(index.claimedWords, 80)}" is none of the declared words.`, { unparsed: index.unparsed });
  return toDraft(index, options);
}

function toDraft(index: FindingsIndex, options: ReadingOptions): Attempt {
  const dropped: Dropped = { ...index.dropped, prompt: 0 };
  const sieve = createSieve(options.sent);
  const findings = index.entries.filter(entry => isOwn(entry, sieve, dropped)).map(entry => toFinding(entry, options.scale));
  const improvements = index.improvements.filter(entry => isOwn(entry, sieve, dropped)).map(entry => toFinding(entry, options.scale));
  return {
    kind: 'draft',
    format: 'index',
    findings,
    improvements,
    verdict: index.claimedWords === null ? null : { words: index.claimedWords, verdict: index.claimed },
    isZeroStated: findings.length === 0 && index.claimed === 'safe' && dropped.template + dropped.prompt === 0,
    hasEndMark: index.claimed !== null,
    // Read from the prose of a broken index, or beside rows of a table that nobody understands: there may be more than was found.
    doubt: index.state === 'malformed' || (options.undeclaredLabel === 'reject' && index.undeclared.length > 0) ? { cause: 'schema' } : null,
    unparsed: index.unparsed,
    dropped,
    notes: [...index.deviations.map(code => `index: ${code}`), ...(index.message === null ? [] : ['The index is malformed; findings were read from the prose.'])],
    filesReviewed: null,
    votes: [],
  };
}

function isOwn(entry: IndexEntry, sieve: Sieve, dropped: Dropped): boolean {
  const chaff = sieve(entry.title, entry.raw);
  if (chaff !== null) dropped[chaff] += 1;
  return chaff === null;
}

function toFinding({ id, severity, label, section, title, file, line, extra, issue, raw }: IndexEntry, scale: LabelScale): StatedFinding {
  return stateFinding({
    id, label, severity, text: title, raw,
    place: file === null ? null : { path: file, line, endLine: null, notes: [] },
    section: section === '' ? null : section,
    evidence: evidenceOf(extra, issue?.evidence ?? null),
    recommendation: issue?.recommendation ?? null,
    notes: readSeverity(label, scale) === null ? [undeclaredNote(label, severity)] : [],
  });
}

function evidenceOf(extra: readonly string[], said: string | null): string | null {
  const parts = [...(extra.length === 0 ? [] : [cut(extra.join('\n'), 2_000)]), ...(said === null ? [] : [said])];
  return parts.length === 0 ? null : parts.join('\n');
}

/** Every block read on its own must say what the first one says. */
function differ(text: string, first: FindingsIndex, options: ReadingOptions): boolean {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/findings\s+index/i.test(readHeading(line)?.title ?? '') ? [index] : []));
  return starts.some((start, position) => {
    const block = readFindingsIndex(lines.slice(start, starts[position + 1]).join('\n'), undefined, options.scale);
    return keyOf(block) !== keyOf(first);
  });
}

function keyOf(index: FindingsIndex): string {
  return JSON.stringify(index.entries.map(entry => `${entry.severity}|${entry.title}`).sort());
}
