/** Reads the text of a file or the record of a run with findings, whichever of the known formats it is in. */
import { didYouMean, UserError } from '../../core/errors.ts';
import type { Review } from '../../core/words/review.ts';
import { RunRecord } from '../../core/words/run.ts';
import { firstProblem, formatPath, nearest } from '../../core/schema-problem.ts';
import { isFindingsList, readFindingsList } from './findings-list.ts';
import { isSarif, readSarif } from './sarif.ts';
import {
  type Entry,
  foreignReview,
  type NamedText,
  parseJsonText,
  type Source,
  textWarnings,
} from './source.ts';

/** `roots`: absolute folders that absolute paths are made relative to. Throws `UserError` (kind `input`). */
export function readSource({ name, text }: NamedText, roots: readonly string[]): Source {
  const value = parseJsonText({ name, text });
  const source = readValue(name, value, roots);
  return { ...source, warnings: [...textWarnings({ name, text }), ...source.warnings] };
}

function readValue(name: string, value: unknown, roots: readonly string[]): Source {
  if (isSarif(value)) return readSarif(name, value, roots);
  if (isRunRecord(value)) return readRunRecord(name, value);
  if (isFindingsList(value)) return readFindingsList(name, value);
  throw new UserError(`${name} holds neither SARIF nor {"findings": […]}.`, {
    kind: 'input',
    hint: hintFor(value),
  });
}

function hintFor(value: unknown): string {
  if (Array.isArray(value)) return 'Put the list under the key "findings".';
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return (
    didYouMean(
      ['findings', 'runs'].filter(known => keys.some(key => nearest(key, [known]).length > 0)),
    ) ?? 'See docs/consensus.md.'
  );
}

/** Other versions may differ in all the rest. */
const WhatIsRead = RunRecord.pick({ reviewers: true, claims: true, coverage: true });

/** The findings of a run of Jury, with what each of its reviewers read: the JSON it prints, which lies in its folder as well. */
function isRunRecord(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    value.schema === 'jury.run/1'
  );
}

/** Throws `UserError` (kind `input`) when the record is not one. */
function readRunRecord(name: string, value: object): Source {
  const checked = WhatIsRead.safeParse(value);
  if (!checked.success) {
    const { path, sentence } = firstProblem(WhatIsRead, checked.error);
    throw new UserError(`${name}: ${formatPath(path)} cannot be used: ${sentence}`, {
      kind: 'input',
    });
  }
  const { claims, reviewers, coverage } = checked.data;
  const entries = claims.flatMap(({ findings, state, id, confidence, verified, deliberation }) => {
    const recorded =
      verified === undefined && deliberation === undefined
        ? null
        : { id, confidence, ...(verified && { verified }), ...(deliberation && { deliberation }) };
    return findings.map((finding): Entry => ({
      finding,
      rule: null,
      leftOut: state === 'dismissed' ? 'dismissed' : null,
      recorded,
    }));
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
): Review['coverage'][number]['extent'] {
  if (by.includes(reviewer)) return 'full';
  if (partiallyBy.includes(reviewer)) return 'partial';
  return skippedBy.some(skipped => skipped.reviewer === reviewer) ? 'skipped' : 'outside';
}
