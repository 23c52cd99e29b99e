/**
 * Something the person can put right: the only error class that is part of the interface. The door prints `message`
 * and `hint` as two sentences and exits with `exitCode`; everything else that is thrown is a fault in Jury (exit 4).
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | null;
  /** `usage`: the call or the configuration is wrong (exit 3). `input`: what was to be reviewed cannot be used (exit 2). */
  readonly kind: 'usage' | 'input';

  constructor(message: string, options: { readonly kind: 'usage' | 'input'; readonly hint?: string | null; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind;
    this.hint = options.hint ?? null;
  }
}

/** Sentence for a word nobody knows, with the nearest known ones. `suggestions` come nearest first. */
export function didYouMean(suggestions: readonly string[]): string | null {
  if (suggestions.length === 0) return null;
  return `Did you mean ${suggestions.map(word => `"${word}"`).join(' or ')}?`;
}
