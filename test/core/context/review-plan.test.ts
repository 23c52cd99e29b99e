import { describe, expect, it } from 'vitest';
import { allotBudgets } from '../../../src/core/context/budget.ts';
import { drawPlan, type PlannedPack } from '../../../src/core/context/review-plan.ts';
import { renderPlan } from '../../../src/render/review-plan.ts';

type PlanMaterial = Parameters<typeof drawPlan>[0];

const pack = (id: string, changes: Partial<PlannedPack> = {}): PlannedPack => ({
  id,
  persona: `${id}-reviewer`,
  role: 'security',
  runner: 'api',
  model: null,
  provider: null,
  host: null,
  required: false,
  price: { input: 2, output: 10 },
  files: ['a.ts'],
  skipped: [],
  packs: 1,
  bytes: 400,
  tokens: 100,
  factor: 1,
  mostCalls: 2,
  ...changes,
});

function draw(
  totalTokens: number,
  packs: readonly PlannedPack[],
  changes: Partial<PlanMaterial> = {},
) {
  const paid = packs
    .filter(({ runner }) => runner !== 'builtin')
    .map(({ id }) => ({ id, base: 1000 }));
  const budget = allotBudgets({ totalTokens, complexity: null, reviewers: paid });
  return drawPlan({
    title: 'HEAD',
    usual: null,
    carried: null,
    complexity: null,
    budget: { ...budget, granted: budget.budgets, cover: 'once' },
    month: null,
    unread: [],
    knowledge: { guidelines: [], learnt: [] },
    deliberation: null,
    quorum: 1,
    limits: { maxCalls: null, maxTokens: null, maxCost: null },
    packs,
    scope: {
      total_tokens: totalTokens,
      counter: { name: 'bytes/4', version: '1', estimated: true },
      files: [],
      skipped: [],
      triaged: [],
    },
    triage: {
      seated: packs.map(({ id }) => ({ id, why: ['on the panel'] })),
      leftOut: [],
      gaps: [],
    },
    ...changes,
  });
}

describe('the plan of a review', () => {
  it('has one ledger below the boundary and one for each reviewer above', () => {
    expect(draw(0, [pack('a'), pack('b')])).toMatchObject({
      isolation: 'shared',
      ledgers: [{ name: '(run)', total: 2000 }],
    });
    expect(draw(16_385, [pack('a'), pack('b')])).toMatchObject({
      isolation: 'branch',
      ledgers: [
        { name: 'a', total: 2000 },
        { name: 'b', total: 2000 },
      ],
    });
    expect(draw(0, [pack('s', { runner: 'builtin', packs: 0 })]).ledgers).toEqual([]);
  });

  it('counts the repair, and the repeats of both attempts, into the ceiling of calls', () => {
    const plan = draw(0, [pack('a'), pack('b', { mostCalls: 6 })]);
    expect([plan.calls, plan.ceiling.calls]).toEqual([{ expected: 2, ceiling: 8 }, 8]);
    expect(
      draw(0, [pack('a')], { limits: { maxCalls: 1, maxTokens: 500, maxCost: 0.001 } }).ceiling,
    ).toEqual({ calls: 1, tokens: 500, cost: 0.001 });
  });

  it('prices the prompt and the rest of the budget, and says when a price is missing', () => {
    expect(draw(0, [pack('a')]).cost).toEqual({ input: 0.0002, ceiling: 0.0002 + 0.009 });
    expect(draw(0, [pack('a'), pack('b', { price: null })])).toMatchObject({
      cost: null,
      ceiling: { cost: null },
    });
    expect(
      draw(0, [pack('s', { runner: 'builtin', packs: 0, price: null })]).panel[0],
    ).toMatchObject({ budget: null, cost: { input: 0, ceiling: 0 } });
  });

  it('says when a prompt alone is more than the budget', () => {
    const plan = draw(0, [pack('a', { tokens: 1001 })]);
    expect(plan.panel[0]?.fits).toBe(false);
    expect(renderPlan(plan, { color: false, width: 100 })).toContain(
      'its prompt alone is more than its budget',
    );
  });

  it('shows hidden characters of what it prints, and fits the terminal', () => {
    const triage: PlanMaterial['triage'] = {
      seated: [{ id: 'a', why: ['on the panel'] }],
      leftOut: [{ id: 'go', why: 'no file of its language', isOutside: true }],
      gaps: ['No security reviewer is on the panel, and \u202Ex.ts is security-sensitive.'],
    };
    const text = renderPlan(draw(0, [pack('a', { skipped: ['b\u001b[2Jc.ts'] })], { triage }), {
      color: false,
      width: 60,
    });
    expect(text).toContain('⟦U+202E⟧');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('go is left out: no file of its language');
    expect(text.split('\n').every(line => line.length <= 60)).toBe(true);
  });
});
