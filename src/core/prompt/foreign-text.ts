/**
 * Words of others in a prompt. They stand between two lines with a mark of their own that nobody can know before, each line led
 * by `> `: whatever is written, none of its lines can be a heading, a figure or the end of a fence.
 */
import { delimit } from './material.ts';
import { makeVisible, visibleName } from '../safety/visible-text.ts';
import type { MotionsLimits } from '../words/motions-settings.ts';

export interface Fencing {
  /** 32 random hex digits, the same for the whole run: marks are derived from it. No question of a vote shows it. */
  readonly fence: string;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
  /** Names what is asked and of whom, one member or those who are shown the same: the marks of one are those of no other. */
  readonly question: string;
}

/** How the words of others are shown: between which lines, and how much of them. */
export interface Showing extends Fencing {
  readonly textLimits: MotionsLimits;
}

/** What is the same for all questions of a vote. */
export type ShowingAll = Omit<Showing, 'question'>;

/**
 * `body` between two lines with the mark of what is called `name`, the same whenever the same question is put in one run. Who
 * writes down a mark that it has read finds another one there: whatever is written, there is a mark that is not in it.
 */
export function fenceOff(
  name: readonly string[],
  body: string,
  { fence, hash, question }: Fencing,
): string {
  const written = body.toLowerCase();
  for (let turn = 0; ; turn++) {
    const mark = hash(JSON.stringify([fence, question, ...name, turn])).slice(0, fence.length);
    if (!written.includes(mark)) return delimit(body, mark);
  }
}

/** The first `most` characters (code points), each line led by `> `; the one line that is not says that there are more. */
export function quote(text: string, most = Infinity): string {
  const cut = cutText(text, most);
  return [
    ...makeVisible(cut.text)
      .split(/\r?\n/)
      .map(line => (line === '' ? '>' : `> ${line}`)),
    ...(cut.isCut ? [`[cut here: only the first ${most} characters are shown]`] : []),
  ].join('\n');
}

/** Characters of a title, a theme and a name. */
const longestName = 300;

/** What stands behind a label of ours: one line, whatever it holds. */
export function onOneLine(text: string): string {
  const cut = cutText(text, longestName);
  return `${visibleName(cut.text)}${cut.isCut ? ' [cut here]' : ''}`;
}

/** Characters of a text that is longer than so many; null where it is not. */
export function lengthBeyond(text: string, most: number): number | null {
  return cutText(text, most).isCut ? Array.from(text).length : null;
}

/** The first `most` characters (code points). `isCut` when there are more. */
export function cutText(
  text: string,
  most: number,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  // No character takes more than two units: what lies beyond need not be counted.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most
    ? { text, isCut: false }
    : { text: characters.slice(0, most).join(''), isCut: true };
}
