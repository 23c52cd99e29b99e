/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { summaryIn } from '../../answers/index.ts';
import { type Process, processOf } from '../process.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { cut, cutToTokens, mostTokensOf, toOneLine } from '../text.ts';
import { sayCarried } from '../pushes/describe-carried.ts';
import { hasReader, sayGate } from '../verdict/outcome.ts';
import { leftOutLines, unreadLine } from '../verdict/onward.ts';
import { approvalCommands, sentencesOf } from '../verdict/reasons.ts';
import {
  answerStatusOf,
  needsAttention,
  openClaims,
  overallVerdictOf,
  sayRecorded,
} from '../verdict/review-status.ts';
import { orderClaims, placeOfClaim, countSupport } from '../words/claim.ts';
import { sourceRanks } from '../words/research.ts';
import type { Review } from '../words/review.ts';
import type { Run, RunRecord, RunReviewer } from '../words/run.ts';
import { indexLevelOf, severities } from '../words/severity.ts';
import {
  type BriefFinding,
  describeCriteria,
  describeFinding,
  listNames,
  markOf,
  most,
  mostLines,
  reportLine,
  titleLength,
  titleOf,
} from './brief-line.ts';
import { renderQuestionBrief } from './question-brief.ts';
import { engineIdOf, printedNames, shortIdsOf } from './finding-names.ts';
import { isConflict, type Level, toMergedFindings } from './merged-findings.ts';
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
  return renderers[
    run.record.gate === undefined ? processOf(run.record.command).returned : 'contract'
  ](run);
}

/**
 * The text that goes back to a caller with a context of its own: at most fifteen lines and 1,000 tokens, whatever reviewers
 * say and however many they are. Everything else stays on disk and is asked for by id.
 */
type BriefedRun = Pick<Run, 'record' | 'reviews' | 'folder' | 'copies' | 'demo'>;

const mostFindings = 5;

const levels: readonly Level[] = severities.map(indexLevelOf);

/** What the lines of a brief say; their order and their budget are the same for all. */
interface Brief {
  readonly verdict: string;
  readonly gate: string;
  /** Lines that only some runs have. */
  readonly notes: readonly string[];
  readonly found: readonly { readonly severity: Level }[];
  readonly improvements: number;
  readonly conflicts: number;
  /** In the order they are shown. */
  readonly top: readonly BriefFinding[];
  /** Who read in part, and the command for the rest. */
  readonly partial: readonly string[];
  /** Path of the full report. */
  readonly report: string;
}

/** The brief of a review: the gate with its first reason, claims by the shortest ids that mean them. */
export function renderBrief({ record, reviews, folder, copies, demo }: BriefedRun): string {
  const open = openClaims(record);
  const ids = shortIdsOf(record.claims);
  return layBrief(record, {
    verdict: overallVerdictOf(record),
    gate: [
      sayGate(record),
      ...sentencesOf(record)
        .slice(0, 1)
        .map(reason => cutToTokens(toOneLine(reason), most.reason)),
    ].join(' — '),
    notes: [
      // Who seats recordings knows it; whoever is shown a demonstration need not.
      ...(demo === undefined ? [] : [sayRecorded(record.reviewers) ?? '']),
      ...describeCriteria(record),
      ...describeReadings(record.reviewers),
      ...describeSkipped(record.reviewers),
      ...describeApprovals(record),
    ],
    found: open.map(({ severity }) => ({ severity: indexLevelOf(severity) })),
    improvements: reviews
      .flatMap(({ findings }) => findings)
      .filter(({ isImprovement }) => isImprovement).length,
    conflicts: open.filter(isConflict).length,
    top: orderClaims({ claims: open, blocking: [] })
      .slice(0, mostFindings)
      .map((claim): BriefFinding => ({
        level: indexLevelOf(claim.severity),
        title: titleOf(claim.text, placeOfClaim(claim), { isChecked: true }),
        agents: claim.supporters,
        support: `${countSupport(claim)}/${claim.electorate}`,
        id: `${ids.get(claim.id) ?? claim.id}${markOf(claim)}`,
        against: claim.against,
      })),
    partial: describePartial(record),
    report:
      demo?.project === null ? 'not kept (jury demo --keep)' : `${copies ?? folder}/report.md`,
  });
}

/**
 * The brief of the write-behind contract: the outcome as one word, the findings of `findings.json`, their ids such that people
 * can type them.
 */
