/**
 * Assembles a Local Context Pack: climbs the ladder until the stop rule holds, evicts what does not fit, spends what is left of
 * the budget on pointers, counts all of it. Nothing is written here.
 */
import {
  CannotFit,
  type Candidate,
  fit,
  type Fitted,
  type Placed,
} from '../../core/context/packing/fit.ts';
import {
  excerptOf,
  formatRange,
  type SourceText,
  revisionOf,
} from '../../core/context/packing/line-range.ts';
import { findChecks } from '../../core/context/packing/check-local-pack.ts';
import {
  anchorName,
  type LocalPack,
  mostAnchors,
  type PackAnchor,
  type RemovedLines,
  renderAnchor,
  type RenderedKeys,
  renderLocalPack,
  type SideFile,
  type StopReason,
  type Unresolved,
} from '../../core/context/packing/local-pack.ts';
import { summarise } from '../../core/context/packing/micro-summary.ts';
import {
  findUnresolved,
  type Missing,
  toQuestions,
} from '../../core/context/packing/requirements.ts';
import { nameLineOf } from '../../core/context/packing/resolve.ts';
import {
  type AnchorParts,
  candidatesOf,
  type Climb,
  type ContextRequest,
  type ContextWorld,
  type Rung,
  rungs,
  startClimb,
} from './climb.ts';
import { type ContextSources, lengthsOf, openSources } from './context-texts.ts';
import { choosePointers, type Pointing, openPointing } from './point-around.ts';

export interface AssembledContext {
  readonly pack: LocalPack;
  /** What `token_estimate` counts: the text the role receives. */
  readonly rendered: string;
  readonly side: Omit<SideFile, 'pack_uri' | 'run_id' | 'created_at' | 'schema'>;
  /** The anchors with their texts, in the order of the pack. */
  readonly excerpts: readonly {
    readonly anchor: PackAnchor;
    readonly distance: number;
    readonly summary: string | null;
    readonly text: string | null;
  }[];
}

const mostQuestions = 5;

/** Throws `CannotFit` when the changed lines alone do not fit, `UserError` when a text cannot be scanned for secrets. */
export async function assembleContext(
  request: ContextRequest,
  world: ContextWorld,
  sources: ContextSources = openSources(world),
): Promise<AssembledContext> {
  const climb = await startClimb(request, world, sources);
  const pointing = openPointing(climb);
  const { state, reached, reason } = await climbLadder(climb, pointing);
  return conclude(climb, await spendRoom(state, climb, pointing), { reached, reason });
}

interface Climbed {
  readonly state: State;
  readonly reached: Rung;
  readonly reason: StopReason;
}

async function climbLadder(climb: Climb, { reserve }: Pointing): Promise<Climbed> {
  const { request, world } = climb;
  const pool: Candidate[] = [];
  let state: State | null = null;
  let reached: Rung = 1;
  let reason: StopReason = 'exhausted';
  for (const rung of rungs) {
    const added = await candidatesOf(rung, climb);
    pool.push(...added);
    reached = rung;
    if (state !== null && added.length === 0) continue;
    await climb.texts.load(added.flatMap(({ path }) => (path === null ? [] : [path])));
    state = settle(pool, climb, reserve);
    if (state.unresolved.length === 0 && request.isExhaustive !== true) {
      reason = 'satisfied';
      break;
    }
    if (state.fitted.cause !== null && request.isExhaustive !== true) {
      reason = state.fitted.cause;
      break;
    }
  }
  const pinned = [
    ...(reached < 4 && request.sizes[0].scope_class !== 'Tiny'
      ? await world.pointers(4, climb.view)
      : []),
    ...climb.earlier,
  ];
  if (pinned.length > 0) state = settle([...pool, ...pinned], climb, reserve);
  if (state === null) throw new Error('A ladder has a first rung.');
  return { state, reached, reason };
}

interface State {
  readonly fitted: Extract<Fitted, { fits: true }>;
  /** Lines worth a look, without an excerpt. */
  readonly pointers: readonly PackAnchor[];
  readonly unresolved: readonly (Unresolved | Missing)[];
  readonly questions: readonly string[];
}

