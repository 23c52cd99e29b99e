/**
 * The branches of a run: side questions with a budget, a depth and a deadline of their own. A deadline that has passed counts before
 * whatever is asked.
 */
import type { FoldCode } from '../context/budget.ts';
import {
  foldAnswer,
  longestDescription,
  longestMessage,
  longestPrompt,
  resultAnswer,
  type ToolInput,
} from './offers.ts';

interface Branch {
  /** `br_` and eight hex digits. */
  readonly id: string;
  readonly input: ToolInput<'branch_create'>;
  /** 0 without a parent. */
  readonly depth: number;
  /** Tokens. */
  readonly budget: number;
  used: number;
  readonly timeoutSeconds: number;
  /** Milliseconds of the same clock that every `now` comes from. */
  readonly createdAt: number;
  status: 'active' | 'completed' | 'timeout' | 'failed';
}

interface Creation {
  readonly id: string;
  readonly now: number;
  /** Active branches of other runs in this process. */
  readonly elsewhere: number;
}

const deepest = 2;
const mostOfRun = 10;
const mostOfProcess = 100;
/** Tokens and seconds; more is capped. */
const largestBudget = 49_152;
const longestTimeout = 600;
/** Of one caller, so that a loop of creating and returning ends. */
const createsPerMinute = 60;

interface Branches {
  /** In the order of their creation. */
  readonly byId: Map<string, Branch>;
  /** A session belongs to the first who used it. */
  readonly owners: Map<string, string>;
}

/** `caller`: the id of a reviewer. `now`: milliseconds of one clock. */
export function openBranches() {
  const branches: Branches = { byId: new Map(), owners: new Map() };
  const { byId, owners } = branches;
  return {
    byId: byId as ReadonlyMap<string, Readonly<Branch>>,
    countActive: (now: number) => countActive(branches, now),
    returning: (caller: string, input: ToolInput<'branch_return'>, now: number) =>
      returning(branches, caller, input, now),
    create(caller: string, input: Branch['input'], creation: Creation) {
      const { session_id: sessionId, parent_branch_id: branchId } = input;
      const code = whyNotCreated(branches, caller, input, creation);
      if (code !== null)
        return foldAnswer(
          code,
          isBlank(sessionId) ? {} : { sessionId, ...(branchId !== undefined && { branchId }) },
        );
      const branch: Branch = {
        id: creation.id,
        input,
        depth: (byId.get(branchId ?? '')?.depth ?? -1) + 1,
        budget: Math.min(input.budget, largestBudget),
        used: 0,
        timeoutSeconds: Math.min(input.timeout_seconds, longestTimeout),
        createdAt: creation.now,
        status: 'active',
      };
      byId.set(branch.id, branch);
      owners.set(sessionId, caller);
      return resultAnswer({
        branch_id: branch.id,
        budget_requested: input.budget,
        budget_allocated: branch.budget,
        capped: branch.budget < input.budget || branch.timeoutSeconds < input.timeout_seconds,
        timeout_seconds: branch.timeoutSeconds,
        depth: branch.depth,
      });
    },
    /** `message`: scrubbed. It is the caller's to hand on. */
    complete(
      caller: string,
      input: ToolInput<'branch_return'>,
      { now, message }: { readonly now: number; readonly message: string },
    ) {
      const found = returning(branches, caller, input, now);
      if ('text' in found) return found;
      end(branches, found, 'completed');
      return resultAnswer({ success: true, tokens_used: found.used, message });
    },
    /** To the newest active branch of the caller; null where that took it, or where there is none: then only the ledger pays. */
    charge(caller: string, tokens: number, now: number) {
      expire(branches, now);
      const branch = newest(branches, one => ownerOf(branches, one) === caller);
      if (!branch) return null;
      if (!Number.isInteger(tokens) || tokens < 0) return foldAnswer('FOLD010', placeOf(branch));
      if (branch.used + tokens > branch.budget) {
        end(branches, branch, 'failed');
        return foldAnswer('FOLD008', placeOf(branch));
      }
      branch.used += tokens;
      return null;
    },
    status: (caller: string, input: ToolInput<'branch_status'>, now: number) =>
      statusOf(branches, caller, input, now),
  };
}

function ownerOf({ owners }: Branches, { input }: Branch) {
  return owners.get(input.session_id);
}

function newest({ byId }: Branches, isMeant: (branch: Branch) => boolean) {
  return [...byId.values()].findLast(branch => isActive(branch) && isMeant(branch));
}

/** With its active children before it, which fail. */
function end(branches: Branches, branch: Branch, status: Branch['status']) {
  for (const child of branches.byId.values())
    if (child.input.parent_branch_id === branch.id) end(branches, child, 'failed');
  if (isActive(branch)) branch.status = status;
}