function renderContractBrief(run: BriefedRun): string {
  const { record, folder, copies } = run;
  const merged = toMergedFindings(run);
  const names = printedNames(record.claims, run.reviews);
  const claims = new Map(record.claims.map(claim => [claim.id, claim]));
  const [first, ...others] = sentencesOf(record);
  const reason = `Reason: ${cutToTokens(toOneLine(first ?? ''), most.reason)}${others.length > 0 ? ` (+${others.length} more)` : ''}`;
  return layBrief(record, {
    verdict: merged.verdict,
    gate: sayGate(record),
    notes: [
      ...(record.outcome === 'PASS' || first === undefined ? [] : [reason]),
      ...merged.overrides
        .slice(0, 1)
        .map(
          ({ rule, reason: why, source }) =>
            `Override: ${rule} lifted by ${source}: ${cutToTokens(toOneLine(why), most.reason)}`,
        ),
      ...describeReadings(record.reviewers),
      ...describeSkipped(record.reviewers),
      ...describeApprovals(record),
    ],
    found: merged.findings,
    improvements: merged.improvements.length,
    conflicts: merged.conflicts.length,
    top: merged.findings
      .toSorted(
        (one, other) =>
          levels.indexOf(one.severity) - levels.indexOf(other.severity) ||
          other.convergence - one.convergence,
      )
      .slice(0, mostFindings)
      .map(finding => {
        const claim = claims.get(finding.claim);
        const place = claim === undefined ? null : placeOfClaim(claim);
        return {
          level: finding.severity,
          title: titleOf(finding.title, place, { isChecked: true }),
          agents: finding.agents,
          support: `${finding.convergence}/${finding.convergence_of}`,
          id: printable(names.get(finding.claim) ?? finding.claim, finding.claim),
          against: claim?.against ?? [],
        };
      }),
    partial: describePartial(record),
    report: `${copies ?? folder}/reviews/synthesis.md`,
  });
}

/** An id is the reviewer's own text: one that is too long to hand on is replaced by that of the claim. */
function printable(id: string, claim: string): string {
  const name = toOneLine(id);
  return mostTokensOf(name) > most.id ? claim : name;
}

/** Who reads the rest must not take it for a second opinion. */
function describeReuse({ reused, adopted, carried, reviewers }: RunRecord): string[] {
  if (reused) return ['Answers: given before; nothing has changed since, nobody was asked'];
  const second =
    carried === undefined ? [] : [cutToTokens(toOneLine(sayCarried(carried)), most.reason)];
  if (adopted === undefined) return second;
  const isAll = reviewers.every(({ id }) => adopted.reviewers.includes(id));
  return [
    isAll
      ? `Answers: those of run ${toOneLine(adopted.run)}, which asked the same; nobody was asked again`
      : `Answers: those of run ${toOneLine(adopted.run)}, which asked the same, for ` +
        `${listNames(adopted.reviewers, most.attention)}; the others were asked`,
    ...second,
  ];
}

function layBrief(
  record: RunRecord,
  { verdict, gate, notes, found, improvements, conflicts, top, partial, report }: Brief,
): string {
  const engine = record.engineFindings ?? [];
  const amountOf = (level: Level): number =>
    found.filter(({ severity }) => severity === level).length +
    (level === 'P0' ? engine.length : 0);
  const head = [
    'Protocol: 1.0',
    `Run: ${record.run} (${cutToTokens(toOneLine(record.command), most.process)})`,
    ...describeUsual(record),
    `Validation: ${describeValidation(record.reviewers)}`,
    ...describeReuse(record),
    `Verdict: ${verdict}`,
    `Gate: ${gate}`,
    ...notes,
    ...leftOutLines(record).map(line => cutToTokens(toOneLine(line), most.reason)),
    `${levels.map(level => `${level}: ${amountOf(level)}`).join(' | ')} | IMP: ${improvements}${describeAside(record)}`,
    `Conflicts: ${conflicts || 'none'}`,
  ];
  const attention = listNames(
    record.reviewers.filter(needsAttention).map(({ id }) => id),
    most.attention,
  );
  const before = [...partial, `Attention: ${attention}`];
  const lines = [
    ...engine.map(
      ({ text }, index) =>
        (tokens: number) =>
          describeEngineFinding(text, engineIdOf(index), tokens),
    ),
    ...top.map(finding => (tokens: number) => describeFinding(finding, tokens)),
  ];
  const shown = lines.slice(0, Math.min(mostFindings, mostLines - head.length - before.length - 2));
  const heading = shown.length === 0 ? 'Top findings: none' : 'Top findings:';
  const tail = [
    ...before,
    reportLine(report, [...head, heading, ...before], shown.length * most.finding),
  ];
  const room = most.whole - mostTokensOf([...head, heading, ...tail].join('\n'));
  return [
    ...head,
    heading,
    ...shown.map(describe => describe(Math.floor(room / shown.length) - 1)),
    ...tail,
  ].join('\n');
}

