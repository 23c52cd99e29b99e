/**
 * Data on its way to a terminal: made visible, capped, and measured in columns as a terminal counts them. Colours are
 * added after these functions, never before, so that no escape sequence can come from data.
 */
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { makeVisible } from '../core/safety/visible-text.ts';

export { visibleName as pathText } from '../core/safety/visible-text.ts';

/** One line of data; runs of blanks and line ends become one space. `cap` counts UTF-16 units before escaping. */
export function oneLine(text: string, cap = 400) {
  const line = makeVisible(
    head(text, cap)
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

/** The first line starts with `lead`, the others with as many blanks; the lead counts towards the width. */
export function hang(lead: string, text: string, width: number) {
  const indent = widthOf(lead);
  return wrap(text, width - indent).map(
    (line, index) => `${index === 0 ? lead : ' '.repeat(indent)}${line}`,
  );
}

/** Each line of the text broken between words; what goes on keeps the indentation. */
export function wrapLines(text: string, width: number) {
  return text
    .split('\n')
    .flatMap(line => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      return widthOf(line) <= width ? line : hang(indent, line.slice(indent.length), width);
    })
    .join('\n');
}

/**
 * The same for words that somebody copies from a terminal: a path, an address or an id that is longer than a line stays whole, on
 * a line of its own.
 */
export function wrapWords(text: string, width: number) {
  return text
    .split('\n')
    .map(line => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const room = Math.max(1, width - indent.length);
      return widthOf(line) <= width
        ? line
        : wrapAnsi(line.slice(indent.length), room).replaceAll(/^/gm, indent);
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

/** Never ends in half a surrogate pair. */
function head(text: string, cap: number) {
  if (text.length <= cap) return text;
  const last = text.charCodeAt(cap - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? cap - 1 : cap);
}
