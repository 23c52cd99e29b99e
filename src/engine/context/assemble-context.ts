/**
 * Assembles a Local Context Pack: climbs the ladder until the stop rule holds, evicts what does not fit, spends what is left of
 * the budget on pointers, counts all of it. Nothing is written here.
 */
import {
  type Candidate,
  CannotFit,
  type Placed,
  findUnresolved,
  fit,
  toQuestions,
} from '../../core/context/packing/fit.ts';
import {
  type Missing,
  type PackPart,
  type PackReport,
  type SideFile,
  composePack,
  renderPack,
  renderPart,
  sideOfParts,
} from '../../core/context/packing/local-pack.ts';
import {
  excerptOf,
  formatRange,
  type SourceText,
  revisionOf,
  type LinePointer,
} from '../../core/context/packing/line-range.ts';
import { by } from '../../core/groups.ts';
import { summarise } from '../../core/context/packing/micro-summary.ts';
import { type ContextRequest, startClimb } from './climb.ts';
import { type ContextSources, type ContextWorld, openSources } from './context-texts.ts';
import {
  isQuoted,
  openPointers,
  testsOf,
  usesToShow,
} from '../../core/context/packing/pointers.ts';
import {
  callSites,
  commitPointers,
  definitionCandidates,
  dependencyMaps,
  nearbyCode,
  remainingUses,
  synopses,
} from '../../core/context/packing/rungs.ts';

export interface AssembledContext extends Pick<PackReport, 'pack' | 'rendered'> {
  readonly side: Omit<SideFile, 'pack_uri' | 'run_id' | 'created_at' | 'schema'>;
  /** In the order of the pack. */
  readonly parts: readonly PackPart[];
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
  const climbed = await climbLadder(climb, pointing);
  return conclude(climb, climbed, await spendRoom(climbed, climb, pointing));
}

type Laid = ReturnType<typeof settle>;
async function climbLadder(climb: Climb, { reserve }: Pointing) {
  const pool: Candidate[] = [];
  let laid: Laid | null = null;
  let reached: Rung = 1;
  let reason: SideFile['stop_reason'] = 'exhausted';
  for (const rung of rungs) {
    const added = await candidatesOf(rung, climb);
    pool.push(...added);
    reached = rung;
    if (laid !== null && added.length === 0) continue;
    await climb.texts.load(added.flatMap(({ path }) => path ?? []));
    laid = settle(pool, climb, reserve);
    const stop = laid.unresolved.length === 0 ? ('satisfied' as const) : laid.fitted.cause;
    if (stop === null) continue;
    reason = stop;
    break;
  }
  const pinned = [
    ...(reached < 4 && climb.request.sizes[0].scope_class !== 'Tiny'
      ? await climb.world.pointers(4, climb.view)
      : []),
    ...climb.earlier,
  ];
  if (pinned.length > 0 || laid === null) laid = settle([...pool, ...pinned], climb, reserve);
  return { ...laid, reached, reason };
}

/** What is missing is told in the pack, and telling it takes tokens: until both agree. `reserve`: tokens kept for pointers. */
function settle(pool: readonly Candidate[], climb: Climb, reserve: number) {
  let questions: string[] = [];
  for (let round = 0; ; round += 1) {
    const fitted = fitPack(pool, questions, climb, reserve);
    const unresolved = findMissing(fitted.placed, climb);
    const asked = toQuestions(unresolved, mostQuestions);
    if (round === 3 || asked.join('\n') === questions.join('\n'))
      return { fitted, unresolved, questions };
    questions = asked;
  }
}

/** The change itself takes what it needs, and the pointers what is left. */
function fitPack(
  pool: readonly Candidate[],
  questions: readonly string[],
  climb: Climb,
  reserve: number,
) {
  const { request, budget, count } = climb;
  const fitted = fit(pool, {
    budget,
    reserve,
    tokensOf: placed => count(`\n${renderPart(partOf(placed, climb))}\n`),
    tokensOfAll: placed => count(renderPack(keysWith(questions, climb), partsOf(placed, climb))),
  });
  if (fitted.tokens > budget) throw new CannotFit(request.agent, fitted.tokens, budget);
  return fitted;
}

type Place = Pick<Placed, 'path' | 'range'>;

function findMissing(shown: readonly Place[], { pieces, resolved }: Climb) {
  return findUnresolved(shown, pieces, resolved.requirements);
}

function placeAt({ path, line }: Pick<LinePointer, 'path' | 'line'>): Place {
  return { path, range: { start: line, end: line } };
}

