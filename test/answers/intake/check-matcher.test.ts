import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formClaims } from '../../../src/agreement/claims.ts';
import { createMatcher } from '../../../src/agreement/calibrated.ts';
import { pureStrategies, type PureStrategy } from '../../../src/core/settings.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { createCheckMatcher } from '../../../src/answers/intake/read-source.ts';
import type { Check } from '../../../src/answers/intake/intake.ts';
import { describeMatcher } from '../../contracts/matcher.ts';
import { findingOf } from '../../agreement/sample.ts';

interface Report {
  readonly tool: string;
  readonly text: string;
  readonly check?: string;
  readonly line?: number;
  readonly isShared?: boolean;
}

interface Reports {
  readonly findings: readonly Finding[];
  readonly checks: ReadonlyMap<Finding, Check>;
}

function reportsOf(reports: readonly Report[]) {
  const made = reports.map(({ tool, text, check, line = 3, isShared = true }) => ({
    finding: findingOf(tool, text, {
      path: 'a.js',
      line,
      ...(check === undefined || !isShared ? {} : { category: check }),
    }),
    check,
    isShared,
  }));
  return {
    findings: made.map(({ finding }) => finding),
    checks: new Map(
      made.flatMap(({ finding, check, isShared }) =>
        check === undefined ? [] : [[finding, { name: check, isShared }]],
      ),
    ),
  };
}

async function open(strategy: PureStrategy, { checks }: Pick<Reports, 'checks'>) {
  return createCheckMatcher(createMatcher(strategy), finding => checks.get(finding) ?? null);
}

/** Texts of each claim with the tool that said them. */
async function claimsOf(
  reports: readonly Report[],
  strategy: PureStrategy = 'calibrated',
  order: (findings: readonly Finding[]) => readonly Finding[] = list => list,
) {
  const made = reportsOf(reports);
  const claims = await formClaims({
    findings: order(made.findings),
    matcher: await open(strategy, made),
    panel: [],
    reviews: [],
  });
  return claims
    .map(({ findings }) => findings.map(({ reviewer, text }) => `${reviewer}: ${text}`).toSorted())
    .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
}

for (const strategy of pureStrategies)
  describeMatcher(`${strategy} behind checks`, async () => ({
    open: () => open(strategy, { checks: new Map() }),
  }));

describe('what static analysers report', () => {
  const [unused, declared] = [
    "'next' is defined but never used.",
    "Parameter 'next' is declared but never used. Unused parameters should start with a '_'.",
  ];

  it.each(pureStrategies)(
    'is one claim when two tools report one check at one place, in whatever words (%s)',
    async strategy =>
      expect(
        await claimsOf(
          [
            { tool: 'ESLint', text: unused, check: 'nounused' },
            { tool: 'oxlint', text: 'Beware', check: 'nounused' },
          ],
          strategy,
        ),
      ).toHaveLength(1),
  );

  it.each(pureStrategies)(
    'is two claims when one tool reports a check at two places in the same words (%s)',
    async strategy =>
      expect(
        await claimsOf(
          [
            { tool: 'ESLint', text: unused, check: 'nounused' },
            { tool: 'ESLint', text: unused, check: 'nounused', line: 4 },
          ],
          strategy,
        ),
      ).toHaveLength(2),
  );

  it('pairs several reports of one place by their words', async () => {
    const texts = (name: string) => [
      { tool: 'ESLint', text: unused.replace('next', name), check: 'nounused' },
      { tool: 'oxlint', text: declared.replace('next', name), check: 'nounused' },
    ];
    expect(await claimsOf([...texts('next'), ...texts('req')], 'overlap')).toEqual([
      [`ESLint: ${unused}`, `oxlint: ${declared}`],
      [`ESLint: ${unused.replace('next', 'req')}`, `oxlint: ${declared.replace('next', 'req')}`],
    ]);
  });

  it('does not meet by a check that one tool alone knows, nor without a line', async () =>
    expect(
      await claimsOf([
        { tool: 'ESLint', text: 'one', check: 'x', isShared: false },
        { tool: 'oxlint', text: 'other', check: 'x', isShared: false },
      ]),
    ).toHaveLength(2));

  it('lets the strategy say what belongs to it besides', async () => {
    const claims = await claimsOf([
      { tool: 'ESLint', text: unused, check: 'nounused' },
      { tool: 'oxlint', text: declared, check: 'nounused' },
      { tool: 'Claude', text: unused },
      { tool: 'Claude', text: 'The title is wrong' },
    ]);
    expect(claims.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([
      1, 3,
    ]);
  });

  it('splits by place what a chain of like words would pull together', async () => {
    const reports = [1, 2].flatMap(line =>
      ['ESLint', 'oxlint'].map(tool => ({ tool, text: unused, check: 'nounused', line })),
    );
    expect(await claimsOf(reports, 'overlap')).toHaveLength(2);
  });

  it('says why', async () => {
    const made = reportsOf([
      { tool: 'ESLint', text: unused, check: 'nounused' },
      { tool: 'oxlint', text: declared, check: 'nounused' },
      { tool: 'ESLint', text: unused, check: 'nounused', line: 9 },
    ]);
    const matcher = await open('calibrated', made);
    await matcher.prepare(made.findings);
    const [one, other, later] = made.findings as [Finding, Finding, Finding];
    expect(matcher.compare(one, other)).toEqual({
      same: true,
      score: 100,
      reason: 'They report one check at one place.',
    });
    expect(matcher.compare(one, later)).toEqual({
      same: false,
      score: 0,
      reason: 'One tool reports one check twice.',
    });
  });

  it('is the same whichever tool comes first, and each report is in exactly one claim', async () => {
    const report = fc.record({
      tool: fc.constantFrom('A', 'B', 'C'),
      text: fc.constantFrom(unused, declared, 'No lock', "'a' unused", "'b' unused"),
      check: fc.constantFrom('x', 'y'),
      line: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(report, { maxLength: 8, selector: value => JSON.stringify(value) }),
        async reports => {
          const claims = await claimsOf(reports);
          expect(claims.flat()).toHaveLength(reports.length);
          expect(
            await claimsOf(reports, 'calibrated', list =>
              list.toSorted((one, other) => other.reviewer.localeCompare(one.reviewer)),
            ),
          ).toEqual(claims);
        },
      ),
    );
  });

  it('repeated word for word is one', async () =>
    expect(
      await claimsOf(
        Array.from({ length: 3_000 }, () => ({ tool: 'ESLint', text: unused, check: 'nounused' })),
      ),
    ).toHaveLength(1));
});
