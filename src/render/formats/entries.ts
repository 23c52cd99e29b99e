/**
 * What every format for machines tells of a run, in the order in which it should be read: what keeps it from being a pass and is no
 * claim, then its claims.
 */
import { present } from '../../core/groups.ts';
import { sayCarried } from '../../core/pushes/same-patch.ts';
import { workflowMessage, workflowProperty } from '../../core/safety/visible-text.ts';
import { cut } from '../../core/text.ts';
import { nameFew } from '../../core/verdict/coverage.ts';
import { countComplete, sayOutcome } from '../../core/verdict/outcome.ts';
import { isToldByClaim } from '../../core/verdict/review-status.ts';
import { type Claim, countSupport, likelihood, orderClaims } from '../../core/words/claim.ts';
import { type Location, type Severity, placeText } from '../../core/words/finding.ts';
import type { DismissedClaim, Run, RunRecord } from '../../core/words/run.ts';
import { type ReportRule, ruleOfClaim, statedRule } from './rules.ts';

/** Characters of a sentence in a format that has a room for it. */
export const longestText = 2_000;

type Reason = RunRecord['reasons'][number];

interface Told {
  readonly rule: ReportRule;
  readonly place: Place;
  /** What it makes of the run; null: nothing. */
  readonly effect: Reason['effect'] | null;
  readonly level: 'error' | 'warning' | 'note';
  /** Sentences of one line each, every text cut to so many characters. Untrusted. */
  readonly tell: (longest: number) => string[];
}

export type ReasonEntry = Told & { readonly reason: Reason; readonly claim: null };
export type ClaimEntry = Told & { readonly claim: Claim; readonly reason: null };

const levels: Readonly<Record<Severity, Told['level']>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};

/** Those that are fixed are told nowhere: nobody says them any more. */
export function claimEntries(record: RunRecord, withDismissed = false): ClaimEntry[] {
  const blocking = new Set(record.blocking);
  const tell = createTeller(record);
  return orderClaims(record)
    .filter(({ state }) => state !== 'fixed' && (withDismissed || state !== 'dismissed'))
    .map(claim => {
      const place = placeOn(claim.location, record);
      return {
        claim,
        reason: null,
        rule: ruleOfClaim(claim),
        place,
        effect: blocking.has(claim.id) ? 'FAIL' : null,
        level: levels[claim.severity],
        tell: longest => present(...tell(claim, longest), place.note),
      };
    });
}

/**
 * What keeps the run from being a pass besides the claims that fail it. Each at the place it is about: what Jury found itself has a
 * line, a claim its place, a file its top; everything else is put at the top of the first file.
 */
export function reasonEntries(record: RunRecord): ReasonEntry[] {
  const claims = new Map(record.claims.map(({ id, location }) => [id, location]));
  const paths = new Set(record.coverage.files.map(({ path }) => path));
  const found = new Map(
    record.engineFindings?.map(({ path, line, text }) => [`${path}\n${text}`, line]),
  );
  const placeOf = ({ subject, sentence }: Reason) => {
    const location = claims.get(subject);
    if (location !== undefined) return placeOn(location, record);
    const line = found.get(`${subject}\n${sentence}`) ?? 1;
    const path = paths.has(subject) ? pathIn(subject) : firstPath(record);
    return { path, line, endLine: line, note: null };
  };
  return record.reasons
    .filter(reason => !isToldByClaim(reason))
    .map(reason => ({
      reason,
      claim: null,
      rule: ruleOfReason(reason),
      place: placeOf(reason),
      effect: reason.effect,
      level: 'error',
      tell: longest => [cut(reason.sentence, longest)],
    }));
}

// What is told of a claim in words: what it says, who agrees, who denies it, who never looked, how sure that is.

/** Reviewers that are named before the rest is counted. */
const mostNames = 12;
const longestName = 200;
const longestStatement = 300;
const longestFix = 1_000;

export function createTeller(record: RunRecord): (claim: Claim, longest: number) => string[] {
  const dismissals = dismissalsIn(record);
  return (claim, longest) =>
    present(
      cut(claim.text, longest),
      fixOf(claim, Math.min(longest, longestFix)),
      ruleOf(claim),
      tellStanding(claim, record, Math.min(longest, longestStatement)),
      claim.state === 'dismissed' &&
        tellDismissal(dismissals.get(claim.id), Math.min(longest, longestFix)),
    );
}

