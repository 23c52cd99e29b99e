/**
 * Workflow commands of GitHub Actions, one a line: the log of a step shows them, and GitHub makes annotations of them. Every line is
 * a command, so that no word of a reviewer can be one.
 */
import { workflowMessage, workflowProperty } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { sayOutcome, countComplete } from '../../core/verdict/outcome.ts';
import type { Run, RunRecord } from '../../core/words/run.ts';
import { claimEntries, reasonEntries, type Place, tellConditions, longestText } from './entries.ts';
import { present } from '../../core/present.ts';

/** Untrusted text at a place. */
interface PlacedNote {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly place: Place | null;
}

/** GitHub makes annotations of the first ten of each level of a step, and leaves the others in the log. */
const mostShown = 10;

const longestTitle = 200;

/** The outcome first, then in the order in which they should be read. What was dismissed is left out. */
export function renderGithub({ record }: Pick<Run, 'record'>) {
  const annotations = annotate(record);
  return [annotateOutcome(record, annotations), ...annotations]
    .map(annotation => `${printCommand(annotation)}\n`)
    .join('');
}

/** What is to be told at a place, in the order in which it should be read. */
export function annotate(record: RunRecord): PlacedNote[] {
  return [...reasonEntries(record), ...claimEntries(record)].map(
    ({ claim, rule, effect, level, place, tell }) => ({
      level: effect !== null ? 'error' : level === 'note' ? 'notice' : level,
      title: present(
        effect,
        ...(claim === null ? [rule.title] : [claim.severity, `${rule.title} (${claim.id})`]),
      ).join(': '),
      message: tell(longestText).join('\n'),
      place,
    }),
  );
}

function annotateOutcome(record: RunRecord, annotations: readonly PlacedNote[]): PlacedNote {
  const { outcome, reviewers } = record;
  const levels = ['error', 'warning', 'notice'];
  const beyond = levels
    .map(level => annotations.filter(annotation => annotation.level === level).length)
    .filter(amount => amount >= mostShown)
    .reduce((sum, amount) => sum + amount - mostShown + 1, 0);
  return {
    level: outcome === 'PASS' || outcome === null ? 'notice' : 'error',
    title: `Jury: ${sayOutcome(record)}`,
    message: present(
      `${countComplete(reviewers)} of ${reviewers.length} reviewers completed.`,
      ...reviewers
        .filter(({ status }) => status !== 'complete')
        .slice(0, 20)
        .map(({ id, display }) => `${cut(id, 100)}: ${cut(display, 200)}.`),
      ...tellConditions(record).slice(0, 20),
      beyond > 0 &&
        `GitHub shows ${mostShown} annotations of each level; ${beyond} more stand in the log.`,
    ).join('\n'),
    place: null,
  };
}

function printCommand({ level, title, message, place }: PlacedNote) {
  const properties = [
    ...(place === null
      ? []
      : present(
          `file=${workflowProperty(place.path)}`,
          `line=${place.line}`,
          place.endLine > place.line && `endLine=${place.endLine}`,
        )),
    `title=${workflowProperty(cut(title, longestTitle))}`,
  ];
  return `::${level} ${properties.join(',')}::${workflowMessage(message)}`;
}
