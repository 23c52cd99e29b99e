import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBranches } from '../../../src/core/tools/branches.ts';
import type { ToolAnswer, ToolInput } from '../../../src/core/tools/offers.ts';

type Branches = ReturnType<typeof openBranches>;
type Input = ToolInput<'branch_create'>;

const request: Input = {
  session_id: 's1',
  description: 'Look at the callers',
  budget: 8_192,
  timeout_seconds: 300,
};

interface Situation {
  readonly caller?: string;
  readonly now?: number;
  readonly elsewhere?: number;
}

function create(
  branches: Branches,
  number: number,
  changes: Partial<Input> = {},
  { caller = 'alpha', now = 0, elsewhere = 0 }: Situation = {},
) {
  return branches.create(caller, { ...request, ...changes }, { id: idOf(number), now, elsewhere });
}

function complete(
  branches: Branches,
  number: number,
  { caller = 'alpha', now = 0 }: Situation = {},
  changes: Partial<ToolInput<'branch_return'>> = {},
) {
  const input = { branch_id: idOf(number), message: 'done', ...changes };
  return branches.complete(caller, input, { now, message: input.message });
}

function idOf(number: number) {
  return `br_${number.toString(16).padStart(8, '0')}`;
}

/** Creates with consecutive numbers; each has the one before it as parent when `isChain`. */
function createMany(count: number, { isChain = false } = {}) {
  const branches = openBranches();
  for (let number = 1; number <= count; number++)
    create(branches, number, isChain && number > 1 ? { parent_branch_id: idOf(number - 1) } : {});
  expect(branches.byId.size).toBe(count);
  return branches;
}

function codeOf({ text, isError }: ToolAnswer) {
  return isError ? (/^\[(FOLD\d{3})\]/.exec(text)?.[1] ?? text) : 'ok';
}

function valueOf({ text }: ToolAnswer) {
  return JSON.parse(text);
}

function statesOf({ byId }: Branches) {
  return [...byId.values()].map(({ status }) => status);
}

describe('creating branches', () => {
  it('gives what was asked for, with the documented defaults in reach', () =>
    expect(valueOf(create(openBranches(), 1))).toEqual({
      branch_id: 'br_00000001',
      budget_requested: 8_192,
      budget_allocated: 8_192,
      capped: false,
      timeout_seconds: 300,
      depth: 0,
    }));

  it('makes six branches of one session without a parent six siblings at depth 0', () =>
    expect([...createMany(6).byId.values()].map(({ depth }) => depth)).toEqual([0, 0, 0, 0, 0, 0]));

  it('lets a chain of parents reach depths 0, 1 and 2 and refuses the fourth in the documented words', () => {
    const branches = createMany(3, { isChain: true });
    expect([...branches.byId.values()].map(({ depth }) => depth)).toEqual([0, 1, 2]);
    expect(create(branches, 4, { parent_branch_id: idOf(3) }).text).toBe(
      '[FOLD004] maximum depth exceeded (branch_id=br_00000003, session_id=s1)',
    );
  });

  it('refuses the eleventh at a time in a run, and lets it in when one has returned', () => {
    const branches = createMany(10);
    expect(codeOf(create(branches, 11))).toBe('FOLD013');
    complete(branches, 5, { now: 1 });
    expect(codeOf(create(branches, 11, {}, { now: 1 }))).toBe('ok');
  });

  it('counts the branches of other runs of the process', () => {
    expect(codeOf(create(openBranches(), 1, {}, { elsewhere: 99 }))).toBe('ok');
    expect(codeOf(create(openBranches(), 1, {}, { elsewhere: 100 }))).toBe('FOLD013');
  });

  const asked = (changes: Partial<Input>) => valueOf(create(openBranches(), 1, changes));

  it('caps what is asked for and says so', () => {
    expect(asked({ budget: 49_152 })).toMatchObject({ budget_allocated: 49_152, capped: false });
    expect(asked({ budget: 49_153 })).toMatchObject({
      budget_requested: 49_153,
      budget_allocated: 49_152,
      capped: true,
    });
    expect(asked({ timeout_seconds: 601 })).toMatchObject({ timeout_seconds: 600, capped: true });
  });

  it('ends a loop of creating and returning', () => {
    const branches = openBranches();
    for (let number = 1; number <= 60; number++) {
      create(branches, number);
      complete(branches, number);
    }
    expect(codeOf(create(branches, 100))).toBe('FOLD012');
    expect(codeOf(create(branches, 100, { session_id: 's2' }, { caller: 'beta' }))).toBe('ok');
    expect(codeOf(create(branches, 101, {}, { now: 60_000 }))).toBe('ok');
  });

  it.each<[string, Partial<Input>]>([
    ['FOLD015', { session_id: '' }],
    ['FOLD015', { session_id: ' \t\n' }],
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
    ['FOLD020', { parent_branch_id: ' ' }],
    ['FOLD001', { parent_branch_id: 'br_ffffffff' }],
  ])('answers %s to %j', (code, changes) => {
    const branches = openBranches();
    expect(codeOf(create(branches, 1, changes))).toBe(code);
    expect(branches.byId.size).toBe(code === 'ok' ? 1 : 0);
  });

  it('refuses an id that is taken, a parent that has ended and a parent from another session', () => {
    const branches = createMany(1);
    expect(codeOf(create(branches, 1))).toBe('FOLD002');
    expect(codeOf(create(branches, 2, { session_id: 's2', parent_branch_id: idOf(1) }))).toBe(
      'FOLD001',
    );
    complete(branches, 1);
    expect(codeOf(create(branches, 2, { parent_branch_id: idOf(1) }))).toBe('FOLD003');
  });
});

