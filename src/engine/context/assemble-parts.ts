/**
 * The packs of a change: one in the smallest class that holds its changed lines, and beyond the largest class several, which tell
 * one another's files.
 */
import { CannotFit } from '../../core/context/packing/fit.ts';
import {
  type ChangedPiece,
  type LineRange,
  piecesOf,
  sizeOf,
  splitChange,
} from '../../core/context/packing/line-range.ts';
import type { SideFile } from '../../core/context/packing/local-pack.ts';
import { createModules } from '../../core/context/packing/pointers.ts';
import {
  type CapSettings,
  classifyScope,
  type PackSize,
  type PackSizes,
  packSizes,
  type Rise,
} from '../../core/context/scope.ts';
import { halvesOf } from '../../core/groups.ts';
import { withCellsOnly } from '../../core/change/unshown.ts';
import { runResourceUri } from '../../core/run-files/run-page.ts';
import type { Change, ChangedFile } from '../../core/words/change.ts';
import { assembleContext, type AssembledContext } from './assemble-context.ts';
import type { ContextRequest, ContextWorld, ChangePortion } from './climb.ts';
import { type ContextSources, openSources } from './context-texts.ts';

export interface Part {
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
  readonly caps: CapSettings;
  /** True: a hunk of an older file that no pack holds is refused, not cut. */
  readonly keepsHunks: boolean;
}

/** For whoever wants the packs of a change: it gives what its scope, the role and the model come to. */
export async function packChange(
  whole: Change,
  { caps, keepsHunks, ...settings }: PackSettings,
  world: ContextWorld,
): Promise<Parts> {
  const { files } = withCellsOnly(whole);
  const { agent, capability } = settings;
  const scope = scopeOf(files, world.index);
  const sizes = packSizes(classifyScope(scope), agent, capability, caps);
  const request = { ...settings, scope, sizes, files };
  return assembleParts({ request, world, sources: openSources(world), keepsHunks });
}

function scopeOf(files: readonly ChangedFile[], index: ContextWorld['index']) {
  const moduleOf = createModules([...index.files(), ...index.skipped()].map(({ path }) => path));
  return {
    files: files.length,
    changed_lines: files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0),
    modules: new Set(files.map(({ path }) => moduleOf(path))).size,
  };
}

interface Splitting {
  readonly request: ContextRequest;
  readonly world: ContextWorld;
  readonly sources: ContextSources;
  readonly keepsHunks: boolean;
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
    const sizes: PackSizes = [size, ...larger];
    const context = await tryPack({ ...request, ...(rise && { rise }), sizes }, splitting);
    if (!(context instanceof CannotFit))
      return { parts: [{ pieces, context }], unshown: 0, refusal: null };
    const [next, ...others] = larger;
    if (next === undefined) return splitPieces(pieces, size, context, splitting);
    rise ??= { ...size, tokens: context.tokens };
    [size, larger] = [next, others];
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
    const part = partOf(index, shown);
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

function partOf(index: number, groups: readonly Group[]): ChangePortion {
  const own = new Set(groups[index]?.map(({ path }) => path));
  const others = new Set(groups.flat().map(({ path }) => path));
  return {
    number: index + 1,
    of: groups.length,
    others: [...others].filter(path => !own.has(path)),
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
