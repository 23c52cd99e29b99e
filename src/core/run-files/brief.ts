/** The text that goes back to the caller of a process, as its row of the table says: a few lines, whatever was said. */
import { summaryIn } from '../../answers/index.ts';
import { groupBy, present } from '../groups.ts';
import { processOf } from '../process.ts';
import { sayCarried } from '../pushes/same-patch.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { cut, cutToTokens, mostTokensOf, toOneLine, countOf } from '../text.ts';
import { leftOutLines, stepsToAsk, unreadLine } from '../verdict/coverage.ts';
import { hasReader, sayGate, sayOutcome } from '../verdict/outcome.ts';
import {
  answerStatusOf,
  approvalCommands,
  needsAttention,
  openClaims,
  overallVerdictOf,
  sayRecorded,
  sentencesOf,
} from '../verdict/review-status.ts';
import {
  type Agreement,
  agreementOf,
  type Claim,
  countSupport,
  orderClaims,
  placeOfClaim,
} from '../words/claim.ts';
import { sourceRanks } from '../words/review.ts';
import type { Run, RunRecord, RunReviewer } from '../words/run.ts';
import { indexLevelOf, severities, bySeverity } from '../words/finding.ts';
import {
  describeFinding,
  describeReadings,
  describeSkipped,
  layBrief,
  listNames,
  most,
  short,
  titleLength,
  titleOf,
} from './brief-line.ts';
import { engineIdOf, printedNames, shortIdsOf } from './finding-names.ts';
import { isConflict, mergeClaims, mergeImprovements } from './merged-findings.ts';
import { criterionStates, stateOfCriterion } from '../verdict/verification.ts';

type BriefedRun = Pick<Run, 'record' | 'reviews' | 'folder' | 'copies' | 'demo'>;

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

const mostLines = 15;

/**
 * The brief of a review: the gate with its first reason, claims by the shortest ids that mean them. `isContract`: that of the
 * write-behind contract, with the outcome as one word and the findings of `findings.json`, their ids such that people can type them.
 */
