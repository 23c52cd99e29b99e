import { describe, expect, it } from 'vitest';
import { readFindingsIndex } from '../../../src/answers/findings-index.ts';
import { groundFindings, groundingExit } from '../../../src/core/run-files/merged-findings.ts';

const agents = [
  {
    agent: 'alpha',
    index: readFindingsIndex(
      '### Findings Index\n- P0 | P0-1 | "A" | one\n- P1 | P1-1 | "A" | two\nVerdict: risky\n',
    ),
  },
  {
    agent: 'beta',
    index: readFindingsIndex('### Findings Index\n- P2 | B-1 | "A" | three\nVerdict: safe\n'),
  },
];
const check = (findings: readonly unknown[], strict = false) =>
  groundFindings({ findings, agents, foreignSkipped: 0, strict });
const sources = (...list: [string, string][]) => [
  { id: 'M', severity: 'P0', provenance: list.map(([agent, id]) => ({ agent, original_id: id })) },
];
const both = [
  { id: 'P0-1', severity: 'P0' },
  { id: 'P1-1', severity: 'P1' },
];

describe('grounding', () => {
  it('holds where every merged finding is in an index', () =>
    expect(check(both, true)).toMatchObject({ status: 'ok', checked: 2, ungrounded: [] }));

  it('is violated by a grave finding nobody wrote, and warned of by a mild one', () => {
    expect(check([...both, { id: 'P0-99', severity: 'P0' }])).toMatchObject({
      status: 'violation',
      ungrounded: ['P0|P0-99'],
    });
    const mild = check([...both, { id: 'P2-99', severity: 'P2' }]);
    expect([mild.status, groundingExit(mild)]).toEqual(['warn', 0]);
    expect(groundingExit(check([...both, { id: 'P2-99', severity: 'P2' }], true))).toBe(3);
  });

  it('warns of another severity and of a wrong agent', () => {
    expect(check([{ id: 'P1-1', severity: 'P0' }])).toMatchObject({
      status: 'warn',
      severity_mismatch: ['P1-1: P0, its index says P1'],
    });
    expect(check([{ id: 'B-1', severity: 'P2', agent: 'alpha' }])).toMatchObject({
      status: 'warn',
      wrong_agent: ['B-1: not in the index of alpha'],
    });
    expect(check([{ id: 'B-1', severity: 'P2', agents: ['alpha', 'beta'] }]).status).toBe('ok');
  });

  it('traces each source of a merged finding, and takes nothing else for evidence', () => {
    expect(check(sources(['alpha', 'P0-1'], ['beta', 'B-1'])).status).toBe('ok');
    expect(check(sources(['alpha', 'P0-1'], ['beta', 'P0-1'])).status).toBe('violation');
    expect(check(sources()).status).toBe('violation');
    expect(check([{ id: 'F1', severity: 'P1', source_findings: ['P1-1'] }]).status).toBe(
      'violation',
    );
  });

  it.each([
    [{ severity: 'P3' }],
    [null],
    ['P0-1'],
    [{ id: '', severity: 'P2' }],
    [{ id: 7, severity: 'P2' }],
    [{ id: 'P0-1', severity: 'P0', provenance: 'alpha' }],
  ])('knows no ground for %j', entry => expect(check([entry]).ungrounded).toHaveLength(1));
});
