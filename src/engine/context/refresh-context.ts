/** Brings a pack that was written earlier up to date with the files it points at, and counts and checks it again. */
import {
  type CurrentFiles,
  findChecks,
  type FreshAnchors,
  refreshAnchors,
  type Refreshed,
} from '../../core/context/packing/check-local-pack.ts';
import { CannotFit } from '../../core/context/packing/fit.ts';
import { isLinePointer } from '../../core/context/packing/line-pointer.ts';
import {
  anchorName,
  hasTooManyAnchors,
  type LocalPack,
  mostAnchors,
  type PackAnchor,
  type RenderedKeys,
  renderLocalPack,
  type SideFile,
} from '../../core/context/packing/local-pack.ts';
import { excerptOf, parseRange } from '../../core/context/packing/line-range.ts';
import { describeRise, type PackSize, type Rise } from '../../core/context/scope-class.ts';
import type { TokenCounter } from '../../core/ports/token-counter.ts';

interface RefreshedPack {
  readonly pack: LocalPack;
  readonly rendered: string;
  /** Empty: everything stands where it stood. */
  readonly refreshed: readonly Refreshed[];
  /** Anchors that had to go because what changed needs more room. */
  readonly evicted: SideFile['evicted'];
  /** What it has now, and what its anchors are called now. */
  readonly room: PackRoom;
}

/** What a pack may need, and what of it stays whatever happens. */
export interface PackRoom {
  /** Tokens. */
  readonly budget: number;
  /** Classes it may rise to, smallest first. */
  readonly larger: readonly PackSize[];
  /** Distance of each anchor from the change, by name; null where nobody wrote it down. */
  readonly distances: SideFile['distances'];
  /** What the change took away, by the name of the anchor at which it is told. */
  readonly removed: SideFile['removed'];
}

export interface RefreshWorld extends CurrentFiles {
  readonly counter: TokenCounter;
  /** A new summary for an anchor whose lines are not what they were; null when there is none. */
  readonly summarise: (anchor: PackAnchor) => string | null;
}

/** The text a role receives of a pack as it is, with what its anchors show now. */
export function renderCurrent(
  pack: RenderedKeys,
  removed: SideFile['removed'],
  current: Pick<CurrentFiles, 'textOf'>,
): string {
  return renderLocalPack(
    pack,
    ({ path, lines }) => {
      const text = path === undefined ? null : current.textOf(path);
      const range = lines === undefined ? null : parseRange(lines);
      return text === null || range === null || range.start > text.shown.length
        ? null
        : excerptOf(text, range);
    },
    removed,
  );
}

/** The change itself stays: the pack rises to the next class that holds it. Throws `CannotFit` when none does. */
export function refreshPack(pack: LocalPack, room: PackRoom, world: RefreshWorld): RefreshedPack {
  const refreshing: Refreshing = { pack, room, world, fresh: refreshAnchors(pack.anchors, world) };
  const sizes: readonly PackSize[] = [
    { scope_class: pack.scope_class, budget: room.budget },
    ...room.larger,
  ];
  let rise: Rise | null = null;
  let refused = { tokens: 0, budget: 0 };
  for (const [index, size] of sizes.entries()) {
    const { fitted, tokens } = fitInto(
      refreshing,
      size,
      rise === null ? pack.risk_notes : [describeRise(rise, size.scope_class), ...pack.risk_notes],
    );
    if (fitted !== null)
      return {
        ...fitted,
        room: {
          budget: size.budget,
          larger: sizes.slice(index + 1),
          distances: distancesOf(refreshing, fitted.pack.anchors),
          removed: removedOf(refreshing, fitted.pack.anchors),
        },
      };
    refused = { tokens, budget: size.budget };
    rise ??= { ...size, tokens };
  }
  throw new CannotFit({ agent: pack.agent, ...refused });
}

interface Refreshing {
  readonly pack: LocalPack;
  readonly room: PackRoom;
  readonly world: RefreshWorld;
  readonly fresh: FreshAnchors;
}

interface FittedInto {
  readonly fitted: Omit<RefreshedPack, 'room'> | null;
  readonly tokens: number;
}