/** What the ladder left of the budget goes to pointers. */
async function spendRoom(
  { fitted: { placed }, questions: counted }: Laid,
  climb: Climb,
  pointing: Pointing,
) {
  const { budget, count, resolved } = climb;
  const parts = partsOf(placed, climb);
  const tokensOf = (all: PackPart[], questions: string[]) =>
    count(renderPack(keysWith(questions, climb), all));
  // What a pointer can answer need not be asked: it shows a definition by its signature.
  const answers = resolved.found.map(({ path, nameLine: line }) => placeAt({ path, line }));
  const asked = toQuestions(findMissing([...placed, ...answers], climb), mostQuestions);
  let chosen = await choosePointers(pointing, placed, budget - tokensOf(parts, asked));
  for (;;) {
    const shown = [...placed, ...chosen.map(({ pointer }) => placeAt(pointer))];
    const missing = [...findMissing(shown, climb), ...findUnseen(shown, climb)];
    const all = [...parts, ...chosen.map(({ part }) => part)];
    const questions = toQuestions(missing, mostQuestions);
    const isOver = tokensOf(all, questions) > budget;
    if (!isOver || chosen.length === 0)
      // What is asked beyond the questions that were counted may not fit: then only those are asked.
      return { parts: all, unresolved: missing, questions: isOver ? counted : questions };
    const last = Math.max(...chosen.map(({ turn }) => turn));
    chosen = chosen.filter(({ turn }) => turn !== last);
  }
}

function partsOf(placed: readonly Placed[], climb: Climb) {
  return placed.map(one => partOf(one, climb));
}

/** Worked out once. */
function partOf(placed: Placed, climb: Climb) {
  const key = JSON.stringify({ ...placed, core: [], needed: 0 });
  const part = climb.parts.get(key) ?? makePart(placed, climb);
  climb.parts.set(key, part);
  return part;
}

function makePart(placed: Placed, { texts, material }: Climb): PackPart {
  const { kind, path, range, ref, name, distance } = placed;
  const text = path === null ? null : texts.of(path);
  const rev = text === null ? placed.rev : revisionOf(text, range);
  return {
    anchor: {
      kind,
      ...(path !== null && { path }),
      ...(range !== null && { lines: formatRange(range) }),
      ...(rev !== null && { rev }),
      ...(ref !== null && { ref }),
      ...(name !== null && isSafeName(name, placed, text) && { name }),
    },
    distance,
    summary: summarise(placed, material),
    text: text === null || range === null ? null : excerptOf(text, range),
    removed: placed.removed.map(({ at, isBehind, lines, more }) => ({
      below: at - (range?.start ?? at) + Number(isBehind),
      lines: [...lines],
      more,
    })),
  };
}

/** The title of a test is a text that may hold a secret: it is given only as it stands in the masked lines. */
function isSafeName(name: string, { range, kind }: Placed, text: SourceText | null) {
  if (range === null || text === null) return true;
  return (
    (kind !== 'test' && /^[\p{L}\p{N}_$ .]+$/u.test(name) && name.length < 80) ||
    text.shown.slice(range.start - 1, range.end).some(line => line.includes(name))
  );
}

function keysWith(questions: readonly string[], { keys }: Climb) {
  return { ...keys, open_questions: [...questions] };
}

function conclude(
  climb: Climb,
  { fitted, reached, reason }: Awaited<ReturnType<typeof climbLadder>>,
  { parts, unresolved, questions }: Awaited<ReturnType<typeof spendRoom>>,
): AssembledContext {
  const { request, budget, world, texts, resolved, count } = climb;
  const { counter, knowledge } = world;
  const composed = composePack(keysWith(questions, climb), parts, { budget, count });
  const broken = Object.entries(composed.pack.bloat_checks)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);
  if (broken.length > 0) throw new Error(`A pack failed its own checks: ${broken.join(', ')}.`);
  return {
    ...composed,
    parts,
    side: {
      budget,
      scope: request.scope,
      rung_reached: reached,
      stop_reason:
        unresolved.length === 0 ? 'satisfied' : reason === 'satisfied' ? 'budget' : reason,
      unresolved: unresolved.map(({ symbol, at, reason }) => ({ symbol, at, reason })),
      external: [...resolved.external],
      evicted: fitted.evicted,
      refreshed: [],
      redactions: fitted.placed.reduce(
        (sum, { path, range }) =>
          sum + (path === null || range === null ? 0 : texts.secretsIn(path, range)),
        0,
      ),
      ...sideOfParts(parts, texts.of),
      larger: request.sizes.slice(1),
      ...(request.part && { part: { number: request.part.number, of: request.part.of } }),
      ...(knowledge !== null && { knowledge }),
      counter: { name: counter.name, version: counter.version },
    },
  };
}

// Spends what the ladder left of a budget on pointers: every group gets its share first, then whoever is next takes the rest.

type Pointing = ReturnType<typeof openPointing>;

/** Of the budget, in hundredths: more is not kept from excerpts. */
const mostReserved = 30;

function openPointing(climb: Climb) {
  const groups = openPointers(climb);
  const wanted = groups
    .filter(({ isReserved }) => isReserved)
    .reduce((sum, { pointers }) => sum + totalOf(pointers(), climb), 0);
  return {
    climb,
    groups,
    /** Tokens of the budget that excerpts leave to pointers. */
    reserve: Math.min(wanted, Math.floor((climb.budget * mostReserved) / 100)),
  };
}

