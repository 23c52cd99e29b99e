/**
 * The branches of a run: side questions with a budget, a depth and a deadline of their own. Values in, values out: every
 * function returns the branches as they are afterwards, also when it refuses, because a deadline may have passed meanwhile.
 */
import {
  type BranchLimits,
  type BranchRequest,
  createBranchRefusal,
  defaultBranchLimits,
  isBlank,
  returnRefusal,
} from './branch-requests.ts';
import type { FoldCode, FoldPlace } from './budget.ts';

type BranchStatus = 'created' | 'active' | 'completed' | 'timeout' | 'failed';

export interface Branch {
  /** `br_` and eight hex digits. */
  readonly id: string;
  readonly sessionId: string;
  readonly parentId: string | null;
  readonly description: string;
  readonly prompt: string | null;
  readonly projectId: string | null;
  /** 0 without a parent. */
  readonly depth: number;
  /** Tokens. */
  readonly budgetRequested: number;
  readonly budgetTotal: number;
  readonly budgetUsed: number;
  readonly timeoutSeconds: number;
  /** Milliseconds of the same clock that every `now` comes from. */
  readonly createdAt: number;
  readonly status: BranchStatus;
  /** Why it is `timeout` or `failed`; null in every other state. */
  readonly reason: string | null;
}

export interface Branches {
  /** In the order of their creation. */
  readonly byId: ReadonlyMap<string, Branch>;
  /** Caller of each session: the first who used it. */
  readonly owners: ReadonlyMap<string, string>;
}

export const noBranches: Branches = { byId: new Map(), owners: new Map() };

export type BranchAnswer<Value> =
  | { readonly ok: true; readonly branches: Branches; readonly value: Value }
  | {
      readonly ok: false;
      readonly branches: Branches;
      readonly code: FoldCode;
      readonly place: FoldPlace;
    };

export interface Creation {
  /** Who asks: the id of a reviewer. */
  readonly caller: string;
  /** For the new branch. */
  readonly id: string;
  /** Milliseconds, never going backwards. */
  readonly now: number;
  /** Active branches of other runs in this process. */
  readonly elsewhere: number;
  readonly limits?: BranchLimits;
  /** The engine's own arithmetic gave the budget: it is not capped. */
  readonly isComputed?: boolean;
}

export interface CreatedBranch {
  readonly branch_id: string;
  readonly budget_requested: number;
  readonly budget_allocated: number;
  /** The budget or the time that was asked for was larger than what a branch may have. */
  readonly capped: boolean;
  readonly timeout_seconds: number;
  readonly depth: number;
}

export function createBranch(
  before: Branches,
  request: BranchRequest,
  creation: Creation,
): BranchAnswer<CreatedBranch> {
  const { limits = defaultBranchLimits, caller, now } = creation;
  const branches = expireBranches(before, now);
  const place = {
    sessionId: request.sessionId,
    ...(request.parentBranchId === undefined ? {} : { branchId: request.parentBranchId }),
  };
  const code =
    createBranchRefusal(request) ??
    refuseFamily(branches, request, caller, limits) ??
    refuseRoom(branches, creation, limits);
  if (code !== null)
    return { ok: false, branches, code, place: isBlank(request.sessionId) ? {} : place };
  const branch = activate(plan(branches, request, creation, limits));
  const value = {
    branch_id: branch.id,
    budget_requested: branch.budgetRequested,
    budget_allocated: branch.budgetTotal,
    capped:
      branch.budgetTotal < branch.budgetRequested || branch.timeoutSeconds < request.timeoutSeconds,
    timeout_seconds: branch.timeoutSeconds,
    depth: branch.depth,
  };
  return {
    ok: true,
    branches: {
      byId: withBranch(branches.byId, branch),
      owners: new Map([...branches.owners, [branch.sessionId, caller]]),
    },
    value,
  };
}

/** What is wrong with the session or the parent of a new branch. */
function refuseFamily(
  { byId, owners }: Branches,
  { sessionId, parentBranchId }: BranchRequest,
  caller: string,
  { maxDepth }: BranchLimits,
): FoldCode | null {
  if ((owners.get(sessionId) ?? caller) !== caller) return 'FOLD022';
  if (parentBranchId === undefined) return null;
  if (isBlank(parentBranchId)) return 'FOLD020';
  const parent = byId.get(parentBranchId);
  if (parent !== undefined && owners.get(parent.sessionId) !== caller) return 'FOLD022';
  if (parent?.sessionId !== sessionId) return 'FOLD001';
  if (parent.status !== 'active') return 'FOLD003';
  return parent.depth + 1 > maxDepth ? 'FOLD004' : null;
}

