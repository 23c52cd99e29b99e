/** Where a run of lines stands inside another, in linear time whatever the lines are (Knuth, Morris, Pratt over lines). */

/** Zero-based positions, overlapping ones included. Nothing occurs nowhere: an empty needle gives no position. */
export function findOccurrences(haystack: readonly string[], needle: readonly string[]): number[] {
  if (needle.length === 0 || needle.length > haystack.length) return [];
  const border = bordersOf(needle);
  const found: number[] = [];
  let matched = 0;
  haystack.forEach((line, index) => {
    while (matched > 0 && (matched === needle.length || needle[matched] !== line)) matched = border[matched - 1] ?? 0;
    if (needle[matched] === line) matched += 1;
    if (matched === needle.length) found.push(index - needle.length + 1);
  });
  return found;
}

/** For every prefix of the needle, the length of its longest border. */
export function bordersOf(needle: readonly string[] | string): number[] {
  const border = [0];
  for (let index = 1, length = 0; index < needle.length; index += 1) {
    while (length > 0 && needle[index] !== needle[length]) length = border[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    border.push(length);
  }
  return border;
}
