/**
 * What is known of each reviewer beside its words: how many of its claims people confirmed or dismissed, and which
 * vendor's family it belongs to.
 */
import type { Seat } from '../../core/words/config.ts';
import {
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
} from '../../core/words/known-claim.ts';

export interface ReviewerReliability {
  readonly reviewer: string;
  /** Vendor family; null when nobody knows. */
  readonly family: string | null;
  /** Claims it supported that a person accepted, or tolerates: both are real. */
  readonly confirmed: number;
  /** Claims it supported that a person dismissed as false. */
  readonly rejected: number;
  /** Claims it supported that nobody decided about, and that a later run found to be fixed. */
  readonly fixed: number;
  /** Answers about claims of others that a person's decision bore out; absent where none was decided. */
  readonly right?: number;
  /** Those that it contradicted. */
  readonly wrong?: number;
}

/**
 * By name; only reviewers with a claim that somebody judged or fixed. A dismissal of a wider scope counts for the one
 * claim it was given for.
 */
export function reliabilityOf(memory: ProjectMemory): ReviewerReliability[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (reviewer: string, family: string | null): Tally => {
    const tally = tallies.get(reviewer) ?? { family: null, confirmed: 0, rejected: 0, fixed: 0 };
    tallies.set(reviewer, tally);
    tally.family = family ?? tally.family;
    return tally;
  };
  for (const { claim, kind } of settledClaims(memory)) {
    for (const { reviewer, family } of claim.supporters) tallyOf(reviewer, family)[kind] += 1;
    // That nobody repeats it says less than what a person decided.
    if (kind === 'fixed') continue;
    for (const { reviewer, family, isFor } of claim.answers ?? []) {
      const tally = tallyOf(reviewer, family);
      const borne = isFor === (kind === 'confirmed') ? 'right' : 'wrong';
      tally[borne] = (tally[borne] ?? 0) + 1;
    }
  }
  return [...tallies]
    .map(([reviewer, tally]) => ({ reviewer, ...tally }))
    .sort((one, other) => (one.reviewer < other.reviewer ? -1 : 1));
}

type Tally = {
  -readonly [Key in keyof Omit<ReviewerReliability, 'reviewer'>]: ReviewerReliability[Key];
};

interface SettledClaim {
  readonly claim: KnownClaim;
  readonly kind: 'confirmed' | 'rejected' | 'fixed';
}

/** Each known claim that somebody decided about, by the latest decision, or that was fixed without a word. */
function settledClaims({ claims, dispositions }: ProjectMemory): SettledClaim[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap((claim): SettledClaim[] => {
    const decision = latest.get(claim.id);
    if (decision !== undefined)
      return [{ claim, kind: decision.verdict === 'rejected' ? 'rejected' : 'confirmed' }];
    return lastState(claim) === 'fixed' ? [{ claim, kind: 'fixed' }] : [];
  });
}

// The vendor family a reviewer belongs to: two seats of one family make the same mistakes.

/** By a word of the model's name. */
const models: readonly (readonly [word: RegExp, family: string])[] = [
  [/claude|anthropic|\b(sonnet|opus|haiku)\b/, 'anthropic'],
  [/gpt|codex|openai|\bo[1-9]\b/, 'openai'],
  [/gemini|gemma|google/, 'google'],
  [/qwen/, 'qwen'],
  [/llama/, 'meta'],
  [/mistral|codestral|devstral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/grok/, 'xai'],
  [/kimi/, 'moonshot'],
  [/glm/, 'zhipu'],
];

const runners: ReadonlyMap<string, string> = new Map([
  ['claude', 'anthropic'],
  ['codex', 'openai'],
  ['gemini', 'google'],
]);

/**
 * As configured, else by the model's name, else by the runner; null when none of them tells. Static analysers have none: each
 * errs in its own way.
 */
export function familyOf({
  family,
  model,
  runner,
}: Pick<Seat, 'family' | 'model' | 'runner'>): string | null {
  // What serves a model says nothing about who made it.
  const name = (model ?? '').toLowerCase().replace(/^openai-compatible\//, '');
  return family ?? models.find(([word]) => word.test(name))?.[1] ?? runners.get(runner) ?? null;
}

/** By the name alone, as findings from elsewhere give it. `arm#1` and `arm#2` are one arm asked twice, whoever made it. */
export function familyNamed(reviewer: string): string | null {
  const name = reviewer.toLowerCase();
  const [, arm = null] = /^(.+)#\d+$/.exec(name) ?? [];
  return models.find(([word]) => word.test(name))?.[1] ?? arm;
}
