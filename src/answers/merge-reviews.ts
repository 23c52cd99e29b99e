/** Makes one review of those that one reviewer gave of the parts of a subject. */
import { nameFindings, type Finding } from '../core/words/finding.ts';
import { worstStated } from './labels.ts';
import { sumOfDropped } from './reading.ts';
import {
  addUsage,
  isShortOfTokens,
  noUsage,
  type FileReading,
  type Review,
  type Spending,
} from '../core/words/review.ts';

/** `parts` in order, at least one. Complete when all are; failed when all are; a file is read in full when each part that holds it was. */
export function mergeReviews(parts: readonly [Review, ...Review[]]): Review {
  const [first] = parts;
  if (parts.length === 1) return first;
  const failed = parts.filter(({ status }) => status === 'failed');
  const status = parts.every(part => part.status === 'complete')
    ? 'complete'
    : failed.length === parts.length
      ? 'failed'
      : 'partial';
  return {
    ...first,
    status,
    model: firstOf(parts.map(({ model }) => model)),
    failure: status === 'complete' ? null : firstOf(parts.map(({ failure }) => failure)),
    format: firstOf(parts.map(({ format }) => format)),
    ...joinAnswers(parts),
    findings: nameFindings(parts.flatMap(({ findings }) => findings)),
    votes: joinVotes(parts),
    coverage: mergeReadings(parts.map(({ coverage }) => coverage)),
    usage: parts.map(({ usage }) => usage).reduce(addUsage, noUsage),
    attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    notes: parts.flatMap(({ notes, failure }, index) =>
      [...notes, ...(failure === null ? [] : [failure.message])].map(
        note => `Part ${index + 1}: ${note}`,
      ),
    ),
  };
}

function firstOf<Value>(values: readonly (Value | null)[]): Value | null {
  return values.find(value => value !== null) ?? null;
}

/** What several answers of one reviewer said besides findings. */
type Answers = Pick<
  Review,
  | 'statedVerdict'
  | 'milderVerdict'
  | 'unparsed'
  | 'dropped'
  | 'repairs'
  | 'notes'
  | 'votes'
  | 'extra'
  | 'vetoReasons'
>;

/** Everything is kept, in order; of the reviewer's own keys the last one stands, of its verdicts the worst. */
export function joinAnswers(answers: readonly Answers[]): Answers {
  const milderVerdict = worstStated(answers.map(answer => answer.milderVerdict ?? null));
  const vetoReasons = answers.flatMap(answer => answer.vetoReasons ?? []);
  return {
    statedVerdict: worstStated(answers.map(({ statedVerdict }) => statedVerdict)),
    ...(milderVerdict !== null && { milderVerdict }),
    unparsed: answers.flatMap(({ unparsed }) => unparsed),
    dropped: sumOfDropped(answers.map(({ dropped }) => dropped)),
    repairs: [...new Set(answers.flatMap(({ repairs }) => repairs))],
    notes: answers.flatMap(({ notes }) => notes),
    votes: answers.flatMap(({ votes }) => votes),
    ...(answers.some(({ extra }) => extra) && {
      extra: Object.assign({}, ...answers.map(({ extra }) => extra)) as Review['extra'],
    }),
    ...(vetoReasons.length > 0 && { vetoReasons }),
  };
}

/** Each part saw only its own piece: a FAIL of one stands, a PASS only where every part gave it. */
function joinVotes(parts: readonly Review[]): Review['votes'] {
  const votes = parts.flatMap(part => part.votes);
  const isPassed = (criterion: number): boolean =>
    parts.every(part =>
      part.votes.some(vote => vote.criterion === criterion && vote.vote === 'PASS'),
    );
  return votes.filter(({ vote, criterion }) => vote === 'FAIL' || isPassed(criterion));
}

/**
 * Makes one review of what a reviewer gave in its rounds so far and of what it gave in a later one, when it was asked about
 * what it had not read. It is complete when nothing is left.
 */
