/** Changes that look like work and are none: tests that cannot fail, switched flags, comments alone. */
import type { Change, ChangedFile } from '../change.ts';
import { addedLinesOf, blocksOf, isCodeLine, kindsOfFile, productFilesOf, type AddedLine } from './added-lines.ts';

const testHead = /^\s*(?:(?:it|test)(?:\.each\(.{0,200}\))?\(\s*['"`]|(?:async\s+)?def\s+test_\w+|func\s+Test\w+\(|@Test\b|#\[test\])/;
const assertion = /\b(?:expect\w*|assert\w*|should|must\w*|verify|raises|check)\b|\bt\.(?:Error|Fatal)f?\(|\.(?:toThrow|rejects|resolves)\b/;
const literal = String.raw`(?:true|false|True|False|null|None|nil|-?\d+|'[^']{0,40}'|"[^"]{0,40}")`;
const constantAssertion = new RegExp(String.raw`\bexpect\(\s*${literal}\s*\)|\bassert\s+(?:True|true|1)\s*(?:;|$)|\bassert(?:True|That)?\(\s*${literal}\s*\)|\bassert\.?(?:Equal|Equals|equal|StrictEqual)?\(\s*${literal}\s*,\s*${literal}\s*[,)]`);
const flag = /^\s*["']?([\w.-]{1,80})["']?\s*[:=]\s*(true|false|on|off|yes|no|enabled|disabled)\b/i;

/** `config_only_with_tests_changed`, `config_toggle:<path>`, `comments_only`, and `path:line what` for tests. */
export function findNoOps(change: Change): string[] {
  return [...emptyTests(change), ...wholeChange(change), ...change.files.filter(togglesAFlag).map(({ path }) => `config_toggle:${path}`)];
}

function emptyTests(change: Change): string[] {
  return change.files.filter(file => file.status !== 'deleted' && kindsOfFile(file).has('test')).flatMap(file => {
    const added = addedLinesOf(file);
    const constants = added.filter(({ text }) => constantAssertion.test(text.slice(0, 2000))).map(({ path, line }) => `${path}:${line} assertion on constants`);
    return [...blocksOf(added).flatMap(withoutAssertion), ...constants];
  });
}

/** A test reaches from its head to the next one, or to the end of what was added in one piece. */
function withoutAssertion(block: readonly AddedLine[]): string[] {
  const heads = block.flatMap(({ text }, index) => (testHead.test(text.slice(0, 300)) ? [index] : []));
  return heads.flatMap((start, position) => {
    const lines = block.slice(start, heads[position + 1] ?? block.length);
    // A body that goes on behind what was added may hold the assertion.
    const isWhole = position + 1 < heads.length || /^(?:\}|\}\);?)\s*$|^\S/.test(lines.at(-1)?.text.trim() ?? '');
    const first = lines[0];
    return first !== undefined && isWhole && !lines.some(({ text }) => assertion.test(text.slice(0, 2000))) ? [`${first.path}:${first.line} test without assertion`] : [];
  });
}

function wholeChange(change: Change): string[] {
  if (change.files.length === 0) return [];
  const kinds = change.files.map(kindsOfFile);
  const product = productFilesOf(change);
  const testsAndConfiguration = product.length === 0 && kinds.some(kind => kind.has('test')) && kinds.some(kind => kind.has('configuration') && !kind.has('test'));
  const idle = product.length > 0 && product.length === change.files.length && product.every(changesNoCode);
  return [...(testsAndConfiguration ? ['config_only_with_tests_changed'] : []), ...(idle ? ['comments_only'] : [])];
}

/** The code lines on both sides are the same but for white space. */
function changesNoCode(file: ChangedFile): boolean {
  const side = (mark: string): string => file.hunks.flatMap(({ lines }) => lines.filter(line => line.startsWith(mark)).map(line => line.slice(1))).filter(isCodeLine).join('').replace(/\s+/g, '');
  return file.hunks.length > 0 && side('+') === side('-');
}

function togglesAFlag(file: ChangedFile): boolean {
  const kinds = kindsOfFile(file);
  if (!kinds.has('configuration') || kinds.has('test') || kinds.has('manifest')) return false;
  return file.hunks.some(({ lines }) => {
    const removed = new Map(lines.filter(line => line.startsWith('-')).flatMap(line => flagOf(line)));
    return lines.filter(line => line.startsWith('+')).flatMap(line => flagOf(line)).some(([name, value]) => removed.has(name) && removed.get(name) !== value);
  });
}

function flagOf(line: string): [name: string, value: string][] {
  const [, name, value] = flag.exec(line.slice(1)) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value.toLowerCase()]];
}
