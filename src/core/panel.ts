/**
 * Who sits on the panel (the configured reviewers, the ones named on the command line, or the embedded default), and
 * whether its next stage is asked.
 */
import { z } from 'zod';
import { didYouMean, usageError } from './errors.ts';
import { nearest } from './schema-problem.ts';
import { type Config, ReviewerConfig } from './words/config.ts';
import { analyserNames, isReader, kindOf, runnerNames, voicesOf } from './words/runner.ts';
import type { Review } from './words/review.ts';
import type { OutcomeRules, Policy } from './verdict/rule-set.ts';
import { isAtLeast } from './words/finding.ts';
import { Flag, Text, Texts } from './words/fields.ts';
import { countOf } from './text.ts';

/** The reviewers that need no key, no model and no network; `jury review` asks them when nobody configured others. */
export const builtinPanel: readonly ReviewerConfig[] = analyserNames.map(analyser =>
  ReviewerConfig.parse({
    id: analyser,
    runner: 'builtin',
    analyser,
    persona:
      analyser === 'secrets' || analyser === 'patterns'
        ? 'security-reviewer'
        : 'code-quality-reviewer',
  }),
);

/** Reviewers anybody may name without configuring them: the built-in analysers and the coding-agent clients. */
const nameableReviewers: readonly ReviewerConfig[] = [
  ...builtinPanel,
  ...runnerNames
    .filter(name => kindOf(name) === 'client')
    .map(client => ReviewerConfig.parse({ id: client, runner: client })),
];

/**
 * The panel in display order. `named` comes from `--reviewers` or from the mode's list and may name configured
 * reviewers (letter case does not matter), built-in analysers and clients; `required` must be among them.
 */
export function choosePanel(
  config: Config,
  named: readonly string[] | null,
  required: readonly string[],
): ReviewerConfig[] {
  const configured = config.reviewers ?? [];
  const known = [
    ...configured,
    ...nameableReviewers.filter(
      reviewer => !configured.some(({ id }) => isSameName(id, reviewer.id)),
    ),
  ];
  const panel =
    named === null
      ? (config.reviewers ?? builtinPanel)
      : withoutTwins(unique(named).flatMap(name => findReviewers(name, known)));
  const forced = new Set(required.map(name => findReviewer(name, panel).id));
  return panel.map(reviewer => ({
    ...reviewer,
    required: reviewer.required || forced.has(reviewer.id),
  }));
}

const usualPersona = ReviewerConfig.shape.persona.parse(undefined);

/** Whoever kept the persona of a code review gets one of these, in turn. */
export function handOutPersonas(personas: readonly string[], panel: readonly ReviewerConfig[]) {
  let next = 0;
  return panel.map(reviewer =>
    reviewer.persona !== usualPersona || personas.length === 0
      ? reviewer
      : { ...reviewer, persona: personas[next++ % personas.length] ?? reviewer.persona },
  );
}

/** More than half of the readers that are seated. */
export function defaultQuorum(seated: number) {
  return Math.floor(seated / 2) + 1;
}

/** A program that answers in SARIF was no reader, so that more than half of them may be fewer than it was. */
export function quorumAmong(
  { quorum, isUsual = false }: Pick<Policy, 'quorum' | 'isUsual'>,
  reviews: readonly Pick<Review, 'runner' | 'role'>[],
) {
  return isUsual ? Math.min(quorum, defaultQuorum(voicesOf(reviews).length)) : quorum;
}

/** The short names of the personas that ship with Jury. */
const roles = [
  'security',
  'vulnerability',
  'code-quality',
  'documentation',
  'user-persona',
  'go',
] as const;

/** A reviewer by its name, else all that have the persona of this short name; analysers only where nobody is configured for it. */
function findReviewers(name: string, known: readonly ReviewerConfig[]) {
  const role = roles.find(word => isSameName(word, name) || isSameName(`${word}-reviewer`, name));
  if (role === undefined || known.some(({ id }) => isSameName(id, name)))
    return [findReviewer(name, known)];
  const cast = known.filter(({ persona }) => persona === `${role}-reviewer`);
  const configured = cast.filter(reviewer => !nameableReviewers.includes(reviewer));
  const chosen =
    configured.length > 0 ? configured : cast.filter(({ runner }) => kindOf(runner) === 'check');
  if (chosen.length > 0) return chosen;
  throw usageError(
    `Nobody is configured for "${name}"; known are ${known.map(({ id }) => id).join(', ')}, and by persona ${roles.join(', ')}.`,
    `Give a reviewer the persona ${role}-reviewer.`,
  );
}

