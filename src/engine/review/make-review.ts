/** Makes one review of the questions a reviewer was asked: findings of all of them, what was read, what was not and why. */
import { isWithheld } from '../../core/context/egress.ts';
import { keepSevere, type SkippedSeverities } from '../../core/context/budget.ts';
import { type Read, joinAnswers } from '../../answers/index.ts';
import { withoutRepeated } from '../../core/tools/offers.ts';
import { priced } from '../../core/spending/month.ts';
import { nameFindings, sayAs, type StatedFinding } from '../../core/words/finding.ts';
import {
  addUsage,
  causes,
  emptyReview,
  failureFrom,
  type FileReading,
  noUsage,
  type Review,
} from '../../core/words/review.ts';
import { isCut, rejectionOf, roleOf } from './ask-step.ts';
import {
  type AskingSession,
  type Attempt,
  type Held,
  type HeldStep,
  type ReviewTask,
  isShown,
} from './review-task.ts';

export async function makeReview(
  task: ReviewTask,
  held: Held,
  times: Pick<Review, 'startedAt' | 'durationMs'>,
  locate: AskingSession['locate'],
): Promise<Review> {
  const { seat, runner } = task;
  const attempts = held.steps.flatMap(step => step.attempts);
  const last = attempts.at(-1);
  const { stated, improvements, terse } = gather(held.steps);
  const all = [...stated, ...improvements];
  const locations = await locate(all);
  const findings = nameFindings(
    all.map((each, index) =>
      sayAs(each, {
        reviewer: seat.id,
        location: locations[index] ?? null,
        isImprovement: index >= stated.length,
      }),
    ),
  );
  const spending = spendingOf(
    task,
    held,
    findings.filter((_, index) => terse.has(all[index])).map(({ id }) => id),
  );
  const coverage = coverageOf(task, held);
  const base = emptyReview({
    ...times,
    reviewer: seat.id,
    persona: seat.persona.name,
    runner: runner.name,
    ...roleOf(seat, attempts),
    required: seat.required,
    timeoutSeconds: seat.timeout,
    attempts: attempts.length,
    usage: attempts.map(({ answer }) => priced(answer.usage, seat)).reduce(addUsage, noUsage),
    model: last?.answer.model ?? seat.model ?? null,
    findings,
    coverage,
    ...(spending && { spending }),
    ...(last?.answer.isolation && { isolation: last.answer.isolation }),
  });
  const read = held.steps.map(readingOf).filter(reading => reading !== null);
  const [first] = read;
  if (!first) {
    const reading = last?.reading ?? null;
    const own = held.steps.find(step => !isCut(step.attempts.at(-1))) ?? held.steps[0];
    // What a reviewer reported before it failed counts; its silence about the rest does not.
    const status = findings.length > 0 ? 'partial' : 'failed';
    return {
      ...base,
      status,
      failure: own ? finalFailure(own.attempts) : outOfTokens(held),
      coverage: coverage.map(asSkipped),
      ...(reading && { unparsed: [...reading.unparsed], dropped: reading.dropped }),
    };
  }
  const { research, said } = first;
  const joined = joinAnswers(read);
  const isSplit = attempts.some(
    ({ answer }) => answer.status === 'failed' && answer.failure.cause === 'context',
  );
  return {
    ...base,
    ...doubtOf(held, read, coverage),
    ...joined,
    notes: [...joined.notes, ...(isSplit ? [splitNote] : [])],
    format: first.format,
    ...(research && { research }),
    ...(said !== undefined && { said }),
  };
}

/** What all questions yielded; where only grave things were asked for, the others are counted and go. */
function gather(steps: readonly HeldStep[]) {
  const said = steps.map(step => ({
    isFull: step.mode === 'full',
    stated: statedIn(step),
    improvements: readingOf(step)?.improvements ?? [],
  }));
  return {
    stated: said.flatMap(({ stated }) => stated),
    improvements: said.flatMap(({ isFull, improvements }) => (isFull ? improvements : [])),
    terse: new Set<StatedFinding | undefined>(
      said.flatMap(({ isFull, stated }) => (isFull ? [] : stated)),
    ),
  };
}

function statedIn(step: HeldStep) {
  const answered = readingOf(step)?.findings ?? [];
  const reported = withoutRepeated(
    step.attempts.flatMap(({ answer }) => answer.reports?.findings ?? []),
    answered,
  );
  return [...(step.mode === 'full' ? answered : keepSevere(answered).kept), ...reported];
}

function readingOf({ attempts }: HeldStep) {
  const reading = attempts.at(-1)?.reading ?? null;
  return reading?.ok ? reading : null;
}

