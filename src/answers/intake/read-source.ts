/** Reads the text of a file or the record of a run with findings, whichever of the known formats it is in. */
import { z } from 'zod';
import { didYouMean, inputError } from '../../core/errors.ts';
import type { Review } from '../../core/words/review.ts';
import { RunRecord } from '../../core/words/run.ts';
import { unstatedSeverity } from '../../core/words/severity.ts';
import { unstatedLabel } from '../../core/words/stated.ts';
import { cut, toLine } from '../../core/text.ts';
import { nearest } from '../../core/schema-problem.ts';
import { isSarif, readSarif } from './sarif.ts';
import {
  at,
  check,
  correctionWarnings,
  type Entry,
  foreignReview,
  foreignSeverityOf,
  nameLimit,
  type NamedText,
  parseJsonText,
  type Source,
  textWarnings,
  toForeignFinding,
  toPlace,
  toReviewerName,
} from './intake.ts';

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
  reviewer: z.string().refine(name => toReviewerName(name) !== '', 'It is empty.'),
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
    reviews: [...new Set(names.map(toReviewerName))].map(each => foreignReview(each, true)),
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
    reviewer: toReviewerName(reviewer),
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
  const written = new Map<string, Set<string>>();
  for (const name of names) {
    const read = toReviewerName(name);
    written.set(read, (written.get(read) ?? new Set()).add(name.trim()));
  }
  const [first, ...more] = [...written].filter(([, same]) => same.size > 1);
  if (!first) return [];
  const others = more.length === 0 ? '' : ` So are those of ${more.length} more.`;
  const shown = JSON.stringify(cut(first[0], 60));
  return [
    `${first[1].size} names of reviewers are read as ${shown} and count as one reviewer; ` +
      `give them names that differ in their first ${nameLimit} visible characters.${others}`,
  ];
}

function withHint(sentence: string, key: string, known: readonly string[]) {
  const hint = didYouMean(nearest(key, known));
  return hint === null ? sentence : `${sentence} ${hint}`;
}
