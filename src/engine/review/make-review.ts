/** Makes one review of the questions a reviewer was asked: findings of all of them, what was read, what was not and why. */
import { keepSevere, type ProgressiveMode, type SkippedSeverities } from '../../core/context/progressive-mode.ts';
import type { Seat } from '../../core/config.ts';
import type { Finding, StatedFinding } from '../../core/finding.ts';
import { nameApart } from '../../core/name-apart.ts';
import type { Read } from '../../core/parse/answer.ts';
import { addUsage, causes, noUsage, type Failure, type FileReading, type Review, type Spending, type Usage } from '../../core/review.ts';
import { rejectionOf } from './ask-step.ts';
import { withoutRepeated } from '../../core/tools/offers.ts';
import type { Attempt, Conduct, Held, HeldStep, Surroundings } from './conduct.ts';

interface Circumstances {
  readonly times: Pick<Review, 'startedAt' | 'durationMs'>;
  readonly locate: Surroundings['locate'];
}

export async function toReview(conduct: Conduct, held: Held, { times, locate }: Circumstances): Promise<Review> {
  const attempts = held.steps.flatMap(step => step.attempts);
  const last = attempts.at(-1);
  const said = tellApart(held.steps.flatMap(gather));
  const spending = spendingOf(conduct, held, said);
  const base = { ...describeSeat(conduct), ...times, attempts: attempts.length, usage: totalUsage(conduct.seat, attempts), model: last?.answer.model ?? conduct.seat.model ?? null, ...(spending === null ? {} : { spending }) };
  const read = held.steps.map(readingOf).filter(reading => reading !== null);
  const coverage = coverageOf(conduct, held);
  const [first] = read;
  const locations = await locate(said.map(({ stated }) => stated));
  const findings = said.map(({ stated, isImprovement }, index) => toFinding(stated, { reviewer: conduct.seat.id, location: locations[index] ?? null, isImprovement }));
  if (first === undefined) {
    const reading = last?.reading ?? null;
    // What a reviewer reported before it failed counts; its silence about the rest does not.
    const status = findings.length > 0 ? 'partial' : 'failed';
    return { ...base, ...nothingRead, findings, status, failure: failureOf(held), coverage: coverage.map(asSkipped), ...(reading && { unparsed: [...reading.unparsed], dropped: reading.dropped }) };
  }
  const doubt = doubtOf(held, read, coverage);
  return {
    ...base, ...doubt, ...summed(read),
    format: first.format,
    findings,
    statedVerdict: worstVerdict(read),
    coverage,
    ...(first.research && { research: first.research }),
    ...(first.said !== undefined && { said: first.said }),
  };
}

interface Said {
  readonly stated: StatedFinding;
  readonly isImprovement: boolean;
  readonly mode: ProgressiveMode;
}

/** What a question yielded; when only grave things were asked for, the others are counted and go. */
function gather(step: HeldStep): Said[] {
  const reading = readingOf(step) ?? { findings: [], improvements: [] };
  const say = (findings: readonly StatedFinding[], isImprovement: boolean): Said[] => findings.map(stated => ({ stated, isImprovement, mode: step.mode }));
  const final = step.mode === 'full' ? [...say(reading.findings, false), ...say(reading.improvements, true)] : say(keepSevere(reading.findings).kept, false);
  return [...final, ...say(withoutRepeated(step.attempts.flatMap(({ answer }) => answer.reports?.findings ?? []), reading.findings), false)];
}

/** Ids of positions start anew with every answer; those that reviewers give may come twice. */
function tellApart(said: readonly Said[]): Said[] {
  const ordered = [...said.filter(({ isImprovement }) => !isImprovement), ...said.filter(({ isImprovement }) => isImprovement)];
  const named = nameApart(ordered.map(({ stated }) => stated));
  return ordered.map((entry, index) => ({ ...entry, stated: named[index] ?? entry.stated }));
}

function readingOf({ attempts }: HeldStep): Read | null {
  const reading = attempts.at(-1)?.reading ?? null;
  return reading?.ok ? reading : null;
}