/** What was not asked again, and what a person let pass: a run may be a pass by it, and whoever reads it is to know. */
export function tellConditions({ adopted, carried, approvals = [], gate }: RunRecord) {
  return present(
    adopted !== undefined &&
      `Not asked again, since run ${adopted.run} asked the same: ${listNames(adopted.reviewers)}.`,
    carried !== undefined && `${sayCarried(carried)}.`,
    ...approvals.map(
      ({ by, at, subjects, reason }) =>
        `Approved by ${cut(by, longestName)} on ${at.slice(0, 10)}: ${listNames(subjects)} (${cut(reason, longestStatement)}).`,
    ),
    ...(gate?.overrides ?? []).map(
      ({ rule, reason, source }) =>
        `Override: ${rule} lifted by ${source} (${cut(reason, longestStatement)}).`,
    ),
  ).map(sentence => cut(sentence, longestFix));
}

/** `Said by alpha (1 of 3 who could have). Denied by beta: “…”. Read and not said by gamma. Never looked: delta (✗ (timeout …)).` */
function tellStanding(claim: Claim, { reviewers }: RunRecord, longest: number) {
  const { supporters, electors, electorate, against } = claim;
  const deniers = [...new Set(against.map(({ reviewer }) => reviewer))];
  const heard = new Set([...electors, ...supporters, ...deniers]);
  const silent = electors.filter(id => !supporters.includes(id) && !deniers.includes(id));
  const absent = reviewers
    .filter(({ id }) => !heard.has(id))
    .map(({ id, status, display }) => (status === 'failed' ? `${id} ${display}` : id));
  return present(
    `Said by ${listNames(supporters)} (${countSupport(claim)} of ${electorate} who could have).`,
    ...against
      .slice(0, mostNames)
      .map(
        ({ reviewer, statement }) =>
          `Denied by ${cut(reviewer, longestName)}: “${cut(statement, longest)}”.`,
      ),
    claim.findings.length > 0 &&
      claim.findings.every(({ from }) => from !== undefined) &&
      'It was said in an earlier run, and kept.',
    silent.length > 0 && `Read and not said by ${listNames(silent)}.`,
    absent.length > 0 && `Never looked: ${listNames(absent)}.`,
    claim.confidence !== null && `Confidence: ${likelihood(claim.confidence, claim.cases)}.`,
    claim.matters !== null && `Would matter: ${likelihood(claim.matters)}.`,
  ).join(' ');
}

function ruleOf(claim: Claim) {
  const rule = statedRule(claim);
  return rule !== null && `Rule: ${rule.title}.`;
}

function fixOf({ findings }: Claim, longest: number) {
  const found = findings.find(({ recommendation }) => (recommendation ?? '').trim() !== '');
  return (
    found !== undefined &&
    `Fix (${cut(found.reviewer, longestName)}): ${cut(found.recommendation ?? '', longest)}`
  );
}

/** Who did not complete, and what is known of why. */
export function silentReviewers({ reviewers }: RunRecord) {
  return reviewers
    .filter(({ status }) => status !== 'complete')
    .map(({ id, status, display, message }) => ({
      status,
      sentence: `${id}: ${display}${message === null ? '' : `: ${message}`}`,
    }));
}

/** By claim. */
export function dismissalsIn({ dismissed }: RunRecord): ReadonlyMap<string, DismissedClaim> {
  return new Map(dismissed.map(dismissal => [dismissal.id, dismissal]));
}

/** Nothing: a record of an older version does not say why. */
export function tellDismissal(dismissal: DismissedClaim | null | undefined, longest: number) {
  if (dismissal === null || dismissal === undefined) return 'Dismissed.';
  const { verdict, reason, until } = dismissal;
  return `Dismissed (${verdict}${until === null ? '' : ` until ${until}`}): ${cut(reason, longest)}`;
}

function listNames(names: readonly string[]) {
  return nameFew(
    names.map(name => cut(name, longestName)),
    mostNames,
  );
}

// Where it is put: every one of these formats wants a file, and most a line of it, whether one is known or not.

interface Place {
  readonly path: string;
  /** 1-based, of the new side. */
  readonly line: number;
  readonly endLine: number;
  /** What is untrue of it, in a sentence; null where it is the place that was named. */
  readonly note: string | null;
}

/**
 * A place of the old side keeps its file and loses its line, one that was not found keeps neither: a reader would be sent to a line
 * that has nothing to do with it. They go to the top of the file, or of the first file of the subject, and the note says so.
 */
