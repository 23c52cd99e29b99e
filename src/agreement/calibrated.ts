/**
 * The `calibrated` strategy: the probability that two findings of a run say the same, from their wordings, their places
 * and the panel as a whole, by a small fitted model; groups by average link over it.
 */
import { by, sumOf } from '../core/groups.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { type Estimate, estimate, logOdds, probabilityOf } from '../core/words/claim.ts';
import type { PureStrategy } from '../core/settings.ts';
import type { Finding } from '../core/words/finding.ts';
import { matcherModel } from './calibrated-model.ts';
import { tellParts, tellWording } from './explaining/explain.ts';
import type { JudgeableMatcher, PairOdds } from './judge.ts';
import {
  type Grouping,
  type Pair,
  type SelectiveMatcher,
  allPairs,
  holdersOf,
  meanOdds,
  pairsSharing,
  tieOf,
  widestOdds,
} from './linkage.ts';
import {
  type MatcherModel,
  gatherBeside,
  gatherWording,
  linkStatements,
  tellWall,
  weighPair,
  weighPanel,
} from './panel.ts';
import { areReverse, comparePolarity } from './polarity.ts';
import { type Statement, kinshipOf, readStatements } from './statements.ts';
import {
  areDifferentFiles,
  fileOfFinding,
  findCommon,
  overlapOfWords,
  words,
} from './wording/words.ts';
import { upperFirst } from '../core/text.ts';

interface CalibratedMatcher extends JudgeableMatcher {
  /** Both of the run that was prepared, or else weighed by it. */
  explain(one: Finding, other: Finding): PairExplanation;
}

/** Why two findings are, or are not, judged to say the same. `start` and the contributions add up unless there is a wall. */
interface PairExplanation extends Estimate {
  /** The sentence of what keeps the two apart whatever else is said; null where nothing does. */
  wall: string | null;
}

/** Findings that one run can hold. Time and space grow nearly in proportion. */
const capacity = 20_000;

interface Prepared extends ReturnType<typeof weighPanel> {
  findings: readonly Finding[];
  reader: ReturnType<typeof readStatements>;
  /** By finding the number of its statement. */
  numbers: ReadonlyMap<Finding, number>;
}

export function createCalibratedMatcher(model: MatcherModel): CalibratedMatcher {
  let prepared = prepare([], model);
  const explain = (one: Finding, other: Finding) => explainPair(prepared, [one, other], model);
  return {
    name: 'calibrated',
    version: model.version,
    threshold: null,
    capacity,
    async prepare(findings) {
      const isKnown = findings.every((finding, at) => prepared.findings[at] === finding);
      if (isKnown && findings.length === prepared.findings.length) return;
      prepared = prepare(findings, model);
    },
    compare(one, other) {
      const { probability, wall, contributions } = explain(one, other);
      const isSame = probability >= probabilityOf(model.join);
      const otherwise = isSame ? '' : 'they share too little';
      return {
        same: isSame,
        score: Math.round(100 * probability),
        ...(!isSame && areReverse(one, other) && { contradicts: true }),
        reason: wall ?? `${upperFirst(tellParts(contributions, isSame, otherwise))}.`,
      };
    },
    group: (_findings, pairs = pairsOf(prepared, model)) => groupBy(prepared, pairs),
    panel: () => ({
      statements: findingsOf(prepared),
      pairs: pairsOf(prepared, model),
      link: pairs => linkStatements(prepared.statements, pairs),
    }),
    explain,
  };
}

function prepare(findings: readonly Finding[], model: MatcherModel): Prepared {
  const reader = readStatements(findings);
  const panel = weighPanel(reader.statements, model);
  const numbers = reader.statements.flatMap(({ positions }, number) =>
    positions.map(position => [findings[position] as Finding, number] as const),
  );
  return { ...panel, findings, reader, numbers: new Map(numbers) };
}

function findingsOf({ statements, numbers }: Prepared) {
  const said: Finding[][] = statements.map(() => []);
  for (const [finding, number] of numbers) said[number]?.push(finding);
  return said;
}

function pairsOf({ links }: Prepared, { join }: MatcherModel) {
  return links.map(({ one, other, isOneVoice, odds }) => ({
    one,
    other,
    isOneVoice,
    odds: odds - join,
  }));
}

/** With the sureness of each group: the mean over its statements of the probability that one belongs, by its links to the rest. */
function groupBy({ statements }: Prepared, pairs: readonly PairOdds[]): Grouping {
  const linked = linkStatements(statements, pairs);
  const groupOf = new Int32Array(statements.length);
  for (const [group, members] of linked.entries())
    for (const number of members) groupOf[number] = group;
  const within: PairOdds[][] = statements.map(() => []);
  for (const pair of pairs)
    if (groupOf[pair.one] === groupOf[pair.other])
      for (const end of [pair.one, pair.other]) within[end]?.push(pair);
  const chanceOf = (one: number, rest: number) =>
    rest === 0 ? 1 : probabilityOf(meanOdds(tieOf(within[one] ?? []), rest));
  const formed = linked
    .map(members => ({
      sureness: sumOf(members, one => chanceOf(one, members.length - 1)) / members.length,
      group: members.flatMap(number => statements[number]?.positions ?? []).sort(by(Number)),
    }))
    .sort(by(({ group }) => group[0] ?? 0));
  return {
    groups: formed.map(({ group }) => group),
    sureness: formed.map(({ sureness }) => sureness),
    contradictions: [],
  };
}

