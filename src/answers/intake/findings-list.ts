/**
 * Reads `{"findings": [{"reviewer", "text", …}]}`. A finding without a text or a reviewer is refused with its index;
 * what is only unknown is left out, and said once.
 */
import { z } from 'zod';
import { didYouMean, UserError } from '../../core/errors.ts';
import { cut, toLine } from '../../core/text.ts';
import { formatPath, nearest } from '../../core/schema-problem.ts';
import { unstatedSeverity } from '../../core/words/severity.ts';
import { unstatedLabel } from '../../core/words/stated.ts';
import {
  correctionWarnings,
  type Entry,
  foreignReview,
  foreignSeverityOf,
  nameLimit,
  type Source,
  toForeignFinding,
  toPlace,
  toReviewerName,
} from './source.ts';

const word = z
  .string()
  .nullish()
  .transform(value => value ?? null);

const text = word.transform(value => value ?? '');

const ListedFinding = z.looseObject({
  reviewer: text,
  text,
  path: word,
  /** The same as `path`: what the consensus report calls it. */
  file: word,
  line: z.union([z.number(), z.string()]).nullish(),
  endLine: z.union([z.number(), z.string()]).nullish(),
  severity: word,
  category: word,
  id: z
    .union([z.string(), z.number()])
    .nullish()
    .transform(value => String(value ?? '').trim()),
  evidence: word,
  recommendation: word,
});
type ListedFinding = z.infer<typeof ListedFinding>;

const findingKeys = Object.keys(ListedFinding.shape);
const listKeys = ['findings', 'reviewers', '$schema', 'schema'];

export function isFindingsList(value: unknown): value is { readonly findings: unknown } {
  return typeof value === 'object' && value !== null && 'findings' in value;
}

/** Throws `UserError` (kind `input`) naming the finding that cannot be read. */
export function readFindingsList(
  name: string,
  list: { readonly findings: unknown; readonly reviewers?: unknown },
): Source {
  const refuse = (place: string, sentence: string): never => {
    throw new UserError(`${name}: ${place} ${sentence}`, {
      kind: 'input',
      hint: 'See docs/consensus.md.',
    });
  };
  if (!Array.isArray(list.findings)) return refuse('findings', 'is no list.');
  const silent = z.array(z.string().trim().min(1)).nullish().safeParse(list.reviewers);
  if (!silent.success) return refuse('reviewers', 'is no list of names.');
  const listed = list.findings.map((value: unknown, index) =>
    checkFinding(value, sentence => refuse(`findings[${index}]`, sentence)),
  );
  const reviewers = new Set(
    [...(silent.data ?? []), ...listed.map(({ reviewer }) => reviewer)].map(toReviewerName),
  );
  const entries = listed.map(toEntry);
  return {
    name,
    entries,
    reviews: [...reviewers].map(reviewer => foreignReview(reviewer, true)),
    warnings: [
      ...unknownKeys(Object.keys(list), listKeys),
      ...unknownFindingKeys(listed),
      ...severityWarnings(listed),
      ...nameWarnings(silent.data ?? [], listed),
      ...lostEndWarnings(listed),
      ...correctionWarnings(entries.map(({ finding }) => finding)),
    ].map(warning => `${name}: ${warning}`),
  };
}

function checkFinding(value: unknown, refuse: (sentence: string) => never): ListedFinding {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('is no object.');
  const checked = ListedFinding.safeParse(value);
  if (!checked.success) return refuse(describeProblem(value, checked.error));
  if (toLine(checked.data.text) === '') return refuse('has no text.');
  return toReviewerName(checked.data.reviewer) === '' ? refuse('names no reviewer.') : checked.data;
}

function describeProblem(value: object, error: z.ZodError): string {
  const key = String(error.issues[0]?.path[0] ?? '');
  const given: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  const wanted = ['line', 'endLine', 'id'].includes(key) ? 'a number or a text' : 'a text';
  return `has ${kindOf(given)} for its ${formatPath([key])}, which must be ${wanted}.`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number'
    ? `a number${Number.isFinite(value) ? '' : ' that is too large'}`
    : typeof value === 'boolean'
      ? String(value)
      : `a ${typeof value}`;
}