export function continueReview(earlier: Review, anew: Review): Review {
  const later = withoutRepeated(anew, earlier);
  const joined = mergeReviews([earlier, later]);
  const isDone = later.status === 'complete';
  return {
    ...joined,
    status: isDone ? 'complete' : 'partial',
    // A round in which nothing could be asked for want of tokens says less than the one before it.
    failure: isDone
      ? null
      : later.failure === null || (isShortOfTokens(later) && later.usage.calls === 0)
        ? earlier.failure
        : later.failure,
    coverage: joinReadings(earlier.coverage, later.status === 'failed' ? [] : later.coverage),
    notes: [...earlier.notes, ...later.notes],
    votes: [...earlier.votes, ...later.votes],
    ...(earlier.spending && {
      spending: joinSpending(
        earlier.spending,
        later,
        joined.findings.slice(earlier.findings.length),
      ),
    }),
  };
}

function keyOf({ severity, text, location, isImprovement }: Finding): string {
  return JSON.stringify([severity, text, location?.path, location?.line, isImprovement]);
}

/** A reviewer that was asked about a file once more says again what it had said of it. */
function withoutRepeated(later: Review, { findings: said }: Review): Review {
  const known = new Set(said.map(keyOf));
  const findings = later.findings.filter(finding => !known.has(keyOf(finding)));
  return findings.length === later.findings.length ? later : { ...later, findings };
}

/**
 * A review that was not whole, whose reviewer failed or had not read when it was asked once more: what it said stands, and that
 * is said.
 */
export function standBy(earlier: Review, failed: Review): Review {
  return {
    ...earlier,
    failure: failed.failure ?? earlier.failure,
    usage: addUsage(earlier.usage, failed.usage),
    attempts: earlier.attempts + failed.attempts,
    durationMs: earlier.durationMs + failed.durationMs,
    notes: [
      ...earlier.notes,
      ...(earlier.failure === null ? [] : [earlier.failure.message]),
      ...failed.notes,
    ],
  };
}

/** Of both readings of a file the one that saw more. */
function joinReadings(
  earlier: readonly FileReading[],
  later: readonly FileReading[],
): FileReading[] {
  const anew = new Map(later.map(reading => [reading.path, reading]));
  const known = new Set(earlier.map(({ path }) => path));
  const better = (reading: FileReading): FileReading => {
    const other = anew.get(reading.path);
    return other === undefined || extents.indexOf(other.extent) <= extents.indexOf(reading.extent)
      ? reading
      : other;
  };
  return [...earlier.map(better), ...later.filter(({ path }) => !known.has(path))];
}

const extents: readonly FileReading['extent'][] = ['outside', 'skipped', 'partial', 'full'];

/** Of all rounds together. `named` are the findings of the later one, as they are called now. */
function joinSpending(
  earlier: Spending,
  { spending, status, findings }: Review,
  named: readonly Finding[],
): Spending {
  if (spending === undefined)
    return { ...earlier, mode: status === 'complete' ? 'full' : earlier.mode };
  const terse = new Set(spending.terse);
  return {
    mode: spending.mode,
    isolation: spending.isolation,
    total: earlier.total + spending.total,
    used: earlier.used + spending.used,
    own: earlier.own + spending.own,
    questions: earlier.questions + spending.questions,
    skipped: {
      medium_count: earlier.skipped.medium_count + spending.skipped.medium_count,
      low_count: earlier.skipped.low_count + spending.skipped.low_count,
    },
    terse: [
      ...earlier.terse,
      ...named.filter((_, index) => terse.has(findings[index]?.id ?? '')).map(({ id }) => id),
    ],
  };
}

/** `outside` says that a part does not hold the file. */
export function mergeReadings(parts: readonly (readonly FileReading[])[]): FileReading[] {
  const byPath = new Map<string, FileReading[]>();
  for (const reading of parts.flat())
    byPath.set(reading.path, [...(byPath.get(reading.path) ?? []), reading]);
  return [...byPath.values()].map(readings => {
    const held = readings.filter(({ extent }) => extent !== 'outside');
    const [reading = readings[0]] = held;
    if (reading === undefined) throw new Error('A path without readings.');
    const lacking = held.find(({ extent }) => extent !== 'full');
    if (lacking === undefined) return reading;
    return held.every(({ extent }) => extent === 'skipped')
      ? lacking
      : { ...lacking, extent: 'partial', why: lacking.why ?? 'a part of it was not read' };
  });
}
