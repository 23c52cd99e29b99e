/** Takes the files out of a change that its owner does not want reviewed. They are marked, never forgotten. */
import picomatch from 'picomatch';
import type { Change } from './change.ts';
import type { Coverage } from './verdict/record.ts';

export function excludeFiles(change: Change, patterns: readonly string[]): { readonly change: Change; readonly excluded: Coverage['excluded'] } {
  const matchers = patterns.map(pattern => ({ pattern, matches: picomatch(pattern, { dot: true }) }));
  const excluded: Coverage['excluded'] = [];
  const files = change.files.filter(({ path }) => {
    const hit = matchers.find(({ matches }) => matches(path));
    if (hit) excluded.push({ path, pattern: hit.pattern });
    return !hit;
  });
  return { change: { ...change, files }, excluded };
}
