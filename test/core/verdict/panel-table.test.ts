import { describe, expect, it } from 'vitest';
import { judgeSensitivity } from '../../../src/core/context/review-plan.ts';
import { type Persona, hasSecurityWeight } from '../../../src/core/words/persona.ts';
import { reportFileName, reportScopeOf } from '../../../src/core/change/set-aside.ts';
import {
  counts,
  coverageMatrix,
  certify,
  electorateOf,
  printCell,
} from '../../../src/core/verdict/coverage.ts';
import { judgeRun } from '../../../src/core/verdict/judges.ts';
import {
  describeAgents,
  describePanel,
  readClaimedVerdict,
} from '../../../src/core/verdict/panel-table.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { failureFrom, type FileReading, type Review } from '../../../src/core/words/review.ts';
import {
  failedReview,
  sampleClaim,
  sampleFinding,
  sampleReview,
  sampleLocation,
} from '../sample.ts';
import { evidenceOf, rulesOf, sampleSeat } from './panel.ts';
import { readPersona } from '../../../src/adapters/configuration/read-configuration.ts';
import type { Finding } from '../../../src/core/words/finding.ts';

const run = '20261121T221400Z-a1b2c3';
const scope = (paths: readonly string[]) =>
  paths.map(path => ({ path, changedLines: [], ...judgeSensitivity({ path, changedLines: [] }) }));
