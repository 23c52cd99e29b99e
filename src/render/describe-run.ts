/**
 * What a run came to, as sections: the outcome and why, what fails it, what else was said, what nobody read, who was asked,
 * what to do next, and the outcome again. Every fact stands once; a painter gives it its looks.
 */
import { shellQuote } from '../core/text.ts';
import { processes } from '../core/process.ts';
import { printedIdsOf } from '../core/run-files/finding-names.ts';
import { describeReadings } from '../core/run-files/brief-line.ts';
import {
  continueCommand,
  nameFew,
  stepsToAsk,
  unreadIn,
  unreadLine,
} from '../core/verdict/coverage.ts';
import { exitCodeOf, sayOutcome } from '../core/verdict/outcome.ts';
import { approvalCommands, furtherReasons, wasInterrupted } from '../core/verdict/review-status.ts';
import { stateOfCriterion } from '../core/verdict/verification.ts';
import { isClosed, orderClaims } from '../core/words/claim.ts';
import { isReader, voicesOf } from '../core/words/runner.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { describeProtocol } from './consensus-review.ts';
import {
  describeClaims,
  describeClosed,
  describeFinding,
  describeWholeClaim,
  matrixOf,
} from './describe-claims.ts';
import {
  checksOf,
  describeCertificate,
  describePanel,
  describeUnread,
  readOf,
} from './describe-panel.ts';
import { tellConditions } from './formats/entries.ts';
import { count, duration, elapsed, moneyOfAll, shortCount } from './figures.ts';
import {
  data,
  type Detail,
  folded,
  group,
  joined,
  lines,
  list,
  literal,
  more,
  part,
  placeOf,
  quote,
  remark,
  say,
  type Section,
  title,
  toned,
} from './section.ts';
import { present } from '../core/groups.ts';
import { improvementsOf } from '../core/run-files/merged-findings.ts';

/** `code`: the one the process ends with. */
export function describeRun(
  run: Run,
  detail: Detail,
  code: number = exitCodeOf(run.record.outcome),
): readonly Section[] {
  const { record } = run;
  const { subject, outcome } = record;
  const isPage = detail === 'page';
  const mark = outcome === null ? '✓' : marks[outcome];
  const ended = toned(outcome ?? 'good', `${mark} ${sayOutcome(record)}`);
  const size =
    subject.kind === 'change'
      ? ` · ${count(subject.files, 'file')}, +${subject.additions} −${subject.deletions}`
      : '';
  const about = [data(subject.title, isPage ? null : 200), size, readOf(record)];
  const closing = say`${ended}  exit ${code}`;
  return [
    ...(isPage
      ? [title(1, 'Jury report: ', toned(outcome ?? 'good', sayOutcome(record))), ...lines(about)]
      : [title(1, ended, '  ', ...about)]),
    ...whyOf(record),
    ...describeSilence(record),
    ...describeClaims(record, detail),
    ...describeClosed(record, detail),
    ...describeCriteria(record),
    ...describeUnread(record),
    ...lines(...(isPage ? (onwardOf(record) ?? []) : [])),
    ...part('Panel', [
      ...describePanel(run, detail),
      ...lines(...describeReadings(record.reviewers).map(note => [data(note)]), usageOf(run)),
    ]),
    ...(isPage
      ? [...part('Details', detailsOf(run, code)), ...lines(closing)]
      : [
          ...describeProtocol(record),
          ...part('Next', lines(...nextOf(run))),
          title(1, ...closing),
        ]),
  ];
}

const marks = {
  PASS: '✓',
  FAIL: '✗',
  INCOMPLETE: '◐',
};

const mostReasons = 8;

/** Which checks ran, and the reasons that no claim below tells. */
function whyOf(record: RunRecord) {
  const { subject } = record;
  const unread = unreadLine(record.coverage, subject.kind === 'change' ? 'file' : 'part');
  const further = present(
    ...furtherReasons(record),
    unread !== null && record.reasons.some(({ rule }) => rule === 'unread') && unread,
  );
  return [
    ...lines(
      ...(subject.usual?.notes ?? []).map(note => [data(note, 400)]),
      ...checksOf(record),
      record.reused && reusedOf(record),
      ...tellConditions(record).map(sentence => [data(sentence, 400)]),
    ),
    ...list([
      ...further.slice(0, mostReasons).map(reason => [data(reason)]),
      more(further.length - mostReasons, 'reason'),
      ...subject.warnings
        .slice(0, mostReasons)
        .map(warning => say`${toned('poor', 'warning:')} ${warning}`),
    ]),
  ];
}

