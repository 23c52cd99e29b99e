/**
 * The probability that a claim is true, computed from who said it and how; no model is ever asked. Pure: the same
 * findings, panel and record give the same figure, and the parts it is made of add up to it. With `silence` and `loudness`
 * below 0 and together no larger than `voices`, and `reliability` at most minus `loudness`, a supporter more never lowers it,
 * whoever it is: the sums behind the evidence can only grow by it (test/agreement/confidence/monotone.test.ts).
 */
import type { Recalibration } from '../../core/words/known-claim.ts';
import type { ReviewerReliability } from '../memory/reliability.ts';
import { type Claim, countSupport } from '../../core/words/claim.ts';
import type { Finding } from '../../core/words/finding.ts';
import {
  type Estimate,
  estimate,
  logOddsOf,
  probabilityOf,
  type Logistic,
} from '../../core/words/odds.ts';
import { asGoodAsNever, estimateMatter, isPraise, isWordless } from './matters.ts';
import { isSaidTwice, ownWordings, sumVoices, weightOf, type Weighing } from './voices.ts';

/**
 * Names in the order of the weights of the model. With w the weight of a reviewer's voice, n what it says in all and r its
 * odds of being right over those of an average one, each sum over reviewers as `sumVoices` makes it:
 * - `voices`: ln Σ w over supporters; what those who only repeat another add to it is taken off again as `copies`
 * - `silence`: ln Σ w over electors who do not merely repeat another, and never less than `voices`
 * - `reliability`: ln (Σ w r/n ÷ Σ w/n) over supporters
 * - `loudness`: ln (Σ w ÷ Σ w/n) over supporters
 * - `place`: the least of place ÷ n among its findings, the place counted from 1 in what its reviewer says
 * - `repetition`: 1 when a supporter says it twice in different words
 * - `places`: 1 when somebody on the panel names a place of anything
 */
export const confidenceEvidence = [
  'voices',
  'silence',
  'reliability',
  'loudness',
  'place',
  'repetition',
  'places',
] as const;
type Evidence = (typeof confidenceEvidence)[number];

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
  /** From the lowest cut of worth up: what it selects is true and matters with `precision`, and `recall` of what does is selected. */
  readonly cuts: readonly {
    readonly cut: number;
    readonly precision: number;
    readonly recall: number;
  }[];
  /**
   * The cut that weighs both alike, `base + growth × ln(reviewers)`: half of the F1 that a panel of so many reaches by its best
   * cut, which is the best cut of calibrated figures (Lipton, Elkan and Narayanaswamy, 2014).
   */
  readonly best: {
    readonly base: number;
    readonly growth: number;
    /** What it selects with so many reviewers, from the fewest that were measured up. */
    readonly panels: readonly {
      readonly reviewers: number;
      readonly precision: number;
      readonly recall: number;
    }[];
  };
}

export interface PanelRecord extends Weighing {
  /** Every finding of the run, those of one reviewer in the order it gave them. */
  readonly findings: readonly Finding[];
  /** What people decided about earlier claims; empty: every reviewer is taken for an average one. */
  readonly reliability: readonly ReviewerReliability[];
  /** How the decisions of this project correct the figure; null and absent: they are too few. */
  readonly recalibration?: Recalibration | null;
}

/** That the claim is true; beside it, that it matters if so, and that it is both. */
export interface Assessment extends Estimate {
  readonly matters: Estimate;
  /** 0 to 1; 0 where nobody complains of anything. A supporter more of the same panel never lowers it either. */
  readonly worth: number;
}

export type Assessor = (
  claim: Pick<Claim, 'findings' | 'supporters' | 'electors'> & Partial<Pick<Claim, 'against'>>,
) => Assessment;

/**
 * Log-odds of each reviewer's voice that says the opposite. Set by hand, as no labelled data hold denials: what a second
 * voice brings, so that one for and one against leave a claim about where it was before anybody spoke.
 */
const denialWorth = -1.3;

export function createAssessor(model: ConfidenceModel, record: PanelRecord): Assessor {
  const panel = readPanel(model, record);
  return claim => {
    const facts = gatherFacts(claim, panel, record);
    const truth = estimateTruth(facts, model);
    const bare = logOddsOf(truth.probability) - worthOf(truth, 'places');
    const matters = estimateMatter(claim.findings, facts.values.loudness, model.matters);
    const [ofTruth = 0, ofMatter = 0] = model.worth.weights;
    return {
      ...recalibrate(truth, record.recalibration ?? null),
      matters,
      worth:
        isPraise(claim.findings) || claim.findings.every(isWordless)
          ? 0
          : probabilityOf(
              model.worth.intercept + ofTruth * bare + ofMatter * logOddsOf(matters.probability),
            ),
    };
  };
}

