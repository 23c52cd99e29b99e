/** JSON files of a session, read so that a person can find what is wrong with them. */
import type { z } from 'zod';
import { UserError } from '../errors.ts';
import { locateFault } from '../intake/source.ts';

/** Throws `UserError` (kind `input`) with line and column. A byte order mark is no part of the text. */
export function parseSessionJson(file: string, text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    const { line, column, reason } = locateFault(json);
    const words = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    throw new UserError(
      `Error: ${file} is not valid JSON: ${json.trim() === '' ? 'it is empty' : words} at line ${line} column ${column}`,
      { kind: 'input', cause: error },
    );
  }
}

/** Checks each element of an array by itself, so that the first wrong one is named with its 0-based position. */
export function checkElements<Schema extends z.ZodType>(
  file: string,
  value: unknown,
  element: Schema,
): z.output<Schema>[] {
  if (!Array.isArray(value))
    throw new UserError(`Error: ${file}: must be an array`, { kind: 'input' });
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

// Words of a member, whatever shape it gave them. Asked for a text, models answer with lists and with objects such as
// `{"Clause 1": "…"}`; all of it is kept as text, a line for each entry.

/** Null when nothing is said; a bare number says nothing. Objects may be plain ones or maps. */
export function statedText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'object') return null;
  const text = linesOf(value, 0).join('\n');
  return text.trim() === '' ? null : text;
}

/** One text for each thing that is listed; a single one is a list of one. */
export function statedTexts(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.map(item => statedText(item)).filter(text => text !== null);
}

/** As deep as the scanner of answers goes; a file can go deeper. */
const deepest = 64;

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  if (typeof value !== 'object') return [JSON.stringify(value)];
  if (depth === deepest) return ['…'];
  if (Array.isArray(value)) return value.flatMap(item => linesOf(item, depth + 1));
  const entries: Iterable<readonly [unknown, unknown]> =
    value instanceof Map ? value : Object.entries(value);
  return [...entries].flatMap(([key, inner]) => entryOf(String(key), linesOf(inner, depth + 1)));
}

function entryOf(key: string, lines: readonly string[]): string[] {
  const [only = ''] = lines;
  return lines.length <= 1
    ? [`${key}: ${only}`.trimEnd()]
    : [`${key}:`, ...lines.map(line => `  ${line}`)];
}
