/**
 * Assembles a Local Context Pack: climbs the ladder until the stop rule holds, evicts what does not fit, counts what is left.
 * Nothing is written here.
 */
import type { ChangedName } from '../../core/context/changed-names.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import type { Definition } from '../../core/words/code-index.ts';
import {
  type Candidate,
  CannotFit,
  fit,
  type Fitted,
  type Placed,
} from '../../core/context/packing/fit.ts';
import {
  type ChangedPiece,
  excerptOf,
  formatRange,
  piecesOf,
  revisionOf,
  type SourceText,
} from '../../core/context/packing/line-range.ts';
import { type CodeView, symbolsUsed } from '../../core/context/packing/references.ts';
import { findChecks } from '../../core/context/packing/check-local-pack.ts';
import {
  type AgentName,
  anchorName,
  type LocalPack,
  mostAnchors,
  type PackAnchor,
  renderAnchor,
  type RenderedKeys,
  renderLocalPack,
  type SideFile,
  type StopReason,
  type Unresolved,
} from '../../core/context/packing/local-pack.ts';
import { summarise, type SummaryMaterial } from '../../core/context/packing/micro-summary.ts';
import {
  findUnresolved,
  resolveAll,
  type Resolved,
  toQuestions,
} from '../../core/context/packing/requirements.ts';
import {
  callSites,
  changedDefinitions,
  type Commit,
  commitPointers,
  definitionCandidates,
  dependencyMaps,
  nearbyCode,
  synopses,
  testsOf,
} from '../../core/context/packing/rungs.ts';
import {
  describeRise,
  type ModelCapability,
  type PackSize,
  type Rise,
  type ScopeClass,
} from '../../core/context/scope-class.ts';
import {
  type ContextSources,
  type ContextTexts,
  lengthsOf,
  openSources,
  type SourceWorld,
} from './context-texts.ts';
import { tellRisks } from './risk-notes.ts';

export interface ContextRequest {
  readonly agent: AgentName;
  readonly taskId: string;
  readonly goal: string;
  readonly acceptanceCriteria: readonly string[];
  readonly constraints: readonly string[];
  readonly nextActions: readonly string[];
  readonly capability: ModelCapability;
  readonly scopeClass: ScopeClass;
  readonly scope: SideFile['scope'];
  /** Tokens. */
  readonly budget: number;
  /** What the pack may rise to; default: nothing. */
  readonly larger?: readonly PackSize[];
  /** Why `scopeClass` is not that of the scope; default: it is. */
  readonly rise?: Rise;
  readonly files: readonly ChangedFile[];
  /** The part of the change this pack is about; default: all of it. */
  readonly pieces?: readonly ChangedPiece[];
  /** Goes on to the last rung whatever the stop rule says: for measurements. */
  readonly isExhaustive?: boolean;
}

export interface ContextWorld extends SourceWorld {
  readonly hash: (text: string) => string;
  /** The last commits that touched these lines, latest first. */
  readonly history: (pieces: readonly ChangedPiece[]) => Promise<readonly Commit[]>;
  /** Commit or tree at which the knowledge base of the project is read; null where it has none. */
  readonly knowledge?: string | null;
  /** Pointers of the rungs 4, 5 and 6. */
  readonly pointers: (rung: 4 | 5 | 6, view: CodeView) => Promise<readonly Candidate[]>;
}

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

const mostQuestions = 8;
const rungs = [1, 2, 3, 4, 5, 6] as const;
type Rung = (typeof rungs)[number];

/** In the class of the scope, or in the next one that holds the changed lines. Throws `CannotFit` when none does. */
export async function assembleRising(
  request: ContextRequest,
  world: ContextWorld,
): Promise<AssembledContext> {
  const sources = openSources(world);
  let rise: Rise | undefined;
  let size: PackSize = { scope_class: request.scopeClass, budget: request.budget };
  for (let larger = request.larger ?? []; ; larger = larger.slice(1)) {
    try {
      return await assembleContext(
        {
          ...request,
          ...(rise && { rise }),
          scopeClass: size.scope_class,
          budget: size.budget,
          larger,
        },
        world,
        sources,
      );
    } catch (error) {
      const [next] = larger;
      if (!(error instanceof CannotFit) || next === undefined) throw error;
      rise ??= { ...size, tokens: error.tokens };
      size = next;
    }
  }
}

