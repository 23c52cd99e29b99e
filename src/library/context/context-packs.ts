/** `jury context`: assembles a pack, writes it and its side file, checks and shows those that were written. */
import { basename, dirname, join, resolve } from 'node:path';
import { openRepository, type GitRepository } from '../../adapters/git/repository.ts';
import { openCopies, refreshCopy } from '../../adapters/store/copies.ts';
import {
  addPack,
  passingName,
  removePassing,
  replaceContextFile,
  sidePath,
} from '../../adapters/store/pack-files.ts';
import { readResource } from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { createSecretScanner } from '../../adapters/secrets/scanner.ts';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import type { Change } from '../../core/words/change.ts';
import { defaultTimeToLiveMs } from '../../core/context/run-memory.ts';
import {
  checkLocalPack,
  type CurrentFiles,
  type PackReport,
} from '../../core/context/packing/check-local-pack.ts';
import { createCodeView } from '../../core/context/packing/references.ts';
import { parseRange } from '../../core/context/packing/line-range.ts';
import {
  anchorName,
  hasTooManyAnchors,
  LocalPack,
  mostAnchors,
  roleOf,
  SideFile,
  type AgentName,
} from '../../core/context/packing/local-pack.ts';
import { summarise } from '../../core/context/packing/micro-summary.ts';
import { countModules, createModules } from '../../core/context/packing/modules.ts';
import {
  classifyScope,
  largerSizes,
  packCap,
  type ModelCapability,
} from '../../core/context/scope-class.ts';
import { lineCandidate } from '../../core/context/packing/fit.ts';
import { excludeFrom } from '../../core/change/set-aside.ts';
import { UserError } from '../../core/errors.ts';
import type { ChangeRequest } from '../../core/ports.ts';
import { parseResourceUri, runResourceUri } from '../../core/run-files/resource-uri.ts';
import type { AssembledContext } from '../../engine/context/assemble-context.ts';
import { assembleParts } from '../../engine/context/assemble-parts.ts';
import {
  lengthsOf,
  openSources,
  openTexts,
  type ContextTexts,
} from '../../engine/context/context-texts.ts';
import {
  refreshPack,
  renderCurrent,
  type PackRoom,
  type RefreshWorld,
} from '../../engine/context/refresh-context.ts';
import type { Config } from '../../core/words/config.ts';
import { clockOf, idsOf, temporaryFolderOf, type Call } from '../call.ts';
import { changeMeantBy, limitedTo } from '../change-meant.ts';
import { openState } from '../own-state.ts';
import { baseForKnowledge, knowledgeAt } from './knowledge.ts';
import {
  type OpenContext,
  openContext,
  openContextAt,
  revisionOfResource,
} from './open-context.ts';
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import { withoutHidden } from '../../engine/context/context-texts.ts';
import { configure } from '../seat-reviewers.ts';

export interface PackRequest {
  /** A range, or files; empty: the last commit. */
  /** A revision, files, or a revision and the paths it is limited to. */
  readonly words: readonly string[];
  /** Paths that the change is limited to. */
  readonly paths?: readonly string[];
  /** `words` hold a revision alone, as before `--`. */
  readonly separated?: boolean;
  readonly staged: boolean;
  readonly worktree: boolean;
  readonly agent: AgentName;
  /** Null: that of the model. */
  readonly capability: ModelCapability | null;
  readonly model: string | null;
  readonly task: string | null;
  readonly goal: string | null;
  readonly accept: readonly string[];
  readonly constraints: readonly string[];
  readonly config: string | null;
}

/** The first pack of a change, with the further ones of a change that is too large for one. */
export interface PackReports extends PackReport {
  readonly further: readonly PackReport[];
}

