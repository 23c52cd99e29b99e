/** Says in one sentence what the disk refused, where, and how a person can mend it. Anything else stays the fault it is. */
import { UserError } from '../../core/errors.ts';

interface Refusal {
  readonly what: string;
  readonly mend: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  ENOSPC: { what: 'no space left on device', mend: 'Free some space' },
  EDQUOT: { what: 'the disk quota is used up', mend: 'Free some space or raise the quota' },
  EIO: { what: 'the device reports an input/output error', mend: 'Check the device' },
  EROFS: { what: 'the file system is read-only', mend: 'Make it writable' },
  EMFILE: { what: 'too many open files', mend: 'Raise the limit of open files (ulimit -n)' },
  ENFILE: { what: 'too many open files in the system', mend: 'Close other programs' },
  EFBIG: { what: 'the file would be larger than the limit', mend: 'Raise the limit of the file size' },
  EACCES: { what: 'permission denied', mend: 'Make it writable' },
  EPERM: { what: 'operation not permitted', mend: 'Make it writable' },
};

/**
 * A `UserError` of kind `input` for a refusal of the disk, the error itself for everything else. A failed fsync with an
 * input/output error is a fault too: the kernel may have dropped the pages, so nothing written before can be vouched for.
 */
export function explainDiskFailure(error: unknown, place: { readonly path: string; readonly again: string }): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const refusal = refusals[code ?? ''];
  if (refusal === undefined) return error;
  if (code === 'EIO' && (syscall === 'fsync' || syscall === 'fdatasync')) {
    return new Error(`The disk could not confirm a write (${place.path}); what was written last may be lost.`, { cause: error });
  }
  return new UserError(`The run folder cannot be written: ${refusal.what} (${place.path}).`, { kind: 'input', hint: `${refusal.mend}, then ${place.again}.`, cause: error });
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
