/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { processOf } from '../process.ts';
import { sayCarried } from '../pushes/same-patch.ts';
import { cut, cutToTokens, mostTokensOf, toOneLine } from '../text.ts';
import { leftOutLines, unreadLine } from '../verdict/onward.ts';
import { hasReader, sayGate } from '../verdict/outcome.ts';
import {
  approvalCommands,
  needsAttention,
  openClaims,
  overallVerdictOf,
  sayRecorded,
  sentencesOf,
} from '../verdict/review-status.ts';
import { countSupport, orderClaims, placeOfClaim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { indexLevelOf, severities, bySeverity } from '../words/finding.ts';
import { renderIdeasBrief, renderQuestionBrief, renderResearchBrief } from './answer-brief.ts';
import {
  becauseOf,
  type BriefedRun,
  describeCriteria,
  describeFinding,
  describeReadings,
  describeSeats,
  describeSkipped,
  headOf,
  layBrief,
  listNames,
  most,
  mostLines,
  type NamedClaim,
  short,
  shortNames,
  titleLength,
  titleOf,
} from './brief-line.ts';
import { engineIdOf, printedNames } from './finding-names.ts';
import { isConflict, mergeClaims, mergeImprovements } from './merged-findings.ts';
import { present } from '../groups.ts';

/**
 * At most 15 lines and 1,000 tokens, whatever reviewers say and however many they are; everything else stays on disk and is asked
 * for by id. A run that the quality gate judged is returned as the gate does it, whatever it was.
 */
export function renderReturned(run: BriefedRun) {
  const { gate, command, subject } = run.record;
  const returned = gate === undefined ? processOf(command).returned : 'contract';
  if (returned === 'research') return renderResearchBrief(run);
  if (returned === 'ideas') return renderIdeasBrief(run);
  if (returned === 'contract') return renderBrief(run, true);
  return subject.kind === 'question' ? renderQuestionBrief(run) : renderBrief(run);
}

const mostFindings = 5;

/**
 * The brief of a review: the gate with its first reason, claims by the shortest ids that mean them. `isContract`: that of the
 * write-behind contract, with the outcome as one word and the findings of `findings.json`, their ids such that people can type them.
 */
export function renderBrief(run: BriefedRun, isContract = false) {
  const { record, reviews, copies, demo } = run;
  const { reviewers, subject, engineFindings: engine = [], dismissed } = record;
  const folder = copies ?? run.folder;
  const named = isContract ? contractNames(run) : shortNames(run);
  const top = isContract
    ? openClaims(record).toSorted(
        (one, other) => bySeverity(one, other) || countSupport(other) - countSupport(one),
      )
    : orderClaims({ claims: openClaims(record), blocking: [] });
  const counts = severities.map(severity => {
    const those = top.filter(claim => claim.severity === severity).length;
    return `${indexLevelOf(severity)}: ${those + (severity === 'critical' ? engine.length : 0)}`;
  });
  const conflicts = top.filter(isConflict).length;
  // What protected paths kept out of the count.
  const aside = dismissed.filter(({ protectedBy }) => protectedBy !== undefined).length;
  const alone = hasReader(record) ? '' : '; static checks alone, no reviewer read it';
  const head = present(
    ...headOf(record),
    // Whoever named no change is told which one was meant, and what is no part of it.
    subject.usual !== undefined &&
      short(`Subject: ${[subject.title, ...subject.usual.notes].join('. ')}`, most.subject),
    `Validation: ${describeSeats(reviewers, 'agents valid', ['failed', 'partial'])}${alone}`,
    ...describeReuse(record),
    `Verdict: ${overallVerdictOf(record)}`,
    ...(isContract ? describeGate(record) : [`Gate: ${sayGate(record)}${becauseOf(record)}`]),
    // Who seats recordings knows it; whoever is shown a demonstration need not.
    !isContract && demo !== undefined && (sayRecorded(reviewers) ?? ''),
    ...(isContract ? [] : describeCriteria(record)),
    ...describeReadings(reviewers),
    ...describeSkipped(reviewers),
    ...describeApprovals(record),
    ...leftOutLines(record).map(line => short(line, most.reason)),
    `${counts.join(' | ')} | IMP: ${mergeImprovements(reviews).length}${aside === 0 ? '' : ` | Set aside: ${aside}`}`,
    `Conflicts: ${conflicts || 'none'}`,
  );
  const attention = reviewers.filter(needsAttention).map(({ id }) => id);
  const tail = [...describePartial(record), `Attention: ${listNames(attention, most.attention)}`];
  const findings = [
    ...engine.map(
      ({ text }, index) =>
        (tokens: number) =>
          describeEngineFinding(text, engineIdOf(index), tokens),
    ),
    ...top.map(claim => (tokens: number) => {
      const { name, text } = named(claim);
      const title = titleOf(text, placeOfClaim(claim), { isChecked: true });
      return describeFinding(claim, { level: indexLevelOf(claim.severity), title, name }, tokens);
    }),
  ].slice(0, Math.min(mostFindings, mostLines - head.length - tail.length - 2));
  const heading = findings.length === 0 ? 'Top findings: none' : 'Top findings:';
  const report =
    demo?.project === null && !isContract
      ? 'not kept (jury demo --keep)'
      : `${folder}/${isContract ? 'reviews/synthesis.md' : 'report.md'}`;
  return layBrief(head, [{ heading, findings }], tail, report);
}

/** An id is the reviewer's own text: one that is too long to hand on is replaced by that of the claim. */
function contractNames({ record, reviews }: BriefedRun): NamedClaim {
  const names = printedNames(record.claims, reviews);
  const titles = new Map(mergeClaims(record, reviews).map(({ claim, title }) => [claim, title]));
  return ({ id, text }) => {
    const name = toOneLine(names.get(id) ?? id);
    return { name: mostTokensOf(name) > most.id ? id : name, text: titles.get(id) ?? text };
  };
}

function describeGate(record: RunRecord) {
  const [first, ...others] = sentencesOf(record);
  const further = others.length === 0 ? '' : ` (+${others.length} more)`;
  const [lifted] = record.gate?.overrides ?? [];
  return present(
    `Gate: ${sayGate(record)}`,
    record.outcome !== 'PASS' &&
      first !== undefined &&
      `Reason: ${short(first, most.reason)}${further}`,
    lifted !== undefined &&
      `Override: ${lifted.rule} lifted by ${lifted.source}: ${short(lifted.reason, most.reason)}`,
  );
}

/** Who reads the rest must not take it for a second opinion. */
function describeReuse({ reused, adopted, carried, reviewers }: RunRecord) {
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
function describeApprovals(record: RunRecord) {
  const [given, ...others] = record.approvals ?? [];
  const [command] = approvalCommands(record).map(toOneLine);
  const further = others.length === 0 ? '' : ` (+${others.length} more)`;
  return present(
    given !== undefined &&
      cutToTokens(
        `Approved: ${given.rule} by ${toOneLine(given.by)}: ${toOneLine(given.reason)}${further}`,
        most.approval,
      ),
    command !== undefined &&
      'A person decides: ' +
        (mostTokensOf(command) <= most.approval
          ? command
          : `jury approve unread --run ${record.run} --path PATH --reason TEXT`),
  );
}

/** Whose tokens ran out, what nobody has read, and the command that goes on; or why none does. */
function describePartial({ subject, coverage, consensusReview: review, standstill }: RunRecord) {
  const [first, ...others] = review?.partial ?? [];
  const further = others.length === 0 ? '' : `, +${others.length} more reviewers`;
  const unread = subject.kind === 'change' ? unreadLine(coverage) : null;
  const followUp = review?.follow_up ?? null;
  const command = followUp === null ? null : toOneLine(followUp);
  const onward = present(
    unread !== null && short(unread, most.unread),
    command !== null && (unread === null ? command : command.replace('Consider: ', '')),
  );
  return present(
    first !== undefined && short(`${first}${further}`, most.reason),
    onward.length > 0 && onward.join(' '),
    standstill !== undefined && short(standstill, most.followUp),
  );
}

/** The place stands at its start. */
function describeEngineFinding(text: string, id: string, tokens: number) {
  const [start, end] = ['- [P0] ', ` — the engine ${id}`];
  const room = tokens - mostTokensOf(start + end);
  return start + cutToTokens(cut(toOneLine(text), titleLength), room) + end;
}