/** Throws `UserError` for a hunk that no pack can hold; then nothing is written. */
export async function packContext(request: PackRequest, call: Call): Promise<PackReports> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    const whole = await repository.change(await toChangeRequest(request, repository, call));
    const { subject } = excludeFrom(whole, []);
    const change = subject.kind === 'change' ? subject : whole;
    const { config } = await configure({
      cwd: call.cwd,
      named: request.config,
      change: whole,
      repository,
      given: call,
      // Nobody is asked.
      wants: () => [],
      signal: call.signal,
    });
    // Nobody knows who reads it.
    const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
    const capability = capabilityOf(request, config.packs?.capabilities ?? {});
    const context = await openContext(
      change,
      repository,
      await openState(repository.root, call),
      call,
    );
    if (context === null)
      throw new UserError(
        'There is no code index outside of a git repository, and no pack without one.',
        { kind: 'input' },
      );
    try {
      const scope = scopeOf(change, context);
      const scopeClass = classifyScope({
        files: scope.files,
        changedLines: scope.changed_lines,
        modules: scope.modules,
      });
      const caps = { plannerCaps: config.packs?.caps, multipliers: config.packs?.multipliers };
      const budget = packCap(scopeClass, roleOf(request.agent), capability, caps);
      const world = withoutHidden(context, isRestricted);
      const { parts, unshown, refusal } = await assembleParts({
        world,
        sources: openSources(world),
        keepsHunks: true,
        request: {
          agent: request.agent,
          taskId: request.task ?? taskOf(change),
          goal: request.goal ?? `Work on ${change.title}`,
          acceptanceCriteria: request.accept,
          constraints: request.constraints,
          nextActions: [],
          capability,
          scopeClass,
          scope,
          budget,
          larger: largerSizes(
            { scope_class: scopeClass, budget },
            roleOf(request.agent),
            capability,
            caps,
          ),
          files: withoutFiles(change, isRestricted).files,
        },
      });
      if (refusal !== null && unshown > 0) throw refusal;
      const reports = await writeReports(
        parts.map(part => part.context),
        await openState(repository.root, call),
        config,
        call,
      );
      const { pack, side } = reports;
      await context.taskMemory?.keep(pack.task_id, pack.agent, side.pack_uri);
      return reports;
    } finally {
      context.close();
    }
  } finally {
    await repository.close();
  }
}

async function toChangeRequest(
  { words, paths = [], separated = false, staged, worktree }: PackRequest,
  repository: GitRepository,
  { cwd }: Call,
): Promise<ChangeRequest> {
  const limits = limitedTo([...words, ...paths]);
  if (staged) return { source: 'staged', ...limits };
  if (worktree) return { source: 'worktree', untracked: true, ...limits };
  const [range = null, ...others] = words;
  return changeMeantBy(
    { range, paths: [...others, ...paths], separated },
    { repository, cwd, command: 'jury context' },
  );
}

/** A model without a tag is an error: a guess would size its pack wrongly. */
export function capabilityOf(
  { capability, model }: Pick<PackRequest, 'capability' | 'model'>,
  tags: Readonly<Record<string, ModelCapability>>,
): ModelCapability {
  if (capability !== null) return capability;
  if (model === null) return 'reasoning_high';
  const tag = Object.hasOwn(tags, model) ? tags[model] : undefined;
  if (tag === undefined)
    throw new UserError(`The configuration does not say what model "${model}" is good at.`, {
      kind: 'usage',
      hint: 'Add it to packs.capabilities, or give --capability.',
    });
  return tag;
}

export function scopeOf(change: Change, { index }: Pick<OpenContext, 'index'>): SideFile['scope'] {
  const moduleOf = createModules([...index.files(), ...index.skipped()].map(({ path }) => path));
  return {
    files: change.files.length,
    changed_lines: change.files.reduce(
      (sum, { additions, deletions }) => sum + additions + deletions,
      0,
    ),
    modules: countModules(
      change.files.map(({ path }) => path),
      moduleOf,
    ),
  };
}

/** The commit, not what it is called today: HEAD is another one tomorrow. */
function taskOf({ source, head, title }: Pick<Change, 'source' | 'head' | 'title'>): string {
  return source === 'range' && head !== null ? head.slice(0, 12) : title;
}

