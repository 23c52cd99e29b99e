/** `jury context`: assembles a pack, writes it and its side file, checks and shows those that were written. */
import type { GitRepository } from '../../adapters/git/repository.ts';
import {
  addPack,
  openCopies,
  passingName,
  readResource,
  refreshCopy,
  removePassing,
  replaceContextFile,
  sidePath,
} from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { defaultTimeToLiveMs } from '../../core/run-files/run-record.ts';
import {
  hasTooManyAnchors,
  LocalPack,
  mostAnchors,
  type PackPart,
  type PackReport,
  SideFile,
  sideOfParts,
} from '../../core/context/packing/local-pack.ts';
import {
  checkLocalPack,
  type CurrentFiles,
  partsOf,
  refreshPack,
} from '../../core/context/packing/written-pack.ts';
import {
  type AgentName,
  type ModelCapability,
  type PackSizes,
  packSizes,
} from '../../core/context/scope.ts';
import { excludeFrom } from '../../core/change/set-aside.ts';
import { inputError, usageError } from '../../core/errors.ts';
import type { ChangeRequest } from '../../core/ports/repository.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import { packChange, type Part, sideOf } from '../../engine/context/pack-review-context.ts';
import { openTexts, withoutHidden } from '../../engine/context/context-texts.ts';
import type { Config } from '../../core/words/config.ts';
import { type Call, clockOf, idsOf, noteTo, withRepository } from '../call.ts';
import { changeMeantBy, limitedTo } from '../read-subject.ts';
import { openState } from '../own-state.ts';
import {
  baseForKnowledge,
  knowledgeAt,
  openContext,
  openContextAt,
  revisionOfResource,
} from './open-context.ts';
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { createSecretScanner } from '../../checks/index.ts';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import { createCodeView } from '../../core/context/packing/code-view.ts';
import { parseResourceUri } from '../../core/run-files/run-page.ts';
import { configure } from '../trust.ts';

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
  return withRepository(call, async repository => {
    const whole = await repository.change(await toChangeRequest(request, repository, call));
    const { subject } = excludeFrom(whole, { exclude: [] });
    const change = subject.kind === 'change' ? subject : whole;
    const { config } = await configure(call, { named: request.config, change: whole, repository });
    // Nobody knows who reads it.
    const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
    const capability = capabilityOf(request, config.packs?.capabilities ?? {});
    const state = await openState(repository.root, call);
    const context = await openContext(change, repository, state, call);
    if (context === null)
      throw inputError(
        'There is no code index outside of a git repository, and no pack without one.',
      );
    try {
      const { parts, unshown, refusal } = await packChange(
        withoutFiles(change, isRestricted),
        {
          agent: request.agent,
          // The commit, not what it is called today: HEAD is another one tomorrow.
          taskId:
            request.task ??
            (change.source === 'range' ? change.head?.slice(0, 12) : null) ??
            change.title,
          goal: request.goal ?? `Work on ${change.title}`,
          acceptanceCriteria: request.accept,
          constraints: request.constraints,
          capability,
          caps: { plannerCaps: config.packs?.caps, multipliers: config.packs?.multipliers },
          keepsHunks: true,
        },
        withoutHidden(context, isRestricted),
      );
      if (refusal !== null && unshown > 0) throw refusal;
      const reports = await writeReports(parts, state, config, call);
      const { pack, side } = reports;
      await context.taskMemory.keep(pack.task_id, pack.agent, side.pack_uri);
      return reports;
    } finally {
      context.close();
    }
  });
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
function capabilityOf(
  { capability, model }: PackRequest,
  tags: Readonly<Record<string, ModelCapability>>,
) {
  if (capability !== null) return capability;
  if (model === null) return 'reasoning_high';
  const tag = Object.hasOwn(tags, model) ? tags[model] : undefined;
  if (tag === undefined)
    throw usageError(
      `The configuration does not say what model "${model}" is good at.`,
      'Add it to packs.capabilities, or give --capability.',
    );
  return tag;
}

