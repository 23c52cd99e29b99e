/** Opens a repository for one question, as a test asks it, and closes it again. */
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';
import { UserError } from '../../../src/core/errors.ts';
import type { ChangeRequest } from '../../../src/core/ports/repository.ts';
import { type GitRepository, openRepository } from '../../../src/adapters/git/repository.ts';

type OpenOptions = Parameters<typeof openRepository>[1];

export async function withRepository<Result>(
  folder: string,
  use: (repository: GitRepository) => Promise<Result>,
  options?: OpenOptions,
): Promise<Result> {
  const repository = await openRepository(folder, options);
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

export function readChange(
  folder: string,
  request: ChangeRequest,
  options?: OpenOptions,
): Promise<Change> {
  return withRepository(folder, repository => repository.change(request), options);
}

/** The last commit against its first parent. */
export function readLastCommit(folder: string, options?: OpenOptions): Promise<Change> {
  return readChange(folder, { source: 'revision', revision: 'HEAD' }, options);
}

/** What a request is refused with: kind, sentence and hint. */
export async function refusal(
  folder: string,
  request: ChangeRequest,
  options?: OpenOptions,
): Promise<Pick<UserError, 'kind' | 'message' | 'hint'>> {
  const error: unknown = await readChange(folder, request, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UserError))
    throw new Error('The request was not refused.', { cause: error });
  return { kind: error.kind, message: error.message, hint: error.hint };
}

/** Path, status, content and counts, one line per file. */
export function summary(change: Change): string[] {
  return change.files.map(
    file =>
      `${file.status} ${file.content} +${file.additions} -${file.deletions} ` +
      `${file.oldPath === null ? '' : `${file.oldPath} -> `}${file.path}`,
  );
}

export function linesOf(file: ChangedFile | undefined): string[] {
  return file?.hunks.flatMap(hunk => hunk.lines) ?? [];
}

export function fileOf(change: Change, path: string): ChangedFile {
  const file = change.files.find(file => file.path === path);
  if (file === undefined) throw new Error(`The change does not hold ${path}.`);
  return file;
}