/** Why there is no room for one more. */
function refuseRoom(
  branches: Branches,
  { id, caller, now, elsewhere }: Creation,
  limits: BranchLimits,
): FoldCode | null {
  const all = [...branches.byId.values()];
  const recent = all.filter(
    branch => branches.owners.get(branch.sessionId) === caller && branch.createdAt > now - 60_000,
  ).length;
  if (recent >= limits.createsPerMinute) return 'FOLD012';
  const active = all.filter(isActive).length;
  if (active >= limits.concurrentPerRun || active + elsewhere >= limits.concurrentPerProcess)
    return 'FOLD013';
  return branches.byId.has(id) ? 'FOLD002' : null;
}

function plan(
  { byId }: Branches,
  request: BranchRequest,
  { id, now, isComputed = false }: Creation,
  limits: BranchLimits,
): Branch {
  const parent =
    request.parentBranchId === undefined ? undefined : byId.get(request.parentBranchId);
  return {
    id,
    sessionId: request.sessionId,
    parentId: parent?.id ?? null,
    description: request.description,
    prompt: request.prompt ?? null,
    projectId: request.projectId ?? null,
    depth: parent === undefined ? 0 : parent.depth + 1,
    budgetRequested: request.budget,
    budgetTotal: isComputed ? request.budget : Math.min(request.budget, limits.maxBudget),
    budgetUsed: 0,
    timeoutSeconds: Math.min(request.timeoutSeconds, limits.maxTimeoutSeconds),
    createdAt: now,
    status: 'created',
    reason: null,
  };
}

function activate(branch: Branch): Branch {
  const active = transition(branch, 'active');
  // A branch in state `created` may always become active.
  if (active === null) throw new Error(`Branch ${branch.id} cannot become active.`);
  return active;
}

const following: Readonly<Record<BranchStatus, readonly BranchStatus[]>> = {
  created: ['active', 'failed'],
  active: ['completed', 'timeout', 'failed'],
  completed: [],
  timeout: [],
  failed: [],
};

/** Null when a branch in this state cannot come into the other: that is `FOLD005`. */
export function transition(
  branch: Branch,
  status: BranchStatus,
  reason: string | null = null,
): Branch | null {
  return following[branch.status].includes(status) ? { ...branch, status, reason } : null;
}

interface Return {
  readonly caller: string;
  readonly branchId: string;
  readonly message: string;
  readonly now: number;
}

/** Whether `returnBranch` would take it. Nothing ends yet: the message must be scrubbed first, and that may fail. */
export function checkReturn(
  before: Branches,
  { caller, branchId, message, now }: Return,
): BranchAnswer<Branch> {
  const branches = expireBranches(before, now);
  const place = isBlank(branchId) ? {} : { branchId };
  const refusal =
    returnRefusal(branchId, message) ??
    (branches.owners.has(branchId) ? ('FOLD006' as const) : null);
  if (refusal !== null) return { ok: false, branches, code: refusal, place };
  const found = ownBranch(branches, branchId, caller);
  if (!found.ok) return found;
  return isActive(found.value)
    ? found
    : { ok: false, branches, code: 'FOLD003', place: placeOf(found.value) };
}

/** Ends a branch as `completed`, its active children before it. The message is the caller's to hand on. */
export function returnBranch(before: Branches, request: Return): BranchAnswer<Branch> {
  const checked = checkReturn(before, request);
  if (!checked.ok) return checked;
  const branches = endFamily(checked.branches, checked.value, {
    status: 'completed',
    reason: null,
    ofChildren: 'parent returning',
  });
  return { ok: true, branches, value: branches.byId.get(request.branchId) ?? checked.value };
}

interface Charge {
  readonly caller: string;
  /** Tokens; a whole number from 0 on. */
  readonly tokens: number;
  readonly now: number;
}

/** Charges what a caller's tools gave it to its newest active branch. `value` is null when it has none: then only its own ledger pays. */
export function chargeBranch(
  before: Branches,
  { caller, tokens, now }: Charge,
): BranchAnswer<Branch | null> {
  const branches = expireBranches(before, now);
  const branch = [...branches.byId.values()].findLast(
    one => isActive(one) && branches.owners.get(one.sessionId) === caller,
  );
  if (branch === undefined) return { ok: true, branches, value: null };
  const place = placeOf(branch);
  if (!Number.isInteger(tokens) || tokens < 0)
    return { ok: false, branches, code: 'FOLD010', place };
  if (branch.budgetUsed + tokens > branch.budgetTotal) {
    return {
      ok: false,
      branches: endFamily(branches, branch, {
        status: 'failed',
        reason: 'budget exhausted',
        ofChildren: 'parent exhausted',
      }),
      code: 'FOLD008',
      place,
    };
  }
  const charged = { ...branch, budgetUsed: branch.budgetUsed + tokens };
  return {
    ok: true,
    branches: { ...branches, byId: withBranch(branches.byId, charged) },
    value: charged,
  };
}