async function writeReports(
  parts: readonly Part[],
  state: StateFolder,
  { copies, retentionDays }: Config,
  call: Call,
): Promise<PackReports> {
  const now = clockOf(call).now();
  await removePassing(state, { idleMs: defaultTimeToLiveMs, retentionDays, now });
  const run = call.environment['JURY_RUN_ID'] ?? passingName(now, idsOf(call).nonce().slice(0, 6));
  const beside = await openCopies(state, run, copies, noteTo(call));
  const reports: PackReport[] = [];
  for (const { context } of parts) {
    const { pack, rendered } = context;
    const path = await addPack(state, run, pack.agent, toJsonText(pack));
    await beside.copy(path, toJsonText(pack));
    const side = sideOf(context, { run, path, now });
    await replaceContextFile(state, run, sidePath(path), toJsonText(side));
    await beside.copy(sidePath(path), toJsonText(side));
    reports.push({ pack, rendered, side });
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
  return withPack(named, revision, call, async ({ pack, parts, sizes, current }) => ({
    findings: checkLocalPack(pack, parts, sizes[0].budget, current),
  }));
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
  return withPack(named, revision, call, async ({ pack, side, parts, sizes, current, place }) => {
    const fresh = refreshPack(pack, parts, sizes, current);
    const { rendered, refreshed, evicted, budget, larger } = fresh;
    if ((refreshed.length > 0 || evicted.length > 0) && place !== null) {
      const { state, run, path } = place;
      await replaceContextFile(state, run, path, toJsonText(fresh.pack));
      await refreshCopy(state, run, path, toJsonText(fresh.pack));
      if (side !== null)
        await replaceContextFile(
          state,
          run,
          sidePath(path),
          toJsonText({
            ...side,
            budget,
            larger,
            ...sideOfParts(fresh.parts, current.textOf),
            refreshed: [...side.refreshed, ...refreshed],
            evicted: [...side.evicted, ...evicted],
          }),
        );
    }
    return { rendered, refreshed };
  });
}

// Opens a pack that was written before, with the files it points at as they are now.

interface ReadPack {
  readonly pack: LocalPack;
  readonly side: SideFile | null;
  /** Where it is rewritten; null for a file somewhere else. */
  readonly place: {
    readonly state: StateFolder;
    readonly run: string;
    readonly path: string;
  } | null;
}

interface OpenPack extends ReadPack {
  readonly parts: readonly PackPart[];
  /** Without a side file, what its class has by default. */
  readonly sizes: PackSizes;
  readonly current: CurrentFiles;
}

/** Throws `UserError` (kind `input`) where the pack cannot be read. */
async function withPack<Result>(
  named: string,
  revision: string | null,
  call: Call,
  use: (opened: OpenPack) => Promise<Result>,
) {
  return withRepository(call, async repository => {
    const state = await openState(repository.root, call);
    const read = await readPack(named, state, call);
    const { pack, side } = read;
    const { agent, scope_class, model_capability, anchors } = pack;
    const context =
      repository.root === null
        ? null
        : await openContextAt({ revision, base: null, repository, state }, call);
    try {
      const texts = openTexts(async path => context?.read(path) ?? null, createSecretScanner());
      await texts.load(anchors.flatMap(({ path }) => path ?? []));
      const knowledge = knowledgeAt(
        side?.knowledge ?? (await baseForKnowledge(repository)),
        repository,
      );
      const revisions = new Map<string, string | null>();
      for (const { ref } of anchors)
        if (ref?.startsWith('resources://') === true)
          revisions.set(ref, await revisionOfResource(state, ref, knowledge));
      const counter = context?.counter ?? (await loadTokenCounter());
      const [{ budget }, ...larger] = packSizes(scope_class, agent, model_capability);
      return await use({
        ...read,
        parts: partsOf(pack, side, texts.of),
        sizes: [{ scope_class, budget: side?.budget ?? budget }, ...(side?.larger ?? larger)],
        current: {
          textOf: texts.of,
          revisionOfRef: ref => revisions.get(ref),
          view: context === null ? null : createCodeView(context.index),
          lengths: side?.lengths ?? {},
          hash: sha256,
          count: counter.count,
        },
      });
    } finally {
      context?.close();
    }
  });
}

async function readPack(named: string, state: StateFolder, { cwd }: Call): Promise<ReadPack> {
  const resource = named.startsWith('resources:') ? parseResourceUri(named) : null;
  if (named.startsWith('resources:') && resource?.kind !== 'run')
    throw inputError(
      `${JSON.stringify(named.slice(0, 200))} names no pack.`,
      'A pack is resources://runs/<id>/context/<Agent>.lcp.json.',
    );
  const file = resolve(cwd, named);
  const [text, sideText] = await Promise.all(
    resource?.kind === 'run'
      ? [named, sidePath(named)].map(uri => readResource(state, uri))
      : [file, join(dirname(file), sidePath(basename(file)))].map(path =>
          readRegularFile(path).catch(() => null),
        ),
  );
  if (text === null || text === undefined) throw inputError(`${named} cannot be read.`);
  const pack = LocalPack.safeParse(parseJson(text));
  if (!pack.success)
    throw inputError(
      `${named} is no context pack: ${pack.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
        .join('; ')}.`,
    );
  const known = named.endsWith('.lcp.json') ? SideFile.safeParse(parseJson(sideText ?? '')) : null;
  const side = known?.data ?? null;
  if (hasTooManyAnchors(partsOf(pack.data, side, () => null)))
    throw inputError(
      `${named} is no context pack: anchors: ${pack.data.anchors.length} are too many; beyond ${mostAnchors}, all must be changed lines.`,
    );
  return {
    pack: pack.data,
    side,
    place: resource?.kind === 'run' ? { state, run: resource.run, path: resource.path } : null,
  };
}
