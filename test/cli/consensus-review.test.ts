import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

function says(answer: Readonly<Record<string, unknown>>) {
  return `console.log(${JSON.stringify(JSON.stringify(answer))});`;
}

const high = {
  severity: 'HIGH',
  file: 'src/sum.js',
  line: 2,
  issue: 'sum of an empty list throws',
};
const requests = says({ findings: [high], verdict: 'REQUEST_CHANGES' });
const approves = says({ findings: [], verdict: 'APPROVE', metrics: { branches: 3 } });

let sample: SampleRepository;

beforeAll(() => {
  sample = createChangedRepository();
});

/** Reviewers by persona; each name is its short name. */
function review(panel: Readonly<Record<string, string>>, ...args: string[]) {
  const config = writePanel(
    sample,
    Object.entries(panel).map(([name, script]) => ({
      id: `${name}-reviewer`,
      script,
      settings: `persona: ${name}-reviewer, timeout: 4`,
    })),
  );
  return juryJson(sample.root, ['review', '--config', config, '--fresh', ...args]);
}

describe('a consensus review', () => {
  const three = { security: requests, 'code-quality': requests, 'user-persona': requests };

  it('passes changes that are requested, with warnings', () => {
    const { code, record } = review(three, '--protocol', 'veto');
    expect([code, record.consensusReview?.verdict, record.outcome]).toEqual([
      0,
      'APPROVED (3 warnings)',
      'PASS',
    ]);
  });

  it('takes every warning for a veto when it is strict', () => {
    const { code, record } = review(three, '--strict');
    expect([code, record.consensusReview?.verdict, record.outcome]).toEqual([
      1,
      'BLOCKED (3 vetoes)',
      'FAIL',
    ]);
  });

  it('blocks over what meets the criteria of a persona with veto power', () => {
    const { code, record } = review(
      {
        security: says({
          findings: [{ ...high, exploit_path: true, cwe: 'CWE-89' }],
          verdict: 'WARN',
        }),
        'code-quality': approves,
      },
      '--protocol',
      'veto',
    );
    expect([code, record.consensusReview?.verdict]).toEqual([1, 'BLOCKED (1 veto)']);
    expect(record.consensusReview?.agents[0]).toMatchObject({
      verdict: 'VETO',
      claimed: 'WARN',
      ground: 'HIGH sum of an empty list throws',
    });
    expect(jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout).toContain(
      '❌ Security: HIGH sum of an empty list throws',
    );
    const filed = readFileSync(
      path.join(sample.root, record.consensusReview?.report ?? ''),
      'utf8',
    );
    expect(filed).toContain('- CWE: `CWE-89`');
  });

  it('counts such a veto beside the fail rules too, and the same without one not', () => {
    expect(
      review({
        security: says({ findings: [{ ...high, exploit_path: true }] }),
        'code-quality': approves,
      }).code,
    ).toBe(1);
    expect(review({ security: requests, 'code-quality': approves }).code).toBe(0);
  });

  it('shows vetoes as advice when told to', () => {
    const { code, record } = review(
      { security: says({ findings: [{ ...high, severity: 'CRITICAL' }] }) },
      '--ignore-vetos',
    );
    expect([code, record.consensusReview?.verdict, record.outcome]).toEqual([
      0,
      'ADVISORY',
      'PASS',
    ]);
  });

  it('makes a warning of a veto without the power for it, and is incomplete when somebody times out', () => {
    const { code, record } = review(
      {
        'code-quality': says({ findings: [high], veto_exercised: true }),
        security: 'setTimeout(() => {}, 60_000);',
        documentation: approves,
      },
      '--protocol',
      'veto',
    );
    expect([code, record.consensusReview?.verdict]).toEqual([2, 'INCOMPLETE']);
    expect(
      record.consensusReview?.agents.find(({ reviewer }) => reviewer === 'code-quality-reviewer'),
    ).toMatchObject({ verdict: 'WARN', claimed: 'VETO', veto_downgraded: true });
  });

  it('reads a review in Markdown, and keeps the keys of a reviewer that it does not know', () => {
    const markdown = `console.log('### Verdict: REQUEST_CHANGES\\n\\n#### Critical\\n\\nNone\\n\\n#### High\\n\\n- src/sum.js:2 the sum of an empty list throws\\n');`;
    const { record } = review(
      { 'code-quality': markdown, documentation: approves },
      '--protocol',
      'aad',
    );
    expect(
      record.consensusReview?.agents.map(({ verdict, high: count }) => [verdict, count]),
    ).toEqual([
      ['WARN', 1],
      ['OK', 0],
    ]);
    const output = JSON.parse(
      readFileSync(
        path.join(runsOf(sample.root), record.run, 'raw/documentation-reviewer.json'),
        'utf8',
      ),
    ) as Record<string, unknown>;
    expect(output).toMatchObject({
      agent: 'documentation-reviewer',
      verdict: 'OK',
      partial: false,
      cutoff_reason: null,
      metrics: { branches: 3 },
      summary: { critical: 0, high: 0, medium: 0, low: 0 },
    });
  });

  it('says so when nobody found anything', () => {
    const { code, record } = review(
      { security: approves, 'code-quality': approves },
      '--protocol',
      'veto',
    );
    expect([code, record.consensusReview?.verdict]).toEqual([0, 'APPROVED']);
    expect(jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout).toContain(
      '\nNo issues found.\n',
    );
  });

  it('wants two thirds of the readers behind a finding that is put to the vote', () => {
    const { record } = review(
      {
        documentation: says({ findings: [high] }),
        'code-quality': approves,
        'user-persona': approves,
      },
      '--protocol',
      'vote',
    );
    expect(record.consensusReview?.verdict).toBe('APPROVED');
  });

  it('blocks when nobody with that role read a security-sensitive file', () => {
    const other = createChangedRepository();
    for (let index = 1; index <= 11; index++)
      other.write(`src/part${index}.js`, `export const value${index} = 1;\n`);
    other.write('src/auth.go', `// ${'a long line of words that take tokens '.repeat(1200)}\n`);
    other.commit('twelve');
    const config = writePanel(other, [
      {
        id: 'security-reviewer',
        script: approves,
        settings: 'persona: security-reviewer, maxPromptBytes: 20000',
      },
      { id: 'code-quality-reviewer', script: approves },
    ]);
    const { code, record } = juryJson(other.root, [
      'review',
      '--config',
      config,
      '--protocol',
      'veto',
    ]);
    expect([code, record.consensusReview?.verdict]).toEqual([1, 'BLOCKED (security coverage)']);
    expect(record.consensusReview?.blocking).toEqual([
      'src/auth.go was not reviewed by security-reviewer (path segment "auth.go" contains "auth")',
    ]);
  });
});

