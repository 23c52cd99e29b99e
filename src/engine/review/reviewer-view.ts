/** What one reviewer may see of the change and its trees, and the tools that read them to it. */
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import { defaultThresholds } from '../../core/context/progressive-mode.ts';
import type { Repository } from '../../core/ports/repository.ts';
import type { Change } from '../../core/words/change.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import { createReviewerTools, createToolSources } from '../tools/reviewer-tools.ts';
import type { World } from '../world.ts';
import type { ReviewTask } from './review-task.ts';
import { openToolLedger } from './token-ledgers.ts';

interface Shown {
  plan: Plan;
  world: World;
  /** Null when the subject is no change. */
  change: Change | null;
}

/** The change and its trees as one reviewer may see them. */
interface View {
  change: Change | null;
  repository: Pick<Repository, 'read' | 'readAt'> | null;
  isHidden: (path: string) => boolean;
}

export function viewFor({ id }: Seat, { plan, world: { repository }, change }: Shown): View {
  const { mayRead } = openEgress(plan.egress);
  const hidden = new Set(
    (change?.files ?? [])
      .filter(file => !mayRead(id, file))
      .flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]),
  );
  const isHidden = (path: string) => hidden.has(path) || !mayRead(id, { path });
  return {
    change: change && withoutFiles(change, file => !mayRead(id, file)),
    isHidden,
    repository: repository && {
      read: (file, side) =>
        mayRead(id, file) ? repository.read(file, side) : Promise.resolve(null),
      readAt: (revision, path) =>
        isHidden(path) ? Promise.resolve(null) : repository.readAt(revision, path),
    },
  };
}

/** Null when the reviewer has no tools: they are for the review of a change. */
export async function toolsFor(
  seat: Seat,
  { plan, world }: Shown,
  { change, repository, isHidden }: View,
): Promise<NonNullable<ReviewTask['openTools']> | null> {
  const { toolContext, measure, secrets, store } = world;
  if (seat.tools !== true || !change || !toolContext || !measure) return null;
  const { counter } = await measure();
  return ledger =>
    createReviewerTools({
      caller: seat.id,
      counter,
      branches: toolContext.branches,
      scale: new Map(plan.labels),
      ledger: ledger ?? openToolLedger(seat.id, seat.persona.budget, defaultThresholds),
      sources: createToolSources({
        change,
        repository,
        index: async () => (await toolContext.index())?.hiding(isHidden) ?? null,
        secrets,
      }),
      // For people, should Jury itself be killed in the middle of the call.
      onReport: finding =>
        void store.append(`raw/${seat.id}.reported.jsonl`, JSON.stringify(finding)).catch(() => {}),
    });
}
