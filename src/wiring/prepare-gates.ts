/** The quality gates before anybody is asked: what is about to be committed, and who must look at it. */
import { openRepository } from '../adapters/git/repository.ts';
import { ensureIgnored } from '../adapters/store/ignore-file.ts';
import type { Change } from '../core/change.ts';
import { UserError } from '../core/errors.ts';
import type { ChangeRequest } from '../core/ports.ts';
import { GatesRequest } from '../core/process-request.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { prepareChange } from './prepare-review.ts';
import { readNamed } from './read-text.ts';
import type { Prepared } from './start-run.ts';

/** The caller closes `repository` of what this returns. */
export async function prepareGates(input: GatesRequest, call: Call): Promise<Prepared> {
  const { run: _, ...request } = GatesRequest.parse(input);
  const changeRequest = await toChangeRequest(request, call);
  // Before the change is read: the line must not look like a change since the review.
  await ignoreRuns(call);
  return prepareChange({ command: 'gates', changeRequest, request: { ...request, isolation: 'auto', deliberate: false, strict: false, ignoreVetos: false, protocol: undefined }, ruleChoice: { names: ['gates'], hasFailRules: request.failOn !== undefined }, complexityOf: change => request.complexity ?? (isSmall(change) ? 'SIMPLE' : null) }, call);
}

/** Under 20 changed lines in one file: the quality reviewer and whoever the file forces onto the panel are enough. */
export function isSmall({ files }: Pick<Change, 'files'>): boolean {
  const [only] = files;
  return files.length === 1 && only?.content === 'text' && only.additions + only.deletions < smallChangeLines;
}

const smallChangeLines = 20;

async function toChangeRequest(request: Omit<ReturnType<typeof GatesRequest.parse>, 'run'>, call: Call): Promise<ChangeRequest> {
  const { range, base, head, patch, untracked } = request;
  const ways = [range, base ?? head, patch].filter(way => way !== undefined);
  if (ways.length > 1) throw new UserError('RANGE, --base with --head and --patch name two subjects; give one of them.', { kind: 'usage' });
  if ((base === undefined) !== (head === undefined)) throw new UserError('--base and --head go together.', { kind: 'usage' });
  if (untracked && ways.length > 0) throw new UserError('--untracked goes with the working tree, not with a range.', { kind: 'usage' });
  if (patch !== undefined) return { source: 'patch', text: await readNamed(patch, '--patch', call), title: patch === '-' ? 'standard input' : patch };
  if (base !== undefined && head !== undefined) return { source: 'range', base, head, title: `${base}..${head}` };
  return range === undefined ? { source: 'worktree', untracked } : { source: 'revision', revision: range };
}

async function ignoreRuns(call: Call): Promise<void> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    await ensureIgnored(repository.root);
  } finally {
    await repository.close();
  }
}