/** Whoever named no change is told which one was meant, and what is no part of it. */
function describeUsual({ subject: { title, usual } }: RunRecord): string[] {
  return usual === undefined
    ? []
    : [cutToTokens(toOneLine(`Subject: ${[title, ...usual.notes].join('. ')}`), most.subject)];
}

/** `5/6 agents valid, 1 failed`. */
function describeValidation(reviewers: readonly RunReviewer[]): string {
  const count = (status: Review['status']): number =>
    reviewers.filter(reviewer => reviewer.status === status).length;
  const rest = (['failed', 'partial'] as const)
    .filter(status => count(status) > 0)
    .map(status => `, ${count(status)} ${status}`);
  const alone = hasReader({ reviewers }) ? '' : '; static checks alone, no reviewer read it';
  return `${count('complete')}/${reviewers.length} agents valid${rest.join('')}${alone}`;
}

/** What a person has let pass, and what one is asked about: an agent may do neither itself. */
function describeApprovals(record: RunRecord): string[] {
  const [given, ...others] = record.approvals ?? [];
  const [command] = approvalCommands(record).map(toOneLine);
  return [
    ...(given === undefined
      ? []
      : [
          cutToTokens(
            `Approved: ${given.rule} by ${toOneLine(given.by)}: ` +
              `${toOneLine(given.reason)}${others.length === 0 ? '' : ` (+${others.length} more)`}`,
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
  const [first, ...others] = (review?.partial ?? []).map(line => toOneLine(line));
  const partial =
    first === undefined || others.length === 0
      ? first
      : `${first}, +${others.length} more reviewers`;
  const unread = subject.kind === 'change' ? unreadLine(coverage) : null;
  const followUp = review?.follow_up ?? null;
  const command = followUp === null ? null : toOneLine(followUp);
  return [
    ...(partial === undefined ? [] : [cutToTokens(partial, most.reason)]),
    ...(unread === null
      ? command === null
        ? []
        : [command]
      : [
          [
            cutToTokens(toOneLine(unread), most.unread),
            ...(command === null ? [] : [command.replace('Consider: ', '')]),
          ].join(' '),
        ]),
    ...(standstill === undefined ? [] : [cutToTokens(toOneLine(standstill), most.followUp)]),
  ];
}

/** What protected paths kept out of the count; empty when that is nothing. */
function describeAside({ dismissed }: RunRecord): string {
  const aside = dismissed.filter(({ protectedBy }) => protectedBy !== undefined).length;
  return aside === 0 ? '' : ` | Set aside: ${aside}`;
}

/** The place stands at its start. */
function describeEngineFinding(text: string, id: string, tokens: number): string {
  const [start, end] = ['- [P0] ', ` — the engine ${id}`];
  return (
    start + cutToTokens(cut(toOneLine(text), titleLength), tokens - mostTokensOf(start + end)) + end
  );
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
  const { research } = record;
  const claims = new Map(record.claims.map(claim => [claim.id, claim]));
  const answer = (research?.answer ?? []).slice(0, 2).flatMap(id => claims.get(id) ?? []);
  const ids = shortIdsOf(record.claims);
  const statements = answer.map(
    ({ id, text, supporters, electorate }) =>
      `${cutToTokens(toOneLine(text), mostOfAnswer.statement)} (${supporters.length}/${electorate}) ${ids.get(id) ?? id}`,
  );
  const [conflict] = research?.conflicts ?? [];
  // A required researcher may be missing beside a complete answer: the exit code must not be all that says so.
  const why =
    (research?.why ?? '') || (record.outcome === 'PASS' ? '' : (sentencesOf(record)[0] ?? ''));
  const lines = [
    `Run: ${record.run} (research)`,
    `Status: ${research?.status ?? 'FAILED'}${why === '' ? '' : ` — ${cutToTokens(toOneLine(why), mostOfAnswer.reason)}`}`,
    `Sources: ${describeSources(research?.sources ?? [])}`,
    `Confidence: ${research?.confidence ?? 'none stated'}`,
    `Agents: ${describeAgents(record.reviewers)}`,
    `Answer: ${statements.length === 0 ? 'none' : statements.join(' · ')}`,
    ...(conflict === undefined
      ? []
      : [
          `Conflicts: ${research?.conflicts.length ?? 0}; ` +
            cutToTokens(
              toOneLine(
                `${conflict.claims.join(' against ')}: ` +
                  (conflict.preferred === null ? '' : `${conflict.preferred} is preferred, `) +
                  conflict.why,
              ),
              mostOfAnswer.conflict,
            ),
        ]),
    `Gaps: ${describeGaps(research?.gaps ?? [])}`,
  ];
  return [...lines, reportLine(`${copies ?? folder}/reviews/synthesis.md`, lines)].join('\n');
}

/** `5 (2 internal, 3 official); best: …`. */
function describeSources(
  sources: readonly { readonly rank: string; readonly title: string; readonly address: string }[],
): string {
  const [best] = sources;
  if (best === undefined) return 'none';
  const counts = sourceRanks
    .map(rank => ({ rank, count: sources.filter(source => source.rank === rank).length }))
    .filter(({ count }) => count > 0);
  const name = [
    cutToTokens(toOneLine(best.title), mostOfAnswer.title),
    cutToTokens(toOneLine(best.address), mostOfAnswer.address),
  ]
    .filter(part => part !== '')
    .join(', ');
  return `${sources.length} (${counts.map(({ rank, count }) => `${count} ${rank}`).join(', ')}); best: ${name}`;
}

function describeAgents(reviewers: readonly RunReviewer[]): string {
  const count = (status: RunReviewer['status']): number =>
    reviewers.filter(reviewer => reviewer.status === status).length;
  const rest = (['partial', 'failed'] as const)
    .filter(status => count(status) > 0)
    .map(status => `, ${count(status)} ${status}`);
  return `${count('complete')}/${reviewers.length} complete${rest.join('')}`;
}

function describeGaps(gaps: readonly string[]): string {
  const [first] = gaps;
  if (first === undefined) return 'none';
  return `${gaps.length}; ${cutToTokens(toOneLine(first), mostOfAnswer.gaps)}`;
}

const mostIdeas = { inline: 500, summary: 400, lines: 11, reason: 90 } as const;

/** The answer itself when it is short, else its summary and where the rest is. */
function renderIdeasBrief({ record, reviews, folder, copies }: BriefedRun): string {
  const answer = reviews.find(({ status, said }) => status !== 'failed' && said !== undefined);
  const { said = null, findings = [] } = answer ?? {};
  const head = `Run: ${record.run} (brainstorm)`;
  const close = (lines: readonly string[]): string =>
    [
      ...lines,
      reportLine(`${copies ?? folder}/reviews/${reviews[0]?.reviewer ?? ''}.md`, lines),
    ].join('\n');
  if (answer === undefined || said === null)
    return close([
      head,
      `Status: FAILED — ${cutToTokens(toOneLine(sentencesOf(record)[0] ?? 'the researcher gave no answer'), mostIdeas.reason)}`,
    ]);
  const whole = linesOf(said);
  const isShort =
    whole.length <= mostIdeas.lines && mostTokensOf(whole.join('\n')) <= mostIdeas.inline;
  const shown = isShort
    ? whole
    : linesOf(cutToTokens(makeVisible(summaryIn(said)), mostIdeas.summary)).slice(
        0,
        mostIdeas.lines - 1,
      );
  return close([
    head,
    [
      `Status: ${answerStatusOf(answer)}`,
      ...(answer.status === 'partial' ? ['the answer was cut off'] : []),
      ...(isShort ? [] : [`${findings.length} ideas; this is the summary`]),
    ].join(' — '),
    ...shown,
  ]);
}

/** What is said is the reviewer's: it must not look like lines of ours. A tab is as wide as whoever reads it says, so it becomes blanks. */
function linesOf(text: string): string[] {
  return makeVisible(text.replaceAll('\t', '  '))
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .map(line => `> ${line}`);
}
