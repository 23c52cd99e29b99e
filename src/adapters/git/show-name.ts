/** Makes a hostile name safe to print in a sentence. */
import { makeVisible } from '../../core/visible-text.ts';

/** On one line, hidden characters as `⟦U+202E⟧`; at most 200 characters and an ellipsis. */
export function showName(name: string): string {
  const cut = name.length > 200 ? `${name.slice(0, 200)}…` : name;
  return makeVisible(cut).replace(/[\t\r\n]/g, blank => `⟦U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`);
}
