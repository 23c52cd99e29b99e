/** Files that a program writes, changed while what it reads stayed as it was: the next run of it undoes the change. */
import { isLockfile } from '../../languages/lockfiles.ts';
import { kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import type { Risk, RiskMaterial } from './risk.ts';

export function findGenerated({ files, skipped }: RiskMaterial): Risk[] {
  const written = files.filter(
    ({ path, status }) =>
      status !== 'deleted' &&
      status !== 'added' &&
      !isLockfile(path) &&
      isWritten(skipped.get(path)),
  );
  if (written.length === 0) return [];
  const paths = new Set(written.map(({ path }) => path));
  const others = files.filter(({ path }) => !paths.has(path) && maySource(path));
  return written
    .filter(file => !hasSource(file, others))
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

function isWritten(reason: string | undefined): boolean {
  return reason === 'generated' || reason === 'minified' || reason === 'vendored';
}

/** Prose writes nothing; anything else may be what was read, or the program that read it. */
function maySource(path: string): boolean {
  const kinds = kindsOf({ path, changedLines: [] });
  return !(kinds.has('documentation') || kinds.has('test')) || /\.(?:ya?ml|json)$/i.test(path);
}

/** With its own name but for the ending, or, where none has it, any that is no prose: the generator may have changed. */
function hasSource({ path }: ChangedFile, others: readonly ChangedFile[]): boolean {
  return others.length > 0 || path.endsWith('.snap');
}
