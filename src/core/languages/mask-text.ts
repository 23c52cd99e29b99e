/**
 * Separates code from comments and strings without parsing: one pass, linear on any input. Both results have the length and the
 * line breaks of the text; what does not belong is blank. Quotation marks stay in the code.
 */
import { type CommentManners, commentsOf } from './languages.ts';

type Kind = 'code' | 'comment' | 'string';

/** Unknown families keep their whole text on both sides. */
export function maskText(text: string, family: string | null) {
  const manners = family === null ? null : commentsOf(family);
  if (manners === null) return { code: text, comments: text };
  const code: string[] = [];
  const comments: string[] = [];
  let position = 0;
  const take = (end: number, kind: Kind) => {
    const piece = text.slice(position, end);
    code.push(kind === 'code' ? piece : kind === 'string' ? hollow(piece) : blank(piece));
    comments.push(kind === 'comment' ? piece : blank(piece));
    position = end;
  };
  while (position < text.length) {
    const token = nextToken(text, position, manners);
    if (token.start > position) take(token.start, 'code');
    if (token.end > token.start) take(token.end, token.kind);
  }
  return { code: code.join(''), comments: comments.join('') };
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

/** The next comment, string or regular expression at or behind `from`; an empty one at the end of the text. */
function nextToken(
  text: string,
  from: number,
  { lineComment, hasBlockComments, quotes, longQuotes, hasRegularExpressions }: CommentManners,
): Token {
  for (let start = from; start < text.length; start += 1) {
    const character = text[start] ?? '';
    if (!'#/"\'`'.includes(character)) continue;
    const long = longQuotes.find(quote => text.startsWith(quote, start));
    if (long !== undefined)
      return { start, end: endOfString(text, start + long.length, long, true), kind: 'string' };
    if (quotes.includes(character))
      return { start, end: endOfString(text, start + 1, character, false), kind: 'string' };
    if (lineComment !== null) {
      lineComment.lastIndex = start;
      if (lineComment.test(text)) return { start, end: lineEnd(text, start), kind: 'comment' };
    }
    if (character === '/' && text[start + 1] === '*' && hasBlockComments) {
      const close = text.indexOf('*/', start + 2);
      return { start, end: close === -1 ? text.length : close + 2, kind: 'comment' };
    }
    if (character === '/' && hasRegularExpressions && opensExpression(text, start)) {
      const end = endOfExpression(text, start + 1);
      if (end !== null) return { start, end, kind: 'string' };
    }
  }
  return { start: text.length, end: text.length, kind: 'code' };
}

function endOfString(text: string, from: number, quote: string, isLong: boolean) {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text.startsWith(quote, position)) return position + quote.length;
    else if (text[position] === '\n' && !isLong) return position;
  }
  return text.length;
}

/** A slash begins a regular expression where an operand is expected. */
function opensExpression(text: string, slash: number) {
  const before = text.slice(Math.max(0, slash - 24), slash).trimEnd();
  return (
    before === '' ||
    /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|do|else))$/.test(before)
  );
}

/** Behind the closing slash; null when the line ends before it. */
function endOfExpression(text: string, from: number) {
  let inClass = false;
  const limit = Math.min(text.length, from + 500);
  for (let position = from; position < limit; position += 1) {
    const character = text[position];
    if (character === '\\') position += 1;
    else if (character === '\n') return null;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return position + 1;
  }
  return null;
}

/** Of a comment: what some language takes for the end of a line ends it, so that nothing behind it goes for one. */
function lineEnd(text: string, from: number) {
  const ends = /[\n\r\u2028\u2029]/g;
  ends.lastIndex = from;
  return ends.exec(text)?.index ?? text.length;
}

function blank(text: string) {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Keeps the first and the last character: the marks that say that a string stands here. */
function hollow(text: string) {
  return text.length < 2
    ? text
    : text.charAt(0) + blank(text.slice(1, -1)) + text.charAt(text.length - 1);
}
