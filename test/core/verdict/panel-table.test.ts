import { describe, expect, it } from 'vitest';
import { judgeSensitivity } from '../../../src/core/context/review-plan.ts';
import type { Persona } from '../../../src/core/words/persona.ts';
import { reportFileName, reportScopeOf } from '../../../src/core/change/set-aside.ts';
import {
  counts,
  coverageMatrix,
  certify,
  electorateOf,
  printCell,
} from '../../../src/core/verdict/coverage.ts';
import { judgeReading } from '../../../src/core/verdict/judges.ts';
import {
  describeAgents,
  displayCoverage,
  displayName,
  followUpLine,
  fullyCoveredLine,
  gapLines,
  partialLine,
  shortName,
  supportOf,
} from '../../../src/core/verdict/panel-table.ts';
import { failureFrom, type FileReading, type Review } from '../../../src/core/words/review.ts';
import { failedReview, sampleClaim, sampleFinding, sampleReview } from '../sample.ts';
import { rulesOf, sampleSeat } from './panel.ts';

const run = '20261121T221400Z-a1b2c3';
const scope = (paths: readonly string[]) =>
  paths.map(path => ({ path, changedLines: [], ...judgeSensitivity({ path, changedLines: [] }) }));
const reading = (path: string, extent: FileReading['extent'] = 'full'): FileReading => ({
  path,
  extent,
  why: null,
});
const reader = (
  id: string,
  role: Persona['role'],
  read: readonly string[],
  files: readonly string[] = [],
) => ({
  seat: sampleSeat(id, { name: id, role, files: [...files] }),
  review: sampleReview({ reviewer: id, coverage: read.map(path => reading(path)) }),
});

function matrixOf(paths: readonly string[], readers: readonly ReturnType<typeof reader>[]) {
  return coverageMatrix({
    units: paths,
    reviews: readers.map(({ review }) => review),
    seats: readers.map(({ seat }) => seat),
    files: scope(paths),
  });
}

describe('coverage of a reviewer', () => {
  it.each([
    [8, 4, '67% ⚠️'],
    [10, 2, '83% ⚠️'],
    [12, 0, '100%'],
    [0, 0, '-'],
    [0, 3, '0% ⚠️'],
    [999, 1, '100% ⚠️'],
  ])('of %i read and %i skipped is %s', (reviewed, skipped, shown) => {
    expect(displayCoverage(reviewed, skipped)).toBe(shown);
  });

  it('halves the weight of a partial one', () => {
    const agents = ['a', 'b', 'c'].map(reviewer => ({ reviewer, partial: reviewer === 'b' }));
    expect(supportOf({ supporters: ['a', 'b'], electorate: 3 }, agents)).toBe(0.5);
    expect(supportOf({ supporters: [], electorate: 2 }, agents)).toBe(0);
    expect(supportOf({ supporters: ['a'], electorate: 0 }, agents)).toBe(0);
  });
});

describe('the matrix of files and reviewers', () => {
  const paths = ['src/a.go', 'README.md', 'go.mod', 'logo.png'];
  const readers = [
    reader('security-reviewer', 'security', ['src/a.go']),
    reader('go-reviewer', 'language', [], ['**/*.go']),
    reader('documentation-reviewer', 'documentation', ['README.md']),
    reader('vulnerability-reviewer', 'vulnerability', []),
  ];

  it('tells read, skipped and outside the domain', () => {
    const matrix = matrixOf(paths, readers);
    expect(matrix.map(({ path, cells }) => [path, ...cells.map(printCell)])).toEqual([
      ['src/a.go', 'Y', 'SKIP', '-', 'SKIP'],
      ['README.md', '-', '-', 'Y', '-'],
      ['go.mod', 'SKIP', '-', '-', 'SKIP'],
      ['logo.png', '-', '-', '-', '-'],
    ]);
    expect(fullyCoveredLine(matrix)).toBe('Coverage: 1/4 files fully covered');
  });

  it('becomes lines with the command that closes the gaps of those whose budget ended', () => {
    expect(
      gapLines(matrixOf(paths, readers), new Set(['go-reviewer', 'vulnerability-reviewer']), run),
    ).toEqual([
      'Gap: src/a.go lacks Go coverage (skipped due to budget)',
      'Gap: src/a.go lacks Vulnerability coverage (skipped due to budget)',
      '→ Suggested: jury review --continue a1b2c3',
    ]);
    expect(gapLines(matrixOf(paths, readers), new Set(), run)).toEqual([]);
  });

  const statuses = ['complete', 'partial', 'failed'] as const;
  const extents = ['full', 'partial', 'skipped', 'outside'] as const;

  it('is one: certificate, gate, electorate and table say the same of every reading', () => {
    for (const status of statuses) {
      for (const extent of extents) {
        const review: Review = sampleReview({ status, coverage: [reading('src/a.ts', extent)] });
        const matrix = coverageMatrix({
          units: ['src/a.ts'],
          reviews: [review],
          seats: [sampleSeat('alpha')],
          files: scope(['src/a.ts']),
        });
        const isRead = status !== 'failed' && extent === 'full';
        const said = {
          counts: counts(review, reading('src/a.ts', extent)),
          certificate: certify(matrix, { bytesOf: () => 7, excluded: [] }).files[0]?.by.includes(
            'alpha',
          ),
          bytes: certify(matrix, { bytesOf: () => 7, excluded: [] }).accounted === 7,
          gate: judgeReading({ run: 'r', matrix, known: [], binaries: new Map() }).length === 0,
          electorate: electorateOf([review])('src/a.ts').has('alpha'),
          table: matrix[0]?.cells.map(printCell)[0] === 'Y',
        };
        expect([status, extent, ...Object.values(said)]).toEqual([
          status,
          extent,
          ...Object.values(said).map(() => isRead),
        ]);
      }
    }
  });

  it('keeps why a file was not read, and lists a failed reviewer among those who skipped it', () => {
    const reviews = [
      sampleReview({ coverage: [{ path: 'src/a.ts', extent: 'skipped', why: 'too large' }] }),
      failedReview('beta'),
    ];
    const { files } = certify(
      coverageMatrix({ units: ['src/a.ts'], reviews, seats: [], files: [] }),
      { bytesOf: () => 1, excluded: [] },
    );
    expect(files).toEqual([
      {
        path: 'src/a.ts',
        by: [],
        partiallyBy: [],
        skippedBy: [
          { reviewer: 'alpha', why: 'too large' },
          { reviewer: 'beta', why: 'not said' },
        ],
      },
    ]);
  });
});

