/** Tests that a change switches off, and time limits it lifts out of the way. Added lines only. */
import type { Change } from '../change.ts';
import { addedLinesOf, kindsOfFile, type AddedLine } from './added-lines.ts';

const marks = /(\.(?:skip|only|todo)\(|\bx(?:it|describe)\(|@pytest\.mark\.(?:skipif|skip|xfail)\b|@unittest\.skip|\bt\.Skip\(|@Disabled\b|@Ignore\b|#\[ignore\])/;
const aMinute = 60;

/** One `path:line mark` each. */
export function findSkippedTests(change: Change): string[] {
  return change.files.flatMap(file => {
    const isTest = kindsOfFile(file).has('test');
    return addedLinesOf(file).flatMap(added => {
      const mark = marks.exec(added.text.slice(0, 2000))?.[1] ?? (isTest ? liftedLimit(added) : null);
      return mark === null ? [] : [`${added.path}:${added.line} ${mark}`];
    });
  });
}

/** A time limit of a minute or more. Bare numbers are milliseconds, as in JavaScript; Python and units say seconds. */
function liftedLimit({ path, text }: AddedLine): string | null {
  const [, word, amount = '', unit = ''] = /(time_?out)\w{0,12}["']?\s*[:=(,]\s*([\d_]{1,12})\s*(\*\s*time\.(?:Second|Minute)|s\b|m\b|minutes?\b|seconds?\b)?/i.exec(text.slice(0, 2000)) ?? [];
  if (word === undefined) return null;
  const number = Number(amount.replaceAll('_', ''));
  const seconds = /minute|^m$/i.test(unit) ? number * 60 : unit !== '' || path.endsWith('.py') ? number : number / 1000;
  return seconds >= aMinute ? `time limit ${seconds} s` : null;
}