it.each<[string, (branches: Branches) => ToolAnswer]>([
  ['create', branches => create(branches, 2, {}, { caller: 'beta' })],
  [
    'create below a branch of it',
    branches =>
      create(branches, 2, { session_id: 's2', parent_branch_id: idOf(1) }, { caller: 'beta' }),
  ],
  ['return', branches => complete(branches, 1, { caller: 'beta' })],
  ['status of the branch', branches => branches.status('beta', { branch_id: idOf(1) }, 0)],
  ['status of the session', branches => branches.status('beta', { session_id: 's1' }, 0)],
])('closes the session of another caller: %s answers FOLD022', (_, asked) =>
  expect(codeOf(asked(createMany(1)))).toBe('FOLD022'),
);

describe('returning', () => {
  it('completes a branch once', () => {
    const branches = createMany(1);
    expect(valueOf(complete(branches, 1))).toEqual({
      success: true,
      tokens_used: 0,
      message: 'done',
    });
    expect(statesOf(branches)).toEqual(['completed']);
    expect(codeOf(complete(branches, 1))).toBe('FOLD003');
  });

  it('ends active children first, and theirs, as failed', () => {
    const branches = createMany(3, { isChain: true });
    complete(branches, 1);
    expect(statesOf(branches)).toEqual(['completed', 'failed', 'failed']);
  });

  it('leaves a child that has ended, and siblings, as they are', () => {
    const branches = createMany(2);
    create(branches, 3, { parent_branch_id: idOf(1) });
    complete(branches, 3);
    complete(branches, 1);
    expect(statesOf(branches)).toEqual(['completed', 'active', 'completed']);
  });

  it('changes nothing when it is only checked', () => {
    const branches = createMany(2, { isChain: true });
    expect(branches.returning('alpha', { branch_id: idOf(1), message: '' }, 0)).toBe(
      branches.byId.get(idOf(1)),
    );
    expect(branches.countActive(0)).toBe(2);
  });

  it.each<[string, Partial<ToolInput<'branch_return'>>]>([
    ['FOLD020', { branch_id: '' }],
    ['FOLD020', { branch_id: '  ' }],
    ['FOLD001', { branch_id: 'br_ffffffff' }],
    ['FOLD006', { branch_id: 's1' }],
    ['ok', { message: '' }],
    ['ok', { message: '🦉'.repeat(50_000) }],
    ['FOLD021', { message: 'm'.repeat(50_001) }],
  ])('answers %s to %j', (code, changes) =>
    expect(codeOf(complete(createMany(1), 1, {}, changes))).toBe(code),
  );
});