describe('the rows of the panel', () => {
  const high = sampleFinding({ reviewer: 'vulcan', id: 'vulcan/#1', severity: 'high' });
  const claim = sampleClaim({
    severity: 'high',
    supporters: ['vulcan'],
    electorate: 3,
    findings: [high],
  });
  const verdictUnder = (persona: Partial<Persona>): unknown => {
    const reviews = [
      sampleReview({ reviewer: 'vulcan', findings: [high] }),
      sampleReview({ reviewer: 'b' }),
      sampleReview({ reviewer: 'c' }),
    ];
    const seats = [sampleSeat('vulcan', persona), sampleSeat('b'), sampleSeat('c')];
    return describeAgents({
      seats,
      reviews,
      claims: [claim],
      matrix: [],
      rules: rulesOf('vote').rules,
    })[0]?.verdict;
  };

  it('give no weight to a name: a reviewer called "vulcan" is outvoted like any other', () => {
    expect(verdictUnder({ name: 'security-reviewer' })).toBe('OK');
    expect(verdictUnder({ role: 'security' })).toBe('WARN');
    expect(verdictUnder({ weight: 'security' })).toBe('WARN');
  });

  it('have no verdict for a review that failed', () => {
    expect(
      describeAgents({
        seats: [sampleSeat('beta')],
        reviews: [failedReview('beta')],
        claims: [],
        matrix: [],
        rules: rulesOf('review').rules,
      })[0]?.verdict,
    ).toBeNull();
  });
});

describe('lines of the report', () => {
  it('name the reviewer that ran short and the command that goes on', () => {
    expect(partialLine('security-reviewer', { reviewed: 10, skipped: 2 })).toBe(
      '⚠️  Partial results: security-reviewer hit budget limit (10/12 files)',
    );
    expect(followUpLine(run, [left('does not fit what is left of the budget')])).toBe(
      '→ Consider: jury review --continue a1b2c3',
    );
    expect(
      followUpLine(run, [left('too large to show; split it, or leave it out with --exclude')]),
    ).toBeNull();
    expect(followUpLine(run, [left('read by others', 'complete')])).toBeNull();
    expect(followUpLine(run, [])).toBeNull();
    expect([
      displayName('code-quality-reviewer'),
      shortName('code-quality-reviewer'),
      shortName('alpha'),
    ]).toEqual(['Code Quality', 'code-quality', 'alpha']);
  });

  const now = new Date('2026-11-21T09:05:59Z');
  const pull = {
    repository: 'o/r',
    number: 123,
    url: 'https://x/o/r',
    base: 'b',
    head: 'h',
    pack: null,
    isStranger: false,
  };
  it.each([
    [{ source: 'revision', revision: 'abc1234def' }, 'commit-abc1234.md'],
    [{ source: 'revision', revision: 'feature/name' }, 'branch-feature-name.md'],
    [{ source: 'files', patterns: ['src/auth/'] }, 'review-src-auth.md'],
    [{ source: 'files', patterns: ['../..'] }, 'review-2026-11-21-0905.md'],
    [{ source: 'files', patterns: ['/'] }, 'review-2026-11-21-0905.md'],
    [{ source: 'worktree', untracked: true }, 'review-2026-11-21-0905.md'],
    [{ ...pull, source: 'pull' }, 'pr-123.md'],
  ] as const)('name the report of %j %s', (request, name) => {
    const scope = reportScopeOf(request, { head: 'abc1234def' });
    expect(reportFileName(scope, new Set(), now)).toBe(name);
  });

  it('never reuse the name of a report', () => {
    const taken = new Set<string>();
    for (const name of ['pr-1.md', 'pr-1-2.md', 'pr-1-3.md']) {
      expect(reportFileName('pr-1', taken, now)).toBe(name);
      taken.add(name);
    }
  });
});

function left(why: string, status: Review['status'] = 'partial'): Review {
  return sampleReview({
    status,
    failure: failureFrom('budget'),
    coverage: [{ path: 'src/b c.go', extent: 'skipped', why }],
  });
}
