/** Reads the text of a file or the record of a run with findings, whichever of the known formats it is in. */
import { inputError } from '../../core/errors.ts';
import type { Review } from '../../core/words/review.ts';
import { RunRecord } from '../../core/words/run.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { readFindingsList } from './findings-list.ts';
import { isSarif, readSarif } from './sarif.ts';
import {
  at,
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
  const source = isSarif(value)
    ? readSarif(name, value, roots)
    : at(value, 'schema') === 'jury.run/1'
      ? readRunRecord(name, value)
      : readFindingsList(name, value);
  return { ...source, warnings: [...textWarnings({ name, text }), ...source.warnings] };
}

/** Other versions may differ in all the rest. */
const WhatIsRead = RunRecord.pick({ reviewers: true, claims: true, coverage: true });

/**
 * The findings of a run of Jury, with what each of its reviewers read: the JSON it prints, which lies in its folder as well. Throws
 * `UserError` (kind `input`) when the record is not one.
 */
function readRunRecord(name: string, value: unknown): Source {
  const checked = WhatIsRead.safeParse(value);
  if (!checked.success) {
    const { path, sentence } = firstProblem(WhatIsRead, checked.error);
    throw inputError(`${name}: ${formatPath(path)} cannot be used: ${sentence}`);
  }
  const { claims, reviewers, coverage } = checked.data;
  const entries = claims.flatMap(({ findings, state, id, confidence, deliberation }) => {
    const recorded = deliberation === undefined ? null : { id, confidence, deliberation };
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
