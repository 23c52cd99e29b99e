/** The line `LABEL|text` or `LABEL|path:line|text`, in all its dresses: bullets, brackets, emphasis, backticks. */
import { placeIn, placeOf, type Place } from './place.ts';

export interface LabelledLine {
  readonly label: string;
  /** Null when no field is a place and none stands in the text. */
  readonly place: Place | null;
  readonly text: string;
}

const shape = /^\s*(?:[-*+](?![-*+])|\d{1,3}[.)])?\s*(?:\[[ xX]?\]\s*)?([*_`[(]{0,4})([\p{L}\p{N}][\p{L}\p{M}\p{N}_./+-]{0,39})[*_`\])]{0,4}\s{0,8}\|/u;

/** Null when the line does not begin with one word and a bar. Whether anybody declared the word is not asked here. */
export function readLabelledLine(line: string, units?: ReadonlySet<string>): LabelledLine | null {
  const head = shape.exec(line.slice(0, 200));
  if (head?.[2] === undefined) return null;
  const rest = withoutTail(line.slice(head[0].length), head[1] ?? '').trim();
  const bar = rest.indexOf('|');
  const place = bar === -1 ? null : placeOf(rest.slice(0, bar), units);
  const text = place === null ? rest : rest.slice(bar + 1).trim();
  return { label: head[2], place: place ?? placeIn(text), text };
}

/** Emphasis that opened before the label and closes at the end of the line is dress, not text. */
function withoutTail(rest: string, opener: string): string {
  const mark = opener.replace(/[[(]/g, '');
  return mark !== '' && rest.trimEnd().endsWith(mark) && !rest.trimEnd().slice(0, -mark.length).includes(mark) ? rest.trimEnd().slice(0, -mark.length) : rest;
}