function renderBrief(run: BriefedRun, isContract = false) {
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
  // What protected paths kept out of the count, and what people did.
  const aside = dismissed.filter(({ protectedBy }) => protectedBy !== undefined).length;
  const uncounted = present(
    aside > 0 && `Set aside: ${aside}`,
    dismissed.length > aside && `Dismissed: ${dismissed.length - aside}`,
  );
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
    [...counts, `IMP: ${mergeImprovements(reviews).length}`, ...uncounted].join(' | '),
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

/** `Criteria: #2 not met | #3, #4 unanswered | #1 met`: what stands in the way first. */
function describeCriteria({ verification }: RunRecord) {
  if (verification === null) return [];
  const parts = criterionStates.flatMap(state => {
    const those = verification.criteria.filter(each => stateOfCriterion(each) === state);
    const numbers = those.map(({ criterion }) => `#${criterion}`);
    return numbers.length === 0 ? [] : [`${listNames(numbers, most.criteria)} ${state}`];
  });
  return [`Criteria: ${parts.join(' | ') || 'none'}`];
}

function headOf({ run, command }: RunRecord) {
  return ['Protocol: 1.0', `Run: ${run} (${short(command, most.process)})`];
}

/** ` — ` and the first reason; empty where there is none. */
function becauseOf(record: RunRecord) {
  const [reason] = sentencesOf(record);
  return reason === undefined ? '' : ` — ${short(reason, most.reason)}`;
}

/** `5/6 agents valid, 1 failed`. */
function describeSeats(
  reviewers: readonly RunReviewer[],
  word: string,
  others: readonly RunReviewer['status'][],
) {
  const by = groupBy(reviewers, ({ status }) => status);
  const rest = others.flatMap(status =>
    by.has(status) ? [`${by.get(status)?.length} ${status}`] : [],
  );
  return [`${by.get('complete')?.length ?? 0}/${reviewers.length} ${word}`, ...rest].join(', ');
}

type NamedClaim = (claim: Claim) => { readonly name: string; readonly text: string };

function shortNames({ record }: Pick<BriefedRun, 'record'>): NamedClaim {
  const ids = shortIdsOf(record.claims);
  return claim => ({ name: `${ids.get(claim.id) ?? claim.id}${markOf(claim)}`, text: claim.text });
}

/** What a vote came to, where there was one that decided something. */
function markOf({ deliberation }: Claim) {
  const outcome = deliberation?.outcome ?? 'passed';
  return outcome === 'passed' || outcome === 'undecided' ? '' : ` ${outcome.replace('_', ' ')}`;
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

// What goes back to whoever asked for an answer and no review: of research, of ideas, of a question.

const mostOfAnswer = {
  title: 40,
  address: 110,
  statement: 120,
  gaps: 110,
  reason: 90,
  conflict: 90,
} as const;

/** What the run came to in the word of every other, where it is no answer: the status below is that of the answer. */
function nameRun({ run, command, outcome }: BriefedRun['record']) {
  return `Run: ${run} (${command})${outcome === 'INCOMPLETE' ? ' – INCOMPLETE' : ''}`;
}

/** At most ten lines. */
function renderResearchBrief({ record, folder, copies }: BriefedRun) {
  const {
    status = 'FAILED',
    answer = [],
    conflicts = [],
    sources = [],
    gaps = [],
    why: own = '',
    confidence = null,
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
  const why = own || (record.outcome === 'PASS' ? '' : (sentencesOf(record)[0] ?? ''));
  const [conflict] = conflicts;
  const [gap] = gaps;
  const preferred =
    (conflict?.preferred ?? null) === null ? '' : `${conflict?.preferred} is preferred, `;
  const lines = present(
    nameRun(record),
    `Status: ${status}${why === '' ? '' : ` — ${short(why, mostOfAnswer.reason)}`}`,
    `Sources: ${describeSources(sources)}`,
    `Confidence: ${confidence ?? 'none stated'}`,
    `Agents: ${describeSeats(record.reviewers, 'complete', ['partial', 'failed'])}`,
    `Answer: ${statements.join(' · ') || 'none'}`,
    conflict !== undefined &&
      `Conflicts: ${conflicts.length}; ` +
        short(
          `${conflict.claims.join(' against ')}: ${preferred}${conflict.why}`,
          mostOfAnswer.conflict,
        ),
    `Gaps: ${gap === undefined ? 'none' : `${gaps.length}; ${short(gap, mostOfAnswer.gaps)}`}`,
  );
  return layBrief(lines, [], [], `${copies ?? folder}/reviews/synthesis.md`);
}

/** `5 (2 internal, 3 official); best: …`. */
function describeSources(sources: NonNullable<RunRecord['research']>['sources']) {
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
function renderIdeasBrief({ record, reviews, folder, copies }: BriefedRun) {
  const answer = reviews.find(({ status, said }) => status !== 'failed' && said !== undefined);
  const { said = null, findings = [] } = answer ?? {};
  const close = (status: string, ...lines: readonly string[]) =>
    layBrief(
      [nameRun(record), `Status: ${status}`, ...lines],
      [],
      [],
      `${copies ?? folder}/reviews/${reviews[0]?.reviewer ?? ''}.md`,
    );
  if (answer === undefined || said === null)
    return close(
      `FAILED — ${short(sentencesOf(record)[0] ?? 'the researcher gave no answer', mostIdeas.reason)}`,
    );
  const whole = linesOf(said);
  const isShort =
    whole.length <= mostIdeas.lines && mostTokensOf(whole.join('\n')) <= mostIdeas.inline;
  const summary = () => linesOf(cutToTokens(makeVisible(summaryIn(said)), mostIdeas.summary));
  const status = present(
    answerStatusOf(answer),
    answer.status === 'partial' && 'the answer was cut off',
    !isShort && `${findings.length} ideas; this is the summary`,
  );
  return close(status.join(' — '), ...(isShort ? whole : summary().slice(0, mostIdeas.lines - 1)));
}

/** What is said is the reviewer's: it must not look like lines of ours. A tab is as wide as whoever reads it says, so it becomes blanks. */
function linesOf(text: string) {
  return makeVisible(text.replaceAll('\t', '  '))
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .map(line => `> ${line}`);
}

/** The tiers of a consensus report, the strongest first. */
const tiers = [
  { agreement: 'all', heading: 'High Priority - All agree' },
  { agreement: 'majority', heading: 'Medium Priority - Majority' },
  { agreement: 'single', heading: 'Consider - One reviewer' },
] as const;

const mostShown = 6;

/** What goes back to whoever put a question: how many answered, what they agree on by tiers, who failed and why. */
function renderQuestionBrief(run: BriefedRun) {
  const { record, folder, copies } = run;
  const claims = orderClaims({ claims: openClaims(record), blocking: [] });
  const disagreements = claims.filter(isConflict).length;
  const head = present(
    ...headOf(record),
    ...describeAnswers(record),
    ...describeFound(record, claims),
    ...describeCriteria(record),
    disagreements !== 0 && `Disagreements: ${disagreements}`,
  );
  const isOpen = record.outcome === 'INCOMPLETE' && !record.quorum.met;
  const tail = (isOpen ? stepsToAsk(record) : []).map(
    ({ command, does }) => `→ ${command} ${does}`,
  );
  const shown = chooseShown(claims, shortNames(run), mostLines - head.length - tail.length - 1);
  return layBrief(head, shown, tail, `${copies ?? folder}/report.md`);
}

/** How many answered and who did not, with the reason; where it was decided or could not be, the outcome first. */
function describeAnswers(record: RunRecord) {
  const { outcome, reviewers } = record;
  const missing = reviewers
    .filter(({ status }) => status !== 'complete')
    .map(reviewer => `${toOneLine(reviewer.id)} ${whyMissing(reviewer)}`);
  const answered = sayOutcome({ outcome: null, reviewers, claims: [] });
  return present(
    outcome !== null && `Gate: ${outcome}${becauseOf(record)}`,
    missing.length === 0 ? answered : `${answered}: ${listNames(missing, most.attention)}`,
  );
}

/** What two words stand for many causes, with the one that it was. */
function whyMissing({ display, reason, cause }: RunReviewer) {
  const isVague = reason === 'unreadable' || reason === 'not_available';
  return toOneLine(isVague && cause !== null ? display.replace(/\)$/, `: ${cause})`) : display);
}

/** Where too few answered, silence is no count. */
function describeFound({ quorum }: RunRecord, claims: readonly Claim[]) {
  if (!quorum.met && claims.length === 0) return [];
  const [high, medium, consider] = tiers.map(tier => inTier(claims, tier.agreement).length);
  return [
    `Multi-agent validation found ${countOf(high ?? 0, 'High Priority issue')} (Medium: ${medium}, Consider: ${consider})`,
  ];
}

/** As many as there are lines for, from the strongest tier down; a heading is a line too, and says how many it holds. */
function chooseShown(claims: readonly Claim[], named: NamedClaim, lines: number) {
  const shown = [];
  let [left, amount] = [lines, mostShown];
  for (const { agreement, heading } of tiers) {
    const members = inTier(claims, agreement);
    const first = members.slice(0, Math.max(0, Math.min(amount, left - 1)));
    if (first.length === 0) continue;
    const part = first.length === members.length ? '' : `, the first ${first.length}`;
    shown.push({
      heading: `${heading} (${members.length}${part}):`,
      findings: first.map(claim => (tokens: number) => {
        const level = short(claim.label.toUpperCase(), most.process);
        const title = titleOf(claim.text, placeOfClaim(claim), { isChecked: false });
        return describeFinding(claim, { level, title, name: named(claim).name }, tokens);
      }),
    });
    left -= first.length + 1;
    amount -= first.length;
  }
  return shown;
}

/** Counted anew: the answer of a panel of one is nobody's agreement. */
function inTier(claims: readonly Claim[], agreement: Agreement) {
  return claims.filter(
    ({ supporters, electorate }) => agreementOf(supporters.length, electorate) === agreement,
  );
}
