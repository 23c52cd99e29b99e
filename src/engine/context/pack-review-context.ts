/** The packs of a review: assembled once for all reviewers and written before the first of them is asked. */
import { withCellsOnly } from '../../core/change/unshown.ts';
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import { CannotFit } from '../../core/context/packing/fit.ts';
import {
  type ChangedPiece,
  type LineRange,
  isLinePointer,
  parseRange,
  piecesOf,
  renderLinePointers,
  sizeOf,
  splitChange,
} from '../../core/context/packing/line-range.ts';
import {
  type PackPart,
  type SideFile,
  anchorName,
  distanceOf,
} from '../../core/context/packing/local-pack.ts';
import { createModules } from '../../core/context/packing/pointers.ts';
import {
  type CapSettings,
  type ModelCapability,
  type PackSize,
  type Rise,
  classifyScope,
  packSizes,
} from '../../core/context/scope.ts';
import { UserError, sentenceOf } from '../../core/errors.ts';
import { by, halvesOf } from '../../core/groups.ts';
import { toJsonText } from '../../core/json.ts';
import type { Clock } from '../../core/ports/runner.ts';
import type { RunStore } from '../../core/ports/steps.ts';
import { runResourceUri } from '../../core/run-files/run-page.ts';
import type { Change, Subject } from '../../core/words/change.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import type { FileReading, OnEvent } from '../../core/words/review.ts';
import { asksModel, isFree } from '../../core/words/runner.ts';
import type { World } from '../world.ts';
import { type AssembledContext, assembleContext } from './assemble-context.ts';
import type { ContextRequest } from './climb.ts';
import {
  type ContextSources,
  type ContextWorld,
  openSources,
  withoutHidden,
} from './context-texts.ts';
import type { Since } from '../../core/pushes/same-patch.ts';