function toEntry(listed: ListedFinding, index: number): Entry {
  const { reviewer, text, line, endLine, severity, category, evidence, recommendation, id } =
    listed;
  const path = listed.path ?? listed.file ?? '';
  const known = severity === null ? null : foreignSeverityOf(severity);
  const finding = toForeignFinding({
    reviewer: toReviewerName(reviewer),
    text,
    originalId: id === '' ? `#${index + 1}` : id,
    severity: known ?? unstatedSeverity,
    label: severity?.trim() || unstatedLabel,
    place: path.trim() === '' ? null : toPlace(path, line, endLine),
    category: category?.trim() || null,
    evidence,
    recommendation,
  });
  return { finding, rule: null, leftOut: null, recorded: null };
}

function unknownKeys(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter(key => !known.includes(key))
    .map(key => withHint(`The unknown key "${key}" was left out.`, key, known));
}

/** Each key once, however many findings have it. */
function unknownFindingKeys(listed: readonly ListedFinding[]): string[] {
  return [...new Set(listed.flatMap(finding => Object.keys(finding)))]
    .filter(key => !findingKeys.includes(key))
    .slice(0, mostWarnings)
    .flatMap(key => {
      const shown = key.slice(0, 60);
      return warn(
        indexesOf(listed, finding => Object.hasOwn(finding, key)),
        where =>
          withHint(`The unknown key "${shown}" of ${where} was left out.`, shown, findingKeys),
      );
    });
}

const mostWarnings = 20;

function severityWarnings(listed: readonly ListedFinding[]): string[] {
  const unknown = indexesOf(
    listed,
    ({ severity }) => severity !== null && foreignSeverityOf(severity) === null,
  );
  const word = JSON.stringify(listed[unknown[0] ?? 0]?.severity?.slice(0, 60));
  return [
    ...warn(
      indexesOf(listed, ({ severity }) => severity === null),
      where => `No severity is stated for ${where}; ${unstatedSeverity} was taken.`,
    ),
    ...warn(
      unknown,
      where => `Nobody declared the severity ${word} of ${where}; ${unstatedSeverity} was taken.`,
    ),
  ];
}

function indexesOf(
  listed: readonly ListedFinding[],
  isMeant: (finding: ListedFinding) => boolean,
): number[] {
  return listed.flatMap((finding, index) => (isMeant(finding) ? [index] : []));
}

/** Nothing where there are no findings to say it of. */
function warn([first, ...more]: readonly number[], say: (where: string) => string): string[] {
  return first === undefined ? [] : [say(places(first, more.length + 1))];
}

/** Names that differ only in what is left out of them in reading count as one, so that nobody gains a voice by them. */
function nameWarnings(silent: readonly string[], listed: readonly ListedFinding[]): string[] {
  const written = new Map<string, Set<string>>();
  for (const name of [...silent, ...listed.map(({ reviewer }) => reviewer)]) {
    const read = toReviewerName(name);
    written.set(read, (written.get(read) ?? new Set()).add(name.trim()));
  }
  const [first, ...more] = [...written].filter(([, names]) => names.size > 1);
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : ` So are those of ${more.length} more.`;
  return [
    `${first[1].size} names of reviewers are read as ${JSON.stringify(cut(first[0], 60))} and count as one reviewer; give them names that differ in their first ${nameLimit} visible characters.${others}`,
  ];
}

function lostEndWarnings(listed: readonly ListedFinding[]): string[] {
  return warn(
    indexesOf(listed, ({ line, endLine }) => (line ?? null) === null && (endLine ?? null) !== null),
    where => `An endLine without a line was left out of ${where}.`,
  );
}

function places(first: number, count: number): string {
  return count === 1 ? `findings[${first}]` : `findings[${first}] and ${count - 1} more`;
}

function withHint(sentence: string, key: string, known: readonly string[]): string {
  const hint = didYouMean(nearest(key, known));
  return hint === null ? sentence : `${sentence} ${hint}`;
}
