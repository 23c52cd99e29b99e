/**
 * What a run came to, as sections: the outcome and why, what fails it, what else was said, what nobody read, who was asked,
 * what to do next, and the outcome again. Every fact stands once; a painter gives it its looks.
 */
import { stateOfCriterion } from '../core/verdict/verification.ts';
import { processes } from '../core/process.ts';
import { isClosed, orderClaims } from '../core/words/claim.ts';
import {
  approvalCommands,
  furtherReasons,
  shellWord,
  wasInterrupted,
} from '../core/verdict/reasons.ts';
import { sayCarried } from '../core/pushes/describe-carried.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { describeReadings } from '../core/run-files/reading-notes.ts';
import { printedIdsOf } from '../core/run-files/finding-names.ts';
import { continueCommand, nameFew, stepsToAsk, unreadLine } from '../core/verdict/onward.ts';
import { exitCodeOf, sayOutcome } from '../core/verdict/outcome.ts';
import { isReader, voicesOf } from '../core/words/reader.ts';
import type { Outcome } from '../core/verdict/record.ts';
import { protocolLines } from './consensus-review.ts';
import {
  describeClaims,
  describeFinding,
  describeWholeClaim,
  matrixOf,
} from './describe-claims.ts';
import { describeClosed } from './describe-closed.ts';
import { describeCertificate, describePanel, describeUnread } from './describe-panel.ts';
import { checksOf, readOf } from './describe-readers.ts';
import { placeOf } from './place.ts';
import { count, duration, elapsed, moneyOfAll, shortCount } from './figures.ts';
import {
  data,
  folded,
  joined,
  list,
  literal,
  part,
  remark,
  title,
  toned,
  type Detail,
  type Line,
  type Section,
  type Tone,
} from './section.ts';

export interface DescribeOptions {
  readonly detail: Detail;
  /** Code the process ends with; absent: that of the outcome. */
  readonly exitCode?: number | undefined;
}

export function describeRun(run: Run, { detail, exitCode }: DescribeOptions): readonly Section[] {
  const { record } = run;
  const code = exitCode ?? exitCodeOf(record.outcome);
  const said = [
    ...describeSilence(record),
    ...describeClaims(record, detail),
    ...describeClosed(record, detail),
  ];
  const panel = [
    ...describePanel(run, detail),
    ...list([...describeReadings(record.reviewers).map(note => [data(note)]), usageOf(run)], {
      bullets: false,
    }),
  ];
  if (detail === 'page') {
    return [
      title(1, 'Jury report: ', toned(toneOf(record), sayOutcome(record))),
      ...list([[data(record.subject.title), sizeOf(record), readOf(record)]], { bullets: false }),
      ...whyOf(record),
      ...said,
      ...describeCriteria(record),
      ...describeUnread(record),
      ...list(onwardOf(record) ?? [], { bullets: false }),
      ...part('Panel', panel),
      ...detailsOf(run, code),
      ...list([closingOf(record, code)], { bullets: false }),
    ];
  }
  return [
    title(
      1,
      outcomeOf(record),
      '  ',
      data(record.subject.title, 200),
      sizeOf(record),
      readOf(record),
    ),
    ...whyOf(record),
    ...said,
    ...describeCriteria(record),
    ...describeUnread(record),
    ...part('Panel', panel),
    ...protocolOf(record),
    ...part('Next', nextOf(run)),
    title(1, ...closingOf(record, code)),
  ];
}

const marks: Readonly<Record<Outcome, string>> = {
  PASS: '✓',
  FAIL: '✗',
  INCOMPLETE: '◐',
};

function outcomeOf(record: RunRecord): ReturnType<typeof toned> {
  const mark = record.outcome === null ? '✓' : marks[record.outcome];
  return toned(toneOf(record), `${mark} ${sayOutcome(record)}`);
}

function toneOf({ outcome }: RunRecord): Tone {
  return outcome ?? 'good';
}

function closingOf(record: RunRecord, code: number): Line {
  return [outcomeOf(record), `  exit ${code}`];
}

