/** What is wrong with a text before anybody looks for a format in it: too large, not text, or a loop. */
import { isLooping } from './loop.ts';
import { reject, type Rejection } from './reading.ts';

/** Bytes of UTF-8. */
export const answerLimit = 4 * 1024 * 1024;

/** `prompt` is what was sent: a replacement character that stands there may be quoted. */
export function faultOfText(text: string, prompt: string): Rejection | null {
  if (isOver(text, answerLimit)) {
    return hasOpenFence(text) ? reject('truncated', 'The fence around the answer is never closed.') : reject('size', `The answer has more than ${answerLimit} bytes.`);
  }
  if (text.includes('\uFFFD') && !prompt.includes('\uFFFD')) return reject('encoding', 'The answer is not valid UTF-8.');
  if (isMostlyNul(text)) return reject('encoding', 'The answer looks like UTF-16.');
  return isLooping(text) ? reject('loop', `The answer ends in ${JSON.stringify(text.trimEnd().slice(-60))}, over and over.`) : null;
}

function isOver(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  }
  return bytes > limit;
}

function hasOpenFence(text: string): boolean {
  const mark = /^\s{0,100}(```|~~~)/.exec(text.slice(0, 200))?.[1];
  return mark !== undefined && !text.trimEnd().slice(-200).includes(`\n${mark}`);
}

function isMostlyNul(text: string): boolean {
  if (!text.includes('\0')) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 0) count += 1;
  return count * 4 > text.length;
}
