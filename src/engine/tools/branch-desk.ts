/** Keeps the branches of one run and answers the three branch tools. What a branch returns is scrubbed first, or it does not return. */
import {
  branchStatus,
  chargeBranch,
  checkReturn,
  countActive,
  createBranch,
  expireBranches,
  noBranches,
  returnBranch,
  type BranchAnswer,
  type Branches,
} from '../../core/context/branches.ts';
import { defaultBranchLimits, type BranchLimits } from '../../core/context/branch-requests.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { SecretScanner } from '../../core/ports/secret-scanner.ts';
import { scrub } from '../../core/safety/redaction.ts';
import {
  foldAnswer,
  resultAnswer,
  type ToolAnswer,
  type ToolInput,
} from '../../core/tools/offers.ts';

/** The runs of one process: they share the room for branches. */
export interface BranchHouse {
  /** Active branches of every run, by a key of its desk. */
  readonly activeBy: Map<object, () => number>;
}

export function createBranchHouse(): BranchHouse {
  return { activeBy: new Map() };
}

export interface BranchDesk {
  create(caller: string, input: ToolInput<'branch_create'>): ToolAnswer;
  end(caller: string, input: ToolInput<'branch_return'>): Promise<ToolAnswer>;
  status(caller: string, input: ToolInput<'branch_status'>): ToolAnswer;
  /** Null when the tokens were charged, or when the caller has no active branch; else why its branch has just ended. */
  charge(caller: string, tokens: number): ToolAnswer | null;
  /** Gives the room of its branches back to the process. */
  close(): void;
}

interface BranchDeskSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Null: there is none, and nothing can be returned. */
  readonly secrets: SecretScanner | null;
  /** At least eight random hex digits. */
  readonly nonce: () => string;
  readonly house: BranchHouse;
  readonly limits?: BranchLimits;
}

export function createBranchDesk({
  clock,
  secrets,
  nonce,
  house,
  limits = defaultBranchLimits,
}: BranchDeskSettings): BranchDesk {
  let branches: Branches = noBranches;
  const key = {};
  const now = (): number => clock.monotonicMs();
  house.activeBy.set(key, () => countActive(expireBranches(branches, now())));
  const keep = <Value>(answer: BranchAnswer<Value>): BranchAnswer<Value> => {
    branches = answer.branches;
    return answer;
  };
  const elsewhere = (): number =>
    [...house.activeBy].reduce((sum, [owner, active]) => (owner === key ? sum : sum + active()), 0);
  return {
    create(caller, input) {
      const request = {
        sessionId: input.session_id,
        description: input.description,
        prompt: input.prompt,
        budget: input.budget,
        timeoutSeconds: input.timeout_seconds,
        parentBranchId: input.parent_branch_id,
        projectId: input.project_id,
      };
      return toAnswer(
        keep(
          createBranch(branches, request, {
            caller,
            id: `br_${nonce().slice(0, 8)}`,
            now: now(),
            elsewhere: elsewhere(),
            limits,
          }),
        ),
        created => created,
      );
    },
    async end(caller, { branch_id: branchId, message }) {
      const checked = keep(checkReturn(branches, { caller, branchId, message, now: now() }));
      if (!checked.ok) return foldAnswer(checked.code, checked.place);
      const scrubbed = await scrubMessage(message, secrets);
      if (scrubbed === null)
        return foldAnswer('FOLD014', { branchId, sessionId: checked.value.sessionId });
      return toAnswer(
        keep(returnBranch(branches, { caller, branchId, message, now: now() })),
        ({ budgetUsed }) => ({ success: true, tokens_used: budgetUsed, message: scrubbed }),
      );
    },
    status: (caller, { branch_id: branchId, session_id: sessionId }) =>
      toAnswer(
        keep(branchStatus(branches, { caller, branchId, sessionId, now: now() })),
        state => state,
      ),
    charge(caller, tokens) {
      const charged = keep(chargeBranch(branches, { caller, tokens, now: now() }));
      return charged.ok ? null : foldAnswer(charged.code, charged.place);
    },
    close: () => void house.activeBy.delete(key),
  };
}

/** Null when it cannot be had: then nothing is returned. */
async function scrubMessage(
  message: string,
  secrets: SecretScanner | null,
): Promise<string | null> {
  if (secrets === null) return null;
  try {
    return scrub(message, await secrets.scan(message, 'message.txt'));
  } catch {
    return null;
  }
}

function toAnswer<Value>(
  answer: BranchAnswer<Value>,
  render: (value: Value) => unknown,
): ToolAnswer {
  return answer.ok ? resultAnswer(render(answer.value)) : foldAnswer(answer.code, answer.place);
}