const reading = (path: string, extent: FileReading['extent'] = 'full') => ({
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

/** The table of a panel without a decision. */
function tableOf(
  paths: readonly string[],
  readers: readonly ReturnType<typeof reader>[],
  claims: readonly Claim[] = [],
) {
  const panel = {
    run,
    isStill: false,
    seats: readers.map(({ seat }) => seat),
    reviews: readers.map(({ review }) => review),
    claims,
    matrix: matrixOf(paths, readers),
    rules: rulesOf('review').rules,
  };
  return describePanel(panel, { outcome: 'PASS', reasons: [] });
}

/** One that was there for so many files, in the words of a reading. */
function left(
  id: string,
  paths: readonly string[],
  {
    why = 'does not fit what is left of the budget',
    status = 'partial',
  }: { readonly why?: string; readonly status?: Review['status'] } = {},
) {
  const { seat, review } = reader(id, 'general', []);
  const skipped = paths.map(path => ({ ...reading(path, 'skipped'), why }));
  return {
    seat,
    review: { ...review, status, failure: failureFrom('budget'), coverage: skipped },
  };
}

function numberedPaths(count: number) {
  return Array.from({ length: count }, (_, index) => `${index}.ts`);
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
    const coverage = [
      ...numberedPaths(reviewed).map(path => reading(path)),
      ...numberedPaths(skipped).map(path => reading(path, 'skipped')),
    ];
    const { seat, review } = reader('alpha', 'general', []);
    const [agent] = tableOf([], [{ seat, review: { ...review, coverage } }]).agents;
    expect(agent?.coverage).toBe(shown);
  });

  it('halves the weight of a partial one', () => {
    const readers = [reader('a', 'general', []), left('b', ['a.ts']), reader('c', 'general', [])];
    const claims = [
      sampleClaim({ id: 'c-0000000001', supporters: ['a', 'b'], electorate: 3 }),
      sampleClaim({ id: 'c-0000000002', supporters: [], electorate: 2 }),
      sampleClaim({ id: 'c-0000000003', supporters: ['a'], electorate: 0 }),
    ];
    const { support } = tableOf(['a.ts'], readers, claims);
    expect(Object.values(support)).toEqual([0.5, 0, 0]);
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
    expect(tableOf(paths, readers).fully_covered).toBe('Coverage: 1/4 files fully covered');
  });

  it('becomes lines with the command that closes the gaps of those whose budget ended', () => {
    const cut = ({ seat, review }: (typeof readers)[number]) => ({
      seat,
      review: { ...review, status: 'partial' as const, failure: failureFrom('budget') },
    });
    const short = readers.map(one =>
      ['go-reviewer', 'vulnerability-reviewer'].includes(one.seat.id) ? cut(one) : one,
    );
    expect(tableOf(paths, short).gaps).toEqual([
      'Gap: src/a.go lacks Go coverage (skipped due to budget)',
      'Gap: src/a.go lacks Vulnerability coverage (skipped due to budget)',
      '→ Suggested: jury review --continue a1b2c3',
    ]);
    expect(tableOf(paths, readers).gaps).toEqual([]);
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
          gate: judgeRun({ ...evidenceOf({ reviews: [review] }), matrix }, rulesOf('review')).every(
            ({ rule }) => rule !== 'unread',
          ),
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
  const verdictUnder = (persona: Partial<Persona>) => {
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

  it('have no verdict for a review that failed', () =>
    expect(
      describeAgents({
        seats: [sampleSeat('beta')],
        reviews: [failedReview('beta')],
        claims: [],
        matrix: [],
        rules: rulesOf('review').rules,
      })[0]?.verdict,
    ).toBeNull());
});

describe('lines of the report', () => {
  it('name the reviewer that ran short and the command that goes on', () => {
    const paths = ['src/b c.go', 'src/d.go'];
    const short = tableOf(paths, [left('code-quality-reviewer', paths)]);
    expect(short).toMatchObject({
      agents: [{ name: 'Code Quality' }],
      partial: ['⚠️  Partial results: code-quality-reviewer hit budget limit (0/2 files)'],
      follow_up: '→ Consider: jury review --continue a1b2c3',
    });
    const why = 'too large to show; split it, or leave it out with --exclude';
    expect(tableOf(paths, [left('alpha', paths, { why })]).follow_up).toBeNull();
    expect(tableOf(paths, [left('alpha', paths, { status: 'complete' })]).follow_up).toBeNull();
    expect(tableOf(paths, []).follow_up).toBeNull();
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

const finding = (changes: Partial<Finding>) =>
  sampleFinding({ severity: 'low', category: null, location: null, ...changes });

/** What one reviewer's answer comes to. */
function judged(persona: Partial<Persona>, said: Partial<Review>) {
  const [agent] = describeAgents({
    seats: [sampleSeat('alpha', { role: 'security', veto: true, ...persona })],
    reviews: [sampleReview({ statedVerdict: null, ...said })],
    claims: [],
    matrix: [],
    rules: rulesOf('review').rules,
  });
  const { verdict = null, claimed = null, veto_downgraded = null } = agent ?? {};
  return { verdict, claimed, veto_downgraded };
}
const go = await readPersona('go-reviewer', '/');

describe('the verdict of a reviewer', () => {
  it.each<[string, Partial<Persona>, Finding, string]>([
    ['a critical finding of security', {}, finding({ severity: 'critical' }), 'VETO'],
    [
      'a high one with a path of attack',
      {},
      finding({ severity: 'high', extra: { exploit_path: true } }),
      'VETO',
    ],
    ['a high one without', {}, finding({ severity: 'high' }), 'WARN'],
    ['a committed secret', {}, finding({ category: 'Secrets' }), 'VETO'],
    ['a bypass of authentication', {}, finding({ category: 'authentication bypass' }), 'VETO'],
    [
      'a critical CVE of a direct dependency',
      { role: 'vulnerability' },
      finding({ severity: 'critical', extra: { cve: 'CVE-2026-1', direct: true } }),
      'VETO',
    ],
    [
      'a critical CVE of an indirect one',
      { role: 'vulnerability' },
      finding({ severity: 'critical', extra: { cve: 'CVE-2026-1', direct: false } }),
      'WARN',
    ],
    [
      'a high CVE with a known exploit',
      { role: 'vulnerability' },
      finding({ severity: 'high', extra: { cve: 'CVE-2026-1', known_exploit: true } }),
      'VETO',
    ],
    [
      'dependency confusion',
      { role: 'vulnerability' },
      finding({ category: 'dependency_confusion' }),
      'VETO',
    ],
    ['a goroutine leak', go, finding({ category: 'goroutine leak' }), 'VETO'],
    [
      'an ignored critical error',
      go,
      finding({ severity: 'critical', category: 'ignored-error' }),
      'VETO',
    ],
    ['another ignored error', go, finding({ severity: 'medium', category: 'ignored-error' }), 'OK'],
    [
      'a goroutine leak that another language finds',
      { role: 'language' },
      finding({ category: 'goroutine leak' }),
      'OK',
    ],
    [
      'a broken example',
      { role: 'documentation' },
      finding({ category: 'broken example' }),
      'VETO',
    ],
    [
      'a critical finding without the power',
      { role: 'code-quality', veto: false },
      finding({ severity: 'critical' }),
      'WARN',
    ],
    ['a medium finding', {}, finding({ severity: 'medium' }), 'OK'],
    [
      'a critical finding at a place that is not there',
      {},
      finding({ severity: 'critical', location: sampleLocation({ anchoring: 'unanchored' }) }),
      'WARN',
    ],
  ])('on %s', (_what, persona, one, verdict) =>
    expect(judged(persona, { findings: [one] }).verdict).toBe(verdict),
  );

  it('takes a claimed veto with grounds, and makes a warning of one without power or grounds', () => {
    expect(judged({}, { statedVerdict: 'VETO', vetoReasons: ['licence'] })).toEqual({
      verdict: 'VETO',
      claimed: 'VETO',
      veto_downgraded: false,
    });
    expect(judged({}, { statedVerdict: 'VETO', vetoReasons: [' '] })).toEqual({
      verdict: 'WARN',
      claimed: 'VETO',
      veto_downgraded: true,
    });
    expect(
      judged({ role: 'code-quality', veto: false } as const, {
        statedVerdict: 'VETO',
        vetoReasons: ['bad'],
      }),
    ).toEqual({
      verdict: 'WARN',
      claimed: 'VETO',
      veto_downgraded: true,
    });
    const grave = { statedVerdict: 'VETO', findings: [sampleFinding({ severity: 'high' })] };
    expect(judged({ role: 'documentation' }, grave).verdict).toBe('VETO');
  });

  it('reads the other vocabularies', () => {
    expect(
      ['APPROVE', 'request_changes', 'Request Changes', 'warn', 'constructor', null].map(
        readClaimedVerdict,
      ),
    ).toEqual(['OK', 'WARN', 'WARN', 'WARN', null, null]);
    expect(judged({}, { statedVerdict: 'REQUEST_CHANGES' }).verdict).toBe('WARN');
    const high = [finding({ severity: 'high' })];
    expect(judged({}, { statedVerdict: 'OK', findings: high }).verdict).toBe('WARN');
  });
});

it('what a persona weighs stands in its file or follows from its role', async () => {
  const shipped = await Promise.all(
    ['security-reviewer', 'vulnerability-reviewer', 'code-quality-reviewer'].map(name =>
      readPersona(name, '/'),
    ),
  );
  expect(shipped.map(hasSecurityWeight)).toEqual([true, true, false]);
  expect([
    hasSecurityWeight({ role: 'security' }),
    hasSecurityWeight({ role: 'security', weight: 'ordinary' }),
    hasSecurityWeight({ role: 'general', weight: 'security' }),
  ]).toEqual([true, false, true]);
});
