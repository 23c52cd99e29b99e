/** Reads the text of a file or the record of a run with findings, whichever of the known formats it is in. */
import { z } from 'zod';
import {
  type GroupingMatcher,
  type Pair,
  type Selection,
  groupFindings,
  isGrouping,
  overlapOfWords,
  selectForMatching,
  words,
} from '../../agreement/index.ts';
import { didYouMean, inputError } from '../../core/errors.ts';
import { groupsBy } from '../../core/groups.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { nearest } from '../../core/schema-problem.ts';
import { compareTexts, cut, toLine } from '../../core/text.ts';
import { type Finding, unstatedSeverity } from '../../core/words/finding.ts';
import type { Review } from '../../core/words/review.ts';
import { RunRecord } from '../../core/words/run.ts';
import { unstatedLabel } from '../../core/words/stated.ts';
import {
  type Check,
  type Entry,
  type NamedText,
  type Source,
  at,
  check,
  correctionWarnings,
  foreignReview,
  foreignSeverityOf,
  nameLimit,
  parseJsonText,
  textWarnings,
  toForeignFinding,
  toPlace,
  toName,
} from './intake.ts';
import { isSarif, readSarif } from './sarif.ts';

/** `roots`: absolute folders that absolute paths are made relative to. Throws `UserError` (kind `input`). */
export function readSource({ name, text }: NamedText, roots: readonly string[]): Source {
  const value = parseJsonText({ name, text });
  const source = isSarif(value)
    ? readSarif(name, value, roots)
    : at(value, 'schema') === 'jury.run/1'
      ? readRunRecord(name, value)
      : readFindingsList(name, value);
  return { ...source, warnings: [...textWarnings({ name, text }), ...source.warnings] };
}

/** Other versions may differ in all the rest. */
const WhatIsRead = RunRecord.pick({ reviewers: true, claims: true, coverage: true });

/** The findings of a run of Jury, with what each of its reviewers read: the JSON it prints, which lies in its folder as well. */
function readRunRecord(name: string, value: unknown): Source {
  const { claims, reviewers, coverage } = check(name, WhatIsRead, value);
  const entries = claims.flatMap(({ findings, state, id, confidence, deliberation }) => {
    const recorded = deliberation ? { id, confidence, deliberation } : null;
    const leftOut = state === 'dismissed' ? state : null;
    return findings.map((finding): Entry => ({ finding, rule: null, leftOut, recorded }));
  });
  const reviews = reviewers.map(({ id, status, model, runner }): Review => ({
    ...foreignReview(id, true),
    status,
    model,
    runner,
    coverage: coverage.files.map(file => ({
      path: file.path,
      extent: extentOf(file, id),
      why: null,
    })),
  }));
  return { name, entries, reviews, warnings: [] };
}

function extentOf(
  { by, partiallyBy, skippedBy }: RunRecord['coverage']['files'][number],
  reviewer: string,
) {
  if (by.includes(reviewer)) return 'full';
  if (partiallyBy.includes(reviewer)) return 'partial';
  return skippedBy.some(skipped => skipped.reviewer === reviewer) ? 'skipped' : 'outside';
}

const Text = z.string().nullish();
const Count = z.union([z.number(), z.string()], 'Must be a number or text.').nullish();
/** Keys that nobody knows are left out, and said once. */
const Listed = z.looseObject({
  reviewer: z.string().refine(name => toName(name) !== '', 'It is empty.'),
  text: z.string().refine(said => toLine(said) !== '', 'It is empty.'),
  path: Text,
  /** The same as `path`: what the consensus report calls it. */
  file: Text,
  line: Count,
  endLine: Count,
  severity: Text,
  category: Text,
  evidence: Text,
  recommendation: Text,
  id: Count,
});
type Listed = z.infer<typeof Listed>;
const List = z.looseObject({
  findings: z.array(Listed),
  reviewers: z
    .array(z.string().regex(/\S/, 'It is empty.'))
    .nullish()
    .transform(names => names ?? []),
});
const listKeys = ['findings', 'reviewers'];
const findingKeys = Object.keys(Listed.shape);