/**
 * Expected share of true findings, by the reviewer's own record over what is expected of any reviewer. What was fixed
 * without a word counts half.
 */
export function precisionOf(
  {
    confirmed,
    rejected,
    fixed = 0,
  }: Pick<ReviewerReliability, 'confirmed' | 'rejected'> & { readonly fixed?: number },
  { prior }: Pick<ConfidenceModel, 'prior'>,
): number {
  const right = confirmed + fixed / 2;
  return (right + prior.precision * prior.strength) / (right + rejected + prior.strength);
}

interface Panel {
  /** Findings of each reviewer. */
  readonly counts: ReadonlyMap<string, number>;
  /** Position of a finding in what its reviewer said, from 1. */
  readonly places: ReadonlyMap<Finding, number>;
  readonly namesPlaces: boolean;
  /** Odds of being right over those of an average reviewer. */
  readonly trust: ReadonlyMap<string, number>;
}

function readPanel(model: ConfidenceModel, { findings, reliability }: PanelRecord): Panel {
  const counts = new Map<string, number>();
  const places = new Map<Finding, number>();
  for (const finding of findings) {
    const place = (counts.get(finding.reviewer) ?? 0) + 1;
    counts.set(finding.reviewer, place);
    places.set(finding, place);
  }
  const average = logOddsOf(model.prior.precision);
  return {
    counts,
    places,
    namesPlaces: findings.some(({ location }) => location !== null),
    trust: new Map(
      reliability.map(entry => [
        entry.reviewer,
        Math.exp(logOddsOf(precisionOf(entry, model)) - average),
      ]),
    ),
  };
}

interface Facts {
  readonly claim: Parameters<Assessor>[0];
  readonly voices: number;
  /** Reviewers that only repeat another's words, and what is left of the voices without theirs, above 0 and at most 1. */
  readonly copies: number;
  readonly ownShare: number;
  readonly deniers: readonly string[];
  readonly denials: number;
  readonly values: Readonly<Record<Evidence, number>>;
}

function gatherFacts(claim: Facts['claim'], panel: Panel, record: PanelRecord): Facts {
  const { findings, supporters, electors, against = [] } = claim;
  const heard = ownWordings(supporters, findings);
  const own = new Set(heard);
  const copies = new Set(supporters.filter(reviewer => !own.has(reviewer)));
  const weigh = (reviewer: string): number => weightOf(reviewer, record);
  const countOf = (reviewer: string): number => panel.counts.get(reviewer) ?? 1;
  const sum = (reviewers: readonly string[], worth: (reviewer: string) => number): number =>
    sumVoices(reviewers, worth, record);
  const voices = sum(heard, weigh);
  const all = sum(supporters, weigh);
  const listeners = sum(
    electors.filter(reviewer => !copies.has(reviewer)),
    weigh,
  );
  const sparing = sum(heard, reviewer => weigh(reviewer) / countOf(reviewer));
  const trusted = sum(
    heard,
    reviewer => (weigh(reviewer) * (panel.trust.get(reviewer) ?? 1)) / countOf(reviewer),
  );
  const deniers = [...new Set(against.map(({ reviewer }) => reviewer))];
  const opposed = ownWordings(
    deniers,
    against.map(({ reviewer, statement }) => ({ reviewer, text: statement })),
  );
  return {
    claim,
    voices: all,
    copies: copies.size,
    ownShare: voices / all,
    deniers,
    denials: sum(opposed, weigh),
    values: {
      voices: Math.log(all),
      silence: Math.log(Math.max(listeners, voices)),
      reliability: Math.log(trusted / sparing),
      loudness: Math.log(voices / sparing),
      place: placeOf(findings, panel),
      repetition: Number(isSaidTwice(findings)),
      places: Number(panel.namesPlaces),
    },
  };
}

/** How far up in what a reviewer says, from near 0 to 1. */
function placeOf(findings: readonly Finding[], { places, counts }: Panel): number {
  return findings.reduce(
    (least, finding) =>
      Math.min(least, (places.get(finding) ?? 1) / (counts.get(finding.reviewer) ?? 1)),
    1,
  );
}

