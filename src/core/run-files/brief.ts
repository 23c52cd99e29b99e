/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { summaryIn } from '../../answers/index.ts';
import { groupBy } from '../group-by.ts';
import { type Process, processOf } from '../process.ts';
import { sayCarried } from '../pushes/since.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { cut, cutToTokens, mostTokensOf, toOneLine } from '../text.ts';
import { leftOutLines, unreadLine } from '../verdict/onward.ts';
import { hasReader, sayGate } from '../verdict/outcome.ts';
import { approvalCommands, sentencesOf } from '../verdict/reasons.ts';
import {
  answerStatusOf,
  needsAttention,
  openClaims,
  overallVerdictOf,
  sayRecorded,
} from '../verdict/review-status.ts';
import { type Claim, countSupport, orderClaims, placeOfClaim } from '../words/claim.ts';
import { sourceRanks } from '../words/research.ts';
import type { Run, RunRecord, RunReviewer } from '../words/run.ts';
import { indexLevelOf, rankOf, severities } from '../words/severity.ts';
import {
  describeCriteria,
  describeFinding,
  layBrief,
  listNames,
  markOf,
  most,
  mostLines,
  short,
  titleLength,
  titleOf,
} from './brief-line.ts';
import { engineIdOf, printedNames, shortIdsOf } from './finding-names.ts';
import { isConflict, mergeClaims, mergeImprovements } from './merged-findings.ts';
import { renderQuestionBrief } from './question-brief.ts';
import { describeReadings, describeSkipped } from './reading-notes.ts';

const renderers: Readonly<Record<Process['returned'], (run: BriefedRun) => string>> = {
  review: run =>
    run.record.subject.kind === 'question' ? renderQuestionBrief(run) : renderBrief(run),
  contract: renderContractBrief,
  research: renderResearchBrief,
  ideas: renderIdeasBrief,
};

/** At most 15 lines and 1,000 tokens. A run that the quality gate judged is returned as the gate does it, whatever it was. */
export function renderReturned(run: BriefedRun): string {
  const { gate, command } = run.record;
  return renderers[gate === undefined ? processOf(command).returned : 'contract'](run);
}

/**
 * The text that goes back to a caller with a context of its own: at most fifteen lines and 1,000 tokens, whatever reviewers
 * say and however many they are. Everything else stays on disk and is asked for by id.
 */
type BriefedRun = Pick<Run, 'record' | 'reviews' | 'folder' | 'copies' | 'demo'>;

const mostFindings = 5;

/** The brief of a review: the gate with its first reason, claims by the shortest ids that mean them. */
export function renderBrief(run: BriefedRun): string {
  const { record, folder, copies, demo } = run;
  const ids = shortIdsOf(record.claims);
  const [reason] = sentencesOf(record);
  return describeBrief(run, {
    gate: `${sayGate(record)}${reason === undefined ? '' : ` — ${short(reason, most.reason)}`}`,
    notes: [
      // Who seats recordings knows it; whoever is shown a demonstration need not.
      ...(demo === undefined ? [] : [sayRecorded(record.reviewers) ?? '']),
      ...describeCriteria(record),
    ],
    top: orderClaims({ claims: openClaims(record), blocking: [] }),
    nameOf: claim => `${ids.get(claim.id) ?? claim.id}${markOf(claim)}`,
    titleOf: ({ text }) => text,
    report:
      demo?.project === null ? 'not kept (jury demo --keep)' : `${copies ?? folder}/report.md`,
  });
}

/**
 * The brief of the write-behind contract: the outcome as one word, the findings of `findings.json`, their ids such that people
 * can type them.
 */
