/**
 * The probability that a claim is true, computed from who said it and how; no model is ever asked. Pure: the same
 * findings, panel and record give the same figure, and the parts it is made of add up to it. With `silence` and `loudness`
 * below 0 and together no larger than `voices`, and `reliability` at most minus `loudness`, a supporter more never lowers it,
 * whoever it is: the sums behind the evidence can only grow by it (test/agreement/confidence/monotone.test.ts).
 */
import type { Recalibration } from '../../core/words/run.ts';
import {
  type Claim,
  type Estimate,
  type Logistic,
  clamp,
  countSupport,
  estimate,
  logOdds,
  logOddsOf,
  probabilityOf,
} from '../../core/words/claim.ts';
import type { ActRule } from '../../core/settings.ts';
import type { Finding } from '../../core/words/finding.ts';
import { isSeverityStated } from '../../core/words/stated.ts';
import { isReader } from '../../core/words/runner.ts';
import { type Review, idsOf } from '../../core/words/review.ts';
import type { ReviewerReliability } from '../memory/decision.ts';
import {
  asGoodAsNever,
  estimateMatter,
  type Evidence,
  findNothingWrong,
  isWordless,
  weighEvidence,
} from './matters.ts';
import { textLimit } from '../../core/text.ts';
import { by, groupsBy, sumOf } from '../../core/groups.ts';

/**
 * Names in the order of the weights of the model. With w the weight of a reviewer's voice, n what it says in all and r its
 * odds of being right over those of an average one, each sum over reviewers as `sumVoices` makes it, and over those supporters
 * that do not merely repeat another:
 * - `voices`: ln Σ w
 * - `silence`: ln Σ w over electors that do not merely repeat another, and never less than `voices`
 * - `reliability`: ln (Σ w r/n ÷ Σ w/n)
 * - `loudness`: ln (Σ w ÷ Σ w/n)
 * - `places`: 1 when the panel names a place of anything
 */
export const confidenceEvidence = [
  'voices',
  'silence',
  'reliability',
  'loudness',
  'places',
] as const;

export interface ConfidenceModel {
  readonly version: string;
  /** Share of findings that are true, and how many judged findings of a reviewer this expectation outweighs. */
  readonly prior: { readonly precision: number; readonly strength: number };
  /** Over `confidenceEvidence`: is it true? */
  readonly evidence: Logistic;
  /** Over `mattersEvidence`: does it matter, if it is true? */
  readonly matters: Logistic;
  /** Over the log-odds of truth, without what `places` is worth, and those of mattering: both? */
  readonly worth: Logistic;
  /** Judged claims of each kind that the numbers were fitted on; by `kindOf`. */
  readonly cases: Readonly<Record<string, number>>;
  /** From the lowest cut of worth up: what it selects is true and matters with `precision`, and `recall` of what does is selected. */
  readonly cuts: readonly {
    readonly cut: number;
    readonly precision: number;
    readonly recall: number;
  }[];
  /**
   * The cut that weighs both alike, `base + growth × ln(reviewers)`, and `graded` more where severities are stated: half of the
   * F1 that such a panel reaches by its best cut, which is the best cut of calibrated figures (Lipton, Elkan and
   * Narayanaswamy, 2014).
   */
  readonly best: {
    readonly base: number;
    readonly growth: number;
    readonly graded: number;
    /** What it selects with so many reviewers, from the fewest that were measured up. */
    readonly panels: readonly {
      readonly reviewers: number;
      readonly precision: number;
      readonly recall: number;
    }[];
  };
}

export interface PanelRecord extends Families {
  /** Every finding of the run, those of one reviewer in the order it gave them. Those of checks count for nothing. */
  readonly findings: readonly Finding[];
  /** They decide who is a check, and whose review is partial. */
  readonly reviews: readonly Review[];
  /** What people decided about earlier claims; empty: every reviewer is taken for an average one. */
  readonly reliability: readonly ReviewerReliability[];
  /** How the decisions of this project correct the figure; null and absent: they are too few. */
  readonly recalibration?: Recalibration | null;
}

/** That the claim is true; beside it, that it matters if so, and that it is both. */
interface Assessment extends Estimate {
  readonly matters: Estimate;
  /** 0 to 1; 0 where nothing is said to be wrong. A supporter more of the same panel never lowers it either. */
  readonly worth: number;
  /** Judged claims of its kind, or of this project, that the figure comes from. */
  readonly cases: number;
}

