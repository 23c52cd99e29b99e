/**
 * The probability that a claim is real, computed from who said it and how; no model is ever asked. Pure: the same
 * findings, panel and record give the same figure, and the parts it is made of add up to it.
 */
import type { Claim } from '../words/claim.ts';
import type { Finding } from '../words/finding.ts';
import type { ReviewerReliability } from '../memory/reliability.ts';
import type { Severity } from '../words/severity.ts';
import { logOddsOf, probabilityOf, type Logistic } from './logistic.ts';

/** Names in the order of the weights of the model. */
export const confidenceEvidence = [
  'voices',
  'silence',
  'reliability',
  'loudness',
  'place',
] as const;

export interface ConfidenceModel {
  readonly version: string;
  /** Share of findings that are real, and how many judged findings of a reviewer this expectation outweighs. */
  readonly prior: { readonly precision: number; readonly strength: number };
  /** Over `confidenceEvidence`. */
  readonly evidence: Logistic;
}

export interface PanelRecord {
  /** Every finding of the run, those of one reviewer in the order it gave them. */
  readonly findings: readonly Finding[];
  /** Reviewers with a partial review: their voices count half. */
  readonly partial: ReadonlySet<string>;
  /** What people decided about earlier claims; empty: every reviewer is taken for an average one. */
  readonly reliability: readonly ReviewerReliability[];
  /** Vendor family by reviewer, where known. Within one family each further voice counts half of the one before. */
  readonly families: ReadonlyMap<string, string>;
}

export interface Assessment {
  /** 0 to 1. */
  readonly probability: number;
  /** Log-odds before anything is known. */
  readonly start: number;
  /** With `start` they add up to the log-odds of the probability. Largest first. */
  readonly contributions: readonly {
    readonly evidence: string;
    readonly words: string;
    readonly worth: number;
  }[];
}

export type Assessor = (
  claim: Pick<Claim, 'findings' | 'supporters' | 'electors' | 'severity'>,
) => Assessment;

/** Log-odds, set by hand: the data of the fit state neither severities nor categories. */
const severityWorth: Readonly<Record<Severity, number>> = {
  critical: 0.3,
  high: 0.15,
  medium: 0,
  low: -0.3,
};
const minorWorth = -0.5;
const minorCategory =
  /style|format|naming|typo|spelling|documentation|comment|readab|convention|nit|cosmetic/i;

export function createAssessor(model: ConfidenceModel, record: PanelRecord): Assessor {
  const told = tellersOf(record.findings);
  const trust = new Map(
    record.reliability.map(entry => [
      entry.reviewer,
      logOddsOf(precisionOf(entry, model)) - logOddsOf(model.prior.precision),
    ]),
  );
  const counted = (reviewers: readonly string[]): number => countVoices(reviewers, record);
  return claim => {
    const facts: Facts = {
      claim,
      voices: counted(claim.supporters),
      electors: Math.max(counted(claim.electors), counted(claim.supporters)),
      trust:
        claim.supporters.reduce((sum, reviewer) => sum + (trust.get(reviewer) ?? 0), 0) /
        Math.max(claim.supporters.length, 1),
      loudness: Math.min(...claim.supporters.map(reviewer => told.counts.get(reviewer) ?? 1)),
      place: Math.min(...claim.findings.map(finding => told.places.get(finding) ?? 1)),
    };
    return assess(facts, model);
  };
}

/** Expected share of real findings, by the reviewer's own record over what is expected of any reviewer. */
export function precisionOf(
  { confirmed, rejected }: Pick<ReviewerReliability, 'confirmed' | 'rejected'>,
  { prior }: ConfidenceModel,
): number {
  return (confirmed + prior.precision * prior.strength) / (confirmed + rejected + prior.strength);
}

interface Facts {
  readonly claim: Parameters<Assessor>[0];
  readonly voices: number;
  readonly electors: number;
  readonly trust: number;
  readonly loudness: number;
  readonly place: number;
}

