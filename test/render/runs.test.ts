import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { renderRuns } from '../../src/render/statistics.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { sampleRun } from './sample-run.ts';

const { record } = sampleRun();
const older = {
  ...record,
  run: '20261119T081400Z-000001',
  startedAt: '2026-11-19T08:14:00Z',
  outcome: 'INCOMPLETE' as const,
  subject: { ...record.subject, title: '修复上传功能的安全问题 '.repeat(8) },
};

describe('the list of runs', () => {
  it('reads as agreed, the newest first', () => {
    const text = renderRuns([older, record], { color: false, width: 80 });
    expect(text).toBe(golden('runs.txt', text));
  });

  it.each([40, 60, 80, 200])('has one line per run within %i columns', width => {
    const lines = renderRuns([older, record], { color: false, width }).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[2]).toContain('INCOMPLETE');
  });

  it('says how to make the first one', () =>
    expect(renderRuns([], { color: false, width: 80 })).toBe(
      'No runs yet. "jury review" starts one.\n',
    ));

  it('lets no subject steer the terminal', () => {
    for (const payload of payloads)
      expect(renderRuns([poisonedRun(payload).record], { color: false, width: 200 })).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\uFEFF]/u,
      );
  });
});
