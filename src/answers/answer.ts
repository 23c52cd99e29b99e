/**
 * Reads what a reviewer said. Strict forms come first: JSON, Findings Index, severity lines with headed bullets; only when
 * all fail, a closed list of repairs takes wrappings off. Nothing is ever completed: no comma, quote or bracket is added.
 */
import { type LabelScale, type StatedFinding, rankOf } from '../core/words/finding.ts';
import type { Cause } from '../core/words/review.ts';
import { by, groupsBy } from '../core/groups.ts';
import { cut } from '../core/text.ts';
import { computeVerdict } from '../core/verdict/record.ts';
import { readIndex } from './findings-index.ts';
import { labelAtStart, labelsIn, mentionsIn } from './heads.ts';
import { readJsonText } from './json.ts';
import { isMilder, worstStated } from './labels.ts';
import { endMark, layOut, takeEndMark, visible } from './layout.ts';
import {
  emptyDraft,
  isAnswer,
  listsOf,
  reject,
  sumOfDropped,
  type Draft,
  type Read,
  type Reading,
  type Question,
  type ReadingOptions,
  type Unread,
  type Wrapping,
} from './reading.ts';
import {
  createSieve,
  excuseOf,
  faultOfText,
  namesFindings,
  rejectionIn,
  withoutEcho,
} from './sieve.ts';
import { readReport } from './items.ts';
import { inUnits } from './place-in-text.ts';
import { draftOf } from './walk.ts';
import { nameInOrder } from '../core/words/stated.ts';
import { clean, findEmbedded, unwrap } from './wrappings.ts';

/** Never throws: whatever the text is, it is read or the cause is named. */
export function readAnswer(text: string, asked: ReadingOptions): Reading {
  const options = { ...asked, sieve: createSieve(asked.sent) };
  const fault = faultOfText(text, options.sent.prompt);
  const { text: cleaned, thoughts, repairs } = clean(fault ? '' : text);
  const { text: own, echoes } = withoutEcho(cleaned, options.sent);
  const attempt =
    fault ??
    (echoes > 0 && own.trim() === ''
      ? reject('echo', 'The answer repeats what was sent.')
      : readText(own, options, 0));
  const dropped = { ...attempt.dropped, prompt: attempt.dropped.prompt + echoes };
  const notes = repairs.includes('A16') ? ['Terminal sequences were removed.'] : [];
  // A thought is no answer; what it calls grave was not said to be none.
  const thought = mentionsIn(thoughts, options);
  const reading = attempt.ok
    ? settleDraft(
        {
          ...attempt,
          notes: [...notes, ...attempt.notes],
          mentions: [...attempt.mentions, ...thought],
          dropped,
          deviations: [...repairs, ...attempt.deviations],
        },
        options,
      )
    : { ...attempt, dropped };
  if (reading.ok) return { ...reading, thoughts };
  const leftOver = mentionsIn(own, options).map(({ line }) => cut(line, 2_000));
  return { ...reading, leftOver: [...new Set(leftOver)] };
}

/** Wrappings inside wrappings that are taken off: a fence in an envelope in a string. */
const unwrapLimit = 5;

/** The end mark is taken off first, at every depth: a client may have wrapped the answer with it. */
function readText(text: string, options: Question, depth: number): Draft | Unread {
  const { text: own, isMarked } = takeEndMark(text);
  if (own.trim() === '') return reject('empty', 'The answer has no text.');
  const attempt = readUnmarked(own, options, depth);
  if (!attempt.ok) return attempt;
  const { findings, votes, dropped, format, verdict } = attempt;
  const isEcho = findings.length + votes.length === 0 && dropped.template + dropped.prompt > 0;
  // "None" and the mark stand in the instructions as well: where pieces of them came back, both may be of those pieces.
  if (isEcho && !verdict) return reject('echo', 'The answer repeats the instructions.');
  if (!isMarked) {
    const cause = tornBy(own, options);
    return cause === null ? attempt : { ...attempt, doubt: { cause } };
  }
  if (isEcho) return attempt;
  // An index carries its own verdict besides; the mark tells that nothing is missing behind it.
  return { ...attempt, ...(format === 'index' ? { isMarked: true } : { hasEndMark: true }) };
}

