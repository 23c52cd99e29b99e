/** The sentence an explanation begins with: how likely the claim is true and the main reason, or else who says it and why that is one. */
import type { Claim } from '../words/claim.ts';
import { type Estimate, probabilityOf } from './logistic.ts';
import { enumerate } from './run-wording.ts';
import { upperFirst } from './tell-pair.ts';

interface Told {
  readonly claim: Pick<Claim, 'supporters' | 'electorate'>;
  /** Findings that were put together, with what they have in common in sentences. */
  readonly joined: readonly {
    readonly score: number;
    readonly reason: string;
    readonly contributions: readonly { readonly words: string }[];
  }[];
  /** Who says the opposite. */
  readonly against: readonly { readonly reviewer: string }[];
  /** Claims that this one is a denial of. */
  readonly denies: readonly Pick<Claim, 'id' | 'supporters'>[];
  readonly confidence: Estimate | null;
}

export function openingOf(told: Told): string {
  const [denied] = told.denies;
  const denial =
    denied === undefined
      ? ''
      : `it denies what ${namesOf(denied.supporters)} ${denied.supporters.length === 1 ? 'says' : 'say'} (${denied.id})`;
  const verdict =
    told.confidence === null
      ? `${denial === '' ? '' : `${denial}; `}${whoSaysIt(told)}`
      : `${denial === '' ? '' : `${denial}, and is itself `}${howLikely(told.confidence)}`;
  const opponents = [...new Set(told.against.map(({ reviewer }) => reviewer))];
  const opposed =
    opponents.length === 0
      ? ''
      : `; ${namesOf(opponents)} ${opponents.length === 1 ? 'says' : 'say'} the opposite`;
  return `${upperFirst(verdict)}${opposed}.`;
}

/** The weightiest reason goes first, be it for the verdict or against it. */
function howLikely({ probability, start, contributions }: Estimate): string {
  const verdict = `${inWords(probability)} (${percent(probability)})`;
  const [first] = contributions;
  if (first === undefined) return verdict;
  const isTrue = probability >= 0.5;
  const supports = ({ worth }: { readonly worth: number }): boolean => worth > 0 === isTrue;
  if (supports(first))
    return `${verdict}, ${contributions.length > 1 ? 'above all ' : ''}because ${first.words}`;
  const other = contributions.find(supports);
  return other === undefined
    ? `${verdict}: ${first.words}, but before anything is known of it a claim stands at ${percent(probabilityOf(start))}`
    : `${verdict}: ${first.words}, but ${other.words}`;
}

/** From so likely on. */
const degrees = [
  [0.95, 'almost certainly true'],
  [0.6, 'probably true'],
  [0.4, 'as likely true as not'],
  [0.05, 'probably not true'],
] as const;

function inWords(probability: number): string {
  return degrees.find(([least]) => probability >= least)?.[1] ?? 'almost certainly not true';
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function whoSaysIt({ claim: { supporters, electorate }, joined }: Told): string {
  const surest = joined.reduce<Told['joined'][number] | null>(
    (best, next) => (best === null || next.score > best.score ? next : best),
    null,
  );
  if (surest === null) return `only ${namesOf(supporters)} says it, and nothing was put together`;
  const who =
    supporters.length === 1
      ? `${namesOf(supporters)} says one thing ${joined.length + 1} times`
      : `${supporters.length} of ${electorate} reviewers say the same thing`;
  return `${who}: ${surest.contributions[0]?.words ?? asClause(surest.reason)}`;
}

/** The first sentence, to go on with. */
function asClause(sentences: string): string {
  const [first = ''] = sentences.split(/\.(?: |$)/);
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

const mostNamed = 3;

function namesOf(reviewers: readonly string[]): string {
  return reviewers.length <= mostNamed
    ? enumerate(reviewers)
    : `${enumerate(reviewers.slice(0, 1))} and ${reviewers.length - 1} others`;
}
