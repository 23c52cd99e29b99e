/** Rows of marks for the values of a prepared statement: text that is put together and holds no value at all. */

const longest = 60;

/** `slots`, where the function says `slots = ids.map(() => '?').join(',')` or the like. */
export function isRowOfMarks(name: string, around: string): boolean {
  if (name.length > longest || !/^\$?[\w$]+$/.test(name)) return false;
  const written = name.replace(/\$/g, '\\$');
  const given = new RegExp(
    `(?<![\\w.>])${written}\\s*(?::\\s*\\w+\\s*)?:?=(?!=)([^;\\n]{0,300})`,
    'g',
  );
  const all = [...around.matchAll(given)].map(([, value = '']) => value);
  return all.length > 0 && all.every(value => marks.test(value) && repeats.test(value));
}

const marks = /["'`]\s*(?:,\s*)?(?:\?|%s)\s*(?:,\s*)?["'`]/;
const repeats = /\bjoin\b|\bimplode\b|\brepeat\b|\bRepeat\b|\bnCopies\b|\bfill\b|\barray_fill\b|\*/;
