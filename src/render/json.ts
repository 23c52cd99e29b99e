/** The run as a program reads it: `jury.run/1`. */
import type { Run } from '../core/words/run.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';

/**
 * Parses back to exactly the record, with the code the process ends with. Pure ASCII where a terminal might take a character
 * for a command.
 */
export function renderJson({ record }: Run, exitCode: number = exitCodeOf(record.outcome)) {
  return printJson({ ...record, exitCode });
}

/** Any data as JSON that steers no terminal and no log; ends with a line feed. */
export function printJson(value: unknown) {
  const text = escapeHidden(JSON.stringify(value, null, 2));
  // Can stand in a string alone. In a log GitHub Actions would take it for a command.
  return `${text.replaceAll('##[', '##\\u005b')}\n`;
}

const hiddenPattern =
  /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/gu;

/** `JSON.stringify` escapes C0 only; as `\\uXXXX` the same text parses to the same value and steers nothing. */
export function escapeHidden(json: string) {
  return json.replace(hiddenPattern, character =>
    [...Array(character.length).keys()]
      .map(index => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