/** Null where nothing at its end tells that something is missing: in code, in the heading of a part that never came, in a word. */
function tornBy(text: string, { scale }: Question): Cause | null {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const [, title] = /^#{1,6} (.+)$/.exec(last) ?? [];
  if (
    layOut(text).fences.some(fence => !fence.isClosed) ||
    (title !== undefined && namesFindings(title))
  )
    return 'truncated';
  const isPiece = (word: string) => last.length > 1 && last !== word && word.startsWith(last);
  return /(?:^|\s)\*\*\w[^*]*$/.test(last) || [...scale.keys(), endMark, 'VERDICT:'].some(isPiece)
    ? 'unmarked'
    : null;
}

function readUnmarked(text: string, options: Question, depth: number): Draft | Unread {
  const json = readJsonText(text, options);
  if (json && !('texts' in json)) return json;
  if (json)
    return depth < unwrapLimit
      ? readInner(json, options, depth)
      : reject('depth', 'Too many wrappings.');
  const { answers, rest, broken } = findEmbedded(text, options);
  const inner = answers.map(answer => readInner(answer, options, depth + 1));
  const marked = readMarked(visible(rest, options.scale), options);
  const isStated = marked?.ok === true && isAnswer(marked);
  if (isStated || inner.length > 0) {
    const others = inner.filter(
      each => !isStated || each.ok || /^(?:schema|provider)$/.test(each.cause),
    );
    const joined = join(
      isStated ? [doubtful(checkSilence(marked, rest), broken), ...others] : others,
    );
    if (!joined.ok) return joined;
    const whole =
      !isStated && marked?.ok ? joinDrafts([joined, { ...marked, unparsed: [] }]) : joined;
    // An empty list beside an excuse is no review.
    return whole.findings.length > 0 ? whole : checkSilence(whole, rest);
  }
  if (broken) return broken;
  if (marked?.ok === false) return marked;
  const wrapping = depth < unwrapLimit ? unwrap(text) : null;
  if (wrapping && !('texts' in wrapping)) return wrapping;
  const unwrapped = wrapping && readInner(wrapping, options, depth);
  return unwrapped && (unwrapped.ok || unwrapped.cause !== 'noformat')
    ? unwrapped
    : nameText(text, marked);
}

function readInner(
  { texts, repair, doubt }: Wrapping,
  options: Question,
  depth: number,
): Draft | Unread {
  const joined = join(texts.map(text => readText(text, options, depth + 1)));
  return joined.ok
    ? {
        ...joined,
        ...(doubt && { doubt: { cause: doubt } }),
        deviations: [...new Set([repair, ...joined.deviations])],
      }
    : joined;
}

/** What is written by hand. An index that holds nothing is no reason not to look for lines. */
function readMarked(text: string, options: Question) {
  const { lines } = layOut(text);
  const index = readIndex(lines, options);
  if (index && (!index.ok || isAnswer(index))) return index;
  return draftOf(readReport(lines, options), options) ?? index;
}

/** "None" under an excuse is no review. */
function checkSilence(draft: Draft, text: string) {
  const excuse = draft.isZeroStated ? excuseOf(text) : null;
  const { unparsed, dropped } = draft;
  return excuse ? { ...excuse, unparsed, dropped } : draft;
}

/** Findings beside an object that cannot be read: there may have been more. */
function doubtful(attempt: Draft | Unread, broken: Unread | null) {
  if (!broken || !attempt.ok) return attempt;
  return {
    ...attempt,
    doubt: { cause: broken.cause },
    notes: [...attempt.notes, `Something beside the findings was not read: ${broken.detail}`],
  };
}

/** Everything that was read is one answer: nothing that was said is lost. */
function join(attempts: readonly (Draft | Unread)[]) {
  const [first, ...drafts] = attempts.filter(attempt => attempt.ok);
  const lost = attempts.filter(attempt => !attempt.ok);
  return first
    ? doubtful(joinDrafts([first, ...drafts]), lost[0] ?? null)
    : (lost.find(({ cause }) => cause !== 'noformat') ??
        lost[0] ??
        reject('noformat', 'There is no text.'));
}