/** Evicts the farthest anchors until the rest fits; null when the change alone does not. */
function fitInto(
  refreshing: Refreshing,
  { scope_class, budget }: PackSize,
  notes: readonly string[],
): FittedInto {
  const { pack, world, fresh } = refreshing;
  const evicted: SideFile['evicted'] = [];
  const pointed = new Set(pack.anchors.filter(isLinePointer).map(anchorName));
  const questions = [
    ...pack.open_questions,
    ...fresh.dropped
      .filter(name => !pointed.has(name))
      .map(name => `${name} is gone: what stood there?`)
      .filter(entry => !pack.open_questions.includes(entry)),
  ];
  let anchors = [...fresh.anchors];
  for (;;) {
    const {
      agent,
      task_id,
      goal,
      acceptance_criteria,
      constraints,
      model_capability,
      next_actions,
    } = pack;
    const keys: RenderedKeys = {
      agent,
      task_id,
      goal,
      acceptance_criteria,
      constraints,
      scope_class,
      model_capability,
      anchors,
      micro_summaries: summariesOf(pack, anchors, fresh, world),
      risk_notes: [...notes],
      open_questions: questions,
      next_actions,
    };
    const rendered = renderCurrent(keys, removedOf(refreshing, anchors), world);
    const tokens = world.counter.count(rendered);
    if (tokens <= budget && !hasTooManyAnchors(keys, distancesOf(refreshing, anchors)))
      return {
        tokens,
        fitted: {
          rendered,
          refreshed: fresh.refreshed,
          evicted,
          pack: { ...keys, token_estimate: tokens, bloat_checks: findChecks(keys, tokens, budget) },
        },
      };
    const victim = farthest(refreshing, anchors);
    if (victim === null) return { tokens, fitted: null };
    anchors = anchors.filter(anchor => anchor !== victim.anchor);
    evicted.push({ anchor: anchorName(victim.anchor), distance: victim.distance, tokens });
  }
}

function summariesOf(
  pack: LocalPack,
  anchors: readonly PackAnchor[],
  { formerNames, refreshed }: FreshAnchors,
  world: RefreshWorld,
): LocalPack['micro_summaries'] {
  const known = new Map(pack.micro_summaries.map(({ ref, summary }) => [ref, summary]));
  const retaken = new Set(
    refreshed.filter(({ action }) => action === 'retaken').map(({ anchor }) => anchor),
  );
  return anchors
    .flatMap(anchor => {
      const former = formerNames.get(anchorName(anchor)) ?? anchorName(anchor);
      const summary =
        retaken.has(former) && anchor.path !== undefined
          ? world.summarise(anchor)
          : known.get(former);
      return summary === undefined || summary === null
        ? []
        : [{ ref: anchorName(anchor), summary }];
    })
    .slice(0, mostAnchors);
}

/** The farthest from the change, of several the last in the order of the pack; null when only the change itself is left. */
function farthest(
  refreshing: Refreshing,
  anchors: readonly PackAnchor[],
): { readonly anchor: PackAnchor; readonly distance: number } | null {
  const others = anchors
    .map(anchor => ({ anchor, distance: distanceOf(anchor, refreshing) }))
    .filter(({ distance }) => distance > 0);
  return others.length === 0
    ? null
    : others.reduce((leader, next) => (next.distance >= leader.distance ? next : leader));
}

/** Where nobody wrote it down, any lines may be the change. */
const leastDistance: Readonly<Record<PackAnchor['kind'], number>> = {
  code: 0,
  test: 0,
  kb: 5,
  decision: 6,
  artifact: 6,
};

function distanceOf(anchor: PackAnchor, { room: { distances }, fresh }: Refreshing): number {
  const name = anchorName(anchor);
  return distances?.[fresh.formerNames.get(name) ?? name] ?? leastDistance[anchor.kind];
}

/** An anchor that fell apart keeps what was taken away at its first part. */
function removedOf(
  { room: { removed }, fresh }: Refreshing,
  anchors: readonly PackAnchor[],
): SideFile['removed'] {
  const told = new Set<string>();
  return Object.fromEntries(
    anchors.flatMap(anchor => {
      const name = anchorName(anchor);
      const former = fresh.formerNames.get(name) ?? name;
      const lines = removed[former];
      if (lines === undefined || told.has(former)) return [];
      told.add(former);
      return [[name, lines]];
    }),
  );
}

function distancesOf(
  refreshing: Refreshing,
  anchors: readonly PackAnchor[],
): SideFile['distances'] {
  return refreshing.room.distances === null
    ? null
    : Object.fromEntries(
        anchors.map(anchor => [anchorName(anchor), distanceOf(anchor, refreshing)]),
      );
}
