import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  branchStatus,
  chargeBranch,
  checkReturn,
  countActive,
  createBranch,
  noBranches,
  returnBranch,
  transition,
  type Branch,
  type BranchAnswer,
  type Branches,
  type CreatedBranch,
  type Creation,
} from '../../../src/core/context/branches.ts';
import {
  type BranchRequest,
  defaultBranchLimits,
} from '../../../src/core/context/branch-requests.ts';
import { foldMessage, type FoldCode } from '../../../src/core/context/budget.ts';

const request: BranchRequest = {
  sessionId: 's1',
  description: 'Look at the callers',
  budget: 8_192,
  timeoutSeconds: 300,
};

function create(
  branches: Branches,
  number: number,
  changes: Partial<BranchRequest> = {},
  creation: Partial<Creation> = {},
): BranchAnswer<CreatedBranch> {
  return createBranch(
    branches,
    { ...request, ...changes },
    { caller: 'alpha', id: idOf(number), now: 0, elsewhere: 0, ...creation },
  );
}

function idOf(number: number): string {
  return `br_${number.toString(16).padStart(8, '0')}`;
}

/** Creates with consecutive numbers; each has the one before it as parent when `isChain`. */
function createMany(
  count: number,
  { isChain = false } = {},
): { readonly branches: Branches; readonly depths: readonly number[] } {
  let branches = noBranches;
  const depths: number[] = [];
  for (let number = 1; number <= count; number++) {
    const made = create(
      branches,
      number,
      isChain && number > 1 ? { parentBranchId: idOf(number - 1) } : {},
    );
    if (!made.ok) throw new Error(foldMessage(made.code, made.place));
    branches = made.branches;
    depths.push(made.value.depth);
  }
  return { branches, depths };
}

function codeOf(answer: BranchAnswer<unknown>): FoldCode | 'ok' {
  return answer.ok ? 'ok' : answer.code;
}