type AssessedClaim = Pick<Claim, 'findings' | 'supporters' | 'electors'> &
  Partial<Pick<Claim, 'against' | 'sureness'>>;

/** By what readers say of a claim, as the figures were measured on them; at least one must say it. */
export type Assessor = (claim: AssessedClaim) => Assessment;

export function createAssessor(model: ConfidenceModel, record: PanelRecord): Assessor {
  const panel = readPanel(model, record);
  const { isHeard } = panel;
  const { recalibration } = record;
  return told => {
    const supporters = told.supporters.filter(isHeard);
    const findings = told.findings.filter(({ reviewer }) => isHeard(reviewer));
    const claim = { ...told, findings, supporters };
    const truth = withDoubt(claim, part => estimateTruth(part, panel, model));
    const loudness = Math.log(Math.min(...supporters.map(panel.countOf)));
    const matters = estimateMatter(findings, loudness, model.matters);
    const ofPlaces = truth.contributions.find(part => part.evidence === 'places')?.worth ?? 0;
    const odds = [logOddsOf(truth.probability) - ofPlaces, logOddsOf(matters.probability)];
    return {
      ...(recalibration ? recalibrate(truth, recalibration) : truth),
      matters,
      worth: findNothingWrong(findings) === null ? probabilityOf(logOdds(model.worth, odds)) : 0,
      cases: Math.max(
        model.cases[kindOf(supporters.length, told.electors.length, panel.namesPlaces)] ?? 0,
        recalibration?.decisions ?? 0,
      ),
    };
  };
}

/** Claims that are alike in what a figure rests on: the number of voices, the size of the panel, and whether it names places. */
export function kindOf(voices: number, reviewers: number, namesPlaces: boolean) {
  return `${bandOf(voices)} of ${bandOf(reviewers)}, ${namesPlaces ? 'with' : 'without'} places`;
}

function bandOf(count: number) {
  if (count < 2) return '1';
  if (count < 4) return '2–3';
  return count < 7 ? '4–6' : '7 and more';
}

/**
 * Expected share of true findings, by the reviewer's own record over what is expected of any reviewer. What was fixed
 * without a word counts half.
 */
function precisionOf(
  { confirmed, rejected, fixed }: Pick<ReviewerReliability, 'confirmed' | 'rejected' | 'fixed'>,
  { prior }: ConfidenceModel,
) {
  const right = confirmed + fixed / 2;
  return (right + prior.precision * prior.strength) / (right + rejected + prior.strength);
}

/** What the voice of a partial review weighs. */
const partialWeight = 0.5;

type Panel = ReturnType<typeof readPanel>;

function readPanel(
  model: ConfidenceModel,
  { findings, reviews, reliability, families }: PanelRecord,
) {
  const checks = idsOf(reviews.filter(review => !isReader(review)));
  const partial = idsOf(reviews.filter(({ status }) => status === 'partial'));
  const isHeard = (reviewer: string) => !checks.has(reviewer);
  const read = findings.filter(({ reviewer }) => isHeard(reviewer));
  const counts = new Map<string, number>();
  for (const { reviewer } of read) counts.set(reviewer, (counts.get(reviewer) ?? 0) + 1);
  const average = logOddsOf(model.prior.precision);
  const precisions = new Map(reliability.map(each => [each.reviewer, precisionOf(each, model)]));
  return {
    /** False for checks. */
    isHeard,
    /** How many voices reviewers are, each counted by what it is worth. */
    voicesOf: (reviewers: readonly string[], worthOf: (reviewer: string) => number = () => 1) =>
      sumVoices(
        reviewers,
        reviewer => worthOf(reviewer) * (partial.has(reviewer) ? partialWeight : 1),
        { families },
      ),
    /** Findings of a reviewer. */
    countOf: (reviewer: string) => counts.get(reviewer) ?? 1,
    namesPlaces: read.some(({ location }) => location !== null),
    /** Odds of being right over those of an average reviewer. */
    trustOf: (reviewer: string) =>
      Math.exp(logOddsOf(precisions.get(reviewer) ?? model.prior.precision) - average),
  };
}

