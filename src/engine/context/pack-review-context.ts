/** The packs of a review: assembled once for all reviewers and written before the first of them is asked. */
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import {
  type ChangedPiece,
  isLinePointer,
  parseRange,
  renderLinePointers,
} from '../../core/context/packing/line-range.ts';
import { anchorName, distanceOf, type PackPart } from '../../core/context/packing/local-pack.ts';
import type { CapSettings, ModelCapability } from '../../core/context/scope.ts';
import { sentenceOf, UserError } from '../../core/errors.ts';
import { toJsonText } from '../../core/json.ts';
import type { Clock } from '../../core/ports/machine.ts';
import type { RunStore } from '../../core/ports/steps.ts';
import type { Change, Subject } from '../../core/words/change.ts';
import type { Seat } from '../../core/words/config.ts';
import { asksModel, isFree } from '../../core/words/runner.ts';
import type { OnEvent } from '../../core/words/review.ts';
import type { Plan } from '../../core/words/plan.ts';
import type { World } from '../world.ts';
import { packChange, type Part, sideOf } from './assemble-parts.ts';
import type { ContextWorld } from './climb.ts';
import { withoutHidden } from './context-texts.ts';

export interface ReviewContext {
  /** What stands around the changes of these files, for the prompt; null when there is nothing to say. At most `most` bytes. */
  around(paths: ReadonlySet<string>, most: number): string | null;
}

export const noContext: ReviewContext = { around: () => null };

export async function packReviewContext(
  change: Change,
  settings: {
    readonly taskId: string;
    readonly goal: string;
    readonly capability: ModelCapability;
    readonly caps: CapSettings;
  },
  world: ContextWorld & { readonly store: RunStore; readonly clock: Clock },
) {
  const { parts, unshown } = await packChange(
    change,
    { ...settings, agent: 'Reviewer', acceptanceCriteria: [], constraints: [], keepsHunks: false },
    world,
  );
  const { store, clock, taskMemory } = world;
  for (const [index, { context }] of parts.entries()) {
    const path = `context/Reviewer${index === 0 ? '' : `.${index + 1}`}`;
    const pack = `${path}.lcp.json`;
    const side = sideOf(context, { run: store.runId, path: pack, now: clock.now() });
    await store.write(pack, toJsonText(context.pack));
    await store.write(`${path}.meta.json`, toJsonText(side));
    if (index === 0) await taskMemory.keep(settings.taskId, 'Reviewer', side.pack_uri);
  }
  const pieces = parts.flatMap(part => part.pieces);
  return {
    around: (paths: ReadonlySet<string>, most: number) => renderAround(parts, paths, most, pieces),
    /** Changed places that no pack could show. */
    unshown,
  };
}

/** The changed lines stand in the diff already: what is told here is what they refer to, the closest first, and then where else to look. */
function renderAround(
  parts: readonly Part[],
  paths: ReadonlySet<string>,
  most: number,
  pieces: readonly ChangedPiece[],
) {
  const told = new Map<string, PackPart>();
  const pointed = new Map<string, PackPart['anchor']>();
  for (const { pieces: own, context } of parts) {
    if (!own.some(({ path }) => paths.has(path))) continue;
    for (const part of context.parts) {
      const { anchor, text } = part;
      if (isLinePointer(anchor)) pointed.set(`${anchorName(anchor)} ${anchor.name ?? ''}`, anchor);
      else if (text !== null && distanceOf(part) > 0 && !isInHunk(anchor, pieces))
        told.set(anchorName(anchor), part);
    }
  }
  const pointers = renderLinePointers([...pointed.values()]);
  // Excerpts leave the pointers a share: a line that names a caller is worth more than the tenth definition.
  const kept = Math.min(bytesOf(pointers, 1), Math.floor((most * hundredthsForPointers) / 100));
  const chosen = takeWhatFits(
    [...told.values()]
      .toSorted((one, other) => distanceOf(one) - distanceOf(other))
      .map(
        ({ anchor, summary, text }) =>
          `${anchorName(anchor)}${summary === null ? '' : ` — ${summary}`}\n${text ?? ''}`,
      ),
    most - kept,
    2,
  );
  const lines = takeWhatFits(pointers, most - bytesOf(chosen, 2) - 2, 1);
  const blocks = [...chosen, ...(lines.length === 0 ? [] : [lines.join('\n')])];
  return blocks.length === 0 ? null : blocks.join('\n\n');
}

