/** Go: what is made as a record of a named type can be written as JSON, and the error of that is thrown away for good reason. */
import type { Node } from 'web-tree-sitter';
import type { Found } from './rule.ts';

const type = '[A-Za-z_][\\w.]{0,80}';
const literal = new RegExp(`^&?${type}\\{`);
/** Texts, truths and whole numbers, in a list or by text. */
const plainList = /^(?:\[\]|map\[string\](?:\[\])?)(?:string|bool|u?int\d{0,2})\{/;
const farthest = 600;
/** Some of what they hold cannot be written. */
const doubtful =
  /\b(?:any|interface\s*\{\s*\}|chan|func|float\d\d|complex\d+)\b|^\s*(?:any|interface)\b/;

/** `json.Marshal(Order{…})`, or of a variable that is made so in the same function. */
export function isRecord(value: Node | null, { lines }: Found): boolean {
  const text = value?.text ?? '';
  const row = value?.startPosition.row ?? 0;
  if (plainList.test(text)) return true;
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
  if (/^(?:any|map|interface|struct|float\d\d)\b/.test(name)) return false;
  const known = doubted.get(lines) ?? doubtedIn(lines);
  doubted.set(lines, known);
  return !known.has(name);
}

/** By the lines of a file, which are the same array for all that is asked of it. */
const doubted = new WeakMap<readonly string[], ReadonlySet<string>>();

function doubtedIn(lines: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  let name: string | null = null;
  for (const line of lines) {
    name = /^type\s+(\w+)\s+struct\b/.exec(line)?.[1] ?? name;
    if (name === null) continue;
    if (doubtful.test(line.slice(0, 300).replace(/`.*|\/\/.*/, ''))) names.add(name);
    if (/^\}|^type\b.*\}\s*$/.test(line)) name = null;
  }
  return names;
}