function withoutTwins(panel: readonly ReviewerConfig[]) {
  return panel.filter(
    (reviewer, index) => panel.findIndex(({ id }) => id === reviewer.id) === index,
  );
}

function findReviewer(name: string, known: readonly ReviewerConfig[]) {
  const found = known.find(({ id }) => isSameName(id, name));
  if (found) return found;
  const ids = known.map(({ id }) => id);
  throw usageError(
    `Unknown reviewer "${name}"; known are ${ids.join(', ')}, and by persona ${roles.join(', ')}.`,
    didYouMean(nearest(name, ids)),
  );
}

function isSameName(one: string, other: string) {
  return one.toLowerCase() === other.toLowerCase();
}

function unique(names: readonly string[]) {
  return names.filter((name, index) => names.findIndex(other => isSameName(other, name)) === index);
}

// Reviewers asked one group after the other: a later stage is asked only when those before it give a reason to.

/** What became of a stage. */
export const StageRecord = z.object({
  reviewers: Texts,
  asked: Flag,
  /** Why it was asked, or was not. */
  why: Text,
});
export type StageRecord = z.infer<typeof StageRecord>;

interface StagePolicy {
  /** Readers that the gate wants heard. */
  readonly quorum: number;
  /** Ask every stage, whatever is found. */
  readonly all: boolean;
}

/** `warranted: false` only where the earlier stages were complete and found nothing of weight. */
export function judgeNextStage(reviews: readonly Review[], { quorum, all }: StagePolicy) {
  if (all) return { warranted: true, why: 'every stage was asked for' };
  const incomplete = reviews.find(({ status }) => status !== 'complete');
  if (incomplete !== undefined)
    return { warranted: true, why: `${incomplete.reviewer} did not complete` };
  if (voicesOf(reviews).length < quorum) return { warranted: true, why: `the quorum is ${quorum}` };
  const grave = reviews
    .flatMap(({ findings }) => findings)
    .find(({ isImprovement, severity }) => !isImprovement && isAtLeast(severity, 'high'));
  if (grave !== undefined) return { warranted: true, why: `${grave.id} is ${grave.severity}` };
  return {
    warranted: false,
    why: 'the earlier stages are complete and found nothing of P1 or worse',
  };
}

// What no answers of a panel could meet: known before anybody is asked, and paid, for a run that can come to nothing.

interface Demanded {
  /** Readers that somebody wants heard; null: nobody said. */
  readonly quorum: number | null;
  /** As they were written; null: nobody set any. */
  readonly failOn: readonly string[] | null;
  readonly rules: OutcomeRules;
}

type Kind = Parameters<typeof isReader>[0];

/** Throws `UserError` (kind `usage`). */
export function refuseUnmeetable({ quorum, failOn, rules }: Demanded, seats: readonly Kind[]) {
  const panel = voicesOf(seats);
  const { completion, claims } = rules.parameters;
  if (quorum !== null && completion === 'quorum' && quorum > panel.length)
    throw usageError(
      `The quorum is ${quorum} and the panel has ${countOf(panel.length, 'reviewer')}, so that it can never be met.`,
      'Lower it, with --quorum for this call, or seat more reviewers.',
    );
  if (failOn === null || claims !== 'always') return;
  const rulesThatFail = failOn.filter(rule => rule !== 'never');
  if (rulesThatFail.length === 0 || rulesThatFail.some(rule => whyVoid(rule, seats) === null))
    return;
  const [first = ''] = rulesThatFail;
  throw usageError(
    `The fail rules ${rulesThatFail.join(', ')} can never be met: ${whyVoid(first, seats) ?? ''}, ` +
      `and the panel has ${countOf(panel.length, 'reviewer')}.`,
    'Use single: and a severity, seat more reviewers, or say never where nothing is to fail the run.',
  );
}

/** What a rule takes that the panel has not; null where it could be met. */
function whyVoid(rule: string, seats: readonly Kind[]) {
  const { length } = voicesOf(seats);
  const [tier] = rule.split(':');
  // A reader that sits alone is the majority, and agrees with nobody.
  if (tier === 'majority' && seats.filter(isReader).length === 1) return null;
  if (tier === 'all' || tier === 'majority')
    return length < 2 ? `${rule} takes two reviewers` : null;
  if (tier === 'check' || tier === 'analyser')
    return seats.every(isReader) ? `${rule} takes a check` : null;
  return null;
}
