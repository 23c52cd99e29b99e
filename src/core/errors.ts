/**
 * Something the person can put right: the only error class that is part of the interface. The door prints `message`
 * and `hint` as two sentences and exits with `exitCode`; everything else that is thrown is a fault in Jury (exit 4).
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | null;
  /** `usage`: the call or the configuration is wrong (exit 3). `input`: what was to be reviewed cannot be used (exit 2). */
  readonly kind: 'usage' | 'input';
  /** What happened, for callers that do something about it; null where nobody does. */
  readonly code: ErrorCode | null;

  constructor(message: string, options: UserErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind;
    this.code = options.code ?? null;
    this.hint = options.hint ?? null;
  }
}

/** `unknown-revision`: a word names no revision of the repository; it may name something else. */
export type ErrorCode = 'unknown-revision';

export interface UserErrorOptions {
  readonly kind: UserError['kind'];
  readonly code?: ErrorCode;
  readonly hint?: string | null;
  readonly cause?: unknown;
}

/** Sentence for a word nobody knows, with the nearest known ones. `suggestions` come nearest first. */
export function didYouMean(suggestions: readonly string[]): string | null {
  if (suggestions.length === 0) return null;
  return `Did you mean ${suggestions.map(word => `"${word}"`).join(' or ')}?`;
}
