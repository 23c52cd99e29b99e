/** What goes back to whoever asked for an answer and no review: of research, of ideas, of a question. */
import { summaryIn } from '../../answers/index.ts';
import { groupBy, present } from '../groups.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { cutToTokens, mostTokensOf, toOneLine } from '../text.ts';
import { stepsToAsk } from '../verdict/onward.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { answerStatusOf, openClaims, sentencesOf } from '../verdict/review-status.ts';
import {
  type Agreement,
  agreementOf,
  type Claim,
  orderClaims,
  placeOfClaim,
} from '../words/claim.ts';
import { sourceRanks } from '../words/review.ts';
import type { RunRecord, RunReviewer } from '../words/run.ts';
import {
  becauseOf,
  type BriefedRun,
  describeCriteria,
  describeFinding,
  describeSeats,
  headOf,
  layBrief,
  listNames,
  most,
  mostLines,
  type NamedClaim,
  short,
  shortNames,
  titleOf,
} from './brief-line.ts';
import { shortIdsOf } from './finding-names.ts';
import { isConflict } from './merged-findings.ts';

const mostOfAnswer = {
  title: 40,
  address: 110,
  statement: 120,
  gaps: 110,
  reason: 90,
  conflict: 90,
} as const;

/** At most ten lines. */
export function renderResearchBrief({ record, folder, copies }: BriefedRun) {
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
    `Run: ${record.run} (research)`,
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
export function renderIdeasBrief({ record, reviews, folder, copies }: BriefedRun) {
  const answer = reviews.find(({ status, said }) => status !== 'failed' && said !== undefined);
  const { said = null, findings = [] } = answer ?? {};
  const head = `Run: ${record.run} (brainstorm)`;
  const close = (...lines: readonly string[]) =>
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
  const summary = () => linesOf(cutToTokens(makeVisible(summaryIn(said)), mostIdeas.summary));
  const status = present(
    `Status: ${answerStatusOf(answer)}`,
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
export function renderQuestionBrief(run: BriefedRun) {
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
    `Multi-agent validation found ${high} High Priority ${high === 1 ? 'issue' : 'issues'} (Medium: ${medium}, Consider: ${consider})`,
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
    const cut = first.length === members.length ? '' : `, the first ${first.length}`;
    shown.push({
      heading: `${heading} (${members.length}${cut}):`,
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