function sizeOf({ subject: { kind, files, additions, deletions } }: RunRecord): string {
  return kind === 'change' ? ` · ${count(files, 'file')}, +${additions} −${deletions}` : '';
}

const mostReasons = 8;

/** Which checks ran, and the reasons that no claim below tells. */
function whyOf(record: RunRecord): readonly Section[] {
  const unread = unreadLine(record.coverage, record.subject.kind === 'change' ? 'file' : 'part');
  const further = [
    ...furtherReasons(record),
    ...(unread === null || !record.reasons.some(({ rule }) => rule === 'unread') ? [] : [unread]),
  ];
  const reasons = further.slice(0, mostReasons).map(reason => [data(reason)]);
  const warnings = record.subject.warnings
    .slice(0, mostReasons)
    .map(warning => [toned('poor', 'warning:'), ' ', data(warning)]);
  return [
    ...list(
      [
        ...(record.subject.usual?.notes ?? []).map((note): Line => [data(note, 400)]),
        ...checksOf(record),
        ...(record.reused ? [reusedOf(record)] : []),
        ...(record.adopted === undefined
          ? []
          : [
              [
                'Not asked again, since run ',
                literal(record.adopted.run),
                ' asked the same: ',
                ...joined(record.adopted.reviewers),
                '.',
              ],
            ]),
        ...(record.carried === undefined ? [] : [[data(`${sayCarried(record.carried)}.`, 400)]]),
      ],
      { bullets: false },
    ),
    ...list([
      ...(record.approvals ?? []).map(({ by, at, subjects, reason }): Line => [
        'Approved by ',
        data(by, 60),
        ' on ',
        data(at.slice(0, 10)),
        ': ',
        ...joined(subjects, 200),
        ' (',
        data(reason, 300),
        ')',
      ]),
      ...reasons,
      ...(further.length > mostReasons
        ? [[`… and ${count(further.length - mostReasons, 'more reason')}`]]
        : []),
      ...warnings,
    ]),
  ];
}

/** Who was not heard then is not asked now either. */
function reusedOf({ command, reviewers }: RunRecord): Line {
  const failed = reviewers.filter(({ status }) => status !== 'complete').map(({ id }) => id);
  return [
    'Answered from an earlier run',
    ...(failed.length === 0 ? [] : [' (in which ', literal(nameFew(failed)), ' did not complete)']),
    ': nothing has changed since. ',
    ...(takesFresh(command) ? [literal(`jury ${command} --fresh`), ' asks anew.'] : []),
  ];
}

function takesFresh(command: string): boolean {
  return processes.some(
    ({ name, entry, subject }) => name === command && entry !== null && subject !== 'collected',
  );
}

/** Silence is a result only where somebody was listening. */
function describeSilence({
  claims,
  reviewers,
  engineFindings = [],
  quorum,
}: RunRecord): readonly Section[] {
  if (claims.some(claim => !isClosed(claim)) || engineFindings.length > 0) return [];
  const isWhole = reviewers.every(({ status }) => status === 'complete') && claims.length === 0;
  const words = isWhole
    ? 'No issues found.'
    : quorum.completed === 0
      ? 'Nobody completed, so nothing is known.'
      : claims.length > 0
        ? 'Nothing is open.'
        : 'Nothing found by those that completed.';
  return [title(2, words)];
}

function describeCriteria({ verification }: RunRecord): readonly Section[] {
  if (verification === null) return [];
  const rows = verification.criteria.map((judged): Line => [
    `${judged.criterion}. ${stateOfCriterion(judged)} ` +
      `(${count(judged.pass.length, 'pass', 'passes')}, ${count(judged.fail.length, 'fail')})`,
    ...votersOf('pass', judged.pass),
    ...votersOf('fail', judged.fail),
  ]);
  return part(`Criteria: ${verification.result}`, list(rows));
}

function votersOf(vote: string, names: readonly string[]): Line {
  return names.length === 0 ? [] : [`; ${vote}: `, ...joined(names)];
}