function joinDrafts(drafts: readonly [Draft, ...Draft[]]): Draft {
  const [first, ...others] = drafts;
  if (others.length === 0) return first;
  const words = worstStated(drafts.map(({ verdict }) => verdict?.words ?? null));
  const lists = listsOf(drafts, [
    'improvements',
    'unparsed',
    'left',
    'mentions',
    'votes',
    'notes',
    'deviations',
  ]);
  const files = drafts.flatMap(({ filesReviewed }) => filesReviewed ?? []);
  return {
    ...Object.assign({}, ...drafts.toReversed()),
    ...lists,
    format: drafts.find(({ format }) => format !== 'json')?.format ?? 'json',
    // What two parts of an answer say in the same words is one finding.
    findings: distinct(drafts.flatMap(({ findings }) => findings)),
    verdict: drafts.map(({ verdict }) => verdict).find(verdict => verdict?.words === words) ?? null,
    isZeroStated: drafts.some(({ isZeroStated }) => isZeroStated),
    hasEndMark: drafts.some(({ hasEndMark }) => hasEndMark),
    doubt: drafts.find(({ doubt }) => doubt !== null)?.doubt ?? null,
    dropped: sumOfDropped(drafts.map(({ dropped }) => dropped)),
    notes: [...new Set(lists.notes)],
    deviations: [...new Set(lists.deviations)],
    filesReviewed: drafts.some(({ filesReviewed }) => filesReviewed) ? [...new Set(files)] : null,
  };
}

/** Word for word the same is one. */
function distinct(findings: readonly StatedFinding[]) {
  return [...new Map(findings.toReversed().map(each => [keyOf(each), each])).values()].toReversed();
}