function gatherEvidence(
  claim: AssessedClaim,
  panel: Panel,
): Evidence<(typeof confidenceEvidence)[number]> {
  const { findings, supporters, electors } = claim;
  const { countOf, voicesOf } = panel;
  const own = ownWordings(supporters, findings);
  const copies = supporters.filter(reviewer => !own.includes(reviewer));
  const voices = voicesOf(own);
  const listeners = voicesOf(electors.filter(reviewer => !copies.includes(reviewer)));
  const sparing = voicesOf(own, reviewer => 1 / countOf(reviewer));
  const trusted = voicesOf(own, reviewer => panel.trustOf(reviewer) / countOf(reviewer));
  const [reliability, loudness] = [Math.log(trusted / sparing), Math.log(voices / sparing)];
  const things = Math.round(10 * Math.exp(loudness)) / 10;
  return {
    voices: [Math.log(voices), tellVoices(supporters.length, copies.length)],
    silence: [Math.log(Math.max(listeners, voices)), tellSilence(claim)],
    reliability: [
      reliability,
      `its reviewers were right ${reliability > 0 ? 'more' : 'less'} often than most`,
    ],
    loudness: [
      loudness,
      `its reviewers say ${things} things each, and the more one says, the less of it is true`,
    ],
    places: [
      Number(panel.namesPlaces),
      'this panel names places, and panels that do were right more often',
    ],
  };
}

function tellVoices(supporters: number, copies: number) {
  const said = supporters === 1 ? 'one reviewer says it' : `${supporters} reviewers say it`;
  return copies === 0 ? said : `${said}, ${copies} of them in the words of another`;
}

function tellSilence({ electors, supporters }: AssessedClaim) {
  const quiet = electors.length - countSupport({ electors, supporters });
  return quiet > 0
    ? `${quiet} of the ${electors.length} who could have said it ${quiet === 1 ? 'does' : 'do'} not`
    : `a panel of ${electors.length} agrees on some things by chance`;
}

/**
 * Log-odds of each voice that says the opposite. Set by hand, as no labelled data hold denials: what a second voice brings, so that
 * one for and one against leave a claim about where it was before anything was said.
 */
const denialWorth = -1.3;

function estimateTruth(claim: AssessedClaim, panel: Panel, { evidence }: ConfidenceModel) {
  const { against = [], findings } = claim;
  const denials = against.map(({ reviewer, statement }) => ({ reviewer, text: statement }));
  const deniers = [...new Set(denials.map(({ reviewer }) => reviewer))];
  return estimate(evidence.intercept, [
    ...weighEvidence(confidenceEvidence, evidence, gatherEvidence(claim, panel)),
    {
      evidence: 'against',
      words: `${deniers.join(' and ')} ${deniers.length === 1 ? 'says' : 'say'} the opposite`,
      worth: denialWorth * panel.voicesOf(ownWordings(deniers, denials)),
    },
    {
      evidence: 'wordless',
      words: 'it holds no word',
      worth: findings.every(isWordless) ? asGoodAsNever : 0,
    },
  ]);
}

/**
 * The figure of a claim holds where its findings are one thing. Where they are not, what is left is the likeliest of what its
 * reviewers say alone: so it lies between the two, and no merge takes it below that of a lone finding.
 */
function withDoubt(claim: AssessedClaim, estimateOf: (part: AssessedClaim) => Estimate) {
  const { findings, supporters, electors, sureness = 1 } = claim;
  const whole = estimateOf(claim);
  if (sureness === 1) return whole;
  const alone = supporters.map(
    supporter =>
      estimateOf({
        ...claim,
        findings: findings.filter(({ reviewer }) => reviewer === supporter),
        supporters: [supporter],
        electors: electors.filter(each => each === supporter || !supporters.includes(each)),
      }).probability,
  );
  const likeliest = Math.min(whole.probability, Math.max(...alone));
  const mixed = sureness * whole.probability + (1 - sureness) * likeliest;
  return estimate(whole.start, [
    ...whole.contributions,
    {
      evidence: 'sureness',
      words: `that its findings are one thing is only ${Math.round(100 * sureness)}% sure`,
      worth: logOddsOf(mixed) - logOddsOf(whole.probability),
    },
  ]);
}

