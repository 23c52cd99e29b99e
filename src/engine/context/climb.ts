/**
 * What a pack is assembled from: the names on the changed lines resolved, those that are gone found, and what each rung of the
 * ladder offers.
 */
import { rankCoChanged } from '../../core/context/packing/pointers.ts';
import { candidateOf, resolveAll } from '../../core/context/packing/fit.ts';
import { type ChangedPiece, piecesOf } from '../../core/context/packing/line-range.ts';
import type { PackKeys, PackPart, SideFile } from '../../core/context/packing/local-pack.ts';
import type { SummaryMaterial } from '../../core/context/packing/micro-summary.ts';
import { symbolsUsed } from '../../core/context/packing/resolve.ts';
import { changedDefinitions } from '../../core/context/packing/rungs.ts';
import { listNames, mostListed } from '../../core/context/risk-lines.ts';
import {
  type AgentName,
  type ModelCapability,
  type PackSizes,
  type Rise,
  describeRise,
} from '../../core/context/scope.ts';
import { groupBy, groupsBy, present } from '../../core/groups.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import type { ContextSources, ContextWorld } from './context-texts.ts';

export interface ContextRequest {
  readonly agent: AgentName;
  readonly taskId: string;
  readonly goal: string;
  readonly acceptanceCriteria: readonly string[];
  readonly constraints: readonly string[];
  readonly capability: ModelCapability;
  readonly scope: SideFile['scope'];
  /** What the pack has, and behind it what it may rise to. */
  readonly sizes: PackSizes;
  /** Why it has not what its scope gives it; default: it has. */
  readonly rise?: Rise;
  readonly files: readonly ChangedFile[];
  /** The part of the change this pack is about; default: all of it. */
  readonly pieces?: readonly ChangedPiece[];
  /** Which part that is; absent where it is all of it. */
  readonly part?: ChangePortion;
}

interface ChangePortion {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Files of the other parts. */
  readonly others: readonly string[];
}

export async function startClimb(
  request: ContextRequest,
  world: ContextWorld,
  sources: ContextSources,
) {
  const { texts, skipped, count, before, past, view } = sources;
  const old = await before(request.files);
  const own = filesOf(request, skipped);
  const ownOldPaths = new Set(own.map(({ path, oldPath }) => oldPath ?? path));
  const [{ scope_class: scopeClass, budget }] = request.sizes;
  const told = await tellRisks({ files: request.files, own, budget }, sources);
  const oldPaths = new Map(request.files.map(({ path, oldPath }) => [path, oldPath ?? path]));
  const allPaths = new Set(request.files.map(({ path }) => path));
  const pieces = (request.pieces ?? request.files.flatMap(piecesOf)).filter(
    ({ path }) => !skipped.has(path),
  );
  await texts.load(pieces.map(({ path }) => path));
  const shown = pieces.filter(({ path }) => texts.of(path) !== null);
  const changed = changedDefinitions(shown, view);
  const uses = symbolsUsed(shown, view, texts.linesOf);
  const resolved = resolveAll(uses, request.acceptanceCriteria, view, texts.linesOf);
  const byPath = groupBy(shown, ({ path }) => path);
  const mask = (entries: readonly string[]) => Promise.all(entries.map(texts.mask));
  const keys: PackKeys = {
    agent: request.agent,
    task_id: await texts.mask(request.taskId),
    goal: await texts.mask(request.goal),
    acceptance_criteria: await mask(request.acceptanceCriteria),
    constraints: await mask(request.constraints),
    scope_class: scopeClass,
    model_capability: request.capability,
    risk_notes: present(
      request.part && describePart(request.part),
      request.rise && describeRise(request.rise, scopeClass),
      ...told.notes,
    ),
    open_questions: [],
    next_actions: told.actions,
  };
  return {
    request,
    budget,
    world,
    view,
    texts,
    resolved,
    changed,
    /** Names of this part that are gone or have another signature. */
    names: old.names.filter(({ path }) => ownOldPaths.has(path)),
    /** Files that used to change with those of this part. */
    together: rankCoChanged(
      await past(request.files),
      request.pieces === undefined ? allPaths : new Set(shown.map(({ path }) => path)),
      path => !allPaths.has(path) && view.has(path),
    ),
    /** Packs that other roles of the task were given. */
    earlier: (await world.taskMemory.ofOthers(request.taskId, request.agent)).map(
      ({ agent, uri }) =>
        candidateOf({
          kind: 'artifact',
          ref: uri,
          distance: 6,
          summary: `pack of the ${agent} for the same task`,
        }),
    ),
    oldLinesOf: (path: string) => old.linesOf(oldPaths.get(path) ?? path),
    count,
    /** What anchors come to, worked out once. */
    parts: new Map<string, PackPart>(),
    pieces: shown,
    material: {
      view,
      textOf: texts.of,
      changedIn: path => (byPath.get(path) ?? []).flatMap(one => one.changed),
      changedSymbols: new Set(changed.map(({ name }) => name)),
    } satisfies SummaryMaterial,
    keys,
  };
}

