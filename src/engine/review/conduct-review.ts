/**
 * Asks one reviewer, in one question or in several, and makes one review of what comes back. A reviewer's failure is
 * data; whatever a reviewer does, this returns a review.
 */
import { ProgressiveMode, keepSevere, type SkippedSeverities } from '../../core/context/budget.ts';
import { type Pack, outOfBudget, StepChoice } from '../../core/context/pack.ts';
import { toJsonText } from '../../core/json.ts';
import { type Read, gravestIn, joinAnswers } from '../../answers/index.ts';
import {
  renderReviewFile,
  renderVerdictFile,
  toAgentOutput,
  toVerdictFile,
} from '../../core/run-files/review-file.ts';
import {
  type Review,
  causes,
  addUsage,
  emptyReview,
  failureFrom,
  type FileReading,
  noUsage,
} from '../../core/words/review.ts';
import type { World } from '../world.ts';
import {
  type Conducted,
  isShown,
  type AskingSession,
  type Held,
  type HeldStep,
  type Question,
  type ReviewTask,
  type Attempt,
} from './review-task.ts';
import { toolInstructions, withoutRepeated } from '../../core/tools/offers.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import { askQuestion, isCut, rejectionOf, roleOf } from './ask-step.ts';
import { stepRoom, type StepSource } from './allot-tokens.ts';
import { isWithheld } from '../../core/context/egress.ts';
import { priced } from '../../core/spending/month.ts';
import { nameFindings, sayAs, type StatedFinding } from '../../core/words/finding.ts';

/**
 * One question after the other, until nothing is left to ask about, the tokens end or an answer says that asking on is no use.
 * Rejects only when `signal` aborts: a call that was cut off is no step and is asked again on resume.
 */
export async function conductReview(task: ReviewTask, session: AskingSession): Promise<Conducted> {
  const { clock, locate } = session;
  const startedAt = clock.now().toISOString();
  const began = clock.monotonicMs();
  const offered = task.openTools?.((await task.tokens?.ledger()) ?? null) ?? null;
  const steps = [];
  for (
    let next = await nextQuestion(task, session, 1);
    next;
    next = await nextQuestion(task, session, steps.length + 1)
  ) {
    announce(task, session, next.mode, steps.at(-1)?.mode ?? 'full');
    // Tools that could tell nothing any more would only take tokens.
    const tools = offered?.isSpent() ? null : offered;
    const asked = await askOrSplit(
      task,
      { ...next, pack: withTools(next.pack, tools), tools },
      session,
      steps.length + 1,
    );
    steps.push(...asked);
    if (asked.some(({ attempts }) => isCut(attempts.at(-1)) || endsReview(attempts))) break;
  }
  const held = heldOf(task, session, steps);
  const review = await makeReview(
    task,
    held,
    { startedAt, durationMs: Math.round(clock.monotonicMs() - began) },
    locate,
  );
  return {
    review,
    transcripts: steps.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.transcript)),
  };
}

/** A question that the model does not take is split once; both halves are asked. */
async function askOrSplit(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
  number: number,
): Promise<readonly HeldStep[]> {
  const { pack, mode, tools, key } = question;
  await task.keep?.(pack, number);
  const whole = await askQuestion(task, question, session);
  const isTooLong = rejectionOf(whole.at(-1))?.cause === 'context';
  const parts = isTooLong ? (pack.split?.() ?? []) : [];
  if (parts.length === 0) return [{ attempts: whole, pack, mode }];
  const held = [];
  for (const [index, part] of parts.entries()) {
    const own = withTools(part, tools);
    await task.keep?.(own, number + index);
    const half = { ...question, pack: own, key: `${key}/part/${index + 1}`, reserved: 0 };
    const asked = await askQuestion(task, half, session);
    held.push({ attempts: [...(index === 0 ? whole : []), ...asked], pack: own, mode });
  }
  return held;
}

function heldOf(task: ReviewTask, session: AskingSession, steps: readonly HeldStep[]): Held {
  const last = steps.at(-1);
  const isFailed = last !== undefined && !isCut(last.attempts.at(-1)) && endsReview(last.attempts);
  const unasked = (task.source?.left() ?? []).map(each => ({
    ...each,
    why: isFailed && each.why === outOfBudget ? 'an earlier question failed' : each.why,
  }));
  const shortage = shortageOf(task, last, unasked);
  if (task.source && shortage === 'budget')
    announce(task, session, 'force_return', last?.mode ?? 'full');
  return { steps, unasked, shortage };
}

/** Where the threshold is not reached, nobody was stopped: what is left holds no file that is left. */
function shortageOf({ tokens }: ReviewTask, last: HeldStep | undefined, unasked: Held['unasked']) {
  if (isCut(last?.attempts.at(-1))) return 'budget';
  if (!unasked.some(({ extent, why }) => extent === 'skipped' && why === outOfBudget)) return null;
  return tokens?.known()?.mode() === 'force_return' ? 'budget' : 'room';
}