function expire(branches: Branches, now: number) {
  for (const branch of branches.byId.values())
    if (isActive(branch) && now >= branch.createdAt + branch.timeoutSeconds * 1_000)
      end(branches, branch, 'timeout');
}

function countActive(branches: Branches, now: number) {
  expire(branches, now);
  return [...branches.byId.values()].filter(isActive).length;
}

function whyNotCreated(
  branches: Branches,
  caller: string,
  input: Branch['input'],
  { id, now, elsewhere }: Creation,
) {
  const { byId, owners } = branches;
  const { session_id: session, parent_branch_id: parentId, prompt, budget } = input;
  const parent = byId.get(parentId ?? '');
  const isChild = parentId !== undefined;
  const active = countActive(branches, now);
  const recent = [...byId.values()].filter(
    branch => ownerOf(branches, branch) === caller && branch.createdAt > now - 60_000,
  );
  return firstOf([
    ['FOLD015', isBlank(session)],
    ['FOLD016', isBlank(input.description)],
    ['FOLD017', isLonger(input.description, longestDescription)],
    ['FOLD018', prompt !== undefined && isBlank(prompt)],
    ['FOLD019', isLonger(prompt ?? '', longestPrompt)],
    ['FOLD010', !Number.isInteger(budget) || budget <= 0],
    ['FOLD011', budget > Number.MAX_SAFE_INTEGER],
    ['FOLD022', (owners.get(session) ?? caller) !== caller],
    ['FOLD020', isChild && isBlank(parentId)],
    ['FOLD022', parent !== undefined && ownerOf(branches, parent) !== caller],
    ['FOLD001', isChild && parent?.input.session_id !== session],
    ['FOLD003', isChild && parent?.status !== 'active'],
    ['FOLD004', parent?.depth === deepest],
    ['FOLD012', recent.length >= createsPerMinute],
    ['FOLD013', active >= mostOfRun || active + elsewhere >= mostOfProcess],
    ['FOLD002', byId.has(id)],
  ]);
}

function own(branches: Branches, caller: string, branchId: string) {
  const branch = branches.byId.get(branchId);
  if (!branch) return foldAnswer('FOLD001', { branchId });
  return ownerOf(branches, branch) === caller ? branch : foldAnswer('FOLD022', placeOf(branch));
}

/** The branch that may return now, or why it may not. Nothing ends yet: the message must be scrubbed first, and that may fail. */
function returning(
  branches: Branches,
  caller: string,
  { branch_id: branchId, message }: ToolInput<'branch_return'>,
  now: number,
) {
  expire(branches, now);
  const code = firstOf([
    ['FOLD020', isBlank(branchId)],
    ['FOLD021', isLonger(message, longestMessage)],
    ['FOLD006', branches.owners.has(branchId)],
  ]);
  if (code !== null) return foldAnswer(code, isBlank(branchId) ? {} : { branchId });
  const found = own(branches, caller, branchId);
  if ('text' in found || isActive(found)) return found;
  return foldAnswer('FOLD003', placeOf(found));
}

/** Of a branch, or of the newest active branch of a session. */
function statusOf(
  branches: Branches,
  caller: string,
  { branch_id: branchId, session_id: sessionId }: ToolInput<'branch_status'>,
  now: number,
) {
  expire(branches, now);
  if (branchId !== undefined || sessionId === undefined) {
    if (isBlank(branchId ?? '')) return foldAnswer('FOLD020');
    const found = own(branches, caller, branchId ?? '');
    return 'text' in found ? found : describe(found, found.input.session_id);
  }
  if (isBlank(sessionId)) return foldAnswer('FOLD015');
  if ((branches.owners.get(sessionId) ?? caller) !== caller)
    return foldAnswer('FOLD022', { sessionId });
  return describe(
    newest(branches, ({ input }) => input.session_id === sessionId),
    sessionId,
  );
}

function describe(branch: Branch | undefined, sessionId: string) {
  const { budget = 0, used = 0 } = branch ?? {};
  return resultAnswer({
    branch_id: branch?.id ?? null,
    session_id: sessionId,
    status: branch?.status ?? 'none',
    depth: branch?.depth ?? null,
    budget_used: used,
    budget_total: budget,
    budget_remaining: budget - used,
  });
}

export function placeOf({ id, input }: Branch) {
  return { branchId: id, sessionId: input.session_id };
}

function isActive({ status }: Branch) {
  return status === 'active';
}

function firstOf(refusals: readonly (readonly [FoldCode, boolean])[]) {
  return refusals.find(([, isSo]) => isSo)?.[0] ?? null;
}

function isBlank(text: string) {
  return text.trim() === '';
}

/** In characters, not in UTF-16 units. Stops counting at the limit, however long the text is. */
function isLonger(text: string, limit: number) {
  return text.length > limit && (text.length > 2 * limit || Array.from(text).length > limit);
}
