/** Where a rule of the JavaScript linter is right by the letter and the code is fine all the same. */

/** Lines on which a rule is right and the code is fine all the same. */
export const acceptedLines: ReadonlyMap<string, RegExp> = new Map([
  ['eslint/no-unreachable', /^\s*break;?\s*$/],
  // Reject and resolve as the two branches of one choice.
  ['promise/no-multiple-resolved', /\?\s*\w+\([^?]*\)\s*:\s*\w+\(/],
  // What stands before the thing that is wanted: `({}, suite) =>`.
  ['eslint/no-empty-pattern', /\(\s*\{\s*\}\s*,/],
  // The oldest way to have `undefined` for sure.
  ['eslint/no-shadow-restricted-names', /\bfunction\s*\w*\s*\([^()]*\bundefined\s*\)/],
  // Types alone: what is declared is written elsewhere, and `!` says that it is set elsewhere.
  ['typescript/no-unsafe-declaration-merging', /\bdeclare\s+(?:abstract\s+)?class\b/],
  ['eslint/no-unassigned-vars', /\w!\s*:/],
  // The idiom of reading until nothing is left; a fixed value on the right is no idiom.
  ['eslint/no-cond-assign', /\bwhile\s*\((?![^=]*=\s*(?:-?\d|["'`]|true|false|null|undefined))/],
]);

/** The same by what stands around the line; `index` is 0-based. */
export const acceptedPlaces: ReadonlyMap<
  string,
  (lines: readonly string[], index: number) => boolean
> = new Map([
  ['react/jsx-key', isInFixedList],
  ['eslint/getter-return', answersSometimes],
  ['eslint/no-setter-return', isOneExpression],
]);

/** `[<A />, <B />]`: what is written out one by one keeps its places. */
function isInFixedList(lines: readonly string[], index: number): boolean {
  const before = `${lines[index - 1] ?? ''}\n${lines[index]?.replace(/<.*$/, '') ?? ''}`.trimEnd();
  return /[[,]$/.test(before);
}

/** `set: value => keep(value)`: the answer is there because an arrow has no other way to be short. */
function isOneExpression(lines: readonly string[], index: number): boolean {
  const place = `${lines[index - 1] ?? ''}\n${lines[index] ?? ''}`;
  return /=>\s*(?![\s{])/.test(place) && !/\breturn\b/.test(place);
}

const longestGetter = 60;

/** A getter that answers on some way has not forgotten to: on the others there is nothing. */
function answersSometimes(lines: readonly string[], index: number): boolean {
  const head = lines[index] ?? '';
  const indent = indentOf(head);
  for (const line of lines.slice(index + 1, index + longestGetter)) {
    if (/^\s*\}/.test(line) && indentOf(line) <= indent) return false;
    if (/\breturn\s+[^\s;}]/.test(line)) return true;
  }
  return false;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
