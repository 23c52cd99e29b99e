/** What each reviewer cost and brought: from the runs that are kept, and from everything that is remembered about claims. */
import { type DecidedConfidence, decidedConfidences, recalibrationOf } from '../agreement/index.ts';
import type { Statistics } from '../core/printed/checks.ts';
import { addUsage, noUsage, type Review } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { latestByClaim, type ProjectMemory } from '../core/words/known-claim.ts';

type ReviewerStatistics = Statistics['reviewers'][number];

export function computeStatistics(
  memory: ProjectMemory,
  runs: readonly Pick<Run, 'record' | 'reviews'>[],
): Omit<Statistics, 'month'> {
  const claims = supportersByClaim(memory, runs);
  const latest = latestByClaim(memory.dispositions);
  const supported = [...claims].map(([id, supporters]): SupportedClaim => ({
    supporters,
    verdict: latest.get(id)?.verdict ?? null,
  }));
  const reviews = distinctReviews(runs);
  const names = [
    ...new Set([...reviews.keys(), ...supported.flatMap(({ supporters }) => [...supporters])]),
  ].sort();
  return {
    schema: 'jury.stats/1',
    runs: runs.length,
    claims: supported.length,
    confirmed: supported.filter(isConfirmed).length,
    rejected: supported.filter(isRejected).length,
    reviewers: names.map(name =>
      describeReviewer(
        name,
        reviews.get(name) ?? [],
        supported.filter(({ supporters }) => supporters.has(name)),
      ),
    ),
    calibration: describeCalibration(decidedConfidences(memory)),
  };
}

const bins = 5;

function describeCalibration(decided: readonly DecidedConfidence[]): Statistics['calibration'] {
  const binOf = ({ stated }: DecidedConfidence): number =>
    Math.min(bins - 1, Math.floor(stated * bins));
  return {
    decisions: decided.length,
    confirmed: decided.filter(({ isTrue }) => isTrue).length,
    bins: Array.from({ length: bins }, (_, bin) =>
      decided.filter(one => binOf(one) === bin),
    ).flatMap((own, bin) => {
      if (own.length === 0) return [];
      const confirmed = own.filter(({ isTrue }) => isTrue).length;
      return [
        {
          least: bin / bins,
          most: (bin + 1) / bins,
          claims: own.length,
          stated: own.reduce((sum, { stated }) => sum + stated, 0) / own.length,
          confirmed: confirmed / own.length,
          interval: wilsonInterval(confirmed, own.length),
        },
      ];
    }),
    recalibration: recalibrationOf(decided),
  };
}

interface SupportedClaim {
  readonly supporters: ReadonlySet<string>;
  readonly verdict: 'accepted' | 'rejected' | 'tolerated' | null;
}

function isConfirmed({ verdict }: SupportedClaim): boolean {
  return verdict === 'accepted' || verdict === 'tolerated';
}

function isRejected({ verdict }: SupportedClaim): boolean {
  return verdict === 'rejected';
}

/** Questions are not remembered: their claims are known from the runs alone. */
function supportersByClaim(
  { claims }: ProjectMemory,
  runs: readonly Pick<Run, 'record'>[],
): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (id: string, reviewers: readonly string[]): void =>
    void all.set(id, new Set([...(all.get(id) ?? []), ...reviewers]));
  for (const { id, supporters } of claims)
    add(
      id,
      supporters.map(({ reviewer }) => reviewer),
    );
  for (const { record } of runs)
    for (const { id, supporters } of record.claims) add(id, supporters);
  return all;
}

function distinctReviews(runs: readonly Pick<Run, 'reviews'>[]): Map<string, Review[]> {
  const distinct = new Map(
    runs
      .flatMap(({ reviews }) => reviews)
      .map(review => [`${review.reviewer}\n${review.startedAt}`, review] as const),
  );
  const byReviewer = new Map<string, Review[]>();
  for (const review of distinct.values())
    byReviewer.set(review.reviewer, [...(byReviewer.get(review.reviewer) ?? []), review]);
  return byReviewer;
}

function describeReviewer(
  reviewer: string,
  reviews: readonly Review[],
  claims: readonly SupportedClaim[],
): ReviewerStatistics {
  const usage = reviews.map(review => review.usage).reduce(addUsage, noUsage);
  const [confirmed, rejected] = [
    claims.filter(isConfirmed).length,
    claims.filter(isRejected).length,
  ];
  const alone = claims.filter(({ supporters }) => supporters.size === 1);
  return {
    reviewer,
    reviews: reviews.length,
    completed: reviews.filter(({ status }) => status === 'complete').length,
    calls: usage.calls,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.cost,
    findings: reviews
      .flatMap(({ findings }) => findings)
      .filter(({ isImprovement, from }) => !isImprovement && from === undefined).length,
    claims: claims.length,
    confirmed,
    rejected,
    precision: confirmed + rejected === 0 ? null : confirmed / (confirmed + rejected),
    interval: wilsonInterval(confirmed, confirmed + rejected),
    alone: { claims: alone.length, confirmed: alone.filter(isConfirmed).length },
  };
}

/** 97.5 % point of the standard normal distribution: 95 % lie between minus and plus this. */
const quantile = 1.959963984540054;

/**
 * 95 % interval of a share, 0 to 1, after Wilson, "Probable inference, the law of succession, and statistical inference",
 * Journal of the American Statistical Association 22 (1927), pages 209 to 212. Of nothing: everything from 0 to 1.
 */
export function wilsonInterval(hits: number, cases: number): ReviewerStatistics['interval'] {
  if (cases === 0) return { low: 0, high: 1 };
  const share = hits / cases;
  const square = quantile ** 2;
  const centre = (share + square / (2 * cases)) / (1 + square / cases);
  const half =
    (quantile / (1 + square / cases)) *
    Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  return {
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === cases ? 1 : Math.min(1, centre + half),
  };
}
