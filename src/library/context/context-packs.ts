/** `jury context`: assembles a pack, writes it and its side file, checks and shows those that were written. */
import type { GitRepository } from '../../adapters/git/repository.ts';
import {
  addPack,
  openCopies,
  passingName,
  refreshCopy,
  removePassing,
  replaceContextFile,
  sidePath,
} from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { defaultTimeToLiveMs } from '../../core/run-files/run-record.ts';
import {
  type PackReport,
  type SideFile,
  sideOfParts,
} from '../../core/context/packing/local-pack.ts';
import { checkLocalPack, refreshPack } from '../../core/context/packing/written-pack.ts';
import type { AgentName, ModelCapability } from '../../core/context/scope.ts';
import { excludeFrom } from '../../core/change/unshown.ts';
import { inputError, usageError } from '../../core/errors.ts';
import type { ChangeRequest } from '../../core/ports/repository.ts';
import { toJsonText } from '../../core/json.ts';
import { packChange, sideOf } from '../../engine/context/pack-review-context.ts';
import { withoutHidden } from '../../engine/context/context-texts.ts';
import type { Config } from '../../core/words/config.ts';
import { type Call, noteTo, withRepository } from '../call.ts';
import { changeMeantBy, limitedTo } from '../read-subject.ts';
import { openState } from '../own-state.ts';
import { openContext, withPack } from './open-context.ts';
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import { waysNamed } from '../subjects.ts';
import { configure } from '../trust.ts';

export interface PackRequest {
  /** A range, a revision, files, or a revision and the paths it is limited to; empty: the last commit. */
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
    const { config } = await configure(call, { named: request.config, subject: whole, repository });
    // Nobody knows who reads it.
    const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
    const capability = capabilityOf(request, config.packs?.capabilities ?? {});
    const state = await openState(repository.root, call);
    const context = await openContext(change, repository, state, call);
    if (!context)
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
      if (refusal && unshown > 0) throw refusal;
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
  waysNamed({ staged, worktree });
  if (staged) return { source: 'staged', ...limits };
  if (worktree) return { source: 'worktree', untracked: true, ...limits };
  const [range = null, ...others] = words;
  return changeMeantBy(
    { range, paths: [...others, ...paths], separated },
    { repository, cwd, command: 'jury context' },
  );
}

/** A model without a tag is an error: a guess would size its pack wrongly. */
function capabilityOf({ capability, model }: PackRequest, tags: Record<string, ModelCapability>) {
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
  parts: Awaited<ReturnType<typeof packChange>>['parts'],
  state: StateFolder,
  { copies, retentionDays }: Config,
  call: Call,
): Promise<PackReports> {
  const now = call.clock.now();
  await removePassing(state, { idleMs: defaultTimeToLiveMs, retentionDays, now });
  const run = call.environment['JURY_RUN_ID'] ?? passingName(now, call.ids.nonce().slice(0, 6));
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
  if (!first) throw new Error('A change has a pack.');
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
    if ((refreshed.length > 0 || evicted.length > 0) && place) {
      const { state, run, path } = place;
      await replaceContextFile(state, run, path, toJsonText(fresh.pack));
      await refreshCopy(state, run, path, toJsonText(fresh.pack));
      if (side)
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
