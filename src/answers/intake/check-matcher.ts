/**
 * Lets any strategy match what static analysers say. One check at one place is one problem whatever its wording, and one
 * tool that reports a check twice has found two; all else is the strategy's to say.
 */
import {
  groupFindings,
  selectForMatching,
  type Selection,
  isGrouping,
  type GroupingMatcher,
  type Pair,
  overlapOfWords,
  words,
} from '../../agreement/index.ts';
import { groupsBy } from '../../core/groups.ts';
import { compareTexts } from '../../core/text.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { Check } from './intake.ts';

export type CheckOf = (finding: Finding) => Check | null;

/** Findings of one run, at most: like the largest strategy, since repetitions leave it few to compare. */
const capacity = 20_000;

/** More results of one check at one place than this are left to the strategy: their pairs are all compared. */
const mostAtOnePlace = 50;

export function createCheckMatcher(strategy: Matcher, checkOf: CheckOf): GroupingMatcher {
  let meetingOf: ReadonlyMap<Finding, Meeting> = new Map();
  let selection: Selection = { matched: [], apart: [] };
  return {
    name: strategy.name,
    version: strategy.version,
    threshold: strategy.threshold,
    capacity,
    async prepare(findings) {
      const meetings = meetingsAmong(findings, checkOf);
      meetingOf = new Map(
        meetings.flatMap(meeting => meeting.map(finding => [finding, meeting] as const)),
      );
      // The first of each meeting speaks for it.
      selection = selectForMatching(
        meetings.map(([first]) => first),
        isGrouping(strategy) ? strategy.capacity : undefined,
      );
      await strategy.prepare(selection.matched.map(([first]) => first));
    },
    compare(one, other) {
      if (one !== other && meetingOf.get(one)?.includes(other))
        return { same: true, score: 100, reason: 'They report one check at one place.' };
      if (areTwoReports(one, other, checkOf))
        return { same: false, score: 0, reason: 'One tool reports one check twice.' };
      return strategy.compare(one, other);
    },
    group(findings) {
      const speakers = selection.matched.map(([first]) => first);
      const { groups, contradictions } = groupFindings(speakers, strategy);
      const spoken = [
        ...groups.map(group => group.flatMap(index => selection.matched[index] ?? [])),
        ...selection.apart,
      ];
      const positions = new Map(findings.map((finding, index) => [finding, index]));
      const positionsOf = (group: readonly Finding[]) =>
        group
          .flatMap(finding => positions.get(finding) ?? [])
          .toSorted((one, other) => one - other);
      return {
        groups: spoken
          .map(group => group.flatMap(speaker => meetingOf.get(speaker) ?? []))
          .flatMap(group => splitReports(group, checkOf, meetingOf).map(positionsOf))
          .filter(group => group.length > 0)
          .toSorted(([one = 0], [other = 0]) => one - other),
        contradictions: contradictions
          .map(pair => positionsOf(pair.flatMap(index => speakers[index] ?? [])))
          .flatMap(([one, other]): Pair[] =>
            one === undefined || other === undefined ? [] : [[one, other]],
          ),
        apart: selection.apart.flat().length,
      };
    },
  };
}

/** One check at one place, by at most one finding of each tool. */
type Meeting = [Finding, ...Finding[]];

/** What several tools report of one check at one place. Whatever meets nothing is alone. */
function meetingsAmong(findings: readonly Finding[], checkOf: CheckOf): Meeting[] {
  const keyOf = (finding: Finding): unknown => {
    const check = checkOf(finding);
    const isPlaced = typeof finding.location?.line === 'number';
    return isPlaced && check?.isShared ? JSON.stringify([check.name, placeOf(finding)]) : finding;
  };
  // In an order of their own, so that the order of the input has no influence.
  return groupsBy(
    findings.toSorted(
      (one, other) =>
        compareTexts(one.reviewer, other.reviewer) || compareTexts(one.text, other.text),
    ),
    keyOf,
  ).flatMap(pairUp);
}

/** Two unused names in one line are two problems: of several by one tool, the likest wordings belong together. */
function pairUp(found: Meeting): Meeting[] {
  if (new Set(found.map(({ reviewer }) => reviewer)).size === found.length) return [found];
  if (found.length > mostAtOnePlace) return found.map(finding => [finding]);
  const meetings: Meeting[] = [];
  for (const finding of found) {
    const said = words(finding.text);
    const likeness = ([{ text }]: Meeting): number =>
      Math.max(overlapOfWords(said, words(text)), overlapOfWords(words(text), said));
    const [likest] = meetings
      .filter(meeting => meeting.every(({ reviewer }) => reviewer !== finding.reviewer))
      .toSorted((one, other) => likeness(other) - likeness(one));
    if (!likest) meetings.push([finding]);
    else likest.push(finding);
  }
  return meetings;
}

/** A group stays whole unless one tool reports one check twice in it: then by place, and where that is not enough, by meeting. */
function splitReports(
  group: readonly Finding[],
  checkOf: CheckOf,
  meetingOf: ReadonlyMap<Finding, Meeting>,
) {
  if (!reportsTwice(group, checkOf)) return [group];
  return groupsBy(group, placeOf).flatMap(part =>
    reportsTwice(part, checkOf) ? groupsBy(part, finding => meetingOf.get(finding)) : [part],
  );
}

function reportsTwice(group: readonly Finding[], checkOf: CheckOf) {
  return groupsBy(group, finding =>
    JSON.stringify([finding.reviewer, checkOf(finding)?.name]),
  ).some(([first, ...others]) => others.some(other => areTwoReports(first, other, checkOf)));
}

/** The same words about the same place are one report, however often they are repeated. */
function areTwoReports(one: Finding, other: Finding, checkOf: CheckOf) {
  const [left, right] = [checkOf(one), checkOf(other)];
  if (!left || !right || one.reviewer !== other.reviewer || left.name !== right.name) return false;
  return placeOf(one) !== placeOf(other) || one.text !== other.text;
}

function placeOf({ location }: Finding) {
  return JSON.stringify([location?.path, location?.line]);
}