describe('the words of a review on the command line', () => {
  it('are the short names of personas, and an unknown one is answered with the list', () => {
    writePanel(sample, [{ id: 'alpha', script: approves, settings: 'persona: security-reviewer' }]);
    const config = path.join(sample.root, '../panel/jury.config.yaml');
    expect(
      juryJson(sample.root, [
        'review',
        '--config',
        config,
        '--agents',
        'security',
      ]).record.reviewers.map(({ id }) => id),
    ).toEqual(['alpha']);
    const refused = jury(sample.root, ['review', '--config', config, '--agents', 'astrology']);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining(
        'security, vulnerability, code-quality, documentation, user-persona, go',
      ),
    ]);
  });

  it('may be paths, and a scope that is none is named', () => {
    const { record } = juryJson(sample.root, ['review', 'src/']);
    expect([record.coverage.files.map(file => file.path), record.consensusReview?.report]).toEqual([
      ['src/sum.js'],
      expect.stringMatching(/^\.jury\/reviews\/review-src(?:-\d+)?\.md$/),
    ]);
    expect(jury(sample.root, ['review', 'no-such-thing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Error: scope not found: no-such-thing') as string,
    });
  });

  it('do not promise an exchange of findings', () =>
    expect(jury(sample.root, ['review', '--protocol', 'ci'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--protocol ci') as string,
    }));
});