/** Who was not heard then is not asked now either. */
function reusedOf({ command, reviewers }: RunRecord) {
  const failed = reviewers.filter(({ status }) => status !== 'complete').map(({ id }) => id);
  const isFresh = processes.some(
    ({ name, entry, subject }) => name === command && entry !== null && subject !== 'collected',
  );
  const silent = failed.length > 0 && say` (in which ${literal(nameFew(failed))} did not complete)`;
  const anew = isFresh && say` ${literal(`jury ${command} --fresh`)} asks anew.`;
  return say`Answered from an earlier run${silent}: nothing has changed since.${anew}`;
}

/** Silence is a result only where somebody was listening. */
function describeSilence({ claims, reviewers, engineFindings = [], quorum }: RunRecord) {
  if (claims.some(claim => !isClosed(claim)) || engineFindings.length > 0) return [];
  if (quorum.completed === 0) return [title(2, 'Nobody completed, so nothing is known.')];
  if (claims.length > 0) return [title(2, 'Nothing is open.')];
  const isWhole = reviewers.every(({ status }) => status === 'complete');
  return [title(2, isWhole ? 'No issues found.' : 'Nothing found by those that completed.')];
}

function describeCriteria({ verification }: RunRecord) {
  if (verification === null) return [];
  return part(
    `Criteria: ${verification.result}`,
    list(
      verification.criteria.map(judged => {
        const amounts = `(${count(judged.pass.length, 'pass', 'passes')}, ${count(judged.fail.length, 'fail')})`;
        return [
          `${judged.criterion}. ${stateOfCriterion(judged)} ${amounts}`,
          ...say`${voters('pass', judged.pass)}${voters('fail', judged.fail)}`,
        ];
      }),
    ),
  );
}

function voters(vote: string, names: readonly string[]) {
  return names.length > 0 && say`; ${[vote]}: ${joined(names)}`;
}

function usageOf(run: Run) {
  const { usage, startedAt, completedAt } = run.record;
  const { tokens, details } = usage;
  const cached = details.cachedTokens > 0 ? `, ${shortCount(details.cachedTokens)} cached` : '';
  const split = `${shortCount(details.inputTokens)} in, ${shortCount(details.outputTokens)} out${cached}`;
  const spent = elapsed(startedAt, completedAt);
  const figures = present(
    ...(tokens === 0
      ? []
      : [
          count(usage.calls, 'call'),
          `${details.estimated ? '~' : ''}${shortCount(tokens)} tokens (${split})`,
          costOf(run),
        ]),
    spent !== null && duration(spent),
  );
  return [figures.join(' · ')];
}

function costOf({ record, reviews }: Run) {
  const unpriced = reviews.filter(
    ({ usage }) => usage.cost === null && usage.inputTokens + usage.outputTokens > 0,
  );
  return moneyOfAll(record.usage.cost, unpriced.length);
}

function stepLine(command: string, does: string) {
  return say`${literal(command)}  ${remark(does)}`;
}

/** One step, and where everything is; of a demonstration what can be tried of it, and then the one thing to do. */
function nextOf({ record, reviews, folder, copies, demo }: Run) {
  if (demo !== undefined)
    return [
      ...(demo.project === null
        ? [stepLine('jury demo --keep', 'keeps this run, to try jury show 1, jury explain 1')]
        : [
            [literal(`cd ${shellQuote(demo.project)}`)],
            [remark('there: jury show 1, jury explain 1, jury runs')],
          ]),
      stepLine('jury init', 'in a project of yours: seats reviewers that read the logic'),
    ];
  const improvements = improvementsOf(reviews).length;
  const suggested =
    improvements === 0 ? '' : ` (with ${count(improvements, 'suggested improvement')})`;
  return [
    ...approvalCommands(record).map(command => stepLine(command, 'once you have looked')),
    ...stepOf(record),
    say`${remark(`full report${suggested}`)} ${literal(`${copies ?? folder}/report.md`)}`,
  ];
}