/** `{"findings": [{"reviewer", "text", …}]}`: what is only unknown is left out, and said once. */
function readFindingsList(name: string, value: unknown): Source {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (Array.isArray(value) || !keys.includes('findings'))
    throw inputError(
      `${name} holds neither SARIF nor {"findings": […]}.`,
      Array.isArray(value)
        ? 'Put the list under the key "findings".'
        : (didYouMean(
            ['findings', 'runs'].filter(known =>
              keys.some(key => nearest(key, [known]).length > 0),
            ),
          ) ?? 'See docs/consensus.md.'),
    );
  const { findings, reviewers } = check(name, List, value);
  const names = [...reviewers, ...findings.map(({ reviewer }) => reviewer)];
  const entries = findings.map(toEntry);
  const unknown = keys.filter(key => ![...listKeys, '$schema', 'schema'].includes(key));
  return {
    name,
    entries,
    reviews: [...new Set(names.map(toName))].map(each => foreignReview(each, true)),
    warnings: [
      ...unknown.map(key => withHint(`The unknown key "${key}" was left out.`, key, listKeys)),
      ...warningsOf(findings),
      ...nameWarnings(names),
      ...correctionWarnings(entries.map(({ finding }) => finding)),
    ].map(warning => `${name}: ${warning}`),
  };
}

function toEntry(listed: Listed, index: number): Entry {
  const { reviewer, line, endLine, severity, category, evidence = null } = listed;
  const path = listed.path ?? listed.file ?? '';
  const finding = toForeignFinding({
    reviewer: toName(reviewer),
    text: listed.text,
    originalId: String(listed.id ?? '').trim() || `#${index + 1}`,
    severity: foreignSeverityOf(severity ?? '') ?? unstatedSeverity,
    label: severity?.trim() || unstatedLabel,
    place: path.trim() === '' ? null : toPlace(path, line, endLine),
    category: category?.trim() || null,
    evidence,
    recommendation: listed.recommendation ?? null,
  });
  return { finding, rule: null, leftOut: null, recorded: null };
}

const mostWarnings = 20;

/** Each kind and each unknown key once, however many findings it is about. */
function warningsOf(listed: readonly Listed[]) {
  const warnAbout = (isMeant: (finding: Listed) => boolean, say: (where: string) => string) => {
    const first = listed.findIndex(isMeant);
    const more = listed.filter(isMeant).length - 1;
    return first === -1 ? [] : [say(`findings[${first}]${more > 0 ? ` and ${more} more` : ''}`)];
  };
  const isStrange = ({ severity }: Listed) =>
    typeof severity === 'string' && foreignSeverityOf(severity) === null;
  const word = JSON.stringify(listed.find(isStrange)?.severity?.slice(0, 60));
  const unknown = listed.flatMap(Object.keys).filter(key => !findingKeys.includes(key));
  return [
    ...[...new Set(unknown)].slice(0, mostWarnings).flatMap(key => {
      const shown = key.slice(0, 60);
      return warnAbout(
        finding => Object.hasOwn(finding, key),
        where =>
          withHint(`The unknown key "${shown}" of ${where} was left out.`, shown, findingKeys),
      );
    }),
    ...warnAbout(
      ({ severity = null }) => severity === null,
      where => `No severity is stated for ${where}; ${unstatedSeverity} was taken.`,
    ),
    ...warnAbout(
      isStrange,
      where => `Nobody declared the severity ${word} of ${where}; ${unstatedSeverity} was taken.`,
    ),
    ...warnAbout(
      ({ line = null, endLine = null }) => line === null && endLine !== null,
      where => `An endLine without a line was left out of ${where}.`,
    ),
  ];
}

/** Names that differ only in what is left out of them in reading count as one, so that nobody gains a voice by them. */
function nameWarnings(names: readonly string[]) {
  const written = new Set(names.map(name => name.trim()));
  const [first, ...more] = groupsBy(written, toName).filter(({ length }) => length > 1);
  if (!first) return [];
  const others = more.length === 0 ? '' : ` So are those of ${more.length} more.`;
  const shown = JSON.stringify(cut(toName(first[0]), 60));
  return [
    `${first.length} names of reviewers are read as ${shown} and count as one reviewer; ` +
      `give them names that differ in their first ${nameLimit} visible characters.${others}`,
  ];
}

function withHint(sentence: string, key: string, known: readonly string[]) {
  const hint = didYouMean(nearest(key, known));
  return hint === null ? sentence : `${sentence} ${hint}`;
}

// Lets any strategy match what static analysers say. One check at one place is one problem whatever its wording, and one tool that
// reports a check twice has found two; all else is the strategy's to say.

type CheckOf = (finding: Finding) => Check | null;

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
    const likeness = ([{ text }]: Meeting) =>
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