/** A review is partial when a question failed, when an answer says so, or when the tokens ended before the files. */
function doubtOf(held: Held, read: readonly Read[], coverage: readonly FileReading[]): Pick<Review, 'status' | 'failure'> {
  if (held.isOutOfTokens) return { status: 'partial', failure: outOfTokens(held) };
  const failed = held.steps.find(step => readingOf(step) === null);
  if (failed !== undefined) return { status: 'partial', failure: finalFailure(failed.attempts) };
  const partial = read.find(({ status }) => status === 'partial');
  const isShort = coverage.some(({ why }) => why === notListed);
  return {
    status: partial !== undefined || isShort ? 'partial' : 'complete',
    failure: partial?.partialCause ? { cause: partial.partialCause, message: causes[partial.partialCause].sentence, exitCode: null, httpStatus: null } : null,
  };
}

function failureOf(held: Held): Failure {
  const step = held.steps.find(({ isCut }) => !isCut) ?? held.steps[0];
  return step === undefined ? outOfTokens(held) : finalFailure(step.attempts);
}

function outOfTokens({ unasked, steps }: Held): Failure {
  const message = steps.length === 0
    ? `Its budget does not hold the smallest useful question: ${unasked.length === 1 ? 'the one file' : `none of ${unasked.length} files`} of the change fits.`
    : 'Its tokens were used up before it had read every file.';
  return { cause: 'budget', message, exitCode: null, httpStatus: null };
}

/** A second attempt that never got an answer says less about the reviewer than the rejection of the first. */
function finalFailure(attempts: readonly Attempt[]): Failure {
  const failures = attempts.map(rejectionOf).filter(failure => failure !== null);
  const last = attempts.at(-1);
  const chosen = attempts.length > 1 && last?.answer.status === 'failed' ? failures[0] : failures.at(-1);
  return chosen ?? { cause: 'noformat', message: causes.noformat.sentence, exitCode: null, httpStatus: null };
}

function summed(read: readonly Read[]): Pick<Review, 'unparsed' | 'dropped' | 'repairs' | 'notes' | 'votes' | 'extra' | 'vetoReasons'> {
  const add = (key: keyof Review['dropped']): number => read.reduce((sum, { dropped }) => sum + dropped[key], 0);
  return {
    unparsed: read.flatMap(({ unparsed }) => unparsed),
    dropped: { placeholder: add('placeholder'), template: add('template'), prompt: add('prompt') },
    repairs: [...new Set(read.flatMap(({ repairs }) => repairs))],
    notes: read.flatMap(({ notes }) => notes),
    votes: read.flatMap(({ votes }) => votes),
    ...(read.some(({ extra }) => extra) && { extra: Object.assign({}, ...read.map(({ extra }) => extra ?? {})) as Review['extra'] }),
    ...(read.some(({ vetoReasons }) => vetoReasons) && { vetoReasons: read.flatMap(({ vetoReasons }) => vetoReasons ?? []) }),
  };
}

/** The first veto, else the first that finds fault, else the last word. */
function worstVerdict(read: readonly Read[]): string | null {
  const stated = read.map(({ statedVerdict }) => statedVerdict).filter(verdict => verdict !== null);
  const harsh = [/veto|risky|block|reject|fail/i, /warn|request|needs/i].map(words => stated.find(verdict => words.test(verdict))).find(verdict => verdict !== undefined);
  return harsh ?? stated.at(-1) ?? null;
}

const nothingRead = { format: null, findings: [], statedVerdict: null, unparsed: [], dropped: { placeholder: 0, template: 0, prompt: 0 }, repairs: [], notes: [], votes: [] } satisfies Partial<Review>;

function describeSeat({ seat, runner }: Conduct): Pick<Review, 'reviewer' | 'persona' | 'runner' | 'required' | 'timeoutSeconds'> {
  return { reviewer: seat.id, persona: seat.persona.name, runner: runner.name, required: seat.required, timeoutSeconds: seat.timeout };
}

