/** What is read of the files of a vote that anybody may have written: the little that follows from nothing else. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { ReviewResponse } from './records.ts';
import { Count, NullableText } from '../words/fields.ts';

/** A row of `review_responses.json`. */
export const RecordedAnswer = ReviewResponse.extend({
  pass: z.union([z.literal(1), z.literal(2)]),
});

/** Of a row of `ratification_history.json`. */
export const RecordedRevision = z.object({
  mega_motion_id: z.string(),
  revised_by: NullableText,
  revised_motion_text: NullableText,
});

/** Of the details of `pipeline_started`. */
export const RecordedStart = z.object({ consolidator_path: z.string() });

/** Of `pipeline_result.json`. */
export const RecordedFigures = z.object({
  started_at: z.string(),
  completed_at: z.string(),
  calls: Count,
  tokens: Count,
  cost: z.number().nonnegative().nullable(),
});

/** Throws `UserError` (kind `input`) naming file, 0-based element and key. */
export function checkResult<Schema extends z.ZodType>(
  value: unknown,
  file: string,
  schema: Schema,
  index: number | null = null,
): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = [
    ...(index === null ? [] : [`element ${index}`]),
    ...(issue === undefined || issue.path.length === 0 ? [] : [issue.path.map(String).join('.')]),
  ];
  throw new UserError(`${[file, ...where].join(': ')}: ${issue?.message ?? 'is no such thing'}`, {
    kind: 'input',
  });
}
