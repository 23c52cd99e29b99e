/** Installs the hooks of git that call Jury, takes them away, tells what lies there. What somebody else has written is never touched. */
import path from 'node:path';
import {
  findHooksFolder,
  type HookFile,
  type HooksFolder,
  readHook,
  removeHook,
  writeHook,
} from '../adapters/git/hook-files.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import {
  type ChangedHook,
  forShell,
  type HookName,
  hookNames,
  type HookState,
  keeperOf,
  linesToAdd,
  ownerOf,
  renderHook,
} from '../core/hooks/hook.ts';
import { shellQuote } from '../core/text.ts';
import { isReader } from '../core/words/runner.ts';
import { type Call, temporaryFolderOf } from './call.ts';
import { configure } from './seat-reviewers.ts';

export interface HookRequest {
  /** Default: both. */
  readonly names?: readonly HookName[];
  /** An INCOMPLETE run is told, and does not stop anything. */
  readonly allowIncomplete?: boolean;
}

/**
 * A person's act: nothing that acts for an agent may call it. Throws `UserError` outside of a repository, and for a folder that cannot
 * be written.
 */
export async function installHooks(
  { names = hookNames, allowIncomplete = false }: HookRequest,
  call: Call,
): Promise<readonly ChangedHook[]> {
  const { folder, hooks } = await look(names, allowIncomplete, call);
  const changed: ChangedHook[] = [];
  for (const { before, file, text } of hooks) {
    const isOurs = before.state === 'older' || (before.state === 'current' && !before.isRun);
    if (before.state === 'none' || isOurs) {
      await writeHook(file, text, { replaces: isOurs });
      changed.push({ ...before, done: isOurs ? 'renewed' : 'installed', lines: [] });
    } else if (before.state === 'current')
      changed.push({ ...before, done: 'as-it-was', lines: [] });
    else
      changed.push({
        ...before,
        done: 'kept',
        lines: linesToAdd(before.name, before.keeper, commandFor(folder)),
      });
  }
  return changed;
}

/** Those that are ours. */
export async function removeHooks(
  { names = hookNames }: HookRequest,
  call: Call,
): Promise<readonly ChangedHook[]> {
  const { hooks } = await look(names, false, call);
  const changed: ChangedHook[] = [];
  for (const { before, file } of hooks) {
    const isOurs = before.state === 'current' || before.state === 'older';
    if (isOurs) await removeHook(file);
    const done = isOurs ? 'removed' : before.state === 'none' ? 'none' : 'kept';
    changed.push({ ...before, done, lines: [] });
  }
  return changed;
}

export async function hookStates(call: Call): Promise<readonly HookState[]> {
  return (await look(hookNames, null, call)).hooks.map(({ before }) => before);
}

async function look(
  names: readonly HookName[],
  /** Null: either is as good. */
  allowIncomplete: boolean | null,
  call: Call,
) {
  const folder = await findHooksFolder(call, temporaryFolderOf(call));
  const { config } = await configure(call);
  // Allowed or not.
  const seatsReader = (config.reviewers ?? []).some(isReader);
  const hooks = await Promise.all(
    [...new Set(names)].map(async name => {
      const file = await readHook(folder, name);
      const texts = (allowIncomplete === null ? [false, true] : [allowIncomplete]).map(
        allowsIncomplete =>
          renderHook(
            {
              name,
              allowsIncomplete,
              checks: name === 'pre-commit' || !seatsReader,
              installed: folder.place === 'own' ? installed() : null,
            },
            sha256,
          ),
      );
      const state = stateOf(folder, file, { name, texts });
      const before: HookState = {
        name,
        path: file.path,
        state,
        keeper: ['none', 'foreign'].includes(state) ? keeperOf(folder.folder, file.text) : null,
        isRun: file.isThere && (file.isExecutable || process.platform === 'win32'),
      };
      // Husky writes its folder anew: what is installed there is gone with the next installation of packages.
      const isKept = before.state === 'none' && before.keeper !== null;
      return {
        before: isKept ? { ...before, state: 'foreign' as const } : before,
        file,
        text: texts[0] ?? '',
      };
    }),
  );
  return { folder, hooks };
}

function stateOf(
  { place }: HooksFolder,
  { isThere, text }: HookFile,
  wanted: { name: HookName; texts: readonly string[] },
) {
  if (isThere) {
    const owner = text === null ? 'foreign' : ownerOf(text, wanted.name, sha256);
    if (owner !== 'ours') return owner;
    return wanted.texts.includes(text ?? '') ? 'current' : 'older';
  }
  return place === 'elsewhere' ? 'shared' : 'none';
}

function installed() {
  const { platform, execPath } = process;
  return {
    node: forShell(execPath, platform),
    program: forShell(path.join(packageRoot, 'dist', 'cli', 'main.js'), platform),
  };
}

/** What a line calls that a person adds: in a file that others get too, no path of this machine. */
function commandFor({ place }: HooksFolder) {
  if (place !== 'own') return 'jury';
  const { node, program } = installed();
  return `${shellQuote(node)} ${shellQuote(program)}`;
}