function explainPair(
  { reader, numbers, statements, links, isSettled }: Prepared,
  [one, other]: readonly [Finding, Finding],
  model: MatcherModel,
) {
  const ends = [one, other].map(finding => numbers.get(finding));
  const [left, right] = [one, other].map(
    (finding, at) => statements[ends[at] ?? -1] ?? reader.read(finding),
  ) as [Statement, Statement];
  if (left === right) {
    const words = 'they say it in the same words about the same place';
    return { ...estimate(0, [{ evidence: 'words', words, worth: 2 * widestOdds }]), wall: null };
  }
  const [first, second] = ends;
  const isPrepared = first !== undefined && second !== undefined;
  const at = links.findIndex(
    ({ one, other }) => (one === first && other === second) || (one === second && other === first),
  );
  const known = isPrepared
    ? (links[at]?.odds ?? -2 * widestOdds)
    : (weighPair([left, right], [0, 1], model)?.odds ?? 0);
  const isLone = isSettled[at] === true && links[at]?.isOneVoice === false;
  const start = model.wording.intercept;
  const byWords = logOdds(model.wording, gatherWording(left, right));
  const beside = gatherBeside(left, right);
  const moved = known - beside.reduce((sum, { worth }) => sum + worth, byWords);
  // Where a denial is all that keeps two lone findings apart, they have no link.
  const isDenied = isPrepared && known < -widestOdds && areReverse(one, other);
  const denial =
    comparePolarity(one, other) === 'opposite'
      ? 'One says the opposite of the other.'
      : 'One seems to deny the other, of another place.';
  const wall = tellWall(left, right) ?? (isDenied ? denial : null);
  return {
    ...estimate(start, [
      {
        evidence: 'words',
        words: tellWording(findCommon(one.text, other.text)),
        worth: byWords - start,
      },
      ...beside,
      {
        evidence: 'panel',
        words: isLone ? tellLone(one, other) : tellPanel(moved),
        worth: Math.abs(moved) < 0.005 ? 0 : moved,
      },
    ]),
    wall,
    ...(wall !== null && { probability: 0 }),
  };
}

function tellPanel(worth: number) {
  return worth > 0
    ? 'what else is said fits that they are one'
    : 'what else is said fits one of them better than both';
}

function tellLone(one: Finding, other: Finding) {
  return kinshipOf(one, other) > 0
    ? 'both speak of one trouble, each in words of its own'
    : 'their reviewers say nothing else that could tell';
}

// The `overlap` strategy: two findings are the same when enough words of the shorter wording stand in the longer one.

/** `threshold`: whole percent, 0 to 100. */
export function createOverlapMatcher(threshold: number): SelectiveMatcher {
  const readings = new WeakMap<Finding, { words: ReadonlySet<string>; file: string }>();
  const readingOf = (finding: Finding) => {
    const reading = readings.get(finding) ?? {
      words: words(finding.text),
      file: fileOfFinding(finding),
    };
    readings.set(finding, reading);
    return reading;
  };
  return {
    name: 'overlap',
    version: '1',
    threshold,
    async prepare() {},
    compare(one, other) {
      const [left, right] = [readingOf(one), readingOf(other)];
      const score = Math.max(
        overlapOfWords(left.words, right.words),
        overlapOfWords(right.words, left.words),
      );
      if (areDifferentFiles(left.file, right.file))
        return { same: false, score, reason: 'They name two different files.' };
      const same = score >= threshold;
      const wanted = same ? '' : `; ${threshold} % are needed`;
      return { same, score, reason: `${score} % of the words of one stand in the other${wanted}.` };
    },
    pairs: findings =>
      candidates(
        findings.map(finding => readingOf(finding).words),
        threshold,
      ),
  };
}

/**
 * A match holds at least `threshold` percent of the smaller set, so at most the remainder of its words may be missing
 * from the larger one: of any one word more than that, taken from the rarest, one is shared.
 */
function candidates(sets: readonly ReadonlySet<string>[], threshold: number): Iterable<Pair> {
  if (threshold <= 0) return allPairs(sets.length);
  const holders = holdersOf(sets);
  const telling = sets.map(set => {
    const rarestFirst = [...set].sort(by(word => holders.get(word)?.length ?? 0));
    return rarestFirst.slice(0, set.size - Math.ceil((threshold * set.size) / 100) + 1);
  });
  return pairsSharing(sets, telling);
}

// The matching strategies that need nothing but the findings, by name: one file and one line here each.

/** Whole percent, for strategies whose cut can be set. */
const defaultThreshold = 60;

const factories: Readonly<Record<PureStrategy, (threshold: number) => Matcher>> = {
  overlap: createOverlapMatcher,
  calibrated: () => createCalibratedMatcher(matcherModel),
};

export function createMatcher(strategy: PureStrategy, threshold = defaultThreshold) {
  return factories[strategy](threshold);
}
