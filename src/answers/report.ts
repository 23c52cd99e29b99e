/**
 * Reads what is written by hand, in one pass over the lines: severity lines, headed bullets, numbered and bold items, fields, tables.
 * A line that names a severity as a label begins a finding of its own, wherever it stands; what quotes, fences or the middle of a
 * sentence say of a severity is left over, for the account of the answer.
 */
import { cut } from '../core/text.ts';
import { type Table, takeTable, takeLabelled } from './bars.ts';
import { labelAtStart } from './heads.ts';
import { takeNamed, takeField, takeItem } from './items.ts';
import { isVerdictHeading, readVerdictLine } from './labels.ts';
import { layOut, type Line } from './layout.ts';
import { emptyDraft, reject, type Attempt, type ReadingOptions } from './reading.ts';
import { isNegative } from './sieve.ts';
import { linesOfTables } from './tables.ts';
import { settleVotes } from './votes.ts';
import {
  type Report,
  type Entries,
  type Walk,
  startWalk,
  goOn,
  noteMentions,
  close,
} from './walk.ts';

export function readReport(text: string, options: ReadingOptions): Report {
  return readReportLines(layOut(text).lines, options);
}

export function readReportLines(
  lines: readonly Line[],
  options: ReadingOptions,
  entries: Entries | null = null,
): Report {
  const walk = startWalk(options, entries);
  const tables = linesOfTables(lines);
  for (const line of lines) takeLine(walk, line, tables.get(line) ?? null);
  close(walk);
  return { ...walk, notes: [...new Set(walk.notes)] };
}

function takeLine(walk: Walk, line: Line, table: Table): void {
  const { text } = line;
  if (line.fence !== null || line.isQuoted) {
    if (labelAtStart(text, walk.options.scale) !== null && walk.sieve(text, text) === null)
      walk.left.push(text);
    else noteMentions(walk, text);
    goOn(walk, line);
    return;
  }
  if (text.trim() === '') {
    walk.isAfterBlank = true;
    walk.open?.body.push(line);
    return;
  }
  const wasVerdictNext = walk.isVerdictNext;
  walk.isVerdictNext = isVerdictHeading(text);
  const verdict = readVerdictLine(wasVerdictNext ? `Verdict: ${text.trim()}` : text);
  walk.isVerdictLast = verdict !== null && verdict.verdict !== null;
  if (verdict !== null || walk.isVerdictNext) {
    if (verdict !== null && (verdict.verdict !== null || walk.verdict === null))
      walk.verdict = verdict;
    close(walk);
  } else if (
    !takeNamed(walk, text) &&
    !takeTable(walk, line, table) &&
    !takeLabelled(walk, line, table) &&
    !takeField(walk, text)
  )
    takeItem(walk, line);
  walk.isAfterBlank = false;
}

/** Null when nothing was seen: no finding, no statement of none, no vote, nothing dropped or left over. */
export function draftOf(report: Report, { strict }: ReadingOptions): Attempt {
  const { findings, unparsed, dropped, votes, verdict, isVerdictLast, none, left, mentions } =
    report;
  const seen = [findings, votes, unparsed, left, mentions].some(list => list.length > 0);
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (!seen && !hasChaff && verdict === null && none === null) return null;
  if (report.undeclared !== null)
    return reject('schema', `Nobody declared the severity of "${cut(report.undeclared, 120)}".`, {
      unparsed,
      dropped,
    });
  if (strict && haveDifferentFindings(report))
    return reject('ambiguous', 'Two runs of findings, separated by prose, differ.', {
      unparsed,
      dropped,
    });
  const notes = [...report.notes];
  return {
    ...emptyDraft(report.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets'),
    findings,
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: (isVerdictLast || !strict) && verdict?.verdict !== null ? verdict : null,
    isZeroStated: strict ? none === 'labelled' && saysNone(report) : saysNone(report),
    // The end mark that is asked for is taken off before; a verdict on the last line proves as much.
    hasEndMark: isVerdictLast,
    doubt: report.isLossy ? { cause: 'schema' } : null,
    unparsed,
    left,
    mentions,
    dropped,
    notes,
    votes: settleVotes(votes, notes),
  };
}

/** Does a statement of none speak for the whole answer? */
function saysNone({
  findings,
  none,
  unparsed,
  mentions,
  left,
  isVerdictLast,
  verdict,
}: Report): boolean {
  const isSafe = isVerdictLast && verdict?.verdict === 'safe';
  return (
    findings.length === 0 &&
    none !== null &&
    (none !== 'prose' || mentions.length + left.length === 0) &&
    (isSafe || unparsed.every(isNegative))
  );
}

function haveDifferentFindings({ findings, runs }: Report): boolean {
  const keys = runs.map((start, index) =>
    findings
      .slice(start, runs[index + 1])
      .map(finding => `${finding.severity}|${finding.text}`)
      .sort()
      .join('\n'),
  );
  return new Set(keys).size > 1;
}
