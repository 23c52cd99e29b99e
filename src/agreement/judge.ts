/**
 * Which pairs a judge is asked about, and what its answers are worth. An answer is evidence, never a veto: it moves the
 * log-odds of all that links the two groups of the pair asked about. Pairs without an answer keep
 * their odds.
 */
import type { JudgeAccuracy, PairAnswer } from '../core/ports/judge.ts';
import { probabilityOf } from '../core/words/odds.ts';
import type { Finding } from '../core/words/finding.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { meanOdds, tieOf } from './linkage.ts';
import { expectedAccuracy } from './memory/judge-accuracy.ts';
import type { Grouping, GroupingMatcher, Pair } from './matching.ts';

/** Two statements of a panel, by their numbers, the smaller first. */
export interface PairOdds {
  readonly one: number;
  readonly other: number;
  /** Log-odds above those from which two groups join. */
  readonly odds: number;
  /** Did one reviewer say both? A judge is not asked about such a pair. */
  readonly isOneVoice: boolean;
}

interface JudgeTraits extends Partial<JudgeAccuracy> {
  /** Does it weigh more what others say of this statement, because it may fail the run? */
  readonly isGrave?: (statement: number) => boolean;
}

interface JudgedPair {
  readonly pair: Pair;
  readonly answer: PairAnswer;
}

export interface Judging {
  /** Pairs of the next call, the most valuable first. Empty when no call or no doubt is left. */
  next(most?: number, mayAsk?: (pair: Pair) => boolean): Pair[];
  /** An answer about a pair that was not asked about changes nothing. */
  hear(pair: Pair, answer: PairAnswer): void;
  /** With the evidence so far. */
  pairs(): PairOdds[];
  answers(): readonly JudgedPair[];
  /** What the answers add to the log-odds of pairs. */
  evidence(): readonly Omit<PairOdds, 'isOneVoice'>[];
}

/** Pairs and calls of one panel, at most. */
export const mostPairs = 40;
export const mostCalls = 3;

/** `link`: groups of statement numbers. Each call is chosen by the groups that the answers before it leave. */
export function createJudging(
  pairs: readonly PairOdds[],
  link: (pairs: readonly PairOdds[]) => readonly (readonly number[])[],
  { isGrave = () => false, ...accuracy }: JudgeTraits = {},
): Judging {
  const traits = { ...expectedAccuracy, ...accuracy, isGrave };
  const { same, different } = traits;
  const links: Link[] = pairs.map(pair => ({ ...pair, isClosed: pair.isOneVoice }));
  const against = Math.log((1 - same) / different);
  const evidence: Readonly<Record<PairAnswer, number>> = {
    same: Math.log(same / (1 - different)),
    different: against,
    opposite: against,
    'cannot-say': 0,
  };
  const waiting = new Map<Link, readonly Link[]>();
  const answers: JudgedPair[] = [];
  const added: Omit<PairOdds, 'isOneVoice'>[] = [];
  let [pairsLeft, callsLeft] = [mostPairs, mostCalls];
  return {
    next(most = mostPairs, mayAsk = () => true) {
      const room = callsLeft === 0 ? 0 : Math.min(most, Math.ceil(pairsLeft / callsLeft));
      const chosen: Pair[] = [];
      for (const { links: beside, isJoin } of findDoubts(links, link(links), traits)) {
        if (chosen.length === room) break;
        const worthOf = ({ odds }: Link): number => (isJoin ? odds : -Math.abs(odds));
        const [open] = beside
          .filter(each => !each.isClosed && mayAsk([each.one, each.other]))
          .sort((a, b) => worthOf(b) - worthOf(a));
        if (open === undefined) continue;
        open.isClosed = true;
        waiting.set(open, beside);
        chosen.push([open.one, open.other]);
      }
      pairsLeft -= chosen.length;
      callsLeft -= Number(chosen.length > 0);
      return chosen;
    },
    hear(pair, answer) {
      for (const [asked, beside] of waiting) {
        if (asked.one !== pair[0] || asked.other !== pair[1]) continue;
        waiting.delete(asked);
        answers.push({ pair, answer });
        for (const each of beside) {
          each.odds += evidence[answer];
          added.push({ one: each.one, other: each.other, odds: evidence[answer] });
        }
      }
    },
    pairs: () => links.map(({ isClosed: _isClosed, ...pair }) => pair),
    answers: () => answers,
    evidence: () => added,
  };
}

interface Link extends PairOdds {
  odds: number;
  /** Was it asked about, or must it not be? */
  isClosed: boolean;
}

interface Doubt {
  /** All that an answer speaks of. */
  readonly links: readonly Link[];
  /** Is it about two groups? */
  readonly isJoin: boolean;
  /** Pairs that are wrong as they are now, as expected. */
  readonly wrong: number;
  readonly value: number;
}

