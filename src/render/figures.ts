/** Figures as people read them: counts with their noun, tokens, money, spans of time. */
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { makeVisible } from '../core/safety/visible-text.ts';
import { wholeEnd } from '../core/text.ts';
import type { Run } from '../core/words/run.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';

/** `1 file`, `2 files`; `plural` for nouns that do not take an s. */
export function count(amount: number, noun: string, plural = `${noun}s`) {
  return `${amount} ${amount === 1 ? noun : plural}`;
}

/** A share as `45 %`. */
export function percent(share: number) {
  return `${Math.round(100 * share)} %`;
}

/** `850`, `8.2k`, `41k`, `1.3M`. */
export function shortCount(amount: number) {
  if (amount < 1000) return String(amount);
  return amount < 999_500 ? `${scaled(amount / 1000)}k` : `${scaled(amount / 1_000_000)}M`;
}

/** `850ms`, `14.2s`, `2m 05s`, `1h 02m`. */
export function duration(ms: number) {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}h ${twoDigits(minutes)}m` : `${minutes}m ${twoDigits(seconds % 60)}s`;
}

/** US dollars; null when no price is known. */
export function money(cost: number | null) {
  if (cost === null) return 'cost unknown';
  return cost > 0 && cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** Of several reviewers. `unpriced`: how many of them spent tokens that nobody knows the price of. */
export function moneyOfAll(cost: number | null, unpriced: number) {
  if (unpriced === 0) return money(cost);
  return cost === null || cost === 0
    ? money(null)
    : `at least ${money(cost)} (${count(unpriced, 'reviewer')} of unknown cost)`;
}

/** Milliseconds between two ISO times; null when one of them is none. */
export function elapsed(from: string, to: string) {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? null : ms;
}

function scaled(amount: number) {
  return amount < 9.95 ? amount.toFixed(1) : String(Math.round(amount));
}

function twoDigits(amount: number) {
  return String(amount).padStart(2, '0');
}

// Data on its way to a terminal: made visible, capped, and measured in columns as a terminal counts them. Colours are added after
// these functions, never before, so that no escape sequence can come from data.

export { visibleName as pathText } from '../core/safety/visible-text.ts';

/** One line of data; runs of blanks and line ends become one space. `cap` counts UTF-16 units before escaping. */
export function oneLine(text: string, cap = 400) {
  const line = makeVisible(
    text
      .slice(0, wholeEnd(text, cap))
      .replace(/(?:[ \t\n]|\r\n)+/g, ' ')
      .trim(),
  );
  return text.length > cap ? `${line}…` : line;
}

/** Data of several lines, each made visible; tabs become two spaces. */
export function manyLines(text: string) {
  return text.split(/\r?\n/).map(line => makeVisible(line.replaceAll('\t', '  ')));
}

export function widthOf(text: string) {
  return stringWidth(text);
}

/** Lines of at most `width` columns; a word longer than that is broken. Always at least one line. */
export function wrap(text: string, width: number) {
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split('\n');
}

/**
 * Each line of the text broken between words; what goes on stands below what it belongs to, behind the blanks or the mark that its
 * line begins with. A path, an address or an id longer than a line stays whole, so that it can be copied; on pages of help it is broken.
 */
export function wrapWords(text: string, width: number, breaksWords = false) {
  return text
    .split('\n')
    .map(line => {
      if (widthOf(line) <= width) return line;
      const [lead = ''] = /^(?:[✓✗!] )? */.exec(line) ?? [];
      const blanks = `\n${' '.repeat(lead.length)}`;
      const room = Math.max(1, width - lead.length);
      return (
        lead +
        wrapAnsi(line.slice(lead.length), room, { hard: breaksWords }).replaceAll('\n', blanks)
      );
    })
    .join('\n');
}

/** At most `width` columns, with an ellipsis in the last one when something was left out. */
export function cut(text: string, width: number) {
  if (text.length <= width && widthOf(text) <= width) return text;
  let kept = '';
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = columns + widthOf(segment);
    if (next > width - 1) return `${kept}…`;
    kept += segment;
    columns = next;
  }
  return kept;
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left') {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? `${text}${blanks}` : `${blanks}${text}`;
}

// The run as a program reads it: `jury.run/1`.

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
