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
  return `${upperFirst(verdict)}${copiesAmong(told, verdict)}${oppositionTo(told, verdict)}.`;
}

/** Who only repeats another counts in no verdict: where voices are its reason, that is said with it. */
function copiesAmong({ confidence }: Told, said: string): string {
  const copies = confidence?.contributions.find(({ evidence }) => evidence === 'copies');
  return copies === undefined || said.includes(copies.words) ? '' : `; ${copies.words}`;
}

/** Whoever says both is no opponent by whom a reader would know more. */
function oppositionTo({ against, claim }: Told, said: string): string {
  const opponents = [...new Set(against.map(({ reviewer }) => reviewer))].filter(
    reviewer => !claim.supporters.includes(reviewer),
  );
  return opponents.length === 0 || said.endsWith('the opposite')
    ? ''
    : `; ${namesOf(opponents)} ${opponents.length === 1 ? 'says' : 'say'} the opposite`;
}

function howLikely(estimate: Estimate): string {
  return `${inWords(estimate.probability)} (${percent(estimate.probability)})${reasonOf(estimate)}`;
}

/** What holds for every claim of a panel is where they all begin, and no reason for one of them. */
export function aboutTheClaim({ probability, start, contributions }: Estimate): Estimate {
  const ofPanel = contributions.filter(({ evidence }) => evidence === 'places');
  return {
    probability,
    start: ofPanel.reduce((sum, { worth }) => sum + worth, start),
    contributions: contributions.filter(part => !ofPanel.includes(part)),
  };
}

/** The main reason of a figure, to be put behind it. The weightiest part goes first, be it for the figure or against it. */
export function reasonOf(estimate: Estimate): string {
  const { probability, start, contributions } = aboutTheClaim(estimate);
  const [first] = contributions;
  if (first === undefined) return '';
  const isLikely = probability >= 0.5;
  const supports = ({ worth }: { readonly worth: number }): boolean => worth > 0 === isLikely;
  if (supports(first))
    return `, ${contributions.length > 1 ? 'above all ' : ''}because ${first.words}`;
  const other = contributions.find(supports);
  return other === undefined
    ? `: ${first.words}, but a claim of this panel begins at ${percent(probabilityOf(start))}`
    : `: ${first.words}, but ${other.words}`;
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
      ? `only ${namesOf(supporters)} says it, ${joined.length + 1} times`
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