const hundredthsForPointers = 40;

/** What is too large for the room that is left does not shut out what comes behind it. */
function takeWhatFits(texts: readonly string[], most: number, between: number) {
  let left = most;
  return texts.filter(text => {
    const bytes = Buffer.byteLength(text) + between;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

function bytesOf(texts: readonly string[], between: number) {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + between, 0);
}

function isInHunk({ path, lines }: PackPart['anchor'], pieces: readonly ChangedPiece[]) {
  const range = parseRange(lines);
  return (
    range !== null &&
    pieces.some(
      ({ path: of, hunk }) => of === path && hunk.start <= range.start && range.end <= hunk.end,
    )
  );
}

// When the packs of a review are made. Models wait for them and are shown what stands around the change. A panel of programs
// of the user's own is asked at once, and the packs are made beside, for whoever reads the run: making them takes longer
// than such a program to start.

export interface ReviewContextBeside {
  readonly beforeAsking: Promise<ReviewContext>;
  /** Resolves when the packs are in the run folder, or cannot be. */
  written(): Promise<void>;
}

export function openReviewContext(
  { plan, subject }: { readonly plan: Plan; readonly subject: Subject },
  world: Pick<World, 'openContext' | 'store' | 'clock'>,
  onEvent: OnEvent,
): ReviewContextBeside {
  if (
    subject.kind !== 'change' ||
    world.openContext === undefined ||
    plan.packs === null ||
    !plan.seats.some(isShownAny)
  )
    return { beforeAsking: Promise.resolve(noContext), written: () => Promise.resolve() };
  const rules = plan.packs;
  const isHidden = hiddenFromAny(plan);
  const make = async () => {
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
      const made = await packReviewContext(
        withoutFiles(subject, isHidden),
        { taskId: plan.run, goal: plan.description ?? `Review ${subject.title}`, ...rules },
        {
          ...withoutHidden(context, isHidden),
          store: world.store,
          clock: world.clock,
        },
      );
      if (made.unshown > 0)
        onEvent({
          type: 'note',
          message: `${made.unshown} changed places are in no context pack; the reviewers read them in the diff alone.`,
        });
      return made;
    } finally {
      context.close();
    }
  };
  // Do reviewers wait for what stands around a change, and see it?
  const isAwaited = rules.programs || plan.seats.some(({ runner }) => asksModel(runner));
  let made: Promise<ReviewContext> | undefined;
  const once = () => (made ??= make().catch(error => withoutContext(error, isAwaited, onEvent)));
  return {
    beforeAsking: isAwaited ? once() : Promise.resolve(noContext),
    async written() {
      await once();
    },
  };
}

/** One pack serves all reviewers: it tells what every one of them may be told. */
function hiddenFromAny({ seats, egress }: Plan): (file: { readonly path: string }) => boolean {
  const { mayRead } = openEgress(egress);
  const shown = seats.filter(isShownAny);
  return file => shown.some(({ id }) => !mayRead(id, file));
}

/** Analysers read the change themselves, and recorded answers nothing at all. */
function isShownAny({ runner }: Seat) {
  return !isFree(runner);
}

/**
 * A review without surroundings is still a review. Only what Jury got wrong stops it, before anybody is asked: no answer is lost
 * over a pack.
 */
function withoutContext(error: unknown, isAwaited: boolean, onEvent: OnEvent) {
  if (isAwaited && !(error instanceof UserError)) throw error;
  const why = error instanceof UserError ? sentenceOf(error) : String(error);
  onEvent({ type: 'note', message: `No context packs were made: ${why}` });
  return noContext;
}
