/** Makes one review of those that one reviewer gave of the parts of a subject. */
import { by, groupsBy, present } from '../core/groups.ts';
import { nameFindings, rankOf, type Finding } from '../core/words/finding.ts';
import { worstStated } from './labels.ts';
import { listsOf, sumOfDropped } from './reading.ts';
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
  const isAll = (wanted: Review['status']) => parts.every(({ status }) => status === wanted);
  const isComplete = isAll('complete');
  const firstOf = <Key extends 'model' | 'failure' | 'format'>(key: Key) =>
    parts.find(part => part[key] !== null)?.[key] ?? first[key];
  const sumOf = (key: 'attempts' | 'durationMs') => parts.reduce((sum, part) => sum + part[key], 0);
  return {
    ...first,
    status: isComplete ? 'complete' : isAll('failed') ? 'failed' : 'partial',
    model: firstOf('model'),
    failure: isComplete ? null : firstOf('failure'),
    format: firstOf('format'),
    ...joinAnswers(parts),
    findings: nameFindings(parts.flatMap(({ findings }) => findings)),
    votes: joinVotes(parts),
    coverage: mergeReadings(parts.map(({ coverage }) => coverage)),
    usage: parts.map(({ usage }) => usage).reduce(addUsage, noUsage),
    attempts: sumOf('attempts'),
    durationMs: sumOf('durationMs'),
    notes: parts.flatMap((part, index) =>
      notesOf(part, part.notes).map(note => `Part ${index + 1}: ${note}`),
    ),
  };
}

/** Those given, and what a failure says. */
function notesOf({ failure }: Review, notes: readonly string[]) {
  return present(...notes, failure?.message);
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
  | 'unaccounted'
>;

/** Everything is kept, in order; of the reviewer's own keys the last one stands, of its verdicts the worst. */
export function joinAnswers(answers: readonly Answers[]): Answers {
  const milderVerdict = worstStated(answers.map(answer => answer.milderVerdict ?? null));
  const vetoReasons = answers.flatMap(answer => answer.vetoReasons ?? []);
  const extras = answers.flatMap(({ extra }) => extra ?? []);
  const [unaccounted] = answers.flatMap(answer => answer.unaccounted ?? []).toSorted(by(rankOf));
  return {
    ...listsOf(answers, ['unparsed', 'notes', 'votes']),
    repairs: [...new Set(answers.flatMap(({ repairs }) => repairs))],
    statedVerdict: worstStated(answers.map(({ statedVerdict }) => statedVerdict)),
    ...(milderVerdict !== null && { milderVerdict }),
    dropped: sumOfDropped(answers.map(({ dropped }) => dropped)),
    ...(extras.length > 0 && { extra: Object.assign({}, ...extras) as Review['extra'] }),
    ...(vetoReasons.length > 0 && { vetoReasons }),
    ...(unaccounted && { unaccounted }),
  };
}

/** Each part saw only its own piece: a FAIL of one stands, a PASS only where every part gave it. */
function joinVotes(parts: readonly Review[]) {
  return parts
    .flatMap(({ votes }) => votes)
    .filter(
      ({ vote, criterion }) =>
        vote === 'FAIL' ||
        parts.every(({ votes }) =>
          votes.some(other => other.criterion === criterion && other.vote === 'PASS'),
        ),
    );
}

/**
 * Makes one review of what a reviewer gave in its rounds so far and of what it gave in a later one, when it was asked about
 * what it had not read. It is complete when nothing is left. A reviewer that was asked about a file once more says again what it had
 * said of it.
 */
export function continueReview(earlier: Review, anew: Review): Review {
  const known = new Set(earlier.findings.map(keyOf));
  const findings = anew.findings.filter(finding => !known.has(keyOf(finding)));
  const unparsed = anew.unparsed.filter(line => !earlier.unparsed.includes(line));
  const later = { ...anew, findings, unparsed };
  const joined = mergeReviews([earlier, later]);
  const isDone = later.status === 'complete';
  // A round in which nothing could be asked for want of tokens says less than the one before it.
  const isUnasked = isShortOfTokens(later) && later.usage.calls === 0;
  const failure = isUnasked ? earlier.failure : (later.failure ?? earlier.failure);
  return {
    ...joined,
    status: isDone ? 'complete' : 'partial',
    failure: isDone ? null : failure,
    coverage: joinReadings(
      [...earlier.coverage, ...(later.status === 'failed' ? [] : later.coverage)],
      furthest,
    ),
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

function keyOf({ severity, text, location, isImprovement }: Finding) {
  return JSON.stringify([severity, text, location?.path, location?.line, isImprovement]);
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
    notes: [...notesOf(earlier, earlier.notes), ...failed.notes],
  };
}

/** Of both readings of a file the one that saw more. */
function furthest(one: FileReading, other: FileReading) {
  return extents.indexOf(one.extent) < extents.indexOf(other.extent) ? other : one;
}

const extents = ['outside', 'skipped', 'partial', 'full'];

/** Of all rounds together. `named` are the findings of the later one, as they are called now. */
function joinSpending(
  earlier: Spending,
  { spending, status, findings }: Review,
  named: readonly Finding[],
) {
  if (!spending) return { ...earlier, mode: status === 'complete' ? 'full' : earlier.mode };
  const { mode, isolation, skipped } = spending;
  const sumOf = (key: 'total' | 'used' | 'own' | 'questions') => earlier[key] + spending[key];
  const terse = named.filter((_, index) => spending.terse.includes(findings[index]?.id ?? ''));
  return {
    mode,
    isolation,
    total: sumOf('total'),
    used: sumOf('used'),
    own: sumOf('own'),
    questions: sumOf('questions'),
    skipped: {
      medium_count: earlier.skipped.medium_count + skipped.medium_count,
      low_count: earlier.skipped.low_count + skipped.low_count,
    },
    terse: [...earlier.terse, ...terse.map(({ id }) => id)],
  };
}

/** `outside` says that a part does not hold the file. */
export function mergeReadings(parts: readonly (readonly FileReading[])[]): FileReading[] {
  return joinReadings(parts.flat(), bothParts);
}

function joinReadings(readings: readonly FileReading[], join: typeof furthest) {
  return groupsBy(readings, ({ path }) => path).map(group => group.reduce(join));
}

/** What was read of a file in two parts. */
function bothParts(one: FileReading, other: FileReading): FileReading {
  if (other.extent === 'outside' || other.extent === one.extent) return one;
  if (one.extent === 'outside') return other;
  const lacking = one.extent === 'full' ? other : one;
  return { ...lacking, extent: 'partial', why: lacking.why ?? 'a part of it was not read' };
}
