/** What a person can do about an object that the repository does not have, or has wrongly. */
import { UserError } from '../../core/errors.ts';
import type { RepositoryFormat } from './repository-format.ts';

export function missingHint({ shallow, partial }: RepositoryFormat): string {
  if (shallow) return '`git fetch --unshallow` brings the whole history.';
  return partial ? '`git fetch --refetch --no-filter` brings every object.' : 'Run "git fsck" in the repository to see what is damaged.';
}

/** `what` says whose object it is: `the old side of src/a.ts`. */
export function missingObject(format: RepositoryFormat, id: string, what: string): UserError {
  const clone = format.shallow ? 'this shallow clone' : format.partial ? 'this partial clone' : 'the repository';
  return new UserError(`Object ${id}, ${what}, is not in ${clone}.`, { kind: 'input', hint: missingHint(format) });
}

/** The bytes of an object are not what its name says. */
export function forgedObject(id: string): UserError {
  return new UserError(`git-object: the bytes of object ${id} do not hash to its name.`, { kind: 'input', hint: 'The repository is damaged or forged; run "git fsck" in it.' });
}
