import { describe, expect, it } from 'vitest';
import {
  gatherSources,
  foreignReview,
  type Source,
  toForeignFinding,
} from '../../../src/answers/intake/intake.ts';
import { readSource } from '../../../src/answers/intake/read-source.ts';
import { claimOf, findingOf, reviewerOf, runOf } from '../../core/run-files/samples.ts';

function sourceOf(name: string, reviewers: readonly string[]) {
  const entries = reviewers.map(reviewer => ({
    finding: toForeignFinding({
      reviewer,
      originalId: 'A-1',
      label: 'high',
      severity: 'high',
      text: 'No lock',
      place: null,
      category: null,
      evidence: null,
      recommendation: null,
    }),
    rule: null,
    leftOut: null,
    recorded: null,
  }));
  return {
    name,
    entries,
    reviews: reviewers.map(reviewer => foreignReview(reviewer, true)),
    warnings: [`${name} is odd.`],
  };
}

describe('several sources', () => {
  const intake = gatherSources([
    sourceOf('one', ['Beta', 'Alpha']),
    sourceOf('two', ['Alpha', 'Gamma']),
  ]);

  it('number their findings in the order given, each with an id of its own', () =>
    expect(
      intake.findings.map(({ index, source, finding }) => [index, source, finding.id]),
    ).toEqual([
      [0, 'one', 'Beta/#0'],
      [1, 'one', 'Alpha/#1'],
      [2, 'two', 'Alpha/#2'],
      [3, 'two', 'Gamma/#3'],
    ]));

  it('sit on one panel, in the order of appearance', () => {
    expect(intake.panel).toEqual(['Beta', 'Alpha', 'Gamma']);
    expect(intake.warnings).toEqual(['one is odd.', 'two is odd.']);
  });

  it('a tool counts for every file that a run beside it names; a failed review does not count where another one speaks', () => {
    const run: Source = {
      ...sourceOf('run', ['Delta']),
      reviews: [
        {
          ...foreignReview('Delta', true),
          coverage: [{ path: 'a.ts', extent: 'skipped', why: null }],
        },
        { ...foreignReview('Alpha', true), status: 'failed' },
      ],
    };
    const { reviews } = gatherSources([run, sourceOf('one', ['Alpha'])]);
    expect(
      reviews.map(({ reviewer, status, coverage }) => [reviewer, status, coverage[0]?.extent]),
    ).toEqual([
      ['Delta', 'complete', 'skipped'],
      ['Alpha', 'complete', 'full'],
    ]);
  });
});

const log = (name: string, rules: readonly string[]) =>
  readSource(
    {
      name,
      text: JSON.stringify({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name } },
            results: rules.map(ruleId => ({ ruleId, message: { text: 'x' } })),
          },
        ],
      }),
    },
    [],
  );
const categories = (...sources: readonly Source[]) =>
  gatherSources(sources).findings.map(({ finding }) => finding.category);

describe('rules of several tools', () => {
  it('are categories when two of them know one, under whatever prefix', () =>
    expect(
      categories(
        log('ESLint', ['no-undef', 'semi']),
        log('oxlint', ['eslint(no-undef)', 'unicorn(no-abusive-eslint-disable)']),
        log('Other', ['@typescript-eslint/no-undef', 'lint/suspicious/noUndef']),
      ),
    ).toEqual(['noundef', null, 'noundef', null, 'noundef', 'noundef']));

  it('are none when one tool says them twice', () =>
    expect(categories(log('ESLint', ['no-undef']), log('ESLint', ['no-undef']))).toEqual([
      null,
      null,
    ]));

  it('do not replace a category that was stated', () => {
    const stated = sourceOf('one', ['Alpha']).entries.map(entry => ({
      ...entry,
      rule: 'r',
      finding: { ...entry.finding, category: 'race' },
    }));
    expect(categories({ ...sourceOf('one', []), entries: stated }, log('Lint', ['r']))).toEqual([
      'race',
      'r',
    ]);
  });
});

function read(value: unknown) {
  return readSource({ name: 'latest', text: JSON.stringify(value) }, []);
}

describe('the record of a run', () => {
  const coverage = {
    bytes: 0,
    accounted: 0,
    excluded: [],
    files: [
      {
        path: 'src/db.ts',
        by: ['alpha'],
        partiallyBy: ['beta'],
        skippedBy: [{ reviewer: 'gamma', why: 'too large' }],
      },
    ],
  };
  const reviewers = [
    reviewerOf({ id: 'alpha' }),
    reviewerOf({ id: 'beta', status: 'partial' }),
    reviewerOf({ id: 'gamma', status: 'failed' }),
    reviewerOf({ id: 'delta' }),
  ];
  const { record } = runOf({
    claims: [claimOf({ findings: [findingOf(), findingOf({ reviewer: 'beta' })] })],
    reviewers,
    coverage,
  });

  it('gives its findings, and who read what', () => {
    const { entries, reviews } = read(record);
    expect(
      entries.map(({ finding: { reviewer, severity, location } }) => [
        reviewer,
        severity,
        location?.line,
      ]),
    ).toEqual([
      ['alpha', 'high', 12],
      ['beta', 'high', 12],
    ]);
    expect(
      reviews.map(({ reviewer, status, coverage: [file] }) => [reviewer, status, file?.extent]),
    ).toEqual([
      ['alpha', 'complete', 'full'],
      ['beta', 'partial', 'partial'],
      ['gamma', 'failed', 'skipped'],
      ['delta', 'complete', 'outside'],
    ]);
  });

  it('keeps what was dismissed out of the claims', () =>
    expect(
      read({
        ...record,
        claims: record.claims.map(claim => ({ ...claim, state: 'dismissed' })),
      }).entries.map(({ leftOut }) => leftOut),
    ).toEqual(['dismissed', 'dismissed']));

  it('of another version is read as far as it is known', () => {
    expect(read({ ...record, outcome: 'MAYBE', news: 1 }).entries).toHaveLength(2);
    expect(() => read({ ...record, claims: [{}] })).toThrow(
      'latest: claims[0].id cannot be used: It is missing.',
    );
  });
});
