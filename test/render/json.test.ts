import { describe, expect, it } from 'vitest';
import { Run, RunRecord } from '../../src/core/words/run.ts';
import { renderJson } from '../../src/render/figures.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { sampleRun } from './sample-run.ts';

describe('the JSON report', () => {
  it('reads as agreed', () => {
    const text = renderJson(sampleRun());
    expect(text).toBe(golden('report.json', text));
  });

  it('parses back to the record and its exit code, whatever the world wrote into it', () => {
    for (const run of [sampleRun(), ...payloads.map(payload => poisonedRun(payload))])
      expect(JSON.parse(renderJson(run))).toEqual({
        ...run.record,
        exitCode: { PASS: 0, FAIL: 1, INCOMPLETE: 2 }[run.record.outcome ?? 'PASS'],
      });
  });

  it('names the exit code of a process that was interrupted', () =>
    expect(JSON.parse(renderJson(sampleRun(), 130))).toMatchObject({
      outcome: 'FAIL',
      exitCode: 130,
    }));

  it('is what the schema of a run says, as the sample is', () => {
    expect(RunRecord.safeParse(JSON.parse(renderJson(sampleRun()))).success).toBe(true);
    expect(Run.parse(sampleRun())).toEqual(sampleRun());
  });

  it('holds no character that steers a terminal', () => {
    for (const payload of payloads)
      expect(renderJson(poisonedRun(payload))).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
      );
  });
});
