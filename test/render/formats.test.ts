import { describe, expect, it } from 'vitest';
import { formats, renderers } from '../../src/render/formats.ts';
import { sampleRun } from './sample-run.ts';

describe('the formats of a report', () => {
  it('have one renderer each, and every renderer is a format', () => {
    expect(Object.keys(renderers).sort()).toEqual([...formats].sort());
  });

  it.each(formats)('%s prints the outcome, ends with a line end and changes nothing in the run', format => {
    const run = sampleRun();
    const text = renderers[format](run, { color: false, width: 80 });
    expect(text).toMatch(/\bFAIL\b/);
    expect(text.endsWith('\n')).toBe(true);
    expect(run).toEqual(sampleRun());
  });
});
