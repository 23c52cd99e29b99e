/**
 * Which pairs a judge is asked about, and what its answers are worth. An answer is evidence, never a veto: it moves the
 * log-odds of all that links the two groups of the pair asked about. Pairs without an answer keep
 * their odds.
 */
import type { JudgeAccuracy, Judgement, Matcher, PairAnswer } from '../core/ports/matcher.ts';
import { probabilityOf } from '../core/words/claim.ts';
import { type Finding, isAtLeast } from '../core/words/finding.ts';
import { type Grouping, type GroupingMatcher, type Pair, meanOdds, tieOf } from './linkage.ts';
import { expectedAccuracy } from './memory/decision.ts';
import { by, groupsBy } from '../core/groups.ts';

/** Two statements of a panel, by their numbers, the smaller first. */
export interface PairOdds {
  readonly one: number;
  readonly other: number;
  /** Log-odds above those from which two groups join. */
  readonly odds: number;
  /** Did one reviewer say both? A judge is not asked about such a pair. */
  readonly isOneVoice: boolean;
}

export type Judging = ReturnType<typeof createJudging>;

/** Pairs and calls of one panel, at most. */
export const mostPairs = 40;
export const mostCalls = 3;

/** Each call is chosen by the groups that the answers before it leave. */
export function createJudging(
  { statements, pairs, link }: JudgeablePanel,
  { same, different }: JudgeAccuracy = expectedAccuracy,
) {
  // What others say of it weighs more, because it may fail the run.
  const isGrave = (statement: number) =>
    statements[statement]?.some(({ severity }) => isAtLeast(severity, 'high')) === true;
  const links: Link[] = pairs.map(pair => ({ ...pair }));
  const closed = new Set(links.filter(({ isOneVoice }) => isOneVoice));
  const against = Math.log((1 - same) / different);
  const evidence: Readonly<Record<PairAnswer, number>> = {
    same: Math.log(same / (1 - different)),
    different: against,
    opposite: against,
    'cannot-say': 0,
  };
  const waiting = new Map<string, readonly Link[]>();
  const answers: Judgement['answers'] = [];
  let [pairsLeft, callsLeft] = [mostPairs, mostCalls];
  return {
    /** Pairs of the next call, the most valuable first. Empty when no call or no doubt is left. */
    next(most = mostPairs, mayAsk: (pair: Pair) => boolean = () => true) {
      const room = callsLeft === 0 ? 0 : Math.min(most, Math.ceil(pairsLeft / callsLeft));
      const chosen: Pair[] = [];
      for (const { links: beside, isJoin } of findDoubts(links, link(links), {
        same,
        different,
        isGrave,
      })) {
        if (chosen.length === room) break;
        const worthOf = ({ odds }: Link) => (isJoin ? odds : -Math.abs(odds));
        const [open] = beside
          .filter(each => !closed.has(each) && mayAsk([each.one, each.other]))
          .sort(by(each => -worthOf(each)));
        if (!open) continue;
        const pair: Pair = [open.one, open.other];
        closed.add(open);
        waiting.set(pair.join(), beside);
        chosen.push(pair);
      }
      pairsLeft -= chosen.length;
      callsLeft -= Number(chosen.length > 0);
      return chosen;
    },
    /** An answer about a pair that was not asked about changes nothing. */
    hear(pair: Pair, answer: PairAnswer) {
      const beside = waiting.get(pair.join());
      if (!beside) return;
      waiting.delete(pair.join());
      const [one, other] = [idOf(pair[0], statements), idOf(pair[1], statements)];
      answers.push({ one, other, answer });
      for (const each of beside) each.odds += evidence[answer];
    },
    /** With the evidence so far. */
    pairs: () => links,
    /** By the ids of findings. */
    answers: () => answers,
  };
}

interface Link extends PairOdds {
  odds: number;
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
  { same, different, isGrave }: JudgeAccuracy & { isGrave: (statement: number) => boolean },
) {
  const groupOf = new Map(groups.flatMap(group => group.map(member => [member, group] as const)));
  const parts = groupsBy(
    links.flatMap(link => {
      const [one = [], other = []] = [groupOf.get(link.one), groupOf.get(link.other)];
      const isJoin = one !== other;
      const expected = isJoin ? one.length * other.length : one.length - 1;
      const about = isJoin ? [codeOf([one[0] ?? 0, other[0] ?? 0])] : [link.one, link.other];
      return about.map(key => ({ key: `${key}`, link, isJoin, expected }));
    }),
    ({ key }) => key,
  );
  return parts
    .map(part => {
      const [{ isJoin, expected }] = part;
      const own = part.map(({ link }) => link);
      const chance = probabilityOf(meanOdds(tieOf(own), expected));
      const wrong = isJoin ? chance : 1 - chance;
      const [put, spoilt] = isJoin ? [same, 1 - different] : [different, 1 - same];
      const gain = Math.max(0, wrong * put - (1 - wrong) * spoilt);
      const weight = isJoin && own.some(({ one, other }) => isGrave(one) || isGrave(other)) ? 2 : 1;
      const value = weight * expected * (gain + laterShare * wrong);
      return { links: own, isJoin, wrong: expected * wrong, value };
    })
    .filter(({ wrong }) => wrong >= leastWrong)
    .sort(by(({ value }) => -value));
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

/** The matcher as the answers of a judge leave it; the findings of `panel` may be read otherwise now, or be fewer. */
export function withAnswers(
  matcher: JudgeableMatcher,
  panel: JudgeablePanel,
  judging: Judging,
): GroupingMatcher {
  return {
    ...matcher,
    group(findings) {
      const { statements, pairs } = matcher.panel();
      const numbers = new Map(statements.flatMap((said, at) => said.map(({ id }) => [id, at])));
      const added = new Map<string, number>();
      for (const [at, { one, other, odds }] of judging.pairs().entries()) {
        const code = codeOf(
          [one, other].map(end => numbers.get(idOf(end, panel.statements)) ?? -1),
        );
        added.set(code, (added.get(code) ?? 0) + odds - (panel.pairs[at]?.odds ?? odds));
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
        .map(({ one, other }): Pair => [positions.get(one) ?? -1, positions.get(other) ?? -1]);
      return { ...grouping, contradictions: [...contradictions, ...opposed] };
    },
  };
}

function idOf(statement: number, statements: JudgeablePanel['statements']) {
  return statements[statement]?.[0]?.id ?? '';
}

function codeOf(ends: readonly number[]) {
  return ends.toSorted(by(Number)).join();
}
