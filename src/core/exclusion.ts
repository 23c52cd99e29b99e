/** Takes the files out of a change that its owner does not want reviewed. They are marked, never forgotten. */
import picomatch from 'picomatch';
import type { Subject } from './change.ts';
import type { Coverage } from './verdict/record.ts';

/** Of other subjects there is nothing to take out. */
export function excludeFrom(subject: Subject, patterns: readonly string[]): { readonly subject: Subject; readonly excluded: Coverage['excluded'] } {
  if (subject.kind !== 'change') return { subject, excluded: [] };
  const matchers = patterns.map(pattern => ({ pattern, matches: picomatch(pattern, { dot: true }) }));
  const excluded: Coverage['excluded'] = [];
  const files = subject.files.filter(({ path }) => {
    const hit = matchers.find(({ matches }) => matches(path));
    if (hit) excluded.push({ path, pattern: hit.pattern });
    return !hit;
  });
  return { subject: { ...subject, files }, excluded };
}
