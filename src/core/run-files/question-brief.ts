/** The text that goes back to whoever put a question: how many answered, what they agree on by tiers, who failed and why. */
import { toOneLine } from '../text.ts';
import { stepsToAsk } from '../verdict/onward.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { sentencesOf } from '../verdict/reasons.ts';
import { openClaims } from '../verdict/review-status.ts';
import {
  type Agreement,
  agreementOf,
  type Claim,
  countSupport,
  orderClaims,
  placeOfClaim,
} from '../words/claim.ts';
import type { Run, RunRecord, RunReviewer } from '../words/run.ts';
import {
  type BriefGroup,
  describeCriteria,
  describeFinding,
  layBrief,
  listNames,
  markOf,
  most,
  mostLines,
  short,
  titleOf,
} from './brief-line.ts';
import { shortIdsOf } from './finding-names.ts';
import { isConflict } from './merged-findings.ts';

/** The tiers of a consensus report, the strongest first. */
const tiers = [
  { agreement: 'all', heading: 'High Priority - All agree' },
  { agreement: 'majority', heading: 'Medium Priority - Majority' },
  { agreement: 'single', heading: 'Consider - One reviewer' },
] as const satisfies readonly { readonly agreement: Agreement; readonly heading: string }[];

const mostShown = 6;

/** At most 15 lines and 1,000 tokens. */
export function renderQuestionBrief({
  record,
  folder,
  copies,
}: Pick<Run, 'record' | 'folder' | 'copies'>): string {
  const claims = orderClaims({ claims: openClaims(record), blocking: [] });
  const ids = shortIdsOf(record.claims);
  const disagreements = claims.filter(isConflict).length;
  const head = [
    'Protocol: 1.0',
    `Run: ${record.run} (${short(record.command, most.process)})`,
    ...describeAnswers(record),
    ...describeFound(record, claims),
    ...describeCriteria(record),
    ...(disagreements === 0 ? [] : [`Disagreements: ${disagreements}`]),
  ];
  const isOpen = record.outcome === 'INCOMPLETE' && !record.quorum.met;
  const tail = (isOpen ? stepsToAsk(record) : []).map(
    ({ command, does }) => `→ ${command} ${does}`,
  );
  const shown = chooseShown(claims, ids, mostLines - head.length - tail.length - 1);
  return layBrief(head, shown, tail, `${copies ?? folder}/report.md`);
}

/** How many answered and who did not, with the reason; where it was decided or could not be, the outcome first. */
function describeAnswers(record: RunRecord): string[] {
  const { outcome, reviewers } = record;
  const missing = reviewers
    .filter(({ status }) => status !== 'complete')
    .map(reviewer => `${toOneLine(reviewer.id)} ${whyMissing(reviewer)}`);
  const answered = sayOutcome({ outcome: null, reviewers, claims: [] });
  const [reason] = sentencesOf(record);
  const because = reason === undefined ? '' : ` — ${short(reason, most.reason)}`;
  return [
    ...(outcome === null ? [] : [`Gate: ${outcome}${because}`]),
    missing.length === 0 ? answered : `${answered}: ${listNames(missing, most.attention)}`,
  ];
}

/** What two words stand for many causes, with the one that it was. */
function whyMissing({ display, reason, cause }: RunReviewer): string {
  const isVague = reason === 'unreadable' || reason === 'not_available';
  return toOneLine(isVague && cause !== null ? display.replace(/\)$/, `: ${cause})`) : display);
}

/** Where too few answered, silence is no count. */
function describeFound({ quorum }: RunRecord, claims: readonly Claim[]): string[] {
  if (!quorum.met && claims.length === 0) return [];
  const [high, medium, consider] = tiers.map(tier => inTier(claims, tier.agreement).length);
  return [
    `Multi-agent validation found ${high} High Priority ${high === 1 ? 'issue' : 'issues'} (Medium: ${medium}, Consider: ${consider})`,
  ];
}

/** As many as there are lines for, from the strongest tier down; a heading is a line too, and says how many it holds. */
function chooseShown(
  claims: readonly Claim[],
  ids: ReadonlyMap<string, string>,
  lines: number,
): readonly BriefGroup[] {
  const shown: BriefGroup[] = [];
  let [left, amount] = [lines, mostShown];
  for (const { agreement, heading } of tiers) {
    const members = inTier(claims, agreement);
    const first = members.slice(0, Math.max(0, Math.min(amount, left - 1)));
    if (first.length === 0) continue;
    const cut = first.length === members.length ? '' : `, the first ${first.length}`;
    shown.push({
      heading: `${heading} (${members.length}${cut}):`,
      findings: first.map(claim => (tokens: number) => describeIssue(claim, ids, tokens)),
    });
    left -= first.length + 1;
    amount -= first.length;
  }
  return shown;
}

/** Counted anew: the answer of a panel of one is nobody's agreement. */
function inTier(claims: readonly Claim[], agreement: Agreement): readonly Claim[] {
  return claims.filter(
    ({ supporters, electorate }) => agreementOf(supporters.length, electorate) === agreement,
  );
}

function describeIssue(claim: Claim, ids: ReadonlyMap<string, string>, tokens: number): string {
  return describeFinding(
    {
      level: short(claim.label.toUpperCase(), most.process),
      title: titleOf(claim.text, placeOfClaim(claim), { isChecked: false }),
      agents: claim.supporters,
      support: `${countSupport(claim)}/${claim.electorate}`,
      id: `${ids.get(claim.id) ?? claim.id}${markOf(claim)}`,
      against: claim.against,
    },
    tokens,
  );
}