describe('charging', () => {
  it('goes to the newest active branch of the caller, and shows at once', () => {
    const branches = createMany(2);
    expect(branches.charge('alpha', 100, 0)).toBeNull();
    expect(branches.charge('beta', 100, 0)).toBeNull();
    expect(valueOf(branches.status('alpha', { branch_id: idOf(2) }, 0))).toMatchObject({
      budget_used: 100,
      budget_remaining: 8_092,
    });
    expect(valueOf(branches.status('alpha', { branch_id: idOf(1) }, 0))).toMatchObject({
      budget_used: 0,
    });
  });

  it('takes an exact fit and fails the branch at the first token more', () => {
    const branches = createMany(1);
    expect(branches.charge('alpha', 8_192, 0)).toBeNull();
    expect(branches.charge('alpha', 1, 0)?.text).toMatch('FOLD008');
    expect(branches.byId.get(idOf(1))).toMatchObject({
      status: 'failed',
      used: 8_192,
    });
  });

  it.each([-1, 0.5])('refuses what is no amount: %d', tokens =>
    expect(createMany(1).charge('alpha', tokens, 0)?.text).toMatch('FOLD010'),
  );
});

describe('status', () => {
  it('names the newest active branch of a session, and none when there is none', () => {
    const branches = createMany(2);
    expect(valueOf(branches.status('alpha', { session_id: 's1' }, 0))).toMatchObject({
      branch_id: idOf(2),
      session_id: 's1',
      status: 'active',
      depth: 0,
      budget_total: 8_192,
    });
    expect(valueOf(branches.status('beta', { session_id: 's9' }, 0))).toEqual({
      branch_id: null,
      session_id: 's9',
      status: 'none',
      depth: null,
      budget_used: 0,
      budget_total: 0,
      budget_remaining: 0,
    });
  });

  it.each<[string, ToolInput<'branch_status'>]>([
    ['FOLD020', {}],
    ['FOLD020', { branch_id: ' ' }],
    ['FOLD015', { session_id: ' ' }],
    ['FOLD001', { branch_id: 'br_ffffffff' }],
  ])('refuses a question that names nothing: %s to %j', (code, input) =>
    expect(codeOf(openBranches().status('alpha', input, 0))).toBe(code),
  );

  it('says timeout from the deadline on, whoever asks first', () => {
    const branches = createMany(2, { isChain: true });
    const status = (now: number) => valueOf(branches.status('alpha', { branch_id: idOf(1) }, now));
    expect(status(299_999)).toMatchObject({ status: 'active' });
    expect(status(300_000)).toMatchObject({ status: 'timeout' });
    expect(codeOf(complete(branches, 1, { now: 300_000 }))).toBe('FOLD003');
    expect(branches.countActive(300_000)).toBe(0);
  });
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

  it('keeps depth, room and budget, ends children with their parent, and never revives a branch', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const branches = openBranches();
        let now = 0;
        let number = 0;
        for (const one of steps) {
          const before = structuredClone(branches.byId);
          if (one.kind === 'wait') now += one.ms;
          else if (one.kind === 'create')
            create(
              branches,
              (number += 1),
              {
                session_id: `s-${one.caller}`,
                budget: one.budget,
                ...(one.parent === null ? {} : { parent_branch_id: idOf(one.parent) }),
              },
              { caller: one.caller, now },
            );
          else if (one.kind === 'return')
            complete(branches, one.branch, { caller: one.caller, now });
          else branches.charge(one.caller, one.tokens, now);
          expect(branches.countActive(now)).toBeLessThanOrEqual(10);
          for (const branch of branches.byId.values()) {
            const parent = branches.byId.get(branch.input.parent_branch_id ?? '');
            expect(branch.depth).toBe(parent ? parent.depth + 1 : 0);
            expect(branch.depth).toBeLessThanOrEqual(2);
            expect(branch.used).toBeLessThanOrEqual(branch.budget);
            expect(branch.budget).toBeLessThanOrEqual(49_152);
            if (branch.status === 'active' && parent) expect(parent.status).toBe('active');
            const earlier = before.get(branch.id);
            if (earlier && earlier.status !== 'active') expect(branch).toEqual(earlier);
          }
        }
      }),
    ));
});
