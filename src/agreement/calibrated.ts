/**
 * The `calibrated` strategy: the probability that two findings of a run say the same, from their wordings, their places
 * and the panel as a whole, by a small fitted model. What it groups cannot be chained together by likeness alone.
 */
import type { Finding } from '../core/words/finding.ts';
import type { Comparison } from '../core/ports/matcher.ts';
import { barrierBetween, barriers, place } from './guards.ts';
import { gatherFixedEvidence, gatherWordingEvidence, worthOf } from './evidence.ts';
import { type JudgedPanel, judgePanel, type MatcherModel } from './judged-panel.ts';
import { linkByAverage } from './grouping.ts';
import { logOdds, logOddsOf, probabilityOf } from '../core/words/odds.ts';
import type { PairOdds } from './judge.ts';
import type { Grouping, JudgeableMatcher, Pair, SelectiveMatcher } from './matching.ts';
import { type PanelStatement, readPanel } from './panel-statements.ts';
import { findCommon, shareOf } from './wording/run-wording.ts';
import { createShortJudge, kinshipOf } from './short-wordings.ts';
import { tellMissing } from './explaining/tell-missing.ts';
import { type Contribution, tellPair, tellPanel, tellWording } from './explaining/tell-pair.ts';

export interface CalibratedMatcher extends JudgeableMatcher, SelectiveMatcher {
  /** Both of the run that was prepared, or else weighed by it. */
  explain(one: Finding, other: Finding): PairExplanation;
}

/** Findings that one run can hold. Time and space grow nearly in proportion. */
const capacity = 20_000;

interface Prepared {
  readonly panel: JudgedPanel;
  readonly numbers: ReadonlyMap<Finding, number>;
}

export function createCalibratedMatcher(model: MatcherModel): CalibratedMatcher {
  let prepared = prepare([], model);
  const statementOf = (finding: Finding): PanelStatement => {
    const known = prepared.numbers.get(finding);
    if (known !== undefined) return prepared.panel.statements[known] as PanelStatement;
    const weighed = prepared.panel.run.weigh(finding.text);
    return { ...place(finding, [finding.reviewer], weighed.statement), weighed, positions: [] };
  };
  const linkOf = (one: Finding, other: Finding): number | null => {
    const [left, right] = [prepared.numbers.get(one), prepared.numbers.get(other)];
    return left === undefined || right === undefined
      ? null
      : (prepared.panel.graph.links[left]?.get(right) ?? null);
  };
  const explain = (one: Finding, other: Finding): PairExplanation => {
    const [left, right] = [statementOf(one), statementOf(other)];
    if (left === right)
      return {
        probability: 1,
        barrier: null,
        missing: [],
        start: 0,
        contributions: [
          {
            evidence: 'words',
            words: 'they say it in the same words about the same place',
            worth: logOddsOf(1),
          },
        ],
      };
    const link = linkOf(one, other);
    const isPrepared = prepared.numbers.has(one) && prepared.numbers.has(other);
    const odds =
      link === null
        ? isPrepared
          ? Number.NEGATIVE_INFINITY
          : oddsAlone(left, right, model)
        : (prepared.panel.odds[link] ?? Number.NEGATIVE_INFINITY);
    return explainPair(left, right, { panel: prepared.panel, model, link, odds });
  };
  return {
    name: 'calibrated',
    version: model.version,
    threshold: null,
    capacity,
    async prepare(findings) {
      prepared = prepare(findings, model);
    },
    compare(one, other) {
      const explanation = explain(one, other);
      return {
        ...judgementOf(explanation),
        ...(barrierBetween(statementOf(one), statementOf(other)) === 'opposite'
          ? { contradicts: true }
          : {}),
        reason: tellPair(explanation),
      };
    },
    group: (findings, pairs = pairsOf(prepared, model)) =>
      groupBy(prepared, findings, pairs, model),
    panel: () => ({
      statements: statementsOf(prepared),
      pairs: pairsOf(prepared, model),
      link: pairs => linkPairs(prepared.panel.statements.length, pairs, model),
    }),
    pairs: findings => linkedPairs(prepared, findings),
    explain,
  };
}

function prepare(findings: readonly Finding[], model: MatcherModel): Prepared {
  const panel = judgePanel(readPanel(findings), model);
  const numbers = new Map(
    panel.statements.flatMap(({ positions }, number) =>
      positions.map(position => [findings[position] as Finding, number] as const),
    ),
  );
  return { panel, numbers };
}

function judgementOf({ probability }: PairExplanation): Pick<Comparison, 'same' | 'score'> {
  return { same: probability >= 0.5, score: Math.round(100 * probability) };
}

/** As if the two were all that was said: by their wordings and what counts beside, for a panel tells nothing about them. */
function oddsAlone(one: PanelStatement, other: PanelStatement, model: MatcherModel): number {
  if (barrierBetween(one, other) !== null) return Number.NEGATIVE_INFINITY;
  if (
    shareOf(one.weighed.stems, other.weighed.stems).count +
      shareOf(one.weighed.identifiers, other.weighed.identifiers).count ===
    0
  )
    return Number.NEGATIVE_INFINITY;
  return (
    logOdds(model.wording, gatherWordingEvidence(one.weighed, other.weighed)) +
    worthOf(gatherFixedEvidence(one, other))
  );
}

function statementsOf({ panel, numbers }: Prepared): readonly (readonly Finding[])[] {
  const said: Finding[][] = panel.statements.map(() => []);
  for (const [finding, number] of numbers) said[number]?.push(finding);
  return said;
}