const notListed = 'not in the list of files the reviewer says it read';
const cutOff = 'the tokens of the reviewer were used up while it was asked about this file';

/** In the order of the subject: what each question covered, and why the rest was not. */
function coverageOf({ source, pack, readings }: Conduct, { steps, unasked }: Held): FileReading[] {
  const known = new Map<string, FileReading>();
  for (const step of steps) for (const reading of coverageOfStep(step)) known.set(reading.path, reading);
  for (const { path, why } of unasked) known.set(path, { path, extent: 'skipped', why });
  if (source === undefined) return [...known.values()];
  const all = readings ?? (typeof pack === 'function' ? pack('full') : pack).readings;
  const listed = new Set(all.map(({ path }) => path));
  return [...all.map(reading => known.get(reading.path) ?? reading), ...[...known.values()].filter(({ path }) => !listed.has(path))];
}

/** A static analyser knows what it read; of a model we know what it was shown, less what it says it skipped. */
function coverageOfStep(step: HeldStep): FileReading[] {
  const { attempts, pack, isCut } = step;
  const answer = attempts.at(-1)?.answer ?? null;
  const reading = readingOf(step);
  if (isCut) return pack.readings.map(shown => (shown.extent === 'full' || shown.extent === 'partial' ? { path: shown.path, extent: 'skipped', why: cutOff } : shown));
  if (reading === null) return pack.readings.map(asSkipped);
  if (answer?.status === 'answered' && answer.coverage !== null) return answer.coverage.map(({ path, extent, why }) => ({ path, extent, why }));
  if (reading.filesReviewed === null) return [...pack.readings];
  const listed = new Set(reading.filesReviewed);
  return pack.readings.map(shown => (shown.extent === 'full' && !listed.has(shown.path) ? { path: shown.path, extent: 'skipped', why: notListed } : shown));
}

function asSkipped(reading: FileReading): FileReading {
  return reading.extent === 'outside' ? reading : { path: reading.path, extent: 'skipped', why: reading.why ?? 'the reviewer did not answer' };
}

function spendingOf({ tokens, seat }: Conduct, { steps, isOutOfTokens }: Held, said: readonly Said[]): Spending | null {
  const ledger = tokens?.known() ?? null;
  if (tokens === undefined || ledger === null) return null;
  const removed = [
    ...steps.filter(({ mode }) => mode !== 'full').map(step => keepSevere(readingOf(step)?.findings ?? []).skipped),
    ...steps.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.reports?.skipped ?? { medium_count: 0, low_count: 0 })),
  ];
  const count = (key: keyof SkippedSeverities): number => removed.reduce((sum, skipped) => sum + skipped[key], 0);
  return {
    ...ledger.standing(),
    mode: isOutOfTokens ? 'force_return' : (steps.at(-1)?.mode ?? 'force_return'),
    isolation: tokens.isolation(),
    questions: steps.length,
    skipped: { medium_count: count('medium_count'), low_count: count('low_count') },
    terse: said.filter(({ mode }) => mode !== 'full').map(({ stated }) => `${seat.id}/${stated.originalId}`),
  };
}

function totalUsage(seat: Seat, attempts: readonly Attempt[]): Usage {
  return attempts.map(({ answer }) => priced(answer.usage, seat)).reduce(addUsage, noUsage);
}

function priced(usage: Usage, { price }: Seat): Usage {
  if (usage.cost !== null || !price) return usage;
  const fresh = usage.inputTokens - usage.cachedTokens;
  return { ...usage, cost: (fresh * price.input + usage.cachedTokens * (price.cached ?? price.input) + usage.outputTokens * price.output) / 1e6 };
}

function toFinding(stated: StatedFinding, { reviewer, location, isImprovement }: Pick<Finding, 'reviewer' | 'location' | 'isImprovement'>): Finding {
  const { originalId, label, severity, text, section, category, evidence, recommendation, extra, raw, notes } = stated;
  return { id: `${reviewer}/${originalId}`, reviewer, originalId, label, severity, text, section, category, evidence, recommendation, ...(extra && { extra }), raw, notes, location, isImprovement };
}