describe('creating branches', () => {
  it('gives what was asked for, with the documented defaults in reach', () => {
    expect(create(noBranches, 1)).toMatchObject({
      ok: true,
      value: {
        branch_id: 'br_00000001',
        budget_requested: 8_192,
        budget_allocated: 8_192,
        capped: false,
        timeout_seconds: 300,
        depth: 0,
      },
    });
  });

  it('makes six branches of one session without a parent six siblings at depth 0', () => {
    expect(createMany(6).depths).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('lets a chain of parents reach depths 0, 1 and 2 and refuses the fourth in the documented words', () => {
    const { branches, depths } = createMany(3, { isChain: true });
    expect(depths).toEqual([0, 1, 2]);
    const fourth = create(branches, 4, { parentBranchId: idOf(3) });
    expect(fourth.ok ? '' : foldMessage(fourth.code, fourth.place)).toBe(
      '[FOLD004] maximum depth exceeded (branch_id=br_00000003, session_id=s1)',
    );
  });

  it('refuses the eleventh at a time in a run, and lets it in when one has returned', () => {
    const { branches } = createMany(10);
    expect(codeOf(create(branches, 11))).toBe('FOLD013');
    const returned = returnBranch(branches, {
      caller: 'alpha',
      branchId: idOf(5),
      message: '',
      now: 1,
    });
    expect(codeOf(create(returned.branches, 11, {}, { now: 1 }))).toBe('ok');
  });

  it('counts the branches of other runs of the process', () => {
    expect(codeOf(create(noBranches, 1, {}, { elsewhere: 99 }))).toBe('ok');
    expect(codeOf(create(noBranches, 1, {}, { elsewhere: 100 }))).toBe('FOLD013');
  });

  it('caps what is asked for and says so, but never a budget that was computed', () => {
    expect(create(noBranches, 1, { budget: 49_152 })).toMatchObject({
      value: { budget_allocated: 49_152, capped: false },
    });
    expect(create(noBranches, 1, { budget: 49_153 })).toMatchObject({
      value: { budget_requested: 49_153, budget_allocated: 49_152, capped: true },
    });
    expect(create(noBranches, 1, { timeoutSeconds: 601 })).toMatchObject({
      value: { timeout_seconds: 600, capped: true },
    });
    expect(create(noBranches, 1, { budget: 60_000 }, { isComputed: true })).toMatchObject({
      value: { budget_allocated: 60_000, capped: false },
    });
  });

  it('ends a loop of creating and returning', () => {
    let branches = noBranches;
    for (let number = 1; number <= defaultBranchLimits.createsPerMinute; number++) {
      branches = create(branches, number).branches;
      branches = returnBranch(branches, {
        caller: 'alpha',
        branchId: idOf(number),
        message: '',
        now: 0,
      }).branches;
    }
    expect(codeOf(create(branches, 100))).toBe('FOLD012');
    expect(codeOf(create(branches, 100, { sessionId: 's2' }, { caller: 'beta' }))).toBe('ok');
    expect(codeOf(create(branches, 100, {}, { now: 60_000 }))).toBe('ok');
  });

  it.each<[FoldCode | 'ok', Partial<BranchRequest>]>([
    ['FOLD015', { sessionId: '' }],
    ['FOLD015', { sessionId: ' \t\n' }],
    ['FOLD016', { description: '' }],
    ['FOLD016', { description: '\u00a0 \u2003' }],
    ['ok', { description: 'd'.repeat(500) }],
    ['FOLD017', { description: 'd'.repeat(501) }],
    ['ok', { description: '🦉'.repeat(500) }],
    ['FOLD017', { description: '🦉'.repeat(501) }],
    ['FOLD018', { prompt: '' }],
    ['FOLD018', { prompt: '  ' }],
    ['ok', { prompt: 'p'.repeat(10_000) }],
    ['FOLD019', { prompt: 'p'.repeat(10_001) }],
    ['FOLD010', { budget: 0 }],
    ['FOLD010', { budget: -1 }],
    ['FOLD010', { budget: 1.5 }],
    ['FOLD010', { budget: Number.NaN }],
    ['FOLD011', { budget: Number.MAX_SAFE_INTEGER + 1 }],
    ['FOLD020', { parentBranchId: ' ' }],
    ['FOLD001', { parentBranchId: 'br_ffffffff' }],
  ])('answers %s to %j', (code, changes) => {
    expect(codeOf(create(noBranches, 1, changes))).toBe(code);
  });

  it('refuses an id that is taken, a parent that has ended and a parent from another session', () => {
    const { branches } = createMany(1);
    expect(codeOf(create(branches, 1))).toBe('FOLD002');
    expect(codeOf(create(branches, 2, { sessionId: 's2', parentBranchId: idOf(1) }))).toBe(
      'FOLD001',
    );
    const returned = returnBranch(branches, {
      caller: 'alpha',
      branchId: idOf(1),
      message: '',
      now: 0,
    });
    expect(codeOf(create(returned.branches, 2, { parentBranchId: idOf(1) }))).toBe('FOLD003');
  });

  it('leaves everything as it was when it refuses', () => {
    const { branches } = createMany(3);
    expect(create(branches, 4, { description: '' }).branches).toEqual(branches);
  });
});

describe('the session of another caller', () => {
  const { branches } = createMany(1);
  it.each<[string, BranchAnswer<unknown>]>([
    ['create', create(branches, 2, {}, { caller: 'beta' })],
    [
      'create below a branch of it',
      create(branches, 2, { sessionId: 's2', parentBranchId: idOf(1) }, { caller: 'beta' }),
    ],
    ['return', returnBranch(branches, { caller: 'beta', branchId: idOf(1), message: '', now: 0 })],
    ['status of the branch', branchStatus(branches, { caller: 'beta', branchId: idOf(1), now: 0 })],
    ['status of the session', branchStatus(branches, { caller: 'beta', sessionId: 's1', now: 0 })],
  ])('is closed: %s answers FOLD022', (_, answer) => {
    expect(codeOf(answer)).toBe('FOLD022');
  });
});

describe('returning', () => {
  const back = { caller: 'alpha', branchId: idOf(1), message: 'done', now: 0 };

  it('completes a branch once', () => {
    const first = returnBranch(createMany(1).branches, back);
    expect(first).toMatchObject({ ok: true, value: { status: 'completed', reason: null } });
    expect(codeOf(returnBranch(first.branches, back))).toBe('FOLD003');
  });

  it('ends active children first, and theirs, as failed', () => {
    const { branches } = createMany(3, { isChain: true });
    const { byId } = returnBranch(branches, back).branches;
    expect([...byId.values()].map(({ status, reason }) => [status, reason])).toEqual([
      ['completed', null],
      ['failed', 'parent returning'],
      ['failed', 'parent returning'],
    ]);
  });

  it('leaves a child that has ended, and siblings, as they are', () => {
    const child = create(createMany(2).branches, 3, { parentBranchId: idOf(1) });
    const ended = returnBranch(child.branches, { ...back, branchId: idOf(3) });
    const { byId } = returnBranch(ended.branches, back).branches;
    expect([...byId.values()].map(({ status }) => status)).toEqual([
      'completed',
      'active',
      'completed',
    ]);
  });

  it('changes nothing when it is only checked', () => {
    const { branches } = createMany(2, { isChain: true });
    expect(checkReturn(branches, back)).toMatchObject({ ok: true, branches });
  });

  it.each<[FoldCode | 'ok', Partial<typeof back>]>([
    ['FOLD020', { branchId: '' }],
    ['FOLD020', { branchId: '  ' }],
    ['FOLD001', { branchId: 'br_ffffffff' }],
    ['FOLD006', { branchId: 's1' }],
    ['ok', { message: '' }],
    ['ok', { message: '🦉'.repeat(50_000) }],
    ['FOLD021', { message: 'm'.repeat(50_001) }],
  ])('answers %s to %j', (code, changes) => {
    expect(codeOf(returnBranch(createMany(1).branches, { ...back, ...changes }))).toBe(code);
  });
});

describe('charging', () => {
  it('goes to the newest active branch of the caller, and shows at once', () => {
    const { branches } = createMany(2);
    const charged = chargeBranch(branches, { caller: 'alpha', tokens: 100, now: 0 });
    expect(
      branchStatus(charged.branches, { caller: 'alpha', branchId: idOf(2), now: 0 }),
    ).toMatchObject({ value: { budget_used: 100, budget_remaining: 8_092 } });
    expect(
      branchStatus(charged.branches, { caller: 'alpha', branchId: idOf(1), now: 0 }),
    ).toMatchObject({ value: { budget_used: 0 } });
    expect(chargeBranch(branches, { caller: 'beta', tokens: 100, now: 0 })).toMatchObject({
      ok: true,
      value: null,
    });
  });

  it('takes an exact fit and fails the branch at the first token more', () => {
    const full = chargeBranch(createMany(1).branches, { caller: 'alpha', tokens: 8_192, now: 0 });
    expect(full).toMatchObject({ ok: true, value: { budgetUsed: 8_192, status: 'active' } });
    const over = chargeBranch(full.branches, { caller: 'alpha', tokens: 1, now: 0 });
    expect(codeOf(over)).toBe('FOLD008');
    expect(over.branches.byId.get(idOf(1))).toMatchObject({
      status: 'failed',
      reason: 'budget exhausted',
      budgetUsed: 8_192,
    });
  });

  it('refuses what is no amount', () => {
    expect(
      codeOf(chargeBranch(createMany(1).branches, { caller: 'alpha', tokens: -1, now: 0 })),
    ).toBe('FOLD010');
    expect(
      codeOf(chargeBranch(createMany(1).branches, { caller: 'alpha', tokens: 0.5, now: 0 })),
    ).toBe('FOLD010');
  });
});

describe('status', () => {
  it('names the newest active branch of a session, and none when there is none', () => {
    const { branches } = createMany(2);
    expect(branchStatus(branches, { caller: 'alpha', sessionId: 's1', now: 0 })).toMatchObject({
      value: {
        branch_id: idOf(2),
        session_id: 's1',
        status: 'active',
        depth: 0,
        budget_total: 8_192,
      },
    });
    expect(branchStatus(branches, { caller: 'beta', sessionId: 's9', now: 0 })).toMatchObject({
      value: { branch_id: null, session_id: 's9', status: 'none' },
    });
  });

  it('refuses a question that names nothing', () => {
    expect(codeOf(branchStatus(noBranches, { caller: 'alpha', now: 0 }))).toBe('FOLD020');
    expect(codeOf(branchStatus(noBranches, { caller: 'alpha', branchId: ' ', now: 0 }))).toBe(
      'FOLD020',
    );
    expect(codeOf(branchStatus(noBranches, { caller: 'alpha', sessionId: ' ', now: 0 }))).toBe(
      'FOLD015',
    );
    expect(
      codeOf(branchStatus(noBranches, { caller: 'alpha', branchId: 'br_ffffffff', now: 0 })),
    ).toBe('FOLD001');
  });

  it('says timeout from the deadline on, whoever asks first', () => {
    const { branches } = createMany(2, { isChain: true });
    expect(
      branchStatus(branches, { caller: 'alpha', branchId: idOf(1), now: 299_999 }),
    ).toMatchObject({ value: { status: 'active' } });
    const late = branchStatus(branches, { caller: 'alpha', branchId: idOf(1), now: 300_000 });
    expect(late).toMatchObject({ value: { status: 'timeout' } });
    expect(
      codeOf(
        returnBranch(branches, { caller: 'alpha', branchId: idOf(1), message: '', now: 300_000 }),
      ),
    ).toBe('FOLD003');
    expect(countActive(late.branches)).toBe(0);
  });
});

it('knows no way out of a final state, and none past `active`', () => {
  const branch = createMany(1).branches.byId.get(idOf(1)) as Branch;
  for (const status of ['completed', 'timeout', 'failed'] as const) {
    for (const next of ['created', 'active', 'completed', 'timeout', 'failed'] as const)
      expect(transition({ ...branch, status }, next)).toBeNull();
  }
  expect(transition({ ...branch, status: 'created' }, 'completed')).toBeNull();
});

describe('whatever is asked in whatever order', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('create' as const),
      parent: fc.option(fc.nat(12)),
      caller: fc.constantFrom('alpha', 'beta'),
      budget: fc.integer({ min: 1, max: 60_000 }),
    }),
    fc.record({
      kind: fc.constant('return' as const),
      branch: fc.nat(12),
      caller: fc.constantFrom('alpha', 'beta'),
    }),
    fc.record({
      kind: fc.constant('charge' as const),
      tokens: fc.nat(30_000),
      caller: fc.constantFrom('alpha', 'beta'),
    }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(200_000) }),
  );

  it('keeps depth, room and budget, ends children with their parent, and never revives a branch', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        let branches = noBranches;
        let now = 0;
        let number = 0;
        for (const one of steps) {
          const before = branches;
          if (one.kind === 'wait') now += one.ms;
          else if (one.kind === 'create')
            branches = create(
              branches,
              (number += 1),
              {
                sessionId: `s-${one.caller}`,
                budget: one.budget,
                ...(one.parent === null ? {} : { parentBranchId: idOf(one.parent) }),
              },
              { caller: one.caller, now },
            ).branches;
          else if (one.kind === 'return')
            branches = returnBranch(branches, {
              caller: one.caller,
              branchId: idOf(one.branch),
              message: '',
              now,
            }).branches;
          else
            branches = chargeBranch(branches, {
              caller: one.caller,
              tokens: one.tokens,
              now,
            }).branches;
          expect(countActive(branches)).toBeLessThanOrEqual(10);
          for (const branch of branches.byId.values()) {
            const parent = branch.parentId === null ? null : branches.byId.get(branch.parentId);
            expect(branch.depth).toBe(parent ? parent.depth + 1 : 0);
            expect(branch.depth).toBeLessThanOrEqual(2);
            expect(branch.budgetUsed).toBeLessThanOrEqual(branch.budgetTotal);
            expect(branch.budgetTotal).toBeLessThanOrEqual(49_152);
            if (branch.status === 'active' && parent) expect(parent.status).toBe('active');
            const earlier = before.byId.get(branch.id);
            if (earlier && earlier.status !== 'active') expect(branch).toEqual(earlier);
          }
        }
      }),
    );
  });
});
