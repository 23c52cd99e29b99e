/**
 * Decides when the packs of a review are made. Models wait for them and are shown what stands around the change. A panel of programs of the
 * user's own is asked at once, and the packs are made beside, for whoever reads the run: making them takes longer than
 * such a program to start.
 */
import type { Subject } from '../../core/words/change.ts';
import type { OnEvent } from '../../core/words/events.ts';
import type { Plan } from '../../core/words/plan.ts';
import { UserError } from '../../core/errors.ts';
import { noContext, packReviewContext, type ReviewContext } from './pack-review-context.ts';
import type { World } from '../world.ts';

export interface ReviewContextBeside {
  readonly beforeAsking: Promise<ReviewContext>;
  /** Resolves when the packs are in the run folder, or cannot be. */
  written(): Promise<void>;
}

const models: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini', 'opencode', 'api']);

export function openReviewContext(
  { plan, subject }: { readonly plan: Plan; readonly subject: Subject },
  world: Pick<World, 'openContext' | 'store' | 'clock'>,
  onEvent: OnEvent,
): ReviewContextBeside {
  if (
    subject.kind !== 'change' ||
    world.openContext === undefined ||
    plan.packs === undefined ||
    plan.packs === null ||
    !isWanted(plan)
  )
    return none;
  const rules = plan.packs;
  const make = async (): Promise<ReviewContext> => {
    const context = (await world.openContext?.()) ?? null;
    if (context === null) {
      onEvent({
        type: 'note',
        message:
          'There is no code index for this subject: reviewers see the change without what stands around it.',
      });
      return noContext;
    }
    try {
      return await packReviewContext(
        subject,
        { taskId: plan.run, goal: plan.description ?? `Review ${subject.title}`, ...rules },
        { ...context, store: world.store, clock: world.clock },
      );
    } finally {
      context.close();
    }
  };
  const isAwaited = rules.programs || plan.seats.some(({ runner }) => models.has(runner));
  let made: Promise<ReviewContext> | undefined;
  const once = (): Promise<ReviewContext> =>
    (made ??= make().catch(error => withoutContext(error, onEvent)));
  return {
    beforeAsking: isAwaited ? once() : Promise.resolve(noContext),
    async written() {
      await once();
    },
  };
}

const none: ReviewContextBeside = {
  beforeAsking: Promise.resolve(noContext),
  written: () => Promise.resolve(),
};

/** Analysers read the change themselves, and recorded answers nothing at all. */
function isWanted({ seats }: Plan): boolean {
  return seats.some(({ runner }) => runner !== 'builtin' && runner !== 'replay');
}

/** A review without surroundings is still a review. Only what Jury got wrong stops it. */
function withoutContext(error: unknown, onEvent: OnEvent): ReviewContext {
  if (!(error instanceof UserError)) throw error;
  onEvent({ type: 'note', message: `No context packs were made: ${error.message}` });
  return noContext;
}
