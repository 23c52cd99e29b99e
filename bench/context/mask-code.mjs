// Takes comments and the inside of strings out of a text: what is left is code. Same length and lines as before.

/** @typedef {import('./code-files.mjs').Language} Language */

export function maskCode(/** @type {string} */ text, /** @type {Language} */ language) {
  const out = text.split('');
  const blank = (/** @type {number} */ start, /** @type {number} */ end) => {
    for (let at = start; at < end; at += 1) if (out[at] !== '\n') out[at] = ' ';
  };
  let at = 0;
  let last = '';
  while (at < text.length) {
    const end = skip(text, at, last, language);
    if (end === null) {
      if (!/\s/.test(text[at])) last = text[at];
      at += 1;
    } else {
      blank(at, end);
      // What follows a string is no regular expression.
      if (!isCommentAt(text, at, language)) last = '"';
      at = end;
    }
  }
  return out.join('');
}

function isCommentAt(
  /** @type {string} */ text,
  /** @type {number} */ at,
  /** @type {Language} */ { line, block },
) {
  return (
    line.some(mark => text.startsWith(mark, at)) ||
    block.some(([open]) => text.startsWith(open, at))
  );
}

/**
 * Where the comment, string or regular expression that begins here ends; `null` when none begins.
 * @param {string} text
 * @param {number} at
 * @param {string} last
 * @param {Language} language
 */
function skip(text, at, last, { line, block, quotes, hasRegex, hasLifetimes, hasWordLists }) {
  for (const [open, close] of block)
    if (text.startsWith(open, at)) return endOf(text, close, at + open.length);
  for (const mark of line)
    if (text.startsWith(mark, at)) {
      const end = text.indexOf('\n', at);
      return end === -1 ? text.length : end;
    }
  for (const quote of quotes) if (text.startsWith(quote, at)) return endOfString(text, at, quote);
  if (hasLifetimes && text[at] === "'") {
    const found = /^'(?:\\.[^']{0,8}|[^\\'\n])'/.exec(text.slice(at, at + 12));
    return found === null ? null : at + found[0].length;
  }
  if (hasWordLists && text[at] === '%') return endOfWordList(text, at);
  if (hasRegex && text[at] === '/' && (last === '' || '(,=:[!&|?{};+~<>%^*-'.includes(last)))
    return endOfRegex(text, at);
  return null;
}

function endOf(
  /** @type {string} */ text,
  /** @type {string} */ close,
  /** @type {number} */ from,
) {
  const end = text.indexOf(close, from);
  return end === -1 ? text.length : end + close.length;
}

/** A string in one quote that meets the end of its line was none, or is broken: only the line is lost. */
function endOfString(
  /** @type {string} */ text,
  /** @type {number} */ at,
  /** @type {string} */ quote,
) {
  const isOpenEnded = quote.length === 3 || quote === '`';
  for (let index = at + quote.length; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text.startsWith(quote, index)) return index + quote.length;
    else if (text[index] === '\n' && !isOpenEnded) return index;
  }
  return text.length;
}

/** `%w[GET POST]`, `%i(a b)`, `%q{text}`: words, no names. */
function endOfWordList(/** @type {string} */ text, /** @type {number} */ at) {
  const open = /^%[wWiIqQ]([[({<|!/])/.exec(text.slice(at, at + 3))?.[1];
  if (open === undefined) return null;
  const close = '[](){}<>'['[({<'.indexOf(open) * 2 + 1] ?? open;
  const end = text.indexOf(close, at + 3);
  return end === -1 ? null : end + 1;
}

function endOfRegex(/** @type {string} */ text, /** @type {number} */ at) {
  let isInClass = false;
  for (let index = at + 1; index < text.length && text[index] !== '\n'; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '[') isInClass = true;
    else if (text[index] === ']') isInClass = false;
    else if (text[index] === '/' && !isInClass) return index + 1;
  }
  return null;
}