/** What a text is that holds no answer. `draft` is what was seen of one. */
function nameText(text: string, draft: Draft | null): Draft | Unread {
  const seen = draft ?? emptyDraft('lines');
  const { unparsed, dropped, verdict, placed = [] } = seen;
  // The records of a client, one a line.
  if (/^\s*\{\s*"(?:type|event)"\s*:/.test(text))
    return reject('truncated', 'The stream of events has no final result.');
  const named =
    rejectionIn(text, 'answer') ??
    (dropped.template + dropped.prompt > 0
      ? reject('echo', 'The answer repeats the template or the prompt.')
      : verdict?.verdict === 'safe'
        ? reject('unread', 'A verdict without a word about what was found.')
        : typeof verdict?.verdict === 'string'
          ? reject('contradict', 'A verdict that finds fault, without a finding.')
          : reject('noformat', 'No answer format was recognised.'));
  // A list of lines of the code tells what was found, and not how bad it is.
  return placed.length > 0 && /^(?:noformat|contradict)$/.test(named.cause)
    ? { ...seen, findings: [...placed], doubt: { cause: 'noformat' } }
    : { ...named, unparsed, dropped };
}

/** Findings of one answer that are kept; the most severe ones when there are more. */
const findingLimit = 1_000;

function settleDraft(draft: Draft, options: ReadingOptions): Reading {
  const { format, dropped, filesReviewed, votes, extra, vetoReasons } = draft;
  const notes = [...draft.notes];
  const stated = draft.findings.map(finding => inUnits(finding, options.units));
  const findings = capFindings(nameStated(dropRepetitions(stated, notes), notes), notes);
  const left = leftOver(draft, findings).map(line => cut(line, 2_000));
  const unparsed = [...new Set([...draft.unparsed.map(line => cut(line, 2_000)), ...left])];
  const failure = failureOf(draft, findings, options);
  if (failure) return { ...failure, unparsed, dropped };
  const doubt =
    doubtOf(draft, options) ?? (left.length > 0 ? { cause: 'unaccounted' as const } : null);
  return {
    ok: true,
    status: doubt ? 'partial' : 'complete',
    partialCause: doubt?.cause ?? null,
    format,
    findings,
    improvements: nameStated(draft.improvements, notes),
    ...keptVerdict(draft, findings, notes),
    unparsed,
    leftOver: left,
    dropped,
    repairs: [...draft.deviations],
    notes,
    filesReviewed,
    votes,
    ...(extra && { extra }),
    ...(vetoReasons && { vetoReasons }),
  };
}

/** What is stated again word for word is one finding. */
function dropRepetitions(findings: readonly StatedFinding[], notes: string[]) {
  const groups = groupsBy(findings, keyOf);
  if (groups.length === findings.length) return [...findings];
  const most = groups.reduce((one, { length }) => Math.max(one, length), 0);
  notes.push(`Findings that were stated more than once (up to ${most} times) count once.`);
  return distinct(findings);
}

function keyOf({ severity, text, path, line, section }: StatedFinding) {
  return JSON.stringify([severity, text, path, line, section]);
}

function nameStated(findings: readonly StatedFinding[], notes: string[]) {
  const named = nameInOrder(findings);
  for (const [index, { originalId: stated }] of findings.entries()) {
    const name = named[index]?.originalId;
    if (stated !== '' && stated !== name)
      notes.push(`The id ${stated} was used again; the finding is called ${name}.`);
  }
  return named;
}

function capFindings(findings: StatedFinding[], notes: string[]) {
  if (findings.length <= findingLimit) return findings;
  notes.push(`${findings.length} findings were stated; the ${findingLimit} most severe are kept.`);
  const bySeverity = findings.toSorted(
    (one, other) => rankOf(one.severity) - rankOf(other.severity),
  );
  const kept = new Set(bySeverity.slice(0, findingLimit));
  return findings.filter(finding => kept.has(finding));
}

function failureOf(
  { verdict, format, improvements }: Draft,
  findings: readonly StatedFinding[],
  { stop }: ReadingOptions,
) {
  if (format === 'json' && stop === 'cut') return reject('truncated', 'The answer was cut off.');
  const stated = verdict?.verdict ?? 'safe';
  if (findings.length + improvements.length > 0 || stated === 'safe') return null;
  return stated === 'error'
    ? reject('unread', 'The reviewer reports an error instead of findings.')
    : reject(
        'contradict',
        `The stated verdict is "${cut(verdict?.words ?? '', 80)}", but there is no finding.`,
      );
}

/** Why the reading is less than complete; null when it is complete. */
function doubtOf(draft: Draft, options: ReadingOptions): { cause: Cause | null } | null {
  if (draft.doubt) return draft.doubt;
  if (draft.verdict?.verdict === 'error') return { cause: 'unread' };
  if (draft.format === 'json') return null;
  if (options.stop === 'cut') return { cause: 'truncated' };
  const isIndex = draft.format === 'index';
  const isUnmarked = !draft.hasEndMark || (isIndex && draft.isMarked !== true);
  if (isUnmarked && options.stop === 'unknown') return { cause: 'unmarked' };
  if (isIndex && !draft.hasEndMark) return { cause: 'truncated' };
  // Lines and indexes carry no nonce and no list of files: nothing proves that they answer this very question.
  return options.strict ? { cause: 'unproven' } : null;
}

function keptVerdict(
  draft: Draft,
  findings: readonly StatedFinding[],
  notes: string[],
): Pick<Read, 'statedVerdict' | 'milderVerdict'> {
  if (!draft.verdict) return { statedVerdict: null };
  const words = cut(draft.verdict.words, 200);
  const computed = computeVerdict(findings.map(finding => finding.severity));
  if (!isMilder(draft.verdict, computed)) return { statedVerdict: words };
  notes.push(
    `The stated verdict "${cut(draft.verdict.words, 80)}" is milder than the findings and was dropped.`,
  );
  return { statedVerdict: null, milderVerdict: words };
}

/**
 * Lines with weight that belong to no finding: quoted labels; labels in the middle of a line and a verdict that say worse than anything
 * that was read, and counts that say more.
 */
function leftOver(draft: Draft, findings: readonly Graded[]) {
  const worst = worstOf(findings);
  const isGrave = ({ severity }: Graded) => rankOf(severity) < Math.min(worst, rankOf('medium'));
  const isUnmet = draft.verdict?.verdict === 'risky' && worst > rankOf('high');
  return [
    ...new Set([
      ...draft.left,
      ...draft.mentions
        .filter(({ count = Infinity, ...told }) => count > findings.length && isGrave(told))
        .map(({ line }) => line),
      ...(isUnmet ? [`Verdict: ${draft.verdict?.words ?? ''}`] : []),
    ]),
  ].map(line => line.trim());
}

type Graded = Pick<StatedFinding, 'severity'>;

/**
 * Lines left over of a first answer that name a severity as a label, worse than any finding of both answers: a plain "none" to the
 * question about them takes no statement back. What the prose told, and a verdict, it does.
 */
export function unanswered(
  lines: readonly string[],
  findings: readonly Graded[],
  scale: LabelScale,
): string[] {
  const worst = worstOf(findings);
  return lines.filter(line =>
    labelsOf(line, scale).some(({ severity, isTold }) => !isTold && rankOf(severity) < worst),
  );
}

function labelsOf(line: string, scale: LabelScale): (Graded & { isTold?: boolean })[] {
  const first = labelAtStart(line, scale);
  return [...(first ? [first] : []), ...labelsIn(line, scale)];
}

/** The gravest that such lines name; undefined: none names any. */
export function gravestIn(lines: readonly string[], scale: LabelScale) {
  const named = lines.flatMap(line => labelsOf(line, scale).map(({ severity }) => severity));
  return named.toSorted(by(rankOf))[0];
}

function worstOf(findings: readonly Graded[]) {
  return findings.reduce((rank, { severity }) => Math.min(rank, rankOf(severity)), 9);
}