/** Of one part of a change: those it has lines of, and with the first part those that no part shows. */
function filesOf({ files, pieces, part }: ContextRequest, skipped: ReadonlyMap<string, string>) {
  if (pieces === undefined) return files;
  const own = new Set(pieces.map(({ path }) => path));
  return files.filter(
    file =>
      own.has(file.path) ||
      (part?.number === 1 && (skipped.has(file.path) || piecesOf(file).length === 0)),
  );
}

const mostFilesTold = 30;

function describePart({ number, of, others }: ChangePortion) {
  const told = others.slice(0, mostFilesTold).join(', ');
  const more = others.length - mostFilesTold;
  return (
    `this is pack ${number} of ${of} of one change; the others hold ` +
    `${told === '' ? 'other parts of the same files' : told}${more > 0 ? ` and ${more} more files` : ''}`
  );
}

// What a pack says of the risks of its part of a change, and what to do next about them: few of each, the gravest first.

const mostNotes = 8;
const mostOfOneKind = 3;
const mostActions = 5;
/** Of a pack, for notes and for actions: what is told of the code must not push out the code. */
const shares = { notes: 1 / 8, actions: 1 / 16 };

/** The first note and the first action are always told. Secrets are taken out. */
async function tellRisks(
  {
    files,
    own,
    budget,
  }: {
    /** Of the whole change. */
    readonly files: readonly ChangedFile[];
    /** Those that the pack is about. */
    readonly own: readonly ChangedFile[];
    /** Tokens of the whole pack. */
    readonly budget: number;
  },
  sources: ContextSources,
) {
  const { texts, skipped, count } = sources;
  const paths = new Set(own.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const risks = (await sources.risks(files)).filter(({ path }) => paths.has(path));
  const chosen = groupsBy(risks, ({ kind }) => kind)
    .flatMap(group => group.slice(0, mostOfOneKind))
    .slice(0, mostNotes);
  const masked = (lines: string[]) => Promise.all(lines.map(texts.mask));
  const within = async (lines: string[], share: number) => {
    let left = budget * share;
    return (await masked(lines)).filter((line, index) => {
      const tokens = count(`- ${line}\n`);
      const isTold = index === 0 || tokens <= left;
      if (isTold) left -= tokens;
      return isTold;
    });
  };
  const actions = [...new Set(chosen.flatMap(({ action }) => action ?? []))];
  const notes = chosen.map(({ sentence }) => sentence);
  return {
    notes: [...(await within(notes, shares.notes)), ...(await masked(notShown(own, skipped)))],
    actions: await within(actions.slice(0, mostActions), shares.actions),
  };
}

const unread = {
  binary: 'binary',
  submodule: 'submodule',
  symlink: 'a link',
  'too-large': 'too large, split it or read it by hand',
} as const;

/** What the change holds of a file and the pack cannot quote, in a word for several and in a line; empty where it quotes all. */
function groupOf(file: ChangedFile, reason: string | undefined) {
  const { path, oldPath, oldMode, newMode, status, content, additions, deletions } = file;
  if (status === 'deleted') return ['are deleted', `${path} is deleted`];
  if (content !== 'text')
    return [`are not shown: ${unread[content]}`, `${path} is not shown: ${unread[content]}`];
  if (reason !== undefined)
    return [
      `are not shown: ${reason}`,
      `${path} is not shown: ${reason}, ${additions + deletions} changed lines`,
    ];
  // No line tells where it was before, and that it may be run now.
  if (oldPath !== null) return ['have other names than before', `${path} was ${oldPath}`];
  return oldMode === newMode || /^0+$/.test(oldMode) || /^0+$/.test(newMode)
    ? []
    : ['have another mode than before', `${path} has mode ${newMode} and had ${oldMode}`];
}

/** More files of one reason are counted. */
function notShown(files: readonly ChangedFile[], skipped: ReadonlyMap<string, string>) {
  const entries = files.flatMap(file => {
    const [group = '', line] = groupOf(file, skipped.get(file.path));
    return line === undefined ? [] : { group, line, path: file.path };
  });
  return [...groupBy(entries, ({ group }) => group)].flatMap(([group, own]) =>
    own.length <= mostListed
      ? own.map(({ line }) => line)
      : `${own.length} files ${group}: ${listNames(own.map(({ path }) => path))}`,
  );
}
