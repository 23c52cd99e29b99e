/** Tests that were off before a change: whoever moves such a test, or marks it in another way, switches nothing off. */
import type { ChangedFile } from '../core/words/change.ts';

/** Lines between a mark and the test it is about: other marks, mostly. */
const reach = 6;

/** Names without what says that they are off: `testB` for `disabled_testB`. `isMark` tells whether a line marks what follows as off. */
export function testsOffBefore(
  { hunks }: Pick<ChangedFile, 'hunks'>,
  isMark: (line: string) => boolean,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { lines } of hunks ?? []) {
    const old = lines.filter(line => !line.startsWith('+')).map(line => line.slice(1));
    for (const [index, line] of old.entries()) {
      const name = declared.exec(line)?.[1] ?? '';
      if (offByName.test(name)) names.add(name.replace(offByName, ''));
      if (isMark(line)) names.add(testNamed(old, index) ?? '');
    }
  }
  names.delete('');
  return names;
}

/** What the test is called that a mark in this line is about, in the same way; null where that does not stand close to it. */
export function testNamed(lines: readonly string[], index: number): string | null {
  for (const line of lines.slice(index, index + reach)) {
    const [, name = null] = declared.exec(line) ?? called.exec(line) ?? [];
    if (name !== null) return name.replace(offByName, '');
  }
  return null;
}

const declared =
  /\b(?:void|Task|def|fn|fun|func|function)\s+(?:\([^()]{0,80}\)\s*)?([\p{L}_$][\p{L}\p{N}_$]{0,120})\s*\(/u;
const called =
  /\b(?:it|test|describe|context|suite|specify|x\w+)\b[\w.]{0,20}\(?\s*["'`]([^"'`]{1,200})["'`]/;
const offByName = /^(?:disabled?|ignored?|skip(?:ped)?)_+/i;
