/** Reads JSON that people wrote: what cannot be used is named with its place. */
import type { z } from 'zod';
import { locateFault } from '../answers/index.ts';
import { inputError, UserError } from './errors.ts';

/** Throws `UserError` with line and column. A byte order mark is no part of the text. */
export function parseSessionJson(
  file: string,
  given: string,
  kind: UserError['kind'] = 'input',
): unknown {
  const json = given.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    const { line, column, reason } = locateFault(json);
    const words = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    throw new UserError(
      `Error: ${file} is not valid JSON: ${json.trim() === '' ? 'it is empty' : words} at line ${line} column ${column}`,
      { kind, cause: error },
    );
  }
}

/** Checks each element of an array by itself, so that the first wrong one is named with its 0-based position. */
export function checkElements<Schema extends z.ZodType>(
  file: string,
  value: unknown,
  element: Schema,
): z.output<Schema>[] {
  if (!Array.isArray(value)) throw inputError(`Error: ${file}: must be an array`);
  return value.map((item: unknown, index) => {
    const checked = element.safeParse(item);
    if (checked.success) return checked.data;
    throw wrongElement(file, index, describeFault(checked.error));
  });
}

/** The first thing that is wrong, with its place where it has one. */
export function describeFault({ issues: [first] }: z.ZodError) {
  const { path = [], message = 'Invalid value' } = first ?? {};
  return [path.join('.'), message].filter(Boolean).join(': ');
}

export function wrongElement(
  file: string,
  index: number,
  reason: string,
  hint: string | null = null,
) {
  return inputError(`Error: ${file}: element ${index}: ${reason}`, hint);
}
