/** Reads JSON that a person handed over. What is not well-formed is named with its line and column. */
import { UserError } from '../errors.ts';
import { scanJson, skipSpace } from '../parse/scanner.ts';
import type { NamedText } from './source.ts';

/** Throws `UserError` (kind `input`). A byte order mark is no part of the text. */
export function parseJsonText({ name, text: whole }: NamedText): unknown {
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
  if (text.trim() === '') throw new UserError(`${name} is empty.`, { kind: 'input' });
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column, reason } = locateFault(text);
    throw new UserError(`${name}:${line}:${column}: ${reason}`, { kind: 'input', hint: text.includes('\0') ? 'It looks like UTF-16; save it as UTF-8.' : null, cause: error });
  }
}

export interface JsonFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** A sentence. */
  readonly reason: string;
}

/** Where a text stops being JSON. The built-in reader does not say reliably where it stopped; the strict one of answers does. */
export function locateFault(text: string): JsonFault {
  const scanned = scanJson(text);
  const at = scanned.ok ? skipSpace(text, scanned.end) : scanned.at;
  const before = text.slice(0, at).split('\n');
  const reason = !scanned.ok && scanned.cause === 'truncated' ? 'The JSON ends in the middle of a value.' : 'This is no JSON.';
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, reason };
}
