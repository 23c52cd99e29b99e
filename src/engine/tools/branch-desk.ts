/** Keeps the branches of one run and answers the three branch tools. What a branch returns is scrubbed first, or it does not return. */
import type { Clock } from '../../core/ports/machine.ts';
import type { SecretScanner } from '../../core/ports/repository.ts';
import { scrub } from '../../core/safety/redaction.ts';
import { openBranches, placeOf } from '../../core/tools/branches.ts';
import { foldAnswer, type ToolInput } from '../../core/tools/offers.ts';

/** The runs of one process share the room for branches: how many are active, by the branches of each run. */
export type BranchHouse = Map<object, () => number>;

export type BranchDesk = ReturnType<typeof createBranchDesk>;

interface BranchDeskSettings {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Null: there is none, and nothing can be returned. */
  secrets: SecretScanner | null;
  /** At least eight random hex digits. */
  nonce: () => string;
  house: BranchHouse;
}

export function createBranchDesk({ clock, secrets, nonce, house }: BranchDeskSettings) {
  const branches = openBranches();
  const now = () => clock.monotonicMs();
  house.set(branches, () => branches.countActive(now()));
  return {
    create: (caller: string, input: ToolInput<'branch_create'>) =>
      branches.create(caller, input, {
        id: `br_${nonce().slice(0, 8)}`,
        now: now(),
        elsewhere: [...house].reduce(
          (sum, [owner, active]) => (owner === branches ? sum : sum + active()),
          0,
        ),
      }),
    async end(caller: string, input: ToolInput<'branch_return'>) {
      const found = branches.returning(caller, input, now());
      if ('text' in found) return found;
      try {
        if (!secrets) return foldAnswer('FOLD014', placeOf(found));
        const message = scrub(input.message, await secrets.scan(input.message, 'message.txt'));
        return branches.complete(caller, input, { now: now(), message });
      } catch {
        return foldAnswer('FOLD014', placeOf(found));
      }
    },
    status: (caller: string, input: ToolInput<'branch_status'>) =>
      branches.status(caller, input, now()),
    /** Null when the tokens were charged, or when the caller has no active branch; else why its branch has just ended. */
    charge: (caller: string, tokens: number) => branches.charge(caller, tokens, now()),
    /** Gives the room of its branches back to the process. */
    close: () => void house.delete(branches),
  };
}
