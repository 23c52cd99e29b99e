/** The findings of a run of Jury, with what each of its reviewers read: the JSON it prints, which lies in its folder as well. */
import { UserError } from '../errors.ts';
import type { Review } from '../review.ts';
import { RunRecord } from '../run.ts';
import { formatPath } from '../schema-problem.ts';
import { foreignReview } from './foreign-finding.ts';
import type { Entry, Source } from './source.ts';

/** Other versions may differ in all the rest. */
const WhatIsRead = RunRecord.pick({ reviewers: true, claims: true, coverage: true });

export function isRunRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === 'jury.run/1';
}

/** Throws `UserError` (kind `input`) when the record is not one. */
export function readRunRecord(name: string, value: object): Source {
  const checked = WhatIsRead.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new UserError(`${name}: ${formatPath((issue?.path ?? []).filter(part => typeof part !== 'symbol'))} cannot be used: ${issue?.message ?? 'invalid'}.`, { kind: 'input' });
  }
  const { claims, reviewers, coverage } = checked.data;
  const entries = claims.flatMap(({ findings, state }) => findings.map((finding): Entry => ({ finding, rule: null, leftOut: state === 'dismissed' ? 'dismissed' : null })));
  const reviews = reviewers.map(({ id, status, model, runner }): Review => ({
    ...foreignReview(id, true), status, model, runner,
    coverage: coverage.files.map(file => ({ path: file.path, extent: extentOf(file, id), why: null })),
  }));
  return { name, entries, reviews, warnings: [] };
}

function extentOf({ by, partiallyBy, skippedBy }: RunRecord['coverage']['files'][number], reviewer: string): Review['coverage'][number]['extent'] {
  if (by.includes(reviewer)) return 'full';
  if (partiallyBy.includes(reviewer)) return 'partial';
  return skippedBy.some(skipped => skipped.reviewer === reviewer) ? 'skipped' : 'outside';
}
