/** Files that a program writes, changed while what it reads stayed as it was: the next run of it undoes the change. */
import { isLockfile } from '../../languages/lockfiles.ts';
import { kindsOf } from '../../languages/path-kinds.ts';
import type { Risk, RiskMaterial } from './risk.ts';

export function findGenerated({ files, skipped }: RiskMaterial): Risk[] {
  const written = files.filter(
    ({ path, status }) =>
      status !== 'deleted' &&
      status !== 'added' &&
      !isLockfile(path) &&
      /^(?:generated|minified|vendored)$/.test(skipped.get(path) ?? ''),
  );
  if (written.length === 0) return [];
  const paths = new Set(written.map(({ path }) => path));
  const others = files.filter(({ path }) => !paths.has(path) && maySource(path));
  // Anything that is no prose may be what it is made of, or the program that makes it.
  return written
    .filter(({ path }) => others.length === 0 && !path.endsWith('.snap'))
    .map(({ path, hunks }) => {
      const line = hunks[0]?.newStart ?? null;
      const at = line === null ? path : `${path}:${line}`;
      const reason = skipped.get(path);
      return {
        kind: 'generated' as const,
        path,
        line,
        sentence:
          reason === 'vendored'
            ? `${at} is changed in place: the file is copied from elsewhere, and nothing of this change says from which version`
            : `${at} is changed and nothing it is ${reason === 'minified' ? 'minified' : 'generated'} from is`,
        evidence: [`${path}: ${reason ?? ''}`],
        action: `Check what writes ${path}, and change that`,
      };
    });
}

/** Prose writes nothing; anything else may be what was read, or the program that read it. */
function maySource(path: string): boolean {
  const kinds = kindsOf({ path });
  return !(kinds.has('documentation') || kinds.has('test')) || /\.(?:ya?ml|json)$/i.test(path);
}