/** How to go on with what is unread, or why nobody can; null where neither is the case. */
function onwardOf({ run, consensusReview, standstill }: RunRecord) {
  if (standstill !== undefined) return [[data(standstill, 600)]];
  if ((consensusReview?.follow_up ?? null) === null) return null;
  return [stepLine(continueCommand(run), 'reads what is unread so far')];
}

function stepOf(record: RunRecord) {
  const { run, outcome, quorum, reviewers, coverage, command } = record;
  if (record.imported !== undefined) return [];
  const isWhole = quorum.met && reviewers.every(({ status }) => status === 'complete');
  const onward = onwardOf(record);
  if (onward !== null) return onward;
  const isOpen = outcome === 'INCOMPLETE';
  // Nobody was asked, and nobody can be asked again.
  const isCollected = processes.some(
    ({ name, subject }) => name === command && subject === 'collected',
  );
  if (isOpen && !isWhole && isCollected)
    return [stepLine('jury collect DIR', 'again, when their files are there')];
  const steps = (isOpen || wasInterrupted(record)) && !isWhole ? stepsToAsk(record) : [];
  if (steps.length > 0) return steps.map(({ command: step, does }) => stepLine(step, does));
  const [unread] = unreadIn(coverage);
  if (isOpen && unread !== undefined)
    return [stepLine(`--exclude ${shellQuote(unread)}`, 'leaves out what no reviewer can read')];
  if (orderClaims(record).some(claim => !isClosed(claim)))
    return [stepLine(`jury show ${run} 1`, 'every word said about number 1')];
  return reviewers.some(isReader)
    ? []
    : [stepLine('jury init', 'seats reviewers that read the logic')];
}

/** For whoever wants to know all of it: who said what in which words, what each read, and how it came about. */
function detailsOf(run: Run, code: number) {
  const { record, reviews } = run;
  const wording = { names: printedIdsOf(reviews), full: true };
  return [
    ...folded('Who said what', matrixOf(record)),
    ...folded(
      'Every word',
      orderClaims(record).map((claim, index) =>
        group(
          say`${index + 1}  ${[claim.severity]}  ${placeOf(claim.location)}`,
          describeWholeClaim(claim, record, wording),
        ),
      ),
    ),
    ...folded(
      'Improvements',
      improvementsOf(reviews).map(finding => describeFinding(finding, wording)),
    ),
    ...folded('Who read what', describeCertificate(run)),
    ...folded(
      'Lines that could not be read',
      reviews.flatMap(({ reviewer, unparsed }) => quote([data(reviewer)], unparsed.join('\n'))),
    ),
    ...folded('Notes', list(reviews.flatMap(notesOf))),
    ...folded('The run', list(factsOf(run, code))),
  ];
}

function notesOf({ reviewer, notes, repairs, dropped }: Run['reviews'][number]) {
  const left = Object.entries(dropped)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${amount} ${kind}`);
  return [
    ...notes.map(note => say`${reviewer}: ${note}`),
    repairs.length > 0 && say`${reviewer}: repaired while reading: ${joined(repairs)}`,
    left.length > 0 && say`${reviewer}: lines dropped: ${[left.join(', ')]}`,
  ];
}

function factsOf(run: Run, code: number) {
  const { record } = run;
  const { subject, strategy, quorum, usage } = record;
  const { details } = usage;
  const threshold = strategy.threshold === null ? '' : `, threshold ${strategy.threshold}`;
  return [
    [`Outcome: ${sayOutcome(record)}, exit code ${code}`],
    say`Run: ${literal(record.run)}`,
    say`Command: ${literal(record.command)}, mode ${literal(record.mode)}, Jury ${literal(record.version)}`,
    (subject.base ?? subject.head) !== null &&
      say`Base: ${literal(subject.base ?? '')}, head: ${literal(subject.head ?? '')}`,
    [
      `Readers: ${quorum.completed} of ${voicesOf(record.reviewers).length} heard, ${quorum.required} needed`,
    ],
    say`Matching: ${literal(strategy.name)}${[threshold]}, version ${literal(strategy.version)}`,
    say`Time: ${literal(record.startedAt)} to ${literal(record.completedAt)}`,
    [
      `Tokens: ${usage.tokens} (${details.inputTokens} in, ${details.outputTokens} out, `,
      `${details.cachedTokens} cached)${details.estimated ? ', in part estimated' : ''}, ${costOf(run)}`,
    ],
  ];
}
