/** What a report for machines says beside its claims: what nobody was asked again, what a person let pass, what lies elsewhere. */
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { Run, RunRecord } from '../../../src/core/words/run.ts';
import { renderGithub, fingerprintClaims } from '../../../src/render/formats/entries.ts';
import { renderGitlab, renderJunit } from '../../../src/render/formats/ci-reports.ts';
import { renderSarif } from '../../../src/render/formats/sarif.ts';
import { at, claim, finding, review, runOf } from '../sample-run.ts';
import { emptyRun } from './runs.ts';
import { schemaErrors } from './sarif-readers.ts';
import fc from 'fast-check';

function withRecord(run: Run, rest: Partial<RunRecord>) {
  return { ...run, record: { ...run.record, ...rest } };
}

function logOf(run: Run) {
  return JSON.parse(renderSarif(run)) as Log;
}

describe('a pass under conditions', () => {
  const run = withRecord(emptyRun(), {
    adopted: { run: '20261120T000000Z-aaaaaa', reviewers: ['beta'] },
    carried: {
      run: '20261121T000000Z-bbbbbb',
      files: 9,
      asked: 2,
      kept: 7,
      reviewers: [{ reviewer: 'alpha', asked: 2, kept: 7 }],
      whole: [],
    },
    approvals: [
      {
        id: 'a'.repeat(64),
        rule: 'unread',
        subjects: ['logo.bin'],
        by: 'ada',
        at: '2026-11-22T10:00:00.000Z',
        reason: 'I looked\n::error::at it',
      },
    ],
    gate: {
      overrides: [
        { rule: 'security-coverage', reason: 'constants only', source: 'JURY_SKIP_SECURITY' },
      ],
    },
  });
  const told = [
    'Not asked again, since run 20261120T000000Z-aaaaaa asked the same: beta.',
    'Second review: 2 of 9 files asked, 7 kept from run 20261121T000000Z-bbbbbb.',
    'Approved by ada on 2026-11-22: logo.bin (I looked\n::error::at it).',
    'Override: security-coverage lifted by JURY_SKIP_SECURITY (constants only).',
  ];

  it('is told as such in SARIF, and stays a success', () => {
    const log = logOf(run);
    const [invocation] = log.runs[0]?.invocations ?? [];
    expect(schemaErrors(log)).toEqual([]);
    expect(invocation?.executionSuccessful).toBe(true);
    expect(
      invocation?.toolExecutionNotifications?.map(({ level, message }) => [level, message.text]),
    ).toEqual(told.map(sentence => ['note', sentence]));
  });

  it('is told as such in JUnit and in the annotations', () => {
    // In the log of a workflow a line of a file must be no command: readers of XML get the colon back.
    const junit = renderJunit(run);
    expect(junit).not.toContain('\n::error::');
    for (const sentence of told) expect(junit.replaceAll('&#58;', ':')).toContain(sentence);
    expect(renderGithub(run)).toBe(
      `::notice title=Jury%3A PASS::${['2 of 2 reviewers completed.', ...told].join('%0A').replaceAll('\n', '%0A')}\n`,
    );
  });
});

it('a claim that was kept from an earlier run says so', () => {
  const said = { ...finding({ reviewer: 'alpha', text: 'Trouble' }, 1), from: 'earlier' };
  const run = runOf([review('alpha', [said])], [claim(1, [said])], { outcome: 'PASS' });
  expect(renderJunit(run)).toContain('It was said in an earlier run, and kept.');
  const both = [said, finding({ reviewer: 'beta', text: 'Trouble' }, 2)] as const;
  expect(renderJunit(runOf([], [claim(1, both)], {}))).not.toContain('earlier run');
});

it.each([
  '../outside/plan.md',
  '/home/somebody/plan.md',
  'docs/../../plan.md',
  'C:\\home\\plan.md',
  '..\\plan.md',
])('a document outside of the project is told without its folder: %s', path => {
  const said = finding({ reviewer: 'alpha', text: 'Trouble', location: at(path, 3) }, 1);
  const run = runOf([review('alpha', [said])], [claim(1, [said])], {
    coverage: {
      bytes: 1,
      accounted: 0,
      files: [{ path, by: [], partiallyBy: [], skippedBy: [] }],
      excluded: [],
    },
    reasons: [{ rule: 'unread', effect: 'INCOMPLETE', subject: path, sentence: 'Unread.' }],
    outcome: 'INCOMPLETE',
  });
  const places = logOf(run).runs[0]?.results?.map(({ locations }) => {
    const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
    return [artifactLocation?.uri, region?.startLine];
  });
  expect(places).toEqual([
    ['(outside)/plan.md', 1],
    ['(outside)/plan.md', 3],
  ]);
  const issues = JSON.parse(renderGitlab(run)) as { location: { path: string } }[];
  expect(issues.map(({ location }) => location.path)).toEqual([
    '(outside)/plan.md',
    '(outside)/plan.md',
  ]);
  expect(renderGithub(run)).toContain('file=(outside)/plan.md,line=3,');
  expect(renderJunit(run)).toContain(`It is about ${path}:3, outside of the project.`);
});

it('a clock that was set back makes no time below zero', () => {
  const back = withRecord(emptyRun(), {
    startedAt: '2026-11-22T10:00:05.000Z',
    completedAt: '2026-11-22T10:00:00.000Z',
  });
  expect(renderJunit(back)).toMatch(/<testsuites [^>]* time="0\.000">/);
});

const rule = () => 'rule';

function placed(number: number, line: number, text = 'Trouble') {
  return claim(0x1000000 + number, [
    finding({ reviewer: 'alpha', text, location: at('a.ts', line) }, number),
  ]);
}

const frameAt = (line: number, code: string) => ({
  first: line,
  lines: [code, 'next'],
  from: line,
  to: line,
});

describe('the fingerprint of a claim', () => {
  it('stays when lines above it come and go, when white space changes, and when other words are found for it', () => {
    const [one, moved] = [placed(1, 10), { ...placed(2, 99, 'The same in other words') }];
    const before = fingerprintClaims(
      { claims: [one], frames: { [one.id]: frameAt(10, '  return a+b;') } },
      rule,
    );
    const after = fingerprintClaims(
      { claims: [moved], frames: { [moved.id]: frameAt(99, '\treturn a + b;') } },
      rule,
    );
    expect(before.get(one.id)).toMatch(/^[0-9a-f]{16}:1$/);
    expect(after.get(moved.id)).toBe(before.get(one.id));
  });

  it('differs by file, by rule and by code', () => {
    const one = placed(1, 10);
    const print = (code: string, name: string, path = 'a.ts') =>
      fingerprintClaims(
        {
          claims: [{ ...one, location: at(path, 10) }],
          frames: { [one.id]: frameAt(10, code) },
        },
        () => name,
      ).get(one.id);
    const all = [print('x', 'r'), print('y', 'r'), print('x', 's'), print('x', 'r', 'b.ts')];
    expect(new Set(all).size).toBe(4);
  });

  it('is one of its own for each claim, in whatever order they come, counted down the file', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), lines => {
        const claims = lines.map((line, index) => placed(index, line));
        const frames = Object.fromEntries(
          claims.map(({ id }, index) => [id, frameAt(lines[index] ?? 1, 'same')]),
        );
        const prints = fingerprintClaims({ claims, frames }, rule);
        expect(new Set(prints.values()).size).toBe(claims.length);
        const others = fingerprintClaims({ claims: claims.toReversed(), frames }, rule);
        for (const [id, print] of prints) expect(others.get(id)).toBe(print);
      }),
    ));
});