function pairsOf({ panel }: Prepared, { linkage }: MatcherModel): PairOdds[] {
  const { ones, others } = panel.graph;
  return Array.from(panel.odds, (odds, link) => {
    const [one, other] = [ones[link] ?? 0, others[link] ?? 0];
    const ends = [panel.statements[one], panel.statements[other]] as const;
    const isOneVoice = ends[0]?.reviewers.some(name => ends[1]?.reviewers.includes(name)) === true;
    return {
      one: Math.min(one, other),
      other: Math.max(one, other),
      odds: odds - linkage.join,
      isOneVoice,
    };
  });
}

function linkPairs(
  count: number,
  pairs: readonly PairOdds[],
  { linkage }: MatcherModel,
): number[][] {
  const { join } = linkage;
  return linkByAverage(
    count,
    pairs.map(pair => ({ ...pair, odds: pair.odds + join })),
    linkage,
  );
}

function groupBy(
  { panel, numbers }: Prepared,
  findings: readonly Finding[],
  pairs: readonly PairOdds[],
  model: MatcherModel,
): Grouping {
  const positions = gatherPositions(findings, numbers);
  const placed = linkPairs(panel.statements.length, pairs, model).map(group =>
    group.flatMap(number => positions.get(number) ?? []).sort((one, other) => one - other),
  );
  const strangers = [...positions].filter(([number]) => number < 0).map(([, own]) => own);
  const first = (number: number): number => positions.get(number)?.[0] ?? -1;
  const contradictions = panel.opposites.map(([one, other]): Pair => [
    Math.min(first(one), first(other)),
    Math.max(first(one), first(other)),
  ]);
  return {
    groups: [...placed, ...strangers]
      .filter(group => group.length > 0)
      .sort(([one = 0], [other = 0]) => one - other),
    contradictions: contradictions.filter(([one]) => one >= 0),
  };
}

/** Pairs with a link between them, and those that say it in the same words; every other pair compares as different. */
function* linkedPairs({ panel, numbers }: Prepared, findings: readonly Finding[]): Generator<Pair> {
  const positions = gatherPositions(findings, numbers);
  for (const own of positions.values())
    for (const [at, one] of own.entries())
      for (const other of own.slice(at + 1)) yield [one, other];
  for (const [link, one] of panel.graph.ones.entries()) {
    for (const left of positions.get(one) ?? []) {
      for (const right of positions.get(panel.graph.others[link] ?? -1) ?? [])
        yield left < right ? [left, right] : [right, left];
    }
  }
}

/** By number of the statement; findings that were not prepared get numbers of their own, below 0. */
function gatherPositions(
  findings: readonly Finding[],
  numbers: Prepared['numbers'],
): ReadonlyMap<number, readonly number[]> {
  const positions = new Map<number, number[]>();
  for (const [position, finding] of findings.entries()) {
    const number = numbers.get(finding) ?? -1 - position;
    const list = positions.get(number);
    if (list === undefined) positions.set(number, [position]);
    else list.push(position);
  }
  return positions;
}

/** Why two findings are, or are not, judged to say the same: the log-odds taken apart, largest part first, in words. */
interface PairExplanation {
  /** 0 to 1. */
  readonly probability: number;
  /** The sentence of what keeps the two apart whatever else is said; null when nothing does. */
  readonly barrier: string | null;
  /** What two that say the same mostly share and these do not, each half a sentence. */
  readonly missing: readonly string[];
  /** Log-odds before anything is known about the two. */
  readonly start: number;
  /** With `start` they add up to the log-odds of the probability, unless there is a barrier. */
  readonly contributions: Contribution[];
}

/** `link`: position of the pair in the panel; null when the panel holds no such pair. */
function explainPair(
  one: PanelStatement,
  other: PanelStatement,
  {
    panel,
    model,
    link,
    odds,
  }: {
    readonly panel: JudgedPanel;
    readonly model: MatcherModel;
    readonly link: number | null;
    readonly odds: number;
  },
): PairExplanation {
  const barrier = barrierBetween(one, other);
  const evidence = gatherWordingEvidence(one.weighed, other.weighed);
  const common = findCommon(
    { text: one.finding.text, statement: one.statement },
    { text: other.finding.text, statement: other.statement },
  );
  // How alike the letters and how long the texts are is no reason by itself for people: it belongs to the words.
  const byWords = logOdds(model.wording, evidence);
  const wording = {
    evidence: 'words',
    words: tellWording(common),
    worth: byWords - model.wording.intercept,
  };
  const isLone = link !== null && panel.isLone[link] === true;
  const judged = createShortJudge(panel.statements)(one, other, byWords, isLone);
  const { weakness } = kinshipOf(one, other);
  const kinship = {
    evidence: 'weakness',
    words: `both speak of one weakness: ${(weakness ?? 'none').replaceAll('-', ' ')}`,
    worth: judged - byWords,
  };
  const fixed = gatherFixedEvidence(one, other, isLone);
  const known = judged + worthOf(fixed);
  const moved = odds - known;
  const seen =
    barrier === null && link !== null
      ? [{ evidence: 'panel', words: tellPanel(panel, link, moved), worth: moved }]
      : [];
  const contributions = [wording, kinship, ...fixed, ...seen]
    .filter(({ worth }) => Math.abs(worth) >= 0.005)
    .sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  return {
    probability: barrier === null ? probabilityOf(odds) : 0,
    barrier: barrier === null ? null : barriers[barrier],
    missing: tellMissing(one, other, common.names),
    start: model.wording.intercept,
    contributions,
  };
}
