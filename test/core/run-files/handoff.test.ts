import { describe, expect, it } from 'vitest';
import { checkHandoff, Handoff, handoffPath } from '../../../src/core/run-files/handoff.ts';

const handoff: Handoff = {
  from: 'Implementer',
  to: 'Reviewer',
  task_id: 'T-1',
  diff_refs: ['b2d3c1a'],
  evidence: ['resources://runs/r1/context/Implementer.lcp.json'],
  risks: [],
  notes: 'Look at the telemetry.',
};

describe('a handoff', () => {
  it('has exactly its keys', () => {
    expect(Handoff.parse(handoff)).toEqual(handoff);
    expect(Handoff.safeParse({ ...handoff, extra: 1 }).success).toBe(false);
    const { risks: _left, ...short } = handoff;
    expect(Handoff.safeParse(short).success).toBe(false);
    expect(Handoff.safeParse({ ...handoff, from: '../x' }).success).toBe(false);
  });

  it('lies in a file named after both roles', () => {
    expect(handoffPath(handoff)).toBe('handoff/Implementer\u2192Reviewer.json');
  });

  it('is refused when a piece of evidence does not resolve', async () => {
    await expect(checkHandoff(handoff, () => Promise.resolve(true))).resolves.toBeUndefined();
    await expect(checkHandoff(handoff, () => Promise.resolve(false))).rejects.toThrow(
      'evidence "resources://runs/r1/context/Implementer.lcp.json" does not resolve',
    );
    await expect(
      checkHandoff({ ...handoff, evidence: ['/etc/passwd'] }, () => Promise.resolve(true)),
    ).rejects.toThrow('does not resolve');
  });
});
