/** Makes a hostile name safe to print in a sentence. */

const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/u; // oxlint-disable-line no-control-regex

/** Control, bidirectional and invisible characters as `⟦U+202E⟧`; at most 200 characters. */
export function showName(name: string): string {
  const cut = name.length > 200 ? `${name.slice(0, 200)}…` : name;
  return [...cut].map(character => (invisible.test(character) ? `⟦U+${codePoint(character)}⟧` : character)).join('');
}

export function hasInvisible(name: string): boolean {
  return invisible.test(name);
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