function renderContractBrief(run: BriefedRun): string {
  const { record, reviews, folder, copies } = run;
  const names = printedNames(record.claims, reviews);
  const titles = new Map(mergeClaims(record, reviews).map(({ claim, title }) => [claim, title]));
  const [first, ...others] = sentencesOf(record);
  const further = others.length === 0 ? '' : ` (+${others.length} more)`;
  return describeBrief(run, {
    gate: sayGate(record),
    notes: [
      ...(record.outcome === 'PASS' || first === undefined
        ? []
        : [`Reason: ${short(first, most.reason)}${further}`]),
      ...(record.gate?.overrides ?? [])
        .slice(0, 1)
        .map(
          ({ rule, reason, source }) =>
            `Override: ${rule} lifted by ${source}: ${short(reason, most.reason)}`,
        ),
    ],
    top: openClaims(record).toSorted(
      (one, other) =>
        rankOf(one.severity) - rankOf(other.severity) || countSupport(other) - countSupport(one),
    ),
    nameOf: ({ id }) => {
      // An id is the reviewer's own text: one that is too long to hand on is replaced by that of the claim.
      const name = toOneLine(names.get(id) ?? id);
      return mostTokensOf(name) > most.id ? id : name;
    },
    titleOf: ({ id, text }) => titles.get(id) ?? text,
    report: `${copies ?? folder}/reviews/synthesis.md`,
  });
}

/** What differs between briefs; the other lines, their order and their budget are the same for all. */
interface Brief {
  readonly gate: string;
  /** Lines that only some runs have. */
  readonly notes: readonly string[];
  /** In the order they are shown. */
  readonly top: readonly Claim[];
  readonly nameOf: (claim: Claim) => string;
  readonly titleOf: (claim: Claim) => string;
  /** Path of the full report. */
  readonly report: string;
}

function describeBrief(
  { record, reviews }: BriefedRun,
  { gate, notes, top, report, ...brief }: Brief,
): string {
  const { reviewers, subject, engineFindings: engine = [], dismissed } = record;
  const counts = severities.map(severity => {
    const those = top.filter(claim => claim.severity === severity).length;
    return `${indexLevelOf(severity)}: ${those + (severity === 'critical' ? engine.length : 0)}`;
  });
  const conflicts = top.filter(isConflict).length;
  // What protected paths kept out of the count.
  const aside = dismissed.filter(({ protectedBy }) => protectedBy !== undefined).length;
  const alone = hasReader(record) ? '' : '; static checks alone, no reviewer read it';
  const head = [
    'Protocol: 1.0',
    `Run: ${record.run} (${short(record.command, most.process)})`,
    // Whoever named no change is told which one was meant, and what is no part of it.
    ...(subject.usual === undefined
      ? []
      : [short(`Subject: ${[subject.title, ...subject.usual.notes].join('. ')}`, most.subject)]),
    `Validation: ${describeSeats(reviewers, 'agents valid', ['failed', 'partial'])}${alone}`,
    ...describeReuse(record),
    `Verdict: ${overallVerdictOf(record)}`,
    `Gate: ${gate}`,
    ...notes,
    ...describeReadings(reviewers),
    ...describeSkipped(reviewers),
    ...describeApprovals(record),
    ...leftOutLines(record).map(line => short(line, most.reason)),
    `${counts.join(' | ')} | IMP: ${mergeImprovements(reviews).length}${aside === 0 ? '' : ` | Set aside: ${aside}`}`,
    `Conflicts: ${conflicts || 'none'}`,
  ];
  const attention = reviewers.filter(needsAttention).map(({ id }) => id);
  const tail = [...describePartial(record), `Attention: ${listNames(attention, most.attention)}`];
  const findings = [
    ...engine.map(
      ({ text }, index) =>
        (tokens: number) =>
          describeEngineFinding(text, engineIdOf(index), tokens),
    ),
    ...top.map(
      claim => (tokens: number) =>
        describeFinding(
          {
            level: indexLevelOf(claim.severity),
            title: titleOf(brief.titleOf(claim), placeOfClaim(claim), { isChecked: true }),
            agents: claim.supporters,
            support: `${countSupport(claim)}/${claim.electorate}`,
            id: brief.nameOf(claim),
            against: claim.against,
          },
          tokens,
        ),
    ),
  ].slice(0, Math.min(mostFindings, mostLines - head.length - tail.length - 2));
  const heading = findings.length === 0 ? 'Top findings: none' : 'Top findings:';
  return layBrief(head, [{ heading, findings }], tail, report);
}