function usageOf(run: Run): Line {
  const {
    usage: { calls, tokens, details },
    startedAt,
    completedAt,
  } = run.record;
  const cached = details.cachedTokens > 0 ? `, ${shortCount(details.cachedTokens)} cached` : '';
  const split = `${shortCount(details.inputTokens)} in, ${shortCount(details.outputTokens)} out${cached}`;
  const spent = elapsed(startedAt, completedAt);
  const figures = [
    ...(tokens === 0
      ? []
      : [
          count(calls, 'call'),
          `${details.estimated ? '~' : ''}${shortCount(tokens)} tokens (${split})`,
          costOf(run),
        ]),
    ...(spent === null ? [] : [duration(spent)]),
  ];
  return [figures.join(' · ')];
}

function costOf({ record, reviews }: Run): string {
  const unpriced = reviews.filter(
    ({ usage }) => usage.cost === null && usage.inputTokens + usage.outputTokens > 0,
  );
  return moneyOfAll(record.usage.cost, unpriced.length);
}

/** Only who asked for a protocol knows its words. */
function protocolOf(record: RunRecord): readonly Section[] {
  const lines = isOfProtocol(record) ? protocolLines(record) : [];
  // Its columns are made of blanks.
  return lines.length === 0
    ? []
    : [
        title(2, literal(lines[0] ?? '')),
        ...list(
          lines.slice(1).map(line => [literal(line)]),
          { bullets: false },
        ),
      ];
}

function isOfProtocol({ consensusReview }: RunRecord): boolean {
  const rules = consensusReview?.rules ?? 'review';
  return rules !== 'review' && rules !== 'gates';
}

/** One step, and where everything is. */
function nextOf({ record, reviews, folder, copies, demo }: Run): readonly Section[] {
  if (demo !== undefined) return list(stepsAfterDemo(demo), { bullets: false });
  const improvements = reviews
    .flatMap(({ findings }) => findings)
    .filter(({ isImprovement }) => isImprovement).length;
  const more = improvements === 0 ? '' : ` (with ${count(improvements, 'suggested improvement')})`;
  return list(
    [
      ...approvalsAsked(record),
      ...stepOf(record),
      [remark(`full report${more}`), ' ', literal(`${copies ?? folder}/report.md`)],
    ],
    { bullets: false },
  );
}

/** What can be tried of it, and then the one thing to do. */
function stepsAfterDemo({ project }: NonNullable<Run['demo']>): readonly Line[] {
  return [
    ...(project === null
      ? [
          [
            literal('jury demo --keep'),
            '  ',
            remark('keeps this run, to try jury show 1, jury explain 1'),
          ],
        ]
      : [
          [literal(`cd ${shellWord(project)}`)],
          [remark('there: jury show 1, jury explain 1, jury runs')],
        ]),
    [
      literal('jury init'),
      '  ',
      remark('in a project of yours: seats reviewers that read the logic'),
    ],
  ];
}

/** How to go on with what is unread, or why nobody can; null where neither is the case. */
function onwardOf({ run, consensusReview, standstill }: RunRecord): readonly Line[] | null {
  if (standstill !== undefined) return [[data(standstill, 600)]];
  if ((consensusReview?.follow_up ?? null) === null) return null;
  return [[literal(continueCommand(run)), '  ', remark('reads what is unread so far')]];
}

function stepOf(record: RunRecord): readonly Line[] {
  const { run, outcome, quorum, reviewers, coverage } = record;
  if (record.imported !== undefined) return [];
  const isWhole = quorum.met && reviewers.every(({ status }) => status === 'complete');
  const onward = onwardOf(record);
  if (onward !== null) return onward;
  if (outcome === 'INCOMPLETE' && !isWhole && isCollected(record))
    return [[literal('jury collect DIR'), '  ', remark('again, when their files are there')]];
  const isOpen = outcome === 'INCOMPLETE' || wasInterrupted(record);
  const steps = isOpen && !isWhole ? stepsToAsk(record) : [];
  if (steps.length > 0)
    return steps.map(({ command, does }) => [literal(command), '  ', remark(does)]);
  const unread = coverage.files.find(({ by }) => by.length === 0);
  if (outcome === 'INCOMPLETE' && unread !== undefined)
    return [
      [
        literal(`--exclude ${shellWord(unread.path)}`),
        '  ',
        remark('leaves out what no reviewer can read'),
      ],
    ];
  if (orderClaims(record).some(claim => !isClosed(claim)))
    return [[literal(`jury show ${run} 1`), '  ', remark('every word said about number 1')]];
  return !reviewers.some(isReader)
    ? [[literal('jury init'), '  ', remark('seats reviewers that read the logic')]]
    : [];
}

