/** JSON files of a session, read so that a person can find what is wrong with them. */
import type { z } from 'zod';
import { UserError } from '../errors.ts';
import { locateFault } from '../intake/json-text.ts';

/** Throws `UserError` (kind `input`) with line and column. A byte order mark is no part of the text. */
export function parseSessionJson(file: string, text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    const { line, column, reason } = locateFault(json);
    const words = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    throw new UserError(`Error: ${file} is not valid JSON: ${json.trim() === '' ? 'it is empty' : words} at line ${line} column ${column}`, { kind: 'input', cause: error });
  }
}

/** Checks each element of an array by itself, so that the first wrong one is named with its 0-based position. */
export function checkElements<Schema extends z.ZodType>(file: string, value: unknown, element: Schema): z.output<Schema>[] {
  if (!Array.isArray(value)) throw new UserError(`Error: ${file}: must be an array`, { kind: 'input' });
  return value.map((item: unknown, index) => {
    const checked = element.safeParse(item);
    if (checked.success) return checked.data;
    throw wrongElement(file, index, sentenceOf(checked.error));
  });
}

export function wrongElement(file: string, index: number, reason: string): UserError {
  return new UserError(`Error: ${file}: element ${index}: ${reason}`, { kind: 'input' });
}

function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'Invalid value'}`;
}
