/**
 * Something the person can put right: the only error class that is part of the interface. The entry point prints `message`
 * and `hint` as two sentences and exits by `kind`; everything else that is thrown is a fault in Jury (exit 4).
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | null;
  /**
   * `usage`: the call or the configuration is wrong (exit 3). `input`: what was to be reviewed cannot be used (exit 2). `machine`: the
   * disk refuses what no run can do without (exit 4).
   */
  readonly kind: 'usage' | 'input' | 'machine';
  /** What happened, for callers that do something about it; null where nobody does. */
  readonly code: ErrorCode | null;

  constructor(message: string, options: UserErrorOptions) {
    super(
      // Sentences whose words a contract fixes have no full stop; before another one they need it.
      (options.hint ?? null) === null || /[.!?:]$/.test(message) ? message : `${message}.`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.kind = options.kind;
    this.code = options.code ?? null;
    this.hint = options.hint ?? null;
  }
}

function errorOf(kind: UserError['kind']) {
  return (message: string, hint: string | null = null, cause?: unknown) =>
    new UserError(message, { kind, hint, cause });
}

/** The call or the configuration is wrong; what to do about it, where that is known. */
export const usageError = errorOf('usage');

/** What was to be reviewed cannot be used. */
export const inputError = errorOf('input');

/**
 * `unknown-revision`: a word names no revision of the repository; it may name something else. `unchanged`: there is nothing to review
 * where the caller looks. `held`: another process holds what is to be used. `not-allowed`: a configuration that was found wants what nobody
 * has allowed.
 */
type ErrorCode = 'unknown-revision' | 'unchanged' | 'held' | 'not-allowed';

interface UserErrorOptions {
  readonly kind: UserError['kind'];
  readonly code?: ErrorCode;
  readonly hint?: string | null;
  readonly cause?: unknown;
}

/** Name of the error with which the first Ctrl-C ends what is waited for: no fault, and no run was under way. */
export const interruption = 'Interruption';

/** Name of the error that tells that what is printed could not be written. */
export const unprinted = 'Unprinted';

/** What comes in place of an error that a person can put right, where that is no matter here; with `code` of that one alone. */
export function ifUserError<Value>(otherwise: Value, code?: ErrorCode): (error: unknown) => Value {
  return error => {
    if (error instanceof UserError && (code === undefined || error.code === code)) return otherwise;
    throw error;
  };
}

/** The error itself, for what goes on all the same and tells of it. */
export function userError(error: unknown) {
  if (error instanceof UserError) return error;
  throw error;
}

/** What was thrown, in its own words. */
export function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}

/** Both sentences in one line, for a warning of what went on all the same. */
export function sentenceOf({ message, hint }: Pick<UserError, 'message' | 'hint'>) {
  return hint === null ? message : `${message} ${hint}`;
}

/** Sentence for a word nobody knows, with the nearest known ones. `suggestions` come nearest first. */
export function didYouMean(suggestions: readonly string[]) {
  if (suggestions.length === 0) return null;
  return `Did you mean ${suggestions.map(word => `"${word}"`).join(' or ')}?`;
}
