/**
 * What an obedient model makes of a prompt: it ends its answer with the line it was asked to end it with, and with none
 * where it was not asked. Nothing here knows what that line says.
 */
export function markAskedFor(prompt: string): string | null {
  const asked = /\bend your answer with[^\n]*\n\s*(\S[^\n]*)/i.exec(prompt)?.[1]?.trim() ?? null;
  if (asked === null) return null;
  // A choice such as `WORD: one|two|three` is answered by one of its words.
  return asked.replace(/\|.*$/, '');
}