/** Fewer pairs that are expected to be wrong are no doubt. */
const leastWrong = 0.05;
/** What is wrong counts a little even where it takes more than one answer to put it right. */
const laterShare = 0.1;

/**
 * Should two groups be one, and does a member belong to the rest of its group? The value of an answer is the number of pairs
 * that are expected to be right by following it and would else be wrong, less those that it would spoil.
 */
function findDoubts(
  links: readonly Link[],
  groups: readonly (readonly number[])[],
  { same, different, isGrave }: Required<JudgeTraits>,
): Doubt[] {
  const groupOf = new Map(
    groups.flatMap((members, group) => members.map(member => [member, group] as const)),
  );
  const doubtOf = (own: readonly Link[], expected: number, isJoin: boolean): Doubt => {
    const chance = probabilityOf(meanOdds(tieOf(own), expected));
    const wrong = isJoin ? chance : 1 - chance;
    const gain = isJoin
      ? wrong * same - (1 - wrong) * (1 - different)
      : wrong * different - (1 - wrong) * (1 - same);
    const weight = isJoin && own.some(({ one, other }) => isGrave(one) || isGrave(other)) ? 2 : 1;
    return {
      links: own,
      isJoin,
      wrong: expected * wrong,
      value: weight * expected * (Math.max(0, gain) + laterShare * wrong),
    };
  };
  const between = new Map<string, Link[]>();
  const within = new Map<string, Link[]>();
  for (const each of links) {
    const ends = [each.one, each.other];
    const own = ends.map(end => groupOf.get(end) ?? 0);
    if (own[0] === own[1]) for (const end of ends) add(within, `${end}`, each);
    else add(between, own.toSorted((one, other) => one - other).join(), each);
  }
  const sizeOf = (statement: number | undefined): number =>
    groups[groupOf.get(statement ?? 0) ?? 0]?.length ?? 1;
  return [
    ...[...between.values()].map(own =>
      doubtOf(own, sizeOf(own[0]?.one) * sizeOf(own[0]?.other), true),
    ),
    ...[...within].map(([member, own]) => doubtOf(own, sizeOf(Number(member)) - 1, false)),
  ]
    .filter(({ wrong }) => wrong >= leastWrong)
    .sort((a, b) => b.value - a.value);
}

function add(lists: Map<string, Link[]>, key: string, link: Link): void {
  lists.set(key, [...(lists.get(key) ?? []), link]);
}

/** What a judge can be asked about: statements, and how likely each two of them say the same. */
export interface JudgeablePanel {
  /** Findings by number of the statement: what says the same in the same words is one. */
  readonly statements: readonly (readonly Finding[])[];
  readonly pairs: readonly PairOdds[];
  /** Groups of statement numbers. */
  link(pairs: readonly PairOdds[]): readonly (readonly number[])[];
}

/** A matcher whose odds take the answers of a judge as evidence. */
export interface JudgeableMatcher extends GroupingMatcher {
  /** Of the findings that were given to `prepare`. */
  panel(): JudgeablePanel;
  /** `pairs`: those of the panel with the evidence of a judge; default: without. */
  group(findings: readonly Finding[], pairs?: readonly PairOdds[]): Grouping;
}

export function isJudgeable(matcher: Matcher): matcher is JudgeableMatcher {
  return 'panel' in matcher;
}

/**
 * The matcher as the answers of a judge leave it. `statements`: those of the panel that it was asked about, whose findings may be
 * read otherwise now, or be fewer.
 */
export function withAnswers(
  matcher: JudgeableMatcher,
  { statements }: Pick<JudgeablePanel, 'statements'>,
  judging: Pick<Judging, 'answers' | 'evidence'>,
): GroupingMatcher {
  const idOf = (statement: number): string => statements[statement]?.[0]?.id ?? '';
  return {
    ...matcher,
    group(findings) {
      const { statements: own, pairs } = matcher.panel();
      const numbers = new Map(own.flatMap((said, at) => said.map(({ id }) => [id, at] as const)));
      const added = new Map<string, number>();
      for (const { one, other, odds } of judging.evidence()) {
        const code = codeOf([one, other].map(end => numbers.get(idOf(end)) ?? -1));
        added.set(code, (added.get(code) ?? 0) + odds);
      }
      const { contradictions, ...grouping } = matcher.group(
        findings,
        pairs.map(pair => ({
          ...pair,
          odds: pair.odds + (added.get(codeOf([pair.one, pair.other])) ?? 0),
        })),
      );
      const positions = new Map(findings.map(({ id }, at) => [id, at]));
      const opposed = judging
        .answers()
        .filter(({ answer }) => answer === 'opposite')
        .map(({ pair: [one, other] }): Pair => [
          positions.get(idOf(one)) ?? -1,
          positions.get(idOf(other)) ?? -1,
        ]);
      return { ...grouping, contradictions: [...contradictions, ...opposed] };
    },
  };
}

function codeOf(ends: readonly number[]): string {
  return ends.toSorted((one, other) => one - other).join();
}
