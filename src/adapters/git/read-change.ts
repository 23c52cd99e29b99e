/** Reads a change in each of the ways a request can name one. */
import type { Change } from '../../core/words/change.ts';
import { UserError } from '../../core/errors.ts';
import type { ChangeRequest } from '../../core/ports.ts';
import { compareTrees } from './compare-trees.ts';
import { readListedFiles } from './list-files.ts';
import { noticeFiles } from './notices.ts';
import { readPatch } from './patch-change.ts';
import { type Endpoints, resolveCommit, resolveEndpoints, short } from './revision.ts';
import type { OpenedGit, Session } from './session.ts';
import { headOrEmpty, writeStagedTree, writeWorktreeTree } from './working-trees.ts';

/** Throws `UserError` when the request names nothing, or nothing that changed. */
export async function readChange(session: Session, request: ChangeRequest): Promise<Change> {
  const read = await readSource(session, request);
  if (read.files.length === 0) throw nothing(read.empty);
  const { empty: _, warnings, ...change } = read;
  return { kind: 'change', ...change, warnings: [...warnings, ...noticeFiles(change.files)] };
}

type Read = Omit<Change, 'kind'> & {
  /** Ends the sentence `Nothing to review: …` when there are no files. */
  readonly empty: string;
};

async function readSource(session: Session, request: ChangeRequest): Promise<Read> {
  const { source } = request;
  if (source === 'range') {
    return readRange(session, request.title, async ({ shadow }) => ({
      base: await resolveCommit(shadow, request.base),
      head: await resolveCommit(shadow, request.head),
    }));
  }
  if (source === 'revision')
    return readRange(session, request.revision, ({ shadow, objects }) =>
      resolveEndpoints(shadow, objects, request.revision),
    );
  if (source === 'staged') return readStaged(session);
  if (source === 'worktree') return readWorktree(session, request.untracked);
  const none = { base: null, head: null };
  if (source === 'patch')
    return {
      ...none,
      source,
      title: request.title,
      ...(await readPatch(session, request.text)),
      empty: `${request.title} holds no change`,
    };
  return {
    ...none,
    source,
    title: request.patterns.join(' '),
    ...(await readListedFiles(session, request.patterns)),
    empty: 'no file was named',
  };
}

async function readRange(
  session: Session,
  title: string,
  resolve: (git: OpenedGit) => Promise<Endpoints>,
): Promise<Read> {
  const git = await session.open();
  const { base, head } = await resolve(git);
  if (base === head) throw nothing(`base and head are the same commit (${short(head)})`);
  const { files, warnings } = await compareTrees(
    { ...git, maxFileBytes: session.maxFileBytes },
    base,
    head,
  );
  return {
    source: 'range',
    base,
    head,
    title,
    files,
    warnings: [...noticeHistory(git), ...warnings],
    empty: `${title} changes no file`,
  };
}

async function readStaged(session: Session): Promise<Read> {
  const git = await session.open();
  const [base, head] = [headOrEmpty(git.shadow), await writeStagedTree(git.shadow)];
  const { files, warnings } = await compareTrees(
    { ...git, maxFileBytes: session.maxFileBytes },
    base,
    head,
  );
  return {
    source: 'staged',
    base,
    head,
    title: '--staged',
    files,
    warnings,
    empty: 'nothing is staged',
  };
}

async function readWorktree(session: Session, untracked: boolean): Promise<Read> {
  const git = await session.open();
  const { tree, warnings: skipped } = await writeWorktreeTree(git.shadow, untracked);
  const base = headOrEmpty(git.shadow);
  const { files, warnings } = await compareTrees(
    { ...git, maxFileBytes: session.maxFileBytes },
    base,
    tree,
  );
  return {
    source: 'worktree',
    base,
    head: tree,
    title: '--worktree',
    files,
    warnings: [...skipped, ...warnings],
    empty: 'the working tree has no changes',
  };
}

function noticeHistory({ shadow: { format, references } }: OpenedGit): string[] {
  return [
    ...(format.shallow ? ['The clone is shallow: older history is not here.'] : []),
    ...(references.replaced
      ? ['The repository replaces objects (refs/replace); the original ones were read.']
      : []),
  ];
}

function nothing(why: string): UserError {
  return new UserError(`Nothing to review: ${why}.`, { kind: 'input' });
}
