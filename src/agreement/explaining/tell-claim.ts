/**
 * The sentence an explanation begins with: that the claim was dismissed, where it was; how likely it is true and the main
 * reason, or else who says it and why that is one.
 */
import type { DismissedClaim } from '../../core/words/known-claim.ts';
import { cutToWord, toOneLine } from '../../core/text.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Estimate } from '../../core/words/odds.ts';
import { enumerate } from '../wording/run-wording.ts';
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
  /** Where what was looked up and answered took the confidence afterwards; null where nothing did. */
  readonly moved: Moved | null;
  /** Null where nobody has dismissed it, or that holds no longer. */
  readonly dismissal: Dismissal | null;
}

export interface Dismissal extends Omit<DismissedClaim, 'id'> {
  /** ISO time; null where the decision itself is not kept. */
  readonly at: string | null;
  /** Was it decided after the run that holds the claim? */
  readonly isLater: boolean;
}

/** Probabilities. */
export interface Moved {
  readonly before: number;
  readonly after: number;
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
      : `${denial === '' ? '' : `${denial}, and is itself `}${howLikely(told.confidence, told.moved)}`;
  const rest = `${copiesAmong(told, verdict)}${oppositionTo(told, verdict)}.`;
  return told.dismissal === null
    ? `${upperFirst(verdict)}${rest}`
    : `${tellDismissal(told.dismissal)} Apart from that: ${verdict}${rest}`;
}

const longestReason = 240;

/** Who decided is not kept, beside that it was a person, or a rule about paths. */
function tellDismissal(dismissal: Dismissal): string {
  const { verdict, reason, scope, until, at, by, protectedBy, isLater } = dismissal;
  if (protectedBy !== undefined)
    return `Set aside by its path, which is protected (${toOneLine(protectedBy)}).`;
  const as = verdict === 'tolerated' ? 'tolerated' : 'false';
  const what = scope === 'claim' ? 'it' : `its whole ${scope} (given for ${by})`;
  const day = at === null ? '' : ` on ${at.slice(0, 10)}`;
  const end = until === null ? '' : `, until ${until}`;
  const why = cutToWord(toOneLine(reason).replace(/[.\s]+$/, ''), longestReason);
  const who = isLater ? 'After this run a person dismissed' : 'A person dismissed';
  return `${who} ${what} as ${as}${day}${end}${why === '' ? '' : `: ${why}`}.`;
}

/** Who only repeats another counts in no verdict. Where that was moved by others, its reviewers are not named. */
function copiesAmong({ confidence, moved }: Told, said: string): string {
  if (moved !== null) return '';
  const copies = confidence?.contributions.find(({ evidence }) => evidence === 'copies');
  return copies === undefined || said.includes(copies.words) ? '' : `; ${copies.words}`;
}

/** Whoever says both is no opponent by whom a reader would know more. */
function oppositionTo({ against, claim, confidence }: Told, said: string): string {
  const counted = confidence?.contributions.find(({ evidence }) => evidence === 'against');
  const opponents = [...new Set(against.map(({ reviewer }) => reviewer))].filter(
    reviewer => !claim.supporters.includes(reviewer),
  );
  return opponents.length === 0 || (counted !== undefined && said.includes(counted.words))
    ? ''
    : `; ${namesOf(opponents)} ${opponents.length === 1 ? 'says' : 'say'} the opposite`;
}

function howLikely(estimate: Estimate, moved: Moved | null): string {
  if (moved === null) return `${likelihoodOf(estimate.probability)}${reasonOf(estimate)}`;
  const way = moved.after > moved.before ? 'up' : 'down';
  return `${likelihoodOf(moved.after)}, ${way} from ${percent(moved.before)} by what was looked up and asked about it`;
}

function likelihoodOf(probability: number): string {
  return `${inWords(probability)} (${percent(probability)})`;
}

type Parts = Estimate['contributions'];

/** What tells one claim from another, and what holds for every claim of its panel, which is a reason only where no other is. */
export function partsOf({ contributions }: Estimate): {
  readonly ofClaim: Parts;
  readonly ofPanel: Parts;
} {
  const isOfPanel = ({ evidence }: Parts[number]): boolean => evidence === 'places';
  return {
    ofClaim: contributions.filter(part => !isOfPanel(part)),
    ofPanel: contributions.filter(isOfPanel),
  };
}

/** The main reason of a figure, to be put behind it. The weightiest part goes first, be it for the figure or against it. */
export function reasonOf(estimate: Estimate): string {
  const { ofClaim, ofPanel } = partsOf(estimate);
  const [first] = ofClaim;
  if (first === undefined) return '';
  const isLikely = estimate.probability >= 0.5;
  const supports = ({ worth }: { readonly worth: number }): boolean => worth > 0 === isLikely;
  if (supports(first)) return `, ${ofClaim.length > 1 ? 'above all ' : ''}because ${first.words}`;
  const other = ofClaim.find(supports) ?? ofPanel.find(supports);
  const stop = first.words.includes(',') ? ';' : ',';
  return `: ${first.words}${stop} but ${other?.words ?? 'that alone does not settle it'}`;
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

export function percent(share: number): string {
  if (share < 0.005) return 'less than 1%';
  return share > 0.995 ? 'more than 99%' : `${Math.round(100 * share)}%`;
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