interface ReviewContext {
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
      .toSorted(by(distanceOf))
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

export function openReviewContext(
  { plan, subject }: { readonly plan: Plan; readonly subject: Subject },
  world: Pick<World, 'openContext' | 'store' | 'clock'>,
  onEvent: OnEvent,
) {
  if (
    subject.kind !== 'change' ||
    world.openContext === undefined ||
    plan.packs === null ||
    !plan.seats.some(isShownAny)
  )
    return { beforeAsking: Promise.resolve(noContext), written: async () => {} };
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
    /** Resolves when the packs are in the run folder, or cannot be. */
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

// The packs of a change: one in the smallest class that holds its changed lines, and beyond the largest class several, which tell
// one another's files.

interface Part {
  readonly pieces: readonly ChangedPiece[];
  readonly context: AssembledContext;
}

interface Parts {
  readonly parts: readonly Part[];
  /** Changed places that no pack shows. */
  readonly unshown: number;
  /** Why it is not one pack; null when it is. */
  readonly refusal: CannotFit | null;
}

interface PackSettings extends Pick<
  ContextRequest,
  'agent' | 'taskId' | 'goal' | 'capability' | 'acceptanceCriteria' | 'constraints'
> {
  caps: CapSettings;
  /** True: a hunk of an older file that no pack holds is refused, not cut. */
  keepsHunks: boolean;
}

/** For whoever wants the packs of a change: it gives what its scope, the role and the model come to. */
export async function packChange(
  whole: Change,
  { caps, keepsHunks, ...settings }: PackSettings,
  world: ContextWorld,
): Promise<Parts> {
  const { files } = withCellsOnly(whole);
  const moduleOf = createModules(
    [...world.index.files(), ...world.index.skipped()].map(({ path }) => path),
  );
  const scope = {
    files: files.length,
    changed_lines: files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0),
    modules: new Set(files.map(({ path }) => moduleOf(path))).size,
  };
  const sizes = packSizes(classifyScope(scope), settings.agent, settings.capability, caps);
  const request = { ...settings, scope, sizes, files };
  return assembleParts({ request, world, sources: openSources(world), keepsHunks });
}

interface Splitting {
  request: ContextRequest;
  world: ContextWorld;
  sources: ContextSources;
  keepsHunks: boolean;
}

/** More packs are a change that nobody reviews in one go. */
const mostPacks = 100;
/** Changed places of one pack, unless there would be too many packs. */
const mostPieces = 16;

/**
 * In the smallest class that holds the changed lines, else in several. Throws `CannotFit` for a hunk that is kept whole and that no
 * pack holds.
 */
export async function assembleParts(splitting: Splitting): Promise<Parts> {
  const { request, sources } = splitting;
  const pieces = request.files.flatMap(piecesOf).filter(({ path }) => !sources.skipped.has(path));
  let rise: Rise | undefined;
  let [size, ...larger] = request.sizes;
  for (;;) {
    const own = { ...request, ...(rise && { rise }), sizes: [size, ...larger] as const };
    const context = await tryPack(own, splitting);
    if (!(context instanceof CannotFit))
      return { parts: [{ pieces, context }], unshown: 0, refusal: null };
    rise ??= { ...size, tokens: context.tokens };
    if (larger[0] === undefined) return splitPieces(pieces, size, context, splitting);
    [size, ...larger] = [larger[0], ...larger.slice(1)];
  }
}

/** A scanner that cannot run stops everything. */
async function tryPack(own: ContextRequest, { world, sources }: Splitting) {
  try {
    return await assembleContext(own, world, sources);
  } catch (error) {
    if (error instanceof CannotFit) return error;
    throw error;
  }
}

async function splitPieces(
  pieces: readonly ChangedPiece[],
  size: PackSize,
  refusal: CannotFit,
  splitting: Splitting,
): Promise<Parts> {
  const { request, sources, keepsHunks } = splitting;
  await sources.texts.load(pieces.map(({ path }) => path));
  const tokensOf = (path: string, { start, end }: LineRange) =>
    sources.count(
      sources.texts
        .linesOf(path)
        .slice(start - 1, end)
        .join('\n'),
    );
  const isNew = new Set(
    request.files.filter(({ status }) => status === 'added').map(({ path }) => path),
  );
  if (
    keepsHunks &&
    pieces.some(piece => !isNew.has(piece.path) && sizeOf(piece, tokensOf) > size.budget)
  )
    throw refusal;
  const share = {
    tokens: Math.floor(size.budget / 2),
    pieces: Math.max(mostPieces, Math.ceil((2 * pieces.length) / mostPacks)),
  };
  return assembleGroups(splitChange(pieces, share, tokensOf), { size, refusal }, splitting);
}

type Group = readonly ChangedPiece[];

/** Groups that do not fit after all are halved, and counted anew: each pack tells how many there are. */
async function assembleGroups(
  groups: readonly Group[],
  { size, refusal }: { size: PackSize; refusal: CannotFit },
  splitting: Splitting,
): Promise<Parts> {
  const shown = groups.slice(0, mostPacks);
  const made: Part[] = [];
  const refused = new Set<Group>();
  for (const [index, pieces] of shown.entries()) {
    const own = new Set(shown[index]?.map(({ path }) => path));
    const others = new Set(shown.flat().map(({ path }) => path));
    const part = {
      number: index + 1,
      of: shown.length,
      others: [...others].filter(path => !own.has(path)),
    };
    const context = await tryPack({ ...splitting.request, sizes: [size], pieces, part }, splitting);
    if (context instanceof CannotFit) refused.add(pieces);
    else made.push({ pieces, context });
  }
  const alone = [...refused].filter(group => group.length < 2).length;
  if (refused.size > alone)
    return assembleGroups(
      groups.flatMap(group => (refused.has(group) ? halvesOf(group) : [group])),
      { size, refusal },
      splitting,
    );
  return {
    parts: made,
    unshown: alone + groups.slice(mostPacks).flat().length,
    refusal,
  };
}

/** What is written beside a pack. `path`: of the pack, in the folder of its run. */
export function sideOf(
  { side }: AssembledContext,
  { run, path, now }: { readonly run: string; readonly path: string; readonly now: Date },
): SideFile {
  return {
    schema: 'jury.local-pack-meta/1',
    pack_uri: runResourceUri(run, path),
    run_id: run,
    ...side,
    created_at: now.toISOString(),
  };
}

export interface PackOptions {
  /** Where the agents' files lie; null before there is a run. */
  readonly outputFolder?: string | null;
  /** What stands around the change. */
  readonly around?: ReviewContext;
  /** By reviewer: what it has read in earlier rounds, and how much of it. */
  readonly readBefore?: ReadonlyMap<string, ReadonlyMap<string, FileReading['extent']>>;
  /** By reviewer: what it is told that has read an earlier state of the change. */
  readonly since?: ReadonlyMap<string, Since>;
}