/** Nobody was asked, and nobody can be asked again. */
function isCollected({ command }: RunRecord): boolean {
  return processes.some(({ name, subject }) => name === command && subject === 'collected');
}

function approvalsAsked(record: RunRecord): readonly Line[] {
  return approvalCommands(record).map(command => [
    literal(command),
    '  ',
    remark('once you have looked'),
  ]);
}

/** For whoever wants to know all of it: who said what in which words, what each read, and how it came about. */
function detailsOf(run: Run, code: number): readonly Section[] {
  const { record, reviews } = run;
  const telling = { names: printedIdsOf(reviews), full: true };
  const improvements = reviews
    .flatMap(({ findings }) => findings)
    .filter(({ isImprovement }) => isImprovement);
  return [
    ...part('Details', [
      ...folded('Who said what', matrixOf(record)),
      ...folded(
        'Every word',
        orderClaims(record).map((claim, index): Section => ({
          kind: 'group',
          folded: false,
          head: [`${index + 1}  ${claim.severity}  `, ...placeOf(claim.location)],
          body: describeWholeClaim(claim, record, telling),
        })),
      ),
      ...folded(
        'Improvements',
        improvements.map(finding => describeFinding(finding, telling)),
      ),
      ...folded('Who read what', describeCertificate(run)),
      ...folded(
        'Lines that could not be read',
        reviews
          .filter(({ unparsed }) => unparsed.length > 0)
          .flatMap(({ reviewer, unparsed }): readonly Section[] => [
            ...list([[data(reviewer)]]),
            { kind: 'quote', text: unparsed.join('\n') },
          ]),
      ),
      ...folded('Notes', list(reviews.flatMap(notesOf))),
      ...folded('The run', list(factsOf(run, code))),
    ]),
  ];
}

function notesOf({ reviewer, notes, repairs, dropped }: Run['reviews'][number]): readonly Line[] {
  const left = Object.entries(dropped)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${amount} ${kind}`);
  return [
    ...notes.map(note => [data(reviewer), ': ', data(note)]),
    ...(repairs.length === 0
      ? []
      : [[data(reviewer), ': repaired while reading: ', ...joined(repairs)]]),
    ...(left.length === 0 ? [] : [[data(reviewer), `: lines dropped: ${left.join(', ')}`]]),
  ];
}

function factsOf(run: Run, code: number): readonly Line[] {
  const { record } = run;
  const { subject, strategy, quorum, usage } = record;
  const { details } = usage;
  return [
    [`Outcome: ${sayOutcome(record)}, exit code ${code}`],
    ['Run: ', literal(record.run)],
    [
      'Command: ',
      literal(record.command),
      ', mode ',
      literal(record.mode),
      ', Jury ',
      literal(record.version),
    ],
    ...(subject.base === null && subject.head === null
      ? []
      : [['Base: ', literal(subject.base ?? ''), ', head: ', literal(subject.head ?? '')]]),
    [
      `Readers: ${quorum.completed} of ${voicesOf(record.reviewers).length} heard, ${quorum.required} needed`,
    ],
    [
      'Matching: ',
      literal(strategy.name),
      strategy.threshold === null ? '' : `, threshold ${strategy.threshold}`,
      ', version ',
      literal(strategy.version),
    ],
    ['Time: ', literal(record.startedAt), ' to ', literal(record.completedAt)],
    [
      `Tokens: ${usage.tokens} (${details.inputTokens} in, ${details.outputTokens} out, ` +
        `${details.cachedTokens} cached)${details.estimated ? ', in part estimated' : ''}, ` +
        costOf(run),
    ],
  ];
}
