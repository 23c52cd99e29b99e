/** A change: which one a request means, and the change itself. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { ChangeRequest } from '../../core/ports.ts';
import type { Process, Settings } from '../../core/process.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import type { Call } from '../call.ts';
import { readNamed } from '../read-text.ts';
import { readPlanned, type ReadSubject, type SubjectSource } from './read-planned.ts';

export async function readChange(settings: Settings, source: SubjectSource): Promise<ReadSubject> {
  const request = await toChangeRequest(settings, source.process, source.call);
  try {
    return await read(request, source);
  } catch (error) {
    const files =
      error instanceof UserError && error.code === 'unknown-revision'
        ? pathMeant(request, error, source.call)
        : null;
    if (files === null) throw error;
    return read(files, source);
  }
}

async function read(request: ChangeRequest, { repository }: SubjectSource): Promise<ReadSubject> {
  const planned = { subject: { kind: 'change', request }, prompt: null, context: null } as const;
  return { planned, subject: await readPlanned(planned, repository) };
}

/** A word that names no revision may name a path; null where it cannot. Throws `UserError` when there is no such path either. */
function pathMeant(request: ChangeRequest, error: UserError, { cwd }: Call): ChangeRequest | null {
  if (request.source !== 'revision' || request.revision.includes('..')) return null;
  const { revision } = request;
  if (existsSync(path.resolve(cwd, revision))) return { source: 'files', patterns: [revision] };
  throw new UserError(`Error: scope not found: ${makeVisible(revision)}`, {
    kind: 'input',
    hint: error.hint,
    cause: error,
  });
}

async function toChangeRequest(
  settings: Settings,
  process: Pick<Process, 'usualChange'>,
  call: Call,
): Promise<ChangeRequest> {
  const {
    range,
    paths = [],
    base,
    head,
    staged,
    worktree,
    untracked = false,
    patch,
    files,
  } = settings;
  const ways = waysNamed(settings);
  if (ways.length > 1)
    throw new UserError(`${ways.join(' and ')} name two subjects; give one of them.`, {
      kind: 'usage',
    });
  if ((base === undefined) !== (head === undefined))
    throw new UserError('--base and --head go together.', { kind: 'usage' });
  const isUncommitted =
    worktree === true ||
    range === 'unstaged' ||
    (process.usualChange === 'working tree' && ways.length === 0);
  if (untracked && !isUncommitted)
    throw new UserError('--untracked goes with the working tree, not with a range.', {
      kind: 'usage',
    });
  if (range !== undefined && paths.length > 0)
    return { source: 'files', patterns: [range, ...paths] };
  if (staged === true || range === 'staged') return { source: 'staged' };
  if (isUncommitted) return { source: 'worktree', untracked };
  if (files !== undefined) return { source: 'files', patterns: files };
  if (patch !== undefined)
    return {
      source: 'patch',
      text: await readNamed(patch, '--patch', call),
      title: patch === '-' ? 'standard input' : patch,
    };
  if (base !== undefined && head !== undefined)
    return { source: 'range', base, head, title: `${base}..${head}` };
  return { source: 'revision', revision: range ?? 'HEAD' };
}

function waysNamed({ range, base, head, staged, worktree, patch, files }: Settings): string[] {
  const ways: readonly (readonly [string, unknown])[] = [
    [`"${range ?? ''}"`, range],
    ['--base', base ?? head],
    ['--staged', staged],
    ['--worktree', worktree],
    ['--patch', patch],
    ['--files', files],
  ];
  return ways.filter(([, value]) => value !== undefined && value !== false).map(([name]) => name);
}