/** Tokens of its line. */
function priceOf({ path, line, what }: LinePointer, { count }: Climb) {
  return count(`${path}:${line} ${what}`) + 1;
}

function totalOf(pointers: readonly LinePointer[], climb: Climb) {
  return pointers.reduce((sum, one) => sum + priceOf(one, climb), 0);
}

/** In the order in which they are told. `room`: tokens. `turn`: when it was chosen; the last one goes first. */
async function choosePointers(
  { groups, climb }: Pointing,
  placed: readonly Placed[],
  room: number,
) {
  const chosen: { group: (typeof groups)[number]; pointer: LinePointer; turn: number }[] = [];
  const taken = new Set<string>();
  const named = new Set(placed.map(({ path }) => path));
  let left = room - headingTokens;
  const take = (group: (typeof groups)[number], most: number) => {
    if (left < leastTokens) return;
    let open = Math.min(most, left);
    const all = group.pointers();
    const isShort = totalOf(all, climb) > open;
    for (const one of all) {
      const pointer = isShort ? { ...one, what: one.brief ?? one.what } : one;
      const place = `${pointer.path}:${pointer.line}`;
      if (taken.has(place) || isQuoted(pointer, placed)) continue;
      if (group.isOfNewFiles && named.has(pointer.path)) continue;
      const tokens = priceOf(pointer, climb);
      // A shorter one behind it may still have room.
      if (tokens > open) continue;
      taken.add(place);
      named.add(pointer.path);
      open -= tokens;
      left -= tokens;
      chosen.push({ group, pointer, turn: chosen.length });
    }
  };
  const shareable = left;
  for (const group of groups) take(group, (shareable * group.share) / 100);
  for (const group of groups) take(group, left);
  await climb.texts.load(chosen.map(({ pointer }) => pointer.path));
  return chosen.toSorted(by(({ group }) => groups.indexOf(group))).flatMap(({ pointer, turn }) => {
    const quote = pointer.quote === null ? '' : ` in ${JSON.stringify(pointer.quote)}`;
    const tokens = climb.count(quote);
    const isTold = tokens <= left;
    if (isTold) left -= tokens;
    const part = partAt(pointer, isTold ? quote : '', climb);
    return part === null ? [] : { pointer, part, turn };
  });
}

const headingTokens = 24;
const leastTokens = 8;

/** They go before everything else when a pack is brought up to date and needs room. */
const pointerDistance = 6;

/** Null for a line that is not there. */
function partAt(pointer: LinePointer, quote: string, { texts, view }: Climb): PackPart | null {
  const { path, line, what } = pointer;
  const text = texts.of(path);
  if (text === null || line > text.original.length) return null;
  const isSafe = text.shown[line - 1]?.includes(pointer.quote ?? '') ?? false;
  return {
    anchor: {
      kind: view.isTest(path) ? 'test' : 'code',
      path,
      lines: `${line}-${line}`,
      rev: revisionOf(text, { start: line, end: line }),
      ref: `${path}:${line}`,
      name: isSafe ? what + quote : what,
    },
    distance: pointerDistance,
    summary: null,
    text: null,
    removed: [],
  };
}

/** Uses of names that are gone or signed anew which neither an excerpt nor a pointer shows. */
function findUnseen(shown: readonly Place[], { names, view }: Climb): Missing[] {
  return names.flatMap(one => {
    const { name, path, line, change, users } = one;
    const unseen = usesToShow(one, view).filter(
      user =>
        // Tests tell themselves when they fail.
        (change === 'removed' || !view.isTest(user.path)) && !isQuoted(user, shown),
    );
    return unseen.length === 0
      ? []
      : {
          symbol: name,
          at: `${path}:${line}`,
          place: null,
          reason:
            `${change === 'removed' ? 'it is removed' : 'its signature changed'}, and ${unseen.length} of ` +
            `${users.length} places that use it are not shown`,
        };
  });
}

const rungs = [1, 2, 3, 4, 5, 6] as const;

type Rung = (typeof rungs)[number];

type Climb = Awaited<ReturnType<typeof startClimb>>;

async function candidatesOf(rung: Rung, climb: Climb): Promise<readonly Candidate[]> {
  const { view } = climb;
  return (await offered(rung, climb)).map(one =>
    one.path === null ? one : { ...one, kind: view.isTest(one.path) ? 'test' : 'code' },
  );
}

async function offered(rung: Rung, climb: Climb) {
  const { world, texts, pieces, resolved } = climb;
  if (rung === 1) return [...nearbyCode(climb), ...remainingUses(climb)];
  if (rung === 2) {
    await texts.load([...resolved.found, ...pieces].map(({ path }) => path));
    return [...definitionCandidates(climb), ...callSites(climb), ...synopses(climb)];
  }
  if (rung === 3)
    return [
      ...dependencyMaps(climb),
      ...testsOf(climb),
      ...commitPointers(await world.history(pieces)),
    ];
  return world.pointers(rung, climb.view);
}
