/** What the tools of reviewers stand on in one run: the code index of the tree under review, and room for branches. */
import { openRepository, type GitRepository } from '../adapters/git/repository.ts';
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import type { Subject } from '../core/words/change.ts';
import type { Plan } from '../core/words/plan.ts';
import { createBranchDesk, createBranchHouse } from '../engine/tools/branch-desk.ts';
import type { ToolContext } from '../engine/world.ts';
import { clockOf, idsOf, temporaryFolderOf, type Call } from './call.ts';
import { openContext, type OpenContext } from './context/open-context.ts';

/** All runs of this process share the room for branches. */
const house = createBranchHouse();

export interface OpenToolContext extends ToolContext {
  close(): Promise<void>;
}

/** Null when no reviewer may use tools, or when the subject is no change. Nothing is read before somebody searches. */
export function openToolContext(
  {
    plan,
    subject,
    root,
  }: { readonly plan: Plan; readonly subject: Subject; readonly root: string },
  call: Call,
): OpenToolContext | null {
  if (subject.kind !== 'change' || plan.seats.every(({ tools }) => tools !== true)) return null;
  const branches = createBranchDesk({
    clock: clockOf(call),
    secrets: createSecretScanner(),
    nonce: idsOf(call).nonce,
    house,
  });
  let opened: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    const repository = await openRepository(plan.cwd, { temporaryFolder: temporaryFolderOf(call) });
    return { repository, context: await openContext(subject, repository, root, call) };
  };
  return {
    branches,
    index: async () => (await (opened ??= open())).context?.index ?? null,
    async close() {
      branches.close();
      const known = await opened?.catch(() => undefined);
      known?.context?.close();
      await known?.repository.close();
    },
  };
}

interface Opened {
  readonly repository: GitRepository;
  readonly context: OpenContext | null;
}