/** `5/6 agents valid, 1 failed`. */
function describeSeats(
  reviewers: readonly RunReviewer[],
  word: string,
  others: readonly RunReviewer['status'][],
): string {
  const by = groupBy(reviewers, ({ status }) => status);
  const rest = others.flatMap(status =>
    by.has(status) ? [`${by.get(status)?.length} ${status}`] : [],
  );
  return [`${by.get('complete')?.length ?? 0}/${reviewers.length} ${word}`, ...rest].join(', ');
}

/** Who reads the rest must not take it for a second opinion. */
function describeReuse({ reused, adopted, carried, reviewers }: RunRecord): string[] {
  if (reused) return ['Answers: given before; nothing has changed since, nobody was asked'];
  const second = carried === undefined ? [] : [short(sayCarried(carried), most.reason)];
  if (adopted === undefined) return second;
  const whose = reviewers.every(({ id }) => adopted.reviewers.includes(id))
    ? '; nobody was asked again'
    : `, for ${listNames(adopted.reviewers, most.attention)}; the others were asked`;
  return [
    `Answers: those of run ${toOneLine(adopted.run)}, which asked the same${whose}`,
    ...second,
  ];
}

/** What a person has let pass, and what one is asked about: an agent may do neither itself. */
function describeApprovals(record: RunRecord): string[] {
  const [given, ...others] = record.approvals ?? [];
  const [command] = approvalCommands(record).map(toOneLine);
  const further = others.length === 0 ? '' : ` (+${others.length} more)`;
  return [
    ...(given === undefined
      ? []
      : [
          cutToTokens(
            `Approved: ${given.rule} by ${toOneLine(given.by)}: ${toOneLine(given.reason)}${further}`,
            most.approval,
          ),
        ]),
    ...(command === undefined
      ? []
      : [
          `A person decides: ${mostTokensOf(command) <= most.approval ? command : `jury approve unread --run ${record.run} --path PATH --reason TEXT`}`,
        ]),
  ];
}

/** Whose tokens ran out, what nobody has read, and the command that goes on; or why none does. */
function describePartial({
  subject,
  coverage,
  consensusReview: review,
  standstill,
}: RunRecord): string[] {
  const [first, ...others] = review?.partial ?? [];
  const further = others.length === 0 ? '' : `, +${others.length} more reviewers`;
  const unread = subject.kind === 'change' ? unreadLine(coverage) : null;
  const followUp = review?.follow_up ?? null;
  const command = followUp === null ? null : toOneLine(followUp);
  const onward = [
    ...(unread === null ? [] : [short(unread, most.unread)]),
    ...(command === null ? [] : [unread === null ? command : command.replace('Consider: ', '')]),
  ];
  return [
    ...(first === undefined ? [] : [short(`${first}${further}`, most.reason)]),
    ...(onward.length === 0 ? [] : [onward.join(' ')]),
    ...(standstill === undefined ? [] : [short(standstill, most.followUp)]),
  ];
}

/** The place stands at its start. */
function describeEngineFinding(text: string, id: string, tokens: number): string {
  const [start, end] = ['- [P0] ', ` — the engine ${id}`];
  const room = tokens - mostTokensOf(start + end);
  return start + cutToTokens(cut(toOneLine(text), titleLength), room) + end;
}

const mostOfAnswer = {
  title: 40,
  address: 110,
  statement: 120,
  gaps: 110,
  reason: 90,
  conflict: 90,
} as const;