function recalibrate(
  { probability, start, contributions }: Estimate,
  { intercept, slope, decisions }: Recalibration,
) {
  return estimate(start, [
    ...contributions,
    {
      evidence: 'recalibration',
      words: `${decisions} decisions of this project correct the figure`,
      worth: intercept + (slope - 1) * logOddsOf(probability),
    },
  ]);
}

// How many voices reviewers are: seats of one family make the same mistakes, and a reviewer that repeats another's words to the
// letter says nothing of its own. A reviewer more never makes the voices fewer.

interface Families {
  /** Vendor family by reviewer, where known. */
  families: ReadonlyMap<string, string>;
}

/**
 * Sum of what each reviewer is worth (0 or more). Within one family, the largest first, each counts half of what the one
 * before did: with at most `w` each, a family of any size stays below `2w`, and one more of any worth never lowers the sum.
 */
export function sumVoices(
  reviewers: readonly string[],
  worthOf: (reviewer: string) => number,
  { families }: Families,
) {
  const kin = new Map<string | undefined, number>();
  return sumOf(
    reviewers
      .map(reviewer => ({ family: families.get(reviewer), worth: worthOf(reviewer) }))
      .sort(by(({ worth }) => -worth)),
    ({ family, worth }) => {
      const before = family === undefined ? 0 : (kin.get(family) ?? 0);
      kin.set(family, before + 1);
      return worth / 2 ** before;
    },
  );
}

/**
 * Those of the reviewers that can each be given a wording of their own, in the order in which they are given; the rest only
 * repeat them. As many as there can be: a matching of reviewers and wordings, by augmenting paths (Kuhn 1955).
 */
export function ownWordings(
  reviewers: readonly string[],
  findings: readonly Pick<Finding, 'reviewer' | 'text'>[],
) {
  if (reviewers.length < 2) return reviewers;
  const wordings = new Map(
    groupsBy(findings, ({ reviewer }) => reviewer).map(own => [
      own[0].reviewer,
      own.map(({ text }) => wordsAlone(text)),
    ]),
  );
  const holders = new Map<string, string>();
  const give = (reviewer: string, tried: Set<string>) => {
    for (const wording of wordings.get(reviewer) ?? []) {
      if (tried.has(wording)) continue;
      tried.add(wording);
      const holder = holders.get(wording);
      if (holder !== undefined && !give(holder, tried)) continue;
      holders.set(wording, reviewer);
      return true;
    }
    return false;
  };
  return reviewers.filter(reviewer => !wordings.has(reviewer) || give(reviewer, new Set()));
}

/** The same for copies word for word: letters and digits alone, in lower case; a text without any stays as it is. */
function wordsAlone(text: string) {
  const read = text.slice(0, textLimit);
  const words = read
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words || read;
}

// From which worth on a claim is worth a person's time, by the figures that were measured with the numbers of the model.

/** What the cuts depend on: they were measured on what models say, so that checks do not count. */
interface Listeners {
  /** Readers that could have said something. */
  reviewers: number;
  /** Does one of them state a severity? */
  isGraded: boolean;
}

export function listenersIn(reviews: readonly Review[], findings: readonly Finding[]): Listeners {
  const heard = idsOf(reviews.filter(review => review.status !== 'failed' && isReader(review)));
  return {
    reviewers: heard.size,
    isGraded: findings.some(finding => heard.has(finding.reviewer) && isSeverityStated(finding)),
  };
}

/**
 * `best`: the cut that weighs misses and false alarms alike on such a panel; fewer or more reviewers than were ever measured are
 * taken for the nearest that were. `one-in-N`: the lowest one from which on at most one in N of what was selected was false or a
 * trifle; infinite, so that nothing reaches it, where no measured cut kept to that.
 */
export function cutOf(
  rule: ActRule,
  { cuts, best }: Pick<ConfidenceModel, 'cuts' | 'best'>,
  { reviewers, isGraded }: Listeners,
) {
  const [, falseIn] = /^one-in-(\d+)$/.exec(rule) ?? [];
  if (falseIn === undefined) {
    const sizes = best.panels.map(panel => panel.reviewers);
    const size = clamp(reviewers, Math.min(...sizes), Math.max(...sizes));
    return best.base + best.growth * Math.log(size) + (isGraded ? best.graded : 0);
  }
  const failing = cuts.findLastIndex(({ precision }) => precision < 1 - 1 / Number(falseIn));
  return cuts[failing + 1]?.cut ?? Infinity;
}