interface StatusQuestion {
  readonly caller: string;
  readonly branchId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly now: number;
}

interface BranchState {
  readonly branch_id: string | null;
  readonly session_id: string;
  readonly status: BranchStatus | 'none';
  readonly depth: number | null;
  readonly budget_used: number;
  readonly budget_total: number;
  readonly budget_remaining: number;
}

/** Of a branch, or of the newest active branch of a session. */
export function branchStatus(
  before: Branches,
  { caller, branchId, sessionId, now }: StatusQuestion,
): BranchAnswer<BranchState> {
  const branches = expireBranches(before, now);
  if (branchId !== undefined || sessionId === undefined) {
    if (branchId === undefined || isBlank(branchId))
      return { ok: false, branches, code: 'FOLD020', place: {} };
    const found = ownBranch(branches, branchId, caller);
    return found.ok ? { ok: true, branches, value: describe(found.value) } : found;
  }
  if (isBlank(sessionId)) return { ok: false, branches, code: 'FOLD015', place: {} };
  if ((branches.owners.get(sessionId) ?? caller) !== caller)
    return { ok: false, branches, code: 'FOLD022', place: { sessionId } };
  const newest = [...branches.byId.values()].findLast(
    branch => isActive(branch) && branch.sessionId === sessionId,
  );
  const none = {
    branch_id: null,
    session_id: sessionId,
    status: 'none',
    depth: null,
    budget_used: 0,
    budget_total: 0,
    budget_remaining: 0,
  } as const;
  return { ok: true, branches, value: newest === undefined ? none : describe(newest) };
}

/** Ends what is past its deadline. */
export function expireBranches(branches: Branches, now: number): Branches {
  return [...branches.byId.values()]
    .filter(branch => isActive(branch) && now >= branch.createdAt + branch.timeoutSeconds * 1_000)
    .reduce(
      (left, branch) =>
        endFamily(left, branch, {
          status: 'timeout',
          reason: 'deadline passed',
          ofChildren: 'parent timed out',
        }),
      branches,
    );
}

export function countActive({ byId }: Branches): number {
  return [...byId.values()].filter(isActive).length;
}

function ownBranch(branches: Branches, branchId: string, caller: string): BranchAnswer<Branch> {
  const branch = branches.byId.get(branchId);
  if (branch === undefined) return { ok: false, branches, code: 'FOLD001', place: { branchId } };
  if (branches.owners.get(branch.sessionId) !== caller)
    return { ok: false, branches, code: 'FOLD022', place: placeOf(branch) };
  return { ok: true, branches, value: branch };
}

interface Ending {
  readonly status: BranchStatus;
  readonly reason: string | null;
  /** Reason of the descendants that are ended with it, as failed. */
  readonly ofChildren: string;
}

/** One pass is enough: a child stands behind its parent. */
function endFamily(
  branches: Branches,
  branch: Branch,
  { status, reason, ofChildren }: Ending,
): Branches {
  const ended = new Set<string>([branch.id]);
  const byId = new Map(branches.byId);
  for (const one of branches.byId.values()) {
    if (one.parentId === null || !ended.has(one.parentId)) continue;
    ended.add(one.id);
    byId.set(one.id, transition(one, 'failed', ofChildren) ?? one);
  }
  // One that its own deadline and that of its parent end together has ended already.
  const last = byId.get(branch.id) ?? branch;
  byId.set(branch.id, transition(last, status, reason) ?? last);
  return { ...branches, byId };
}

function describe(branch: Branch): BranchState {
  const { id, sessionId, status, depth, budgetUsed, budgetTotal } = branch;
  return {
    branch_id: id,
    session_id: sessionId,
    status,
    depth,
    budget_used: budgetUsed,
    budget_total: budgetTotal,
    budget_remaining: budgetTotal - budgetUsed,
  };
}

function placeOf({ id, sessionId }: Branch): FoldPlace {
  return { branchId: id, sessionId };
}

function isActive({ status }: Branch): boolean {
  return status === 'active';
}

function withBranch(
  byId: ReadonlyMap<string, Branch>,
  branch: Branch,
): ReadonlyMap<string, Branch> {
  return new Map([...byId, [branch.id, branch]]);
}
