import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { renderGitlab } from '../../../src/render/formats/ci-reports.ts';
import type { Run } from '../../../src/core/words/run.ts';
import { golden } from '../golden.ts';
import { payloads } from '../payloads.ts';
import { poisonedRun } from '../poisoned-run.ts';
import { sampleRun } from '../sample-run.ts';
import { decidedRun, emptyRun, longTexts, manyClaims, undecidedRun } from './runs.ts';

/** What the manual of GitLab says a code quality report must hold. */
const isReport = new Ajv().compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./|/)[^\\n]+$' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

describe('code quality of GitLab', () => {
  it('reads as agreed', () => {
    const text = renderGitlab(sampleRun());
    expect(text).toBe(golden('report.gitlab.json', text));
  });

  it('is a report, each issue with a fingerprint of its own, whatever the world wrote into it', () => {
    for (const run of [
      sampleRun(),
      longTexts(),
      manyClaims(500),
      ...payloads.map(payload => poisonedRun(payload)),
    ]) {
      const issues = read(run);
      expect(isReport(issues), JSON.stringify(isReport.errors)).toBe(true);
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    }
  });

  it('is empty where the run is a pass, and says what was not reviewed where it is none', () => {
    expect(read(emptyRun())).toEqual([]);
    expect(read(undecidedRun())).toEqual([
      expect.objectContaining({
        description: 'INCOMPLETE: 0 of 1 completed; the quorum is 1.',
        check_name: 'run-quorum',
        severity: 'blocker',
      }),
    ]);
  });

  it('leaves out what was dismissed or is fixed, and calls what fails the run a blocker', () =>
    expect(read(decidedRun()).map(({ severity }) => severity)).toEqual([
      'blocker',
      'blocker',
      'major',
      'info',
    ]));
});

function read(run: Run) {
  return JSON.parse(renderGitlab(run)) as { fingerprint: string; severity: string }[];
}
