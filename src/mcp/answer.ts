/**
 * What a tool answers: one line of JSON of at most 1,000 tokens. What others wrote stands in the one field `untrusted_text`,
 * where no word of it can end the field; what does not fit is left out, and the answer says how to ask for it.
 */
import { makeVisible } from '../core/safety/visible-text.ts';
import { cut, mostTokensOf, toOneLine, wholeEnd } from '../core/text.ts';
import { exitCodeOf, outcomeOf } from '../core/verdict/outcome.ts';
import { countOutcomes, summariseTriage } from '../vote/index.ts';
import { describePanels, describeSecondPass } from '../core/spending/forecast.ts';
import type { KeptVote, MotionsOutcome, Run, VotePlan } from '../index.ts';
import { inputError, usageError } from '../core/errors.ts';
import { renderers } from '../render/formats.ts';
import { describeFigures, simulatedWords } from '../render/motion-account.ts';
import { present } from '../core/groups.ts';

export interface Answer {
  /** Computed by Jury. */
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** Written by reviewers, or read from files of the repository. */
  readonly text?: string;
  /** Which piece of the text, from 1. */
  readonly part?: number;
  /** What to call for another piece. */
  readonly again?: string;
}

/** Tokens of a text in the encoding that the budget is stated in. */
type CountTokens = (text: string) => number;

/** How a report is laid for a program that reads it. */
export const plain = { color: false, width: 100 } as const;

const mostTokens = 1_000;
/** For the quotes and the names of the fields, and for what the sum over pieces may miss. */
const reserve = 30;
/** UTF-16 units: the most expensive piece of this length fits in an answer. */
const pieceLength = 200;

/** Throws `UserError` for a part that does not exist. `loadCounter` is asked only for a text that may be too long. */
export async function renderAnswer(
  { facts, text: said, part = 1, again }: Answer,
  loadCounter: () => Promise<CountTokens>,
) {
  if (said === undefined) return JSON.stringify(facts);
  // A model reads what a person would not see.
  const text = makeVisible(said);
  const cut =
    again === undefined
      ? 'The rest is in the run folder.'
      : `Cut here. The rest: ${again}, part ${part + 1}.`;
  const whole = JSON.stringify({ ...facts, untrusted_text: text });
  if (part === 1 && mostTokensOf(whole) <= mostTokens) return whole;
  const count = await loadCounter();
  if (part === 1 && count(whole) <= mostTokens) return whole;
  const room = mostTokens - reserve - count(JSON.stringify({ ...facts, cut }));
  const { piece, isLast } = takePart(text, part, room, count);
  return JSON.stringify({ ...facts, ...(isLast ? {} : { cut }), untrusted_text: piece });
}

/** Whole lines where they fit. Parts are the same whichever is asked for first. */
function takePart(text: string, part: number, room: number, count: CountTokens) {
  let current = 1;
  let taken = 0;
  let piece = '';
  for (const next of pieces(text)) {
    const cost = count(JSON.stringify(next).slice(1, -1));
    if (taken + cost > room && taken > 0) {
      if (current === part) return { piece, isLast: false };
      current += 1;
      taken = 0;
      piece = '';
    }
    taken += cost;
    if (current === part) piece += next;
  }
  if (current < part) throw usageError(`There is no part ${part}; the last one is ${current}.`);
  return { piece, isLast: true };
}

/** Lines, each with its end; longer ones in pieces, never cut inside a character. */
function* pieces(text: string): Generator<string> {
  for (let start = 0, end; start < text.length; start = end) {
    const lineEnd = text.indexOf('\n', start);
    const most = lineEnd === -1 ? text.length : lineEnd + 1;
    end = wholeEnd(text, Math.min(start + pieceLength, most));
    yield text.slice(start, end);
  }
}

/** One more tells where the results are. */
const mostMotions = 14;
const titleLength = 100;

/** What a caller gets of a process that has ended: the outcome as facts, and a text of at most fifteen lines. */
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
    text: renderers.brief(run, plain).trimEnd(),
  };
}

/** A line for each motion, those that were not ratified first. */
export function briefOfMotions(
  { run: { accounts }, folder, isUnanswered, reasons }: MotionsOutcome,
  runId: string | null,
): Answer {
  const { ratified, rejected, deferred, incomplete } = countOutcomes(accounts);
  const lines = accounts
    .toSorted(
      (one, other) => Number(one.outcome === 'ratified') - Number(other.outcome === 'ratified'),
    )
    .map(
      account =>
        `${account.outcome}${account.simulated ? ` (${simulatedWords})` : ''}: ${cut(toOneLine(account.mega_motion_title), titleLength)} ` +
        `(${describeFigures(account)}) ${toOneLine(account.mega_motion_id)}`,
    );
  const shown = shorten(lines, 'in the results folder');
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
    text: present(...shown, folder !== null && `Results: ${toOneLine(folder)}`).join('\n'),
  };
}

/** How risky each motion is, and nothing else: nobody was asked. */
export function briefOfTriage({ run }: Pick<MotionsOutcome, 'run'>): Answer {
  const { low_risk, medium_risk, high_risk, total_conflicts } = summariseTriage(run);
  const lines = run.triaged.map(
    ({ motion, riskTier, gap }) =>
      `${riskTier}: ${cut(toOneLine(motion.title), titleLength)} (${motion.supporters.length} support, ` +
      `${gap.length} have not spoken) ${toOneLine(motion.id)}`,
  );
  return {
    facts: { status: 'ended', low_risk, medium_risk, high_risk, conflicts: total_conflicts },
    text: shorten(lines, 'motions').join('\n'),
  };
}

function shorten(lines: readonly string[], where: string) {
  return lines.length <= mostMotions
    ? lines
    : [...lines.slice(0, mostMotions - 1), `and ${lines.length - mostMotions + 1} more ${where}`];
}

/** What a vote would take: nobody was asked, and nobody is before the caller agrees. */
export function briefOfPlan(plan: VotePlan): Answer {
  const { run, isComplete, answered, expected, time, panels, secondPass, limits, spent } = plan;
  return {
    facts: {
      run,
      status: 'plan',
      reviews: expected.reviews,
      answered,
      calls: expected.calls,
      panel_calls: `up to ${panels.callsEach} for each of at most ${panels.most} contested motions`,
      second_pass_reviews: secondPass === null ? null : `up to ${secondPass.reviews}`,
      tokens_in: expected.inputTokens,
      tokens_out: expected.outputTokens,
      cost: expected.cost === null ? null : Number(expected.cost.toFixed(4)),
      calls_without_price: expected.unpriced,
      seconds: Math.ceil(time.seconds),
      seconds_basis: time.measured > 0 ? 'calls before' : 'assumed',
      max_calls: limits.maxCalls,
      max_tokens: limits.maxTokens,
      max_cost: limits.maxCost,
      spent_calls: spent.calls,
      next: isComplete
        ? 'Nothing is missing: start with the same arguments and confirm: true answers from the journal.'
        : 'Nobody was asked. To ask, call start with the same arguments and confirm: true.',
    },
    text: present(
      plan.sentence,
      describePanels(panels),
      secondPass !== null && describeSecondPass(secondPass),
    ).join('\n'),
  };
}

/** A vote that was held before, as its run keeps it. Throws `UserError` for one that has not ended. */
export function briefOfKept({ run, ended, report }: KeptVote): Answer {
  if (ended === null || report === null)
    throw inputError(
      `Run ${run} is a vote on motions that has not ended.`,
      'Start resume with it.',
    );
  return { facts: { run, status: 'ended', ...ended.counts }, text: report };
}
