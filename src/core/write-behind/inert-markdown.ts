/** Text of reviewers inside Markdown that must stay readable as plain text: no link, image, HTML or address comes alive. */
import { makeVisible } from '../visible-text.ts';
import { toOneLine } from './one-line.ts';

/** One line whose words stay as they are; only what would start a link, an image or a tag is escaped. */
export function inertLine(text: string): string {
  return toOneLine(text)
    .replaceAll('](', ']\\(')
    .replaceAll('][', ']\\[')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replaceAll('://', ':\\//')
    .replace(/\bwww\./gi, found => `${found.slice(0, 3)}\\.`);
}

/**
 * Text of several lines as a fenced block inside a block quote: each line begins with our own `>`, so that no line of it can
 * be taken for a heading, a verdict or the end of the file.
 */
export function quoteBlock(text: string): readonly string[] {
  const lines = makeVisible(text.replaceAll('\r\n', '\n')).trimEnd().split('\n');
  const fence = '`'.repeat(Math.max(3, 1 + lines.reduce((longest, line) => Math.max(longest, longestRun(line)), 0)));
  return [`${fence}text`, ...lines, fence].map(line => `> ${line}`.trimEnd());
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
