/** Loops that read one element past the end, and divisions by a length that may be zero: judged by the text of what is around. */

/** Header of a counting loop: name of the counter, and the list whose length it reaches. */
const header =
  /(\$?\w+)\s*<=\s*(?:(?:count|sizeof|len)\(\s*(\$?[\w.]+)\s*\)|(\$?[\w.]+)\.(?:length|Length|Count|size\(\)))\s*[;)]/;
const longest = 4_000;

/** `for (i = 0; i <= list.length; i++) … list[i] …`. A body that looks at the counter has thought about the last round. */
export function readsPastEnd(loop: string): boolean {
  if (loop.length > longest) return false;
  const match = header.exec(loop);
  const [whole = '', counter = '', first, second] = match ?? [];
  const list = first ?? second ?? '';
  if (match === null || list === '') return false;
  const body = loop.slice(match.index + whole.length);
  return indexes(body, list, counter) && !looksAt(body, counter);
}

/** The same for `for i in range(len(list) + 1)` and `for i in 0..=list.len()`. */
export function rangesPastEnd(loop: string): boolean {
  if (loop.length > longest) return false;
  const match =
    /\bfor\s+(\w+)\s+in\s+(?:range\(\s*(?:0\s*,\s*)?len\(\s*([\w.]+)\s*\)\s*\+\s*1\s*\)|0\s*\.\.=\s*([\w.]+)\.len\(\))/.exec(
      loop,
    );
  const [whole = '', counter = '', first, second] = match ?? [];
  const list = first ?? second ?? '';
  if (match === null || list === '') return false;
  const body = loop.slice(match.index + whole.length);
  return indexes(body, list, counter) && !looksAt(body, counter);
}

/** `char table[10]; for (i = 0; i <= 10; i++) table[i] = …`. */
export function writesPastArray(loop: string, around: string): boolean {
  if (loop.length > longest || around.length > 20_000) return false;
  const [whole = '', counter = '', bound = ''] =
    /(\w+)\s*<=\s*(\d+|[A-Z_][A-Z0-9_]*)\s*;/.exec(loop) ?? [];
  if (whole === '') return false;
  const body = loop.slice(loop.indexOf(whole) + whole.length);
  const array = new RegExp(`\\b(\\w+)\\s*\\[\\s*${counter}\\s*\\]`).exec(body)?.[1];
  return (
    array !== undefined &&
    new RegExp(`\\b${array}\\s*\\[\\s*${bound}\\s*\\]\\s*[;=,]`).test(around) &&
    !looksAt(body, counter)
  );
}

function indexes(body: string, list: string, counter: string): boolean {
  return new RegExp(
    `(?<![\\w$.])${escaped(list)}(?:\\[\\s*${escaped(counter)}\\s*\\]|\\.(?:get|charAt)\\(\\s*${escaped(counter)}\\s*\\))`,
  ).test(body);
}

function looksAt(body: string, counter: string): boolean {
  const name = escaped(counter);
  return (
    new RegExp(`(?<![\\w$])${name}\\s*(?:[=!]==?|[<>]=?)(?!>)|[=!]==?\\s*${name}(?!\\w)`).test(
      body,
    ) || /\bbreak\b/.test(body)
  );
}

function escaped(text: string): string {
  return text.replace(/[.$]/g, '\\$&');
}

/**
 * `total / len(values)` where `values` is a parameter and nothing in the function asks whether it is empty. `around` is the whole
 * function, `divisor` the text behind the stroke.
 */
export function dividesByUnknownLength(around: string, divisor: string): boolean {
  const name =
    /^(?:len\(\s*(\w+)\s*\)|(\w+)\.(?:len\(\)|length|Length|Count|size\(\)))(?:\s+as\s+\w+)?$/.exec(
      divisor,
    );
  const list = name?.[1] ?? name?.[2];
  if (list === undefined || around.length > 20_000) return false;
  const heading = around.slice(0, around.search(/[{\n]/) + 1);
  if (!new RegExp(`[(,]\\s*(?:\\w+[\\w<>\\[\\], ]*\\s)?[&*]?${list}\\b`).test(heading))
    return false;
  const asks = new RegExp(
    `\\b(?:if|elif|assert\\w*|unless|while|guard|require|match|when|raise|switch|for)\\b[^\\n]*\\b${list}\\b(?!\\s*[{:]?\\s*$)|\\b${list}\\b[^\\n]*\\?|\\b${list}\\s*(?:=|:=)[^=]|is_empty|isEmpty|max\\(`,
  );
  const withoutLoops = around.replace(/\bfor\b[^\n]*/g, '');
  return !asks.test(withoutLoops.slice(heading.length));
}