/** Values that tell nothing, where that is not 0: what comes in the middle of a list, and what is a list by itself. */
function usualOf({ loudness }: Facts['values']): Partial<Record<Evidence, number>> {
  return { place: loudness === 0 ? 1 : 0.5 };
}

function estimateTruth(facts: Facts, { evidence }: ConfidenceModel): Estimate {
  const usual = usualOf(facts.values);
  const fitted = confidenceEvidence.map((name, index) => ({
    evidence: name,
    words: descriptions[name](facts),
    worth: (evidence.weights[index] ?? 0) * (facts.values[name] - (usual[name] ?? 0)),
  }));
  const ofVoice = evidence.weights[confidenceEvidence.indexOf('voices')] ?? 0;
  const start = confidenceEvidence.reduce(
    (sum, name, index) => sum + (evidence.weights[index] ?? 0) * (usual[name] ?? 0),
    evidence.intercept,
  );
  return estimate(start, [
    ...fitted,
    { evidence: 'copies', words: describeCopies(facts), worth: ofVoice * Math.log(facts.ownShare) },
    { evidence: 'against', words: describeDenial(facts), worth: denialWorth * facts.denials },
    {
      evidence: 'wordless',
      words: 'it holds no word',
      worth: facts.claim.findings.every(isWordless) ? asGoodAsNever : 0,
    },
  ]);
}

function worthOf({ contributions }: Estimate, name: Evidence): number {
  return contributions.find(({ evidence }) => evidence === name)?.worth ?? 0;
}

function recalibrate(truth: Estimate, recalibration: Recalibration | null): Estimate {
  if (recalibration === null) return truth;
  const { intercept, slope, decisions } = recalibration;
  const odds = logOddsOf(truth.probability);
  return estimate(truth.start, [
    ...truth.contributions,
    {
      evidence: 'recalibration',
      words: `${decisions} decisions of this project correct the figure`,
      worth: intercept + (slope - 1) * odds,
    },
  ]);
}

const descriptions: Readonly<Record<Evidence, (facts: Facts) => string>> = {
  voices({ voices, claim: { supporters } }) {
    const { length } = supporters;
    const [said, counts] =
      length === 1 ? ['one reviewer says it', 'counts'] : [`${length} reviewers say it`, 'count'];
    return voices === length ? said : `${said} and ${counts} as ${round(voices)}`;
  },
  silence({ claim: { electors, supporters } }) {
    const quiet = electors.length - countSupport({ electors, supporters });
    return quiet <= 0
      ? `a panel of ${electors.length} agrees on some things by chance`
      : `${quiet} of the ${electors.length} who could have said it ${quiet === 1 ? 'does' : 'do'} not`;
  },
  reliability({ values, claim: { supporters } }) {
    const who = supporters.length === 1 ? 'its reviewer was' : 'its reviewers were';
    return `${who} right ${values.reliability > 0 ? 'more' : 'less'} often than most`;
  },
  loudness({ values, claim: { supporters } }) {
    const things = `${round(Math.exp(values.loudness))} things`;
    const who =
      supporters.length === 1 ? `its reviewer says ${things}` : `its reviewers say ${things} each`;
    return `${who}, and the more one says, the less of it is true`;
  },
  place({ values, claim: { supporters } }) {
    if (values.place <= 0.34) return 'it is among the first things a reviewer says';
    const whose = supporters.length === 1 ? 'its reviewer lists' : 'its reviewers list';
    return `it comes ${values.place <= 0.67 ? 'in the middle' : 'near the end'} of what ${whose}`;
  },
  repetition: () => 'a reviewer says it twice, in other words',
  places: () => 'this panel names places, and panels that do were right more often',
};

function describeCopies({ copies }: Facts): string {
  return copies === 1
    ? 'one of them repeats the words of another'
    : `${copies} of them repeat the words of others`;
}

function describeDenial({ deniers, denials }: Facts): string {
  const [first = ''] = deniers;
  if (deniers.length === 1) return `${first} says the opposite`;
  const counted = denials === deniers.length ? '' : ` and count as ${round(denials)}`;
  return `${deniers.length} reviewers say the opposite${counted}`;
}

function round(value: number): string {
  return String(Math.round(10 * value) / 10);
}