async function writeReports(
  assembled: readonly AssembledContext[],
  state: StateFolder,
  { copies, retentionDays }: Pick<Config, 'copies' | 'retentionDays'>,
  call: Call,
): Promise<PackReports> {
  const now = clockOf(call).now();
  await removePassing(state, { idleMs: defaultTimeToLiveMs, retentionDays, now });
  const run = call.environment['JURY_RUN_ID'] ?? passingName(now, idsOf(call).nonce().slice(0, 6));
  const beside = await openCopies(state, run, copies, message =>
    call.onEvent?.({ type: 'note', message }),
  );
  const reports: PackReport[] = [];
  for (const { pack, rendered, side } of assembled) {
    const path = await addPack(state, run, pack.agent, toJson(pack));
    await beside.copy(path, toJson(pack));
    const full: SideFile = {
      schema: 'jury.local-pack-meta/1',
      pack_uri: runResourceUri(run, path),
      run_id: run,
      ...side,
      created_at: now.toISOString(),
    };
    await replaceContextFile(state, run, sidePath(path), toJson(full));
    await beside.copy(sidePath(path), toJson(full));
    reports.push({ pack, rendered, side: full });
  }
  const [first, ...further] = reports;
  if (first === undefined) throw new Error('A change has a pack.');
  return { ...first, further };
}

export interface PackCheck {
  /** One sentence each; empty when all is good. */
  readonly findings: readonly string[];
}

/** Throws `UserError` (kind `input`) for what cannot be read as a pack. */
export async function checkPack(
  named: string,
  revision: string | null,
  call: Call,
): Promise<PackCheck> {
  return withPack(named, revision, call, async ({ pack, room, current, counter }) => {
    const { budget } = room;
    const tokens = counter.count(renderCurrent(pack, room.removed, current));
    return { findings: checkLocalPack(pack, { budget, tokens }, current) };
  });
}

export interface ShownPack {
  readonly rendered: string;
  readonly refreshed: SideFile['refreshed'];
}

/** Uses a pack: what has changed since is followed, and the file rewritten. */
export async function showPack(
  named: string,
  revision: string | null,
  call: Call,
): Promise<ShownPack> {
  return withPack(named, revision, call, async ({ pack, side, room, current, place }) => {
    const {
      pack: fresh,
      rendered,
      refreshed,
      evicted,
      room: { budget, larger, distances, removed },
    } = refreshPack(pack, room, current);
    const isChanged = refreshed.length > 0 || evicted.length > 0;
    if (isChanged && place !== null) {
      await replaceContextFile(place.state, place.run, place.path, toJson(fresh));
      await refreshCopy(place.state, place.run, place.path, toJson(fresh));
      if (side !== null)
        await replaceContextFile(
          place.state,
          place.run,
          sidePath(place.path),
          toJson({
            ...side,
            budget,
            larger,
            distances,
            removed,
            lengths: lengthsOf(fresh.anchors, current.textOf),
            refreshed: [...side.refreshed, ...refreshed],
            evicted: [...side.evicted, ...evicted],
          }),
        );
    }
    return { rendered, refreshed: [...refreshed] };
  });
}

interface OpenPack {
  readonly pack: LocalPack;
  readonly side: SideFile | null;
  readonly room: PackRoom;
  readonly current: CurrentFiles & RefreshWorld;
  readonly counter: RefreshWorld['counter'];
  /** Where it is rewritten; null for a file somewhere else. */
  readonly place: {
    readonly state: StateFolder;
    readonly run: string;
    readonly path: string;
  } | null;
}

async function withPack<Result>(
  named: string,
  revision: string | null,
  call: Call,
  use: (opened: OpenPack) => Promise<Result>,
): Promise<Result> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  const state = await openState(repository.root, call);
  try {
    const { pack, side, place } = await readPack(named, state, call);
    const context =
      repository.root === null
        ? null
        : await openContextAt({ revision, base: null, repository, state }, call);
    try {
      const texts = openTexts(
        path => context?.read(path) ?? Promise.resolve(null),
        createSecretScanner(),
      );
      await texts.load(pack.anchors.flatMap(({ path }) => (path === undefined ? [] : [path])));
      const current = await currentFiles(pack, side, { context, texts, state, repository });
      return await use({
        pack,
        side,
        place,
        current,
        counter: current.counter,
        room: roomOf(pack, side),
      });
    } finally {
      context?.close();
    }
  } finally {
    await repository.close();
  }
}

