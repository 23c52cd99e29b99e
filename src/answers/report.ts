/**
 * Reads what is written by hand, in one pass over the lines: severity lines, headed bullets, numbered and bold items, fields, tables.
 * A line that names a severity as a label begins a finding of its own, wherever it stands; what quotes, fences or the middle of a
 * sentence say of a severity is left over, for the account of the answer.
 */
import { cut } from '../core/text.ts';
import { takeTable, takeLabelled } from './bars.ts';
import { labelAtStart } from './heads.ts';
import type { Entries } from './issues.ts';
import { takeNamed, takeField, takeItem } from './items.ts';
import { isVerdictHeading, readVerdictLine } from './labels.ts';
import { isSpoken, type Line } from './layout.ts';
import { reject, type Attempt, type ReadingOptions, type Vote } from './reading.ts';
import { isNegative } from './sieve.ts';
import { linesOfTables } from './tables.ts';
import { type Walk, startWalk, goOn, noteMentions, close } from './walk.ts';

export function readReport(
  lines: readonly Line[],
  options: ReadingOptions,
  entries: Entries | null = null,
): Walk {
  const walk = startWalk(options, entries);
  const tables = linesOfTables(lines);
  for (const line of lines) {
    walk.table = tables.get(line) ?? null;
    takeLine(walk, line);
  }
  close(walk);
  return walk;
}

function takeLine(walk: Walk, line: Line): void {
  const { text } = line;
  if (!isSpoken(line)) {
    if (labelAtStart(text, walk.options.scale) !== null && walk.sieve(text, text) === null)
      walk.draft.left.push(text);
    else noteMentions(walk, text);
    goOn(walk, line);
    return;
  }
  if (text.trim() === '') {
    walk.isAfterBlank = true;
    walk.open?.body.push(line);
    return;
  }
  if (
    !takeVerdict(walk, text) &&
    !takeNamed(walk, text) &&
    !takeTable(walk, text) &&
    !takeLabelled(walk, text) &&
    !takeField(walk, text)
  )
    takeItem(walk, line);
  walk.isAfterBlank = false;
}

/** The verdict, or the heading above it. */
function takeVerdict(walk: Walk, text: string): boolean {
  const verdict = readVerdictLine(walk.isVerdictNext ? `Verdict: ${text.trim()}` : text);
  const isUnderstood = typeof verdict?.verdict === 'string';
  walk.isVerdictNext = isVerdictHeading(text);
  walk.isVerdictLast = isUnderstood;
  if (isUnderstood || walk.verdict === null) walk.verdict = verdict;
  if (verdict === null && !walk.isVerdictNext) return false;
  close(walk);
  return true;
}

/** Null when nothing was seen: no finding, no statement of none, no vote, nothing dropped or left over. */
export function draftOf(walk: Walk, { strict }: ReadingOptions): Attempt {
  const { draft, verdict, none, isVerdictLast } = walk;
  const { findings, unparsed, dropped, votes, left, mentions } = draft;
  const seen = [findings, votes, unparsed, left, mentions].some(list => list.length > 0);
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (!seen && !hasChaff && verdict === null && none === null) return null;
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
  return {
    ...draft,
    format: walk.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets',
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: (isVerdictLast || !strict) && verdict?.verdict !== null ? verdict : null,
    isZeroStated: (!strict || none === 'labelled') && saysNone(walk),
    // The end mark that is asked for is taken off before; a verdict on the last line proves as much.
    hasEndMark: isVerdictLast,
    doubt: walk.isLossy ? { cause: 'schema' } : null,
    notes,
    votes: settleVotes(votes, notes),
  };
}

/** Does a statement of none speak for the whole answer? */
function saysNone({ draft, none, isVerdictLast, verdict }: Walk): boolean {
  const { findings, unparsed, mentions, left } = draft;
  const isSafe = isVerdictLast && verdict?.verdict === 'safe';
  return (
    findings.length === 0 &&
    none !== null &&
    (none !== 'prose' || mentions.length + left.length === 0) &&
    (isSafe || unparsed.every(isNegative))
  );
}

function haveDifferentFindings({ draft, runs }: Walk): boolean {
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
function settleVotes(votes: readonly Vote[], notes: string[]): Vote[] {
  const settled = new Map<number, Vote>();
  for (const vote of votes) {
    const earlier = settled.get(vote.criterion);
    if (earlier !== undefined && earlier.vote !== vote.vote)
      notes.push(`Criterion ${vote.criterion} was voted on both ways; FAIL stands.`);
    if (earlier === undefined || vote.vote === 'FAIL') settled.set(vote.criterion, vote);
  }
  return [...settled.values()];
}