/** What is missing is told in the pack, and telling it takes tokens: until both agree. `reserve`: tokens kept for pointers. */
function settle(pool: readonly Candidate[], climb: Climb, reserve: number): State {
  let questions: readonly string[] = [];
  for (let round = 0; ; round += 1) {
    const fitted = fitPack(pool, questions, climb, reserve);
    const unresolved = findMissing(fitted.placed, [], climb);
    const asked = toQuestions(unresolved, mostQuestions);
    if (round === 3 || areEqual(asked, questions))
      return { fitted, pointers: [], unresolved, questions };
    questions = asked;
  }
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

/** A pointer to a definition shows it by its signature. */
function findMissing(
  placed: readonly Placed[],
  pointers: readonly Pick<Placed, 'path' | 'range'>[],
  { pieces, resolved }: Climb,
): Missing[] {
  return findUnresolved([...placed, ...pointers], pieces, resolved.requirements);
}

/** Where pointers may lead that answer what the changed lines refer to. */
function answersOf({ resolved, view }: Climb): Pick<Placed, 'path' | 'range'>[] {
  return [
    ...resolved.found.map(one => ({ path: one.path, line: nameLineOf(one, view) })),
    ...resolved.possible.map(({ path, nameLine }) => ({ path, line: nameLine })),
  ].map(({ path, line }) => ({ path, range: { start: line, end: line } }));
}

function placeOf({ path, lines }: PackAnchor): Pick<Placed, 'path' | 'range'> {
  const line = Number.parseInt(lines ?? '0', 10);
  return { path: path ?? null, range: { start: line, end: line } };
}

/** The change itself takes what it needs, and the pointers what is left. */
function fitPack(
  pool: readonly Candidate[],
  questions: readonly string[],
  climb: Climb,
  reserve: number,
): Extract<Fitted, { fits: true }> {
  const {
    request: { agent },
    budget,
    count,
  } = climb;
  const fitted = fit(pool, {
    budget,
    reserve,
    tokensOf: placed => count(`\n${renderAnchor(...anchorParts(placed, climb))}\n`),
    tokensOfAll: placed => count(renderPlaced(placed, [], questions, climb)),
  });
  if (!fitted.fits) throw new CannotFit({ agent, budget, tokens: fitted.tokens });
  return fitted;
}

/** What the ladder left of the budget goes to pointers. */
async function spendRoom(state: State, climb: Climb, pointing: Pointing): Promise<State> {
  const { budget, count } = climb;
  const { placed } = state.fitted;
  // What a pointer can answer need not be asked.
  const asked = toQuestions(findMissing(placed, answersOf(climb), climb), mostQuestions);
  const room = budget - count(renderPlaced(placed, [], asked, climb));
  const chosen = [...(await choosePointers(pointing, placed, room))];
  for (;;) {
    const pointers = chosen.map(({ anchor }) => anchor);
    const unresolved = findMissing(placed, pointers.map(placeOf), climb);
    const missing = [...unresolved, ...pointing.unseenUses(placed, pointers)];
    const next: State = {
      ...state,
      pointers,
      unresolved: missing,
      questions: toQuestions(missing, mostQuestions),
    };
    if (
      count(renderPlaced(placed, pointers, next.questions, climb)) <= budget ||
      pointers.length === 0
    )
      return pointers.length === 0 ? withoutRoom(next, state, climb) : next;
    chosen.splice(chosen.indexOf(last(chosen)), 1);
  }
}

function last<Chosen extends { readonly turn: number }>(
  chosen: readonly [Chosen, ...Chosen[]] | readonly Chosen[],
): Chosen {
  return chosen.reduce((leader, next) => (next.turn > leader.turn ? next : leader));
}

/** What is asked beyond the questions that were counted may not fit: then only those are asked. */
function withoutRoom(next: State, counted: State, climb: Climb): State {
  const isOver =
    climb.count(renderPlaced(next.fitted.placed, [], next.questions, climb)) > climb.budget;
  return isOver ? { ...next, questions: counted.questions } : next;
}

function anchorParts(placed: Placed, climb: Climb): AnchorParts {
  const { kind, path, range, ref, name, summary, removed } = placed;
  const key = JSON.stringify([kind, path, range, ref, name, summary, removed]);
  const parts = climb.parts.get(key) ?? makeParts(placed, climb);
  climb.parts.set(key, parts);
  return parts;
}

function makeParts(placed: Placed, { texts, material, world: { hash } }: Climb): AnchorParts {
  const { kind, path, range, ref, name } = placed;
  const text = path === null ? null : texts.of(path);
  const rev = text === null || path === null ? placed.rev : revisionOf(text, range, hash);
  const anchor: PackAnchor = {
    kind,
    ...(path === null ? {} : { path }),
    ...(range === null ? {} : { lines: formatRange(range) }),
    ...(rev === null ? {} : { rev }),
    ...(ref === null ? {} : { ref }),
    ...(name === null || !isSafeName(name, placed, text) ? {} : { name }),
  };
  return [
    anchor,
    {
      summary: summarise(placed, material),
      excerpt: text === null || range === null ? placed.excerpt : excerptOf(text, range),
      removed: removedFrom(placed),
    },
  ];
}

function removedFrom({ removed, range }: Placed): RemovedLines[] {
  return removed.map(({ at, isBehind, lines, more }) => ({
    below: at - (range?.start ?? at) + Number(isBehind),
    lines: [...lines],
    more,
  }));
}

/** The title of a test is a text that may hold a secret: it is given only as it stands in the masked lines. */
function isSafeName(name: string, { path, range, kind }: Placed, text: SourceText | null): boolean {
  if (path === null || range === null || text === null) return true;
  return kind !== 'test' && /^[\p{L}\p{N}_$ .]+$/u.test(name) && name.length < 80
    ? true
    : text.shown.slice(range.start - 1, range.end).some(line => line.includes(name));
}

function renderPlaced(
  placed: readonly Placed[],
  pointers: readonly PackAnchor[],
  questions: readonly string[],
  climb: Climb,
): string {
  const parts = placed.map(one => anchorParts(one, climb));
  const excerpts = new Map(parts.map(([anchor, { excerpt }]) => [anchor, excerpt]));
  return renderLocalPack(
    keysOf(parts, pointers, questions, climb),
    anchor => excerpts.get(anchor) ?? null,
    removedBy(parts),
  );
}

function removedBy(parts: readonly AnchorParts[]): Record<string, RemovedLines[]> {
  return Object.fromEntries(
    parts.flatMap(([anchor, { removed }]) =>
      removed.length === 0 ? [] : [[anchorName(anchor), [...removed]] as const],
    ),
  );
}

function keysOf(
  parts: readonly AnchorParts[],
  pointers: readonly PackAnchor[],
  questions: readonly string[],
  { keys }: Climb,
): RenderedKeys {
  return {
    ...keys,
    anchors: [...parts.map(([anchor]) => anchor), ...pointers],
    micro_summaries: parts
      .flatMap(([anchor, { summary }]) =>
        summary === null ? [] : [{ ref: anchorName(anchor), summary }],
      )
      .slice(0, mostAnchors),
    open_questions: [...questions],
  };
}

function conclude(
  climb: Climb,
  { fitted, pointers, unresolved, questions }: State,
  { reached, reason }: Pick<Climbed, 'reached' | 'reason'>,
): AssembledContext {
  const {
    request,
    budget,
    world: { counter, knowledge },
    texts,
    resolved,
    count,
  } = climb;
  const parts = fitted.placed.map(placed => anchorParts(placed, climb));
  const excerpts = [
    ...parts.map(([anchor, { summary, excerpt }], index) => ({
      anchor,
      summary,
      text: excerpt,
      distance: fitted.placed[index]?.distance ?? pointerDistance,
    })),
    ...pointers.map(anchor => ({ anchor, summary: null, text: null, distance: pointerDistance })),
  ];
  const rendered = renderPlaced(fitted.placed, pointers, questions, climb);
  const keys = keysOf(parts, pointers, questions, climb);
  const tokens = count(rendered);
  const pack: LocalPack = {
    ...keys,
    token_estimate: tokens,
    bloat_checks: findChecks(keys, tokens, budget),
  };
  const broken = Object.entries(pack.bloat_checks)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);
  if (broken.length > 0) throw new Error(`A pack failed its own checks: ${broken.join(', ')}.`);
  return {
    pack,
    rendered,
    side: {
      budget,
      scope: request.scope,
      rung_reached: reached,
      stop_reason:
        unresolved.length === 0 ? 'satisfied' : reason === 'satisfied' ? 'budget' : reason,
      unresolved: unresolved.map(({ symbol, at, reason }) => ({ symbol, at, reason })),
      external: [...resolved.external],
      evicted: fitted.evicted.map(({ anchor, distance, tokens }) => ({ anchor, distance, tokens })),
      refreshed: [],
      redactions: fitted.placed.reduce(
        (sum, { path, range }) =>
          sum + (path === null || range === null ? 0 : texts.secretsIn(path, range)),
        0,
      ),
      distances: Object.fromEntries(
        excerpts.map(({ anchor, distance }) => [anchorName(anchor), distance]),
      ),
      lengths: lengthsOf(keys.anchors, texts.of),
      larger: request.sizes.slice(1),
      removed: removedBy(parts),
      ...(request.part && { part: { number: request.part.number, of: request.part.of } }),
      ...(typeof knowledge === 'string' && { knowledge }),
      counter: { name: counter.name, version: counter.version },
    },
    excerpts,
  };
}

/** They go before everything else when a pack is brought up to date and needs room. */
const pointerDistance = 6;