/** Without a side file, what its class has by default. */
function roomOf(
  { agent, scope_class, model_capability }: LocalPack,
  side: SideFile | null,
): PackRoom {
  const role = roleOf(agent);
  const budget = side?.budget ?? packCap(scope_class, role, model_capability);
  return {
    budget,
    larger: side?.larger ?? largerSizes({ scope_class, budget }, role, model_capability),
    distances: side?.distances ?? null,
    removed: side?.removed ?? {},
  };
}

interface PackContext {
  readonly context: OpenContext | null;
  readonly texts: ContextTexts;
  readonly state: StateFolder;
  readonly repository: GitRepository;
}

async function currentFiles(
  pack: LocalPack,
  side: SideFile | null,
  { context, texts, state, repository }: PackContext,
): Promise<CurrentFiles & RefreshWorld> {
  const references = pack.anchors.flatMap(({ ref }) =>
    ref?.startsWith('resources://') === true ? [ref] : [],
  );
  const knowledge = knowledgeAt(
    side?.knowledge ?? (await baseForKnowledge(repository)),
    repository,
  );
  const revisions = new Map(
    await Promise.all(
      references.map(async ref => [ref, await revisionOfResource(state, ref, knowledge)] as const),
    ),
  );
  const view = context === null ? null : createCodeView(context.index);
  return {
    textOf: texts.of,
    revisionOfRef: ref => (revisions.has(ref) ? (revisions.get(ref) ?? null) : undefined),
    placeOf(path, name) {
      const definition = view?.definitionsIn(path).find(one => one.name === name);
      return definition === undefined
        ? null
        : { start: definition.startLine, end: definition.endLine };
    },
    growthOf(anchor) {
      const before =
        side?.distances?.[anchorName(anchor)] === 0 && anchor.path !== undefined
          ? side.lengths?.[anchor.path]
          : undefined;
      return before === undefined || anchor.path === undefined
        ? 0
        : Math.max(0, (texts.of(anchor.path)?.original.length ?? 0) - before);
    },
    hash: sha256,
    counter: context?.counter ?? (await loadTokenCounter()),
    summarise({ path, lines, kind }) {
      const range = lines === undefined ? null : parseRange(lines);
      return view === null || path === undefined || range === null
        ? null
        : summarise(lineCandidate(path, range, 4, { kind }), {
            view,
            textOf: texts.of,
            changedIn: () => [],
            changedSymbols: new Set(),
          });
    },
  };
}

async function readPack(
  named: string,
  state: StateFolder,
  { cwd }: Call,
): Promise<Pick<OpenPack, 'pack' | 'side' | 'place'>> {
  const resource = named.startsWith('resources:') ? parseResourceUri(named) : null;
  if (named.startsWith('resources:') && resource?.kind !== 'run')
    throw new UserError(`${JSON.stringify(named.slice(0, 200))} names no pack.`, {
      kind: 'input',
      hint: 'A pack is resources://runs/<id>/context/<Agent>.lcp.json.',
    });
  const text =
    resource?.kind === 'run'
      ? await readResource(state, named)
      : await readRegularFile(resolve(cwd, named)).catch(() => null);
  const pack = text === null ? null : LocalPack.safeParse(parsed(text));
  if (pack === null) throw new UserError(`${named} cannot be read.`, { kind: 'input' });
  if (!pack.success)
    throw new UserError(
      `${named} is no context pack: ${pack.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
        .join('; ')}.`,
      { kind: 'input' },
    );
  const sideText =
    resource?.kind === 'run'
      ? await readResource(state, sidePath(named))
      : await readRegularFile(join(dirname(resolve(cwd, named)), sidePath(basename(named)))).catch(
          () => null,
        );
  const side =
    named.endsWith('.lcp.json') && sideText !== null ? SideFile.safeParse(parsed(sideText)) : null;
  const known = side?.success === true ? side.data : null;
  if (hasTooManyAnchors(pack.data, known?.distances ?? null))
    throw new UserError(
      `${named} is no context pack: anchors: ${pack.data.anchors.length} are too many; beyond ${mostAnchors}, all must be changed lines.`,
      { kind: 'input' },
    );
  return {
    pack: pack.data,
    side: known,
    place: resource?.kind === 'run' ? { state, run: resource.run, path: resource.path } : null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
