/** The two kinds of seat: readers judge logic, checks find by rules. Only what readers did counts where silence says something. */

/**
 * Of a seat, or of the review that came of it. A check is a built-in analyser, a program that is configured as one, or a
 * source that answered in SARIF, whose review says so.
 */
export function isReader({
  runner,
  role,
}: {
  readonly runner: string;
  readonly role?: 'check' | undefined;
}): boolean {
  return runner !== 'builtin' && role !== 'check';
}
