/**
 * Reads `{"findings": [{"reviewer", "text", …}]}`. A finding without a text or a reviewer is refused with its index;
 * what is only unknown is left out, and said once.
 */
import { didYouMean, inputError } from '../../core/errors.ts';
import { cut, toLine } from '../../core/text.ts';
import { formatPath, nearest } from '../../core/schema-problem.ts';
import { unstatedSeverity } from '../../core/words/severity.ts';
import { unstatedLabel } from '../../core/words/stated.ts';
import {
  at,
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

const textKeys = [
  'reviewer',
  'text',
  'path',
  /** The same as `path`: what the consensus report calls it. */
  'file',
  'severity',
  'category',
  'evidence',
  'recommendation',
] as const;
const otherKeys = ['line', 'endLine', 'id'] as const;
const findingKeys: readonly string[] = [...textKeys, ...otherKeys];

type Listed = Readonly<Record<(typeof textKeys)[number], string | null>> &
  Readonly<Record<(typeof otherKeys)[number], string | number | null>> & {
    /** Those that nobody knows. */
    readonly unknown: readonly string[];
  };

/** Throws `UserError` (kind `input`) naming the finding that cannot be read. */
export function readFindingsList(name: string, list: unknown): Source {
  const refuse = (place: string, sentence: string): never => {
    throw inputError(`${name}: ${place} ${sentence}`, 'See docs/consensus.md.');
  };
  const keys = typeof list === 'object' && list !== null ? Object.keys(list) : [];
  if (Array.isArray(list) || !keys.includes('findings'))
    throw inputError(
      `${name} holds neither SARIF nor {"findings": […]}.`,
      Array.isArray(list)
        ? 'Put the list under the key "findings".'
        : (didYouMean(
            ['findings', 'runs'].filter(known =>
              keys.some(key => nearest(key, [known]).length > 0),
            ),
          ) ?? 'See docs/consensus.md.'),
    );
  const given = at(list, 'findings');
  if (!Array.isArray(given)) return refuse('findings', 'is no list.');
  const silent = at(list, 'reviewers') ?? [];
  if (!Array.isArray(silent) || !silent.every(each => typeof each === 'string' && each.trim()))
    return refuse('reviewers', 'is no list of names.');
  const listed = given.map((value: unknown, index) =>
    check(value, sentence => refuse(`findings[${index}]`, sentence)),
  );
  const names = [...silent.map(String), ...listed.map(({ reviewer }) => reviewer ?? '')];
  const entries = listed.map(toEntry);
  const unknown = keys.filter(key => !['findings', 'reviewers', '$schema', 'schema'].includes(key));
  return {
    name,
    entries,
    reviews: [...new Set(names.map(toReviewerName))].map(each => foreignReview(each, true)),
    warnings: [
      ...unknown.map(key =>
        withHint(`The unknown key "${key}" was left out.`, key, ['findings', 'reviewers']),
      ),
      ...warningsOf(listed),
      ...nameWarnings(names),
      ...correctionWarnings(entries.map(({ finding }) => finding)),
    ].map(warning => `${name}: ${warning}`),
  };
}

function check(value: unknown, refuse: (sentence: string) => never): Listed {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('is no object.');
  const isWrong = (key: string): boolean => {
    const stated = at(value, key) ?? '';
    const isNumber = (otherKeys as readonly string[]).includes(key) && Number.isFinite(stated);
    return typeof stated !== 'string' && !isNumber;
  };
  const wrong = findingKeys.find(isWrong);
  if (wrong !== undefined)
    return refuse(
      `has ${kindOf(at(value, wrong))} for its ${formatPath([wrong])}, which must be ${(otherKeys as readonly string[]).includes(wrong) ? 'a number or a text' : 'a text'}.`,
    );
  const unknown = Object.keys(value).filter(key => !findingKeys.includes(key));
  const known = Object.fromEntries(findingKeys.map(key => [key, at(value, key) ?? null]));
  const listed = { ...known, unknown } as unknown as Listed;
  if (toLine(listed.text ?? '') === '') return refuse('has no text.');
  return toReviewerName(listed.reviewer ?? '') === '' ? refuse('names no reviewer.') : listed;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return String(value);
  return Number.isFinite(value) ? 'a number' : 'a number that is too large';
}

function toEntry(listed: Listed, index: number): Entry {
  const { reviewer, text, line, endLine, severity, category, evidence, recommendation } = listed;
  const path = listed.path ?? listed.file ?? '';
  const id = String(listed.id ?? '').trim();
  const finding = toForeignFinding({
    reviewer: toReviewerName(reviewer ?? ''),
    text: text ?? '',
    originalId: id === '' ? `#${index + 1}` : id,
    severity: foreignSeverityOf(severity ?? '') ?? unstatedSeverity,
    label: severity?.trim() || unstatedLabel,
    place: path.trim() === '' ? null : toPlace(path, line, endLine),
    category: category?.trim() || null,
    evidence,
    recommendation,
  });
  return { finding, rule: null, leftOut: null, recorded: null };
}

const mostWarnings = 20;

/** Each kind and each unknown key once, however many findings it is about. */
function warningsOf(listed: readonly Listed[]): string[] {
  const warnAbout = (isMeant: (finding: Listed) => boolean, say: (where: string) => string) => {
    const first = listed.findIndex(isMeant);
    const more = listed.filter(isMeant).length - 1;
    return first === -1 ? [] : [say(`findings[${first}]${more > 0 ? ` and ${more} more` : ''}`)];
  };
  const isStrange = ({ severity }: Listed): boolean =>
    severity !== null && foreignSeverityOf(severity) === null;
  const word = JSON.stringify(listed.find(isStrange)?.severity?.slice(0, 60));
  const keys = [...new Set(listed.flatMap(({ unknown }) => unknown))].slice(0, mostWarnings);
  return [
    ...keys.flatMap(key => {
      const shown = key.slice(0, 60);
      return warnAbout(
        ({ unknown }) => unknown.includes(key),
        where =>
          withHint(`The unknown key "${shown}" of ${where} was left out.`, shown, findingKeys),
      );
    }),
    ...warnAbout(
      ({ severity }) => severity === null,
      where => `No severity is stated for ${where}; ${unstatedSeverity} was taken.`,
    ),
    ...warnAbout(
      isStrange,
      where => `Nobody declared the severity ${word} of ${where}; ${unstatedSeverity} was taken.`,
    ),
    ...warnAbout(
      ({ line, endLine }) => line === null && endLine !== null,
      where => `An endLine without a line was left out of ${where}.`,
    ),
  ];
}

/** Names that differ only in what is left out of them in reading count as one, so that nobody gains a voice by them. */
function nameWarnings(names: readonly string[]): string[] {
  const written = new Map<string, Set<string>>();
  for (const name of names) {
    const read = toReviewerName(name);
    written.set(read, (written.get(read) ?? new Set()).add(name.trim()));
  }
  const [first, ...more] = [...written].filter(([, same]) => same.size > 1);
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : ` So are those of ${more.length} more.`;
  return [
    `${first[1].size} names of reviewers are read as ${JSON.stringify(cut(first[0], 60))} and count as one reviewer; give them names that differ in their first ${nameLimit} visible characters.${others}`,
  ];
}

function withHint(sentence: string, key: string, known: readonly string[]): string {
  const hint = didYouMean(nearest(key, known));
  return hint === null ? sentence : `${sentence} ${hint}`;
}
