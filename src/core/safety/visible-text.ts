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

// The encoders of SARIF 2.1.0: messages, in which brackets make links, and addresses of files.

/**
 * A plain text message (3.11). A bracket that would close the words of a link is written as one that does not (3.11.6). Braces stay:
 * a message without arguments is no template to any reader known, and few would take a doubled one back.
 */
export function sarifMessage(text: string) {
  return makeVisible(text).replace(/(\\*)\]\(/g, '$1$1\\](');
}

/** Words that lead to the related location of that number. */
export function sarifLink(words: string, id: number) {
  return `[${makeVisible(words).replace(/[\\[\]]/g, '\\$&')}](${id})`;
}

/** A path of the repository as a relative URI reference (RFC 3986, 4.2). Half a surrogate pair, which no URI holds, becomes U+FFFD. */
export function sarifUri(path: string) {
  return path
    .replace(/\p{Cs}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

// The encoder of workflow commands, which GitHub Actions reads off the log: `::error file=a.ts,line=3::message`. A command ends
// with its line, so that no text may hold a line end, and a percent sign starts what the runner decodes.

/**
 * A log in which the runner reads no command, whoever wrote the words: it takes `::` as the first letters of a line, blanks before it
 * left out, and the old `##[` anywhere. What is put in between has no width.
 */
export function withoutCommands(text: string) {
  return text
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1:\u200B')
    .replaceAll('##[', '##\u200B[');
}

/** What stands behind the second `::`. */
export function workflowMessage(text: string) {
  return makeVisible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property, which a comma or a colon would end. A name stays on its line. */
export function workflowProperty(text: string) {
  return workflowMessage(visibleName(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