/** In the order of `confidenceEvidence`. */
function evidenceOf({ voices, electors, trust, loudness, place }: Omit<Facts, 'claim'>): number[] {
  return [Math.log(voices), Math.log(electors), trust, Math.log(loudness), Math.log(place)];
}

function assess(facts: Facts, model: ConfidenceModel): Assessment {
  const evidence = evidenceOf(facts);
  const fitted = confidenceEvidence.map((name, index) => ({
    evidence: name,
    words: descriptions[name](facts),
    worth: (model.evidence.weights[index] ?? 0) * (evidence[index] ?? 0),
  }));
  const contributions = [...fitted, ...statedEvidence(facts.claim)]
    .filter(({ worth }) => worth !== 0)
    .sort((one, other) => Math.abs(other.worth) - Math.abs(one.worth));
  const odds = contributions.reduce((sum, { worth }) => sum + worth, model.evidence.intercept);
  return { probability: probabilityOf(odds), start: model.evidence.intercept, contributions };
}

function statedEvidence({ severity, findings }: Facts['claim']): Assessment['contributions'] {
  const categories = findings.map(({ category }) => category).filter(category => category !== null);
  const isMinor =
    categories.length > 0 && categories.every(category => minorCategory.test(category));
  return [
    { evidence: 'severity', words: `its severity is ${severity}`, worth: severityWorth[severity] },
    ...(isMinor
      ? [
          {
            evidence: 'category',
            words: `its category is ${categories[0] ?? ''}`,
            worth: minorWorth,
          },
        ]
      : []),
  ];
}

const descriptions: Readonly<
  Record<(typeof confidenceEvidence)[number], (facts: Facts) => string>
> = {
  voices({
    voices,
    claim: {
      supporters: { length },
    },
  }) {
    const said = length === 1 ? 'one reviewer says it' : `${length} reviewers say it`;
    return voices === length ? said : `${said}, which count as ${round(voices)}`;
  },
  silence({ voices, electors, claim }) {
    const quiet = claim.electors.length - claim.supporters.length;
    return voices >= electors || quiet <= 0
      ? 'so many reviewers find some things in common by chance'
      : `${quiet} of the ${claim.electors.length} who could have said it ${quiet === 1 ? 'does' : 'do'} not`;
  },
  reliability: ({ trust }) =>
    `its reviewers were right ${trust > 0 ? 'more' : 'less'} often than most`,
  loudness: ({ loudness }) =>
    loudness === 1
      ? 'it is all that one of its reviewers said'
      : `even its most sparing reviewer says ${loudness} things`,
  place: ({ place }) =>
    place === 1
      ? 'a reviewer said it first of all'
      : `nobody puts it higher than number ${place} on the list`,
};

function round(value: number): string {
  return String(Math.round(10 * value) / 10);
}

/** A voice of a partial review counts half, and so does each further voice of one family against the one before. */
function countVoices(reviewers: readonly string[], { partial, families }: PanelRecord): number {
  const seats = new Map<string, number[]>();
  for (const reviewer of reviewers) {
    const family = families.get(reviewer) ?? `\n${reviewer}`;
    seats.set(family, [...(seats.get(family) ?? []), partial.has(reviewer) ? 0.5 : 1]);
  }
  return [...seats.values()]
    .flatMap(list =>
      list.sort((one, other) => other - one).map((weight, index) => weight / 2 ** index),
    )
    .reduce((sum, weight) => sum + weight, 0);
}

interface Tellers {
  /** Findings of each reviewer. */
  readonly counts: ReadonlyMap<string, number>;
  /** Position of a finding in what its reviewer said, from 1. */
  readonly places: ReadonlyMap<Finding, number>;
}

function tellersOf(findings: readonly Finding[]): Tellers {
  const counts = new Map<string, number>();
  const places = new Map<Finding, number>();
  for (const finding of findings) {
    const place = (counts.get(finding.reviewer) ?? 0) + 1;
    counts.set(finding.reviewer, place);
    places.set(finding, place);
  }
  return { counts, places };
}
