/** What a caller gets of a process that has ended: the outcome as facts, and a text of at most fifteen lines. */
import { countOutcomes } from '../core/vote/motions-run.ts';
import { exitCodeOf, outcomeOf } from '../core/verdict/outcome.ts';
import { cut, toOneLine } from '../core/text.ts';
import { renderers } from '../render/formats.ts';
import type { MotionsOutcome, Run } from '../index.ts';
import type { Answer } from './answer.ts';

/** One more tells where the results are. */
const mostMotions = 14;
const titleLength = 100;

export function briefOf(run: Run): Answer {
  const { record } = run;
  return {
    facts: {
      run: record.run,
      status: 'ended',
      outcome: record.outcome,
      exit_code: exitCodeOf(record.outcome),
      more: 'show with this run and an id (c-…, REVIEWER or REVIEWER/ID) tells one thing in full',
    },
    text: renderers.brief(run, { color: false, width: 100 }).trimEnd(),
  };
}

/** A line for each motion, those that were not ratified first. */
export function briefOfMotions(
  { run: { results }, folder, isUnanswered, reasons }: MotionsOutcome,
  runId: string | null,
): Answer {
  const { ratified, rejected, deferred, incomplete } = countOutcomes(results);
  const rows = results.toSorted(
    (one, other) => Number(one.outcome === 'ratified') - Number(other.outcome === 'ratified'),
  );
  const lines = rows.map(
    row =>
      `${row.outcome}: ${cut(toOneLine(row.mega_motion_title), titleLength)} (${row.yeas} yea, ${row.nays} nay, ${row.abstentions} abstain) ${toOneLine(row.mega_motion_id)}`,
  );
  const shown =
    lines.length <= mostMotions
      ? lines
      : [
          ...lines.slice(0, mostMotions - 1),
          `and ${lines.length - mostMotions + 1} more in the results folder`,
        ];
  return {
    facts: {
      run: runId,
      status: 'ended',
      outcome: isUnanswered
        ? 'INCOMPLETE: no review could be collected'
        : reasons.length > 0
          ? 'INCOMPLETE: answers are missing that could change how motions end'
          : 'counted',
      exit_code: exitCodeOf(outcomeOf(reasons)),
      ratified,
      rejected,
      deferred,
      incomplete,
    },
    text: [...shown, ...(folder === null ? [] : [`Results: ${toOneLine(folder)}`])].join('\n'),
  };
}