/** A review is partial when a question failed, when an answer says so, or when the tokens ended before the files. */
function doubtOf(
  held: Held,
  read: readonly Read[],
  coverage: readonly FileReading[],
): Pick<Review, 'status' | 'failure'> {
  if (held.shortage !== null) return { status: 'partial', failure: outOfTokens(held) };
  const failed = held.steps.find(step => !readingOf(step));
  if (failed) return { status: 'partial', failure: finalFailure(failed.attempts) };
  const partial = read.find(({ status }) => status === 'partial');
  const isShort = coverage.some(({ why }) => why === notListed);
  return {
    status: partial || isShort ? 'partial' : 'complete',
    failure: partial?.partialCause ? failureFrom(partial.partialCause) : null,
  };
}

function outOfTokens({ unasked, steps, shortage }: Held) {
  if (steps.length === 0) {
    const own = unasked.filter(({ extent }) => extent !== 'outside').length;
    return failureFrom(
      'budget',
      `Its budget does not hold the smallest useful question: ${own === 1 ? 'the one file' : `none of ${own} files`} of the change fits.`,
    );
  }
  return shortage === 'room'
    ? failureFrom('room', 'What was left of its tokens held none of the files it had not read.')
    : failureFrom('budget', 'Its tokens were used up before it had read every file.');
}

/** A second attempt that never got an answer says less about the reviewer than the rejection of the first. */
function finalFailure(attempts: readonly Attempt[]) {
  const failures = attempts.map(rejectionOf).filter(failure => failure !== null);
  const last = attempts.at(-1);
  const chosen =
    attempts.length > 1 && last?.answer.status === 'failed' ? failures[0] : failures.at(-1);
  return chosen ?? failureFrom('noformat');
}

const partialAnswer = 'a part of the answer is missing';
const splitNote = 'A question was longer than its model takes, and was put in parts.';
const notListed = 'not in the list of files the reviewer says it read';
const cutOff = 'the tokens of the reviewer were used up while it was asked about this file';

/** In the order of the subject: what each question covered, and why the rest was not. */
function coverageOf(
  { source, pack, readings }: ReviewTask,
  { steps, unasked }: Held,
): FileReading[] {
  const known = new Map<string, FileReading>();
  for (const step of steps)
    for (const reading of coverageOfStep(step)) known.set(reading.path, reading);
  for (const reading of unasked) known.set(reading.path, reading);
  if (!source && steps.length < 2) return [...known.values()];
  const all = readings ?? (typeof pack === 'function' ? pack('full') : pack).readings;
  const listed = new Set(all.map(({ path }) => path));
  return [
    ...all.map(reading => known.get(reading.path) ?? asSkipped(reading)),
    ...[...known.values()].filter(({ path }) => !listed.has(path)),
  ];
}

/** A static analyser knows what it read; of a model we know what it was shown, less what it says it skipped. */
function coverageOfStep(step: HeldStep): FileReading[] {
  const { readings } = step.pack;
  const last = step.attempts.at(-1);
  const reading = readingOf(step);
  const mark = (
    isMeant: (shown: FileReading) => boolean,
    extent: FileReading['extent'],
    why: string,
  ): FileReading[] =>
    readings.map(shown => (isMeant(shown) ? { path: shown.path, extent, why } : shown));
  if (isCut(last)) return mark(isShown, 'skipped', cutOff);
  if (!reading) return readings.map(asSkipped);
  const { partialCause, status, filesReviewed } = reading;
  // What an answer that breaks off or cannot be proven does not say, it may not have got to.
  if (partialCause !== null || (status === 'partial' && !filesReviewed))
    return mark(
      isFull,
      'partial',
      partialCause === null ? partialAnswer : causes[partialCause].sentence,
    );
  if (last?.answer.status === 'answered' && last.answer.coverage)
    return [...last.answer.coverage, ...readings.filter(({ why }) => isWithheld(why))];
  const listed = filesReviewed && new Set(filesReviewed);
  return mark(
    shown => listed !== null && isFull(shown) && !listed.has(shown.path),
    'skipped',
    notListed,
  );
}

function isFull({ extent }: FileReading) {
  return extent === 'full';
}

function asSkipped(reading: FileReading): FileReading {
  return reading.extent === 'outside'
    ? reading
    : { path: reading.path, extent: 'skipped', why: reading.why ?? 'the reviewer did not answer' };
}

function spendingOf({ tokens }: ReviewTask, { steps, shortage }: Held, terse: string[]) {
  const ledger = tokens?.known() ?? null;
  if (!tokens || !ledger) return null;
  const removed = [
    ...steps
      .filter(({ mode }) => mode !== 'full')
      .map(step => keepSevere(readingOf(step)?.findings ?? []).skipped),
    ...steps.flatMap(({ attempts }) =>
      attempts.map(({ answer }) => answer.reports?.skipped ?? { medium_count: 0, low_count: 0 }),
    ),
  ];
  const count = (key: keyof SkippedSeverities) =>
    removed.reduce((sum, skipped) => sum + skipped[key], 0);
  return {
    ...ledger.standing(),
    mode: shortage === 'budget' ? 'force_return' : (steps.at(-1)?.mode ?? 'full'),
    isolation: tokens.isolation(),
    questions: steps.length,
    skipped: { medium_count: count('medium_count'), low_count: count('low_count') },
    terse,
  };
}
