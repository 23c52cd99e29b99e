import { describe, expect, it } from 'vitest';
import { formats, renderers } from '../../src/render/formats.ts';
import { sampleRun } from './sample-run.ts';

describe('the formats of a report', () => {
  it('have one renderer each, and every renderer is a format', () =>
    expect(Object.keys(renderers).sort()).toEqual([...formats].sort()));

  it('print the brief in at most fifteen lines', () => {
    const lines = renderers.brief(sampleRun(), { color: true, width: 40 }).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines[0]).toBe('Protocol: 1.0');
  });

  it.each(formats)(
    '%s prints the outcome, ends with a line end and changes nothing in the run',
    format => {
      const run = sampleRun();
      const text = renderers[format](run, { color: false, width: 80 });
      expect(text).toMatch(/\bFAIL\b/);
      expect(text.endsWith('\n')).toBe(true);
      expect(run).toEqual(sampleRun());
    },
  );
});
