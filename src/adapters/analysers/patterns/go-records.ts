/** Go: what is made as a record of a named type can be written as JSON, and the error of that is thrown away for good reason. */
import type { Node } from 'web-tree-sitter';
import type { Found } from './rule.ts';

const type = '[A-Za-z_][\\w.]{0,80}';
const literal = new RegExp(`^&?${type}\\{`);
const farthest = 1_500;
/** Some of what they hold cannot be written. */
const doubtful =
  /\b(?:any|interface\s*\{\s*\}|chan|func|float\d\d|complex\d+)\b|^\s*(?:any|interface)\b/;

/** `json.Marshal(Order{…})`, or of a variable that is made so in the same function. */
export function isRecord(value: Node | null, { lines }: Found): boolean {
  const text = value?.text ?? '';
  const row = value?.startPosition.row ?? 0;
  if (literal.test(text)) return isPlain(/^&?([\w.]+)/.exec(text)?.[1] ?? '', lines);
  const name = /^&?([A-Za-z_]\w*)$/.exec(text)?.[1];
  if (name === undefined) return false;
  const made = new RegExp(
    `^\\s*(?:var\\s+)?${name}\\s*:?=\\s*&?(${type})\\{|^\\s*var\\s+${name}\\s+(${type})\\s*$`,
  );
  for (let at = row - 1; at >= Math.max(0, row - farthest); at -= 1) {
    const line = (lines[at] ?? '').slice(0, 300);
    const found = made.exec(line);
    if (found !== null) return isPlain(found[1] ?? found[2] ?? '', lines);
    if (/^func\b/.test(line)) return false;
  }
  return false;
}

/** No type of the language, and none that this file shows to hold what cannot be written. */
function isPlain(name: string, lines: readonly string[]): boolean {
  if (/^(?:any|map|interface|struct|float\d\d|\[)/.test(name)) return false;
  const head = new RegExp(`^type\\s+${name.replace(/\./g, '\\.')}\\s+struct\\b`);
  const start = lines.findIndex(line => head.test(line));
  if (start < 0) return true;
  const end = lines.findIndex((line, index) => index >= start && /^\}|\}\s*$/.test(line));
  return !lines.slice(start + 1, end).some(line => doubtful.test(line.replace(/`.*|\/\/.*/, '')));
}
