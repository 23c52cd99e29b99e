import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName, findGaps, followUpLine, fullyCoveredLine, partialLine, reportFileName, shortName } from '../../../src/core/context/coverage-report.ts';
import { coverageMatrix, displayCoverage, weighSupport, weightOf, type Reader } from '../../../src/core/context/reader-coverage.ts';
import { judgeSensitivity } from '../../../src/core/context/scope.ts';

const scope = (paths: readonly string[]) => paths.map(path => ({ path, changedLines: [], ...judgeSensitivity({ path, changedLines: [] }) }));
const reader = (name: string, role: Reader['role'], read: readonly string[], files: readonly string[] = []): Reader => ({ name, role, files, read: new Set(read) });

describe('coverage of a reviewer', () => {
  it.each([[8, 4, '67% ⚠️'], [10, 2, '83% ⚠️'], [12, 0, '100%'], [0, 0, '-'], [0, 3, '0% ⚠️'], [999, 1, '100% ⚠️']])('of %i read and %i skipped is %s', (reviewed, skipped, shown) => {
    expect(displayCoverage(reviewed, skipped)).toBe(shown);
  });

  it('halves the weight of a partial one, and counts each supporter once by its best', () => {
    expect([weightOf(false), weightOf(true), weightOf(true, 0.2)]).toEqual([1, 0.5, 0.2]);
    expect(weighSupport([{ reviewer: 'a', weight: 0.5 }, { reviewer: 'a', weight: 1 }, { reviewer: 'b', weight: 0.5 }], 3)).toBe(0.5);
    expect(weighSupport([], 2)).toBe(0);
  });

  it('never weighs support above one when supporters are electors', () => {
    fc.assert(fc.property(fc.array(fc.record({ reviewer: fc.constantFrom('a', 'b', 'c'), weight: fc.constantFrom(0.5, 1) })), support => {
      expect(weighSupport(support, 3)).toBeLessThanOrEqual(1);
    }));
  });
});

describe('the matrix of files and reviewers', () => {
  const files = scope(['src/a.go', 'README.md', 'go.mod', 'logo.png']);
  const readers = [reader('security-reviewer', 'security', ['src/a.go']), reader('go-reviewer', 'language', [], ['**/*.go']), reader('documentation-reviewer', 'documentation', ['README.md']), reader('vulnerability-reviewer', 'vulnerability', [])];

  it('tells read, skipped and outside the domain', () => {
    expect(coverageMatrix(files, readers)).toEqual([
      { path: 'src/a.go', cells: ['Y', 'SKIP', '-', 'SKIP'] },
      { path: 'README.md', cells: ['-', '-', 'Y', '-'] },
      { path: 'go.mod', cells: ['SKIP', '-', '-', 'SKIP'] },
      { path: 'logo.png', cells: ['-', '-', '-', '-'] },
    ]);
    expect(fullyCoveredLine(coverageMatrix(files, readers))).toBe('Coverage: 1/4 files fully covered');
  });

  it('becomes lines with the commands that close the gaps', () => {
    const gaps = findGaps(files, readers, coverageMatrix(files, readers));
    expect(gaps.lines).toEqual([
      'Gap: src/a.go lacks Go coverage (skipped due to budget)', '→ Suggested: jury review src/a.go --agents go',
      'Gap: src/a.go lacks Vulnerability coverage (skipped due to budget)', '→ Suggested: jury review src/a.go --agents vulnerability',
    ]);
    expect(gaps.uncovered).toEqual(['UNCOVERED: go.mod', 'UNCOVERED: logo.png']);
    expect(gaps.blocking).toEqual([]);
  });

  it('blocks on a sensitive file that security did not read, whoever else did', () => {
    const sensitive = scope(['src/auth.go']);
    const others = [reader('security-reviewer', 'security', []), reader('code-quality-reviewer', 'code-quality', ['src/auth.go'])];
    expect(findGaps(sensitive, others, coverageMatrix(sensitive, others)).blocking).toEqual(['src/auth.go was not reviewed by security-reviewer (path segment "auth.go" contains "auth")']);
  });
});

describe('lines of the report', () => {
  it('name the reviewer that ran short and the command that goes on', () => {
    expect(partialLine('security-reviewer', { reviewed: 10, skipped: 2 })).toBe('⚠️  Partial results: security-reviewer hit budget limit (10/12 files)');
    expect(followUpLine([['src/b c.go', 'src/a.go'], ['src/a.go']])).toBe("→ Consider: jury review src/a.go 'src/b c.go'");
    expect(followUpLine([[], []])).toBeNull();
    expect([displayName('code-quality-reviewer'), shortName('code-quality-reviewer'), shortName('alpha')]).toEqual(['Code Quality', 'code-quality', 'alpha']);
  });

  const now = new Date('2026-11-21T09:05:59Z');
  it.each([
    [{ kind: 'pull-request', number: 123 }, 'pr-123.md'],
    [{ kind: 'commit', id: 'abc1234def' }, 'commit-abc1234.md'],
    [{ kind: 'branch', name: 'feature/name' }, 'branch-feature-name.md'],
    [{ kind: 'path', path: 'src/auth/' }, 'review-src-auth.md'],
    [{ kind: 'path', path: '../..' }, 'review-2026-11-21-0905.md'],
    [{ kind: 'path', path: '/' }, 'review-2026-11-21-0905.md'],
    [{ kind: 'other' }, 'review-2026-11-21-0905.md'],
  ] as const)('name the report of %j %s', (where, name) => {
    expect(reportFileName(where, new Set(), now)).toBe(name);
  });

  it('never reuse the name of a report', () => {
    const taken = new Set<string>();
    for (const name of ['pr-1.md', 'pr-1-2.md', 'pr-1-3.md']) {
      expect(reportFileName({ kind: 'pull-request', number: 1 }, taken, now)).toBe(name);
      taken.add(name);
    }
  });
});