/** At most ten lines. */
function renderResearchBrief({ record, folder, copies }: BriefedRun): string {
  const {
    status = 'FAILED',
    answer = [],
    conflicts = [],
    sources = [],
    gaps = [],
  } = record.research ?? {};
  const ids = shortIdsOf(record.claims);
  const statements = answer
    .slice(0, 2)
    .flatMap(id => record.claims.filter(claim => claim.id === id))
    .map(
      ({ id, text, supporters, electorate }) =>
        `${short(text, mostOfAnswer.statement)} (${supporters.length}/${electorate}) ${ids.get(id) ?? id}`,
    );
  // A required researcher may be missing beside a complete answer: the exit code must not be all that says so.
  const why =
    (record.research?.why ?? '') ||
    (record.outcome === 'PASS' ? '' : (sentencesOf(record)[0] ?? ''));
  const [conflict] = conflicts;
  const [gap] = gaps;
  const preferred =
    (conflict?.preferred ?? null) === null ? '' : `${conflict?.preferred} is preferred, `;
  const lines = [
    `Run: ${record.run} (research)`,
    `Status: ${status}${why === '' ? '' : ` — ${short(why, mostOfAnswer.reason)}`}`,
    `Sources: ${describeSources(sources)}`,
    `Confidence: ${record.research?.confidence ?? 'none stated'}`,
    `Agents: ${describeSeats(record.reviewers, 'complete', ['partial', 'failed'])}`,
    `Answer: ${statements.join(' · ') || 'none'}`,
    ...(conflict === undefined
      ? []
      : [
          `Conflicts: ${conflicts.length}; ${short(`${conflict.claims.join(' against ')}: ${preferred}${conflict.why}`, mostOfAnswer.conflict)}`,
        ]),
    `Gaps: ${gap === undefined ? 'none' : `${gaps.length}; ${short(gap, mostOfAnswer.gaps)}`}`,
  ];
  return layBrief(lines, [], [], `${copies ?? folder}/reviews/synthesis.md`);
}

/** `5 (2 internal, 3 official); best: …`. */
function describeSources(sources: NonNullable<RunRecord['research']>['sources']): string {
  const [best] = sources;
  if (best === undefined) return 'none';
  const by = groupBy(sources, ({ rank }) => rank);
  const counts = sourceRanks.flatMap(rank =>
    by.has(rank) ? [`${by.get(rank)?.length} ${rank}`] : [],
  );
  const name = [
    short(best.title, mostOfAnswer.title),
    short(best.address, mostOfAnswer.address),
  ].filter(part => part !== '');
  return `${sources.length} (${counts.join(', ')}); best: ${name.join(', ')}`;
}

const mostIdeas = { inline: 500, summary: 400, lines: 11, reason: 90 } as const;

/** The answer itself when it is short, else its summary and where the rest is. */
function renderIdeasBrief({ record, reviews, folder, copies }: BriefedRun): string {
  const answer = reviews.find(({ status, said }) => status !== 'failed' && said !== undefined);
  const { said = null, findings = [] } = answer ?? {};
  const head = `Run: ${record.run} (brainstorm)`;
  const close = (...lines: readonly string[]): string =>
    layBrief(
      [head, ...lines],
      [],
      [],
      `${copies ?? folder}/reviews/${reviews[0]?.reviewer ?? ''}.md`,
    );
  if (answer === undefined || said === null)
    return close(
      `Status: FAILED — ${short(sentencesOf(record)[0] ?? 'the researcher gave no answer', mostIdeas.reason)}`,
    );
  const whole = linesOf(said);
  const isShort =
    whole.length <= mostIdeas.lines && mostTokensOf(whole.join('\n')) <= mostIdeas.inline;
  const summary = (): readonly string[] =>
    linesOf(cutToTokens(makeVisible(summaryIn(said)), mostIdeas.summary));
  const status = [
    `Status: ${answerStatusOf(answer)}`,
    ...(answer.status === 'partial' ? ['the answer was cut off'] : []),
    ...(isShort ? [] : [`${findings.length} ideas; this is the summary`]),
  ];
  return close(status.join(' — '), ...(isShort ? whole : summary().slice(0, mostIdeas.lines - 1)));
}

/** What is said is the reviewer's: it must not look like lines of ours. A tab is as wide as whoever reads it says, so it becomes blanks. */
function linesOf(text: string): string[] {
  return makeVisible(text.replaceAll('\t', '  '))
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .map(line => `> ${line}`);
}