/** Null: there is nothing more to ask about, or no tokens for it. A question that fits is always asked, if for the grave things only. */
async function nextQuestion(task: ReviewTask, session: AskingSession, number: number) {
  const { source } = task;
  if (!source) {
    if (number > 1) return null;
    const mode = await rememberedMode(task, session);
    const pack = typeof task.pack === 'function' ? task.pack(mode) : task.pack;
    return { pack, mode, key: task.key, reserved: task.tokens?.granted ?? 0 };
  }
  const key = number === 1 ? task.key : `${task.key}/step/${number}`;
  const choice = await choose(task, source, session, `${key}/files`);
  return choice && { pack: source.take(choice), mode: choice.mode, key, reserved: choice.tokens };
}

/** On resume the question must be the one that was answered. */
async function rememberedMode({ tokens, key }: ReviewTask, { steps }: AskingSession) {
  if (!tokens) return 'full';
  return steps.step<ProgressiveMode>(
    `${key}/mode`,
    async () => ((tokens.known()?.mode() ?? 'full') === 'full' ? 'full' : 'high_severity_only'),
    ProgressiveMode,
  );
}

function withTools(pack: Pack, tools: MeteredTools | null) {
  return tools ? { ...pack, prompt: `${pack.prompt}\n${toolInstructions}\n` } : pack;
}

/** Null: there is nothing more to ask about, or no tokens for it. What was chosen before a crash is chosen again. */
async function choose(
  { tokens }: ReviewTask,
  source: StepSource,
  { steps }: AskingSession,
  key: string,
) {
  const known = await steps.recall(key, StepChoice);
  const ledger = (await tokens?.ledger()) ?? null;
  if (known) {
    ledger?.reserve(known.tokens);
    return known;
  }
  const isMore = async () => source.isWanting() && (await tokens?.whenMore()) === true;
  for (;;) {
    const mode = ledger?.mode() ?? 'full';
    // Nobody is asked for less, or about less, while others may still leave some of theirs.
    if (mode !== 'full' && (await isMore())) continue;
    const choice = mode === 'force_return' ? null : source.propose(mode, stepRoom(ledger, mode));
    if (choice && ledger?.reserve(choice.tokens) !== false)
      return steps.step(key, async () => choice, StepChoice);
    if (!(await isMore())) return null;
  }
}

/** After an answer that could not be read the next question may go better; after anything else it will not. */
function endsReview(attempts: HeldStep['attempts']) {
  const rejection = rejectionOf(attempts.at(-1));
  return rejection !== null && causes[rejection.cause].retry !== 'answer';
}

function announce(
  { seat, tokens }: ReviewTask,
  { onEvent }: AskingSession,
  mode: ProgressiveMode,
  before: ProgressiveMode,
) {
  if (mode === before) return;
  const { used, total } = tokens?.known()?.standing() ?? { used: 0, total: 0 };
  onEvent({ type: 'mode', reviewer: seat.id, mode, used, total });
}

// Makes one review of the questions a reviewer was asked: findings of all of them, what was read, what was not and why.

async function makeReview(
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
  const unaccounted = gravestIn(held.steps.flatMap(leftOverOf), task.reading.scale);
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
    ...(unaccounted && { unaccounted }),
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

/** Where no answer was read, of all that was written. */
function leftOverOf(step: HeldStep) {
  return (
    readingOf(step)?.leftOver ??
    step.attempts.flatMap(({ reading, told }) => [...(reading?.leftOver ?? []), ...told])
  );
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
  ) => readings.map(shown => (isMeant(shown) ? { path: shown.path, extent, why } : shown));
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

// What is kept of it in the run folder.

export async function writeReview(
  { store, clock, writeReviewFile }: World,
  { review, transcripts }: Conducted,
  isResearch: boolean,
) {
  const { reviewer } = review;
  const raw = `raw/${reviewer}.txt`;
  const answer = transcripts?.at(-1) ?? (await store.read(raw));
  const detailPath = `${store.copies ?? store.folder}/reviews/${reviewer}.md`;
  const verdict = toVerdictFile(review, {
    sessionId: store.runId,
    now: clock.now(),
    detailPath,
    answer,
    isResearch,
  });
  // Each waits for the disk: at once they wait together.
  await Promise.all([
    transcripts && store.write(raw, transcripts.join('\n\n')),
    store.write(`raw/${reviewer}.json`, toJsonText(toAgentOutput(review, null, store.runId))),
    writeReviewFile(reviewer, renderReviewFile(review, { runId: store.runId, answer })),
    store.write(`verdicts/${reviewer}.json`, renderVerdictFile(verdict)),
  ]);
}
