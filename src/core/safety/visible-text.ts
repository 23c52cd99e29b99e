/** Characters that a reader cannot see, or that steer a terminal or the direction of writing, made visible. */

/**
 * Control characters (C0, DEL, C1) except tab and line feed; everything Unicode gives no width (zero-width, bidi, fillers,
 * tags, variation selectors, the byte order mark) except the selector that asks for an emoji behind an emoji; line and
 * paragraph separators; interlinear marks; lone surrogates.
 */
const hiddenPattern =
  /(?![\t\n])(?!(?<=\p{Emoji})\uFE0F)[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\uFFF9-\uFFFB]/gu;

/** Each such character as `⟦U+202E⟧`. Nothing is removed; tab and line feed stay, and a carriage return before a line feed. */
export function makeVisible(text: string) {
  return text.replace(hiddenPattern, (character, offset: number) =>
    character === '\r' && text.charAt(offset + 1) === '\n' ? character : `⟦${codeOf(character)}⟧`,
  );
}

/** The same of a name, blanks and all, which must stay on its line: tabs and line ends are shown as well. */
export function visibleName(name: string) {
  return makeVisible(name).replace(/[\t\n\r]/g, blank => `⟦${codeOf(blank)}⟧`);
}

/** A text as a JSON string on one line in which nothing is hidden: it parses back to the same text. */
export function visibleJson(text: string) {
  return JSON.stringify(text).replace(hiddenPattern, character =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Does a text hold anything that `makeVisible` would show? */
export function hidesText(text: string) {
  return makeVisible(text) !== text;
}

/** `U+202E` */
export function codeOf(character: string) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