/** Throws `CannotFit` when the changed lines alone do not fit, `UserError` when a text cannot be scanned for secrets. */
export async function assembleContext(
  request: ContextRequest,
  world: ContextWorld,
  sources: ContextSources = openSources(world),
): Promise<AssembledContext> {
  const climb = await startClimb(request, world, sources);
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
    state = settle(pool, climb);
    if (state.unresolved.length === 0 && request.isExhaustive !== true) {
      reason = 'satisfied';
      break;
    }
    if (state.fitted.cause !== null && request.isExhaustive !== true) {
      reason = state.fitted.cause;
      break;
    }
  }
  if (reached < 4 && request.scopeClass !== 'Tiny') {
    const pinned = await world.pointers(4, climb.view);
    if (pinned.length > 0) state = settle([...pool, ...pinned], climb);
  }
  if (state === null) throw new Error('A ladder has a first rung.');
  return conclude(climb, state, { reached, reason });
}

interface Climb {
  readonly request: ContextRequest;
  readonly world: ContextWorld;
  readonly view: CodeView;
  readonly texts: ContextTexts;
  readonly count: (text: string) => number;
  /** What anchors come to, worked out once. */
  readonly parts: Map<string, AnchorParts>;
  readonly pieces: readonly ChangedPiece[];
  readonly resolved: Resolved;
  readonly changed: readonly Definition[];
  /** Names of this part that are gone or have another signature. */
  readonly names: readonly ChangedName[];
  readonly material: SummaryMaterial;
  /** Without what is laid out: anchors, summaries, questions. */
  readonly keys: RenderedKeys;
}

async function startClimb(
  request: ContextRequest,
  world: ContextWorld,
  sources: ContextSources,
): Promise<Climb> {
  const { view, texts, skipped, count, before } = sources;
  const names = namesOf(request, (await before(request.files)).names);
  const told = await tellRisks(
    { files: request.files, pieces: request.pieces, budget: request.budget },
    sources,
  );
  const pieces = (request.pieces ?? request.files.flatMap(piecesOf)).filter(
    ({ path }) => !skipped.has(path),
  );
  await texts.load(pieces.map(({ path }) => path));
  const shown = pieces.filter(({ path }) => texts.of(path) !== null);
  const resolved = resolveAll(
    symbolsUsed(shown, view, texts.linesOf),
    request.acceptanceCriteria,
    view,
    texts.linesOf,
  );
  const changed = changedDefinitions(shown, view);
  const ranges = new Map(
    shown.map(({ path }) => [
      path,
      shown.filter(one => one.path === path).flatMap(one => one.changed),
    ]),
  );
  const mask = (entries: readonly string[]): Promise<string[]> =>
    Promise.all(entries.map(texts.mask));
  return {
    request,
    world,
    view,
    texts,
    resolved,
    changed,
    names,
    count,
    parts: new Map(),
    pieces: shown,
    material: {
      view,
      textOf: texts.of,
      changedIn: path => ranges.get(path) ?? [],
      changedSymbols: new Set(changed.map(({ name }) => name)),
    },
    keys: {
      agent: request.agent,
      task_id: await texts.mask(request.taskId),
      goal: await texts.mask(request.goal),
      acceptance_criteria: await mask(request.acceptanceCriteria),
      constraints: await mask(request.constraints),
      scope_class: request.scopeClass,
      model_capability: request.capability,
      anchors: [],
      micro_summaries: [],
      risk_notes: [
        ...(request.rise === undefined ? [] : [describeRise(request.rise, request.scopeClass)]),
        ...told.notes,
      ],
      open_questions: [],
      next_actions: [...(await mask(request.nextActions)), ...told.actions],
    },
  };
}

/** Of one part of a change: those of its files, and with its first part those of files that are gone. */
function namesOf(
  { files, pieces }: ContextRequest,
  names: readonly ChangedName[],
): readonly ChangedName[] {
  if (pieces === undefined) return names;
  const own = new Set(pieces.map(({ path }) => path));
  const oldPaths = new Set(
    files.filter(({ path }) => own.has(path)).map(({ path, oldPath }) => oldPath ?? path),
  );
  return names.filter(({ path }) => oldPaths.has(path));
}

async function candidatesOf(
  rung: Rung,
  { world, view, texts, pieces, resolved, changed }: Climb,
): Promise<readonly Candidate[]> {
  if (rung === 1) return nearbyCode(pieces, view, texts.linesOf);
  if (rung === 2) {
    await texts.load([
      ...resolved.found.map(({ path }) => path),
      ...pieces.map(({ path }) => path),
    ]);
    return [
      ...definitionCandidates(resolved.found, pieces, view, texts.linesOf),
      ...callSites(changed, view),
      ...synopses(pieces, view, texts.linesOf),
    ];
  }
  if (rung === 3)
    return [
      ...dependencyMaps(pieces, view),
      ...testsOf(changed, view),
      ...commitPointers(await world.history(pieces)),
    ];
  return world.pointers(rung, view);
}