export function placeOn(location: Location | null, record: RunRecord): Place {
  const first = firstPath(record);
  if (location === null) return top(first, 'It names no place.');
  const { path, line, endLine, side, anchoring } = location;
  const named = placeText(location);
  if (anchoring === 'unanchored') return top(first, `It names ${named}, which was not found.`);
  const inside = pathIn(path);
  if (line === null) return top(inside, 'It names no line.');
  if (side === 'old') return top(inside, `It is about line ${line} before the change.`);
  return {
    path: inside,
    line,
    endLine: Math.max(line, endLine ?? line),
    note:
      inside !== path
        ? `It is about ${named}, outside of the project.`
        : anchoring === 'ambiguous'
          ? 'The place is one of several that are alike.'
          : null,
  };
}

/** Of a question there are no files. */
function firstPath({ coverage }: RunRecord) {
  return pathIn(coverage.files[0]?.path ?? '.');
}

/**
 * A document may lie anywhere. No reader may take its path for one of the repository, and some refuse a whole report that leads out
 * of it: of such a path the name of the file is left.
 */
function pathIn(path: string) {
  const leadsOut = /^$|^[\\/]|^[A-Za-z]:[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
  const names = path.split(/[\\/]/).filter(name => name !== '' && name !== '..');
  return leadsOut ? `(outside)/${names.at(-1) ?? 'file'}` : path;
}

function top(path: string, note: string) {
  return { path, line: 1, endLine: 1, note };
}

// A name for each claim that stays the same when lines above it come and go: made of its file, its rule and the code it is about,
// without white space, so that it outlives other words for the same trouble. Where no code is known the id of the claim stands for
// it.

/** By claim id: sixteen hex digits, a colon, and which of those that would be called the same it is, counted from 1 down the file. */
export function fingerprintClaims(
  { claims, frames = {} }: Pick<RunRecord, 'claims' | 'frames'>,
  ruleOf: (claim: Claim) => string,
) {
  const counts = new Map<string, number>();
  const inOrder = claims.toSorted(
    (one, other) => lineOf(one) - lineOf(other) || (one.id < other.id ? -1 : 1),
  );
  return new Map(
    inOrder.map(claim => {
      const frame = Object.hasOwn(frames, claim.id) ? frames[claim.id] : undefined;
      const code = frame?.lines
        .slice(frame.from - frame.first, frame.to - frame.first + 1)
        .join('')
        .replace(/\s+/g, '');
      const print = hash64(
        [
          claim.location?.path ?? '',
          ruleOf(claim),
          code === undefined || code === '' ? claim.id : code,
        ].join('\n'),
      );
      const count = (counts.get(print) ?? 0) + 1;
      counts.set(print, count);
      return [claim.id, `${print}:${count}`];
    }),
  );
}

function lineOf({ location }: Claim) {
  return location?.line ?? 0;
}

/** Two 32-bit FNV-1a sums over UTF-16 units, from two beginnings. Names things and protects nothing. */
function hash64(text: string) {
  let [one, other] = [0x811c9dc5, 0x050c5d1f];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit ^ (index & 0xff), 0x01000193);
  }
  return [one, other].map(sum => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}

// Workflow commands of GitHub Actions, one a line: the log of a step shows them, and GitHub makes annotations of them. Every line
// is a command, so that no word of a reviewer can be one.

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
  // Where no gate holds anybody to anything, nothing is an error.
  return [...reasonEntries(record), ...claimEntries(record)].map(
    ({ claim, rule, effect, level, place, tell }) => ({
      level:
        effect !== null
          ? 'error'
          : level === 'note'
            ? 'notice'
            : record.outcome === null
              ? 'warning'
              : level,
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

/** Of what keeps a run from being a pass and is no claim. */
function ruleOfReason({ rule }: Reason): ReportRule {
  return {
    id: `run-${rule}`,
    title: reasonTitles[rule],
    help: 'It keeps the run from being a pass. Mend what the result names and run the review again.',
    tags: [],
  };
}

const reasonTitles = {
  claim: 'A claim fails the run',
  veto: 'A reviewer vetoes the change',
  verification: 'A criterion is not met',
  required: 'A required reviewer did not finish',
  quorum: 'Too few reviewers finished',
  unread: 'A file was read by nobody',
  security: 'Security was not reviewed',
  ungrounded: 'A finding rests on nothing',
  changed: 'What was reviewed is not what stands there now',
  interrupted: 'The run was interrupted',
  month: 'What may be spent in the month is spent',
  'require-human': 'A person has to look',
  engine: 'Found by Jury itself',
  vote: 'A vote did not come to a decision',
  imported: 'The run was brought from elsewhere',
};
