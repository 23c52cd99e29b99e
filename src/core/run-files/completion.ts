/** The last line of a finished file. A file of another tool may carry its own. */

export const completionSignal = '<!-- jury:complete -->';

const signals: ReadonlySet<string> = new Set([
  completionSignal,
  '<!-- flux-drive:complete -->',
  '<!-- flux-research:complete -->',
]);

/** Is the last line that holds anything a completion signal? */
export function hasSignal(text: string): boolean {
  const trimmed = text.trimEnd();
  return signals.has(trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim());
}
