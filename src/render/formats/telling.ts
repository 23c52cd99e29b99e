/** What the formats for machines tell of a claim in words: what it says, who agrees, who denies it, who never looked, how sure that is. */
import type { DismissedClaim } from '../../core/words/known-claim.ts';
import { sayCarried } from '../../core/pushes/since.ts';
import { cut } from '../../core/text.ts';
import { type Claim, countSupport, likelihood } from '../../core/words/claim.ts';
import type { RunRecord } from '../../core/words/run.ts';
import { statedRule } from './rules.ts';

/** Reviewers that are named before the rest is counted. */
const mostNames = 12;
const longestName = 200;
const longestStatement = 300;
const longestFix = 1_000;

/** Sentences of one line each, every text cut to so many characters. Untrusted: reviewers' words and names stand in them as they are. */
export type TellClaim = (claim: Claim, longest: number) => string[];

export function createTeller(record: RunRecord): TellClaim {
  const dismissals = new Map(record.dismissed.map(dismissal => [dismissal.id, dismissal]));
  return (claim, longest) => [
    cut(claim.text, longest),
    ...fixOf(claim, Math.min(longest, longestFix)),
    ...ruleOf(claim),
    tellStanding(claim, record, Math.min(longest, longestStatement)),
    ...(claim.state === 'dismissed'
      ? [tellDismissal(dismissals.get(claim.id) ?? null, Math.min(longest, longestFix))]
      : []),
  ];
}

/** What was not asked again, and what a person let pass: a run may be a pass by it, and whoever reads it is to know. */
export function tellConditions({ adopted, carried, approvals = [] }: RunRecord): string[] {
  return [
    ...(adopted === undefined
      ? []
      : [
          `Not asked again, since run ${adopted.run} asked the same: ${listNames(adopted.reviewers)}.`,
        ]),
    ...(carried === undefined ? [] : [`${sayCarried(carried)}.`]),
    ...approvals.map(
      ({ by, at, subjects, reason }) =>
        `Approved by ${cut(by, longestName)} on ${at.slice(0, 10)}: ${listNames(subjects)} (${cut(reason, longestStatement)}).`,
    ),
  ].map(sentence => cut(sentence, longestFix));
}

/** `Said by alpha (1 of 3 who could have). Denied by beta: “…”. Read and not said by gamma. Never looked: delta (✗ (timeout …)).` */
function tellStanding(claim: Claim, { reviewers }: RunRecord, longest: number): string {
  const { supporters, electors, electorate, against } = claim;
  const deniers = [...new Set(against.map(({ reviewer }) => reviewer))];
  const heard = new Set([...electors, ...supporters, ...deniers]);
  const silent = electors.filter(id => !supporters.includes(id) && !deniers.includes(id));
  const absent = reviewers
    .filter(({ id }) => !heard.has(id))
    .map(({ id, status, display }) => (status === 'failed' ? `${id} ${display}` : id));
  return [
    `Said by ${listNames(supporters)} (${countSupport(claim)} of ${electorate} who could have).`,
    ...against
      .slice(0, mostNames)
      .map(
        ({ reviewer, statement }) =>
          `Denied by ${cut(reviewer, longestName)}: “${cut(statement, longest)}”.`,
      ),
    ...(isKept(claim) ? ['It was said in an earlier run, and kept.'] : []),
    ...(silent.length === 0 ? [] : [`Read and not said by ${listNames(silent)}.`]),
    ...(absent.length === 0 ? [] : [`Never looked: ${listNames(absent)}.`]),
    ...(claim.confidence === null
      ? []
      : [`Confidence: ${likelihood(claim.confidence, claim.cases)}.`]),
    ...(claim.matters === null ? [] : [`Would matter: ${likelihood(claim.matters)}.`]),
  ].join(' ');
}

/** Of what nobody was asked about again. */
function isKept({ findings }: Claim): boolean {
  return findings.length > 0 && findings.every(({ from }) => from !== undefined);
}

function ruleOf(claim: Claim): string[] {
  const rule = statedRule(claim);
  return rule === null ? [] : [`Rule: ${rule.title}.`];
}

function fixOf({ findings }: Claim, longest: number): string[] {
  const found = findings.find(({ recommendation }) => (recommendation ?? '').trim() !== '');
  return found === undefined
    ? []
    : [`Fix (${cut(found.reviewer, longestName)}): ${cut(found.recommendation ?? '', longest)}`];
}

/** Null: a record of an older version does not say why. */
export function tellDismissal(dismissal: DismissedClaim | null, longest: number): string {
  if (dismissal === null) return 'Dismissed.';
  const { verdict, reason, until } = dismissal;
  return `Dismissed (${verdict}${until === null ? '' : ` until ${until}`}): ${cut(reason, longest)}`;
}

function listNames(names: readonly string[]): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).map(name => cut(name, longestName));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