interface State {
  readonly fitted: Extract<Fitted, { fits: true }>;
  readonly unresolved: readonly Unresolved[];
  readonly questions: readonly string[];
}

/** What is missing is told in the pack, and telling it takes tokens: until both agree. */
function settle(pool: readonly Candidate[], climb: Climb): State {
  let questions: readonly string[] = [];
  for (let round = 0; ; round += 1) {
    const fitted = fitPack(pool, questions, climb);
    const unresolved = findUnresolved(fitted.placed, climb.pieces, climb.resolved.requirements);
    const asked = toQuestions(unresolved, mostQuestions);
    if (
      round === 3 ||
      (asked.length === questions.length &&
        asked.every((entry, index) => entry === questions[index]))
    )
      return { fitted, unresolved, questions };
    questions = asked;
  }
}

function fitPack(
  pool: readonly Candidate[],
  questions: readonly string[],
  climb: Climb,
): Extract<Fitted, { fits: true }> {
  const {
    request: { agent, budget },
    count,
  } = climb;
  const fitted = fit(pool, {
    budget,
    tokensOf: placed => count(`\n${renderAnchor(...anchorParts(placed, climb))}\n`),
    tokensOfAll: placed => count(renderPlaced(placed, questions, climb)),
  });
  if (!fitted.fits) throw new CannotFit({ agent, budget, tokens: fitted.tokens });
  return fitted;
}

type AnchorParts = [anchor: PackAnchor, summary: string | null, excerpt: string | null];

function anchorParts(placed: Placed, climb: Climb): AnchorParts {
  const { kind, path, range, ref, name, summary } = placed;
  const key = JSON.stringify([kind, path, range, ref, name, summary]);
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
    summarise(placed, material),
    text === null || range === null ? placed.excerpt : excerptOf(text, range),
  ];
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
  questions: readonly string[],
  climb: Climb,
): string {
  const parts = placed.map(one => anchorParts(one, climb));
  const excerpts = new Map(parts.map(([anchor, , excerpt]) => [anchor, excerpt]));
  return renderLocalPack(keysOf(parts, questions, climb), anchor => excerpts.get(anchor) ?? null);
}

function keysOf(
  parts: readonly AnchorParts[],
  questions: readonly string[],
  { keys }: Climb,
): RenderedKeys {
  return {
    ...keys,
    anchors: parts.map(([anchor]) => anchor),
    micro_summaries: parts
      .flatMap(([anchor, summary]) =>
        summary === null ? [] : [{ ref: anchorName(anchor), summary }],
      )
      .slice(0, mostAnchors),
    open_questions: [...questions],
  };
}

function conclude(
  climb: Climb,
  { fitted, unresolved, questions }: State,
  { reached, reason }: { readonly reached: Rung; readonly reason: StopReason },
): AssembledContext {
  const {
    request,
    world: { counter, knowledge },
    texts,
    resolved,
    count,
  } = climb;
  const parts = fitted.placed.map(placed => anchorParts(placed, climb));
  const rendered = renderPlaced(fitted.placed, questions, climb);
  const keys = keysOf(parts, questions, climb);
  const tokens = count(rendered);
  const pack: LocalPack = {
    ...keys,
    token_estimate: tokens,
    bloat_checks: findChecks(keys, tokens, request.budget),
  };
  const broken = Object.entries(pack.bloat_checks)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);
  if (broken.length > 0) throw new Error(`A pack failed its own checks: ${broken.join(', ')}.`);
  return {
    pack,
    rendered,
    side: {
      budget: request.budget,
      scope: request.scope,
      rung_reached: reached,
      stop_reason: reason,
      unresolved: [...unresolved],
      external: [...resolved.external],
      evicted: fitted.evicted.map(({ anchor, distance, tokens }) => ({ anchor, distance, tokens })),
      refreshed: [],
      redactions: fitted.placed.reduce(
        (sum, { path, range }) =>
          sum + (path === null || range === null ? 0 : texts.secretsIn(path, range)),
        0,
      ),
      distances: Object.fromEntries(
        parts.map(([anchor], index) => [anchorName(anchor), fitted.placed[index]?.distance ?? 6]),
      ),
      lengths: lengthsOf(keys.anchors, texts.of),
      larger: [...(request.larger ?? [])],
      ...(typeof knowledge === 'string' && { knowledge }),
      counter: { name: counter.name, version: counter.version },
    },
    excerpts: parts.map(([anchor, summary, text], index) => ({
      anchor,
      summary,
      text,
      distance: fitted.placed[index]?.distance ?? 6,
    })),
  };
}
