import { describe, expect, it } from 'vitest';
import { toForeignFinding, toPlace } from '../../../src/core/intake/foreign-finding.ts';
import { withSharedRoot } from '../../../src/core/intake/shared-root.ts';

function pathsOf(...paths: readonly string[]): (string | undefined)[] {
  const entries = paths.map(path => ({ finding: toForeignFinding({ reviewer: 'a', originalId: '1', label: 'high', severity: 'high', text: 'x', place: toPlace(path, 1, null), category: null, evidence: null, recommendation: null }) }));
  return withSharedRoot(entries).map(({ finding }) => finding.location?.path);
}

describe('paths of several tools', () => {
  it('are one when one tool writes them from the root of the disk and another from the top of the project', () => {
    expect(pathsOf('src/a.ts', 'lib/b.ts', '/home/me/app/src/a.ts', '/home/me/app/src/other.ts', 'C:/x/y.ts')).toEqual(['src/a.ts', 'lib/b.ts', 'src/a.ts', 'src/other.ts', 'C:/x/y.ts']);
  });

  it('follow the folder that most files agree on', () => {
    expect(pathsOf('index.ts', 'src/a.ts', 'src/index.ts', '/app/src/index.ts', '/app/src/a.ts', '/app/index.ts', '/app/lib/deep/index.ts')).toEqual(['index.ts', 'src/a.ts', 'src/index.ts', 'src/index.ts', 'src/a.ts', 'index.ts', 'lib/deep/index.ts']);
  });

  it('stay as they are where nothing agrees', () => {
    expect(pathsOf('/app/a.ts', '/app/b.ts')).toEqual(['/app/a.ts', '/app/b.ts']);
    expect(pathsOf('src/a.ts', '/app/b.ts')).toEqual(['src/a.ts', '/app/b.ts']);
  });
});
